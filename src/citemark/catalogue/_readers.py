"""What is inside a marker, taken apart: one function a way of writing keys.

Each gets the text of the group ``key``, as its row lets it through, or that of the whole marker
if the row has no such group, and returns the keys.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.catalogue._parts import DASH
from citemark.catalogue._row import Key
from citemark.model import Location

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.model import Unit

__all__ = [
    "attribute_keys",
    "call_keys",
    "cursor_keys",
    "document_keys",
    "json_keys",
    "numbers_in",
    "page_keys",
    "place",
    "prefixed_tool_keys",
    "superscript_keys",
    "tool_keys",
    "turn_keys",
    "whole_key",
]

_SPAN: Final = rf"([0-9]{{1,6}})(?:[ ]?{DASH}[ ]?[A-Za-z.]{{0,2}}([0-9]{{1,6}}))?"
_LINES: Final = lazy_re(rf"L{_SPAN}")
_TURN: Final = lazy_re(
    rf"(turn[0-9]{{1,4}}[a-z]{{2,12}})\{{?([0-9]{{1,4}})\}}?((?:[\ue202 ,]|\\ue202)*L{_SPAN})?"
)
_CALL: Final = lazy_re(r"([0-9]{1,4})[ ]?:[ ]?\[([0-9, ]{0,400})\]")
_NUMBER: Final = lazy_re("[0-9]{1,6}")
_SENTENCE: Final = lazy_re(r"([0-9]{1,6})(?:-([0-9]{1,6})(?:[:\u2013-]([0-9]{1,6}))?)?")
_FIELD: Final = lazy_re(
    r"""["'](id|document_id|doc_id|source_id|source|page)["'][ ]?:[ ]?"""
    r"""(?:["']([^"'\n]{1,200})["']|([0-9]{1,9}))"""
)
_ATTRIBUTE: Final = lazy_re(
    r"""([A-Za-z_-]{1,40})[ ]?=[ ]?"""
    r"""(?:"([^"\n]{0,2000})"|'([^'\n]{0,2000})'|([^\s"'<>}]{1,200}))"""
)
_PAGED: Final = lazy_re(rf"[^0-9]*([0-9]{{1,6}}).*?(?<![0-9]){_SPAN}[^0-9]*", re.DOTALL)
_TOOL: Final = lazy_re(r"([0-9]{1,6})[ ]?\][ ]?\([ ]?#[ ]?([^ ]{1,200})[ ]?")
_TOOL_PREFIX: Final = lazy_re("toolu_|call_|search-")
_SUPERSCRIPTS: Final = str.maketrans(
    "\u2070\xb9\xb2\xb3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789"
)

_NAMING: Final = (
    *("ids", "source", "sources", "src", "doc", "docs", "document", "ref", "refs"),
    *("url", "reference", "href", "id", "index", "key", "keys", "title"),
)
"""Attributes that name a source; the first there is counts.  An id may be that of the tag."""

_SINGLE: Final = frozenset({"url", "reference", "href", "title"})
"""Those of them that hold one key, whatever stands in it."""


def place(unit: Unit, first: str, last: str | None) -> tuple[Location, ...]:
    """Return a place from its first to its last number; none if it runs backwards."""
    start = int(first)
    end = int(last) if last else start
    return (Location(unit, start, end + 1),) if start <= end else ()


def call_keys(written: str) -> Iterator[Key]:
    """Read results of tool calls, both counted from 0.

    >>> [key.name for key in call_keys("0:[1,2],1:[3]")]
    ['0:1', '0:2', '1:3']
    """
    for call, results in _CALL.findall(written):
        for result in _NUMBER.findall(results):
            yield Key(f"{call}:{result}")


def turn_keys(written: str) -> Iterator[Key]:
    """Read references of OpenAI's tools, each with the lines that follow it.

    >>> [key.name for key in turn_keys("turn0search1turn0news2")]
    ['turn0search1', 'turn0news2']
    """
    for turn, number, _, first, last in _TURN.findall(written):
        yield Key(turn + number, place("line", first, last) if first else ())


def cursor_keys(written: str) -> Iterator[Key]:
    """Read the number of an opened page, and lines of it.

    >>> [(key.name, len(key.locations)) for key in cursor_keys("1†L1-L3, L9")]
    [('1', 2)]
    """
    cursor, _, rest = written.partition("\u2020")
    lines = _LINES.findall(rest)
    yield Key(cursor, tuple(spot for ends in lines for spot in place("line", *ends)))


def document_keys(written: str) -> Iterator[Key]:
    """Read pairs of document and sentence; those of one document are one key.

    >>> [(key.name, len(key.locations)) for key in document_keys("0-1,0-2,1-3")]
    [('0', 2), ('1', 1)]
    """
    places: dict[str, tuple[Location, ...]] = {}
    for document, first, last in _SENTENCE.findall(written):
        found = place("sentence", first, last or None) if first else ()
        places[document] = places.get(document, ()) + found
    for document, found in places.items():
        yield Key(document, found)


def json_keys(written: str) -> Iterator[Key]:
    """Read the fields of a JSON object that name a source, and its page.

    >>> [key.name for key in json_keys('{"id":3,"page":1}')]
    ['3']
    """
    fields = {name: text or number for name, text, number in _FIELD.findall(written)}
    page = fields.pop("page", "")
    own = fields.pop("id", "")  # may be that of the citation
    name = next(iter(fields.values()), own)
    if name:
        yield Key(name, place("page", page, None) if _NUMBER.fullmatch(page) else ())


def attribute_keys(written: str) -> Iterator[Key]:
    """Read the attribute of a tag that names sources.

    >>> [key.name for key in attribute_keys('id="s1, s2" page="3"')]
    ['s1', 's2']
    """
    values: dict[str, str] = {}
    for name, *texts in _ATTRIBUTE.findall(written):
        values.setdefault(name.lower().replace("-", "_"), next(filter(None, texts), ""))
    page = next((values[n] for n in ("page", "page_number", "pages") if n in values), "")
    first, _, last = page.partition("-")
    is_page = _NUMBER.fullmatch(first) and (not last or _NUMBER.fullmatch(last))
    locations = place("page", first, last or None) if is_page else ()
    name = next((name for name in _NAMING if values.get(name, "").strip()), None)
    if name is None:
        return
    members = [values[name]] if name in _SINGLE else re.split("[,;]", values[name])
    for member in members:
        if key := member.strip(" \t\"'#[]"):
            yield Key(key, locations)


def page_keys(written: str) -> Iterator[Key]:
    """Read a number and the page that follows it.

    >>> [(key.name, key.locations[0].start) for key in page_keys("1, p. 3")]
    [('1', 3)]
    """
    if match := _PAGED.fullmatch(written):
        yield Key(match[1], place("page", match[2], match[3]))


def tool_keys(written: str) -> Iterator[Key]:
    """Read the number of a result and the tool call that gave it: ``1](#call)``.

    >>> [key.name for key in tool_keys("2](#search-a1")]
    ['search-a1/2']
    """
    if match := _TOOL.fullmatch(written):
        yield Key(f"{match[2]}/{int(match[1])}")


def prefixed_tool_keys(written: str) -> Iterator[Key]:
    """Read the same, less a prefix that models put before the name of the call.

    >>> [key.name for key in prefixed_tool_keys("2](#search-a1")]
    ['a1/2']
    """
    if match := _TOOL.fullmatch(written):
        yield Key(f"{_TOOL_PREFIX.sub('', match[2], count=1)}/{int(match[1])}")


def superscript_keys(written: str) -> Iterator[Key]:
    """Read raised digits.

    >>> [key.name for key in superscript_keys("¹²,³")]
    ['12', '3']
    """
    for number in _NUMBER.findall(written.translate(_SUPERSCRIPTS)):
        yield Key(str(int(number)))


def numbers_in(written: str) -> Iterator[Key]:
    """Read the numbers, whatever stands between them.

    >>> [key.name for key in numbers_in("1, see also 3")]
    ['1', '3']
    """
    for number in _NUMBER.findall(written):
        yield Key(number)


def whole_key(written: str) -> tuple[Key]:
    """Read the whole as one key."""
    return (Key(written),)

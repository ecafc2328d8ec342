"""Words in quotation marks, and block quotes, in a Markdown text."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark._outline.blocks import find_rooms
from citemark._outline.inline import Inline

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Quotation", "find_quotations", "without_prefixes"]

MAX_QUOTE: Final = 4_000
"""Code points between two quotation marks; what is longer was never closed."""

MAX_NESTED: Final = 40
"""Quotes within a quote, and runs of words between them."""

_W: Final = r"[^\W_]"
"""A letter or digit; the sign ``_`` is one of emphasis."""

_N: Final = f"{{1,{MAX_QUOTE}}}"


def _nested(opening: str, closing: str) -> str:
    """Return the pattern of a pair of marks, which may hold the same pair once more."""
    plain = f"[^{opening}{closing}]"
    inner = f"{opening}{plain}{{1,{MAX_QUOTE}}}{closing}"
    return f"(?<={opening}) ( (?: {plain}++ | {inner} ){{1,{MAX_NESTED}}} ){closing}"


# The first character is one class, by which ``re`` skips fast to where a quote may begin.
_PAIRS: Final = lazy_re(
    rf"""["“”„»«‹›‘‚「『＂❝〝'`&<] (?:
        (?<=") (?<!{_W}") (?=\S) ([^"“”]{_N}) ” (?!{_W})
      | (?<=") (?<!{_W}") (?=\S)( (?: [^"]++ | (?<=[\s(]) "(?=\w) [^"]{_N} (?<=\S)"(?!\w)
          ){{1,{MAX_NESTED}}} )" (?!{_W})
      | (?<=[“„]) ([^“”„"]{_N}) (?: (?<=[^\s\d])"(?!{_W}) | (?<=\d)"(?=[ ]?[\[【]) )
      | {_nested("“", "”")}
      | (?<=”) (?<!\w”) ([^“”]{_N})” (?!\w)
      | (?<=„) ( (?: [^„“”]++ | „[^„“”]{_N}[“”] ){{1,{MAX_NESTED}}} )[“”]
      | {_nested("«", "»")} | (?<=») (?<!\w») ([^«»]{_N})« (?!\w)
      | {_nested("‹", "›")} | (?<=›) (?<!\w›) ([^‹›]{_N})‹ (?!\w)
      | (?<=‘) (?<!\w‘) ( (?: [^‘’] | ’(?=\w) ){_N}+ )’ (?!\w)
      | (?<=‘) (?<!\w‘) ( (?: [^‘’'] | '(?=\w) ){_N}+ )' (?!{_W}) | (?<=‚) ([^‚‘’]{_N})‘
      | {_nested("「", "」")} | {_nested("『", "』")} | (?<=＂) ([^＂]{_N})＂
      | (?<=❝) ([^❝❞]{_N})❞ | (?<=〝) ([^〝〞〟]{_N})[〞〟]
      | (?<=[`']) (?<![\w'`][`']) [`'] (?=[^\s'`])
          ( (?: [^'`] | (?<=\w)'(?=\w) ){_N}+ )''(?!['\w])
      | (?<=') (?<!{_W}') (?<!['\[]') (?!(?:\d\ds|tis|twas|til|em|n)\b)
          ( \w[^\s']*+ (?: [^'] | (?<=\w)'(?=\w) | (?<=s)'(?=[ ]\w) ){_N} (?<=\S) )'(?!{_W}|')
      | (?<=&) (?:quot|\#34|\#x22); ([^&]{_N}) &(?:quot|\#34|\#x22);
      | (?<=&) (?:ldquo|\#8220); ([^&]{_N}) &(?:rdquo|\#8221); | (?<=&)laquo;([^&]{_N})&raquo;
      | (?<=<) q(?:\s[^<>]*)?> ([^<>]{_N}) </q>
      | (?<=<) blockquote(?:\s[^<>]*)?> (?:\s*<p>)? ([^<>]{_N}) (?:</p>\s*)?</blockquote> )""",
    64 + 2,  # re.VERBOSE, re.IGNORECASE
)
_MARKS: Final = lazy_re("[\"“”„»«‹›‘‚「『＂❝〝'`&<]")
_NO_CODE: Final = lazy_re(r"(?i)</?(?:q|blockquote|p)(?:\s[^<>]*)?>|&\#?\w+;|\\.|`+")
"""Tags of quotes, characters by name, escaped ones, marks of code that is never closed."""

_CODE: Final = lazy_re(r"[`$<]|~~~|(?m:^(?:\t|[ ]{4}))")
_OPEN: Final = lazy_re(r"```|~~~|\$\$|\\\[")
"""What may begin a block that a blank line does not end."""

_FRESH: Final = lazy_re(r"\n[ \t]*\n(?=[^\s\ufeff])")
"""Before a line at column 0 after a blank one, which depends on nothing above."""

_BREAK: Final = lazy_re(
    r"\n(?:[ \t]*\n|(?=[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t])|(?=[ \t]*[#|]))"
)
_BLOCK: Final = lazy_re(r"(?m)^[ ]{0,3}>[^\n]*(?:\n[ ]{0,3}>[^\n]*)*")
_BLOCK_MARK: Final = lazy_re(r"(?m)^[ ]{0,3}>[ \t]?(?:>[ \t]?)*")
_PREFIX: Final = lazy_re(r"\n[ \t]*>[ \t>]*")
_BY: Final = lazy_re(r"(?:\A|\n)[ \t>]*(?:[-–—]{1,3})[ \t]*[^\s\d][^\n]*\Z")


class Quotation(NamedTuple):
    """Words of a text that it says are somebody's."""

    start: int
    """First code point of the words."""

    end: int
    """Code point after the last one."""

    block: tuple[int, int]
    """Paragraph, list item or row that they are in; a block quote as a whole."""

    is_block: bool
    """Whether it is a block quote."""


def find_quotations(text: str) -> list[Quotation]:
    """Return the quotations of a Markdown text, in order, without overlap; not those in code.

    A pair of marks holds words of one paragraph.  A block quote whose words have marks of their
    own at both ends is told once, by these.

    >>> text = 'He said “we voted”.'
    >>> [text[found.start : found.end] for found in find_quotations(text)]
    ['we voted']
    """
    if not _MARKS.search(text) and ">" not in text:
        return []
    level = _without_code(text)
    blocks = [*_block_quotes(level)]
    starts = [block.start for block in blocks]
    found = []
    for quotation in _in_marks(level):
        at = bisect_right(starts, quotation.start) - 1
        if at < 0 or quotation.start >= blocks[at].end:
            found.append(quotation)
    return sorted([*blocks, *found])


def without_prefixes(words: str) -> str:
    """Return the words of a quotation without the ``>`` of the lines of a block quote."""
    return _PREFIX.sub("\n", words)


def _in_marks(text: str) -> Iterator[Quotation]:
    for start, end in _blocks(text):
        if not _MARKS.search(text, start, end):
            continue
        for match in _PAIRS.finditer(text, start, end):
            first, last = match.span(match.lastindex or 0)
            if text[last - 1] == "\\":
                last -= 1  # the mark is escaped
            if last - first <= MAX_QUOTE and text[first:last].strip():
                yield Quotation(first, last, (start, end), is_block=False)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield paragraphs, items, rows and lines of block quotes, roughly."""
    pos = 0
    for match in _BREAK.finditer(text):
        if match.start() > pos:
            yield pos, match.start()
        pos = match.end()
    yield pos, len(text)


def _block_quotes(text: str) -> Iterator[Quotation]:
    if ">" not in text:
        return
    for match in _BLOCK.finditer(text):
        start, end = match.span()
        prefix = _BLOCK_MARK.match(text, start, end)
        first = prefix.end() if prefix else start
        by = _BY.search(text, first, end)
        last = by.start() if by and by.start() > first else end
        words = text[first:last].strip()
        if words and not (_MARKS.match(words[0]) and _is_marked(words)):
            yield Quotation(first, last, (start, end), is_block=True)


def _is_marked(words: str) -> bool:
    """Whether words begin with a quote in marks; an apostrophe or a tag is none."""
    return words[0] not in "'&<" or _PAIRS.match(words) is not None


def _without_code(text: str) -> str:
    """Return the text with letters in place of code, formulas and addresses."""
    if not _CODE.search(text):
        return text
    lines = text.replace("\r\n", " \n").replace("\r", "\n")
    return "".join(map(_covered, _parts(lines)))


def _parts(text: str) -> Iterator[str]:
    """Yield parts of a text that can be read by themselves."""
    pos = 0
    if not _OPEN.search(text):
        for fresh in _FRESH.finditer(text):
            yield text[pos : fresh.end()]
            pos = fresh.end()
    yield text[pos:]


def _covered(lines: str) -> str:
    r"""Return the same of a part of a text, whose lines end with ``\\n`` alone."""
    if not _MARKS.search(lines):
        return lines
    rooms = find_rooms(lines)
    level = rooms.masked(lines)
    marked = (leaf for leaf in rooms.leaves if _MARKS.search(lines, *leaf))
    spans = [*_between(rooms.leaves, lines), *Inline(level).wholes(marked)]
    pieces: list[str] = []
    pos = 0
    for start, end in sorted(spans):
        if end > pos:
            first = max(start, pos)
            pieces += lines[pos:first], _masked(lines[first:end])
            pos = end
    return "".join([*pieces, lines[pos:]])


def _masked(code: str) -> str:
    """Return code without marks of quotes, which then are none."""
    return code if _NO_CODE.fullmatch(code) else _MARKS.sub("x", code)


def _between(leaves: list[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Yield what is no words: code blocks among it."""
    pos = 0
    for start, end in leaves:
        yield pos, start
        pos = end
    yield pos, len(text)

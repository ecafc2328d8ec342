"""The lines of a list of sources: which are entries, and which are so beyond doubt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from citemark import listing
from citemark._lazy import lazy_re
from citemark._list_claims import is_sentence, says_something
from citemark.listing import (
    ENTRY,
    EXTENSION,
    FILE,
    LABEL,
    LINE,
    LINK,
    NAME_LETTER,
    QUOTES,
    RULE,
    STRICT,
    URL_START,
)

if TYPE_CHECKING:
    from citemark.sources import Sources

__all__ = [
    "FENCES",
    "Beginning",
    "Kind",
    "Line",
    "has_evidence",
    "is_claim",
    "is_named",
    "is_only_markers",
    "is_strict",
    "read_entry",
    "read_line",
]

FENCES: Final = ("```", "~~~")
"""What begins a code block: such a line is none of a list."""

Kind: TypeAlias = Literal["label", "ordered", "bullet", "named", "link", "url", "key"]
"""What a line of a list begins with."""

_QUOTES: Final = lazy_re(QUOTES, re.VERBOSE)
_ENTRY: Final = lazy_re(ENTRY, re.VERBOSE)
_STRICT: Final = lazy_re(STRICT, re.VERBOSE)
_LABEL: Final = lazy_re(LABEL, re.VERBOSE)
_NUMBER: Final = lazy_re("[0-9]{1,4}")
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_URL: Final = lazy_re(rf"{URL_START} [^ \t<>]*+", re.VERBOSE)
_LINK: Final = lazy_re(LINK, re.VERBOSE)
_FILE: Final = lazy_re(rf"{NAME_LETTER} {EXTENSION} (?! [^\W_] )", re.VERBOSE)
_FILE_NAME: Final = lazy_re(rf"(?: [^ ]{{1,40}}+ [ ] ){{0,8}} {FILE}", re.VERBOSE)
_RULE: Final = lazy_re(rf"[ ]{{0,3}}+ {RULE} [ \t]*+", re.VERBOSE)
_MARKER_AT_END: Final = lazy_re(listing.MARKER_AT_END, re.VERBOSE)
_ONLY_MARKERS: Final = lazy_re(
    rf"""(?: [ \t,;.&*_]++ | (?: and | und | y | et )[ ] | {LABEL}
           | \[ [^\[\]\n]{{1,60}}+ \] (?! \( ) )*+""",
    re.VERBOSE,
)
_TAIL: Final = lazy_re(
    r"[>)\]}*_\"'.,; \t]*+ (?: [(\[][^()\[\]]{0,60}+ [)\]] )?+ [.]?+ [ \t]*+", re.VERBOSE
)
_DESTINATION: Final = lazy_re(
    r"""([^ \t]++) (?: [ \t]++ (?: "[^"]*+" | '[^']*+' | \([^()]*+\) ) )?+ [ \t]*+""",
    re.VERBOSE,
)
"""Where a link reference definition leads, with its title (CommonMark 0.31.2, 4.7)."""

_CUT: Final = lazy_re(r" [-–—|] |[:,;(]| — |\t")
_KEY: Final = lazy_re(r"\[([^\[\]\n]{1,100})\]")
_MARKUP: Final = " \t*_`\"'“”‘’«»「」『』.,;:-–—"


class Line(NamedTuple):
    """A line as far as it has come, at most ``LINE`` code points of it."""

    text: str
    """Without the marks of the quotes it is in."""

    depth: int
    """How many quotes it is in."""

    end: int
    """Position of its end, or after what is known of it."""

    is_whole: bool
    """Whether its end has come."""

    is_settled: bool
    """Whether enough of it is known: its end, or ``LINE`` code points."""

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing on it."""
        return not self.text.strip(" \t")


class Beginning(NamedTuple):
    """What a line of a list begins with."""

    kind: Kind
    number: int | None
    """The number of its label, if it has one."""
    content: str
    """What follows."""


def read_entry(text: str) -> Beginning | None:
    """Return what a line begins with if it may be one of a list, else None."""
    match = _ENTRY.match(text)
    if match is None or _RULE.fullmatch(text):
        return None
    kind = match.lastgroup
    assert kind is not None  # noqa: S101  each alternative is a group
    content = text[match.end(kind) :]
    if kind in {"bullet", "ordered"}:
        if content.startswith((*FENCES, "[ ]", "[x]")):
            return None
        inner = _LABEL.match(content) if kind == "bullet" else None
        if inner is not None:
            return Beginning("bullet", _number(inner[0]), content[inner.end() :])
    if kind in {"link", "url", "key"}:
        return Beginning(kind, None, text.strip())  # type: ignore[arg-type]
    number = None if kind == "bullet" else _number(match[kind])
    return Beginning(kind, number, content)  # type: ignore[arg-type]


def read_line(text: str, start: int, *, final: bool) -> Line:
    """Return the line at a position of a text, which may be all of it that will come."""
    stop = text.find("\n", start, start + LINE)
    end = min(start + LINE, len(text)) if stop < 0 else stop
    is_long = end - start == LINE
    is_whole = stop >= 0 or (final and not is_long)
    quotes = _QUOTES.match(text, start, end)
    content = start if quotes is None else quotes.end()
    depth = text.count(">", start, content)
    return Line(text[content:end], depth, end, is_whole, is_whole or is_long)


def is_only_markers(content: str) -> bool:
    """Whether what follows a label is more labels, or nothing: ``[1], [2]`` lists nothing."""
    return _ONLY_MARKERS.fullmatch(content) is not None


def has_evidence(content: str, known: Sources | None) -> bool:
    """Whether an entry shows that it is a source: by an address, a file, or a known name.

    What ends in a marker is a statement with its citation, unless a name is all there is.
    """
    marker = _MARKER_AT_END.search(content[-80:])
    if marker is not None:
        name = content[: len(content) - (marker.end() - marker.start())].strip(_MARKUP)
        return bool(
            _LINK.fullmatch(name)
            or _URL.fullmatch(name)
            or _FILE_NAME.fullmatch(name)
            or _is_known(name, known)
        )
    return bool(
        _URL.search(content)
        or _LINK.search(content)
        or _FILE.search(content)
        or any(_is_known(name, known) for name in _names(content))
    )


def is_claim(entry: Beginning, known: Sources | None) -> bool:
    """Whether an entry is none, but a sentence that begins with a citation."""
    if entry.kind not in {"label", "bullet"} or entry.number is None:
        return False
    name = _without_marker(entry.content)
    return says_something(entry.content) and not _is_known(name, known)


def is_named(entry: Beginning, known: Sources | None) -> bool:
    """Whether a line with a label says nothing but the name of a known source."""
    if entry.kind != "label":
        return False
    content = entry.content.strip()
    is_whole = _is_known(_without_marker(content), known)
    return is_whole or (
        not (is_sentence(content) or content.endswith((".", "\u3002")))
        and any(_is_known(name, known) for name in _names(content))
    )


def _without_marker(content: str) -> str:
    """Return what may be a title, without a marker after it."""
    marker = _MARKER_AT_END.search(content[-80:])
    cut = 0 if marker is None else marker.end() - marker.start()
    return _stripped(content[: len(content) - cut])


def is_strict(text: str, known: Sources | None) -> bool:
    """Whether a line is of a list even without a heading: a definition, or label and URL."""
    match = _STRICT.match(text)
    if match is None:
        return False
    if text[match.start() : match.end()].lstrip(" *_\\").startswith("[^"):
        return True
    label = _LABEL.match(text.lstrip(" "))
    content = text.lstrip(" ")[label.end() if label else 0 :]
    body = content.lstrip(":.)- \t*_")
    if content.startswith(":"):
        target = _DESTINATION.fullmatch(body)
        is_target = target is not None and re.search("[/#.].", target[1]) is not None
        return is_target or has_evidence(body, known)
    url = _URL.search(body)
    if url is None or not _TAIL.fullmatch(body, url.end() - _overhang(url[0])):
        return False
    before = body[: url.start()]
    return not (before[:1].islower() or _LABEL.search(before))


def _overhang(url: str) -> int:
    """Return how much of what looks like a URL is the punctuation after it."""
    return len(url) - len(url.rstrip(".,;:)]}\"'*_"))


def _names(content: str) -> list[str]:
    """Return what may be the name of a source in an entry: all of it, or what comes first."""
    cut = _CUT.search(content)
    key = _KEY.match(content)
    names = [content, content[: cut.start()] if cut else "", key[1] if key else ""]
    return [name for name in map(_stripped, names) if name]


def _stripped(text: str) -> str:
    return text.strip(_MARKUP)


def _is_known(name: str, known: Sources | None) -> bool:
    if known is None or not name:
        return False
    return bool(known.find(name, "title") or known.find(name, "id"))


def _number(label: str) -> int | None:
    match = _NUMBER.search(label.translate(_SUPERSCRIPTS))
    return int(match[0]) if match else None

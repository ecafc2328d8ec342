"""HTML in the words of an answer: what parts them, what is seen of it, and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Html", "filled"]

Html: TypeAlias = Literal["block", "line", "heading", "blank", "inline", ""]
"""What a construct is: it begins or ends a block, a line, a heading; it shows nothing; it
stands within words; "" if it is no HTML."""

_TAG: Final = lazy_re(r"<(?P<closing>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?=[\s/>])")
_COMMENT: Final = "<!--"
_SPACE: Final = lazy_re(
    r"&(?:nbsp|e[mn]sp|thinsp|shy|zwn?j|lrm|rlm|#0*(?:32|160|173|820[0-7])"
    r"|#[xX]0*(?:20|[aA][0dD]|200[0-9a-fA-F]));"
)
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "summary"))
_NAMES: Final = (
    "address article aside blockquote body caption center dd details dialog div dl dt "
    "fieldset figcaption figure footer form head header hr html legend li main menu "
    "nav ol option p section table tbody tfoot thead tr ul"
)
_BLOCKS: Final = frozenset(_NAMES.split())
_CELLS: Final = frozenset(("td", "th"))
_WORD: Final = lazy_re(r"[^\W_]")


def _kind(construct: str) -> Html:
    """Return what a construct is that begins with ``<`` or ``&``."""
    if construct.startswith(_COMMENT) or _SPACE.fullmatch(construct):
        return "blank"
    tag = _TAG.match(construct)
    if tag is None:
        return ""
    name = tag["name"].lower()
    if name in _HEADINGS:
        return "block" if tag["closing"] else "heading"
    if name in _BLOCKS:
        return "block"
    if name == "br":
        return "line"
    return "blank" if name in _CELLS else "inline"


def filled(
    text: str, wholes: Iterable[tuple[int, int]]
) -> tuple[str, str, list[tuple[int, int, Html]]]:
    """Return a text with code, formulas, addresses and HTML made harmless for a splitter.

    Code, formulas and addresses become letters; tags within words become asterisks, as those of
    Markdown are; what shows nothing becomes blanks.

    Returns:
        That text, the words as a reader sees them, and where they are parted.
    """
    pieces: list[str] = []
    words: list[str] = []
    breaks: list[tuple[int, int, Html]] = []
    pos = 0
    for first, end in sorted(wholes, key=lambda whole: (whole[0], -whole[1])):
        start = max(first, pos)
        if end <= pos or not _WORD.search(text, start, end):
            continue
        kind = _kind(text[start:end]) if first >= pos and text[start] in "<&" else ""
        length = end - start
        between = text[pos:start]
        fill = " " if kind and kind != "inline" else ("*" if kind else "X")
        pieces += between, fill * length
        words += between, (" " * length if fill == " " else text[start:end])
        if kind in {"block", "line", "heading"}:
            breaks.append((start, end, kind))
        pos = end
    return "".join([*pieces, text[pos:]]), "".join([*words, text[pos:]]), breaks

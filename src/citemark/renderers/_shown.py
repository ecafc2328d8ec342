"""What every renderer shows of an answer: citations, and the texts between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import regex

from citemark.model import TextSegment
from citemark.renderers._spacing import BLANKS, CITATION, Spacing

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from citemark.answer import Answer
    from citemark.model import Citation, CitationSegment, Segment

__all__ = ["PAUSE", "Repeats", "Shown", "Words", "shown", "shown_live"]

Repeats: TypeAlias = Literal["once", "all"]
"""How often a number is shown that directly follows itself."""

_CLOSES_BLOCK: Final = regex.compile(r"[ ]{0,3}(?:`{3,}+|~{3,}+|={2,}+|-{3,}+)")
"""Line that can hold no more: the end of a fence, the line below a heading."""


@dataclass(frozen=True, slots=True)
class Words(TextSegment):
    """Words of a marker, which stood within a line: they cannot begin a block."""


Shown: TypeAlias = "tuple[Segment, tuple[Citation, ...]]"
"""A text and nothing; or a marker and those of its citations that are shown."""

PAUSE: Final[Shown] = (Words(""), ())
"""Yielded for a pause: all was yielded that can be."""


def shown(
    answer: Answer,
    *,
    repeats: Repeats = "once",
    citations: bool = True,
    by_place: bool = False,
    clean: Callable[[str], str] = str,
) -> Iterator[Shown]:
    """Yield the texts, and the markers of which citations are shown, with those.

    Words of a marker are a text before it.  What shows nothing is not yielded, and the texts
    around it are one, with a blank between them where there has to be one; see ``Spacing``.

    Args:
        answer: To be shown.
        repeats: ``"once"`` leaves a number out that follows itself with nothing or only blanks
            between, within a line: ``[1] [1][1, 2]`` is shown as ``[1][2]``.
        citations: Whether any are shown.
        by_place: Whether a number with other places in its source is no repetition.
        clean: What is done to each text first.
    """
    return _walk(
        answer.segments,
        Spacing(),
        repeats=repeats,
        citations=citations,
        by_place=by_place,
        clean=clean,
    )


def shown_live(segments: Iterable[Segment | None]) -> Iterator[Shown]:
    """Yield what is shown of an answer while its segments come, None for a pause.

    Whatever the pauses and pieces, it is what ``shown`` yields ``by_place`` for the whole.
    """
    return _walk(segments, Spacing(is_live=True), by_place=True)


def _walk(  # noqa: PLR0913  options of one generator
    segments: Iterable[Segment | None],
    spacing: Spacing,
    *,
    repeats: Repeats = "once",
    citations: bool = True,
    by_place: bool = False,
    clean: Callable[[str], str] = str,
) -> Iterator[Shown]:
    last: Hashable = None
    for segment in segments:
        if isinstance(segment, TextSegment):
            if last is not None and segment.text.strip(BLANKS):
                last = None
            spacing.add(clean(segment.text))
        elif segment is None:
            yield from _text(spacing.release())
            yield PAUSE
        elif segment.marker.anchor != "message":  # which is in the list of sources alone
            spacing.settle()
            spacing.add(segment.blank)
            words = clean(segment.marker.words)
            rest = ""
            if words:
                last = None
                if segment.marker.span is None:
                    yield from _text(spacing.flush(words[:1], words[-1:]))
                    yield Words(words), ()
                else:
                    rest = _add_covered(spacing, words)
            given = segment.citations if citations else ()
            chosen, last = _chosen(given, last, repeats, by_place=by_place)
            yield from _marked(segment, chosen, spacing)
            spacing.add(rest)
            spacing.settle()
    yield from _text(spacing.flush(""))


def _marked(
    segment: CitationSegment, chosen: tuple[Citation, ...], spacing: Spacing
) -> Iterator[Shown]:
    """Yield a marker if anything of it is shown; else the blanks around it are mended."""
    if chosen:
        yield from _text(spacing.flush(CITATION, CITATION))
        yield segment, chosen
    elif segment.marker.raw:
        spacing.remove("marker" if segment.marker.keys else "tag")


def _add_covered(spacing: Spacing, words: str) -> str:
    """Add the words of a tag, which may be whole blocks; return what follows the citation."""
    if words[0] in BLANKS:
        spacing.remove("tag")  # the blank before the tag would be a second one
    line = words[words.rfind("\n") + 1 :].rstrip(BLANKS)
    if _CLOSES_BLOCK.fullmatch(line):
        words += "\n"
    end = len(words)
    if len(line) > 1 and line.lstrip(BLANKS).startswith("|") and line.endswith("|"):
        end = words.rindex("|")  # what stands behind a row of a table is not shown
    spacing.add(words[:end])
    return words[end:]


def _text(text: str) -> Iterator[Shown]:
    if text:
        yield TextSegment(text), ()


def _chosen(
    citations: tuple[Citation, ...], last: Hashable, repeats: Repeats, *, by_place: bool
) -> tuple[tuple[Citation, ...], Hashable]:
    """Return the citations to show after one with a number, and the last number then."""
    if repeats == "all":
        return citations, None
    chosen: list[Citation] = []
    for citation in citations:
        number = citation.number
        key = None if number is None else (number, citation.locations if by_place else ())
        if key is None or key != last:
            chosen.append(citation)
        last = key
    return tuple(chosen), last

"""What every renderer shows of an answer: which citations, and what a source is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import regex

from citemark.model import TextSegment
from citemark.renderers._clean import balance_bidi, clean, without_invisible
from citemark.renderers._urls import host_or_name, is_local_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark.answer import Answer
    from citemark.model import Citation, Segment, Source

__all__ = [
    "MAX_PASSAGE",
    "MAX_TITLE",
    "Words",
    "cut",
    "one_line",
    "parts",
    "passage_of",
    "shown",
    "title_of",
]

MAX_TITLE: Final = 300
"""Code points of a title that are shown."""

MAX_PASSAGE: Final = 400
"""Code points of a passage that are shown: a glance, not the document."""

_MARKS: Final = frozenset("`*_~$")

_SEPARATORS: Final = regex.compile(r"[/\\]")


@dataclass(frozen=True, slots=True)
class Words(TextSegment):
    """Words of a marker, which stood within a line: they cannot begin a block."""


def shown(answer: Answer) -> Iterator[tuple[Segment, tuple[Citation, ...]]]:
    """Yield each segment with the citations to show there; words of a marker are a text first.

    A number that directly follows itself is left out, within a marker and from marker to
    marker: ``[1][1, 2]`` is shown as ``[1][2]``.  Text between them, be it a blank or words of
    a marker, or a source that was not found, lets it be shown again.  Of a marker that shows
    nothing the blank is a text too where two words would become one without it.
    """
    last: int | None = None
    before = after = ""
    known = 0  # segments up to which `after` holds: many in a row may show nothing
    for position, segment in enumerate(answer.segments):
        if isinstance(segment, TextSegment):
            last, before = None, segment.text[-1:]
            yield segment, ()
            continue
        if segment.blank and position >= known:
            known, after = _next_character(answer.segments, position + 1)
        if segment.blank and parts(before, after):
            last, before = None, ""
            yield TextSegment(segment.blank), ()
        if segment.marker.words:
            last, before = None, segment.marker.words[-1:]
            yield Words(segment.marker.words), ()
        citations = []
        for citation in segment.citations:
            if citation.number is None or citation.number != last:
                citations.append(citation)
            last, before = citation.number, ""
        yield segment, tuple(citations)


def parts(before: str, after: str) -> bool:
    """Tell whether two characters need the blank between them: in words, or marks of Markdown.

    Without it ``*a* *b*`` would be another text.
    """
    return (before.isalnum() and after.isalnum()) or (before == after and before in _MARKS)


def _next_character(segments: Sequence[Segment], position: int) -> tuple[int, str]:
    """Return which segment from a position on shows something, and its first character.

    That is "" for a citation and at the end.
    """
    for number in range(position, len(segments)):
        segment = segments[number]
        if isinstance(segment, TextSegment):
            return number, segment.text[:1]
        if segment.citations or segment.marker.words:
            return number, segment.marker.words[:1]
    return len(segments), ""


def title_of(source: Source) -> str:
    """Return what a source is called: its title, else host or file name, else its id.

    One line of at most 300 code points, without invisible characters.  Of a title or id that
    is a path only the last part is told; "" if nothing can be told.
    """
    for name in (source.title, host_or_name(source), source.id):
        line = one_line(name[: 4 * MAX_TITLE]) if isinstance(name, str) else ""
        if is_local_path(line):
            line = next((part for part in reversed(_SEPARATORS.split(line)) if part), "")
        if line:
            return cut(line, MAX_TITLE)
    return ""


def passage_of(source: Source) -> str:
    """Return the start of a source's passage, one line of at most 400 code points."""
    text = source.text if isinstance(source.text, str) else ""
    line = " ".join(clean(text[: 4 * MAX_PASSAGE]).split())
    short = len(text) <= 4 * MAX_PASSAGE
    return balance_bidi(cut(line if short else f"{line} …", MAX_PASSAGE))


def one_line(text: str) -> str:
    """Return a text as one line that shows all it holds: for titles, labels and links."""
    return " ".join(without_invisible(clean(text)).split())


def cut(text: str, length: int) -> str:
    """Return the text, or its start and an ellipsis: never more code points than asked for.

    It ends with a whole word, unless that takes more than a fifth of it.

    >>> cut("Levels fell by a lot", 16)
    'Levels fell by…'
    """
    if len(text) <= length:
        return text
    start = text[: length - 1]
    words = start if text[length - 1] == " " else start.rpartition(" ")[0]
    return (words if len(words) >= length * 4 // 5 else start).rstrip() + "…"

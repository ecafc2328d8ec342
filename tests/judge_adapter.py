"""An adapter by which judges outside the project drive citemark, through public names only.

Each method answers one question of a judge about a text and its source records::

    parse(text, sources)            list of segments: raw, start, end, kind, ids
    stream(chunks, sources)         one list of segments a chunk, then one for the end
    html(text, sources, key="a")    HTML; ``key`` differs for each answer of a page
    markdown(text, sources)         answer and source list in Markdown
    text(text, sources)             the same as plain text
    export(fmt, text, sources)      other outputs; NotImplementedError for those that are not

The records of judges are hostile: ids repeat or are empty.  ``repaired`` keeps the first record
of an id and skips those without, since ``Sources`` refuses what it cannot tell apart.  The ids
are the labels (``label="id"``), as the texts of the judges cite ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark import AnswerStream, CitationSegment, Sources, build_context, cite, render
from citemark.errors import UnknownRendererError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from citemark.model import Segment

__all__ = ["Adapter", "repaired"]

Record = "Mapping[str, Any]"
EXPORTS = {"jsonl": "json", "script_json": "json"}


def repaired(records: Iterable[Mapping[str, Any]]) -> Sources:
    """Return the records that can be told apart, as sources whose ids are their labels."""
    kept: dict[str, Mapping[str, Any]] = {}
    for record in records:
        given = record.get("id")
        id_ = str(given) if isinstance(given, str | int | float) else ""
        if id_:
            kept.setdefault(id_, record)
    return Sources(kept.values(), label="id")


class Adapter:
    """See the module."""

    def parse(self, text: str, sources: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the segments of the whole text."""
        return list(_described(cite(text, repaired(sources)).segments, 0))

    def stream(
        self, chunks: Iterable[str], sources: list[Mapping[str, Any]]
    ) -> Iterator[list[dict[str, Any]]]:
        """Return the segments that each chunk releases, then those of the end."""
        stream = AnswerStream(repaired(sources))
        position = 0
        for chunk in chunks:
            segments = list(_described(stream.feed(chunk), position))
            position = segments[-1]["end"] if segments else position
            yield segments
        yield list(_described(stream.close(), position))

    def html(self, text: str, sources: list[Mapping[str, Any]], key: str = "a") -> str:
        """Return the answer as HTML, with ids that no other answer of the page has."""
        return str(render(cite(text, repaired(sources)), "html", id_prefix=key))

    def markdown(self, text: str, sources: list[Mapping[str, Any]]) -> str:
        """Return the answer and its sources in Markdown."""
        return str(render(cite(text, repaired(sources)), "markdown"))

    def text(self, text: str, sources: list[Mapping[str, Any]]) -> str:
        """Return the answer and its sources as plain text."""
        return str(render(cite(text, repaired(sources)), "text"))

    def export(self, fmt: str, text: str, sources: list[Mapping[str, Any]]) -> str:
        """Return another output, if there is one."""
        if fmt == "prompt":
            return str(build_context(repaired(sources)))
        try:
            return str(render(cite(text, repaired(sources)), EXPORTS.get(fmt, fmt)))
        except UnknownRendererError as error:
            raise NotImplementedError(fmt) from error


def _described(segments: Iterable[Segment], position: int) -> Iterator[dict[str, Any]]:
    for segment in segments:
        end = position + len(segment.raw)
        is_citation = isinstance(segment, CitationSegment)
        citations = segment.citations if isinstance(segment, CitationSegment) else ()
        yield {
            "raw": segment.raw,
            "start": position,
            "end": end,
            "kind": "citation" if is_citation else "text",
            "ids": [citation.source.id for citation in citations if citation.source],
        }
        position = end

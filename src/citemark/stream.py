"""An answer while it is written: segments that never change once released."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from citemark._texts import as_text
from citemark.catalogue import DEFAULT, FormatSet
from citemark.errors import CitemarkError
from citemark.parser import Scanner
from citemark.resolve import Resolver
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.answer import Answer
    from citemark.catalogue import Format
    from citemark.model import Citation, Segment, Source
    from citemark.numbering import GroupBy, Numbering
    from citemark.resolve import SourceList, Unresolved

__all__ = ["AnswerStream"]


class AnswerStream:
    """Cut a text into segments while it comes, however it is cut into chunks.

    The segments released, joined, are those of ``cite`` for the whole text.  Only what more
    text can still decide is held back, and a number once shown stays.

    Args:
        sources: What may be cited, as far as it is known.
        formats: See ``cite``; so are the three that follow.
        unresolved: What becomes of a key that names no source.
        group_by: What shares a number.
        numbering: Numbers to go on from.
        late_sources: Whether a key may name a source that comes later.  It is then released as
            a pending citation, with the next number and no source.
        source_list: See ``cite``.  With ``"parse"`` and no sources, citations are pending
            until the model's list comes.
        consulted: See ``cite``.
        fingerprint: See ``cite``: that of the sources there are at the start.  The answer has
            that of all, if some are added.

    Raises:
        SourcesChangedError: The sources are not those of the fingerprint.

    >>> stream = AnswerStream([{"id": "pol-12"}])
    >>> [segment.raw for segment in stream.feed("Five days [1")]
    ['Five days ']
    >>> [segment.raw for segment in stream.feed("]. ")]
    ['[1]', '. ']
    """

    def __init__(  # noqa: PLR0913  options, all by keyword
        self,
        sources: Sources | Iterable[Source | Mapping[str, Any]] = (),
        *,
        formats: Iterable[Format] = DEFAULT,
        unresolved: Unresolved | None = None,
        group_by: GroupBy = "source",
        numbering: Numbering | None = None,
        late_sources: bool = False,
        source_list: SourceList = "keep",
        consulted: bool = False,
        fingerprint: str | None = None,
    ) -> None:
        """Start an answer."""
        self._sources, rows = Sources.of(sources).require(fingerprint), FormatSet.of(formats)
        self._is_checked = fingerprint is not None
        late = late_sources or (source_list == "parse" and not len(self._sources))
        self._scanner = Scanner(rows, known=self._sources, late=late)
        self._resolver = Resolver(
            self._sources,
            rows,
            unresolved=unresolved,
            group_by=group_by,
            numbering=numbering,
            late=late,
            source_list=source_list,
            consulted=consulted,
        )
        self._is_closed = False

    @property
    def answer(self) -> Answer:
        """The answer so far: all that was released."""
        answer = self._resolver.answer
        return (
            replace(answer, fingerprint=self._sources.fingerprint)
            if self._is_checked
            else answer
        )

    def feed(self, chunk: str) -> list[Segment]:
        """Take in the next chunk and return the segments that are now certain.

        Raises:
            CitemarkError: The stream is closed.
            TextTypeError: The chunk is no ``str``.
        """
        self._check_open()
        return self._resolver.resolve(self._scanner.feed(as_text(chunk)))

    def close(self) -> list[Segment]:
        """Return the segments that were held back.  The text ends here.

        What is still pending is settled: lenient look-up may find its source now that no more
        will come, else it is unresolved.  ``answer`` holds the final state.
        """
        self._check_open()
        self._is_closed = True
        return self._resolver.resolve(self._scanner.close()) + self._resolver.close()

    def add_sources(self, more: Iterable[Source | Mapping[str, Any]]) -> list[Citation]:
        """Add sources while the text comes, after those there are.

        Returns:
            The pending citations that now have a source, in order, with their numbers.
        """
        self._check_open()
        self._sources = self._sources + more
        self._scanner.know(self._sources)
        return self._resolver.add_sources(self._sources)

    def _check_open(self) -> None:
        if self._is_closed:
            message = "the stream is closed"
            raise CitemarkError(message)

"""Events out of an answer while it is written: no waiting and no connection, only order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.answer import Answer
from citemark.errors import RendererOptionError
from citemark.integrations._sse_event import Event, encodable
from citemark.model import CitationSegment, Marker, TextSegment
from citemark.renderers._spacing import BLANKS
from citemark.renderers._urls import host_or_name
from citemark.renderers.json import JsonRenderer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.model import Citation, Location, Segment, Source
    from citemark.renderers import Renderer
    from citemark.stream import AnswerStream

__all__ = ["FAILURE", "EventWriter"]

FAILURE: Final = "The answer could not be finished."
"""What a reader is told of an error.  What went wrong is for the server's log."""

MAX_BLANKS: Final = 64
"""Code points of white space that are held back between two citations."""

_JSON: Final = JsonRenderer()


class EventWriter:
    """Turns what comes out of a stream into events.

    ``events`` and ``aevents`` are made of it; use it where neither fits.

    Args:
        stream: A stream that nothing was fed to yet.
        html: Renderer of the whole answer for the last event; None leaves that to the client.
        failure: What readers are told of an error.

    Raises:
        RendererOptionError: ``html`` is no renderer.
    """

    def __init__(
        self, stream: AnswerStream, *, html: Renderer | None = None, failure: str = FAILURE
    ) -> None:
        """Start an answer."""
        if html is not None and not callable(getattr(html, "render", None)):
            raise RendererOptionError("html", "no renderer, such as HtmlRenderer()")  # noqa: EM101  not a message
        self._stream = stream
        self._html = html
        self._failure = failure
        self._written = 0
        self._text: list[str] = []
        self._shown: tuple[int, tuple[Location, ...]] | None = None  # directly before the text
        self._sent: set[tuple[int, Source]] = set()
        self._is_pending = False

    def feed(self, chunk: str) -> list[Event]:
        """Return the events of the next chunk; texts that follow each other are one.

        Raises:
            CitemarkError: See ``AnswerStream.feed``.
        """
        return self._events(self._stream.feed(chunk))

    def close(self) -> list[Event]:
        """Return the last events: what was held back, and ``done``.

        Raises:
            CitemarkError: The stream is closed.
        """
        return [*self._released(), self._done("complete", self._rendered())]

    def fail(self) -> list[Event]:
        """Return the last events of an answer that broke off: ``error``, and ``done``.

        Before them comes the text that was held back, and ``done`` has the HTML of all there
        is, unless that is what failed.
        """
        try:
            last = self._released()
        except Exception:  # noqa: BLE001  the caller has the first error, and knows it
            last = []
        try:
            html = self._rendered()
        except Exception:  # noqa: BLE001  as above
            html = None
        error = self._event("error", message=encodable(self._failure))
        return [*last, error, self._done("failed", html)]

    def _released(self) -> list[Event]:
        events = self._events(self._stream.close())
        return [*events, *self._flushed(), *self._late_sources()]

    def _rendered(self) -> str | None:
        renderer, self._html = self._html, None  # what fails is not asked again
        return (
            None if renderer is None else encodable(str(renderer.render(self._stream.answer)))
        )

    def _done(self, status: str, html: str | None) -> Event:
        return self._event("done", html=html, status=status)

    def _event(self, name: str, /, **data: Any) -> Event:  # noqa: ANN401  as JSON has it
        self._written += 1
        return Event(self._written, name, data)

    def _events(self, segments: Iterable[Segment]) -> list[Event]:
        events: list[Event] = []
        for segment in segments:
            if isinstance(segment, TextSegment):
                self._text.append(segment.text)
                continue
            self._text.append(segment.marker.words)
            for citation in segment.citations:
                events += self._cited(segment.marker, citation)
        if not self._is_held():
            events += self._flushed()
        return events

    def _is_held(self) -> bool:
        """Whether the text is the blank between two citations, which may be the same."""
        if self._shown is None:
            return False
        self._text = ["".join(self._text)]
        return len(self._text[0]) <= MAX_BLANKS and not self._text[0].strip(BLANKS)

    def _flushed(self) -> list[Event]:
        text = "".join(self._text)
        self._text.clear()
        if not text:
            return []
        if text.strip(BLANKS):
            self._shown = None
        return [self._event("text", content=encodable(text))]

    def _cited(self, marker: Marker, citation: Citation) -> list[Event]:
        """Return the events of a citation: none if it repeats the one directly before it."""
        number = citation.number
        shown = None if number is None else (number, citation.locations)
        if shown is not None and shown == self._shown and self._is_held():
            self._text.clear()
            return []
        events = self._flushed()
        self._shown = shown
        if number is not None and citation.source is None:
            self._is_pending = True
        events += self._source(citation)
        cited = _value(citation)["segments"][0]["citation"]
        events.append(self._event("citation", citation=cited, raw=encodable(marker.raw)))
        return events

    def _source(self, citation: Citation) -> list[Event]:
        """Return the event of a source that is not known to the client yet."""
        number, source = citation.number, citation.source
        if number is None or source is None or (number, source) in self._sent:
            return []
        self._sent.add((number, source))
        shown = _value(citation)["sources"][0]
        del shown["displayNumber"]
        host = encodable(host_or_name(source)) or None
        return [self._event("source", number=number, host=host, **shown)]

    def _late_sources(self) -> list[Event]:
        """Return the events of sources that came after their citations."""
        if not self._is_pending:
            return []
        return [
            event
            for citation in self._stream.answer.citations
            for event in self._source(citation)
        ]


def _value(citation: Citation) -> dict[str, Any]:
    """Return what the JSON renderer makes of one citation."""
    marker = Marker(0, 0, "", "", (citation.key,))
    return _JSON.render_value(Answer((CitationSegment(marker, (citation,)),)))

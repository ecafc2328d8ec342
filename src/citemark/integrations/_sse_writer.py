"""Events out of an answer while it is written: no waiting and no connection, only order."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final

from citemark.errors import RendererOptionError
from citemark.integrations._sse_event import Event, encodable
from citemark.model import TextSegment
from citemark.renderers._shown import PAUSE, shown_live
from citemark.renderers._urls import host_or_name
from citemark.renderers.json import Told, source_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.model import Citation, Marker, Segment, Source
    from citemark.renderers import Renderer
    from citemark.stream import AnswerStream

__all__ = ["FAILURE", "EventWriter"]

FAILURE: Final = "The answer could not be finished."
"""What a reader is told of an error.  What went wrong is for the server's log."""


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
        self._coming: deque[Segment] = deque()
        self._is_over = False
        self._shown = shown_live(self._segments())
        self._told = Told()
        self._sent: set[tuple[int, Source]] = set()

    def feed(self, chunk: str) -> list[Event]:
        """Return the events of the next chunk; texts that follow each other are one.

        What the next chunk may still take away, such as a blank before a marker that is not
        shown, is sent with it.

        Raises:
            CitemarkError: See ``AnswerStream.feed``.
        """
        return self._events(self._stream.feed(chunk))

    def close(self) -> list[Event]:
        """Return the last events: what was held back, and ``done``.

        Raises:
            CitemarkError: The stream is closed.
        """
        return [*self._last(self._stream.close()), self._done("complete", self._rendered())]

    def fail(self) -> list[Event]:
        """Return the last events of an answer that broke off: ``error``, and ``done``.

        Before them comes the text that was held back, and ``done`` has the HTML of all there
        is, unless that is what failed.
        """
        try:
            segments = self._stream.close()
        except Exception:  # noqa: BLE001  the caller has the first error, and knows it
            segments = []
        last = self._last(segments)
        try:
            html = self._rendered()
        except Exception:  # noqa: BLE001  as above
            html = None
        error = self._event("error", message=encodable(self._failure))
        return [*last, error, self._done("failed", html)]

    def _last(self, segments: Iterable[Segment]) -> list[Event]:
        self._is_over = True
        return [*self._events(segments), *self._unsent_sources()]

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

    def _segments(self) -> Iterator[Segment | None]:
        """Yield the segments there are, and a pause whenever there are none."""
        while True:
            while self._coming:
                yield self._coming.popleft()
            if self._is_over:
                return
            yield None

    def _events(self, segments: Iterable[Segment]) -> list[Event]:
        """Return the events of segments, by the same rules as all that is rendered."""
        self._coming.extend(segments)
        events: list[Event] = []
        text = ""
        for shown in self._shown:
            if shown is PAUSE:
                break
            segment, citations = shown
            if isinstance(segment, TextSegment):
                text += segment.text
                continue
            events += self._text(text)
            text = ""
            for citation in citations:
                events += self._cited(segment.marker, citation)
        return [*events, *self._text(text)]

    def _text(self, text: str) -> list[Event]:
        return [self._event("text", content=encodable(text))] if text else []

    def _cited(self, marker: Marker, citation: Citation) -> list[Event]:
        events = self._source(citation)
        cited, raw = self._told.citation(citation), encodable(marker.raw)
        events.append(self._event("citation", citation=cited, raw=raw))
        return events

    def _source(self, citation: Citation) -> list[Event]:
        """Return the event of a source that is not known to the client yet."""
        number, source = citation.number, citation.source
        if number is None or source is None or (number, source) in self._sent:
            return []
        self._sent.add((number, source))
        host = encodable(host_or_name(source)) or None
        return [self._event("source", number=number, host=host, **source_fields(source))]

    def _unsent_sources(self) -> list[Event]:
        """Return the events of sources that came late, or are of the answer as a whole."""
        return [
            event
            for citation in self._stream.answer.citations
            for event in self._source(citation)
        ]

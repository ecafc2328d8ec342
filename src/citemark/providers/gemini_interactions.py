"""Google Gemini, Interactions: annotations that look like OpenAI's and mean something else.

Their offsets are bytes of UTF-8, half-open, in their block of text, and they cover the words
that are supported.  A stream tells them after the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.providers._doc import Provided
from citemark.providers._draft import Ref
from citemark.providers._ends import tell_error, tell_open, tell_reason
from citemark.providers._events import data_of
from citemark.providers._google import GoogleReader, GoogleStream, pages
from citemark.providers._parts import Parts
from citemark.providers._records import kept

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "gemini_interactions"
SIGNS: Final = frozenset(
    {"event_type", "interaction", "step", "steps", "status", "created", "updated"}
)
DOC: Final = Provided(
    title="Google Gemini (Interactions)",
    arrives="`steps[].content[].annotations[]`",
    when="with each block of text; in a stream after it",
    unit="bytes of UTF-8, half-open",
    does="claims; quotes and pages of files, places",
)

_PLACE: Final = ("start_index", "end_index")
_FIELDS: Final = {
    "url_citation": ("type", "url", "title", *_PLACE),
    "place_citation": ("type", "place_id", "name", "url", "review_snippets", *_PLACE),
    "file_citation": (
        *("type", "file_name", "document_uri", "page_number", "source", "media_id"),
        *("custom_metadata", *_PLACE),
    ),
}
"""Annotations that cite, with their fields."""

_SPOKEN: Final = frozenset({"word_info", "speech_metadata"})
"""Annotations of spoken text."""

_SHOWN: Final = frozenset({"image", "audio", "video", "document"})
"""Content that is no text."""

_EVENTS: Final = frozenset(
    {
        *("interaction.created", "interaction.completed", "interaction.status_update"),
        *("step.start", "step.delta", "step.stop", "error"),
    }
)
_SILENT: Final = frozenset(
    {
        *("user_input", "function_call", "function_result", "arguments_delta"),
        *("thought_signature", "google_search_result", "file_search_result"),
        *("retrieval_result", "code_execution_result", "mcp_server_tool_result"),
        *("tool_search_result", "processing_result"),
    }
)
"""Steps, and deltas of them, without sources or text for readers, beside those of calls."""


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    event = data_of(response)
    kind = event.text("event_type")
    if kind:
        return kind.startswith(("interaction.", "step."))
    kinds = {step.text("type") for step in response.nodes("steps")}
    is_signed = response.has("status") and response.has("updated")
    return bool(kinds & {"model_output", "thought", "user_input"}) or (
        is_signed and response.has("model") and response.has("created") and not kinds - _SILENT
    )


def parse(response: object, *, request: object = None) -> Answer:  # noqa: ARG001  as all have
    """Return the answer of an interaction.

    Args:
        response: A mapping, or an object of the SDK.
        request: Not needed: all sources come with the response.
    """
    return _Reader().read(response)


class StreamAdapter(GoogleStream):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  as all have
        """Start an answer."""
        super().__init__(_Reader())


class _Reader(GoogleReader):
    """Reads steps, whole or in pieces."""

    def __init__(self) -> None:
        super().__init__(PROVIDER)
        self._parts = Parts(self.draft)
        self._block = 0  # of text, within all steps
        self._is_told = False  # whether annotations of the block have come
        self._annotations: dict[object, tuple[int, Node, Ref]] = {}

    def take(self, response: Node) -> None:
        data = data_of(response)
        kind = data.text("event_type") or response.text("event")
        if kind == "step.start":
            self._take_step(data.node("step"))
        elif kind == "step.delta":
            self.draft.awaits("interaction.completed")
            self._take_delta(data.node("delta"))
        elif kind == "interaction.completed":
            self.draft.closing = None
            self._take_final(data.node("interaction"))
        elif not kind and (data.has("steps") or data.has("status")):
            tell_open(self.draft, data.get("status"))
            self._take_whole(data)
        elif kind == "error" or (not kind and data.has("error")):
            tell_error(self.draft, data)
        elif kind == "interaction.status_update":
            tell_reason(self.draft, data.get("status"))
        elif kind not in _EVENTS:
            self.draft.unknown("event", kind)

    def _take_whole(self, interaction: Node) -> None:
        tell_reason(self.draft, interaction.get("status"))
        for step in interaction.nodes("steps"):
            self._take_step(step)

    def _take_final(self, interaction: Node) -> None:
        """Read the interaction that closes a stream: if it has steps, they are what counts."""
        if any(step.text("type") == "model_output" for step in interaction.nodes("steps")):
            self._parts.clear()
            self._annotations.clear()
            self.draft.asides.clear()
            self._take_whole(interaction)
        else:
            tell_reason(self.draft, interaction.get("status"))

    def _take_step(self, step: Node) -> None:
        """Read a step, or the beginning of one."""
        kind = step.text("type")
        self._begin()
        if kind == "model_output":
            for content in step.nodes("content"):
                self._take_content(content)
                self._begin()
        elif kind == "thought":
            for content in step.nodes("summary"):
                self.draft.aside("thinking").add(content.text("text"))
        else:
            self._take_other(kind, step)

    def _take_delta(self, delta: Node) -> None:
        """Read a piece of a step."""
        kind = delta.text("type")
        if kind == "text" or kind in _SHOWN:
            if self._is_told:
                self._begin()
            self._take_content(delta)
        elif kind == "text_annotation_delta":
            self._take_annotations(delta)
        elif kind == "thought_summary":
            self.draft.aside("thinking").add(delta.node("content").text("text"))
        else:
            self._take_other(kind, delta)

    def finish(self) -> None:
        for part, annotation, ref in self._annotations.values():
            start, end = (annotation.whole(name) for name in _PLACE)
            self._parts.place(part, start, end, [ref], unit="byte")

    def _begin(self) -> None:
        """Begin another block of text; in a stream only annotations tell that one has ended."""
        self._block += 1
        self._is_told = False

    def _take_content(self, content: Node) -> None:
        kind = content.text("type")
        if kind == "text":
            self._parts.add(self._block, content.text("text"))
            self._take_annotations(content)
        elif kind in _SHOWN:
            self._begin()
        else:
            self.draft.unknown("content", kind)

    def _take_other(self, kind: str, step: Node) -> None:
        """Read a step, or a delta, of a tool."""
        for result in step.nodes("result") if kind == "url_context_result" else ():
            url = result.text("url")
            if url and result.text("status") in {"", "success"}:
                self.draft.source(url, url=url, kind="web")
        for result in step.nodes("result") if kind == "google_maps_result" else ():
            for place in result.nodes("places"):
                self._place_source(place)
        is_read = kind in _SILENT or kind in {"url_context_result", "google_maps_result"}
        if not is_read and not kind.endswith("_call"):
            self.draft.unknown("step", kind)

    def _take_annotations(self, content: Node) -> None:
        for annotation in content.nodes("annotations"):
            kind = annotation.text("type")
            if kind not in _FIELDS:
                if kind not in _SPOKEN:
                    self.draft.unknown("annotation", kind)
                continue
            self.draft.expect(annotation, "citation", _FIELDS[kind])
            ref = self._ref(kind, annotation)
            if ref is None:
                self.draft.issue("no_source", f"{PROVIDER}: a {kind} names no source")
                continue
            place = (annotation.whole(name) for name in _PLACE)
            key = self._block, *place, ref.source, ref.quote
            self._annotations.setdefault(key, (self._block, annotation, ref))
            self._is_told = True

    def _ref(self, kind: str, annotation: Node) -> Ref | None:
        if kind == "file_citation":
            return self._ref_to_file(annotation)
        if kind == "place_citation":
            source = self._place_source(annotation)
        else:
            url = annotation.text("url")
            title = annotation.text("title")
            source = url and self.draft.source(url, url=url, title=title, kind="web")
        return Ref(source, raw=annotation.plain()) if source else None

    def _ref_to_file(self, annotation: Node) -> Ref | None:
        name = annotation.text("file_name")
        id_ = annotation.text("document_uri", "media_id") or name
        if not id_:
            return None
        metadata = kept(annotation, "document_uri", "media_id")
        self.draft.source(id_, title=name, kind="file", metadata=metadata)
        where = pages(annotation.whole("page_number"))
        return Ref(id_, annotation.text("source"), where, raw=annotation.plain())

    def _place_source(self, place: Node) -> str:
        url, name = place.text("url"), place.text("name")
        id_ = place.text("place_id") or url or name
        metadata = kept(place, "place_id")
        return id_ and self.draft.source(
            id_, url=url, title=name, kind="place", metadata=metadata
        )

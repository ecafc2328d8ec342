"""GitHub Copilot SDK: sources, and spans of the message with references to them.

Citations come with the whole message only.  The unit of the spans is not said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import FormatSet
from citemark.model import Location, Unit
from citemark.providers._doc import Provided
from citemark.providers._draft import Ref
from citemark.providers._events import name_of
from citemark.providers._offsets import Offsets
from citemark.providers._reader import Reader, ReaderStream
from citemark.providers._records import kept

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "github_copilot"
SIGNS: Final = frozenset({"citations", "content", "data", "messageId", "type"})
DOC: Final = Provided(
    title="GitHub Copilot SDK",
    arrives="`citations.sources[]` and `citations.spans[]`",
    when="with the whole message, after a stream of its text",
    unit="code points, half-open (not documented; UTF-16 where only that fits)",
    does="a claim for each span, with quotes and their characters, pages or blocks",
)
_UNITS: Final[dict[str, tuple[Unit, str, str]]] = {
    "char": ("char", "start_index", "end_index"),
    "page": ("page", "start_page", "end_page"),
    "block": ("block", "start_block", "end_block"),
}
_SOURCE: Final = ("id", "provider", "path", "title", "url")
_REFERENCE: Final = ("source_id", "sourceId", "cited_text", "citedText", "location")
_META: Final = ("provider_metadata", "providerMetadata")
_EVENTS: Final = ("assistant.", "session.", "user.message", "hook.", "subagent.", "tool.")


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if response.has("data"):
        is_event = not response.has("event") and name_of(response).startswith(_EVENTS)
        return is_event and not response.node("data").has("type")
    cited = response.node("citations")
    return isinstance(response.get("content"), str) and (
        cited.has("spans") or cited.has("sources")
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a message.

    Args:
        response: The message, or the event with it: a mapping, or an object of the SDK.
        request: Not needed.
    """
    del request
    reader = _Reader()
    node = reader.draft.node(response)
    reader.take_message(node.node("data") if node.has("data") else node)
    return reader.answer()


class StreamAdapter(ReaderStream):
    """The same for the events of a session."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        del request
        super().__init__(_Reader())


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__(PROVIDER, FormatSet(()))
        self._messages: dict[str, tuple[list[str], Any]] = {}
        self._thoughts: dict[str, list[str]] = {}

    def take(self, response: Node) -> None:
        name, data = name_of(response), response.node("data")
        if name == "assistant.message":
            self.take_message(data)
        elif name == "assistant.message_delta":
            self._start(data)[0].append(data.text("delta_content"))
            self.draft.add(data.text("delta_content"))
        elif name == "assistant.reasoning":
            self._thoughts[data.name("reasoning_id")] = [data.text("content")]
        elif name == "assistant.reasoning_delta":
            pieces = self._thoughts.setdefault(data.name("reasoning_id"), [])
            pieces.append(data.text("delta_content"))
        elif not name.startswith(_EVENTS):
            self.draft.unknown("event", name)

    def take_message(self, message: Node) -> None:
        """Keep a whole message, in place of what came of it."""
        pieces, _ = self._start(message)
        said = "".join(pieces)
        text = message.text("content") or said
        if not said:
            self.draft.add(text)
        self._messages[message.name("message_id")] = [text], message.get("citations")

    def fill(self, draft: Draft) -> None:
        for pieces in self._thoughts.values():
            draft.aside("thinking").add("".join(pieces))
        for pieces, citations in self._messages.values():
            text = "".join(pieces)
            if text and draft.length:
                draft.add("\n\n")
            _cite(draft, text, draft.node(citations))

    def _start(self, message: Node) -> tuple[list[str], Any]:
        """Return a message as far as it came; another one is set apart by a blank line."""
        id_ = message.name("message_id")
        if id_ not in self._messages:
            if self.draft.length and message.text("delta_content", "content"):
                self.draft.add("\n\n")
            self._messages[id_] = [], None
        return self._messages[id_]


def _cite(draft: Draft, text: str, citations: Node) -> None:
    """Add the text of a message, with what it cites."""
    origin, offsets = draft.add(text), Offsets(text)
    for source in citations.nodes("sources"):
        draft.expect(source, "source", _SOURCE)
        _take_source(draft, source)
    spans = [*citations.nodes("spans")]
    ends = [(span.whole("start_index"), span.whole("end_index")) for span in spans]
    unit = draft.probed_unit(ends, offsets)
    for span, (start, end) in zip(spans, ends, strict=True):
        found = (_ref(draft, reference) for reference in span.nodes("references"))
        refs = [ref for ref in found if ref is not None]
        if refs:
            draft.place(draft, start, end, refs, unit=unit, offsets=offsets, origin=origin)


def _take_source(draft: Draft, source: Node) -> None:
    id_, path, url = source.name("id"), source.text("path"), source.text("url")
    if not id_:
        draft.issue("no_source", f"{PROVIDER}: a source has no id")
        return
    draft.source(
        id_,
        title=source.text("title") or path.replace("\\", "/").rpartition("/")[2],
        url=url,
        kind="web" if url else "file",
        metadata=kept(source, "path", "provider"),
    )


def _ref(draft: Draft, reference: Node) -> Ref | None:
    draft.expect(reference, "reference", (*_REFERENCE, *_META))
    id_ = reference.name("source_id")
    if id_ not in draft.sources:
        message = f"{PROVIDER}: a reference names no source that is listed"
        draft.issue("unknown_source", message, key=id_)
        return None
    quote, locations = (
        reference.text("cited_text"),
        _locations(draft, reference.node("location")),
    )
    return Ref(id_, quote, locations, raw=reference.plain())


def _locations(draft: Draft, location: Node) -> tuple[Location, ...]:
    if not location:
        return ()
    kind = location.text("type")
    if kind not in _UNITS:
        draft.unknown("location", kind)
        return ()
    unit, first, last = _UNITS[kind]
    start, end = location.whole(first), location.whole(last)
    if start is None or end is None or not 0 <= start <= end:
        return ()
    return (Location(unit, start, end),)

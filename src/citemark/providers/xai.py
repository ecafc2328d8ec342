"""xAI: the links that Grok writes, ``[[1]](https://…)``, told by offsets, and all pages seen.

Three forms come from it: that of its own SDK, chat completions, and Responses of OpenAI's form,
whose annotations may lack their offsets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.providers._annotated_sources import web_source
from citemark.providers._annotations import Annotated, Told
from citemark.providers._chat import CHAT, ChatReader, is_chat
from citemark.providers._doc import Provided
from citemark.providers._draft import Ref
from citemark.providers._reader import Part, Reader, ReaderStream
from citemark.providers._responses import ResponsesReader, is_response, model_of

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "xai"
SIGNS: Final = frozenset({"citations", "id", "model", "outputs"})
DOC: Final = Provided(
    title="xAI",
    arrives="`outputs[].message.citations[]`, or as OpenAI sends them",
    when="with the message; in a stream with its text, or after it",
    unit="code points, half-open (not documented)",
    does="a marker for each link `[[1]](…)`; all other pages seen are consulted",
)
_CITATION: Final = (
    *("id", "start_index", "end_index", "web_citation", "x_citation", "collections_citation"),
)
_BODIES: Final = {
    "web_citation": ("url",),
    "x_citation": ("url",),
    "collections_citation": ("file_id", "chunk_id", "chunk_content", "score", "collection_ids"),
}
_TOOL: Final = (5, "ROLE_TOOL")
"""The role of an output that is no answer: as a number, and as JSON has it."""


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    sent = _sent(response)
    if any(output.has("message") or output.has("delta") for output in sent.nodes("outputs")):
        return True
    is_openai = is_chat(response) or is_response(response)
    return is_openai and model_of(response).startswith("grok")


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a response of any of the three forms.

    Args:
        response: The response: a mapping, or an object of an SDK.
        request: Not needed.
    """
    del request
    return _Reader().read(response)


class StreamAdapter(ReaderStream):
    """The same for the chunks or events of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        del request
        super().__init__(_Reader())


class _Reader(Reader):
    """Leaves what comes to the reader of its form."""

    def __init__(self) -> None:
        super().__init__(PROVIDER, CHAT)
        self._readers: dict[str, Reader] = {}

    def take(self, response: Node) -> None:
        """Keep a response, or an event."""
        sent = _sent(response)
        form = next((name for name in ("outputs", "choices") if sent.has(name)), "output")
        if form not in self._readers:
            self._readers[form] = _new_reader(form)
            self._readers[form].draft = self.draft
        self._readers[form].take(sent)

    def fill(self, draft: Draft) -> None:
        """Read what came."""
        for reader in self._readers.values():
            reader.fill(draft)


class _SdkReader(Reader):
    """Reads what xAI's own SDK gives: one output or more, each with its citations."""

    def __init__(self) -> None:
        super().__init__(PROVIDER, CHAT)
        self._parts: dict[int, Part] = {}
        self._thoughts: list[str] = []
        self._pages: list[str] = []

    def take(self, response: Node) -> None:
        """Keep a response, or a chunk."""
        self._pages += [page for page in response.items("citations") if isinstance(page, str)]
        for output in response.nodes("outputs"):
            message = output.node("message" if output.has("message") else "delta")
            if message.get("role") in _TOOL:
                continue
            part = self._parts.setdefault(output.whole("index") or 0, Part())
            text, thought = message.text("content"), message.text("reasoning_content")
            self.add_to(output.whole("index") or 0, part, text)
            self._thoughts += [thought] if thought else []
            for citation in message.items("citations"):
                part.annotate(citation, None)

    def fill(self, draft: Draft) -> None:
        """Read what came: the citations with their places, and all pages seen."""
        for page in self._pages:
            web_source(draft, page)
        if self._thoughts:
            draft.aside("thinking").add("".join(self._thoughts))
        for index in self.in_order(self._parts):
            part = self._parts[index]
            annotated = Annotated(draft, part.text)
            read = (_told(draft, annotated, value) for value in part.annotations.values())
            annotated.place([told for told in read if told is not None])


def _told(draft: Draft, annotated: Annotated, value: object) -> Told | None:
    citation = draft.node(value)
    draft.expect(citation, "citation", _CITATION)
    for name, fields in _BODIES.items():
        draft.expect(citation.node(name), "citation", fields)
    start, end = citation.whole("start_index"), citation.whole("end_index")
    for name in ("web_citation", "x_citation"):
        url = citation.node(name).text("url")
        source = web_source(draft, url)
        if source:
            return annotated.about_url(Ref(source, raw=citation.plain()), url, start, end)
    found = citation.node("collections_citation")
    file, chunk = found.name("file_id"), found.name("chunk_id")
    if not (file or chunk):
        draft.issue("no_source", f"{PROVIDER}: a citation has no source")
        return None
    source = draft.source(
        f"{file}:{chunk}" if file and chunk else file or chunk,
        text=found.text("chunk_content"),
        score=found.number("score"),
        kind="chunk",
        metadata={"file_id": file, "chunk_id": chunk},
    )
    return Told(Ref(source, raw=citation.plain()), start, end)


def _new_reader(form: str) -> Reader:
    if form == "outputs":
        return _SdkReader()
    return ChatReader(PROVIDER) if form == "choices" else ResponsesReader(PROVIDER)


def _sent(response: Node) -> Node:
    """Return what was sent, which the SDK wraps."""
    return response if response.has("outputs") else response.node("proto") or response

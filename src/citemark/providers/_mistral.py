"""Content of Mistral's answers: texts with references between them, and reasoning."""

from __future__ import annotations

from collections.abc import Mapping
from json import loads
from typing import TYPE_CHECKING, Any, Final

from citemark.providers._answer import answer_of
from citemark.providers._draft import Draft, Ref
from citemark.providers._listed import content_of
from citemark.providers._node import Node, plain

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._channel import Channel

__all__ = ["ContentReader"]

_SILENT: Final = frozenset({"image_url", "document_url", "tool_file", "input_audio", "file"})
"""Chunks that hold neither text nor sources."""

_REFERENCE: Final = frozenset({"type", "reference_ids", "text"})
_TOOL_REFERENCE: Final = frozenset(
    {"type", "tool", "title", "url", "description", "favicon", "source"}
)


class ContentReader:
    """Reads content, chunk by chunk, into a draft.

    Args:
        provider: Name of the provider.
        request: What was asked: the results of its tools are what references name.
    """

    def __init__(self, provider: str, request: object = None) -> None:
        """Begin with nothing."""
        self.draft = Draft(provider)
        self._given: dict[str, Node | None] = {}  # None: two results have that key
        self._take_given(self.draft.node(plain(request)))

    def answer(self) -> Answer:
        """Return the answer of what was read."""
        return answer_of(self.draft, formats=())

    def take(self, content: object, channel: Channel | None = None) -> None:
        """Read content: a text, a chunk, or a list of chunks."""
        channel = self.draft if channel is None else channel
        if isinstance(content, str):
            channel.add(content)
        elif isinstance(content, list | tuple):
            for chunk in content:
                self._take_chunk(chunk, channel)
        elif content is not None:
            self._take_chunk(content, channel)

    def _take_chunk(self, value: object, channel: Channel) -> None:
        chunk = self.draft.node(plain(value))
        kind = chunk.text("type") if isinstance(chunk.value, dict) else ""
        if isinstance(value, str):
            channel.add(value)
        elif kind == "text":
            channel.add(chunk.text("text"))
        elif kind == "reference":
            self._refer(chunk, channel)
        elif kind == "tool_reference":
            self._refer_to_page(chunk, channel)
        elif kind == "thinking":
            self.take(chunk.get("thinking"), self.draft.aside("thinking"))
        elif kind not in _SILENT:
            self.draft.unknown("chunk", kind)

    def _refer(self, chunk: Node, channel: Channel) -> None:
        """Cite what the caller's tools gave back under some ids.

        The text of the chunk, which the documentation does not know, is text of the answer.
        """
        self.draft.expect(chunk, "reference", _REFERENCE)
        refs = []
        for value in chunk.items("reference_ids"):
            id_ = self.draft.node({"id": value}).name("id")
            if not id_:
                self.draft.note("field", "reference_ids", "is not a list of ids")
            elif self._know(id_):
                refs.append(Ref(id_, raw=chunk.plain()))
        start = channel.add(chunk.text("text"))
        self._cite(channel, start, refs)

    def _refer_to_page(self, chunk: Node, channel: Channel) -> None:
        """Cite a page that one of the service's tools found."""
        self.draft.expect(chunk, "reference", _TOOL_REFERENCE)
        title, url, tool = chunk.text("title"), chunk.text("url"), chunk.text("tool")
        if not (title or url):
            self.draft.issue("no_source", f"{self.draft.provider}: a reference names no source")
            return
        names = ("tool", "source")
        source = self.draft.source(
            url or f"{tool}: {title}",
            title=title,
            url=url,
            text=chunk.text("description"),
            kind="web" if url else "tool",
            metadata={name: chunk.get(name) for name in names if chunk.has(name)},
        )
        self._cite(channel, channel.length, [Ref(source, raw=chunk.plain())])

    def _cite(self, channel: Channel, start: int, refs: list[Ref]) -> None:
        if refs:
            anchor: Any = "claim" if start < channel.length else "point"
            channel.cite(start, channel.length, refs, anchor=anchor)

    def _know(self, id_: str) -> bool:
        """Take note of the source of an id; return whether there is one."""
        found = self._given.get(id_)
        if self._given and id_ not in self._given:
            message = f"{self.draft.provider}: a reference names no result of a tool"
            self.draft.issue("unknown_source", message, key=id_)
            return False
        if found is None:
            self.draft.source(id_, title=f"Reference {id_}", kind="tool")
            return True
        self.draft.source(
            id_,
            title=found.text("title", "name") or f"Reference {id_}",
            url=found.text("url"),
            text=_passage(found),
            kind="tool",
        )
        return True

    def _take_given(self, request: Node) -> None:
        """Take note of what the tools of a request gave back, by the keys of the results."""
        for message in request.nodes("messages"):
            if message.text("role") != "tool":
                continue
            try:
                results = loads(content_of(message))
            except (ValueError, RecursionError):
                continue
            for key, result in _keyed(results):
                known = self._given.get(key)
                node = self.draft.node(
                    result if isinstance(result, Mapping) else {"text": result}
                )
                is_other = key in self._given and (known is None or known.value != node.value)
                self._given[key] = None if is_other else node


def _keyed(results: object) -> list[tuple[str, object]]:
    if isinstance(results, Mapping):
        return [(str(key), result) for key, result in results.items()]
    return (
        [(str(at), result) for at, result in enumerate(results)]
        if isinstance(results, list)
        else []
    )


def _passage(result: Node) -> str:
    """Return the text of a result, which may be in pieces."""
    for name in ("snippets", "text", "content", "description"):
        found = result.get(name)
        if isinstance(found, list):
            found = "\n\n".join(item for item in found if isinstance(item, str))
        if isinstance(found, str) and found:
            return found
    return ""

"""Snowflake Cortex agents: ``【†1†】`` or ``[^1]`` in the text, by the index of an annotation.

Whether indices count from 0 or from 1 differs: a number is only ever the index that it equals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DIALECTS
from citemark.providers._doc import Provided
from citemark.providers._draft import Ref
from citemark.providers._ends import tell_error
from citemark.providers._events import data_of, name_of
from citemark.providers._marked import cite_markers
from citemark.providers._reader import Part, Reader, ReaderStream
from citemark.providers._records import kept

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "snowflake"
SIGNS: Final = frozenset({"content", "metadata", "role", "schema_version"})
DOC: Final = Provided(
    title="Snowflake Cortex agents",
    arrives="`content[].annotations[]`",
    when="with each text; in a stream after its marker, and again with the whole text",
    unit="none: `【†1†】` in the text",
    does="a marker for each `【†n†】`, the annotation with that `index`, and its quote",
)
_FORMATS: Final = DIALECTS["SNOWFLAKE"]
_FIELDS: Final = (
    *("type", "index", "search_result_id", "doc_id", "doc_title", "text", "annotation_index"),
    *("source", "title", "url"),
)
_KINDS: Final = ("cortex_search_citation", "cortex_")
_EVENTS: Final = (
    *("response.text", "response.thinking", "response.status", "response.tool_"),
    *("response.chart", "response.table", "response.suggested_queries"),
)
_SILENT: Final = (*_EVENTS[2:], "metadata", "execution_trace", "done")
"""Beginnings of events that hold no text of the answer."""

_BLOCKS: Final = frozenset({"tool_use", "tool_result", "table", "chart", "suggested_queries"})


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if response.has("event"):
        name = name_of(response)
        return name == "response" or name.startswith(_EVENTS)
    if response.text("role") != "assistant" or not isinstance(
        response.get("content"), list | tuple
    ):
        return False
    return any(
        block.has("is_elicitation")
        or any(note.text("type").startswith(_KINDS) for note in block.nodes("annotations"))
        for block in response.nodes("content")
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a message.

    Args:
        response: The message: a mapping.
        request: Not needed.
    """
    del request
    reader = _Reader()
    reader.take_message(data_of(reader.draft.node(response), reader.draft))
    return reader.answer()


class StreamAdapter(ReaderStream):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        del request
        super().__init__(_Reader())


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__(PROVIDER, _FORMATS)
        self._texts: dict[int, Part] = {}
        self._thoughts: dict[int, Part] = {}

    def take(self, response: Node) -> None:
        name, data = name_of(response), data_of(response, self.draft)
        index = data.whole("content_index") or 0
        if name == "response":
            self.take_message(data)
        elif name == "response.text.delta":
            self.add_to(index, self._part(index), data.text("text"))
        elif name == "response.text.annotation":
            known = data.whole("annotation_index")
            self._part(index).annotate(data.get("annotation"), known)
        elif name == "response.text":
            self._part(index).close(data.text("text"), data.items("annotations"))
        elif name == "response.thinking.delta":
            self._thoughts.setdefault(index, Part()).pieces.append(data.text("text"))
        elif name == "response.thinking":
            self._thoughts.setdefault(index, Part()).close(data.text("text"), ())
        elif name == "error":
            tell_error(self.draft, data)
        elif not name.startswith(_SILENT):
            self.draft.unknown("event", name)

    def take_message(self, message: Node) -> None:
        """Keep a whole message, in place of what came of it."""
        for index, block in enumerate(message.nodes("content")):
            kind = block.text("type")
            if kind == "text":
                self._part(index).close(block.text("text"), block.items("annotations"))
            elif kind == "thinking":
                thought = block.node("thinking").text("text") or block.text("thinking", "text")
                self._thoughts.setdefault(index, Part()).close(thought, ())
            elif kind not in _BLOCKS:
                self.draft.unknown("block", kind)

    def fill(self, draft: Draft) -> None:
        for _, part in sorted(self._thoughts.items()):
            draft.aside("thinking").add(part.text)
        for index in self.in_order(self._texts):
            part = self._texts[index]
            notes = [draft.node(note) for _, note in sorted(part.annotations.items())]
            refs = dict(ref for note in notes if (ref := _ref(draft, note)))
            text = part.text
            cite_markers(draft, text, draft.add(text), _FORMATS, refs)

    def _part(self, index: int) -> Part:
        return self._texts.setdefault(index, Part())


def _ref(draft: Draft, note: Node) -> tuple[str, Ref] | None:
    """Return what an annotation is called in its text, and its source; None if it has none."""
    kind = note.text("type")
    if not kind.startswith(_KINDS):
        draft.unknown("annotation", kind)
        return None
    draft.expect(note, "annotation", _FIELDS)
    index, document = note.whole("index"), note.name("doc_id")
    id_ = note.name("search_result_id") or (f"doc:{document}" if document else "")
    if not id_ or index is None:
        draft.issue("no_source", f"{PROVIDER}: an annotation has no index or no document")
        return None
    fields: dict[str, Any] = {"title": note.text("doc_title", "title") or document}
    quote = note.text("text")
    metadata = kept(note, "doc_id", "index")
    source = draft.source(id_, text=quote, kind="chunk", metadata=metadata, **fields)
    return str(index), Ref(source, quote, raw=note.plain())

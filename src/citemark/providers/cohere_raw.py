"""What Cohere's Command models write themselves, as it comes where others serve their weights.

Citations are tags around the words that they support, ``<co>text</co: 0:[1,2]>`` or
``<co: 0,1>text</co: 0,1>``, which name results of tool calls by their index: what they name is
in the request.  Special tokens tell thinking and answer apart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS, FormatSet
from citemark.model import Marker
from citemark.parser import Scanner
from citemark.providers._answer import answer_of
from citemark.providers._cohere import documents_in, results_in, take_record
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._events import data_of
from citemark.providers._settled import Settler
from citemark.providers._stream import StreamBase
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.answer import Answer
    from citemark.model import Token
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "cohere_raw"
SIGNS: Final = frozenset({"text", "generated_text"})
DOC: Final = Provided(
    title="Cohere's Command models, served by others",
    arrives="tags in the text",
    when="with the text",
    unit="none: the words in the tag",
    does="claims on the text without its tags; documents and results from the request",
)

_TOKEN: Final = re.compile(
    r"<\|(?:(?P<side>START|END)_(?P<name>THINKING|ACTION|RESPONSE|TEXT|TOOL_RESULT)"
    r"|[A-Z_]{1,30}_TOKEN)\|>"
)
_UNFINISHED: Final = re.compile(r"<(?:\|[A-Z_]{0,40}\|?)?\Z")
"""What may become a special token."""

_CHANNELS: Final = {"THINKING": "thinking", "RESPONSE": "answer", "TEXT": "answer"}
_LISTS: Final = "Relevant Documents:"
"""What generations of Command R begin with: the answer comes twice then, tagged at last."""

_GROUNDED: Final = re.compile(r"(?m)^Grounded answer:")
_ANSWER: Final = re.compile(r"(?m)^Answer:")
_MAX_FIRST: Final = 100_000
"""Code points in which the second of two answers has to begin."""

_TAGGED: Final = re.compile(r"</?co\b|<\|START_(?:THINKING|RESPONSE|ACTION|TEXT)\|>")


def matches(response: Node) -> bool:
    """Whether a response is text with such tags.

    Pieces of a stream show nothing by which one could tell: say the provider for them.
    """
    return _TAGGED.search(data_of(response).text("text", "generated_text")) is not None


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a generation.

    Args:
        response: The text, or a mapping or object that holds it as ``text``,
            ``generated_text``, or in the first of its ``choices``.
        request: ``documents``, and ``tool_results`` (a list of results for each call) or the
            ``messages`` of tools: what the tags name.  Documents are call 0.
    """
    reader = _Reader(request)
    reader.feed(_text_in(reader.draft.node(response)))
    reader.close()
    return reader.answer()


class StreamAdapter(StreamBase):
    """The same for pieces of a generation, each as ``parse`` takes it."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        self._reader = _Reader(request)
        draft = self._reader.draft
        super().__init__(draft, Settler(draft, FormatSet()))

    def _take(self, event: Node) -> None:
        self._reader.feed(_text_in(data_of(event)))

    def _settled(self) -> int:
        return self._reader.settled

    def _finish(self) -> None:
        self._reader.close()

    def _make(self) -> Answer:
        return self._reader.answer()


class _Reader:
    """Reads text with tags and special tokens into a draft."""

    def __init__(self, request: object) -> None:
        self.draft = Draft(PROVIDER)
        self._held = ""
        self._searched = 0  # of it, for the second of two answers
        self._has_begun = False  # whether it is known if the answer comes twice
        self._channel = "answer"
        self._is_between = False  # two sections, where only blanks are
        self._scanner = _scanner()
        self._open: int | None = None  # where the words of a tag begin that is far from its end
        self._ids = _ids_of(self.draft, request)

    @property
    def settled(self) -> int:
        """The place up to which the citations of the answer are known."""
        return self.draft.length if self._open is None else self._open

    def answer(self) -> Answer:
        """Return the answer of what was read."""
        return answer_of(self.draft, formats=(), label="id")

    def feed(self, text: str) -> None:
        """Read a piece of text."""
        self._held += text
        if not self._has_begun and not self._begin():
            return
        unfinished = _UNFINISHED.search(self._held, max(len(self._held) - 50, 0))
        end = unfinished.start() if unfinished else len(self._held)
        ready, self._held = self._held[:end], self._held[end:]
        self._read(ready)

    def close(self) -> None:
        """Read what is left."""
        if not self._has_begun:
            self._begin_after(_ANSWER)
        text, self._held = self._held, ""
        self._read(text)
        self._turn_to("answer")

    def _begin(self) -> bool:
        """Return whether the text begins here: the first of two answers is left out."""
        start = self._held.lstrip()
        if not start.startswith(_LISTS):
            self._has_begun = not _LISTS.startswith(start)
        elif not self._begin_after(_GROUNDED, self._searched):
            # The heading may be cut; what is before it need not be searched again.
            self._searched = max(len(self._held) - len(_LISTS), 0)
            if len(self._held) >= _MAX_FIRST:
                self._has_begun = True
                self._begin_after(_ANSWER)
        return self._has_begun

    def _begin_after(self, heading: re.Pattern[str], start: int = 0) -> bool:
        found = heading.search(self._held, start, _MAX_FIRST)
        if found:
            self._held = self._held[found.end() :]
            self._has_begun = self._is_between = True
        return found is not None

    def _read(self, text: str) -> None:
        pos = 0
        for token in _TOKEN.finditer(text):
            self._add(text[pos : token.start()])
            pos = token.end()
            if token["side"]:
                is_start = token["side"] == "START"
                self._turn_to(_CHANNELS.get(token["name"], "") if is_start else "answer")
                self._is_between = not is_start
        self._add(text[pos:])

    def _add(self, text: str) -> None:
        if self._is_between:
            text = text.lstrip()
            self._is_between = not text
        self._take(self._scanner.feed(text))

    def _turn_to(self, channel: str) -> None:
        """Go on with another text: of the answer, the thinking, or "" for neither."""
        self._take(self._scanner.close())
        self._scanner, self._channel, self._open = _scanner(), channel, None

    def _take(self, tokens: Iterable[Token]) -> None:
        for token in tokens:
            if not self._channel:
                continue
            target = self.draft if self._channel == "answer" else self.draft.aside("thinking")
            if not isinstance(token, Marker):
                target.add(token if isinstance(token, str) else token.raw)
                continue
            start = target.add(token.words)
            refs = [ref for key in token.keys for ref in self._ref(key)]
            if not token.keys and not token.words:
                self._open = None if token.raw.startswith("</") else start
            elif refs and not token.words and self._open is not None:
                target.cite(self._open, start, refs, anchor="claim")
                self._open = None
            elif refs:
                target.cite(
                    start, target.length, refs, anchor="claim" if token.words else "point"
                )

    def _ref(self, key: str) -> list[Ref]:
        """Return the source of a key; without request the key, which then names none."""
        if self._ids and key not in self._ids:
            message = f"{PROVIDER}: a tag names {key!r}, which is not in the request"
            self.draft.issue("unknown_source", message, key=key)
            return []
        return [Ref(self._ids.get(key, key))]


def _scanner() -> Scanner:
    return Scanner(DIALECTS["COHERE"], known=Sources(()))


def _ids_of(draft: Draft, request: object) -> dict[str, str]:
    """Take note of what a request holds; return the ids of it by the keys that tags have."""
    documents = [*documents_in(draft, request)]
    calls = [*([documents] if documents else ()), *results_in(draft, request)]
    ids: dict[str, str] = {}
    position = 0
    for call, results in enumerate(calls):
        for n, (id_, record) in enumerate(results):
            kind = "document" if call == 0 and documents else "tool"
            named = id_ if id_ and id_ not in draft.sources else f"{call}:{n}"
            ids[f"{call}:{n}"] = ids[str(position)] = take_record(draft, named, record, kind)
            position += 1
    return ids


def _text_in(response: Node) -> str:
    """Return the text of a response, or of a piece of one."""
    if isinstance(response.value, str):
        return response.value
    choice = next(response.nodes("choices"), response)
    nodes = (response, choice, choice.node("message"), choice.node("delta"))
    return next(
        filter(None, (node.text("text", "generated_text") or _content(node) for node in nodes)),
        "",
    )


def _content(node: Node) -> str:
    content = node.get("content")
    return content if isinstance(content, str) else ""

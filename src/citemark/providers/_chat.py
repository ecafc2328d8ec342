"""Chat completions of OpenAI's form, which most services and gateways send too."""

from __future__ import annotations

from dataclasses import replace
from json import dumps
from typing import TYPE_CHECKING, Any, ClassVar, Final

from citemark.catalogue import DIALECTS, FormatSet
from citemark.providers._annotated_sources import web_source
from citemark.providers._annotations import LINKS, Annotated
from citemark.providers._ends import tell_error, tell_finish
from citemark.providers._litellm import cite_blocks
from citemark.providers._node import Node, plain
from citemark.providers._reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.providers._draft import Draft
    from citemark.providers._offsets import Unit
    from citemark.sources import Label

__all__ = [
    "CHAT",
    "CURSOR",
    "MESSAGE",
    "OBJECTS",
    "ChatReader",
    "is_chat",
    "messages",
    "read_choices",
]

OBJECTS: Final = frozenset({"chat.completion", "chat.completion.chunk"})
"""What such responses call themselves."""

CURSOR: Final = FormatSet(
    replace(row, lookup=("id",), base=1) for row in DIALECTS["GPT_OSS"] if row.name == "cursor"
)
"""A page that was opened: only what the service tells of it says which one it is."""

CHAT: Final = DIALECTS["OPENAI"] | LINKS
"""What OpenAI's models write."""


RESPONSE: Final = frozenset(
    {
        *("id", "object", "created", "model", "choices", "usage", "system_fingerprint"),
        *("service_tier", "provider", "x_groq", "usage_breakdown", "error", "citations"),
        *("search_results", "images", "related_questions", "videos", "reasoning_steps"),
        *("prompt_filter_results", "web_search", "request_id", "content_filter", "output"),
        *(
            "status",
            "status_code",
            "code",
            "message",
            "metadata",
            "type",
            "note",
            "search_info",
        ),
        *("moderation_hit_type", "moderation_level", "created_at", "stats", "timings"),
        *("prompt_logprobs", "prompt_token_ids", "kv_transfer_params", "obfuscation", "nvext"),
        *("conversation_id", "session_id", "task_id", "user", "tool_calls", "debug_output"),
        *("mcp_list_tools", "openrouter_metadata", "prompt_tokens_details", "native_object"),
        *("data", "event", "headers", "proto", "suggest", "knowledge", "stream_options"),
    }
)
"""Fields of responses and chunks, of OpenAI and of services that send its form."""

CHOICE: Final = frozenset(
    {
        *("index", "message", "delta", "finish_reason", "logprobs", "native_finish_reason"),
        *("content_filter_results", "content_filter_offsets", "content_filter_result"),
        *("content_filter_raw", "stop_reason", "matched_stop", "messages", "end_turn", "error"),
        *("text", "seed", "token_ids", "finish_details", "provider_specific_fields", "usage"),
        *("moderation_hit_type", "hidden_states", "routed_experts", "reasoning", "citations"),
    }
)
MESSAGE: Final = frozenset(
    {
        *("role", "content", "refusal", "annotations", "tool_calls", "function_call", "audio"),
        *("reasoning", "reasoning_content", "reasoning_details", "provider_specific_fields"),
        *("name", "end_turn", "images", "thinking_blocks", "prefix", "tool_call_id", "parsed"),
        *("id", "channel", "video", "reasoning_steps", "reasoning_text", "reasoning_opaque"),
        *("reasoning_summary", "search_results", "token_ids", "obfuscation", "type", "phase"),
        *("copilot_annotations", "padding", "multimodal_contents", "recipient", "weight"),
    }
)


class ChatReader(Reader):
    """Reads the first choice of a chat completion, or of the chunks of one.

    Args:
        provider: Name of the provider.
        formats: Markers that its models write.
        label: What numbers in them are.
        unit: What the offsets count, if the caller knows.
    """

    fields: ClassVar[frozenset[str]] = MESSAGE
    """Fields that messages may have."""

    def __init__(
        self,
        provider: str,
        *,
        formats: FormatSet = CHAT,
        label: Label = "id",
        unit: Unit | None = None,
    ) -> None:
        """Begin with nothing."""
        super().__init__(provider, formats, label)
        self._unit = unit
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._annotations: dict[str, object] = {}
        self._pages: dict[str, object] = {}
        self._blocks: dict[str, object] = {}

    def take(self, response: Node) -> None:
        """Keep a response, or a chunk."""
        if response.has("citations") or response.has("search_results"):
            _keep(self._pages, response.items("citations"))
            _keep(self._pages, response.items("search_results"))
        for message, is_whole in read_choices(self.draft, response, fields=self.fields):
            self._take_message(message, is_whole=is_whole)

    def fill(self, draft: Draft) -> None:
        """Read what came: sources beside the answer first, then its text."""
        if self._thoughts:
            draft.aside("thinking").add("".join(self._thoughts))
        self._take_sources(draft)
        text = Annotated(draft, "".join(self._text), unit=self._unit)
        text.cite(self._annotations.values())
        cite_blocks(draft, self._blocks.values())

    def _take_message(self, message: Node, *, is_whole: bool) -> None:
        """Keep a message, or what a chunk adds to it."""
        self._take_text(message, is_whole=is_whole)
        thought = message.text("reasoning_content", "reasoning")
        if thought:
            self._thoughts[len(self._thoughts) if not is_whole else 0 :] = [thought]
        _keep(self._annotations, message.items("annotations"))
        extra = message.node("provider_specific_fields")
        _keep(self._blocks, extra.items("citations"))
        if extra.has("citation"):
            _keep(self._blocks, [extra.get("citation")])

    def _take_sources(self, draft: Draft) -> None:
        """Take note of sources that the service lists beside the message."""
        for page in self._pages.values():
            if isinstance(page, str):
                web_source(draft, page)
            else:
                node = draft.node(page)
                text = node.text("snippet", "content", "text")
                web_source(draft, node.text("url"), title=node.text("title"), text=text)

    def _take_text(self, message: Node, *, is_whole: bool) -> None:
        text = "".join(_texts(message))
        if is_whole and self._text and text:
            self._text.clear()  # a closing event with all of it
            self.draft.replace("")
        self._text.append(text)
        self.draft.add(text)


def is_chat(response: Node) -> bool:
    """Whether a response, or a chunk, is a chat completion."""
    return response.text("object").removeprefix("extensions.") in OBJECTS


def read_choices(
    draft: Draft, response: Node, *, fields: frozenset[str] = MESSAGE
) -> Iterator[tuple[Node, bool]]:
    """Yield the message of the first choice, and whether it is whole.

    What is odd about the response, or chunk, is told: fields that are not known, choices that
    are not read, and why the answer is not whole.

    Args:
        draft: The answer.
        response: The response.
        fields: Those that its messages may have.
    """
    draft.expect(response, "response", RESPONSE)
    if response.has("error"):
        tell_error(draft, response)
    for choice in response.nodes("choices"):
        draft.expect(choice, "choice", CHOICE)
        if choice.whole("index"):
            draft.further("choices")
            continue
        if choice.has("error"):
            tell_error(draft, choice)
        else:
            tell_finish(draft, choice)
        for message, is_whole in _messages_of(choice):
            draft.expect(message, "message", fields)
            yield message, is_whole


def messages(response: Node) -> Iterator[tuple[Node, bool]]:
    """Yield the message of the first choice, and whether it is whole; other choices are not."""
    for choice in response.nodes("choices"):
        if not choice.whole("index"):
            yield from _messages_of(choice)


def _messages_of(choice: Node) -> Iterator[tuple[Node, bool]]:
    for name, is_whole in (("message", True), ("delta", False)):
        if choice.has(name):
            yield choice.node(name), is_whole


def _texts(message: Node) -> Iterator[str]:
    content = message.get("content")
    if isinstance(content, list | tuple):
        for part in message.nodes("content"):
            if part.text("type") in {"text", "output_text", ""}:
                yield part.text("text")
    else:
        yield message.text("content")
    yield message.text("refusal")


def _keep(kept: dict[str, Any], values: list[object]) -> None:
    """Keep what is not kept yet: chunks may repeat all that came before."""
    for value in values:
        kept.setdefault(_written(value), value)


def _written(value: object) -> str:
    """Return what tells a value from others."""
    try:
        return dumps(plain(value), sort_keys=True, default=str)
    except (TypeError, ValueError, RecursionError):  # nested too deep to be compared
        return str(id(value))

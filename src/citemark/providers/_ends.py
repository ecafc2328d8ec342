"""Answers that are not whole: the provider failed, cut them, or held something back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from citemark.errors import shortened

if TYPE_CHECKING:
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["tell_error", "tell_finish", "tell_open", "tell_reason", "tell_unclosed"]

_CUT: Final = frozenset(
    {
        *(
            "length",
            "max_tokens",
            "max_output_tokens",
            "model_length",
            "max_len",
            "max_context",
        ),
        *(
            "model_context_window_exceeded",
            "context_length_exceeded",
            "incomplete",
            "time_limit",
            "pause_turn",
        ),
        *("max_tool_calls", "max_prompt_tokens", "max_completion_tokens", "timeout"),
        "too_many_tool_calls",
    }
)
_FILTERED: Final = frozenset(
    {
        *("content_filter", "content_filtered", "refusal", "safety", "recitation", "blocklist"),
        *("prohibited_content", "spii", "guardrail_intervened", "sensitive", "error_toxic"),
        *("image_safety", "language", "intervened", "toxic", "content_moderation"),
        *("image_prohibited_content", "image_recitation"),
    }
)
_FAILED: Final = frozenset(
    {
        *(
            "error",
            "failed",
            "network_error",
            "cancelled",
            "canceled",
            "error_limit",
            "expired",
        ),
        *("malformed_function_call", "malformed_model_output", "malformed_tool_use", "aborted"),
        *("malformed_response", "unexpected_tool_call", "other"),
    }
)
_OPEN: Final = frozenset({"in_progress", "queued", "processing"})
_TOLD: Final = frozenset({"incomplete", "stream_error"})
_CAME: Final = "model_fields_set"
_MESSAGES: Final = ("message", "error_text", "detail", "msg", "code")


def tell_reason(draft: Draft, reason: object) -> None:
    """Tell why an answer ended, if that means that it is not whole.

    Args:
        draft: The answer.
        reason: What the provider calls it: a text, or a member of an enumeration.
    """
    found = reason if isinstance(reason, str) else getattr(reason, "name", None)
    if not isinstance(found, str) or not found:
        return
    name = found.lower().removeprefix("reason_").removeprefix("finish_reason_")
    if name in _CUT:
        _issue("incomplete", draft, f"the answer was cut: {name}", name)
    elif name in _FILTERED:
        _issue("incomplete", draft, f"something was held back: {name}", name)
    elif name in _FAILED:
        _issue("stream_error", draft, f"the answer ended with: {name}", name)


def tell_finish(draft: Draft, choice: Node, name: str = "finish_reason") -> None:
    """Tell why a choice ended, or take note that its stream goes on.

    Whoever sends the field with each chunk sends a reason with the last one.
    """
    reason = choice.get(name)
    if reason == "null" or (reason is None and _is_sent(choice.value, name)):
        draft.awaits(name)
    elif reason is not None:
        draft.closing = None
        tell_reason(draft, reason)


def tell_open(draft: Draft, status: object) -> None:
    """Tell that a whole response was taken before the provider had finished it."""
    name = getattr(status, "value", status)
    if isinstance(name, str) and name.lower() in _OPEN:
        _issue("incomplete", draft, f"the answer is not finished: {name.lower()}", name.lower())


def tell_unclosed(draft: Draft) -> None:
    """Tell that a stream ended before what it ends with, if nothing says why."""
    if draft.closing and not any(issue.code in _TOLD for issue in draft.issues):
        message = f"the stream ended before its {draft.closing}"
        _issue("incomplete", draft, message, draft.closing)


def tell_error(draft: Draft, holder: Node, name: str = "error") -> None:
    """Tell that a response, or an event, says that the provider failed.

    Args:
        draft: The answer.
        holder: What has the error.
        name: The field with it; if there is none the holder itself is the error.
    """
    error = holder.get(name)
    if isinstance(error, str):
        said = error
    else:
        node = holder.node(name) if error is not None else holder
        # The code may be a number, and the message an object.
        said = next((text for one in _MESSAGES if (text := node.name(one))), "")
    _issue("stream_error", draft, f"the provider failed: {shortened(said)}")


def _is_sent(value: object, name: str) -> bool:
    """Whether a field came, if only as null; SDKs have all fields, and note those that came."""
    return name in (value if isinstance(value, Mapping) else getattr(value, _CAME, ()))


def _issue(code: str, draft: Draft, message: str, key: str = "") -> None:
    """Tell an issue once: closing events repeat it."""
    shown = f"{draft.provider}: {message}"
    if all(issue.message != shown for issue in draft.issues[-20:]):
        draft.issue(code, shown, key=key)

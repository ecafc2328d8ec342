"""What the adapters of frameworks share: they hand on what other providers told them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.model import Location, Unit
from citemark.providers._node import Node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.providers._draft import Draft

__all__ = ["given_location", "last_message", "new_id", "web_url"]

_ENDS: Final[tuple[tuple[Unit, str, str], ...]] = (
    ("char", "start_char_index", "end_char_index"),
    ("page", "start_page_number", "end_page_number"),
    ("block", "start_block_index", "end_block_index"),
)
"""What is counted, and the fields of the two ends, as the providers name them."""


def given_location(nodes: Sequence[Node]) -> tuple[Location, ...]:
    """Return the place in a source that one of some objects tells, half-open; else none."""
    for node in nodes:
        for unit, first, last in _ENDS:
            if not (node.has(first) and node.has(last)):
                continue
            start, end = node.whole(first), node.whole(last)
            if start is not None and end is not None and 0 <= start <= end:
                return (Location(unit, start, end),)
    return ()


def last_message(response: Node, name: str, value: str) -> Node:
    """Return the last answer in a list of messages, or what is no list as it is.

    Args:
        response: A message, or messages of all sides.
        name: The field that tells whose a message is.
        value: What it is in an answer.
    """
    if not isinstance(response.value, list | tuple):
        return response
    messages = (Node(one, lambda *_: None) for one in reversed(response.value))
    answers = (message for message in messages if message.text(name) == value)
    return next(answers, Node(None, lambda *_: None))


def web_url(text: str) -> str | None:
    """Return a text if it is the address of a web page."""
    return text if text.lower().startswith(("http://", "https://")) else None


def new_id(draft: Draft, id_: str) -> str:
    """Return an id that no source has: a list may name one record twice, and be counted."""
    if id_ and id_ not in draft.sources:
        return id_
    return f"{id_}#{len(draft.sources) + 1}"

"""Events of streams as they come: bare, or as the data of a server-sent event."""

from __future__ import annotations

from json import loads
from typing import TYPE_CHECKING

from citemark.providers._node import Node

if TYPE_CHECKING:
    from citemark.providers._draft import Draft

__all__ = ["data_of", "name_of"]


def data_of(event: Node, draft: Draft | None = None) -> Node:
    """Return the data of an event, also if they are still JSON; the event if it has none.

    Args:
        event: What came.
        draft: Told what is wrong with data that are JSON.
    """
    data = event.get("data")
    if not isinstance(data, str):
        return event.node("data") if data is not None else event
    try:
        found = loads(data)
    except (ValueError, RecursionError):  # "[DONE]", or cut off
        found = None
    if not isinstance(found, dict):
        found = None
    return Node(found, lambda *_: None) if draft is None else draft.node(found)


def name_of(event: Node) -> str:
    """Return the type of an event: a text, or a member of an enumeration; "" if it has none."""
    for name in ("event", "type"):
        found = event.get(name)
        found = getattr(found, "value", found)
        if isinstance(found, str) and found:
            return found
    return ""

"""What the services of Amazon have in common: events of streams, and names of what is cited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from citemark.providers._repair import plausible_unit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from citemark.providers._draft import Draft
    from citemark.providers._node import Node
    from citemark.providers._offsets import Unit

__all__ = ["events_of", "file_name", "is_event", "member", "probed_unit"]

FAULT: Final = "Exception"
"""How the name of an event ends that tells that the service failed."""


def is_event(event: Node, known: Collection[str]) -> bool:
    """Whether something is an event of a stream: its one field is named by its kind."""
    return any(event.has(name) for name in known) and len(event.fields()) == 1


def member(draft: Draft, event: Node, known: Collection[str]) -> str:
    """Return the kind of an event; "" if there is nothing to read in it.

    What is not known is counted, and a failure of the service is told.
    """
    for name in known:
        if event.has(name):
            return name
    for name in event.fields():
        if name.endswith(FAULT):
            message = event.node(name).text("message")
            draft.issue("stream_error", f"{draft.provider}: {name}: {message}")
        else:
            draft.unknown("event", name)
    return ""


def events_of(draft: Draft, response: object, *names: str) -> Iterator[Node]:
    """Return the events of a response that is a stream, or holds one; or is one event.

    Args:
        draft: Told of what is damaged.
        response: What the SDK returns, its stream, a list of events, or an event.
        names: Fields of a response that hold the stream.
    """
    node = draft.node(response)
    for name in names:
        if node.has(name):
            yield from node.nodes(name)
            return
    if isinstance(response, Iterable) and not isinstance(response, str | bytes | Mapping):
        yield from draft.node({"events": response}).nodes("events")
    elif node.fields():
        yield node


def probed_unit(draft: Draft, spans: list[tuple[int | None, int | None]]) -> Unit:
    """Return what offsets count that should count characters, with an issue if they do not."""
    known = [(start or 0, end) for start, end in spans if end is not None]
    unit = plausible_unit(draft.offsets, known)
    if unit != "code point":
        draft.issue("offset_unit", f"{draft.provider}: offsets count something else: {unit}")
    return unit


def file_name(url: str) -> str:
    """Return the last part of the path of a URL or URI; "" if it has no path."""
    try:
        path = urlsplit(url).path
    except ValueError:  # what looks like an address in brackets, and is none
        return ""
    return unquote(path.rstrip("/").rpartition("/")[2])

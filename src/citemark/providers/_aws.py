"""What the services of Amazon have in common: events of streams, and names of what is cited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from citemark.providers._draft import Draft

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from citemark.answer import Answer
    from citemark.providers._node import Node
    from citemark.providers._stream import StreamBase

__all__ = ["events_of", "file_name", "has_stream", "is_event", "member", "read_stream"]

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


def read_stream(adapter: StreamBase, response: object, *names: str) -> Answer:
    """Return the answer of a stream that is read to its end (see ``events_of``)."""
    for event in events_of(Draft(""), response, *names):
        adapter.feed(event.value)
    adapter.close()
    return adapter.answer


def has_stream(response: object) -> bool:
    """Whether something is a stream, a list of events, or a response that holds a stream."""
    if isinstance(response, Mapping):
        return "stream" in response
    return isinstance(response, Iterable) and not isinstance(response, str | bytes)


def file_name(url: str) -> str:
    """Return the last part of the path of a URL or URI; "" if it has no path."""
    try:
        path = urlsplit(url).path
    except ValueError:  # what looks like an address in brackets, and is none
        return ""
    return unquote(path.rstrip("/").rpartition("/")[2])

"""What the interfaces of Cohere have in common: records of documents and of tools' results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.providers._records import first_of, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["documents_in", "results_in", "take_record"]

_TITLES: Final = ("title", "name")
_ADDRESSES: Final = ("url", "link", "uri")
_TEXTS: Final = ("snippet", "text", "content", "data", "body", "passage")


def take_record(draft: Draft, id_: str, record: Node, kind: str) -> str:
    """Take note of a document or of a tool's result; return its id.

    Args:
        draft: Where it is kept.
        id_: Its id, by which citations name it.
        record: Its fields, which are the caller's own: what it is called and says is guessed.
        kind: ``"document"`` or ``"tool"``.
    """
    inner = record.node("data") if _is_object(record.get("data")) else record
    title, url = first_of(inner, _TITLES), first_of(inner, _ADDRESSES)
    text = first_of(inner, _TEXTS) or lines_of(inner)
    return draft.source(id_, title=title, url=url, text=text, kind=kind)


def documents_in(draft: Draft, request: object) -> Iterator[tuple[str, Node]]:
    """Yield the documents of a request, each with its id; "" if it has none."""
    for item in draft.node(request).items("documents"):
        record = draft.node({"text": item} if isinstance(item, str) else item)
        yield record.name("id"), record


def results_in(draft: Draft, request: object) -> Iterator[list[tuple[str, Node]]]:
    """Yield the results of each tool call of a request, as ``documents_in`` does."""
    asked = draft.node(request)
    for item in asked.items("tool_results"):
        call = draft.node(item)
        outputs = item if isinstance(item, list | tuple) else call.items("outputs")
        yield [(record.name("id"), record) for record in map(draft.node, outputs)]
    for message in asked.nodes("messages"):
        if message.text("role") == "tool":
            yield list(_contents(draft, message))


def _contents(draft: Draft, message: Node) -> Iterator[tuple[str, Node]]:
    content = message.get("content")
    if isinstance(content, str):
        yield "", draft.node({"text": content})
        return
    for block in message.nodes("content"):
        record = block.node("document") if block.has("document") else block
        yield record.name("id"), record


def _is_object(value: object) -> bool:
    return value is not None and not isinstance(value, str | int | float | list | tuple)

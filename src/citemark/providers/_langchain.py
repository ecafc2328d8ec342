"""What a LangChain citation says of its source; also in the words of ``to_langchain``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast, get_args

from citemark.model import Location, Unit
from citemark.providers._annotations import web_source
from citemark.providers._framework import given_location

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["cited_source", "kept_source", "locations", "raw_of"]


def kept_source(draft: Draft, node: Node) -> bool:
    """Take note of a source that is not cited, as ``to_langchain`` writes it."""
    ours = node.node("citemark")
    id_ = ours.text("source")
    if id_:
        _own_source(draft, node, ours)
    return bool(id_)


def _own_source(draft: Draft, node: Node, ours: Node) -> str:
    page = ours.get("page")
    return draft.source(
        ours.text("source"),
        title=node.text("title"),
        url=node.text("url") or None,
        kind=ours.text("kind") or None,
        page=page if isinstance(page, str) else ours.whole("page"),
    )


def cited_source(draft: Draft, node: Node, ours: Node) -> str | None:
    """Take note of the source of a citation."""
    if ours.text("source"):
        return _own_source(draft, node, ours)
    title, extras = node.text("title", "document_title"), node.node("extras")
    url = node.text("url")
    if url:
        return web_source(draft, url, title=title)
    for within in (extras, node):
        file = within.name("file_id")
        if file:
            return draft.source(file, title=title, kind="file")
        for name, kind in (
            ("document_index", "document"),
            ("search_result_index", "search_result"),
        ):
            index = within.whole(name)
            if index is not None:
                return draft.source(f"{kind}:{index}", title=title, kind=kind)
    return draft.source(f"title:{title}", title=title, kind="document") if title else None


def locations(node: Node, ours: Node) -> tuple[Location, ...]:
    """Return where in the source a quote stands."""
    told = [
        Location(cast("Unit", unit), start, end)
        for place in ours.nodes("locations")
        if (unit := place.text("unit")) in get_args(Unit)
        and (start := place.whole("start")) is not None
        and (end := place.whole("end")) is not None
    ]
    return tuple(told) or given_location([node.node("extras"), node])


def raw_of(node: Node, ours: Node) -> Mapping[str, Any] | None:
    """Return what the provider sent, which may be a form before this one."""
    return ours.node("raw").plain() if ours.has("raw") else node.plain()

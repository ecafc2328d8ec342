"""Sources that annotations of OpenAI's kind name: pages, files, documents, tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark._compare import comparable_url

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["FIELDS", "READERS", "host_of", "keep_file", "web_source"]


def host_of(url: str) -> str:
    """Return the host of a URL, without "www."."""
    return comparable_url(url).removeprefix("//").partition("/")[0].removeprefix("www.")


def web_source(draft: Draft, url: str, **fields: Any) -> str | None:  # noqa: ANN401
    """Take note of a page; return the id of its source, that of the first such URL.

    URLs that lead to one page, such as with and without ``?utm_source=``, are one source.
    """
    if not url.strip():
        return None
    page = comparable_url(url)
    for known in (url, draft.pages.get(page, "")):
        if known in draft.sources:
            return draft.source(known, **fields)
    draft.pages[page] = url
    return draft.source(url, url=url, **{"kind": "web", **fields})


def keep_file(draft: Draft, body: Node) -> None:
    """Keep a file that was read for the answer; nothing says where it is used."""
    name = body.name("hash", "file_id", "name")
    if name:
        text = "\n\n".join(part.text("text") for part in body.nodes("content"))
        title = body.text("name", "filename")
        draft.source(name, title=title, text=text, kind="file")


def _page(draft: Draft, body: Node) -> str | None:
    title, text = body.text("title"), body.text("content")
    if draft.provider == "xai" and title.isdecimal():
        title = ""  # the number of the marker
    return web_source(draft, body.text("url"), title=title, text=text)


def _file(draft: Draft, body: Node) -> str | None:
    file, name = body.name("file_id"), body.text("filename", "file_name")
    if not (file or name):
        return None
    held = body.text("container_id")
    metadata = {"container_id": held} if held else {}
    return draft.source(file or name, title=name, kind="file", metadata=metadata)


def _document(draft: Draft, body: Node) -> str | None:
    id_ = body.name("document_id")
    return draft.source(id_, kind="document") if id_ else None


def _tool(draft: Draft, body: Node) -> str | None:
    id_ = body.name("tool_call_id")
    return draft.source(id_, kind="tool") if id_ else None


READERS: Final[Mapping[str, Callable[[Draft, Node], str | None]]] = {
    "url_citation": _page,
    "web_search_citation": _page,
    "file_citation": _file,
    "file_path": _file,
    "container_file_citation": _file,
    "document_citation": _document,
    "function_citation": _tool,
}
"""What takes note of the source of an annotation, by its type; None if it names none."""

_COMMON: Final = (
    *("type", "start_index", "end_index", "index", "text", "quote", "cited_text", "title"),
    *("annotation_index", "id"),
)
_FILE: Final = (*_COMMON, "file_id", "filename", "file_name", "container_id")
_PAGE: Final = (*_COMMON, "url", "content")

FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "url_citation": frozenset({*_PAGE, "url_citation"}),
    "web_search_citation": frozenset(
        {*_PAGE, "web_search_citation", "encrypted_index", "cited_text"}
    ),
    "file_citation": frozenset({*_FILE, "file_citation"}),
    "file_path": frozenset({*_FILE, "file_path"}),
    "container_file_citation": frozenset(_FILE),
    "document_citation": frozenset({*_COMMON, "document_id"}),
    "function_citation": frozenset({*_COMMON, "tool_call_id"}),
}
"""Fields of annotations that are known, by their type."""

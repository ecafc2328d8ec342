"""What sort of record a source is, in the five words that readers are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from citemark.renderers._urls import file_name, host_of

if TYPE_CHECKING:
    from citemark.model import Source

__all__ = ["Kind", "kind_of"]

Kind: TypeAlias = Literal["web", "pdf", "row", "api", "document"]
"""Web page, PDF, row of a database, response of an API, or any other document."""

_NAMES: Final[dict[str, Kind]] = {
    **dict.fromkeys(
        ("web", "webpage", "web page", "website", "site", "url", "html", "text/html", "page"),
        "web",
    ),
    **dict.fromkeys(("pdf", "application/pdf"), "pdf"),
    **dict.fromkeys(("row", "record", "table", "sql", "db", "database", "query"), "row"),
    **dict.fromkeys(
        ("api", "api response", "response", "endpoint", "json", "application/json"), "api"
    ),
    **dict.fromkeys(
        ("document", "doc", "docx", "file", "text", "txt", "text/plain"), "document"
    ),
}


def kind_of(source: Source) -> Kind:
    """Return the kind of a source: as its own ``kind`` names it, else as its URL looks.

    >>> from citemark.model import Source
    >>> kind_of(Source("1", kind="PDF")), kind_of(Source("2", url="https://example.org/"))
    ('pdf', 'web')
    """
    name = source.kind if isinstance(source.kind, str) else ""
    known = _NAMES.get(name.strip().lower().replace("_", " ").replace("-", " "))
    if known is not None:
        return known
    host = host_of(source.url)
    path = (
        str(source.url).partition("?")[0].partition("#")[0] if host else file_name(source.url)
    )
    if path.lower().endswith(".pdf"):
        return "pdf"
    return "web" if host else "document"

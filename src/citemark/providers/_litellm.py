"""What LiteLLM passes on of other providers' citations, beside the message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.model import Location
from citemark.providers._annotated_sources import web_source
from citemark.providers._draft import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.model import Unit
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["cite_blocks"]

_UNITS: Final[tuple[tuple[Unit, str, str], ...]] = (
    ("char", "start_char_index", "end_char_index"),
    ("page", "start_page_number", "end_page_number"),
    ("block", "start_block_index", "end_block_index"),
)


def cite_blocks(draft: Draft, blocks: Iterable[object]) -> None:
    """Take note of citations that tell the words that they support, but not where these are.

    Args:
        draft: The answer, with its text.
        blocks: For each cited block of Anthropic's answer its citations; or one of these.
    """
    text, pos = draft.text, 0
    for block in blocks:
        for value in block if isinstance(block, list | tuple) else (block,):
            citation = draft.node(value)
            ref = _ref(draft, citation)
            words = citation.text("supported_text")
            if ref is None:
                continue
            start = text.find(words, pos) if words else -1
            start = text.find(words) if start < 0 and words else start
            if start < 0:
                message = f"{draft.provider}: a citation has no position"
                draft.issue("no_position", message, key=ref.source)
                continue
            pos = start
            draft.cite(start, start + len(words), [ref], anchor="claim")


def _ref(draft: Draft, citation: Node) -> Ref | None:
    url, title = citation.text("url"), citation.text("document_title", "title")
    source = web_source(draft, url, title=title)
    name = citation.name("file_id", "document_index", "search_result_index")
    if source is None and name:
        source = draft.source(name, title=title, kind="document")
    if source is None:
        draft.issue("no_source", f"{draft.provider}: a citation has no source")
        return None
    quote = citation.text("cited_text")
    return Ref(source, quote, _locations(citation), raw=citation.plain())


def _locations(citation: Node) -> tuple[Location, ...]:
    for unit, first, last in _UNITS:
        start, end = citation.whole(first), citation.whole(last)
        if start is not None and end is not None and 0 <= start <= end:
            return (Location(unit, start, end),)
    return ()

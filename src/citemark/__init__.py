"""The citation layer of RAG and LLM answers: parse, resolve, number, stream and render."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from citemark.answer import Answer
from citemark.api import cite
from citemark.errors import CitemarkError
from citemark.model import Citation, CitationSegment, Issue, Marker, Source, TextSegment
from citemark.numbering import Numbering
from citemark.parser import find_markers
from citemark.renderers import render
from citemark.sources import Sources
from citemark.stream import AnswerStream

if TYPE_CHECKING:
    from citemark._instructions import instructions
    from citemark.ask import (
        answer_with_citations,
        answer_with_citations_async,
        stream_with_citations,
        stream_with_citations_async,
    )
    from citemark.context import Context, build_context, fit_context
    from citemark.history import clean_history
    from citemark.registry import Registry

__all__ = [
    "Answer",
    "AnswerStream",
    "Citation",
    "CitationSegment",
    "CitemarkError",
    "Context",
    "Issue",
    "Marker",
    "Numbering",
    "Registry",
    "Source",
    "Sources",
    "TextSegment",
    "answer_with_citations",
    "answer_with_citations_async",
    "build_context",
    "cite",
    "clean_history",
    "find_markers",
    "fit_context",
    "instructions",
    "render",
    "stream_with_citations",
    "stream_with_citations_async",
]

_LATE: Final = {
    "Context": "citemark.context",
    "Registry": "citemark.registry",
    "answer_with_citations": "citemark.ask",
    "answer_with_citations_async": "citemark.ask",
    "build_context": "citemark.context",
    "clean_history": "citemark.history",
    "fit_context": "citemark.context",
    "instructions": "citemark._instructions",
    "stream_with_citations": "citemark.ask",
    "stream_with_citations_async": "citemark.ask",
}
"""Names that are loaded when they are first used, and the modules that have them."""


def __getattr__(name: str) -> Any:  # noqa: ANN401  whatever the name stands for
    """Load what is not needed to read answers."""
    if name not in _LATE:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    found = globals()[name] = getattr(import_module(_LATE[name]), name)
    return found


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)

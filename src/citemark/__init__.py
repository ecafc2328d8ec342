"""The citation layer of RAG and LLM answers: parse, resolve, number, stream and render."""

from __future__ import annotations

from citemark.answer import Answer
from citemark.api import cite
from citemark.context import build_context
from citemark.errors import CitemarkError
from citemark.model import Citation, CitationSegment, Issue, Marker, Source, TextSegment
from citemark.numbering import Numbering
from citemark.parser import find_markers
from citemark.renderers import render
from citemark.sources import Sources
from citemark.stream import AnswerStream

__all__ = [
    "Answer",
    "AnswerStream",
    "Citation",
    "CitationSegment",
    "CitemarkError",
    "Issue",
    "Marker",
    "Numbering",
    "Source",
    "Sources",
    "TextSegment",
    "build_context",
    "cite",
    "find_markers",
    "render",
]

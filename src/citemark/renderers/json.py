"""JSON segments for a front end: text and citations in order, then the list of sources.

The shape is described by ``citemark.schema`` and shipped as JSON Schema and ``.d.ts``.  Keys
are in camel case, since their readers write TypeScript.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import regex

from citemark.errors import RendererOptionError
from citemark.model import TextSegment
from citemark.records import finite_number
from citemark.renderers._allowance import Allowance
from citemark.renderers._display import passage_of, title_of
from citemark.renderers._shown import shown
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.model import Citation, Source

__all__ = ["JsonRenderer", "Told", "source_fields"]

VERSION: Final = 1
"""Version of the shape, see ``citemark.schema``."""

MAX_INTEGER: Final = 2**53 - 1
"""The greatest integer that all readers of JSON keep as it is (RFC 8259, 6)."""

_LONG: Final = ("title", "url", "snippet")
"""Fields of a source that may be long."""

_SURROGATES: Final = regex.compile(r"[\ud800-\udfff]")

# What could end a script element or begin a comment in it.
_ESCAPES: Final = str.maketrans({"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"})


class JsonRenderer:
    """Render an answer as a JSON object of segments and sources.

    The output is ASCII and strict JSON, and may stand inside a script element.  Metadata is
    never part of it, nor a URL that is not safe; passages are cut at 400 code points.  Each
    citation tells its source, until a million code points were told again: from then on the
    title, URL and passage of a source that was told are null, and only ``sources`` has them.

    Args:
        indent: Blanks a level; None for one line.

    Raises:
        RendererOptionError: ``indent`` is no number of blanks.
    """

    name: Final = "json"

    def __init__(self, *, indent: int | None = None) -> None:
        """Keep the options."""
        if indent is not None and (type(indent) is not int or indent < 0):
            raise RendererOptionError("indent", f"no number of blanks: {indent!r}")  # noqa: EM101  not a message
        self._indent = indent

    def render(self, answer: Answer) -> str:
        """Return the object of ``render_value`` as JSON."""
        dumped = json.dumps(
            self.render_value(answer),
            indent=self._indent,
            separators=(",", ": ") if self._indent is not None else (",", ":"),
            ensure_ascii=True,
            allow_nan=False,
        )
        return dumped.translate(_ESCAPES)

    def render_value(self, answer: Answer) -> dict[str, Any]:
        """Return what ``render`` dumps, as plain ``dict``, ``list``, ``str`` and numbers."""
        return {
            "version": VERSION,
            "segments": _segments(answer, Told()),
            "sources": [
                {"displayNumber": entry.number, **source_fields(source)}
                for entry in answer.entries
                for source in entry.sources
            ],
        }


class Told:
    """What is told of the source of each citation of one answer."""

    def __init__(self) -> None:
        """Start with nothing told."""
        self._known: dict[int, dict[str, Any]] = {}
        self._again = Allowance()

    def citation(self, citation: Citation) -> dict[str, Any]:
        """Return the fields of a citation."""
        fields = self._source(citation)
        if citation.locations:
            fields["locations"] = [asdict(place) for place in citation.locations]
        numbers = {"displayNumber": citation.number, "occurrence": citation.occurrence}
        return {**numbers, **fields}

    def _source(self, citation: Citation) -> dict[str, Any]:
        source = citation.source
        if source is None:
            return source_fields(None, citation.key)
        fields = self._known.get(id(source))
        if fields is None:
            fields = self._known[id(source)] = source_fields(source)
        size = sum(len(fields[name] or "") for name in _LONG)
        if self._again.allows(source, size):
            return dict(fields)
        return {**fields, **dict.fromkeys(_LONG)}


def _segments(answer: Answer, told: Told) -> list[dict[str, Any]]:
    segments: list[dict[str, Any]] = []
    text = ""
    for segment, citations in shown(answer, by_place=True):
        if isinstance(segment, TextSegment):
            text += segment.text
            continue
        if text:
            segments.append({"type": "text", "content": _encodable(text)})
            text = ""
        span = segment.marker.span
        covered = {} if span is None else {"span": list(span)}
        segments += (
            {"type": "citation", "citation": told.citation(citation), **covered}
            for citation in citations
        )
    if text:
        segments.append({"type": "text", "content": _encodable(text)})
    return segments


def source_fields(source: Source | None, key: str = "") -> dict[str, Any]:
    """Return what readers may see of a source, or of a key that names none."""
    return {
        "sourceKey": _encodable(key if source is None else str(source.id)),
        "title": None if source is None else title_of(source) or None,
        "url": None if source is None else safe_url(source.url),
        "snippet": None if source is None else passage_of(source) or None,
        "documentType": None if source is None else _name(source.kind),
        "relevanceScore": None if source is None else finite_number(source.score),
        "page": None if source is None else _page(source.page),
    }


def _name(value: object) -> str | None:
    return _encodable(value) if isinstance(value, str) and value else None


def _page(value: object) -> int | str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        # Readers in JavaScript have no greater numbers, and Python refuses to write some.
        return value if abs(value) <= MAX_INTEGER else None
    return _name(value)


def _encodable(text: str) -> str:
    # Strict readers refuse half of a surrogate pair, even when it is escaped.
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)

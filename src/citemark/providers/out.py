"""Out again: an answer in the form of another program, whoever gave it.

Each form has a text with ``[1]`` in it, since few programs can show a citation where nothing is
written; only LangChain's can.  URLs that a browser must not follow are left out, and so is all
metadata; a key that names no source is not shown.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

from citemark.errors import RendererOptionError
from citemark.providers._offsets import Offsets
from citemark.providers._out_sources import given_sources, id_of, told_page
from citemark.providers._out_teams import to_teams
from citemark.providers._out_text import write
from citemark.providers._out_vercel import to_vercel_chunks, to_vercel_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.model import Citation, Source
    from citemark.providers._out_sources import Given
    from citemark.providers._out_text import Mark

__all__ = [
    "OpenAIAnnotations",
    "OpenAIApi",
    "to_langchain",
    "to_openai_annotations",
    "to_teams",
    "to_vercel_chunks",
    "to_vercel_parts",
]

OpenAIApi: TypeAlias = Literal["responses", "chat"]
"""Which interface of OpenAI the annotations are like: the chat one has pages only."""

OutUnit: TypeAlias = Literal["code point", "utf16"]
"""What the offsets count: characters of Python, or those of JavaScript."""

_LINKED: Final = "url_citation"


class OpenAIAnnotations(NamedTuple):
    """A text and the annotations of it, as in a message of OpenAI."""

    text: str
    """With ``[1]`` for each citation: the offsets are of this text."""

    annotations: list[dict[str, Any]]
    """In order of place."""


def to_openai_annotations(
    answer: Answer, *, unit: OutUnit = "code point", api: OpenAIApi = "responses"
) -> OpenAIAnnotations:
    """Return the text of an answer, and annotations of the kind that OpenAI sends.

    A source with a URL gives a ``url_citation`` of the characters ``[1]``; one without gives a
    ``file_citation`` of the place after them, or nothing if ``api`` is ``"chat"``.

    Args:
        answer: Any answer.
        unit: What the offsets count: ``"code point"`` as OpenAI does, or ``"utf16"``.
        api: ``"responses"``, or ``"chat"`` whose annotations are nested.

    Raises:
        RendererOptionError: ``unit`` or ``api`` is none of these.
    """
    _require(unit, "unit", OutUnit)
    _require(api, "api", OpenAIApi)
    text, marks = write(answer)
    offsets = Offsets(text)
    given = {one.source: one for one in given_sources(answer)}
    annotations: list[dict[str, Any]] = []
    for mark in marks:
        start, end = (offsets.from_code_points(at, unit) for at in (mark.start, mark.end))
        if mark.anchor != "marker":
            continue  # of the whole answer
        for source in dict.fromkeys(_sources(mark)):
            found = _annotation(given[source], start, end, api)
            annotations += [found] if found else []
    return OpenAIAnnotations(text, annotations)


def to_langchain(answer: Answer, *, raw: bool = False) -> list[dict[str, Any]]:
    """Return an answer as content blocks of a LangChain message (version 1).

    One block of text whose annotations have offsets in code points: of the cited words, or of
    ``[1]`` where the answer has a marker.  What the type has no field for is in
    ``extras["citemark"]``, so that ``parse`` reads it back.  Sources that are not cited are
    non-standard annotations.

    Args:
        answer: Any answer.
        raw: Whether what the provider sent goes along, for who has to send it back.
    """
    text, marks = write(answer, numbered=False)
    given = {one.source: one for one in given_sources(answer)}
    annotations: list[dict[str, Any]] = [
        _lc_citation(given[citation.source], citation, mark, raw=raw)
        for mark in marks
        for citation in mark.citations
        if citation.source is not None
    ]
    annotations += (
        {"type": "non_standard_annotation", "value": _lc_source(given[source])}
        for source in answer.consulted
    )
    block: dict[str, Any] = {"type": "text", "text": text}
    return [{**block, "annotations": annotations} if annotations else block]


def _sources(mark: Mark) -> Iterator[Source]:
    return (one.source for one in mark.citations if one.source is not None)


def _annotation(given: Given, start: int, end: int, api: OpenAIApi) -> dict[str, Any] | None:
    if given.url is None:
        if api == "chat":
            return None
        file = {"file_id": id_of(given.source), "filename": given.title, "index": end}
        return {"type": "file_citation", **file}
    page = {"url": given.url, "title": given.title, "start_index": start, "end_index": end}
    return {"type": _LINKED, **(page if api == "responses" else {_LINKED: page})}


def _lc_citation(given: Given, citation: Citation, mark: Mark, *, raw: bool) -> dict[str, Any]:
    ours: dict[str, Any] = {
        "source": id_of(given.source),
        "number": citation.number,
        "anchor": mark.anchor,
    }
    ours |= _lc_told(given)
    if citation.locations:
        ours["locations"] = [asdict(place) for place in citation.locations]
    if citation.confidence is not None:
        ours["confidence"] = citation.confidence
    if raw and citation.raw is not None:
        ours["raw"] = dict(citation.raw)
    place = (
        {} if mark.anchor == "message" else {"start_index": mark.start, "end_index": mark.end}
    )
    return {
        "type": "citation",
        "title": given.title,
        **({"url": given.url} if given.url else {}),
        **place,
        **({"cited_text": citation.quote} if citation.quote else {}),
        "extras": {"citemark": ours},
    }


def _lc_source(given: Given) -> dict[str, Any]:
    return {
        "type": "source",
        "title": given.title,
        **({"url": given.url} if given.url else {}),
        "citemark": {"source": id_of(given.source), **_lc_told(given)},
    }


def _lc_told(given: Given) -> dict[str, Any]:
    told = {"kind": given.source.kind, "page": told_page(given.source)}
    return {name: value for name, value in told.items() if value is not None}


def _require(value: object, name: str, choices: object) -> None:
    if value not in get_args(choices):
        raise RendererOptionError(name, f"expected one of {', '.join(get_args(choices))}")

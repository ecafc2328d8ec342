"""Stored answers: what is written is JSON, and what is wrong is refused with its path."""

from __future__ import annotations

import copy
import datetime as dt
import json
import uuid
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from growth_kit import assert_linear

from citemark import Answer, Source, cite
from citemark.errors import StoredAnswerError
from citemark.model import (
    Citation,
    CitationSegment,
    Issue,
    Location,
    Marker,
    TextSegment,
)

PAGE = Location("page", 3, 4)
CITED = Source("a", page=3, score=0.5, metadata={"team": {"x": [1]}})
ANSWER = Answer(
    (
        TextSegment("Levels fell "),
        CitationSegment(
            Marker(12, 15, "[1]", "number", ("1",), "w", (12, 14), ((PAGE,),)),
            (Citation("1", None, 1, 1, (PAGE,)),),
        ),
    ),
    (CITED,),
    ("9",),
    (Issue("unresolved", "No source.", 12, 15, "9"),),
    (Source("listed", metadata={"x": 1}), CITED),
)
STORED = ANSWER.to_dict()


def changed(path: str, value: object) -> dict[str, Any]:
    """Return the stored answer with another value at a path such as ``sources.0.id``."""
    stored = copy.deepcopy(STORED)
    *parents, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    place: Any = stored
    for part in parents:
        place = place[part]
    place[last] = value
    return stored


def name_of(value: object) -> str:
    """Return a name for a case: thousands of digits cannot be shown."""
    return value if isinstance(value, str) else type(value).__name__


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"x": value}
    return value


def test_the_example_is_an_answer() -> None:
    """What the tests below change is right before it is changed."""
    assert Answer.from_dict(json.loads(json.dumps(STORED))) == ANSWER


TEXT, COUNT, NUMBER, LIST, SPAN = "text", "count", "number", "list", "span"
FIELDS = {
    "segments": LIST,
    "sources": LIST,
    "unresolved": LIST,
    "issues": LIST,
    "segments.0.type": TEXT,
    "segments.0.text": TEXT,
    "segments.1.type": TEXT,
    "segments.1.blank": TEXT,
    "segments.1.marker.start": COUNT,
    "segments.1.marker.end": COUNT,
    "segments.1.marker.raw": TEXT,
    "segments.1.marker.format": TEXT,
    "segments.1.marker.words": TEXT,
    "segments.1.marker.keys": LIST,
    "segments.1.marker.keys.0": TEXT,
    "segments.1.marker.span.0": SPAN,
    "segments.1.marker.span.1": SPAN,
    "segments.1.marker.locations": LIST,
    "segments.1.marker.locations.0": LIST,
    "segments.1.marker.locations.0.0.unit": TEXT,
    "segments.1.marker.locations.0.0.start": COUNT,
    "segments.1.marker.locations.0.0.end": COUNT,
    "segments.1.citations": LIST,
    "segments.1.citations.0.key": TEXT,
    "segments.1.citations.0.number": NUMBER,
    "segments.1.citations.0.source": COUNT,
    "segments.1.citations.0.occurrence": COUNT,
    "segments.1.citations.0.locations": LIST,
    "segments.1.citations.0.locations.0.unit": TEXT,
    "segments.1.citations.0.locations.0.start": COUNT,
    "sources.0.id": TEXT,
    "sources.0.title": TEXT,
    "sources.0.url": TEXT,
    "sources.0.text": TEXT,
    "sources.0.kind": TEXT,
    "unresolved.0": TEXT,
    "listed": LIST,
    "listed.0.id": TEXT,
    "issues.0.code": TEXT,
    "issues.0.message": TEXT,
    "issues.0.start": COUNT,
    "issues.0.end": COUNT,
    "issues.0.key": TEXT,
}
WRONG: dict[str, list[object]] = {
    TEXT: [5, 10**5000, True, [], {}, 1.5, b"x"],
    COUNT: ["1", -1, True, 1.5, [], {}, 10**5000, float("nan")],
    NUMBER: ["<b>", 0, -1, True, 1.0, [], 10**5000],
    SPAN: ["12", None, -1, 11, 16, 10**5000, 12.0],
    LIST: ["12", None, {}, 5, True, set()],
}


@pytest.mark.parametrize(
    ("path", "value"),
    [(path, value) for path, kind in FIELDS.items() for value in WRONG[kind]],
    ids=name_of,
)
def test_wrong_types_are_refused(path: str, value: object) -> None:
    """A value of a wrong type or size is told with its path."""
    with pytest.raises(StoredAnswerError) as caught:
        Answer.from_dict(changed(path, value))

    names = path.partition(".span.")[0].split(".")
    where = names[0] + "".join(f"[{n}]" if n.isdecimal() else f".{n}" for n in names[1:])
    where += ".span" if ".span." in path else ""
    assert caught.value.where == where
    assert len(caught.value.reason) < 200


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("version", True, "version"),
        ("version", 2, "version"),
        ("version", "1", "version"),
        ("segments.0.type", "banana", "segments[0].type"),
        ("segments.0", None, "segments[0]"),
        ("segments.0", ["text"], "segments[0]"),
        ("segments.1.marker", None, "segments[1].marker"),
        ("segments.1.marker.end", 3, "segments[1].marker.end"),
        ("segments.1.marker.start", -5, "segments[1].marker.start"),
        ("segments.1.marker.span", [14, 12], "segments[1].marker.span"),
        ("segments.1.marker.span", [12], "segments[1].marker.span"),
        ("segments.1.marker.span", {"start": 12}, "segments[1].marker.span"),
        ("segments.1.marker.locations", [[], []], "segments[1].marker.locations"),
        ("segments.1.marker.keys", [], "segments[1].marker.locations"),
        (
            "segments.1.marker.locations.0.0.unit",
            "word",
            "segments[1].marker.locations[0][0].unit",
        ),
        (
            "segments.1.citations.0.locations.0.end",
            2,
            "segments[1].citations[0].locations[0].end",
        ),
        ("segments.1.citations.0", "x", "segments[1].citations[0]"),
        ("segments.1.citations.0.source", 1, "segments[1].citations[0].source"),
        ("segments.1.citations.0.source", -1, "segments[1].citations[0].source"),
        ("segments.1.citations.0.other", 1, "segments[1].citations[0].other"),
        ("sources.0", 5, "sources[0]"),
        ("sources.0.page", 1.5, "sources[0].page"),
        ("sources.0.page", True, "sources[0].page"),
        ("sources.0.page", 10**5000, "sources[0].page"),
        ("sources.0.score", "high", "sources[0].score"),
        ("sources.0.score", float("inf"), "sources[0].score"),
        ("sources.0.score", 10**5000, "sources[0].score"),
        ("sources.0.metadata", None, "sources[0].metadata"),
        ("sources.0.metadata", nested(2_000), "sources[0].metadata"),
        ("sources.0.metadata", nested(150), "sources[0].metadata"),
        ("unresolved", [10**5000], "unresolved[0]"),
        ("listed.0", 1, "listed[0]"),
        ("listed.1", -1, "listed[1]"),
        ("listed.1", "a", "listed[1]"),
        ("listed.1", None, "listed[1]"),
        ("listed.1", {}, "listed[1].id"),
        ("listed.0.metadata", nested(150), "listed[0].metadata"),
        ("listed.0.more", 1, "listed[0].more"),
        ("issues.0.end", 3, "issues[0].end"),
        ("issues.0.more", 3, "issues[0].more"),
        ("more", 3, "more"),
    ],
    ids=name_of,
)
def test_wrong_values_are_refused(path: str, value: object, where: str) -> None:
    """So is what is of the right type and cannot be, and what is not known."""
    with pytest.raises(StoredAnswerError) as caught:
        Answer.from_dict(changed(path, value))

    assert caught.value.where == where


@pytest.mark.parametrize("data", [None, [], "x", 5])
def test_what_is_no_object_is_refused(data: Any) -> None:
    """Only an object is a stored answer."""
    with pytest.raises(StoredAnswerError, match="expected an object"):
        Answer.from_dict(data)


def test_missing_fields_are_refused() -> None:
    """Each field of each object has to be there."""
    places = ["", "segments.0", "segments.1", "segments.1.marker", "segments.1.citations.0"]
    places += ["segments.1.marker.locations.0.0", "segments.1.citations.0.locations.0"]
    for place in [*places, "sources.0", "issues.0", "listed.0"]:
        found: Any = STORED
        for part in place.split(".") if place else ():
            found = found[int(part) if part.isdecimal() else part]
        for name in found:
            rest = {field: value for field, value in found.items() if field != name}
            with pytest.raises(StoredAnswerError):
                Answer.from_dict(changed(place, rest) if place else rest)


def test_listed_sources_are_stored_once():
    """A listed source that is cited is stored as its position, any other one as it is."""
    assert STORED["listed"][1] == 0
    assert STORED["listed"][0]["metadata"] == {"x": 1}


def test_consulted_sources_are_stored_if_there_are_any():
    """A stored answer is no larger for what was not asked for, and may lack the field."""
    assert "consulted" not in STORED
    assert Answer.from_dict({**STORED, "consulted": []}) == ANSWER
    answer = replace(ANSWER, consulted=(Source("given", metadata={"x": 1}), CITED))
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


@pytest.mark.parametrize(
    ("consulted", "where"), [([1], "consulted[0]"), ([{}], "consulted[0].id"), (5, "consulted")]
)
def test_wrong_consulted_sources_are_refused(consulted, where):
    """They are whole sources, never positions."""
    with pytest.raises(StoredAnswerError) as raised:
        Answer.from_dict({**STORED, "consulted": consulted})
    assert raised.value.where == where


@pytest.mark.parametrize(
    "marker",
    [
        Marker(0, 12, "[cite_start]", "cite_stray", ()),
        Marker(0, 17, "<co>two</co: 0,1>", "co", ("0", "1"), "two", (4, 7)),
        Marker(0, 9, "[1†L2-L3]", "x", ("1", "2"), locations=((Location("line", 2, 4),), ())),
    ],
    ids=lambda marker: marker.raw,
)
def test_markers_come_back(marker):
    """A tag without keys, words with a span, and places are what they were."""
    answer = Answer((CitationSegment(marker, ()),))

    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


def test_what_json_lacks_becomes_a_string_or_nothing() -> None:
    """Strict JSON holds an answer whatever the metadata is, and it comes back."""
    metadata = {
        "date": dt.date(2026, 1, 2),
        "uuid": uuid.UUID(int=1),
        "price": Decimal("1.50"),
        "bytes": b"caf\xc3\xa9\xff",
        "nan": float("nan"),
        "list": [float("inf"), {"x": dt.date(2026, 1, 2)}, 10**5000],
        "word": "nan",
        "true": True,
    }
    source = Source("a", score=float("nan"), metadata=metadata)
    answer = Answer((TextSegment("x"),), (source,))

    read = json.loads(json.dumps(answer.to_dict(), allow_nan=False))

    assert read["sources"][0]["score"] is None
    assert read["sources"][0]["metadata"] == {
        "date": "2026-01-02",
        "uuid": "00000000-0000-0000-0000-000000000001",
        "price": "1.50",
        "bytes": "café\ufffd",
        "nan": None,
        "list": [None, {"x": "2026-01-02"}, "int"],
        "word": "nan",
        "true": True,
    }
    assert Answer.from_dict(read).to_dict() == read


def test_reading_takes_linear_time() -> None:
    """An answer of ten times as many citations is read in ten times the time."""
    few, many = (
        cite("A claim [1]. " * count, [{"id": "a", "title": "A"}]).to_dict()
        for count in (500, 5_000)
    )
    assert_linear(lambda: Answer.from_dict(few), lambda: Answer.from_dict(many))

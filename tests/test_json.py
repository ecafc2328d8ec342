"""JSON segments: what a front end needs, and nothing that it must not have."""

from __future__ import annotations

import json

import pytest

from citemark import (
    Answer,
    Citation,
    CitationSegment,
    Marker,
    Source,
    TextSegment,
    cite,
    render,
)
from citemark.errors import RendererOptionError
from citemark.model import Location
from citemark.renderers.json import JsonRenderer

MINUTES = {
    "id": "m",
    "title": "Minutes",
    "url": "https://good.example/m",
    "text": "Levels fell by 12 percent.",
    "page": 3,
    "kind": "pdf",
    "score": 0.5,
    "metadata": {"path": "/srv/private"},
}
SHOWN = {
    "sourceKey": "m",
    "title": "Minutes",
    "url": "https://good.example/m",
    "snippet": "Levels fell by 12 percent.",
    "documentType": "pdf",
    "relevanceScore": 0.5,
    "page": 3,
}
NOTHING = dict.fromkeys(SHOWN)


def test_segments_and_sources():
    """Groups are cut into one segment a citation; a key without source has no number."""
    answer = cite("Fell [1, 2]. See [1] [doc:x].", [MINUTES, {"id": "b", "url": "/srv/b.pdf"}])

    def citation(**fields):
        return {"type": "citation", "citation": fields}

    b = {**NOTHING, "sourceKey": "b", "title": "b.pdf"}
    missing = {**NOTHING, "sourceKey": "x"}
    assert json.loads(render(answer, "json")) == {
        "version": 1,
        "segments": [
            {"type": "text", "content": "Fell "},
            citation(displayNumber=1, occurrence=1, **SHOWN),
            citation(displayNumber=2, occurrence=1, **b),
            {"type": "text", "content": ". See "},
            citation(displayNumber=1, occurrence=2, **SHOWN),
            {"type": "text", "content": " "},
            citation(displayNumber=None, occurrence=0, **missing),
            {"type": "text", "content": "."},
        ],
        "sources": [{"displayNumber": 1, **SHOWN}, {"displayNumber": 2, **b}],
    }


def test_dropped_markers_do_not_cut_the_text():
    """Text around a marker that shows nothing is one segment."""
    answer = cite("A [doc:x]. B", [MINUTES], unresolved="drop")

    assert json.loads(render(answer, "json"))["segments"] == [
        {"type": "text", "content": "A. B"}
    ]


def test_places_and_words():
    """Places in a source, and the words it supports, are told if the marker tells them."""
    source, page = Source("m", title="Minutes"), Location("page", 2, 3)
    line = Location("line", 8, 14)
    tag = Marker(5, 25, "<co>by half</co: 0>", "co", ("0",), "by half", (9, 16))
    segments = (
        TextSegment("Fell "),
        CitationSegment(tag, (Citation("0", source, 1, 1, (page, line)),)),
        CitationSegment(
            Marker(24, 27, "[0]", "number", ("0",)), (Citation("0", source, 1, 2),)
        ),
    )

    parts = json.loads(render(Answer(segments, (source,)), "json"))["segments"]

    assert [part["type"] for part in parts] == ["text", "citation", "citation"]
    assert parts[0]["content"] == "Fell by half"
    assert parts[1]["span"] == [9, 16]
    assert parts[1]["citation"]["locations"] == [
        {"unit": "page", "start": 2, "end": 3},
        {"unit": "line", "start": 8, "end": 14},
    ]
    assert "span" not in parts[2]
    assert "locations" not in parts[2]["citation"]


def test_repeated_numbers():
    """A number that follows itself is told once, unless it is for another place."""
    source = Source("m")

    def cited(*places):
        marker = Marker(0, 3, "[0]", "number", ("0",))
        return CitationSegment(marker, (Citation("0", source, 1, 1, places),))

    pages = [Location("page", n, n + 1) for n in (1, 1, 2)]
    answer = Answer((*(cited(page) for page in pages), TextSegment(" "), cited()), (source,))

    told = json.loads(render(answer, "json"))["segments"]

    assert [part["citation"].get("locations") for part in told if "citation" in part] == [
        [{"unit": "page", "start": 1, "end": 2}],
        [{"unit": "page", "start": 2, "end": 3}],
        None,
    ]


def test_output_may_stand_in_a_script():
    """The output is ASCII without the characters that HTML acts on, and strict JSON."""
    text = "</script><!-- & \u2028 \ud83d é '\"\\ "

    output = render(cite(text, [MINUTES]), "json")

    assert output.isascii()
    assert not set("<>&") & set(output)
    assert json.loads(output)["segments"][0]["content"] == text.replace("\ud83d", "\ufffd")


@pytest.mark.parametrize("score", [float("nan"), float("inf"), True, "high", 10**400])
def test_values_of_wrong_types(score):
    """Fields that hold what they should not are null, and what JSON cannot say is not said."""
    source = Source("a", title=None, url=7, text=None, page=1.5, kind=1.5, score=score)
    marker = Marker(0, 3, "[1]", "number", ("1",))
    answer = Answer((CitationSegment(marker, (Citation("1", source, 1, 1),)),), (source,))

    [entry] = json.loads(render(answer, "json"), parse_constant=pytest.fail)["sources"]

    assert entry == {**NOTHING, "sourceKey": "a", "title": "a", "displayNumber": 1}


@pytest.mark.parametrize(
    ("page", "expected"),
    [(3, 3), ("iv", "iv"), (True, None), (10**5_000, None), (-(10**20), None), ("", None)],
    ids=lambda value: type(value).__name__,
)
def test_pages(page, expected):
    """A page is a name or a number that every reader of JSON keeps, else null."""
    source = Source("a", page=page)
    citation = CitationSegment(Marker(0, 1, "x", "f", ("1",)), (Citation("1", source, 1, 1),))

    [entry] = json.loads(render(Answer((citation,), (source,)), "json"))["sources"]

    assert entry["page"] == expected


def test_indent():
    """With an indent the output is the same value in several lines."""
    answer = cite("A [1].", [MINUTES])

    pretty = render(answer, "json", indent=2)

    assert pretty.startswith('{\n  "version": 1,\n')
    assert json.loads(pretty) == JsonRenderer().render_value(answer)


@pytest.mark.parametrize("indent", [-1, "2", True])
def test_bad_indent(indent):
    """An indent that is no number of blanks raises."""
    with pytest.raises(RendererOptionError, match="indent"):
        render(cite("", []), "json", indent=indent)

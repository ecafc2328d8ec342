"""Brackets of prose, code and forms are no citations, whatever sources there are.

``corpora/prose.jsonl`` holds short texts, none of which cites anything: one object a line, with
``why`` the brackets are there.  Those marked ``titled`` come close to an id or a title of
``TITLED``.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from case_kinds import EXAMPLE
from hypothesis import given
from hypothesis import strategies as st

from citemark import AnswerStream, CitationSegment, Source, Sources, cite, find_markers
from citemark.formats import ALL, DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.formats import FormatSet
    from citemark.model import Segment

CITING = Path(__file__).parent / "cases" / "citing.md"
CORPUS = Path(__file__).parent / "corpora" / "prose.jsonl"
TEXTS: list[dict[str, Any]] = [
    json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()
]

NUMBERED = Sources(
    Source(f"s{number}", title=title, url=f"https://example.org/{number}")
    for number, title in enumerate(
        (
            "Refund policy",
            "Delivery times",
            "Annual report 2023",
            "Safety data sheet",
            "Minutes of the board",
            "Price list",
            "User guide",
            "Survey of wells",
            "Travel advice",
        ),
        1,
    )
)
TITLED = Sources(
    Source(key, title=title, url=f"https://example.org/files/{key}")
    for key, title in {
        "policy.pdf": "Terms and conditions",
        "handbook-2024.docx": "The company handbook",
        "pqac-a020507f": "What to do after a fall",
        "minutes_2023-11.md": "Notes from the spring meeting",
        "a1b2c3d4": "A short history of the bridge",
        "faq-returns": "Opening hours",
        "file-7Kq2Zx": "Water levels in May",
        "chunk_5": "Who may apply",
        "kb/article-9": "How we measure noise",
    }.items()
)

each_text = pytest.mark.parametrize(
    "text", [pytest.param(t["text"], id=t["id"]) for t in TEXTS]
)
each_sources = pytest.mark.parametrize(
    "sources", [pytest.param(NUMBERED, id="numbered"), pytest.param(TITLED, id="titled")]
)


def cited(segments: Iterable[Segment]) -> list[str]:
    """Return the markers with a key that names a source."""
    return [
        segment.raw
        for segment in segments
        if isinstance(segment, CitationSegment)
        and any(citation.source is not None for citation in segment.citations)
    ]


@each_sources
@each_text
def test_nothing_is_cited(text: str, sources: Sources) -> None:
    """No marker of a text that does not cite names a source, and nothing of it is lost."""
    answer = cite(text, sources)

    assert cited(answer.segments) == []
    assert answer.text == text


@each_sources
@each_text
def test_nothing_is_cited_in_a_stream(text: str, sources: Sources) -> None:
    """The same, character by character."""
    stream = AnswerStream(sources)
    segments = [segment for character in text for segment in stream.feed(character)]
    segments += stream.close()

    assert cited(segments) == []
    assert "".join(segment.raw for segment in segments) == text


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("So it was in May [1].", NUMBERED),
        ("So it was in May [2, 9].", NUMBERED),
        ("So it was in May [9].", TITLED),
        ("So it was in May [policy.pdf].", TITLED),
        ("So it was in May [[Opening hours]].", TITLED),
        ("So it was in May [levels](https://example.org/files/chunk_5).", TITLED),
    ],
)
def test_the_sources_can_be_cited(text: str, sources: Sources) -> None:
    """The corpus would prove nothing with sources that no marker names."""
    assert len(cited(cite(text, sources).segments)) == 1


CLUES = (
    " ", "  ", "\n", "\n\n", "\n- ", "\n> ", "\n.. ", "# ", '"', "“", ": ", "key: ",
    "\n$ x\n", "= ", " = ", "=", "∈ ", "∈", "× ", " + ", " – ", " → ", "{", "{2}", "+", "+  ",
    "[Ctrl]+", "[0-9]", "\\d", " ^", "(?<a>", "f(", "torch.Size(", "max(", "(", ")", "x in ",
    "in ", "on ", "the ", "interval ", "closed interval ", "QT interval ", "95% CI ",
    "IC 95 % ", "区间", "区间 ", "按", "键", "구간 ", "번을", "press ", "Please press ",
    "Press ", "Eqs. ", "at paras ", "range ", "in the range ", "scale of ", "return ", " key",
    "Drücken Sie die ", "5 − ", " = 3", "[2] = 5", " = {", " + [4] = [1]", "A ", "catenane",
    "and ", "aneS3", "-phenyl", "723", "_q", "_a_", "_ ", "$ ", "/5", "/td", "//tr", "SELECT ",
    "ARRAY", "vec!", "&", "&& ", "In ", "Out", "\nIn ", "χ²", "için ", " tuş", " aralığ",
    "लिए ", " दबा", ".tex", ".", "'.", ".name", "['k']", '"ids": ', '{"ids": ', "Refunds ",
    "reports ", "打开", "指出", "ふた", "は", "افتح ", "에 ", ", ", ",", ";", " · ", "A[i] ",
    "A", "x", "arr", "sys.argv", "word", "char x", "x = y", "😀", "\t", ":, ", "A(:, ",
    "%", " %", "kill %", "d ", "d", "10^", "x^", "^", "H", "CO", "O", "log", " n",
    "The vector ", " is", "list like ", "a list such as ", "of shape ", "\nshape ",
    "\nOutput: ", "from ", "number between ", "scale from ", " to ", " and ", " out of 5",
    " stars", "gave it ", "Figure ", "In Table ", "the Table ", "Step ", "**Step ",
    "see line ", " of the ", "LINE ", "in page ", "第", "見", "頁", "表", "配列", "-Wittig",
    " hydride shift", " H shift", " sigmatropic", "\n## ", " 3 4 5", " 12345", "-", "<!-- ",
    " -->", "The array ",
)  # fmt: skip
BRACKETS = (
    "[1]", "[2]", "[3]", "[1, 2]", "[1,3]", "[2; 5]", "[1-3]", "[1, 2, 1]", "[1,234]", "【1】",
    "[[1]]", "[^1]", "<<1>>", "[٢]", "[Source 1]", "[s1]",
)  # fmt: skip
MIXED = st.lists(
    st.sampled_from(CLUES) | st.sampled_from(BRACKETS), min_size=2, max_size=9
).map("".join)
FORMATS = st.sampled_from((DEFAULT, ALL))


def without_shortcuts(formats: FormatSet) -> FormatSet:
    return type(formats)(replace(row, shortcut="") for row in formats)


@given(text=MIXED, formats=FORMATS, known=st.sampled_from((None, NUMBERED)))
def test_a_closer_look_changes_nothing(text: str, formats: FormatSet, known: Sources) -> None:
    """Common markers are made without a look at what is around them: rightly so."""
    looked_at = find_markers(text, formats=without_shortcuts(formats), known=known)

    assert find_markers(text, formats=formats, known=known) == looked_at


@given(text=MIXED, formats=FORMATS, data=st.data())
def test_streams_judge_alike(text: str, formats: FormatSet, data: st.DataObject) -> None:
    """However a text is cut, the same of it is prose."""
    size = data.draw(st.integers(1, 6), "code points of a chunk")
    stream = AnswerStream(NUMBERED, formats=formats)
    for start in range(0, len(text), size):
        stream.feed(text[start : start + size])
    stream.close()

    assert stream.answer == cite(text, NUMBERED, formats=formats)


def test_citing_texts() -> None:
    """The texts that cite are many, and a stream reads them as a whole."""
    texts = [match["input"] for match in EXAMPLE.finditer(CITING.read_text(encoding="utf-8"))]
    for text in texts:
        stream = AnswerStream(NUMBERED)
        for character in text:
            stream.feed(character)
        stream.close()
        assert stream.answer == cite(text, NUMBERED)

    assert len(texts) >= 70
    assert sum(len(cited(cite(text, NUMBERED).segments)) for text in texts) >= 250


def test_breadth() -> None:
    """The texts are many, of many languages, fields and kinds, and none stands there twice."""
    languages = Counter(text["language"] for text in TEXTS)

    assert len(TEXTS) >= 240
    assert len({text["id"] for text in TEXTS}) == len(TEXTS)
    assert len({text["text"] for text in TEXTS}) == len(TEXTS)
    assert sum(count >= 8 for count in languages.values()) >= 12
    assert len({text["field"] for text in TEXTS}) >= 40
    assert len({text["why"] for text in TEXTS}) >= 200
    assert sum(text.get("sources") == "titled" for text in TEXTS) >= 10

"""Sentences of any answer: in order, in the text, and none of its citations is lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import POLICIES, SOURCES, TEXTS

from citemark import cite
from citemark.checks import coverage, sentences, split_sentences

FORMS = (
    "[1]",
    "[1, 2]",
    "[1][2]",
    "【1】",
    "[[1]]",
    "[^1]",
    "<<p>>",
    "[doc:p]",
    "[9]",
    "[1-2]",
)
PLAIN = [{"id": "p"}, {"id": "q"}]
STATED = (
    "Tides rise", "Fish swim in 3.5 fathoms", "Dr. J. K. Rowe left the U.S. for St. Ives",
    "潮水上涨",
    "The gate, e.g. at Ely, opens", "Он родился в 1799 г. в Москве", "“Go home,” she said",
    "Am 3. Oktober kam er z. B. an", "المد يرتفع", "ज्वार आते हैं", "He read `a. B. c` twice",
)  # fmt: skip
STOPS = {"潮水上涨": "。", "ज्वार आते हैं": "।"}
PLACES = (
    "{words} {mark}{stop}",
    "{words}{mark}{stop}",
    "{words}{stop}{mark}",
    "{words}{stop} {mark}",
)


PIECES = (
    *STATED,
    *(words + STOPS.get(words, ".") for words in STATED),
    *("- ", "\n", "\n\n", "> ", "# ", "| a | b |\n|---|---|\n| c | d |", "🐟", ". ", "?"),
    *("\n\n[n]", "[n]", "[n].", "[n]"),
)
"""``[n]`` is a marker; each of a text has a number of its own."""


@st.composite
def told(draw: st.DrawFn) -> str:
    """Return some sentences with markers, in and out of blocks."""
    text = draw(st.sampled_from(("", " "))).join(draw(st.lists(st.sampled_from(PIECES))))
    for number in range(1, text.count("[n]") + 1):
        text = text.replace("[n]", f"[{number}]", 1)
    return text


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, str]:
    """Return some sentences without markers, and the same with one at the end of some."""
    bare: list[str] = []
    cited: list[str] = []
    for words in draw(st.lists(st.sampled_from(STATED), min_size=1, max_size=5)):
        stop = STOPS.get(words, ".")
        place = draw(st.sampled_from(("{words}{stop}", *PLACES)))
        mark = draw(st.sampled_from(FORMS))
        bare.append(words + stop)
        cited.append(place.format(words=words, stop=stop, mark=mark))
    blank = draw(st.sampled_from((" ", "  ", "\n")))
    return blank.join(bare), blank.join(cited)


def cut(text: str) -> list[str]:
    """Return the sentences without their blanks: cutting out a marker may leave one."""
    return ["".join(one.text.split()) for one in sentences(cite(text, PLAIN))]


@given(marked())
def test_markers_do_not_change_the_cut(texts):
    """The words are cut in the same places, whatever markers stand at their ends, and where."""
    bare, cited = texts
    assert cut(cited) == cut(bare)


@given(TEXTS | told(), SOURCES, POLICIES)
def test_sentences_are_in_order(text, sources, policy):
    """They do not overlap, lie in the text, start and end with what is no blank."""
    found = sentences(cite(text, sources, unresolved=policy))
    for one in found:
        words = text[one.start : one.end]
        assert words
        assert words == words.strip()
        assert one.text == " ".join(one.text.split())
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert all(first.block <= second.block for first, second in pairwise(found))


@given(TEXTS | told(), SOURCES)
def test_nothing_is_cited_that_is_not(text, sources):
    """Each citation of a sentence is one of the answer, and each claim is in one heap."""
    answer = cite(text, sources)
    known = {citation.source for citation in answer.citations}
    found = coverage(answer)
    assert all(c.source in known for one in found.sentences for c in one.citations)
    heaps = (*found.cited, *found.uncited, *found.unresolved)
    assert sorted(one.start for one in heaps) == [
        one.start for one in found.sentences if one.role == "claim"
    ]


@given(told())
def test_no_citation_is_lost(text):
    """What is cited is cited for a sentence, unless none stands before it."""
    answer = cite(text, [{"id": f"s{n}"} for n in range(99)])
    found = sentences(answer)
    shown = {citation.source for one in found for citation in one.citations}
    first = min((one.start for one in found), default=len(text))
    behind = {
        citation.source
        for segment, start in _placed(answer)
        if start >= first
        for citation in segment.citations
        if citation.source
    }
    assert behind <= shown


def _placed(answer):
    """Yield the citations of an answer with where they stand."""
    at = 0
    for segment in answer.segments:
        if hasattr(segment, "citations"):
            yield segment, at
        at += len(segment.raw)


@given(
    TEXTS
    | told()
    | st.text(st.characters() | st.sampled_from(".!?。\ud800\x00 \n"), max_size=80)
)
def test_split_covers_the_words(text):
    """Ranges are in order, and only blanks stand between them."""
    at = 0
    for start, end in split_sentences(text):
        assert text[at:start].strip() == ""
        assert at <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""


@pytest.mark.parametrize("scope", ["strict", "paragraph"])
@given(text=TEXTS | told())
@settings(max_examples=50)
def test_scopes(scope, text):
    """The wider scope never finds less, and never takes an unknown key for a source."""
    answer = cite(text, PLAIN)
    strict, found = coverage(answer), coverage(answer, scope=scope)
    assert set(strict.cited) <= set(found.cited)
    assert strict.unresolved == found.unresolved

"""Sentences and coverage: places, provider citations, scopes, and why nothing is cited."""

from __future__ import annotations

from functools import partial

import pytest

from citemark import Answer, Citation, CitationSegment, Marker, Source, TextSegment, cite
from citemark.checks import SplitterError, check, claims, coverage, metrics, sentences
from citemark.errors import ArgumentTypeError, CitemarkError
from citemark.model import Issue

SOURCES = [{"id": "a", "title": "Almanac"}, {"id": "b", "title": "Board"}]
TEXT = "Tides rise. They fall twice a day. Fish swim."


def placed(text, at, kind, span=None):
    """Return an answer of which a provider says what it cites, with no marker in the text."""
    source = Source("a", title="Almanac")
    marker = Marker(at, at, "", kind, ("a",), span=span)
    cited = CitationSegment(marker, (Citation("a", source, 1, 1),))
    segments = (TextSegment(text[:at]), cited, TextSegment(text[at:]))
    return Answer(tuple(one for one in segments if one.raw or one is cited), (source,))


def cited_of(answer, **options):
    return [(one.text, len(one.citations)) for one in sentences(answer, **options)]


def test_places():
    """A range begins and ends with the words, and leaves out markers behind them."""
    text = "# Tides\n\n  The **moon** [1] pulls. [2]\n> - Gulls\n>   cry [1]\n"
    found = sentences(cite(text, SOURCES))
    assert [text[one.start : one.end] for one in found] == [
        "Tides",
        "The **moon** [1] pulls.",
        "Gulls\n>   cry",
    ]
    assert [one.text for one in found] == ["Tides", "The **moon** pulls.", "Gulls cry"]
    assert [one.block for one in found] == [0, 1, 2]


def test_words_of_a_provider():
    """A provider's citation is for the words it names: all sentences that they touch."""
    answer = placed(TEXT, 34, "claim", span=(6, 34))
    assert cited_of(answer) == [
        ("Tides rise.", 1),
        ("They fall twice a day.", 1),
        ("Fish swim.", 0),
    ]


def test_place_of_a_provider():
    """Without words it is for the sentence that it stands at the end of."""
    answer = placed(TEXT, 11, "point")
    assert [count for _, count in cited_of(answer)] == [1, 0, 0]


def test_whole_message():
    """What is cited for the answer as a whole is cited for none of its claims."""
    answer = placed(TEXT, len(TEXT), "message")
    found = coverage(answer)
    assert (found.coverage, found.reason, len(found.uncited)) == (0.0, None, 3)


def test_tags_around_words():
    """A tag is for what it covers, and its words are those of the sentence."""
    answer = cite(
        '<cite id="a">Tides rise. They fall.</cite> Fish <cite id="b">swim</cite>.', SOURCES
    )
    assert cited_of(answer) == [("Tides rise.", 1), ("They fall.", 1), ("Fish swim.", 1)]


def test_stored_answer():
    """An answer that was stored and read again has the same coverage."""
    answer = cite("Tides rise [1]. They fall [9]. Fish swim.", SOURCES)
    assert coverage(Answer.from_dict(answer.to_dict())) == coverage(answer)


@pytest.mark.parametrize("how", ["keep", "drop", "parse"])
def test_lists_of_sources(how):
    """A list of sources that the model wrote holds no claims, shown or not."""
    text = "Tides rise [1].\n\nSources:\n[1] Almanac. Page 4.\n[2] Board."
    assert cited_of(cite(text, SOURCES, source_list=how)) == [("Tides rise.", 1)]


@pytest.mark.parametrize("unresolved", ["keep", "mark", "drop"])
def test_policies(unresolved):
    """How unknown keys are shown does not change what is cited."""
    answer = cite(
        "Tides rise [9]. They fall <<zz>>. Fish swim [2].", SOURCES, unresolved=unresolved
    )
    found = coverage(answer)
    assert [one.unresolved for one in found.unresolved] == [("9",), ("zz",)]
    assert [one.text for one in found.cited] == ["Fish swim."]


def test_figures():
    """Counts and share; None where there is nothing to share."""
    found = coverage(cite("Tides rise [1]. They fall [9]. Fish swim. Why?", SOURCES))
    assert (found.claims, found.coverage) == (3, 1 / 3)
    assert coverage(cite("", SOURCES)).coverage is None
    assert coverage(cite("# Tides\n\nWhy?", SOURCES)).coverage is None


@pytest.mark.parametrize(
    ("answer", "given", "reason"),
    [
        (cite("Tides rise [1].", SOURCES), None, None),
        (cite("Why?", SOURCES), None, None),
        (cite("Tides rise [9].", SOURCES), None, "unknown_keys"),
        (cite("Tides rise.", SOURCES), 2, "not_followed"),
        (cite("Tides rise.", SOURCES), None, "not_followed"),
        (cite("Tides rise.", []), 0, "no_sources"),
        (
            Answer(
                (TextSegment("Tides rise."),), (), issues=(Issue("no_sources", 0, 0, "None."),)
            ),
            None,
            "no_provider_data",
        ),
    ],
)
def test_reasons(answer, given, reason):
    """Why nothing is cited: four causes are told apart, and there is none where it is cited."""
    assert coverage(answer, given=given).reason == reason


def test_paragraph_scope():
    """A citation counts for the claims before it in its paragraph, not for those after it."""
    text = "Tides rise. They fall [1]. Fish swim.\n\nGulls cry."
    found = coverage(cite(text, SOURCES), scope="paragraph")
    assert [one.text for one in found.cited] == ["Tides rise.", "They fall."]
    assert [one.text for one in found.uncited] == ["Fish swim.", "Gulls cry."]


def test_other_splitter():
    """A splitter gets paragraphs without markers and code, and its ranges are kept."""
    seen = []

    def by_semicolon(text):
        seen.append(text)
        at = text.find(";") + 1
        return [(0, at), (at, len(text))] if at else [(0, len(text))]

    answer = cite("Tides rise [1]; they `a;b` fall.\n\n- Fish swim [2].", SOURCES)
    assert cited_of(answer, splitter=by_semicolon) == [
        ("Tides rise;", 1),
        ("they `a;b` fall.", 0),
        ("Fish swim.", 1),
    ]
    assert seen == ["Tides rise; they XXXXX fall.", "Fish swim."]


def test_claims_are_sentences_that_state_something():
    """``claims`` leaves out the rest, and keeps the order."""
    answer = cite("Hello! Tides rise [1]. Why? They fall.", SOURCES)
    assert claims(answer) == tuple(s for s in sentences(answer) if s.role == "claim")
    assert [one.text for one in claims(answer)] == ["Tides rise.", "They fall."]


@pytest.mark.parametrize("scope", ["x", "Paragraph", "", None])
def test_unknown_scopes_are_refused(scope):
    """A scope that is none would be taken for the strict one."""
    answer = cite("Tides rise [1].", SOURCES)
    for use in (coverage, check, partial(Answer.require, coverage=1)):
        with pytest.raises(CitemarkError, match=r"scope=.*'strict', 'paragraph'"):
            use(answer, scope=scope)
    with pytest.raises(CitemarkError, match="scope="):
        metrics([], scope=scope)


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ([], "no range holds these words: 'Tides rise. They fall.'"),
        ([(0, 11)], "no range holds these words: 'They fall.'"),
        ([(12, 22)], "no range holds these words: 'Tides rise.'"),
        ([(0, 99)], "0:99 is no range of a text of 22 code points"),
        ([(-3, 22)], "-3:22 is no range"),
        ([(9, 3)], "9:3 is no range"),
        ([(0, 12), (6, 22)], "6:22 begins before the end of the range before it: 'rise. '"),
    ],
)
def test_splitters_must_take_all_words(ranges, said):
    """What is in no range would be no claim: it is told what was left out."""
    answer = cite("Tides rise. They fall [1].", SOURCES)
    with pytest.raises(SplitterError) as caught:
        coverage(answer, splitter=lambda _: ranges)
    assert said in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("given", [None, "ab", 5, [5], [(1,)], [("a", "b")], [(0.0, 1.0)]])
def test_splitters_must_give_ranges(given):
    """What is no list of pairs of numbers is refused, as is what cannot be called."""
    answer = cite("Tides rise.", SOURCES)
    with pytest.raises(ArgumentTypeError, match="splitter: expected ranges"):
        coverage(answer, splitter=lambda _: given)
    with pytest.raises(ArgumentTypeError, match="splitter: expected a function"):
        coverage(answer, splitter="en")


def test_splitters_may_leave_out_what_is_no_word():
    """Blanks and signs between ranges are nobody's words; pairs may be lists."""
    answer = cite("Tides rise. – They fall [1].", SOURCES)
    found = coverage(answer, splitter=lambda text: [[0, 11], [14, len(text)]])
    assert [one.text for one in found.sentences] == ["Tides rise.", "They fall."]


def test_marks_beside_breaks():
    """A provider's citation at a line end, and markers after a tag, stay with the words."""
    text = "Tides rise\nThey fall\nFish swim"
    assert [count for _, count in cited_of(placed(text, 20, "point"))] == [0, 1, 0]
    answer = cite("<p>Tides rise.</p> [1]\n<p>They fall.</p>\n<p>Fish swim.</p>[2]", SOURCES)
    assert cited_of(answer) == [("Tides rise.", 1), ("They fall.", 0), ("Fish swim.", 1)]


def test_lines_that_begin_with_markers():
    """They are for their line if the first one begins so, else for the line before."""
    assert cited_of(cite("<<a>> Tides rise\n<<b>> Fish swim\nGulls cry", SOURCES)) == [
        ("Tides rise", 1),
        ("Fish swim", 1),
        ("Gulls cry", 0),
    ]
    assert cited_of(cite("Tides rise\n[1] Fish swim", SOURCES)) == [
        ("Tides rise", 1),
        ("Fish swim", 0),
    ]

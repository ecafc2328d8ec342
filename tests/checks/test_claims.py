"""Sentences and coverage: places, provider citations, scopes, and why nothing is cited."""

from __future__ import annotations

import pytest

from citemark import Answer, Citation, CitationSegment, Marker, Source, TextSegment, cite
from citemark.checks import claims, coverage, sentences
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

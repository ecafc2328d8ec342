"""Structured replies: what goes in, what is refused, and that nothing in a reply raises."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from citemark import CitationSegment, Numbering, Sources, cite
from citemark.checks import coverage, verify_quotes
from citemark.errors import (
    CitemarkError,
    SourcesChangedError,
    StructuredReplyError,
    UnresolvedError,
)
from citemark.formats import ALL
from citemark.integrations.pydantic import ClaimList
from citemark.structured import from_structured

SOURCES = Sources(
    [
        {"id": "pol-12", "title": "Refunds", "text": "Refunds take five working days."},
        {"id": "faq", "title": "Questions", "text": "Express is not refunded at all."},
        {"id": "twin-a", "title": "Twin"},
        {"id": "twin-b", "title": "Twin"},
    ]
)
CLAIMS = {
    "claims": [
        {"text": "Refunds take five days.", "citations": ["1"]},
        {"text": "Express is not refunded [1].", "citations": ["2", "1"]},
    ]
}


def ids(answer):
    """Return the ids that each marker cites."""
    return [
        [citation.source.id for citation in segment.citations if citation.source]
        for segment in answer.segments
        if isinstance(segment, CitationSegment)
    ]


@pytest.mark.parametrize("second", ["answer", "text", "Response", "content", "refusal"])
@pytest.mark.parametrize("first", ["answer", "text", "response"])
def test_words_of_two_fields_are_kept(first, second):
    """Whatever the two are called, in whichever order; such a reply can be sent back."""
    reply = f'{{"{first}": "Tin is soft.", "citations": [], "{second}": "Lead is not."}}'
    answer = from_structured(reply, SOURCES)
    assert sorted(answer.text.split("\n\n")) == ["Lead is not.", "Tin is soft."]
    assert [issue.code for issue in answer.issues] == ["reply_form"]
    with pytest.raises(StructuredReplyError, match=r"more than once|stands beside"):
        from_structured(reply, SOURCES, repair=False)


@pytest.mark.parametrize(
    "result",
    [
        CLAIMS,
        json.dumps(CLAIMS),
        json.dumps(CLAIMS, indent=2),
        f"```json\n{json.dumps(CLAIMS)}\n```",
        json.dumps(json.dumps(CLAIMS)),
        SimpleNamespace(model_dump=lambda: CLAIMS),
    ],
)
def test_all_ways_to_give_a_reply_are_one(result):
    """A dict, its JSON, a fence around it, JSON in JSON, and an object that can be dumped."""
    answer = from_structured(result, SOURCES)
    assert answer == from_structured(CLAIMS, SOURCES)
    assert answer.text == "Refunds take five days. Express is not refunded [1]."
    assert (ids(answer), answer.issues) == ([["pol-12"], ["pol-12"], ["faq"]], ())
    assert coverage(answer).coverage == 1


def test_text_alone_is_the_same_as_cite():
    """An answer whose list says nothing more than its markers is that of its text."""
    text = "Five days [1]. Express is not [doc:faq], see [9]."
    reply = {"answer": text, "citations": [1, "faq"]}
    assert from_structured(reply, SOURCES) == cite(text, SOURCES)


def test_claims_cite_as_markers_after_them_do():
    """Numbers, occurrences and coverage are those of the text with markers written in."""
    claims = [("Five days.", ["2"]), ("Ever?", []), ("None.", ["1", "2"]), ("Ten.", ["9"])]
    reply = {"claims": [{"text": text, "citations": cited} for text, cited in claims]}
    written = " ".join(text + "".join(f"[{one}]" for one in cited) for text, cited in claims)
    ours, theirs = from_structured(reply, SOURCES), cite(written, SOURCES)
    assert [(c.source, c.number, c.occurrence) for c in ours.citations] == [
        (c.source, c.number, c.occurrence) for c in theirs.citations
    ]
    assert (ours.sources, ours.unresolved) == (theirs.sources, theirs.unresolved)
    assert [
        len(getattr(coverage(ours), name)) for name in ("cited", "uncited", "unresolved")
    ] == [len(getattr(coverage(theirs), name)) for name in ("cited", "uncited", "unresolved")]


def test_quotes_are_looked_up_in_their_sources():
    """A quote that a reply lists is verified, as one that a provider gives."""
    cited = [
        {"source": "1", "quote": "take five working days"},
        {"source": "2", "quote": "Refunds take five working"},
        {"source": "2", "quote": "Express is always refunded"},
    ]
    reply = {"answer": "Five days [1]. Express is not [2].", "citations": cited}
    checks = verify_quotes(from_structured(reply, SOURCES))
    assert [check.verdict for check in checks] == ["verified", "misattributed", "altered"]


def test_ambiguous_label_names_nothing():
    """Two sources have the title; the issue says so, and a model is told."""
    reply = {"claims": [{"text": "Both.", "citations": ["Twin"]}]}
    answer = from_structured(reply, SOURCES)
    assert (ids(answer), answer.unresolved) == ([[]], ("Twin",))
    assert [issue.code for issue in answer.issues] == ["unresolved", "ambiguous"]
    with pytest.raises(StructuredReplyError, match='names no source: "Twin"'):
        from_structured(reply, SOURCES, repair=False)


def test_ids_that_are_numbers_are_no_positions():
    """With ids as labels 2 is the id, not the second source; without, it is the position."""
    records = [{"id": "3"}, {"id": "2"}, {"id": "1"}]
    reply = {"claims": [{"text": "A.", "citations": [3, "2"]}]}
    assert ids(from_structured(reply, Sources(records, label="id"))) == [["3", "2"]]
    assert ids(from_structured(reply, Sources(records, label="number"))) == [["1", "2"]]


def test_a_number_is_never_an_id():
    """A position that there is not names nothing, though a source has that id."""
    reply = {"claims": [{"text": "A.", "citations": [7, "7"]}]}
    answer = from_structured(reply, Sources([{"id": "7"}], label="number"))
    assert (ids(answer), answer.unresolved) == ([[]], ("7",))


def test_quotes_that_are_left_are_citations_of_their_own():
    """The marker has a key for each, and occurrences count on."""
    cited = [{"source": 1, "quote": "take five"}, {"source": 1, "quote": "working days"}]
    claims = [
        {"text": "Five [1, p. 2].", "citations": cited},
        {"text": "So [1].", "citations": []},
    ]
    answer = from_structured({"claims": claims}, SOURCES)
    markers = [one.marker for one in answer.segments if isinstance(one, CitationSegment)]
    assert [(marker.keys, len(marker.locations)) for marker in markers] == [
        (("1", "1"), 2),
        (("1",), 0),
    ]
    assert [(one.occurrence, one.quote) for one in answer.citations] == [
        (1, "take five"),
        (2, "working days"),
        (3, ""),
    ]


def test_lenient_look_up_is_that_of_the_sources():
    """A label in other case names its source only if the sources are lenient."""
    reply = {"claims": [{"text": "A.", "citations": ["POL-12"]}]}
    assert ids(from_structured(reply, SOURCES)) == [[]]
    answer = from_structured(reply, Sources(SOURCES, lenient=True))
    assert ids(answer) == [["pol-12"]]
    assert [issue.code for issue in answer.issues] == ["lenient"]


def test_options_are_those_of_cite():
    """Numbering goes on, unknown keys raise if asked, other formats and sources as well."""
    numbering = Numbering()
    from_structured(CLAIMS, SOURCES, numbering=numbering)
    reply = {"claims": [{"text": "A.", "citations": [3, 2]}]}
    answer = from_structured(reply, SOURCES, numbering=numbering, consulted=True)
    assert [citation.number for citation in answer.citations] == [3, 2]
    assert [source.id for source in answer.consulted] == ["pol-12", "twin-b"]
    with pytest.raises(UnresolvedError):
        from_structured(
            {"claims": [{"text": "A.", "citations": [9]}]}, SOURCES, unresolved="raise"
        )
    text = {"answer": "See {1}.", "citations": []}
    assert ids(from_structured(text, SOURCES, formats=ALL)) == [["pol-12"]]


def test_a_refused_reply_uses_up_no_number():
    """The retry counts from where the refused one did."""
    numbering = Numbering()
    bad = {"claims": [{"text": "A.", "citations": [2, 9]}]}
    with pytest.raises(StructuredReplyError):
        from_structured(bad, SOURCES, numbering=numbering, repair=False)
    answer = from_structured(CLAIMS, SOURCES, numbering=numbering, repair=False)
    assert [citation.number for citation in answer.citations] == [1, 1, 2]
    assert answer == from_structured(CLAIMS, SOURCES)


def test_fingerprint_is_checked_and_kept():
    """Another list than that of the prompt is refused."""
    fingerprint = SOURCES.fingerprint
    answer = from_structured(CLAIMS, SOURCES, fingerprint=fingerprint)
    assert answer.fingerprint == fingerprint
    with pytest.raises(SourcesChangedError):
        from_structured(CLAIMS, Sources(reversed(list(SOURCES))), fingerprint=fingerprint)


@pytest.mark.parametrize("result", [None, 5, b"{}", SOURCES, object])
def test_what_is_no_reply_is_refused(result):
    """That is a mistake of the caller."""
    with pytest.raises(CitemarkError, match="expected an object of a form"):
        from_structured(result, SOURCES)


def test_thoughts_before_the_reply_are_kept_beside_it():
    """They are no part of the answer, and their JSON is not read."""
    answer = from_structured(f'<think>{{"claims": 1}}</think>\n{json.dumps(CLAIMS)}', SOURCES)
    assert answer.text == from_structured(CLAIMS, SOURCES).text
    [aside] = answer.asides
    assert (aside.channel, aside.segments[0].raw) == ("thinking", '{"claims": 1}')


def test_message_for_the_model_is_short_and_on_lines_of_its_own():
    """Hundreds of faults, long labels and line ends in them do not blow it up."""
    cited = [f"no\nsuch {n} {'x' * 500}" for n in range(300)]
    reply = {"claims": [{"text": "A.", "citations": cited}]}
    many = Sources([{"id": f"s{n}"} for n in range(1_000)])
    with pytest.raises(StructuredReplyError) as caught:
        from_structured(reply, many, repair=False)
    lines = str(caught.value).splitlines()
    assert len(lines) == 24
    assert lines[1].startswith('- claims[0].citations[0] names no source: "no\\nsuch 0 xxx')
    assert lines[-3] == "- … and 80 more."
    assert max(map(len, lines[:-2])) < 200
    assert lines[-2].endswith('"100" and 900 more.')


@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_each_cut_keeps_what_came(ensure_ascii):
    """At every cut the words are a beginning of the whole, and so are the sources."""
    reply = {
        "claims": [
            {"text": "Café “1” costs 5 €\\.", "citations": ["2", 15, "17"]},
            {"text": "\U0001f600 is 7.", "citations": [{"source": "faq", "quote": "é\n"}]},
        ]
    }
    many = Sources([{"id": f"s{n}"} for n in range(1, 20)] + [{"id": "faq"}])
    written = json.dumps(reply, ensure_ascii=ensure_ascii)
    whole = from_structured(written, many)
    assert ids(whole) == [["s2", "s15", "s17"], ["faq"]]
    start = len('{"claims": [{"text": "')
    for end in range(start + 1, len(written)):
        answer = from_structured(written[:end], many)
        assert whole.text.startswith(answer.text.rstrip("\ufffd\\"))
        cited = [source.id for source in answer.sources]
        assert cited == ["s2", "s15", "s17", "faq"][: len(cited)]
        assert "reply_cut" in [issue.code for issue in answer.issues]


def test_a_dict_without_any_field_is_its_json():
    """No words are lost, unless nobody can write them down: it holds itself."""
    assert (
        from_structured({"colour": "grey", 1: {2}}, SOURCES).text
        == '{"colour": "grey", "1": "{2}"}'
    )
    circle = {"a": 1, "b": []}
    circle["b"].append(circle)
    assert from_structured(circle, SOURCES).text == ""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The oak is old", "The elm is new"),
        ("橡树很老", "榆树很新"),
        ("オークは古い", "ニレは新しい"),
        ("Die Eiche ist alt", "Die Ulme ist neu"),
        ("Sales rose.", "iPhone sales fell."),
        ("Sales rose. [2]", "iPhone sales fell."),
        ("Ask Dr. A.", "B is one."),
        ("Refunds:", "They take days."),
    ],
)
def test_statements_stay_apart(first, second):
    """Each is a claim of its own, also if nothing in the words says where it ends."""
    claims = [{"text": first, "citations": []}, {"text": second, "citations": ["1"]}]
    answer = from_structured({"claims": claims}, SOURCES)
    found = coverage(answer)
    assert answer.text.startswith(first)
    assert [one.text for one in found.sentences][-1].startswith(second[:4])
    assert len(found.sentences) == 2


@pytest.mark.parametrize(
    "reply",
    [
        {**CLAIMS, "summary": "The dam broke in 1931."},
        {"answer": "Five.", "citations": [], "Note": ["The dam broke.", "It did."]},
        {"claims": [{"text": "Five.", "citations": [], "but": "Express is not refunded."}]},
        {"answer": "五天。", "citations": [], "总结": "大坝于一九三一年决堤。"},
    ],
)
def test_words_in_fields_that_nobody_asked_for(reply):
    """They are lost, so it is told, and a model is asked again."""
    assert "reply_form" in {issue.code for issue in from_structured(reply, SOURCES).issues}
    for given in (reply, json.dumps(reply)):
        with pytest.raises(StructuredReplyError, match="is no field of the form: its words"):
            from_structured(given, SOURCES, repair=False)


def test_fields_of_a_form_of_yours():
    """They are yours to read, and so is a name or a grade in whatever field."""

    class Mine(ClaimList):
        summary: str

    reply = {**CLAIMS, "summary": "The dam broke in 1931."}
    for given, form in ((reply, Mine), (json.dumps(reply), Mine), (Mine(**reply), None)):
        assert from_structured(given, SOURCES, form=form, repair=False).issues == ()
    small = {
        **CLAIMS,
        "confidence": "very high",
        "score": 0.5,
        "tags": ["a b", "c"],
        "reasoning": "It says so in 1.",
    }
    assert from_structured(small, SOURCES, repair=False).issues == ()


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"He said "hi there" to all [1]"', 'He said "hi there" to all [1]'),
        ('"He said "hi", to all [1]."', 'He said "hi", to all [1].'),
        ('""Hi" [1]"', '"Hi" [1]'),
        ('"Say "hi" (or "ho") [1]."', 'Say "hi" (or "ho") [1].'),
        ('"It is 5" wide [1]."', 'It is 5" wide [1].'),
    ],
)
def test_quotation_marks_without_a_backslash(written, text):
    """They are words where words follow; the citations behind them are read."""
    answer = from_structured(f'{{"answer": {written}, "citations": ["1", "2"]}}', SOURCES)
    assert (answer.text, answer.unresolved) == (text, ())
    assert {source.id for source in answer.sources} == {"pol-12", "faq"}


def test_missing_commas_and_quotation_marks():
    """What follows such a text is no word of it."""
    for written in ('"Five." "citations": ["1"]', '"Five."\n"citations": ["1" "2"]'):
        answer = from_structured(f'{{"answer": {written}}}', SOURCES)
        assert answer.text == "Five."
        assert answer.sources[0].id == "pol-12"
    answer = from_structured('{"answer": "Five.", citations: ["1"]}', SOURCES)
    assert answer.text == "Five."


def test_two_objects():
    """The first is read; if the second says something else, it is lost."""
    one, other = json.dumps(CLAIMS), '{"answer": "Six days.", "citations": []}'
    with pytest.raises(StructuredReplyError, match="has a second JSON object"):
        from_structured(f"{one}\n{other}", SOURCES, repair=False)
    assert from_structured(f"{one}\n{one}", SOURCES, repair=False).text


def test_reply_within_the_answer():
    """JSON in the field of the answer is the reply; JSON that is none is the answer."""
    inner = json.dumps({"answer": "Five days.", "citations": ["1"]})
    assert from_structured({"answer": inner}, SOURCES).text == "Five days."
    shown = '{"status": "open"}'
    assert from_structured({"answer": shown, "citations": []}, SOURCES).text == shown

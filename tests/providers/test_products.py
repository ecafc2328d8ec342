"""Snowflake, Copilot Studio, Contextual AI and the Copilot SDK."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, chunked, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark import render
from citemark.errors import UnknownProviderError
from citemark.model import CitationSegment
from citemark.providers import (
    contextual,
    copilot_studio,
    github_copilot,
    parse_events,
    recognise,
    snowflake,
)

WHOLE = {
    snowflake: "snowflake_agent",
    copilot_studio: "copilot_studio_activity",
    contextual: "contextual_query",
    github_copilot: "copilot_citations",
}


def cited(answer):
    return [
        (segment.raw, [c.source.title if c.source else None for c in segment.citations])
        for segment in answer.segments
        if isinstance(segment, CitationSegment) and segment.marker.keys
    ]


def codes(answer):
    return {(issue.code, issue.key) for issue in answer.issues}


def note(index, name, **more):
    kind = "cortex_search_citation"
    return {
        "type": kind,
        "index": index,
        "search_result_id": f"cs_{name}",
        "doc_title": name,
    } | more


def block(text, *notes):
    return {"type": "text", "text": text, "annotations": [*notes]}


def message(*blocks):
    return {"role": "assistant", "content": [*blocks]}


def test_snowflake_indices_count_from_what_they_say():
    """From 0 or from 1: a number is the index that it equals, and footnotes are markers too."""
    answer = snowflake.parse(
        message(block("a【†0†】 b[^1] c【†2†】", note(0, "A"), note(1, "B")))
    )
    assert cited(answer) == [("【†0†】", ["A"]), ("[^1]", ["B"]), ("【†2†】", [None])]
    assert answer.unresolved == ("2",)


def test_snowflake_group_keeps_its_known_members():
    """The others are told; code and other brackets are left alone."""
    text = "a[^1, 9] `【†1†】` [^8]\n\n[^1]: no citation"
    answer = snowflake.parse(message(block(text, note(1, "A"))))
    assert cited(answer) == [("[^1, 9]", ["A"])]
    assert ("unknown_source", "9") in codes(answer)
    assert answer.unresolved == ("8",)


def test_snowflake_indices_are_of_one_text_each():
    """A second text that counts anew does not cite the documents of the first one."""
    answer = snowflake.parse(
        message(block("a【†1†】", note(1, "A")), block("b【†1†】", note(1, "B")))
    )
    assert cited(answer) == [("【†1†】", ["A"]), ("【†1†】", ["B"])]


def test_snowflake_annotations_without_what_they_need():
    """No index, no document, a type that is not known; and a block that is not known."""
    notes = [note(None, "A"), {"type": "cortex_search_citation", "index": 1}, {"type": "poem"}]
    answer = snowflake.parse(message(block("a【†1†】", *notes), {"type": "dance"}))
    assert codes(answer) >= {
        ("no_source", ""),
        ("unknown_annotation", "poem"),
        ("unknown_block", "dance"),
    }
    assert answer.unresolved == ("1",)


def snowflake_events(whole, closing):
    """The events of a message: texts by pieces, annotations, and what closes it."""
    yield {"event": "response.status", "data": {"status": "planning"}}
    for index, one in enumerate(whole["content"]):
        at = {"content_index": index}
        if one["type"] == "thinking":
            for piece in chunked(one["thinking"]["text"]):
                yield {"event": "response.thinking.delta", "data": {"text": piece, **at}}
            yield {"event": "response.thinking", "data": {**one["thinking"], **at}}
            continue
        for piece in chunked(one["text"]):
            yield {"event": "response.text.delta", "data": {"text": piece, **at}}
        for position, found in enumerate(one["annotations"]):
            data = {"annotation_index": position, "annotation": found, **at}
            yield {"event": "response.text.annotation", "data": data}
        if "text" in closing:
            yield {"event": "response.text", "data": {**one, **at}}
    yield {"event": "response.tool_use", "data": {}}
    if "response" in closing:
        yield {"event": "response", "data": whole}
    yield {"event": "done", "data": "[DONE]"}


@pytest.mark.parametrize("closing", [(), ("text",), ("response",), ("text", "response")])
def test_snowflake_stream_is_the_whole_message(closing):
    """What closing events repeat counts once; without them there is nothing less."""
    thought = {"type": "thinking", "thinking": {"text": "Look at【†9†】."}}
    whole = message(
        thought, *payload("snowflake_agent.json")["content"], block("x【†1†】", note(1, "B"))
    )
    events = [*snowflake_events(whole, closing)]
    assert recognise(events[0]) == "snowflake"
    expected = snowflake.parse(whole)
    assert answer_of_events(snowflake, events).to_dict() == expected.to_dict()
    assert (
        answer_of_events(snowflake, json.loads(json.dumps(events))).to_dict()
        == expected.to_dict()
    )
    assert len(cited(expected)) == 3
    assert [one.channel for one in expected.asides] == ["thinking"]


def activity(text, *citations, **more):
    entity = {"type": "https://schema.org/Message", "citation": [*citations]}
    return {"type": "message", "text": text, "entities": [entity], **more}


def claim(position, name, **more):
    shown = {"name": name, "text": f"About {name}."}
    return {"@id": f"cite:{position}", "position": position, "appearance": shown} | more


def test_definitions_are_not_shown_and_cite_nothing():
    """They stay in the text as the service sent it."""
    given = payload("copilot_studio_activity.json")
    answer = copilot_studio.parse(given)
    assert "".join(segment.raw for segment in answer.segments) == given["text"] == answer.text
    shown = render(answer, "text", sources=False)
    assert "cite:1" not in shown
    assert shown.rstrip().endswith("see the guide[2].")


def test_positions_count_where_there_are_no_definitions():
    """As in messages of Teams; with definitions they do not, for they count otherwise."""
    text = "Configure the proxy[2]."
    assert cited(copilot_studio.parse(activity(text, claim(1, "A"), claim(2, "B")))) == [
        ("[2]", ["B"])
    ]
    defined = text + '\n\n[2]: cite:1 "Citation-1"'
    answer = copilot_studio.parse(activity(defined, claim(1, "A"), claim(2, "B")))
    assert cited(answer) == [("[2]", ["A"])]
    assert [source.title for source in answer.consulted] == ["B"]


@pytest.mark.parametrize("text", ["[1] says so.", "See:\n\n[1] says so, and more.\n\nBye."])
def test_a_text_may_begin_with_a_marker(text):
    """It is no entry of a list of sources: it does not say what the source is called."""
    answer = copilot_studio.parse(activity(text, claim(1, "Ferry times")))
    assert cited(answer) == [("[1]", ["Ferry times"])]


def test_a_list_of_the_sources_by_their_names_cites_nothing():
    """Below a rule, too: it is known what the source is called."""
    text = "So it is[1].\n\n---\n[1] Dogs are free"
    answer = copilot_studio.parse(activity(text, claim(1, "Dogs are free")))
    assert cited(answer) == [("[1]", ["Dogs are free"])]


def test_names_in_full_width_brackets():
    """The other form of the service."""
    text = 'Configure the proxy【1-abc】.\n\n【1-abc】: cite:1 "Citation-1"\r\n'
    answer = copilot_studio.parse(activity(text, claim(1, "A")))
    assert cited(answer) == [("【1-abc】", ["A"])]
    assert [segment.raw for segment in answer.segments][-1].strip().startswith("【1-abc】:")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Use it[1].\n\n[1]: cite:9 "x"', [("unknown_source", "1")]),
        ('Use it[1].\n\n[1]: cite:1 "x"\nand more', []),
        ("[1]: cite:1", []),
    ],
)
def test_definitions_of_nothing_and_of_an_answer_that_goes_on(text, expected):
    """Only the last lines are definitions; an entity that is missing is told."""
    answer = copilot_studio.parse(activity(text, claim(1, "A")))
    assert [key for key in codes(answer) if key[0] == "unknown_source"] == expected
    assert answer.text == text
    assert ("cite:" in render(answer, "text", sources=False)) == text.endswith("more")


def test_two_entities_of_one_id():
    """The first one stays, and it is said that there is another."""
    answer = copilot_studio.parse(activity("Use it[1].", claim(1, "A"), claim(1, "B")))
    assert cited(answer) == [("[1]", ["A"])]
    assert ("ambiguous_label", "cite:1") in codes(answer)


def query(text, *attributions, scores=()):
    contents = [
        {"content_id": f"c{n}", "doc_name": f"D{n}", "number": n, "page": n} for n in (1, 2)
    ]
    return {
        "message": {"content": text},
        "retrieval_contents": contents,
        "attributions": [
            {"content_ids": [*ids], "start_idx": start, "end_idx": end}
            for ids, start, end in attributions
        ],
        "groundedness_scores": [
            {"start_idx": a, "end_idx": b, "score": score} for a, b, score in scores
        ],
    }


def test_attribution_has_page_and_groundedness():
    """The score is that of the same words."""
    answer = contextual.parse(
        query("It rose.", (["c2"], 0, 7), scores=[(0, 7, 0.5), (0, 2, 1)])
    )
    (citation,) = answer.citations
    assert (citation.source.title, citation.source.page, citation.confidence) == ("D2", 2, 0.5)


@pytest.mark.parametrize(
    ("text", "attributions", "expected"),
    [
        ("It rose.[1][2]()", [(["c1", "c2"], 0, 7)], [("", ["D1", "D2"])]),
        ("It rose.[2]()", [(["c1"], 0, 7)], [("", ["D1"]), ("[2]()", ["D2"])]),
        ("It rose.[1]() It fell.[1]()", [(["c1"], 0, 7)], [("", ["D1"]), ("[1]()", ["D1"])]),
        ("It rose.[1]()", [], [("[1]()", ["D1"])]),
        ("It rose.[9]() [1]", [], []),
    ],
)
def test_marks_of_the_model_count_where_no_attribution_says_the_same(
    text, attributions, expected
):
    """Those that repeat one are not shown; a number of nothing stays text."""
    answer = contextual.parse(query(text, *attributions))
    assert cited(answer) == expected
    shown = render(answer, "text", sources=False)
    assert ("()" in shown) == ("[9]" in text)


def test_attributions_to_nothing():
    """Of a content that was not retrieved, and of words that are not there."""
    answer = contextual.parse(
        query("It rose.", (["c7", 10**5000], 0, 7), (["c1"], 90, 99), (["c1"], 3, 3))
    )
    assert cited(answer) == []
    found = {code for code, _ in codes(answer)}
    assert found == {"unknown_source", "span_out_of_range", "span_empty"}
    assert [source.title for source in answer.consulted] == ["D1", "D2"]


def test_attributions_that_count_utf16_are_seen_as_such():
    """They go past the text in code points, and end where a sentence does in the other unit."""
    answer = contextual.parse(query("🚲🚲🚲 It rose.", (["c1"], 7, 15)))
    assert [item["place"] for item in neutral(answer)] == [(4, 12)]
    assert codes(answer) == {("offset_unit", "")}


def test_there_is_no_stream_of_these():
    """And that is said."""
    for name in ("contextual_query", "copilot_studio_activity"):
        with pytest.raises(UnknownProviderError):
            parse_events([payload(f"{name}.json")])


def session(text, citations, *, id_="m", size=3):
    """The events of a message."""
    for piece in chunked(text, size):
        yield {
            "type": "assistant.message_delta",
            "data": {"messageId": id_, "deltaContent": piece},
        }
    yield {
        "type": "assistant.message",
        "data": {"messageId": id_, "content": text, "citations": citations},
    }


def test_copilot_stream_is_the_whole_message():
    """With reasoning beside it, which is repeated too."""
    given = payload("copilot_citations.json")
    thought = {"reasoningId": "r"}
    events = [
        {"type": "session.start", "data": {}},
        {"type": "assistant.reasoning_delta", "data": {**thought, "deltaContent": "Hm"}},
        {"type": "assistant.reasoning", "data": {**thought, "content": "Hmm."}},
        *session(given["content"], given["citations"]),
        {"type": "assistant.turn_end", "data": {}},
        {"type": "poem", "data": {}},
    ]
    assert recognise(events[0]) == "github_copilot"
    answer = answer_of_events(github_copilot, events)
    whole = github_copilot.parse(given)
    assert answer.segments == whole.segments
    assert "".join(segment.raw for segment in answer.asides[0].segments) == "Hmm."
    assert codes(answer) == {("unknown_event", "poem")}
    assert github_copilot.parse(events[-3]).to_dict() == whole.to_dict()


def test_copilot_messages_of_a_session_are_set_apart():
    """Spans count in their own message."""
    given = payload("copilot_citations.json")
    events = [
        *session("Looking 🏃.", None, id_="a"),
        *session(given["content"], given["citations"]),
    ]
    answer = answer_of_events(github_copilot, events)
    assert answer.text == "Looking 🏃.\n\nRun 🏃 make test."
    (found,) = neutral(answer)
    assert answer.text[slice(*found["place"])] == "make test"


def test_copilot_locations_and_sources_that_are_wrong():
    """A page, a type that is not known, a reversed range, a source that is not listed."""
    places = [
        {"type": "page", "startPage": 3, "endPage": 4},
        {"type": "verse"},
        {"type": "char", "startIndex": 4, "endIndex": 2},
    ]
    references = [
        {"sourceId": "s", "citedText": str(n), "location": one} for n, one in enumerate(places)
    ]
    references.append({"sourceId": "gone"})
    sources = [{"id": "s", "provider": "client", "path": "a\\b\\c.md"}, {"title": "no id"}]
    spans = [{"startIndex": 0, "endIndex": 4, "references": references}]
    answer = github_copilot.parse(
        {"content": "Make it.", "citations": {"sources": sources, "spans": spans}}
    )
    shown = [
        (c.source.title, [(p.unit, p.start, p.end) for p in c.locations])
        for c in answer.citations
    ]
    assert shown == [("c.md", [("page", 3, 4)]), ("c.md", []), ("c.md", [])]
    assert codes(answer) >= {
        ("unknown_location", "verse"),
        ("unknown_source", "gone"),
        ("no_source", ""),
    }


def test_copilot_spans_that_count_utf16_are_seen_as_such():
    """The runtime is one of JavaScript, and nothing says what it counts."""
    spans = [{"startIndex": 7, "endIndex": 15, "references": [{"sourceId": "s"}]}]
    citations = {"sources": [{"id": "s", "title": "S"}], "spans": spans}
    answer = github_copilot.parse({"content": "🚲🚲🚲 It rose.", "citations": citations})
    assert [item["place"] for item in neutral(answer)] == [(4, 12)]
    assert codes(answer) == {("offset_unit", "")}


@given(st.sampled_from([*WHOLE]), st.data())
@settings(deadline=None)
def test_damage_never_raises(adapter, data):
    """Neither in a response nor in a stream."""
    response = payload(f"{WHOLE[adapter]}.json")
    answer = adapter.parse(data.draw(damaged(response)))
    assert "".join(segment.raw for segment in answer.segments) == answer.text
    if adapter is snowflake:
        events = [*snowflake_events(response, ("text", "response"))]
    else:
        events = [*session("Run 🏃 make test.", response.get("citations"))]
        adapter = github_copilot
    found = data.draw(damaged(events))
    answer = answer_of_events(adapter, found if isinstance(found, list) else [found])
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@pytest.mark.parametrize("nothing", [None, [], "x", {}, 3])
@pytest.mark.parametrize("adapter", WHOLE)
def test_nothing_gives_nothing(adapter, nothing):
    """An empty answer."""
    assert adapter.parse(nothing).text == ""


class TestSdk:
    """The same for the objects of the SDKs, which also say that the payloads are right."""

    def test_contextual(self):
        """A response."""
        agents = pytest.importorskip("contextual.types.agents")
        given = payload("contextual_query.json")
        response = agents.QueryResponse.model_validate(given)
        assert recognise(response) == "contextual"
        assert neutral(contextual.parse(response)) == neutral(contextual.parse(given))

    def test_copilot_studio(self):
        """An activity, whose ids have other names."""
        activities = pytest.importorskip("microsoft_agents.activity")
        given = payload("copilot_studio_activity.json")
        response = activities.Activity.model_validate(given)
        assert recognise(response) == "copilot_studio"
        assert neutral(copilot_studio.parse(response)) == neutral(copilot_studio.parse(given))

    def test_github_copilot(self):
        """Citations, and the events around them."""
        events = pytest.importorskip("copilot.session_events")
        given = payload("copilot_citations.json")
        citations = events.Citations.from_dict(given["citations"])
        found = [
            events.AssistantMessageDeltaData(delta_content=given["content"], message_id="m"),
            events.AssistantMessageData(
                content=given["content"], message_id="m", citations=citations
            ),
        ]
        names = ("ASSISTANT_MESSAGE_DELTA", "ASSISTANT_MESSAGE")
        stream = [
            {"type": getattr(events.SessionEventType, name), "data": data}
            for name, data in zip(names, found, strict=True)
        ]
        assert recognise(stream[0]) == "github_copilot"
        assert neutral(answer_of_events(github_copilot, stream)) == neutral(
            github_copilot.parse(given)
        )

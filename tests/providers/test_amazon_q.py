"""Amazon Q Business, and Amazon Q in Connect."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, chunked, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark.model import Location
from citemark.providers import amazon_q, amazon_q_connect, recognise

ID = "00000000-0000-4000-8000-00000000000a"
ADAPTERS = (amazon_q, amazon_q_connect)


def codes(answer):
    return [issue.code for issue in answer.issues]


def places(answer):
    return [(item["place"], item["sources"]) for item in neutral(answer)]


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("value", [None, [], "x", {}, 3, {"systemMessage": []}, [[]]])
def test_what_is_no_response_is_an_empty_answer(adapter, value):
    """Nothing raises."""
    assert adapter.parse(value, request=value).text == ""


class TestBusiness:
    """Each source lists the words that it supports."""

    @staticmethod
    def source(number, *spans, **more):
        segments = [{"beginOffset": start, "endOffset": end} for start, end in spans]
        return {
            "citationNumber": number,
            "title": f"T{number}",
            "textMessageSegments": segments,
        } | more

    @staticmethod
    def whole(text, *sources):
        return {"systemMessageId": "m", "systemMessage": text, "sourceAttributions": [*sources]}

    @staticmethod
    def events(response):
        """Return the events that would bring a response."""
        text = response["systemMessage"]
        sources = response["sourceAttributions"]
        pieces = [{"textEvent": {"systemMessage": piece}} for piece in chunked(text)]
        closing = {"sourceAttributions": sources, "finalTextMessage": text}
        return [*pieces, {"metadataEvent": closing}]

    @pytest.mark.parametrize("name", ["amazonq_simple", "amazonq_nasty"])
    def test_stream_is_the_whole_response(self, name):
        """Also read again, and with a closing event that comes twice."""
        response = payload(f"{name}.json")
        whole = amazon_q.parse(response).to_dict()
        events = json.loads(json.dumps(self.events(response)))
        assert answer_of_events(amazon_q, events).to_dict() == whole
        assert answer_of_events(amazon_q, [*events, events[-1]]).to_dict() == whole
        assert {recognise(event) for event in [response, *events]} == {"amazon_q"}

    def test_recorded_events(self):
        """The recorded stream and the recorded response are of the same answer."""
        events = payload("amazonq_nasty.stream.jsonl")
        whole = amazon_q.parse(payload("amazonq_nasty.json"))
        assert answer_of_events(amazon_q, events).to_dict() == whole.to_dict()
        assert codes(whole) == ["span_empty"]

    def test_the_final_text_replaces_the_pieces(self):
        """Offsets count in it."""
        events = self.events(self.whole("Final. Yes.", self.source(1, (7, 11))))
        answer = answer_of_events(
            amazon_q, [{"textEvent": {"systemMessage": "Dra"}}, events[-1]]
        )
        assert (answer.text, places(answer)) == ("Final. Yes.", [((7, 11), ["1"])])

    def test_a_stream_without_closing_event(self):
        """It has its text, and no citation."""
        events = self.events(self.whole("Yes.", self.source(1, (0, 4))))
        answer = answer_of_events(amazon_q, events[:-1])
        assert (answer.text, [*answer.citations]) == ("Yes.", [])

    def test_times_of_media(self):
        """Audio as video, in milliseconds; an end before the start is none."""
        source = self.source(1)
        source["textMessageSegments"] = [
            {
                "beginOffset": 0,
                "endOffset": 4,
                "sourceDetails": {
                    "audioSourceDetails": {
                        "mediaId": "m",
                        "startTimeMilliseconds": start,
                        "endTimeMilliseconds": 2_000,
                    }
                },
            }
            for start in (1_000, 3_000)
        ]
        answer = amazon_q.parse(self.whole("Yes.", source))
        assert [one.locations for one in answer.citations] == [
            (Location("time", 1_000, 2_000),),
            (),
        ]

    def test_offsets_that_fit_in_utf16_alone(self):
        """They go past the text in code points."""
        answer = amazon_q.parse(self.whole("🔐🔐 Yes. No.", self.source(1, (5, 9), (10, 13))))
        assert places(answer) == [((3, 7), ["1"]), ((8, 11), ["1"])]
        assert codes(answer) == ["offset_unit"]

    def test_spans_out_of_range(self):
        """What is past the text is cut; what is outside of it has no place."""
        answer = amazon_q.parse(
            self.whole("Yes.", self.source(1, (0, 9)), self.source(2, (50, 60), (3, 1)))
        )
        assert places(answer) == [((0, 4), ["1"])]
        assert codes(answer) == ["span_out_of_range"] * 3
        assert [source.id for source in answer.consulted] == ["2"]

    def test_a_marker_in_the_text_is_the_number_of_a_source(self):
        """Numbers are the service's, not positions."""
        answer = amazon_q.parse(self.whole("Yes [7].", self.source(3), self.source(7)))
        assert [one.source.id for one in answer.citations] == ["7"]

    def test_one_number_for_two_documents(self):
        """They stay two sources; a document that comes twice is one."""
        spans = [(0, 4)]
        sources = [
            self.source(1, *spans, documentId="a"),
            self.source(1, *spans, documentId="b"),
            self.source(1, *spans, documentId="a", title="Again"),
        ]
        answer = amazon_q.parse(self.whole("Yes.", *sources))
        assert places(answer) == [((0, 4), ["1", "1:b"])]

    def test_a_source_without_number(self):
        """Its document names it, or its URL; without any it is left out, and told."""
        sources = [
            self.source(None, (0, 4), documentId="d1"),
            self.source(None, (0, 4), url="https://w.example"),
            self.source(None, (0, 4)),
        ]
        answer = amazon_q.parse(self.whole("Yes.", *sources))
        assert places(answer) == [((0, 4), ["d1", "https://w.example"])]
        assert codes(answer) == ["no_source"]


class TestConnect:
    """Spans are named for what they are."""

    @staticmethod
    def message(text, *spans):
        citations = [
            {
                "contentId": f"{ID}{at}",
                "title": f"T{at}",
                "referenceType": "WEB_CRAWLER",
                "sourceURL": f"https://w.example/{at}",
                "citationSpan": {"beginOffsetInclusive": start, "endOffsetExclusive": end},
            }
            for at, (start, end) in enumerate(spans)
        ]
        value = {"text": {"value": text, "citations": citations}}
        return {"value": value, "messageId": ID, "participant": "BOT", "timestamp": 0}

    @staticmethod
    def generated(text, *spans, kind="generativeData", **more):
        references = [
            {
                "reference": {"contentReference": {"contentId": f"{ID}{at}"}},
                "details": {
                    "sourceContentData": {
                        "id": ID,
                        "type": "KNOWLEDGE_CONTENT",
                        "textData": {
                            "title": {"text": f"T{at}"},
                            "excerpt": {"text": f"E{at}"},
                        },
                        "rankingData": {"relevanceScore": 0.5},
                        "citationSpan": {
                            "beginOffsetInclusive": start,
                            "endOffsetExclusive": end,
                        },
                    }
                },
            }
            for at, (start, end) in enumerate(spans)
        ]
        data = {"completion": text, "references": references, "rankingData": {}, **more}
        summary = {"reference": {"generativeReference": {}}, "details": {kind: data}}
        return {"results": [{"resultId": ID, "type": "GENERATIVE_ANSWER", "data": summary}]}

    def test_a_message(self):
        """Alone, or in the response that brings it."""
        given = self.message("Dogs ride free. Cats too.", (0, 15), (16, 25))
        for form in (given, {"type": "TEXT", "response": given, "conversationState": {}}):
            answer = amazon_q_connect.parse(form)
            assert places(answer) == [((0, 15), [f"{ID}0"]), ((16, 25), [f"{ID}1"])]
            assert answer.sources[0].url == "https://w.example/0"
            assert not answer.issues
            assert recognise(form) == "amazon_q_connect"

    def test_a_generated_answer(self):
        """Its references hold the passages."""
        given = self.generated("Dogs ride free.", (0, 15))
        answer = amazon_q_connect.parse(given)
        assert places(answer) == [((0, 15), [f"{ID}0"])]
        assert [one.quote for one in answer.citations] == ["E0"]
        assert [(s.title, s.text, s.score) for s in answer.sources] == [("T0", "E0", 0.5)]
        assert recognise(given) == "amazon_q_connect"

    def test_an_answer_in_chunks(self):
        """Spans count in all of it."""
        chunks = [
            self.generated("Dogs ", kind="generativeChunkData"),
            self.generated("ride free.", (5, 15), kind="generativeChunkData"),
        ]
        whole = amazon_q_connect.parse(self.generated("Dogs ride free.", (5, 15)))
        answer = answer_of_events(amazon_q_connect, chunks)
        assert answer.to_dict() == whole.to_dict()
        assert places(answer) == [((5, 15), [f"{ID}0"])]

    def test_a_passage_without_span_is_listed(self):
        """Nothing tells where it belongs."""
        given = self.generated("Yes.", (0, 4))
        data = given["results"][0]["data"]["details"]["generativeData"]
        found = data["references"][0]["details"].pop("sourceContentData")
        del found["citationSpan"]
        data["references"][0]["details"]["contentData"] = found
        answer = amazon_q_connect.parse(given)
        assert ([*answer.citations], [s.title for s in answer.consulted]) == ([], ["T0"])

    def test_a_citation_that_names_no_source(self):
        """It is left out, and told."""
        given = self.message("Yes.", (0, 4))
        for name in ("contentId", "title", "sourceURL"):
            del given["value"]["text"]["citations"][0][name]
        answer = amazon_q_connect.parse(given)
        assert (answer.text, [*answer.citations], codes(answer)) == ("Yes.", [], ["no_source"])


@pytest.mark.parametrize(
    ("value", "service", "name"),
    [
        (payload("amazonq_simple.json"), "qbusiness", "ChatSyncOutput"),
        (payload("amazonq_nasty.json"), "qbusiness", "ChatSyncOutput"),
        (payload("amazonq_nasty.stream.jsonl")[-1], "qbusiness", "ChatOutputStream"),
        (
            {"type": "TEXT", "requestMessageId": ID, "conversationState": {"status": "READY"}}
            | {"response": TestConnect.message("Dogs ride free.", (0, 4))},
            "qconnect",
            "GetNextMessageResponse",
        ),
        (
            TestConnect.generated("Dogs ride free.", (0, 4)),
            "qconnect",
            "QueryAssistantResponse",
        ),
    ],
)
def test_types_of_the_sdk(value, service, name):
    """What is parsed here is what the service's own description allows."""
    model = pytest.importorskip("botocore.session").get_session().get_service_model(service)
    validator = pytest.importorskip("botocore.validate").ParamValidator()
    report = validator.validate(value, model.shape_for(name))
    assert not report.has_errors(), report.generate_report()


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damage_never_raises(data):
    """What is usable is given, whole and as a stream."""
    adapter, value = data.draw(
        st.sampled_from(
            [
                (amazon_q, payload("amazonq_nasty.json")),
                (amazon_q, payload("amazonq_nasty.stream.jsonl")),
                (amazon_q_connect, TestConnect.message("Yes. No.", (0, 4), (5, 8))),
                (amazon_q_connect, TestConnect.generated("Yes. No.", (0, 4), (5, 8))),
            ]
        )
    )
    value = data.draw(damaged(value))
    assert adapter.parse(value).text is not None
    events = value if isinstance(value, list) else [value]
    assert answer_of_events(adapter, events).text is not None

"""Amazon Bedrock: Converse, knowledge bases, agents and agentic retrieval."""

from __future__ import annotations

import json
from functools import cache

import pytest
from damaged import answer_of_events, chunked, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark.model import Location
from citemark.providers import (
    bedrock_agent,
    bedrock_agentic,
    bedrock_converse,
    bedrock_rag,
    recognise,
)
from citemark.providers._stream import Placement

ADAPTERS = (bedrock_agent, bedrock_agentic, bedrock_converse, bedrock_rag)


def codes(answer):
    return [issue.code for issue in answer.issues]


def read_again(events):
    return json.loads(json.dumps(events))


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("value", [None, [], "x", {}, 3, {"output": "text"}, [[]], ["x"]])
def test_what_is_no_response_is_an_empty_answer(adapter, value):
    """Nothing raises."""
    assert adapter.parse(value, request=value).text == ""


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_failure_of_the_service_and_an_unknown_event_are_told(adapter):
    """Some libraries hand them out as events."""
    events = [{"throttlingException": {"message": "Slow down"}}, {"hologram": {}}, {}]
    answer = answer_of_events(adapter, events)
    assert sorted(codes(answer)) == ["stream_error", "unknown_event"]
    assert "Slow down" in answer.issues[0].message


STOP = {"messageStop": {"stopReason": "end_turn"}}


class TestConverse:
    """Blocks that are cited as a whole."""

    @staticmethod
    def whole(*blocks):
        return {"output": {"message": {"role": "assistant", "content": list(blocks)}}}

    @staticmethod
    def cited(text, *citations):
        return {"citationsContent": {"content": [{"text": text}], "citations": list(citations)}}

    @staticmethod
    def at(index, **delta):
        return {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}

    @classmethod
    def events(cls, response, order):
        """Yield the events of a response, its citations in pieces, in each block's order."""
        yield {"messageStart": {"role": "assistant"}}
        for index, block in enumerate(response["output"]["message"]["content"]):
            if "reasoningContent" in block:
                thought = block["reasoningContent"]["reasoningText"]["text"]
                yield cls.at(index, reasoningContent={"text": thought})
                continue
            cited = block.get("citationsContent", {"content": [block], "citations": []})
            pieces = [piece for one in cited["content"] for piece in chunked(one["text"])]
            texts = [cls.at(index, text=piece) for piece in pieces]
            citations = [cls.at(index, citation=one) for one in cls.pieces(cited["citations"])]
            yield from {
                "before": [*citations, *texts],
                "after": [*texts, *citations],
                "amid": [*texts[:1], *citations, *texts[1:]],
            }[order]
            yield {"contentBlockStop": {"contentBlockIndex": index}}
        yield STOP
        usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
        yield {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}}}

    @staticmethod
    def pieces(citations):
        """Cut citations: the first words with what is known, the place alone, more words."""
        for one in citations:
            first, *more = one["sourceContent"]
            rest = {
                name: one[name] for name in one if name not in {"sourceContent", "location"}
            }
            yield {**rest, "sourceContent": [first]}
            yield {"location": one["location"]}
            for piece in more:
                yield {"sourceContent": [piece]}

    @pytest.mark.parametrize("name", ["bedrock_converse_simple", "bedrock_converse_nasty"])
    @pytest.mark.parametrize("order", ["before", "after", "amid"])
    def test_stream_is_the_whole_response(self, name, order):
        """In each order, with citations in pieces, also when read again."""
        given = payload(f"{name}.json")
        events = [*self.events(given, order)]
        whole = bedrock_converse.parse(given).to_dict()
        assert answer_of_events(bedrock_converse, events).to_dict() == whole
        assert answer_of_events(bedrock_converse, read_again(events)).to_dict() == whole
        for event in events:
            assert recognise(event) == "bedrock_converse"

    def test_c135_a_citation_before_its_text(self):
        """It is about the whole block."""
        location = {"documentChar": {"documentIndex": 0, "start": 0, "end": 23}}
        words = [{"text": "The capital is Example."}]
        citation = {"location": location, "sourceContent": words, "title": "Atlas"}
        answer = answer_of_events(
            bedrock_converse,
            [
                self.at(0, citation=citation),
                self.at(0, text="The capital"),
                self.at(0, text=" is Example."),
                {"contentBlockStop": {"contentBlockIndex": 0}},
                STOP,
            ],
        )
        assert neutral(answer) == [
            {
                "anchor": "claim",
                "place": (0, 23),
                "sources": ["0"],
                "quotes": [words[0]["text"]],
            }
        ]
        assert answer.sources[0].title == "Atlas"
        assert not answer.issues

    def test_two_whole_citations_of_one_page_stay_two(self):
        """Each tells its place, so the second one does not go on with the first."""
        place = {"documentPage": {"documentIndex": 0, "start": 1, "end": 2}}
        one, two = (
            {"title": "T", "location": place, "sourceContent": [{"text": text}]}
            for text in "ab"
        )
        events = [
            self.at(0, citation=one), self.at(0, citation=two), self.at(0, text="Yes."), STOP
        ]  # fmt: skip
        answer = answer_of_events(bedrock_converse, events)
        assert (
            answer.to_dict()
            == bedrock_converse.parse(self.whole(self.cited("Yes.", one, two))).to_dict()
        )
        assert [citation.quote for citation in answer.citations] == ["a", "b"]

    def test_citations_of_an_open_paragraph_wait(self):
        """Text first, and its citation when nothing can move it any more."""
        stream = bedrock_converse.StreamAdapter()
        given = [
            (next(iter(event)), update.start)
            for event in self.events(payload("bedrock_converse_simple.json"), "before")
            for update in stream.feed(event)
            if isinstance(update, Placement)
        ]
        assert given == []
        assert [update.start for update in stream.close()] == [31]

    def test_the_request_gives_titles_texts_and_units(self):
        """Documents and search results count through all messages and results of tools."""
        search = {"source": "https://s.example", "title": "S", "content": [{"text": "found"}]}
        tool = {"toolResult": {"toolUseId": "t", "content": [{"searchResult": search}]}}
        note = {"document": {"name": "note", "source": {"text": "🏢 Dogs need a leash."}}}
        asked = {"messages": [{"role": "user", "content": [note]}, {"content": [tool]}]}
        quote = {
            "sourceContent": [{"text": "Dogs need a leash."}],
            "location": {"documentChar": {"documentIndex": 0, "start": 3, "end": 21}},
        }
        place = {"searchResultIndex": 0, "start": 0, "end": 1}
        found = {"location": {"searchResultLocation": place}}
        given = self.whole(self.cited("Leash.", quote, found))
        answer = bedrock_converse.parse(given, request=asked)
        assert [(s.id, s.title, s.text, s.url) for s in answer.sources] == [
            ("0", "note", "🏢 Dogs need a leash.", None),
            ("search:0", "S", "found", "https://s.example"),
        ]
        assert [one.locations for one in answer.citations] == [
            (Location("char", 2, 20),),
            (Location("block", 0, 1),),
        ]
        assert codes(answer) == ["source_offset_unit"]

    @pytest.mark.parametrize(
        ("citation", "source"),
        [
            ({"title": "A", "source": "kb://1"}, "kb://1"),
            ({"title": "A", "location": {"hologram": {}}}, "A"),
            ({"title": "A", "location": {"documentPage": {"start": 1, "end": 2}}}, "A"),
            ({"location": {"web": {"url": "https://w.example"}}}, "https://w.example"),
        ],
    )
    def test_a_citation_without_index_is_named_by_itself(self, citation, source):
        """A source, a title or a URL is enough."""
        answer = bedrock_converse.parse(self.whole(self.cited("Yes.", citation)))
        assert [one.source.id for one in answer.citations] == [source]

    @pytest.mark.parametrize("citation", [{}, {"location": {"web": {}}}, {"location": []}])
    def test_a_citation_that_names_nothing(self, citation):
        """It is left out, and told."""
        answer = bedrock_converse.parse(self.whole(self.cited("Yes.", citation)))
        assert (answer.text, [*answer.citations]) == ("Yes.", [])
        assert "no_source" in codes(answer)

    def test_thinking_stays_beside(self):
        """A blank line is between its blocks, none between the pieces of one."""
        thoughts = [{"reasoningContent": {"reasoningText": {"text": text}}} for text in "ab"]
        whole = bedrock_converse.parse(self.whole(*thoughts, {"text": "Yes."}))
        told = [(0, "a"), (1, ""), (1, "b")]
        deltas = [self.at(index, reasoningContent={"text": text}) for index, text in told]
        answer = answer_of_events(bedrock_converse, [*deltas, self.at(2, text="Yes."), STOP])
        assert answer.to_dict() == whole.to_dict()
        assert answer.asides[0].segments[0].text == "a\n\nb"

    def test_an_unknown_block_and_delta_are_counted(self):
        """What is known to hold no words for readers is not."""
        tool = {"toolUse": {"toolUseId": "t", "name": "n", "input": {}}}
        answer = bedrock_converse.parse(self.whole(tool, {"hologram": {}}, {"text": "x"}))
        assert codes(answer) == ["unknown_block"]
        events = [self.at(0, toolUse={"input": "{}"}), self.at(1, hologram={"x": 1}), STOP]
        assert codes(answer_of_events(bedrock_converse, events)) == ["unknown_delta"]


def reference(uri="s3://bkt/a.pdf", text="words", **metadata):
    location = {"type": "S3", "s3Location": {"uri": uri}}
    content = {"type": "TEXT", "text": text}
    return {"content": content, "location": location, "metadata": metadata}


def part(words, start=None, end=None, *references):
    span = {} if end is None else {"span": {"start": start, "end": end}}
    told = {"generatedResponsePart": {"textResponsePart": {"text": words, **span}}}
    return {**told, "retrievedReferences": list(references)}


TEXT = "港は24時間 🕛。 Night fare is double. Ask us."
NASTY = (
    part("港は24時間 🕛。", 0, 8, reference("s3://bkt/a.pdf", "24h")),
    part("Night fare is double.", 14, 60, reference("s3://bkt/b.pdf", "x2"), reference()),
    part("Ask us.", 32, 38),
)


class TestKnowledgeBases:
    """RetrieveAndGenerate: the words tell, the span hints."""

    @staticmethod
    def whole(text, *citations):
        return {"sessionId": "s1", "output": {"text": text}, "citations": list(citations)}

    @staticmethod
    def events(text, *citations, at=0):
        """Return the events of an answer, its citations after the piece of that number."""
        pieces = [{"output": {"text": piece}} for piece in chunked(text, 5)]
        told = [{"citation": one} for one in citations]
        return [*pieces[:at], *told, *pieces[at:], {"guardrail": {"action": "NONE"}}]

    def test_nasty(self):
        """Spans past the text and too late; no sources; a source twice."""
        answer = bedrock_rag.parse(self.whole(TEXT, *NASTY))
        assert neutral(answer) == [
            {
                "anchor": "claim",
                "place": (0, 9),
                "sources": ["s3://bkt/a.pdf"],
                "quotes": ["24h"],
            },
            {
                "anchor": "claim",
                "place": (10, 31),
                "sources": ["s3://bkt/b.pdf", "s3://bkt/a.pdf"],
                "quotes": ["x2", "words"],
            },
        ]
        assert sorted(codes(answer)) == ["no_sources", "span_shifted"]
        assert [source.title for source in answer.sources] == ["a.pdf", "b.pdf"]

    @pytest.mark.parametrize("at", [0, 1, 4, 99])
    def test_stream_is_the_whole_response(self, at):
        """A citation may come before, amid and after its words."""
        events = self.events(TEXT, *NASTY, at=at)
        whole = bedrock_rag.parse(self.whole(TEXT, *NASTY)).to_dict()
        assert answer_of_events(bedrock_rag, events).to_dict() == whole
        assert answer_of_events(bedrock_rag, read_again(events)).to_dict() == whole
        for event in events:
            assert recognise(event) == "bedrock_rag"

    @pytest.mark.parametrize("name", ["bedrock_rag_simple"])
    def test_recorded_response_as_a_stream(self, name):
        """The events that would bring it."""
        given = payload(f"{name}.json")
        events = self.events(given["output"]["text"], *given["citations"], at=3)
        whole = bedrock_rag.parse(given)
        assert answer_of_events(bedrock_rag, events).to_dict() == whole.to_dict()
        assert not whole.issues

    def test_the_copy_for_older_clients_counts_once(self):
        """An event may hold a citation twice, or in the older field alone."""
        for event in ({"citation": NASTY[0], **NASTY[0]}, {"citation": NASTY[0]}):
            answer = answer_of_events(
                bedrock_rag, [{"output": {"text": TEXT}}, {"citation": event}]
            )
            assert [item["place"] for item in neutral(answer)] == [(0, 9)]
            assert not answer.issues

    @pytest.mark.parametrize(
        ("location", "id_", "url", "title"),
        [
            ({"s3Location": {"uri": "s3://b/x/%E8%A6%8F.pdf"}}, 0, 0, "規.pdf"),
            ({"webLocation": {"url": "https://w.example/p"}}, 0, 0, ""),
            ({"confluenceLocation": {"url": "https://c.example/Leave"}}, 0, 0, "Leave"),
            ({"salesforceLocation": {"url": "https://f.example/1"}}, 0, 0, "1"),
            ({"sharePointLocation": {"url": "https://p.example/a.docx"}}, 0, 0, "a.docx"),
            ({"googleDriveLocation": {"url": "https://g.example/d"}}, 0, 0, "d"),
            ({"oneDriveLocation": {"url": "https://o.example/d/"}}, 0, 0, "d"),
            ({"kendraDocumentLocation": {"uri": "https://[x"}}, 0, 0, ""),
            ({"customDocumentLocation": {"id": "doc-7"}}, 0, None, "doc-7"),
            ({"sqlLocation": {"query": "SELECT 1"}}, 0, None, "SELECT 1"),
            ({"hologramLocation": {"url": "https://h.example"}}, "chunk:1", None, ""),
        ],
    )
    def test_each_kind_of_location(self, location, id_, url, title):
        """The document is named by it; by its words if the kind is not known."""
        given = {**reference(text="w"), "location": {"type": "X", **location}}
        answer = bedrock_rag.parse(self.whole("Yes.", part("Yes.", 0, 3, given)))
        named = next(iter(next(iter(location.values())).values()))
        (source,) = answer.sources
        assert (source.id, source.title) == (named if id_ == 0 else id_, title)
        assert source.url == (named if url == 0 else None)

    @pytest.mark.parametrize(
        ("content", "quote"),
        [
            ({"audio": {"s3Uri": "s3://b/a.mp3", "transcription": "said"}}, "said"),
            ({"video": {"s3Uri": "s3://b/v.mp4", "summary": "seen"}}, "seen"),
            (
                {"row": [{"columnName": "a", "columnValue": "1"}, {"columnName": "b"}]},
                "a: 1; b: ",
            ),
            ({"byteContent": "data:image/png;base64,AA=="}, ""),
        ],
    )
    def test_each_kind_of_content(self, content, quote):
        """What is said, seen, or in the cells of a row."""
        given = {**reference(), "content": content}
        answer = bedrock_rag.parse(self.whole("Yes.", part("Yes.", 0, 3, given)))
        assert [one.quote for one in answer.citations] == [quote]

    def test_pages_and_times(self):
        """They are in the metadata, as numbers with or without a point."""
        found = reference(
            **{
                "x-amz-bedrock-kb-document-page-number": 7.0,
                "x-amz-bedrock-kb-chunk-start-time-in-millis": 1000,
                "x-amz-bedrock-kb-chunk-end-time-in-millis": 6360,
            }
        )
        answer = bedrock_rag.parse(self.whole("Yes.", part("Yes.", 0, 3, found)))
        assert next(iter(answer.citations)).locations == (
            Location("page", 7, 8),
            Location("time", 1000, 6360),
        )

    def test_metadata_names_what_the_location_does_not(self):
        """The URI is there as well; no other field has to be."""
        found = {"metadata": {"x-amz-bedrock-kb-source-uri": "s3://b/a.pdf"}}
        answer = bedrock_rag.parse(self.whole("Yes.", part("Yes.", 0, 3, found)))
        assert [source.url for source in answer.sources] == ["s3://b/a.pdf"]

    def test_a_reference_that_names_nothing(self):
        """It is left out, and told."""
        answer = bedrock_rag.parse(self.whole("Yes.", part("Yes.", 0, 3, {"metadata": {}})))
        assert [*answer.citations, *answer.consulted] == []
        assert codes(answer) == ["no_source", "no_sources"]

    def test_the_span_decides_between_equal_words(self):
        """Words that stand twice."""
        given = [part("Yes.", 5, 8, reference("s3://b/2")), part("Yes.", 0, 3, reference())]
        answer = bedrock_rag.parse(self.whole("Yes. Yes.", *given))
        assert [item["place"] for item in neutral(answer)] == [(0, 4), (5, 9)]
        assert not answer.issues

    def test_words_without_span_and_span_without_words(self):
        """Each alone is enough."""
        given = [part("Yes.", None, None, reference()), part("", 5, 7, reference("s3://b/2"))]
        answer = bedrock_rag.parse(self.whole("Yes. No.", *given))
        assert [item["place"] for item in neutral(answer)] == [(0, 4), (5, 8)]

    def test_words_that_are_not_in_the_text(self):
        """There is no place; the source is listed."""
        answer = bedrock_rag.parse(self.whole("Yes.", part("Never said.", 0, 3, reference())))
        assert [*answer.citations] == []
        assert [source.id for source in answer.consulted] == ["s3://bkt/a.pdf"]
        assert codes(answer) == ["span_out_of_range"]


class TestAgent:
    """InvokeAgent: bytes in pieces, and what only the trace tells."""

    def test_stream_is_the_whole_response(self):
        """A response that holds its stream, the events alone, and events of real bytes."""
        events = payload("bedrock_agent.stream.jsonl")
        raw = [
            {"chunk": {**event["chunk"], "bytes": event["chunk"]["bytes"].encode()}}
            for event in events
        ]
        whole = answer_of_events(bedrock_agent, events).to_dict()
        assert answer_of_events(bedrock_agent, read_again(events)).to_dict() == whole
        response = {"completion": iter(raw), "contentType": "text/plain", "sessionId": "s"}
        assert recognise(response) == "bedrock_agent"
        for form in (response, raw, iter(raw)):
            assert bedrock_agent.parse(form).to_dict() == whole
        for event in raw:
            assert recognise(event) == "bedrock_agent"

    @pytest.mark.parametrize("size", [1, 2, 3])
    def test_bytes_are_cut_amid_a_character(self, size):
        """No character comes apart."""
        data = TEXT.encode()
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        events = [{"chunk": {"bytes": piece}} for piece in pieces]
        events[3]["chunk"]["attribution"] = {"citations": list(NASTY)}
        answer = answer_of_events(bedrock_agent, events)
        assert answer.text == TEXT
        assert [item["place"] for item in neutral(answer)] == [(0, 9), (10, 31)]

    def test_bytes_that_are_no_text(self):
        """What was cut off is shown as such."""
        events = [{"chunk": {"bytes": b"a\xff"}}, {"chunk": {"bytes": "🕛".encode()[:2]}}]
        assert answer_of_events(bedrock_agent, events).text == "a\ufffd\ufffd"

    def test_what_only_the_trace_tells_is_listed(self):
        """An agent may leave its citations out."""
        found = {"knowledgeBaseLookupOutput": {"retrievedReferences": [reference()]}}
        traces = [
            {"orchestrationTrace": {"rationale": {"text": "Look it up.", "traceId": "t"}}},
            {"orchestrationTrace": {"observation": found}},
            {"orchestrationTrace": {"rationale": {"text": "Done.", "traceId": "t"}}},
        ]
        events = [{"trace": {"agentId": "A", "trace": trace}} for trace in traces]
        answer = answer_of_events(bedrock_agent, [*events, {"chunk": {"bytes": b"Yes."}}])
        assert (answer.text, [source.id for source in answer.consulted]) == (
            "Yes.",
            ["s3://bkt/a.pdf"],
        )
        assert answer.asides[0].segments[0].text == "Look it up.\n\nDone."
        assert not answer.issues
        assert recognise(events[0]) == "bedrock_agent"


class TestAgentic:
    """AgenticRetrieveStream: exclusive ends, references by index."""

    @staticmethod
    def result(answer, *citations, results=3):
        told = [
            {
                "startIndex": start,
                "endIndex": end,
                "references": [{"resultIndex": at} for at in ats],
            }
            for start, end, *ats in citations
        ]
        found = [
            {
                "content": {"text": f"text {at}", "mimeType": "text/plain"},
                "metadata": {"x-amz-bedrock-kb-source-uri": f"s3://b/{at}.pdf"},
                "sourceRetriever": {"identifier": "KB1"},
            }
            for at in range(results)
        ]
        generated = {"answer": answer, "citations": told}
        return {"result": {"generatedResponse": generated, "results": found}}

    def test_stream_is_the_whole_response(self):
        """A response that holds its stream, and the events alone."""
        events = payload("bedrock_agentic.stream.jsonl")
        whole = answer_of_events(bedrock_agentic, events).to_dict()
        for form in (read_again(events), iter(events), {"stream": events}):
            assert bedrock_agentic.parse(form).to_dict() == whole
        for event in events:
            assert recognise(event) == "bedrock_agentic"

    def test_the_final_answer_replaces_the_pieces(self):
        """Offsets count in it."""
        events = [{"responseEvent": {"text": "Draft"}}, self.result("Final yes.", (6, 9, 1))]
        answer = answer_of_events(bedrock_agentic, events)
        assert answer.text == "Final yes."
        (item,) = neutral(answer)
        assert (item["place"], item["sources"]) == ((6, 9), ["result:1"])
        assert [(s.title, s.url) for s in answer.sources] == [("1.pdf", "s3://b/1.pdf")]
        assert len(answer.consulted) == 2

    def test_an_index_without_result(self):
        """It names no source; what else is cited there stays."""
        answer = bedrock_agentic.parse(self.result("Yes.", (0, 4, 1, 9, -1), (0, 3, 7)))
        assert [item["sources"] for item in neutral(answer)] == [["result:1"]]
        assert codes(answer) == ["unknown_source"] * 3

    def test_a_damaged_result_keeps_its_index(self):
        """Those after it do not become others."""
        event = self.result("Yes.", (0, 4, 0, 2))
        event["result"]["results"][0] = None
        answer = bedrock_agentic.parse(event)
        assert [source.text for source in answer.sources] == ["text 2"]

    def test_offsets_that_fit_in_utf16_alone(self):
        """They go past the text in code points, and end a sentence in the other unit."""
        answer = bedrock_agentic.parse(self.result("🕛🕛 Yes.", (5, 9, 0)))
        assert [item["place"] for item in neutral(answer)] == [(3, 7)]
        assert codes(answer) == ["offset_unit"]


RAG = TestKnowledgeBases.whole(TEXT, *NASTY)
RUNTIME = "bedrock-agent-runtime"


@cache
def service(name):
    return pytest.importorskip("botocore.session").get_session().get_service_model(name)


@pytest.mark.parametrize(
    ("values", "of", "name"),
    [
        ([payload("bedrock_converse_simple.json")], "bedrock-runtime", "ConverseResponse"),
        ([payload("bedrock_converse_nasty.json")], "bedrock-runtime", "ConverseResponse"),
        (
            [*TestConverse.events(payload("bedrock_converse_nasty.json"), "amid")],
            "bedrock-runtime",
            "ConverseStreamOutput",
        ),
        ([RAG, payload("bedrock_rag_simple.json")], RUNTIME, "RetrieveAndGenerateResponse"),
        (
            TestKnowledgeBases.events(TEXT, *NASTY),
            RUNTIME,
            "RetrieveAndGenerateStreamResponseOutput",
        ),
        (payload("bedrock_agent.stream.jsonl"), RUNTIME, "ResponseStream"),
        (
            payload("bedrock_agentic.stream.jsonl"),
            RUNTIME,
            "AgenticRetrieveStreamResponseOutput",
        ),
    ],
)
def test_types_of_the_sdk(values, of, name):
    """What is parsed here is what the service's own description allows."""
    validator = pytest.importorskip("botocore.validate").ParamValidator()
    for value in values:
        report = validator.validate(value, service(of).shape_for(name))
        assert not report.has_errors(), report.generate_report()


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damage_never_raises(data):
    """What is usable is given, whole and as a stream."""
    converse = payload("bedrock_converse_nasty.json")
    order = data.draw(st.sampled_from(["before", "after", "amid"]))
    adapter, value = data.draw(
        st.sampled_from(
            [
                (bedrock_converse, converse),
                (bedrock_converse, [*TestConverse.events(converse, order)]),
                (bedrock_rag, RAG),
                (bedrock_rag, TestKnowledgeBases.events(TEXT, *NASTY, at=2)),
                (bedrock_agent, payload("bedrock_agent.stream.jsonl")),
                (bedrock_agentic, payload("bedrock_agentic.stream.jsonl")),
            ]
        )
    )
    value = data.draw(damaged(value))
    assert adapter.parse(value, request=value).text is not None
    events = value if isinstance(value, list) else [value]
    assert answer_of_events(adapter, events).text is not None

"""Anthropic: documents, search results, searches and fetched pages, whole and as a stream."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, chunked, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark.errors import UnknownProviderError
from citemark.model import Location
from citemark.providers import anthropic, recognise
from citemark.providers._stream import Placement


def message(*content):
    return {"type": "message", "role": "assistant", "content": list(content)}


def cited(text, *citations):
    return {"type": "text", "text": text, "citations": list(citations)}


def quoted(words, index=0, start=None, end=None, **more):
    place = {"start_char_index": start, "end_char_index": end}
    kind = "char_location"
    return {"type": kind, "cited_text": words, "document_index": index, **place, **more}


def found(index, start, end, **more):
    place = {"start_block_index": start, "end_block_index": end}
    kind = "search_result_location"
    return {"type": kind, "search_result_index": index, "cited_text": "x", **place, **more}


def document(text, title=None):
    source = {"type": "text", "media_type": "text/plain", "data": text}
    return {"type": "document", "source": source, "title": title}


def result(source, *texts, title="Result"):
    blocks = [{"type": "text", "text": text} for text in texts]
    return {"type": "search_result", "source": source, "title": title, "content": blocks}


def request(*content):
    return {"messages": [{"role": "user", "content": list(content)}]}


def fetched(url, text, title="Page"):
    page = {"type": "web_fetch_result", "url": url, "content": document(text, title)}
    return {"type": "web_fetch_tool_result", "tool_use_id": "t", "content": page}


def events_of(response):
    """Return the events that would bring a message: citations first, as the service does."""
    yield {"type": "message_start", "message": {**response, "content": []}}
    for index, block in enumerate(response["content"]):
        told = {"index": index, "type": "content_block_delta"}
        if block["type"] == "thinking":
            start = {"type": "thinking", "thinking": "", "signature": ""}
            yield {"type": "content_block_start", "index": index, "content_block": start}
            for piece in chunked(block["thinking"], 2):
                yield {**told, "delta": {"type": "thinking_delta", "thinking": piece}}
        elif block["type"] != "text":
            yield {"type": "content_block_start", "index": index, "content_block": block}
        else:
            start = {"type": "text", "text": ""}
            yield {"type": "content_block_start", "index": index, "content_block": start}
            for citation in block.get("citations") or ():
                yield {**told, "delta": {"type": "citations_delta", "citation": citation}}
            for piece in chunked(block["text"]):
                yield {**told, "delta": {"type": "text_delta", "text": piece}}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": response.get("stop_reason")}}
    yield {"type": "message_stop"}


def quotes(answer):
    return [(one.source.id, one.quote, one.locations) for one in answer.citations]


WHOLE = (
    "anthropic_cite_leak", "anthropic_nasty", "anthropic_simple", "anthropic_unit_probe",
    "anthropic_web_search",
)  # fmt: skip
REQUESTS = {
    "anthropic_nasty": "anthropic_nasty.request.json",
    "anthropic_simple": "anthropic_simple.request.json",
    "anthropic_unit_probe": "anthropic_nasty.request.json",
}


class TestStream:
    """The events of a stream give the answer of the whole response."""

    @pytest.mark.parametrize("name", WHOLE)
    @pytest.mark.parametrize("wrap", [False, True])
    def test_is_the_whole_response(self, name, wrap):
        """Also as what a reader of server-sent events gives."""
        given = payload(f"{name}.json")
        asked = payload(REQUESTS[name]) if name in REQUESTS else None
        events = json.loads(json.dumps([*events_of(given)]))
        if wrap:
            events = [{"event": event["type"], "data": json.dumps(event)} for event in events]
        whole = anthropic.parse(given, request=asked)
        assert answer_of_events(anthropic, events, request=asked).to_dict() == whole.to_dict()

    def test_recorded_events(self):
        """The recorded stream and the recorded response are of the same answer."""
        asked = payload("anthropic_simple.request.json")
        events = payload("anthropic_simple.stream.jsonl")
        whole = anthropic.parse(payload("anthropic_simple.json"), request=asked)
        assert answer_of_events(anthropic, events, request=asked).to_dict() == whole.to_dict()

    def test_citations_of_an_open_paragraph_wait(self):
        """What comes may yet make code or a table of its words."""
        stream = anthropic.StreamAdapter()
        for event in payload("anthropic_simple.stream.jsonl"):
            assert not [one for one in stream.feed(event) if isinstance(one, Placement)]
        last = [(one.segment.citations[0].number, one.start) for one in stream.close()]
        assert last == [(1, 50), (1, 84)]

    @pytest.mark.parametrize("order", ["before", "after", "after the end"])
    def test_c132_citations_are_those_of_their_block(self, order):
        """The order in a block is free, and the index tells the block."""
        delta = {"type": "content_block_delta", "index": 1}
        quote = quoted("Water boils at 100 C.", 0, 0, 21)
        citation = {**delta, "delta": {"type": "citations_delta", "citation": quote}}
        text = {**delta, "delta": {"type": "text_delta", "text": "Water boils at 100 C"}}
        stop = {"type": "content_block_stop", "index": 1}
        middle = {
            "before": [citation, text, stop],
            "after": [text, citation, stop],
            "after the end": [text, stop, citation],
        }[order]
        start = {"type": "content_block_start", "index": 1}
        answer = answer_of_events(anthropic, [start, *middle, {"type": "message_stop"}])
        assert answer.text == "Water boils at 100 C"
        assert neutral(answer) == [
            {
                "anchor": "claim",
                "place": (0, 20),
                "sources": ["0"],
                "quotes": [quote["cited_text"]],
            }
        ]
        assert not answer.issues

    def test_a_block_that_never_ends(self):
        """The connection broke, and the service said so."""
        events = [*events_of(message(cited("One. Two", quoted("One."))))][:-3]
        error = {
            "type": "error",
            "error": {"type": "overloaded_error", "message": "Overloaded"},
        }
        answer = answer_of_events(anthropic, [*events, error])
        assert neutral(answer)[0]["place"] == (0, 8)
        assert [issue.code for issue in answer.issues] == ["stream_error"]

    def test_blocks_without_a_stop_between_them(self):
        """The index tells that another one began."""
        delta = "content_block_delta"
        events = [
            {
                "type": delta,
                "index": at,
                "delta": {"type": "text_delta", "text": f"Part {at}. "},
            }
            for at in (0, 1)
        ]
        quote = {"type": "citations_delta", "citation": quoted("a")}
        answer = answer_of_events(
            anthropic, [*events, {"type": delta, "index": 1, "delta": quote}]
        )
        assert neutral(answer)[0]["place"] == (8, 16)

    def test_events_without_index(self):
        """They are about the block that is open, or begin one."""
        delta = {"type": "content_block_delta"}
        citation = {**delta, "delta": {"type": "citations_delta", "citation": quoted("a")}}
        texts = [
            {**delta, "delta": {"type": "text_delta", "text": text}}
            for text in ("Yes.", " No.")
        ]
        stop = {"type": "content_block_stop"}
        events = [citation, texts[0], stop, texts[1], citation, stop]
        answer = answer_of_events(anthropic, events)
        assert [item["place"] for item in neutral(answer)] == [(0, 4), (4, 8)]

    def test_what_is_not_known_is_counted(self):
        """Events, deltas, blocks and citations of kinds yet to come."""
        told = {"type": "content_block_delta", "index": 0}
        events = [
            {"type": "content_block_start", "index": 0, "content_block": {"type": "hologram"}},
            {**told, "delta": {"type": "hologram_delta"}},
            {
                **told,
                "delta": {"type": "citations_delta", "citation": {"type": "dream_location"}},
            },
            {"type": "daydream"},
        ]
        answer = answer_of_events(anthropic, events)
        codes = {issue.code for issue in answer.issues}
        assert codes >= {"unknown_event", "unknown_delta", "unknown_block", "unknown_citation"}


class TestSearchResults:
    """Search results that the request brings, or tools do, count apart from documents."""

    def test_they_count_through_messages_and_tool_results(self):
        """The third one is in a tool's result of the second message."""
        tool = {"type": "tool_result", "tool_use_id": "t", "content": [result("kb://3", "c")]}
        asked = request(
            result("https://x.example/1", "a"), document("D"), result("kb://2", "b")
        )
        asked["messages"].append({"role": "user", "content": [tool]})
        answer = anthropic.parse(
            message(cited("See.", found(2, 0, 1, source="kb://3"))), request=asked
        )
        source = next(iter(answer.citations)).source
        assert (source.id, source.text, source.title) == ("search:2", "c", "Result")
        assert source.url == "kb://3"
        assert next(iter(answer.citations)).locations == (Location("block", 0, 1),)
        assert {source.id for source in answer.consulted} == {"0", "search:0", "search:1"}

    def test_without_the_request(self):
        """The citation itself has title and source; one of each count is two sources."""
        given = found(0, 1, 3, source="https://x.example", title="T")
        answer = anthropic.parse(message(cited("See.", given, quoted("q", 0))))
        assert [(s.id, s.title, s.url) for s in answer.sources] == [
            ("search:0", "T", "https://x.example"),
            ("0", "Document 1", None),
        ]
        assert next(iter(answer.citations)).raw == given


class TestFetchedPages:
    """Pages are cited as documents are; which one is meant, its text tells."""

    PAGES = (
        fetched("https://a.example", "Alpha opened in 2030. Both are free."),
        fetched("https://b.example", "Beta opened in 2031. Both are free.", "B"),
    )

    def cited(self, *citations, asked=None, pages=PAGES):
        answer = anthropic.parse(message(*pages, cited("See.", *citations)), request=asked)
        return [citation.source.id for citation in answer.citations]

    def test_the_page_that_holds_the_quote(self):
        """Whatever the index is."""
        assert self.cited(quoted("Beta opened in 2031. ", 0, 0, 21)) == ["https://b.example"]

    def test_the_page_of_that_title(self):
        """Both hold the quote, at different places."""
        words = quoted("Both are free.", 7, 0, 14, document_title="B")
        assert self.cited(words) == ["https://b.example"]
        assert self.cited(quoted("Both are free.", 7, 22, 36)) == ["https://a.example"]

    def test_the_page_of_that_index_after_the_documents(self):
        """Two pages that do not differ are told apart by their index alone."""
        pages = [fetched(f"https://{name}.example", "Same.") for name in "ab"]
        asked = request(document("Mine."))
        assert self.cited(quoted("Same.", 2, 0, 5), asked=asked, pages=pages) == [
            "https://b.example"
        ]
        assert self.cited(quoted("Same.", 9, 0, 5), asked=asked, pages=pages) == ["9"]

    def test_a_document_that_holds_the_quote_goes_first(self):
        """It is what the index names."""
        asked = request(document("Beta opened in 2031."))
        assert self.cited(quoted("Beta opened in 2031.", 0, 0, 20), asked=asked) == ["0"]

    def test_a_file_of_that_title(self):
        """A PDF has no text here."""
        page = fetched("https://c.example/c.pdf", "", "Report")
        page["content"]["content"]["source"] = {"type": "base64", "data": "JVBERi0="}
        place = {"start_page_number": 2, "end_page_number": 3, "document_title": "Report"}
        given = {"type": "page_location", "cited_text": "x", "document_index": 0, **place}
        assert self.cited(given, pages=[*self.PAGES, page]) == ["https://c.example/c.pdf"]

    def test_no_page_fits(self):
        """A wrong source would be worse than one without a name."""
        assert self.cited(quoted("Gamma.", 3, 0, 6)) == ["3"]

    def test_an_error_instead_of_a_page(self):
        """There is nothing to cite."""
        error = {"type": "web_fetch_tool_result_error", "error_code": "url_not_accessible"}
        failed = {"type": "web_fetch_tool_result", "tool_use_id": "t", "content": error}
        search = {"type": "web_search_tool_result", "tool_use_id": "t", "content": error}
        answer = anthropic.parse(message(failed, search, cited("No.")))
        assert (answer.text, answer.consulted, answer.issues) == ("No.", (), ())

    def test_pages_of_earlier_turns(self):
        """They are in the request."""
        asked = {"messages": [{"role": "assistant", "content": list(self.PAGES)}]}
        assert self.cited(quoted("Alpha opened", 0, 0, 12), asked=asked, pages=()) == [
            "https://a.example"
        ]


def test_results_of_searches_in_earlier_turns():
    """They give the citation of a page its title; the request may hold other blocks too."""
    hit = {"type": "web_search_result", "url": "https://a.example", "title": "A"}
    done = {"type": "web_search_tool_result", "tool_use_id": "t", "content": [hit, {"url": ""}]}
    kind = "web_search_result_location"
    given = {"type": kind, "url": "https://a.example", "title": None, "cited_text": "x"}
    asked = request({"type": "text", "text": "?"}, done)
    answer = anthropic.parse(message(cited("See.", given)), request=asked)
    assert [source.title for source in answer.sources] == ["A"]


class TestCitations:
    """What becomes of one citation."""

    def test_c133_a_part_with_citations_alone_is_kept(self):
        """It stands after the words before it."""
        quote = {"document_index": 2, "cited_text": "within five days"}
        answer = anthropic.parse(
            message({"type": "text", "text": "Refunds take 5 days"}, cited("", quote))
        )
        assert neutral(answer) == [
            {
                "anchor": "point",
                "place": (19, 19),
                "sources": ["2"],
                "quotes": ["within five days"],
            }
        ]

    def test_c137_what_has_to_be_sent_back_is_kept(self):
        """Opaque fields, also in what is stored."""
        given = {
            "type": "web_search_result_location",
            "url": "https://example.org/a",
            "title": "A",
            "cited_text": "x",
            "encrypted_index": "EqQB",
        }
        answer = anthropic.parse(message(cited("See.", given)))
        stored = type(answer).from_dict(json.loads(json.dumps(answer.to_dict())))
        for one in (answer, stored):
            assert next(iter(one.citations)).raw == given

    def test_a_quote_counted_in_utf16(self):
        """The text of the document tells that, and the place is mended."""
        text = "Port 🏢🏢 opens. Dogs need a leash."
        answer = anthropic.parse(
            message(cited("Leash.", quoted("Dogs need a leash.", 0, 17, 35))),
            request=request(document(text)),
        )
        start = text.index("Dogs")
        assert next(iter(answer.citations)).locations == (Location("char", start, len(text)),)
        assert [issue.code for issue in answer.issues] == ["source_offset_unit"]

    def test_a_quote_that_its_document_does_not_hold(self):
        """It stays, and the issue tells."""
        answer = anthropic.parse(
            message(cited("Leash.", quoted("Cats fly.", 0, 0, 9))),
            request=request(document("Dogs need a leash.")),
        )
        assert quotes(answer) == [("0", "Cats fly.", (Location("char", 0, 9),))]
        assert [issue.code for issue in answer.issues] == ["source_offset_unit"]

    @pytest.mark.parametrize(
        "citation",
        [
            {"type": "char_location"},
            quoted("x", -1),
            {"type": "web_search_result_location"},
            {},
        ],
    )
    def test_one_that_names_no_source(self, citation):
        """It is left out, and told."""
        answer = anthropic.parse(message(cited("See.", citation)))
        assert ([*answer.citations], answer.text) == ([], "See.")
        assert "no_source" in {issue.code for issue in answer.issues}

    @pytest.mark.parametrize(
        ("start", "end"), [(5, 2), (None, 3), (-2, 3), ("x", 3), (2**70, 3)]
    )
    def test_one_whose_place_in_the_source_is_nonsense(self, start, end):
        """Its source and quote are kept."""
        answer = anthropic.parse(message(cited("See.", quoted("q", 1, start, end))))
        assert quotes(answer) == [("1", "q", ())]

    def test_thinking_stays_beside(self):
        """It is no part of the text."""
        thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
        redacted = {"type": "redacted_thinking", "data": "x"}
        given = message(thought, redacted, cited("See."), {**thought, "thinking": "So."})
        answer = anthropic.parse(given)
        assert (answer.text, answer.asides[0].segments[0].text) == ("See.", "Hm.\n\nSo.")
        assert answer_of_events(anthropic, events_of(given)).to_dict() == answer.to_dict()
        assert not answer.issues


@pytest.mark.parametrize("value", [None, [], "x", {}, 3, {"content": "text"}, [[]]])
def test_what_is_no_message_is_an_empty_answer(value):
    """Nothing raises."""
    assert anthropic.parse(value, request=value).text == ""


def test_an_item_of_another_provider_is_not_taken_for_a_message():
    """OpenAI's items have the same type and role."""
    item = message({"type": "output_text", "text": "x", "annotations": []})
    with pytest.raises(UnknownProviderError, match="no provider"):
        recognise(item)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damage_never_raises(data):
    """What is usable is given, whole and as a stream."""
    name = data.draw(st.sampled_from(WHOLE))
    asked = payload(REQUESTS[name]) if name in REQUESTS else request(*TestFetchedPages.PAGES)
    asked = data.draw(damaged(asked)) if data.draw(st.booleans()) else asked
    given = payload(f"{name}.json")
    given["content"].insert(0, TestFetchedPages.PAGES[0])
    assert anthropic.parse(data.draw(damaged(given)), request=asked).text is not None
    events = data.draw(damaged([*events_of(given)]))
    events = events if isinstance(events, list) else [events]
    assert answer_of_events(anthropic, events, request=asked).text is not None


class TestTypesOfTheSdk:
    """Responses and events as the provider's own library has them."""

    @pytest.mark.parametrize("name", WHOLE)
    def test_message(self, name):
        """A response, and the blocks that others are made of here."""
        types = pytest.importorskip("anthropic.types")
        given = payload(f"{name}.json")
        response = types.Message.model_validate(given)
        assert recognise(response) == "anthropic"
        answer, plain = anthropic.parse(response), anthropic.parse(given)
        assert neutral(answer) == neutral(plain)
        assert [i.code for i in answer.issues] == [i.code for i in plain.issues]

    def test_fetched_page(self):
        """The blocks that this file makes up are of the library's types."""
        types = pytest.importorskip("anthropic.types")
        citation = quoted("Beta opened", 0, 0, 11, document_title=None, file_id=None)
        given = message(
            *TestFetchedPages.PAGES, cited("See.", citation, found(0, 0, 1, source="s"))
        )
        given |= {"id": "m", "model": "x", "usage": {"input_tokens": 1, "output_tokens": 1}}
        response = types.Message.model_validate(
            given | {"stop_reason": None, "stop_sequence": None}
        )
        assert [source.id for source in anthropic.parse(response).sources] == [
            "https://b.example",
            "search:0",
        ]

    def test_events(self):
        """The raw events, and the stream of the library, which repeats each delta."""
        types = pytest.importorskip("anthropic.types")
        pydantic = pytest.importorskip("pydantic")
        streaming = pytest.importorskip("anthropic.lib.streaming._types")
        reader = pydantic.TypeAdapter(types.RawMessageStreamEvent)
        given = payload("anthropic_simple.stream.jsonl")
        raw = [reader.validate_python(event) for event in given if event["type"] != "ping"]
        doubled = []
        for event in raw:
            doubled.append(event)
            delta = getattr(event, "delta", None)
            if getattr(delta, "type", "") == "text_delta":
                doubled.append(
                    streaming.TextEvent(type="text", text=delta.text, snapshot=delta.text)
                )
            if getattr(delta, "type", "") == "citations_delta":
                one = delta.citation
                doubled.append(
                    streaming.CitationEvent(type="citation", citation=one, snapshot=[one])
                )
        assert recognise(raw[0]) == "anthropic"
        expected = answer_of_events(anthropic, given)
        for events in (raw, doubled):
            answer = answer_of_events(anthropic, events)
            assert answer.text == expected.text
            assert neutral(answer) == neutral(expected)
            assert not answer.issues

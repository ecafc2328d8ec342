"""Perplexity: numbers against the list of all pages, and annotations of its agents."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, chunked, damaged, payload, unclosed
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark.model import CitationSegment
from citemark.providers import perplexity, perplexity_agent, recognise

URLS = ["https://a.example/", "https://b.example/", "https://c.example/"]


def sonar(content, urls=(), results=(), **more):
    message = {"role": "assistant", "content": content}
    lists = {"citations": [*urls], "search_results": [*results]}
    found = {name: values for name, values in lists.items() if values}
    return {
        "object": "chat.completion",
        "model": "sonar",
        "choices": [{"message": message}],
        **found,
        **more,
    }


def chunks(text, *, lists=None, last=None, cumulative=False):
    """Events of a stream: with lists in each chunk, in the last one, or in a closing event."""
    said = ""
    for piece in chunked(text):
        said += piece
        choice = {"index": 0, "delta": {"content": piece}}
        if cumulative:
            choice["message"] = {"role": "assistant", "content": said}
        yield {
            "object": "chat.completion.chunk",
            "model": "sonar",
            "choices": [choice],
            **(lists or {}),
        }
    if last is not None:
        choice = {"index": 0, "delta": {"content": ""}, "message": {"content": said}}
        yield {"object": "chat.completion.done", "model": "sonar", "choices": [choice], **last}


def cited(answer):
    return [
        (segment.raw, [citation.source.url for citation in segment.citations])
        for segment in answer.segments
        if isinstance(segment, CitationSegment)
    ]


def test_c136_numbers_are_positions_in_the_list_of_urls():
    """chatboxai/chatbox#2404: no search results, only URLs; unused ones were consulted."""
    answer = perplexity.parse(sonar("Markets rose [1][3].", URLS))
    assert cited(answer) == [("[1]", [URLS[0]]), ("[3]", [URLS[2]])]
    assert [source.url for source in answer.consulted] == [URLS[1]]


@pytest.mark.parametrize("cumulative", [False, True])
@pytest.mark.parametrize("where", ["each", "last", "both"])
def test_c096_lists_of_a_stream_count_once_wherever_they_come(where, cumulative):
    """langchain-ai/langchain#29176 (repeated), symfony/ai#388 (last), litellm#13777 (lost)."""
    text = "Stars are many[1][2]. Über 🏙 people[3]."
    lists = {"citations": URLS, "search_results": [{"url": url, "title": url} for url in URLS]}
    events = chunks(
        text,
        lists=lists if where != "last" else None,
        last=lists if where != "each" else None,
        cumulative=cumulative,
    )
    answer = answer_of_events(perplexity, [*events])
    assert (
        answer.to_dict()
        == perplexity.parse(sonar(text, URLS, lists["search_results"])).to_dict()
    )
    assert [source.url for source in answer.sources] == URLS
    assert not answer.issues


@pytest.mark.parametrize(
    ("text", "number"),
    [("people[2].", "[2]"), ("**grew**[1]", "[1]"), ("CO2[1]", "[1]"), ("end.[3] Then", "[3]"),
     ('"the plan"[2], so', "[2]"), ("12 %[1]", "[1]")],
)  # fmt: skip
def test_a_number_glued_to_a_word_is_cited(text, number):
    """Sonar writes no blank before its numbers."""
    answer = perplexity.parse(sonar(text, URLS))
    assert [raw for raw, _ in cited(answer)] == [number]


def test_an_entry_that_is_empty_or_there_twice_keeps_its_position():
    """perplexity_nasty: four URLs, of which two have results; a number past the list is told."""
    urls = [URLS[0], None, URLS[0], URLS[2]]
    results = [{"url": URLS[2], "title": "C"}, {"url": "https://new.example/", "title": "New"}]
    answer = perplexity.parse(sonar("A[4] b[3] c[1] d[0] e[9].", urls, results))
    assert cited(answer) == [("[4]", [URLS[2]]), ("[3]", [URLS[0]]), ("[1]", [URLS[0]])]
    assert answer.sources[0].title == "C"
    assert "https://new.example/" in {source.url for source in answer.consulted}
    assert set(answer.unresolved) == {"0", "9"}


def test_search_results_alone_are_the_list():
    """Newer responses leave the URLs out."""
    answer = perplexity.parse(
        sonar("B[2]", (), [{"url": url, "title": url[8:9]} for url in URLS])
    )
    assert [source.title for source in answer.sources] == ["b"]


@pytest.mark.parametrize("size", [1, 4, 200])
def test_reasoning_goes_aside(size):
    """With its numbers; and an answer about the tags keeps them."""
    text = "<think>\nLook at [1]. </th is fine</think>\n\nAnswer[2] about `<think>` tags."
    whole = perplexity.parse(sonar(text, URLS))
    assert whole.text == "Answer[2] about `<think>` tags."
    (aside,) = whole.asides
    assert "".join(segment.raw for segment in aside.segments) == "\nLook at [1]. </th is fine"
    assert aside.segments[1].citations[0].source.url == URLS[0]
    events = [
        {
            "model": "sonar",
            "object": "chat.completion.chunk",
            "choices": [{"delta": {"content": piece}}],
        }
        for piece in chunked(text, size)
    ]
    stream = perplexity.StreamAdapter()
    given = [update for event in events for update in stream.feed({**event, "citations": URLS})]
    assert (
        "".join(update.text for update in [*given, *stream.close()][: len(given)]) in whole.text
    )
    assert stream.answer.to_dict() == whole.to_dict()


@pytest.mark.parametrize(
    ("text", "answer", "thought"),
    [("<thi", "<thi", ""), ("<think>never ends [1]", "", "never ends [1]"), ("  <think>a</think>", "", "a"),
     ("<thinking>b", "<thinking>b", ""), ("", "", ""), ("a <think>b</think>", "a <think>b</think>", "")],
)  # fmt: skip
def test_halves_of_reasoning(text, answer, thought):
    """Cut off at any place, in one go and by characters."""
    for events in ([sonar(text, URLS)], [*chunks(text, lists={"citations": URLS})]):
        found = answer_of_events(perplexity, events)
        asides = ["".join(segment.raw for segment in aside.segments) for aside in found.asides]
        assert (found.text, "".join(asides)) == (answer, thought)


def test_a_closing_event_may_correct_the_text():
    """What it says is what counts, and the stream still gives out an answer."""
    events = [*chunks("Teh people[1]", lists={"citations": URLS})]
    done = {**sonar("The people[1]", URLS), "object": "chat.completion.done"}
    stream = perplexity.StreamAdapter()
    given = "".join(update.text for event in [*events, done] for update in stream.feed(event))
    stream.close()
    assert stream.answer.text == "The people[1]"
    assert len(given) == len("The people[1]")
    assert len(cited(stream.answer)) == 1


def test_a_message_may_repeat_its_delta():
    """It is not all of the text so far."""
    events = [
        {
            "object": "chat.completion.chunk",
            "model": "sonar",
            "choices": [{"delta": one, "message": one}],
        }
        for one in ({"content": piece} for piece in chunked("The people[1]"))
    ]
    assert answer_of_events(perplexity, events).text == "The people[1]"


def test_events_may_be_json():
    """As they stand in the lines of the stream, with its last one."""
    events = [
        {"data": json.dumps(event)} for event in chunks("a[1]", lists={"citations": URLS})
    ]
    assert recognise(events[0]) == "perplexity"
    answer = answer_of_events(perplexity, [*events, {"data": "[DONE]"}, {"data": "{"}])
    assert [raw for raw, _ in cited(answer)] == ["[1]"]


def test_what_is_of_others_is_not_taken_for_it():
    """Gateways and rivals list URLs as well; events of OpenAI have names that begin the same."""
    chunk = sonar("x", URLS)
    assert recognise({**chunk, "model": "grok-4"}) != "perplexity"
    assert recognise({**chunk, "id": "gen-1"}) != "perplexity"
    assert recognise({"type": "response.reasoning.delta", "delta": "x"}) != "perplexity_agent"
    assert recognise({"type": "response.reasoning.started"}) == "perplexity_agent"
    item = {"type": "response.output_item.done", "item": {"type": "fetch_url_results"}}
    assert recognise(item) == "perplexity_agent"


def test_of_several_answers_one_is_read():
    """And it is said that there are more."""
    response = sonar("one[1]", URLS)
    response["choices"].append({"index": 1, "message": {"content": "two[2]"}})
    answer = perplexity.parse(response)
    assert (answer.text, [issue.code for issue in answer.issues]) == ("one[1]", ["choice"])


def agent(text, annotations, results, **more):
    content = [{"type": "output_text", "text": text, "annotations": annotations}]
    output = [
        {"type": "search_results", "results": results},
        {"type": "message", "id": "m", "role": "assistant", "content": content},
    ]
    return {
        "object": "response",
        "model": "openai/x",
        "status": "completed",
        "output": output,
        **more,
    }


RESULTS = [
    {"id": 3, "url": URLS[0], "title": "A", "snippet": "s"},
    {"id": 5, "url": URLS[1], "title": "B"},
]


def note(start, end, url):
    return {
        "type": "url_citation",
        "start_index": start,
        "end_index": end,
        "url": url,
        "title": "t",
    }


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ([], [("marker", (12, 15), ["3"]), ("marker", (21, 24), ["5"])]),
        ([note(12, 15, URLS[0])], [("marker", (12, 15), ["3"]), ("marker", (21, 24), ["5"])]),
        ([note(13, 16, URLS[0])], [("marker", (12, 15), ["3"]), ("marker", (21, 24), ["5"])]),
        (
            [note(None, None, URLS[1])],
            [("marker", (12, 15), ["3"]), ("marker", (21, 24), ["5"])],
        ),
        (
            [note(0, 7, URLS[2])],
            [
                ("claim", (0, 7), [URLS[2]]),
                ("marker", (12, 15), ["3"]),
                ("marker", (21, 24), ["5"]),
            ],
        ),
    ],
)
def test_agent_annotations(notes, expected):
    """In place, one unit of UTF-16 off, without position, about words, and none at all."""
    answer = perplexity_agent.parse(agent("Alder 🏙 grew[3]. Then[5] x", notes, RESULTS))
    found = [(item["anchor"], item["place"], item["sources"]) for item in neutral(answer)]
    assert sorted(found) == sorted(expected)


def test_agent_annotations_that_lack_a_field():
    """Every field is optional: without URL no source, without position and marker no place."""
    notes = [
        {"type": "url_citation"},
        note(0, 0, URLS[2]),
        note(None, None, URLS[2]),
        note(90, 99, URLS[2]),
    ]
    answer = perplexity_agent.parse(agent("Nothing here.", notes, RESULTS))
    assert neutral(answer) == []
    assert URLS[2] in {source.url for source in answer.consulted}
    assert [issue.code for issue in answer.issues][:2] == ["no_source", "span_empty"]


def agent_events(response, *, closing):
    """The events of a response: searches, text by pieces, and what closes it."""
    results, message = response["output"]
    (part,) = message["content"]
    at = {"item_id": "m", "output_index": 1, "content_index": 0}
    begun = {**response, "output": [], "status": "in_progress"}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.reasoning.started", "thought": "hm"}
    yield {"type": "response.reasoning.search_results", "results": results["results"]}
    yield {"type": "response.output_item.done", "output_index": 0, "item": results}
    for piece in chunked(part["text"]):
        yield {"type": "response.output_text.delta", "delta": piece, **at}
    yield {"type": "response.output_text.done", "text": part["text"], **at}
    if closing != "response":
        yield {"type": "response.output_item.done", "output_index": 1, "item": message}
    if closing != "item":
        yield {"type": "response.completed", "response": response}


@pytest.mark.parametrize("closing", ["item", "response", "both"])
def test_agent_stream_is_the_whole_response(closing):
    """Whatever repeats what came before."""
    notes = [note(12, 15, URLS[0]), note(21, 24, URLS[1])]
    response = agent("Alder 🏙 grew[3]. Then[5] x", notes, RESULTS)
    events = [*agent_events(response, closing=closing)]
    assert recognise(events[0]) == "perplexity_agent"
    answer = answer_of_events(perplexity_agent, events)
    told = unclosed(answer) if closing == "item" else answer.to_dict()
    assert told == perplexity_agent.parse(response).to_dict()
    assert not told["issues"]


def test_agent_item_takes_the_place_of_all_its_parts():
    """Also of one that it does not have any more."""
    at = {"type": "response.output_text.delta", "output_index": 1}
    events = [{**at, "content_index": index, "delta": "Draft. "} for index in (0, 1)]
    item = agent("Alder grew[3].", [], [])["output"][1]
    events.append({"type": "response.output_item.done", "output_index": 1, "item": item})
    assert answer_of_events(perplexity_agent, events).text == "Alder grew[3]."


def test_two_results_with_one_id_name_neither():
    """A wrong page would be worse than none."""
    results = [*RESULTS, {"id": 3, "url": URLS[2], "title": "C"}]
    answer = perplexity_agent.parse(agent("a[3] b[5]", [], results))
    assert [source.title for source in answer.sources] == ["B"]
    assert ("ambiguous_label", "3") in {(issue.code, issue.key) for issue in answer.issues}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_never_raises(data):
    """Neither in a response nor in events."""
    adapter = data.draw(st.sampled_from([perplexity, perplexity_agent]))
    if adapter is perplexity:
        whole = payload("perplexity_simple.json")
        lists = {"citations": whole["citations"], "search_results": whole["search_results"]}
        events = [*chunks("About[2] x", lists=lists, last=lists, cumulative=True)]
    else:
        whole = payload("perplexity_agent.json")
        events = [*agent_events(whole, closing="both")]
    adapter.parse(data.draw(damaged(whole)))
    found = data.draw(damaged(events))
    answer = answer_of_events(adapter, found if isinstance(found, list) else [found])
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@pytest.mark.parametrize("nothing", [None, [], "x", {}, 3])
@pytest.mark.parametrize("adapter", [perplexity, perplexity_agent])
def test_nothing_gives_nothing(adapter, nothing):
    """An empty answer."""
    assert adapter.parse(nothing).text == ""


class TestSdk:
    """The same for the objects of the SDK, which also says that the payloads are right."""

    def test_sonar(self):
        """A completion is a chunk by its type."""
        types = pytest.importorskip("perplexity.types")
        given = payload("perplexity_simple.json")
        response = types.StreamChunk.model_validate(given)
        assert recognise(response) == "perplexity"
        assert perplexity.parse(response).to_dict() == perplexity.parse(given).to_dict()

    def test_agent(self):
        """A response of an agent."""
        types = pytest.importorskip("perplexity.types")
        given = payload("perplexity_agent.json")
        response = types.ResponseCreateResponse.model_validate(given)
        assert recognise(response) == "perplexity_agent"
        assert neutral(perplexity_agent.parse(response)) == neutral(
            perplexity_agent.parse(given)
        )

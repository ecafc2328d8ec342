"""Mistral: references between pieces of text, of the caller's tools and of the service's."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark.providers import mistral, mistral_conversations, recognise
from citemark.providers._stream import Placement

SOURCE = {"type": "reference", "reference_ids": [0]}


def chat(content, **more):
    return {"object": "chat.completion", "choices": [{"message": {"content": content}}], **more}


def deltas(*contents):
    return [
        {"data": {"object": "chat.completion.chunk", "choices": [{"delta": {"content": one}}]}}
        for one in contents
    ]


def text(words):
    return {"type": "text", "text": words}


def page(url, **more):
    return {"type": "tool_reference", "tool": "web_search", "title": url, "url": url, **more}


@pytest.mark.parametrize(
    ("adapter", "name"),
    [(mistral, "mistral_chat_simple"), (mistral_conversations, "mistral_conversation")],
)
def test_stream_is_the_whole_response(adapter, name):
    """Also after the events were written and read again."""
    events = payload(f"{name}.stream.jsonl")
    whole = adapter.parse(payload(f"{name}.json"))
    assert answer_of_events(adapter, events).to_dict() == whole.to_dict()
    again = json.loads(json.dumps(events))
    assert (
        answer_of_events(adapter, [event["data"] for event in again]).to_dict()
        == whole.to_dict()
    )


def test_citations_of_an_open_paragraph_wait():
    """A reference may be followed by another one, and its words may yet become code."""
    stream = mistral_conversations.StreamAdapter()
    updates = [stream.feed(event) for event in payload("mistral_conversation.stream.jsonl")]
    given = [[type(update).__name__ for update in some] for some in updates]
    assert given[4:8] == [[], [], ["TextSegment"], ["TextSegment"]]
    last = [update for update in stream.close() if isinstance(update, Placement)]
    first = [update for some in updates for update in some if isinstance(update, Placement)]
    shown = [[c.number for c in update.segment.citations] for update in [*first, *last]]
    assert shown == [[1, 2], [1]]
    assert (last[0].start, last[0].end) == (23, 23)


def test_chat_references_in_two_chunks_are_given_out_together():
    """The second one would come too late for the first."""
    stream = mistral.StreamAdapter()
    more = {"type": "reference", "reference_ids": [1]}
    given = [stream.feed(event) for event in deltas("It won", [SOURCE], [more], ". Then")]
    given.append(stream.close())
    placed = [update for some in given for update in some if isinstance(update, Placement)]
    assert [[c.key for c in update.segment.citations] for update in placed] == [["0", "1"]]


def test_references_of_a_run_are_one_citation_and_text_of_one_is_answer_text():
    """mistral_chat_nasty: thinking with references, ids of both types, two in a row."""
    content = [
        {"type": "thinking", "thinking": [text("Look up "), SOURCE], "closed": True},
        text("The choir"),
        SOURCE,
        {"type": "reference", "reference_ids": ["b", 7]},
        text(" won 🏆 "),
        text("twice"),
        {"type": "reference", "reference_ids": [0], "text": "in Alder"},
    ]
    whole = mistral.parse(chat(content))
    assert whole.text == "The choir won 🏆 twicein Alder"
    assert neutral(whole) == [
        {"anchor": "point", "place": (9, 9), "sources": ["0", "b", "7"], "quotes": []},
        {"anchor": "claim", "place": (21, 29), "sources": ["0"], "quotes": []},
    ]
    assert [aside.channel for aside in whole.asides] == ["thinking"]
    assert whole.asides[0].segments[1].citations[0].number == 1
    assert (
        answer_of_events(mistral, deltas(*([one] for one in content))).to_dict()
        == whole.to_dict()
    )


def test_request_tells_what_the_ids_name():
    """The caller's tool gave back an object by these keys; a key that is not there is told."""
    given = {"0": {"title": "Prize", "url": "https://a.example/", "snippets": ["won", "2024"]}}
    request = {"messages": [{"role": "tool", "content": json.dumps(given)}, {"role": "user"}]}
    content = [text("Won"), SOURCE, {"type": "reference", "reference_ids": [4]}]
    answer = mistral.parse(chat(content), request=request)
    (source,) = answer.sources
    assert (source.title, source.url, source.text) == (
        "Prize",
        "https://a.example/",
        "won\n\n2024",
    )
    assert [(issue.code, issue.key) for issue in answer.issues] == [("unknown_source", "4")]


@pytest.mark.parametrize(
    ("content", "title", "passage"),
    [
        ('["first"]', "Reference 0", "first"),
        ('{"0": {"name": "A", "text": "t"}}', "A", "t"),
        ('{"0": {"title": "A", "content": 3}}', "A", ""),
        ([{"type": "text", "text": '{"0": {"title": "A", "snippets": []}}'}], "A", ""),
        ("no JSON", "Reference 0", ""),
        ("3", "Reference 0", ""),
        (None, "Reference 0", ""),
    ],
)
def test_results_of_tools_in_all_their_forms(content, title, passage):
    """A list counts from 0; what cannot be read leaves the ids as they are."""
    request = {
        "messages": [{"role": "user", "content": "?"}, {"role": "tool", "content": content}]
    }
    answer = mistral.parse(chat([text("x"), SOURCE]), request=request)
    assert [(source.title, source.text) for source in answer.sources] == [(title, passage)]
    assert not answer.issues


def test_ids_that_are_none():
    """Each is counted, and the others stay; so do pieces that are bare texts."""
    ids = [True, None, "", 10**5000, {"x": 1}, 1.5, 3]
    answer = mistral.parse(chat(["It won", {"type": "reference", "reference_ids": ids}]))
    assert [item["sources"] for item in neutral(answer)] == [["3"]]
    assert [issue.message[-9:] for issue in answer.issues] == ["(6 times)"]
    assert neutral(mistral.parse(chat([text("x"), {"type": "reference"}]))) == []


def test_a_key_that_two_results_have_says_nothing_of_its_source():
    """A wrong title would be worse than none."""
    tools = [json.dumps({"0": {"title": name}}) for name in ("A", "B")]
    request = {"messages": [{"role": "tool", "content": one} for one in tools]}
    answer = mistral.parse(chat([text("x"), SOURCE]), request=request)
    assert [source.title for source in answer.sources] == ["Reference 0"]


def test_messages_of_a_conversation_are_set_apart():
    """What is said before a tool is called, and after it."""
    outputs = [
        {"type": "message.output", "id": "a", "content": "Looking."},
        {"type": "tool.execution", "id": "t"},
        {
            "type": "message.output",
            "id": "b",
            "content": [text("Found"), page("https://a.example/")],
        },
    ]
    whole = mistral_conversations.parse({"object": "conversation.response", "outputs": outputs})
    assert whole.text == "Looking.\n\nFound"
    events = [
        {"type": "conversation.response.started"},
        *(
            {"type": "message.output.delta", "id": "a", "content": one}
            for one in ("Look", "ing.")
        ),
        {"type": "tool.execution.started"},
        {"type": "tool.execution.done"},
        {"type": "message.output.delta", "id": "b", "content": text("Found")},
        {"type": "message.output.delta", "id": "b", "content": page("https://a.example/")},
        {"type": "conversation.response.done"},
    ]
    assert answer_of_events(mistral_conversations, events).to_dict() == whole.to_dict()


def test_what_is_not_known_is_counted():
    """A chunk, an entry and a field of new types."""
    odd = [{"type": "poem", "text": "x"}, page("https://a.example/", mood="good")]
    outputs = [{"type": "message.output", "content": odd}, {"type": "dance"}]
    answer = mistral_conversations.parse(
        {"object": "conversation.response", "outputs": outputs}
    )
    found = {(issue.code, issue.key) for issue in answer.issues}
    assert found == {
        ("unknown_chunk", "poem"),
        ("unknown_field", "mood"),
        ("unknown_entry", "dance"),
    }


def test_a_page_without_url_and_one_without_anything():
    """The title is enough to be a source; nothing at all is no source."""
    chunks = [text("x"), page(None, title="Calendar"), {"type": "tool_reference"}]
    outputs = [{"type": "message.output", "content": chunks}]
    answer = mistral_conversations.parse(
        {"object": "conversation.response", "outputs": outputs}
    )
    assert [(source.title, source.url) for source in answer.sources] == [("Calendar", None)]
    assert [issue.code for issue in answer.issues] == ["no_source"]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_never_raises(data):
    """Neither in a response nor in events; nor where both are mixed up."""
    adapter = data.draw(st.sampled_from([mistral, mistral_conversations]))
    name = "mistral_chat_simple" if adapter is mistral else "mistral_conversation"
    adapter.parse(data.draw(damaged(payload(f"{name}.json"))))
    events = data.draw(damaged(payload(f"{name}.stream.jsonl")))
    answer = answer_of_events(adapter, events if isinstance(events, list) else [events])
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@pytest.mark.parametrize("nothing", [None, [], "x", {}, 3])
@pytest.mark.parametrize("adapter", [mistral, mistral_conversations])
def test_nothing_gives_nothing(adapter, nothing):
    """An empty answer."""
    assert adapter.parse(nothing).text == ""


class TestSdk:
    """The same for the objects of the SDK, which also says that the payloads are right."""

    def test_chat(self):
        """A completion, read by its type."""
        models = pytest.importorskip("mistralai.client.models")
        given = payload("mistral_chat_simple.json")
        response = models.ChatCompletionResponse.model_validate(given)
        assert recognise(response) == "mistral"
        assert mistral.parse(response).to_dict() == mistral.parse(given).to_dict()

    def test_conversation(self):
        """A conversation, with fields that are unset."""
        models = pytest.importorskip("mistralai.client.models")
        given = payload("mistral_conversation.json")
        response = models.ConversationResponse.model_validate(given)
        assert recognise(response) == "mistral_conversations"
        answer = mistral_conversations.parse(response)
        assert neutral(answer) == neutral(mistral_conversations.parse(given))
        assert not answer.issues

    @pytest.mark.parametrize(
        ("adapter", "name", "kind"),
        [
            (mistral, "mistral_chat_simple", "CompletionEvent"),
            (mistral_conversations, "mistral_conversation", "ConversationEvents"),
        ],
    )
    def test_events(self, adapter, name, kind):
        """Events, read by their types."""
        models = pytest.importorskip("mistralai.client.models")
        given = payload(f"{name}.stream.jsonl")
        events = [getattr(models, kind).model_validate(event) for event in given]
        answer = answer_of_events(adapter, events)
        assert neutral(answer) == neutral(answer_of_events(adapter, given))
        assert not answer.issues

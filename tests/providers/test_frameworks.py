"""Messages of frameworks: LangChain, LlamaIndex, Pydantic AI, Vercel AI SDK."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark import providers
from citemark.model import Location
from citemark.providers import langchain, llama_index, pydantic_ai, vercel

PAYLOADS = Path(__file__).resolve().parents[1] / "corpora" / "providers" / "payloads"
NAMES = {
    "langchain_v1_anthropic": "langchain",
    "langchain_v1_google": "langchain",
    "langchain_v1_openai": "langchain",
    "llamaindex_citation_block": "llama_index",
    "pydantic_ai_textpart": "pydantic_ai",
    "vercel_ui_message": "vercel",
}


def payload(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_text("utf-8"))


def codes(answer) -> list[str]:
    return [issue.code for issue in answer.issues]


def streamed(module, events):
    stream = module.StreamAdapter()
    for event in events:
        stream.feed(json.loads(json.dumps(event)))
    stream.close()
    return stream.answer


# What they send, stream by stream

LANGCHAIN_CHUNKS = [
    {"type": "AIMessageChunk", "content": [{"type": "text", "text": "Hold ", "index": 0}]},
    {
        "type": "AIMessageChunk",
        "content": [{"type": "text", "text": "the dial.", "index": 0}],
        "response_metadata": {"model_provider": "anthropic"},
    },
    {
        "type": "AIMessageChunk",
        "content": [
            {
                "type": "text",
                "index": 0,
                "text": "",
                "annotations": [
                    {"type": "citation", "title": "Manual", "cited_text": "hold the dial",
                     "extras": {"document_index": 1, "start_page_number": 3,
                                "end_page_number": 4}}
                ],
            }
        ],
    },
    {"type": "AIMessageChunk", "content": [{"type": "text", "text": " Done.", "index": 1}]},
]  # fmt: skip

PYDANTIC_CITATIONS = [
    {
        "sources": [
            {"kind": "web", "url": "https://a.example/", "title": "A", "excerpts": ["x", "y"]}
        ],
        "anchor": {"kind": "content", "start": 0, "end": 9},
    }
]
PYDANTIC_EVENTS = [
    {"event_kind": "part_start", "index": 0,
     "part": {"part_kind": "thinking", "content": "Hm"}},
    {"event_kind": "part_delta", "index": 0,
     "delta": {"part_delta_kind": "thinking", "content_delta": "m."}},
    {"event_kind": "part_start", "index": 1, "part": {"part_kind": "text", "content": "🚢 Boats"}},
    {"event_kind": "final_result", "tool_name": None, "tool_call_id": None},
    {"event_kind": "part_delta", "index": 1,
     "delta": {"part_delta_kind": "text", "content_delta": " go."}},
    {"event_kind": "part_end", "index": 1,
     "part": {"part_kind": "text", "content": "🚢 Boats go."}},
    {"event_kind": "part_delta", "index": 1,
     "delta": {"part_delta_kind": "text", "content_delta": "", "citations_delta": []}},
    {"event_kind": "part_delta", "index": 1,
     "delta": {"part_delta_kind": "text", "content_delta": "",
               "citations_delta": PYDANTIC_CITATIONS}},
]  # fmt: skip
PYDANTIC_WHOLE = {
    "kind": "response",
    "parts": [
        {"part_kind": "thinking", "content": "Hmm."},
        {"part_kind": "text", "content": "🚢 Boats go.", "citations": PYDANTIC_CITATIONS},
    ],
}

VERCEL_SOURCES = [
    {"type": "source-url", "sourceId": "s1", "url": "https://a.example/", "title": "A"},
    {"type": "source-document", "sourceId": "s2", "mediaType": "application/pdf", "title": "B"},
]
VERCEL_CHUNKS = [
    {"type": "start", "messageId": "m"},
    {"type": "start-step"},
    {"type": "reasoning-start", "id": "r"},
    {"type": "reasoning-delta", "id": "r", "delta": "Hm."},
    {"type": "reasoning-end", "id": "r"},
    VERCEL_SOURCES[0],
    {"type": "text-start", "id": "0"},
    {"type": "text-delta", "id": "0", "delta": "Look"},
    {"type": "text-delta", "id": "0", "delta": "ing."},
    {"type": "text-end", "id": "0"},
    {"type": "tool-input-start", "toolCallId": "t", "toolName": "search"},
    {"type": "finish-step"},
    {"type": "start-step"},
    {"type": "text-start", "id": "0"},
    {"type": "text-delta", "id": "0", "delta": "Boats 🚢 go [2"},
    {"type": "text-delta", "id": "0", "delta": "], see [1]."},
    {"type": "text-end", "id": "0"},
    VERCEL_SOURCES[1],
    {"type": "finish-step"},
    {"type": "finish"},
]
VERCEL_WHOLE = {
    "id": "m",
    "role": "assistant",
    "parts": [
        {"type": "step-start"},
        {"type": "reasoning", "text": "Hm."},
        VERCEL_SOURCES[0],
        {"type": "text", "text": "Looking."},
        {"type": "tool-search", "toolCallId": "t"},
        {"type": "step-start"},
        {"type": "text", "text": "Boats 🚢 go [2], see [1]."},
        VERCEL_SOURCES[1],
    ],
}

LLAMA_MESSAGE = payload("llamaindex_citation_block")
LLAMA_EVENTS = [
    {"message": {"role": "assistant", "blocks": [{"block_type": "text", "text": "Hold the "}]},
     "delta": "Hold the "},
    {"message": LLAMA_MESSAGE, "delta": "dial for 8 s."},
]  # fmt: skip


def test_every_payload_is_recognised_as_that_of_its_framework():
    """Also the events of their streams, but for those that hold nothing."""
    for name, provider in NAMES.items():
        assert providers.recognise(payload(name)) == provider
    for events, provider in (
        (LANGCHAIN_CHUNKS, "langchain"),
        (PYDANTIC_EVENTS, "pydantic_ai"),
        (VERCEL_CHUNKS[:9], "vercel"),
        (LLAMA_EVENTS, "llama_index"),
    ):
        assert {providers.recognise(event) for event in events} == {provider}


@pytest.mark.parametrize(
    ("module", "events", "whole"),
    [
        (langchain, LANGCHAIN_CHUNKS, {
            "type": "ai",
            "content": [
                {"type": "text", "text": "Hold the dial.",
                 "annotations": LANGCHAIN_CHUNKS[2]["content"][0]["annotations"]},
                {"type": "text", "text": " Done."},
            ],
        }),
        (pydantic_ai, PYDANTIC_EVENTS, PYDANTIC_WHOLE),
        (vercel, VERCEL_CHUNKS, VERCEL_WHOLE),
        (llama_index, LLAMA_EVENTS, LLAMA_MESSAGE),
    ],
    ids=["langchain", "pydantic_ai", "vercel", "llama_index"],
)  # fmt: skip
def test_a_stream_gives_the_answer_of_the_whole(module, events, whole):
    """Text comes as it is sent, and what is given out is the text of the answer."""
    answer = streamed(module, events)
    stream, given = module.StreamAdapter(), ""
    for event in events:
        given += "".join(
            update.text for update in stream.feed(event) if hasattr(update, "text")
        )
    updates = stream.close()

    assert answer == module.parse(whole)
    assert given == answer.text == stream.answer.text
    assert not any(hasattr(update, "text") for update in updates)


def test_langchain_claim_of_a_block_keeps_quote_and_page():
    """Without indices an annotation is about its whole block."""
    answer = streamed(langchain, LANGCHAIN_CHUNKS)

    [citation] = answer.citations
    assert citation.quote == "hold the dial"
    assert citation.locations == (Location("page", 3, 4),)
    assert neutral(answer)[0]["place"] == (0, 14)


def test_c133_langchain_block_with_citations_alone_belongs_to_the_text_before_it():
    """A part without text is kept (report C133)."""
    answer = langchain.parse(
        {
            "type": "ai",
            "content": [
                {"type": "text", "text": "Refunds take 5 days"},
                {
                    "type": "text",
                    "citations": [
                        {"type": "char_location", "document_index": 2,
                         "cited_text": "within five days"}
                    ],
                },
            ],
        }
    )  # fmt: skip

    assert neutral(answer) == [
        {"anchor": "claim", "place": (0, 19), "sources": ["document:2"],
         "quotes": ["within five days"]}
    ]  # fmt: skip


def google(text: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "ai",
        "content": text if isinstance(text, list) else [
            {"type": "text", "text": text, "annotations": list(annotations)}
        ],
        "response_metadata": {"model_provider": "google_genai"},
    }  # fmt: skip


def test_langchain_google_offsets_count_bytes_of_all_blocks():
    """All citations are on the first block, and the cited text is the answer's own words."""
    annotation = {
        "type": "citation", "url": "https://a.example/", "start_index": 11, "end_index": 25,
        "cited_text": "Rebuilt 1977. ",
    }  # fmt: skip
    first = {"type": "text", "text": "橋 🌉。", "annotations": [annotation]}
    blocks = [first, {"type": "text", "text": "Rebuilt 1977. Again."}]
    answer = langchain.parse(google(blocks))

    assert neutral(answer)[0]["place"] == (4, 18)
    assert neutral(answer)[0]["quotes"] == []
    assert "offset_unit" in codes(answer)


def test_langchain_quote_that_stands_in_the_answer_too_is_a_quote():
    """Only a span that selects just these words makes them the answer's own."""
    text = "Told: hold the dial. So hold the dial."
    span = {"start_index": 21, "end_index": 38, "cited_text": "hold the dial"}
    message = {
        "type": "ai",
        "content": [
            {"type": "text", "text": text,
             "annotations": [{"type": "citation", "url": "https://a.example/", **span}]}
        ],
    }  # fmt: skip

    [found] = neutral(langchain.parse(message))
    assert found["place"] == (21, 38)
    assert found["quotes"] == ["hold the dial"]


def test_langchain_file_of_openai_is_a_point():
    """Its index is in the extras."""
    message = {
        "type": "ai",
        "content": [
            {"type": "text", "text": "See the guide.",
             "annotations": [{"type": "citation", "title": "guide.pdf",
                              "extras": {"file_id": "file-1", "index": 13}}]}
        ],
    }  # fmt: skip

    assert neutral(langchain.parse(message)) == [
        {"anchor": "point", "place": (13, 13), "sources": ["file-1"], "quotes": []}
    ]


def test_langchain_lists_of_pages_are_counted_by_markers():
    """Perplexity's list is beside the message."""
    message = {
        "type": "ai",
        "content": "People[2] and boats[1].",
        "additional_kwargs": {
            "citations": ["https://a.example/", "https://b.example/"],
            "search_results": [{"url": "https://a.example/", "title": "A"}],
        },
    }
    answer = langchain.parse(message)

    assert [source.id for source in answer.sources] == [
        "https://b.example/", "https://a.example/",
    ]  # fmt: skip
    assert answer.sources[1].title == "A"


@pytest.mark.parametrize("form", ["lc", "data"])
def test_langchain_stored_message_is_read_as_the_message(form):
    """Both forms in which messages are stored."""
    message = payload("langchain_v1_anthropic")
    stored = (
        {"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": message}
        if form == "lc"
        else {"type": "ai", "data": message}
    )

    assert providers.recognise(stored) == "langchain"
    assert langchain.parse(stored) == langchain.parse(message)


def test_pydantic_deltas_replace_all_citations():
    """Each delta has all of them: the last one holds."""
    first = copy.deepcopy(PYDANTIC_EVENTS)
    first[6]["delta"]["citations_delta"] = [
        {**PYDANTIC_CITATIONS[0], "anchor": {"kind": "content", "start": 2, "end": 5}}
    ]

    assert streamed(pydantic_ai, first) == streamed(pydantic_ai, PYDANTIC_EVENTS)


def test_pydantic_offsets_count_in_their_part():
    """Texts with another part between are paragraphs; one source may have several passages."""
    part = PYDANTIC_WHOLE["parts"][1]
    parts = [part, {"part_kind": "tool-call", "tool_name": "t"}, part]
    answer = pydantic_ai.parse([{"kind": "request"}, {"kind": "response", "parts": parts}])

    assert answer.text == "🚢 Boats go.\n\n🚢 Boats go."
    assert [found["place"] for found in neutral(answer)] == [(0, 9), (13, 22)]
    assert [found["quotes"] for found in neutral(answer)] == [["x", "y"]] * 2
    assert len(answer.sources) == 1


def test_llama_markers_count_the_source_nodes():
    """The label that the engine wrote before a text is no part of the passage."""
    node = {"id_": "n", "text": "Source 1:\nHold the dial.",
            "metadata": {"file_name": "a.pdf", "page_label": "3", "url": "https://a.example"}}  # fmt: skip
    again = {"node": {**node, "text": "Source 2:\nEight seconds."}, "score": 0.5}
    response = {
        "response": "Hold it [2], the dial [1].",
        "source_nodes": [{"node": node, "score": 0.9}, again, {"node": {"id_": "z"}}],
    }
    answer = llama_index.parse(response)

    assert [(source.id, source.text, source.page) for source in answer.sources] == [
        ("n#2", "Eight seconds.", "3"), ("n", "Hold the dial.", "3"),
    ]  # fmt: skip
    assert [source.id for source in answer.consulted] == ["z"]
    assert providers.recognise(response) == "llama_index"


def test_vercel_markers_count_the_source_parts():
    """A text of a later step is a paragraph of its own."""
    answer = vercel.parse(VERCEL_WHOLE)

    assert answer.text == "Looking.\n\nBoats 🚢 go [2], see [1]."
    assert [citation.source.id for citation in answer.citations] == ["s2", "s1"]
    assert answer.asides[0].segments[0].raw == "Hm."


def test_vercel_source_says_what_the_provider_told():
    """Page and quote are in the metadata; the list may hold an id twice."""
    message = payload("vercel_ui_message")[0]
    message["parts"].append(message["parts"][-1])
    answer = vercel.parse(message)

    assert [(source.id, source.text, source.page) for source in answer.consulted] == [
        ("s-1", "", None), ("s-2", "q", 4), ("s-2#3", "q", 4),
    ]  # fmt: skip


@pytest.mark.parametrize("module", [langchain, llama_index, pydantic_ai, vercel])
@pytest.mark.parametrize("response", [None, [], "x", {}, 7, [None], {"parts": 3, "content": 4}])
def test_what_is_no_message_gives_an_empty_answer(module, response):
    """Nothing that is sent raises."""
    answer = module.parse(response)

    assert answer.text == ""
    assert not answer.sources


WHOLE = [*map(payload, NAMES), PYDANTIC_WHOLE, VERCEL_WHOLE]
STREAMS = [LANGCHAIN_CHUNKS, PYDANTIC_EVENTS, VERCEL_CHUNKS, LLAMA_EVENTS]
MODULES = {"langchain": langchain, "pydantic_ai": pydantic_ai, "vercel": vercel,
           "llama_index": llama_index}  # fmt: skip
JUNK = st.sampled_from(
    [None, -1, 10**30, 0.5, True, "", "x", "7", [], {}, [None], [[]], {"type": "text"}, b"\xff"]
)


@given(value=st.sampled_from([*WHOLE, *STREAMS]), data=st.data())
@settings(deadline=None, max_examples=150)
def test_damaged_messages_never_raise(value, data):
    """Fields that are missing, null, or of another type leave what is usable."""
    damaged = copy.deepcopy(value)
    for _ in range(data.draw(st.integers(1, 4))):
        _damage(damaged, data)
    for module in MODULES.values():
        module.parse(damaged)
        stream = module.StreamAdapter()
        for event in damaged if isinstance(damaged, list) else [damaged]:
            stream.feed(event)
        stream.close()
        assert "".join(segment.raw for segment in stream.answer.segments) == stream.answer.text


def _damage(value: Any, data: st.DataObject) -> None:
    """Change or remove one thing somewhere inside."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        inner = value[key]
        if isinstance(inner, dict | list) and inner and data.draw(st.integers(0, 3)):
            value = inner
            continue
        if data.draw(st.booleans()):
            value[key] = copy.deepcopy(data.draw(JUNK))
        else:
            del value[key]
        return


# With the types of the frameworks themselves


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("langchain")])
def test_langchain_objects_are_read_as_their_fields(name):
    """Also once they are stored."""
    messages = pytest.importorskip("langchain_core.messages")
    load = pytest.importorskip("langchain_core.load")
    data = payload(name)
    message = messages.AIMessage(
        content=data["content"], response_metadata=data["response_metadata"]
    )
    expected = langchain.parse(data)

    for form in (message, load.dumpd(message), messages.message_to_dict(message)):
        assert providers.recognise(form) == "langchain"
        assert neutral(langchain.parse(form)) == neutral(expected)


def test_langchain_message_in_a_providers_own_form_is_read():
    """The object gives its blocks in the common form; stored, they are the provider's."""
    messages = pytest.importorskip("langchain_core.messages")
    load = pytest.importorskip("langchain_core.load")
    own = {"type": "page_location", "cited_text": "q", "document_index": 0,
           "document_title": "D", "start_page_number": 2, "end_page_number": 3}  # fmt: skip
    message = messages.AIMessage(
        content=[
            {"type": "text", "text": "A."},
            {"type": "text", "text": "B.", "citations": [own]},
        ],
        response_metadata={"model_provider": "anthropic"},
    )

    for form in (message, load.dumpd(message)):
        answer = langchain.parse(form)
        assert neutral(answer)[0]["place"] == (2, 4)
        assert next(answer.citations).locations == (Location("page", 2, 3),)


def test_langchain_chunks_added_up_are_the_message():
    """The framework's own sum of the chunks gives what the stream gives."""
    messages = pytest.importorskip("langchain_core.messages")
    chunks = [
        messages.AIMessageChunk(
            content=chunk["content"],
            response_metadata={**chunk.get("response_metadata", {}), "output_version": "v1"},
        )
        for chunk in LANGCHAIN_CHUNKS
    ]
    total = chunks[0]
    for chunk in chunks[1:]:
        total += chunk
    stream = langchain.StreamAdapter()
    for chunk in chunks:
        stream.feed(chunk)
    stream.close()

    assert neutral(stream.answer) == neutral(langchain.parse(total))
    assert neutral(stream.answer) == neutral(streamed(langchain, LANGCHAIN_CHUNKS))


def test_pydantic_objects_are_read_as_their_fields():
    """Messages and events, validated by their own types."""
    messages = pytest.importorskip("pydantic_ai.messages")
    pydantic = pytest.importorskip("pydantic")
    data = payload("pydantic_ai_textpart")
    response = messages.ModelMessagesTypeAdapter.validate_python([data])[0]
    event_type = pydantic.TypeAdapter(messages.ModelResponseStreamEvent)
    events = [event_type.validate_python(event) for event in PYDANTIC_EVENTS]
    stream = pydantic_ai.StreamAdapter()
    for event in events:
        stream.feed(event)
    stream.close()

    assert neutral(pydantic_ai.parse(response)) == neutral(pydantic_ai.parse(data))
    assert providers.recognise(events[0]) == "pydantic_ai"
    assert neutral(stream.answer) == neutral(pydantic_ai.parse(PYDANTIC_WHOLE))


def test_llama_objects_are_read_as_their_fields():
    """Chat messages, and answers of a query engine."""
    types = pytest.importorskip("llama_index.core.base.llms.types")
    schema = pytest.importorskip("llama_index.core.schema")
    response = pytest.importorskip("llama_index.core.base.response.schema")
    message = types.ChatMessage.model_validate(LLAMA_MESSAGE)
    node = schema.TextNode(text="Source 1:\nabc", metadata={"file_name": "a.pdf"})
    answer = llama_index.parse(
        response.Response(
            response="Hold [1].",
            source_nodes=[schema.NodeWithScore(node=node, score=0.5)],
        )
    )

    assert providers.recognise(message) == "llama_index"
    assert neutral(llama_index.parse(message)) == neutral(llama_index.parse(LLAMA_MESSAGE))
    assert [(source.title, source.text) for source in answer.sources] == [("a.pdf", "abc")]

"""Chat completions: OpenAI's, and those of Azure, Groq, xAI, OpenRouter and gateways."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral
from openai_kit import chat, chat_chunks, page

from citemark import render
from citemark.providers import azure_oyd, groq, openai_chat, openrouter, recognise, xai

A, B = "https://a.example/", "https://b.example/"
ADAPTERS = {
    "azure_oyd": azure_oyd,
    "groq": groq,
    "openai_chat": openai_chat,
    "openrouter": openrouter,
    "compat": openrouter,
    "xai": xai,
}
PAYLOADS = [
    "azure_oyd_nasty",
    "azure_oyd_simple",
    "compat_bytes_as_chars",
    "groq_annotations",
    "groq_compound",
    "groq_gpt_oss_browser",
    "openai_chat_simple",
    "openrouter_simple",
]


def adapter_of(name):
    return next(adapter for start, adapter in ADAPTERS.items() if name.startswith(start))


def places(answer):
    return [(item["anchor"], item["place"], item["sources"]) for item in neutral(answer)]


def codes(answer):
    return sorted({issue.code for issue in answer.issues})


@pytest.mark.parametrize("name", PAYLOADS)
@pytest.mark.parametrize("how", ["last", "first", "each", "by character", "whole at the end"])
def test_stream_is_the_whole_response(name, how):
    """Wherever the annotations come: after the text, before it, or again in each chunk."""
    adapter, whole = adapter_of(name), payload(f"{name}.json")
    chunks = chat_chunks(whole, 1 if how == "by character" else 5)
    if how == "first":
        chunks.insert(0, chunks.pop())
    elif how == "each":
        rest = chunks.pop()["choices"][0]["delta"]
        for chunk in chunks:
            chunk["choices"][0]["delta"].update(rest)
    elif how == "whole at the end":
        chunks.append(whole)
    for fed in (chunks, json.loads(json.dumps(chunks))):
        assert answer_of_events(adapter, fed).to_dict() == adapter.parse(whole).to_dict()


@pytest.mark.parametrize(
    "name", ["openai_chat_simple", "groq_annotations", "openrouter_simple"]
)
def test_recorded_stream_is_the_whole_response(name):
    """As recorded; Groq's and OpenAI's chunks look alike, and are read alike."""
    adapter, events = adapter_of(name), payload(f"{name}.stream.jsonl")
    whole = adapter.parse(payload(f"{name}.json"))
    assert answer_of_events(adapter, events).to_dict() == whole.to_dict()
    assert places(answer_of_events(openai_chat, events)) == places(whole)


@pytest.mark.parametrize("name", [*PAYLOADS, "xai_simple", "xai_responses"])
def test_each_is_recognised_as_its_own(name):
    """By what only it sends."""
    assert recognise(payload(f"{name}.json")) == adapter_of(name).PROVIDER


@pytest.mark.parametrize(
    ("chunk", "provider"),
    [
        ({"object": "extensions.chat.completion.chunk", "choices": []}, "azure_oyd"),
        (
            {
                "object": "chat.completion.chunk",
                "choices": [{"delta": {"context": {"citations": []}}}],
            },
            "azure_oyd",
        ),
        ({"object": "chat.completion.chunk", "x_groq": {"id": "r"}, "choices": []}, "groq"),
        ({"object": "chat.completion.chunk", "model": "compound-beta", "choices": []}, "groq"),
        ({"object": "chat.completion.chunk", "id": "gen-1", "choices": []}, "openrouter"),
        ({"object": "chat.completion.chunk", "model": "grok-4", "choices": []}, "xai"),
        ({"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": []}, "openai_chat"),
    ],
)
def test_first_chunk_tells_whose_it_is(chunk, provider):
    """Where the provider puts anything of its own into it."""
    assert recognise(chunk) == provider


@pytest.mark.parametrize("unit", [None, "byte"])
def test_a_hint_of_the_unit_is_no_repair(unit):
    """Bytes that a gateway copied: found out by where they end, or known to the caller."""
    answer = openrouter.parse(payload("compat_bytes_as_chars.json"), unit=unit)
    assert places(answer) == [
        ("claim", (0, 7), ["https://r.example/1"]),
        ("claim", (8, 21), ["https://r.example/2"]),
    ]
    repaired = {
        citation.repaired
        for segment in answer.segments
        for citation in getattr(segment, "citations", ())
    }
    assert repaired == ({"unit_bytes"} if unit is None else {""})
    assert codes(answer) == (["offset_unit"] if unit is None else [])


def test_a_wrong_hint_is_mended_by_the_links():
    """What stands in the text is stronger than what the caller believes."""
    text = f"橋は九つ 🌉 ([a.example]({A}))"
    at = text.index("(")
    assert places(openai_chat.parse(chat(text, [page(A, at, len(text))]), unit="byte")) == [
        ("marker", (at, len(text)), [A])
    ]


def test_a_bracketed_span_is_a_marker():
    """LiteLLM annotates the numbers of Perplexity's models."""
    answer = openai_chat.parse(chat("Alder grew[1].", [page(A, 10, 13)]))
    assert places(answer) == [("marker", (10, 13), [A])]
    assert render(answer, "text").startswith("Alder grew[1].\n")


def test_openrouter_numbers_and_links_find_their_annotations():
    """Links whose words say something stay links; those in code are none."""
    text = f"Grew[2]. See [the guide]({A}), [b.example]({B}) and `[b.example]({B})`."
    answer = openrouter.parse({**chat(text, [page(A, 0, 0), page(B, 0, 0)]), "id": "gen-1"})
    assert places(answer) == [
        ("marker", (4, 7), [B]),
        ("link", (13, text.index(", [")), [A]),
        ("marker", (text.index("[b."), text.index(" and")), [B]),
    ]
    assert codes(answer) == ["span_empty"]


def test_openrouter_has_annotations_of_two_more_types():
    """A parsed file, and a citation of a web search without place."""
    notes = [
        {
            "type": "file",
            "file": {
                "hash": "h",
                "name": "a.pdf",
                "content": [{"type": "text", "text": "Words."}],
            },
        },
        {
            "type": "web_search_citation",
            "url": A,
            "title": "T",
            "cited_text": "c",
            "encrypted_index": "e",
        },
    ]
    answer = openrouter.parse(chat("Yes.", notes))
    assert [(source.id, source.title, source.text) for source in answer.consulted] == [
        ("h", "a.pdf", "Words."),
        (A, "T", ""),
    ]
    assert codes(answer) == ["no_position"]


def test_litellm_blocks_are_found_by_their_words():
    """Anthropic's citations behind LiteLLM have the supported text, and no place."""
    block = {
        "type": "page_location",
        "cited_text": "q",
        "document_index": 0,
        "document_title": "D",
        "start_page_number": 2,
        "end_page_number": 3,
    }
    blocks = [
        [
            {**block, "supported_text": "It rose."},
            {**block, "cited_text": "r", "supported_text": "It rose."},
        ],
        [
            {"url": A, "title": "T", "supported_text": "Why?", "encrypted_index": "e"},
            {**block, "supported_text": "absent"},
            {"type": "x"},
        ],
    ]
    whole = chat(
        "So. It rose. Why?", message={"provider_specific_fields": {"citations": blocks}}
    )
    answer = openai_chat.parse(whole)
    assert places(answer) == [("claim", (4, 12), ["0"]), ("claim", (13, 17), [A])]
    first = answer.segments[1].citations
    assert [(c.quote, c.locations[0].start, c.locations[0].unit) for c in first] == [
        ("q", 2, "page"),
        ("r", 2, "page"),
    ]
    assert answer.segments[3].citations[0].raw["encrypted_index"] == "e"
    assert codes(answer) == ["no_position", "no_source"]
    assert answer_of_events(openai_chat, chat_chunks(whole)).to_dict() == answer.to_dict()


def test_azure_documents_of_older_versions_are_in_the_message_of_a_tool():
    """As JSON within the JSON."""
    tool = {
        "role": "tool",
        "content": json.dumps(
            {"citations": [{"content": "c", "title": "T", "filepath": "a/b.pdf"}]}
        ),
    }
    answer = azure_oyd.parse(chat("Yes [doc1].", message={"context": {"messages": [tool]}}))
    assert [(source.id, source.title, source.text) for source in answer.sources] == [
        ("doc1", "T", "c")
    ]
    broken = azure_oyd.parse(
        chat("Yes [doc1].", message={"context": {"messages": [{**tool, "content": "{"}]}})
    )
    assert codes(broken) == ["unresolved"]


def test_azure_file_path_is_never_shown():
    """The name of the file is; the path is kept aside."""
    answer = azure_oyd.parse(payload("azure_oyd_nasty.json"))
    assert [source.title for source in answer.sources] == ["p3.pdf", "Policy 1"]
    assert answer.sources[0].metadata["filepath"] == "p3.pdf"


def test_groq_cursors_are_those_of_the_pages_that_were_opened():
    """Told by the output of the browser; the same page is no second source."""
    output = "[0] alder (web-search://ts=1)\n**viewing**\n\nL0: x"
    opened = f"[1] Alder piers ({A})\n**viewing lines [0 - 9] of 20**\n\nL0: Two piers."
    tools = [
        {
            "index": 0,
            "type": "browser_search",
            "arguments": "{}",
            "output": output,
            "browser_results": [{"title": "A", "url": A, "content": "c"}],
        },
        {
            "index": 1,
            "type": "browser.open",
            "arguments": '{"cursor": 0, "id": 1}',
            "output": opened,
        },
    ]
    answer = groq.parse(
        chat("Two piers【1†L0】 or none【0†L1-L2】.", message={"executed_tools": tools})
    )
    assert places(answer) == [("marker", (9, 15), ["1"]), ("marker", (23, 32), ["?0"])]
    assert [(source.title, source.url) for source in answer.sources] == [("Alder piers", A)]
    assert [
        (place.unit, place.start) for place in answer.segments[1].citations[0].locations
    ] == [("line", 0)]
    assert answer.consulted == ()


def test_groq_documents_and_tools_of_the_request_have_titles_and_texts():
    """The response has only their ids."""
    request = {
        "documents": [{"id": "doc-1", "source": {"type": "text", "text": "Open all day."}}],
        "messages": [
            {"role": "tool", "tool_call_id": "call_7", "name": "weather", "content": "22C"}
        ],
    }
    answer = groq.parse(payload("groq_annotations.json"), request=request)
    assert [(source.id, source.title, source.text) for source in answer.sources] == [
        ("doc-1", "", "Open all day."),
        ("call_7", "weather", "22C"),
    ]


def outputs(
    *citations, text="Up[[1]](https://a.example/) and[[2]](https://x.com/p/1).", **more
):
    message = {"role": "ROLE_ASSISTANT", "content": text, "citations": [*citations], **more}
    return {
        "id": "r",
        "model": "grok-4",
        "outputs": [{"index": 0, "message": message}],
        "citations": [A, "https://seen.example/"],
    }


WEB = {"id": "1", "start_index": 2, "end_index": 27, "web_citation": {"url": A}}
POST = {
    "id": "2",
    "start_index": 31,
    "end_index": 55,
    "x_citation": {"url": "https://x.com/p/1"},
}
FILE = {
    "id": "3",
    "start_index": 0,
    "end_index": 2,
    "collections_citation": {
        "file_id": "f",
        "chunk_id": "c",
        "chunk_content": "Words.",
        "score": 0.5,
    },
}


def test_xai_citations_are_of_three_kinds():
    """Pages, posts and chunks of collections; all pages seen are kept."""
    answer = xai.parse(outputs(WEB, POST, FILE, reasoning_content="Hm."))
    assert places(answer) == [
        ("claim", (0, 2), ["f:c"]),
        ("marker", (2, 27), [A]),
        ("marker", (31, 55), ["https://x.com/p/1"]),
    ]
    assert answer.sources[0].text == "Words."
    assert [source.url for source in answer.consulted] == ["https://seen.example/"]
    assert answer.asides[0].segments[0].text == "Hm."


def test_xai_stream_is_the_whole_response():
    """Citations with the text or after it; in camel case too, and wrapped by the SDK."""
    whole = outputs(WEB, POST)
    text = whole["outputs"][0]["message"]["content"]
    deltas = [
        {"content": text[:27], "citations": [WEB]},
        {"content": text[27:]},
        {"citations": [POST]},
    ]
    chunks = [{"id": "r", "outputs": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"id": "r", "outputs": [], "citations": whole["citations"]})
    assert answer_of_events(xai, chunks).to_dict() == xai.parse(whole).to_dict()
    assert (
        answer_of_events(xai, [{"proto": chunk} for chunk in chunks]).to_dict()
        == xai.parse(whole).to_dict()
    )
    camel = {"id": "1", "startIndex": 2, "endIndex": 27, "webCitation": {"url": A}}
    assert places(xai.parse(outputs(camel))) == places(xai.parse(outputs(WEB)))


def test_xai_tool_outputs_are_no_answer():
    """Only what the assistant says is."""
    whole = outputs(WEB)
    whole["outputs"].insert(0, {"index": 1, "message": {"role": "ROLE_TOOL", "content": "{}"}})
    assert xai.parse(whole).text == outputs()["outputs"][0]["message"]["content"]


def test_xai_chat_completions_have_a_list_of_pages():
    """The links in the text are the places."""
    whole = chat(f"Up[[1]]({A}).", model="grok-4", citations=[A, B])
    answer = xai.parse(whole)
    assert places(answer) == [("marker", (2, 27), [A])]
    assert [source.url for source in answer.consulted] == [B]
    assert answer_of_events(xai, chat_chunks(whole)).to_dict() == answer.to_dict()


def test_only_the_first_choice_is_the_answer():
    """Others are other answers, and an issue says that there are some."""
    whole = chat("One.")
    whole["choices"].append({"index": 1, "message": {"content": "Two."}})
    answer = openai_chat.parse(whole)
    assert (answer.text, codes(answer)) == ("One.", ["choice"])


def test_content_may_be_parts_and_thoughts_stay_beside():
    """As some gateways send it."""
    content = [
        {"type": "text", "text": "A"},
        {"type": "image_url"},
        {"type": "text", "text": "B"},
    ]
    answer = openai_chat.parse(chat(content, message={"reasoning_content": "Hm."}))
    assert (answer.text, answer.asides[0].segments[0].text) == ("AB", "Hm.")


@pytest.mark.parametrize("adapter", [azure_oyd, groq, openai_chat, openrouter, xai])
@pytest.mark.parametrize("nothing", [None, [], "x", {}, 7, [None], {"choices": None}])
def test_what_is_no_response_is_an_empty_answer(adapter, nothing):
    """Nothing that comes raises."""
    assert adapter.parse(nothing).text == ""
    assert answer_of_events(adapter, [nothing]).text == ""


def test_annotations_nested_beyond_measure_do_not_raise():
    """They cannot be compared with others."""
    deep: dict = {"type": "url_citation"}
    for _ in range(5_000):
        deep = {"type": "x", "x": deep}
    assert codes(openai_chat.parse(chat("Yes.", [deep]))) == ["unknown_annotation"]


@given(st.data())
@settings(max_examples=100)
def test_damaged_responses_and_streams_never_raise(data):
    """They give what is usable."""
    name = data.draw(st.sampled_from(PAYLOADS))
    adapter, whole = adapter_of(name), payload(f"{name}.json")
    answer = adapter.parse(data.draw(damaged(whole)))
    assert "".join(segment.raw for segment in answer.segments) == answer.text
    chunks = data.draw(damaged(chat_chunks(whole, 20)))
    answer_of_events(adapter, chunks if isinstance(chunks, list) else [chunks])
    xai.parse(data.draw(damaged(outputs(WEB, POST, FILE))))

"""OpenAI: Responses, Assistants and Azure's agents, whole and as streams."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, damaged, payload, unclosed
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral
from openai_kit import page, response, response_events, thread_events

from citemark import providers, render
from citemark.providers import StreamBase, openai_assistants, openai_responses, recognise, xai
from citemark.providers._stream import Placement

A, B = "https://a.example/", "https://b.example/"
LINK_A, LINK_B = f"([a.example]({A}))", f"([b.example]({B}))"
TWO = f"Open 🌉. {LINK_A} Late. {LINK_B} End."
WHOLE = sorted(
    [
        "openai_responses_simple",
        "openai_responses_nasty",
        "openai_responses_file_search",
        "openai_pua_leak",
        "xai_responses",
    ]
)
DAMAGED = [
    *(name for name in WHOLE if name != "openai_pua_leak"),
    "openai_assistants",
    "azure_agents_message",
    "xai_simple",
]


def two(text=None, **more):
    """Return a response with two cited pages."""
    text = text or TWO
    a, b = text.index(LINK_A), text.index(LINK_B)
    return response(text, [page(A, a, a + len(LINK_A)), page(B, b, b + len(LINK_B))], **more)


def places(answer):
    return [(item["anchor"], item["place"], item["sources"]) for item in neutral(answer)]


def codes(answer):
    return sorted({issue.code for issue in answer.issues})


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("how", ["closing", "no closing", "late", "by character", "serialised"])
def test_stream_is_the_whole_response(name, how):
    """However late annotations come, and whether or not everything is said again at the end."""
    whole = payload(f"{name}.json")
    adapter = xai if name.startswith("xai") else openai_responses
    size = 1 if how == "by character" else 7
    events = response_events(
        whole, size=size, late=44 * (how == "late"), closing=how != "no closing"
    )
    events = json.loads(json.dumps(events)) if how == "serialised" else events
    assert recognise(events[0]) == adapter.PROVIDER or name.startswith("xai")
    answer = answer_of_events(adapter, events)
    told = unclosed(answer) if how == "no closing" else answer.to_dict()
    assert told == adapter.parse(whole).to_dict()


def test_recorded_stream_is_the_whole_message():
    """The list of pages seen is part of the whole response only."""
    events = payload("openai_responses_simple.stream.jsonl")
    whole = openai_responses.parse(payload("openai_responses_simple.json"))
    assert places(answer_of_events(openai_responses, events)) == places(whole)
    assert [source.url for source in whole.consulted] == ["https://unused.example/x"]


def test_citations_are_shown_while_the_answer_is_written():
    """Annotations come in order: one is settled when another is told of a later paragraph."""
    stream = openai_responses.StreamAdapter()
    shown = []
    for event in response_events(two(f"Open at {LINK_A}.\n\nOr {LINK_B}."), size=4):
        updates = stream.feed(event)
        shown += [
            (u.start, u.end, u.segment.citations[0].number, event["type"])
            for u in updates
            if isinstance(u, Placement)
        ]
    assert [item[:3] for item in shown] == [(8, 41, 1)]
    assert "annotation" in shown[0][3]
    assert [(one.start, one.segment.citations[0].number) for one in stream.close()] == [(47, 2)]


def test_a_link_that_may_still_become_a_citation_holds_later_numbers_back():
    """A number that was shown never changes."""
    text = f"See [guide]({B}). Open. {LINK_A} Late. {LINK_B}"
    a, b = text.index(LINK_A), text.index(LINK_B)
    whole = response(text, [page(A, a, a + len(LINK_A)), page(B, b, b + len(LINK_B))])
    stream = openai_responses.StreamAdapter()
    updates = [
        u for event in response_events(whole, size=3, closing=False) for u in stream.feed(event)
    ]
    updates += stream.close()
    shown = [
        (u.start, u.segment.citations[0].number) for u in updates if isinstance(u, Placement)
    ]
    assert shown == [(4, 1), (a, 2), (b, 1)]


PIECES = ("Open. ", "[guide](https://b.example/) ", "【4:0†x】 ", "`[1]` ", "\n", "🌉 ", "[1] ")


@given(
    st.lists(
        st.one_of(
            st.sampled_from(PIECES),
            st.tuples(st.sampled_from("abcd"), st.integers(-9, 9), st.booleans()),
        ),
        max_size=12,
    ),
    st.integers(1, 60),
)
def test_numbers_that_were_shown_stay(pieces, late):
    """Annotations are in order, but a little off, late, or missing for some links."""
    text, notes = "", []
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
            continue
        name, drift, is_told = piece
        link = f"([{name}.example](https://{name}.example/)) "
        if is_told:
            start = max(len(text) + drift, 0)
            notes.append(page(f"https://{name}.example/", start, start + len(link) - 1))
        text += link
    notes.sort(key=lambda note: note["end_index"])
    whole = response(text, notes)
    stream = openai_responses.StreamAdapter()
    events = response_events(whole, size=4, late=late)
    given_out = [update for event in events for update in stream.feed(event)]
    given_out += stream.close()
    shown = [update for update in given_out if isinstance(update, Placement)]
    assert sorted((item.start, item.end, item.segment) for item in shown) == sorted(
        (segment.marker.start, segment.marker.end, segment)
        for segment in stream.answer.segments
        if hasattr(segment, "marker")
    )
    assert stream.answer.to_dict() == openai_responses.parse(whole).to_dict()


@pytest.mark.parametrize(
    "lost",
    [
        "delta",
        "output_text.done",
        "content_part",
        "output_item",
        "completed",
        "annotation.added",
    ],
)
def test_one_kind_of_event_may_be_missing(lost):
    """Each is said in another one too."""
    events = [event for event in response_events(two()) if lost not in event["type"]]
    answer = answer_of_events(openai_responses, events)
    told = unclosed(answer) if lost == "completed" else answer.to_dict()
    assert told == openai_responses.parse(two()).to_dict()


def test_closing_events_without_text_or_annotations_take_nothing_away():
    """Gateways send the frame of the closing events, and an empty output."""
    empty = {"type": "output_text", "text": "", "annotations": []}
    where = {"output_index": 0, "content_index": 0}
    events = [
        *response_events(two(), closing=False),
        {"type": "response.output_text.done", **where},
        {"type": "response.content_part.done", "part": empty, **where},
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {"type": "message", "content": [empty]},
        },
        {"type": "response.completed", "response": {"object": "response", "output": []}},
    ]
    assert (
        answer_of_events(openai_responses, events).to_dict()
        == openai_responses.parse(two()).to_dict()
    )


def test_final_text_replaces_the_streamed_one():
    """Offsets are those of the final text."""
    events = [event for event in response_events(two()) if "added" not in event["type"]]
    for event in events:
        if event["type"].endswith("text.delta"):
            event["delta"] = event["delta"].replace("Open", "Shut")
    assert answer_of_events(openai_responses, events).text == TWO


def test_annotation_that_comes_after_all_text_is_placed():
    """Azure sent its only one so."""
    events = response_events(two(), late=10_000, closing=False)
    answer = answer_of_events(openai_responses, events)
    assert unclosed(answer) == openai_responses.parse(two()).to_dict()


def test_unknown_events_and_items_are_counted():
    """Nothing is dropped without a word; what is known to hold nothing is."""
    silent = [
        "keepalive",
        *(
            f"response.{kind}"
            for kind in (
                "web_search_call.searching",
                "mcp_call_arguments.delta",
                "function_call_arguments.done",
                "image_generation_call.partial_image",
                "custom_tool_call_input.delta",
                "code_interpreter_call_code.delta",
            )
        ),
    ]
    odd = [{"type": "response.sparkle.delta"}, {"type": "sparkle"}]
    item = {"type": "sparkle", "id": "s"}
    events = [
        *response_events(two()),
        *({"type": kind, "output_index": 0} for kind in silent),
        *odd,
    ]
    assert codes(answer_of_events(openai_responses, events)) == ["unknown_event"]
    assert codes(
        openai_responses.parse(response(TWO, [], item, {"type": "function_call"}))
    ) == ["unknown_item"]


def test_drifted_span_is_mended_though_it_still_holds_the_url():
    """Two characters early, as recorded: to be a link is asked, not to contain one."""
    a = TWO.index(LINK_A)
    answer = openai_responses.parse(response(TWO, [page(A, a - 2, a - 2 + len(LINK_A))]))
    assert places(answer) == [("marker", (a, a + len(LINK_A)), [A])]
    assert answer.segments[1].citations[0].repaired == "shifted"


@pytest.mark.parametrize("unit", ["byte", "utf16", "code point"])
def test_a_link_is_found_in_each_unit(unit):
    """Which one OpenAI counts beyond the BMP nobody could verify."""
    text = f"灯塔 🗼 41 m. {LINK_A} and {LINK_A}"
    size = {
        "byte": lambda s: len(s.encode()),
        "utf16": lambda s: len(s.encode("utf-16-le")) // 2,
        "code point": len,
    }[unit]
    at = text.rindex(LINK_A)
    note = page(A, size(text[:at]), size(text))
    for answer in (
        openai_responses.parse(response(text, [note])),
        openai_responses.parse(response(text, [note]), unit=unit),
    ):
        assert ("marker", (at, len(text)), [A]) in places(answer)


def test_one_page_with_and_without_tracking_is_one_source():
    """OpenAI adds ``utm_source`` to some."""
    text = f"One [a.example]({A}?utm_source=openai) two [a.example]({A})"
    first, second = text.index("["), text.rindex("[")
    notes = [
        page(f"{A}?utm_source=openai", first, text.index(")") + 1),
        page(A, second, len(text)),
    ]
    answer = openai_responses.parse(response(text, notes))
    assert [source.url for source in answer.sources] == [f"{A}?utm_source=openai"]
    assert [item[2] for item in places(answer)] == [[f"{A}?utm_source=openai"]] * 2


def test_a_span_of_words_is_a_claim():
    """As gateways pass on; a link to the same page elsewhere does not matter."""
    text = f"Open daily. Closed in May. See [more]({A})."
    answer = openai_responses.parse(response(text, [page(A, 12, 26), page(B, 0, 11)]))
    assert ("claim", (12, 26), [A]) in places(answer)
    assert ("claim", (0, 11), [B]) in places(answer)


def test_files_that_were_found_keep_all_their_passages():
    """Several passages of one file come as several results."""
    results = [
        {"file_id": "f", "filename": "a.pdf", "text": text, "score": 0.5}
        for text in ("One.", "Two.")
    ]
    search = {"type": "file_search_call", "results": [*results, {"text": "no id"}]}
    note = {"type": "file_citation", "file_id": "f", "filename": "a.pdf", "index": 4}
    answer = openai_responses.parse(response("Yes .", [note], search))
    assert places(answer) == [("point", (4, 4), ["f"])]
    assert (answer.sources[0].title, answer.sources[0].text) == ("a.pdf", "One.\n\nTwo.")


@pytest.mark.parametrize(
    ("index", "code"),
    [
        (0, "no_position"),
        (None, "no_position"),
        (99, "span_out_of_range"),
        (-1, "span_out_of_range"),
        (2**60, "no_position"),
    ],
)
def test_file_without_a_place_stays_a_source(index, code):
    """0 is the number of the file, not a place before all words."""
    note = {"type": "file_citation", "file_id": "f", "filename": "a.pdf", "index": index}
    answer = openai_responses.parse(response("Yes.", [note]))
    assert code in codes(answer)
    assert [source.id for source in answer.consulted] == ["f"]


def test_c139_file_annotation_without_offsets_and_quote_is_a_point():
    """vercel/ai#8079."""
    note = {"type": "file_citation", "file_id": "file-1", "filename": "guide.pdf", "index": 13}
    assert places(openai_responses.parse(response("See the guide.", [note]))) == [
        ("point", (13, 13), ["file-1"])
    ]


def test_c155_url_annotation_is_a_marker_not_a_claim():
    """posit-dev/chatlas#388."""
    text = "The prize went to three people. ([prize.example](https://prize.example/2025))"
    answer = openai_responses.parse(
        response(text, [page("https://prize.example/2025", 32, 77, title="Prize 2025")])
    )
    assert places(answer) == [("marker", (32, 77), ["https://prize.example/2025"])]
    assert render(answer, "text").startswith("The prize went to three people. [1]\n")


def test_c127_private_markers_without_their_sources_are_unresolved_in_order():
    """unslothai/unsloth#5713: what the ids name is not in the response."""
    text = "Yes \ue200cite\ue202turn0view0\ue202turn0view1\ue201."
    assert places(openai_responses.parse(response(text))) == [
        ("marker", (4, 32), ["?turn0view0", "?turn0view1"])
    ]


def test_c138_a_marker_without_annotation_shifts_no_other():
    """aallam/openai-kotlin#278."""
    note = {
        "type": "file_citation",
        "text": "【9†source】",
        "file_citation": {"file_id": "file-b"},
    }
    answer = openai_assistants.parse(thread("A【7†source】 and B【9†source】.", note))
    assert places(answer) == [("marker", (1, 11), ["?7"]), ("marker", (17, 27), ["file-b"])]


def thread(text, *notes):
    content = [{"type": "text", "text": {"value": text, "annotations": [*notes]}}]
    return {"id": "m1", "object": "thread.message", "role": "assistant", "content": content}


def test_a_marker_that_comes_again_names_the_same():
    """Only the first one has an annotation."""
    note = {
        "type": "file_citation",
        "text": "【4:0†a.pdf】",
        "start_index": 1,
        "end_index": 10,
        "file_citation": {"file_id": "f", "quote": "words"},
    }
    answer = openai_assistants.parse(thread("A【4:0†a.pdf】 B【4:0†a.pdf】", note))
    assert [item[2] for item in places(answer)] == [["f"], ["f"]]
    assert [
        citation.quote
        for segment in answer.segments
        for citation in getattr(segment, "citations", ())
    ] == ["words", ""]
    assert answer.sources[0].title == "a.pdf"


def test_assistants_file_is_the_target_of_its_link():
    """The link stays; the citation comes after it."""
    text = "Done: [data](sandbox:/mnt/data/x.csv)"
    note = {
        "type": "file_path",
        "text": "sandbox:/mnt/data/x.csv",
        "start_index": 13,
        "end_index": 36,
        "file_path": {"file_id": "f"},
    }
    assert places(openai_assistants.parse(thread(text, note))) == [("link", (13, 36), ["f"])]


@pytest.mark.parametrize("name", ["openai_assistants", "azure_agents_message"])
@pytest.mark.parametrize("closing", [True, False])
def test_thread_stream_is_the_whole_message(name, closing):
    """With and without the completed message; the data alone is enough."""
    whole = payload(f"{name}.json")
    events = thread_events(whole, closing=closing)
    for fed in (events, json.loads(json.dumps(events)), [event["data"] for event in events]):
        answer = answer_of_events(openai_assistants, fed)
        told = answer.to_dict() if closing else unclosed(answer)
        assert told == openai_assistants.parse(whole).to_dict()


def test_steps_of_a_run_tell_names_and_texts_of_files():
    """If the caller asked for the results of the search."""
    result = {
        "file_id": "file_rules",
        "file_name": "rules.txt",
        "score": 0.9,
        "content": [{"type": "text", "text": "3 May"}],
    }
    step = {
        "object": "thread.run.step",
        "step_details": {
            "tool_calls": [{"type": "file_search", "file_search": {"results": [result]}}]
        },
    }
    events = [
        {"event": "thread.run.step.completed", "data": step},
        *payload("openai_assistants.stream.jsonl"),
        {"event": "done", "data": "[DONE]"},
    ]
    answer = answer_of_events(openai_assistants, events)
    assert (answer.sources[0].title, answer.sources[0].text) == ("rules.txt", "3 May")
    assert codes(answer) == ["unresolved"]


def test_thinking_is_beside_the_answer_in_both_paths():
    """Summaries of the reasoning; as deltas, or only in the whole item."""
    item = {
        "id": "rs",
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "Hm."}],
    }
    whole = response("Yes.", [], item)
    deltas = [
        {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": piece}
        for piece in ("H", "m.")
    ]
    created, *rest = response_events(whole)
    for events in ([created, *rest], [created, *deltas, *rest]):
        assert (
            answer_of_events(openai_responses, events).to_dict()
            == openai_responses.parse(whole).to_dict()
        )
    assert openai_responses.parse(whole).asides[0].segments[0].text == "Hm."


@pytest.mark.parametrize("adapter", [openai_responses, openai_assistants, xai])
@pytest.mark.parametrize("nothing", [None, [], "x", {}, 7, [None]])
def test_what_is_no_response_is_an_empty_answer(adapter, nothing):
    """Nothing that comes raises."""
    assert adapter.parse(nothing).text == ""
    assert answer_of_events(adapter, [nothing]).text == ""


@given(st.data())
@settings(max_examples=60)
def test_damaged_responses_never_raise(data):
    """They give what is usable."""
    name = data.draw(st.sampled_from(DAMAGED))
    adapter = providers.adapter(providers.recognise(payload(f"{name}.json")))
    answer = adapter.parse(data.draw(damaged(payload(f"{name}.json"))))
    assert "".join(segment.raw for segment in answer.segments) == answer.text
    render(answer, "html")


@given(st.data())
@settings(max_examples=60)
def test_damaged_streams_never_raise(data):
    """Events may be lost, doubled or broken."""
    name, adapter = data.draw(
        st.sampled_from(
            [
                ("openai_responses_nasty", openai_responses),
                ("openai_assistants", openai_assistants),
            ]
        )
    )
    whole = payload(f"{name}.json")
    events = (
        response_events(whole, size=40) if adapter is openai_responses else thread_events(whole)
    )
    events = data.draw(damaged(events))
    stream: StreamBase = adapter.StreamAdapter()
    for event in events if isinstance(events, list) else [events]:
        stream.feed(event)
        assert stream.answer is not None
    stream.close()


@pytest.mark.slow
@pytest.mark.parametrize("step", [0, 2, 9])
def test_ten_thousand_annotations_are_placed_in_linear_time(step):
    """Of a megabyte; in place, a little off, and far off."""
    text = "".join(
        f"Fact {n:5}. ([a.example](https://a.example/{n % 50}))" + " pad" * 12 + "\n"
        for n in range(10_000)
    )
    notes, at = [], 0
    for n in range(10_000):
        at = text.index("([", at + 1)
        notes.append(
            page(f"https://a.example/{n % 50}", at - step, text.index("))", at) + 2 - step)
        )
    answer = openai_responses.parse(response(text, notes))
    assert len(places(answer)) == 10_000

"""Qwen, Zhipu and Hunyuan: markers in the text that name entries of a list beside it."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, chunked, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st

from citemark.model import CitationSegment
from citemark.providers import hunyuan, qwen, recognise, zhipu

WHOLE = {qwen: "qwen_simple", zhipu: "zhipu_simple", hunyuan: "hunyuan_simple"}


def cited(answer):
    return [
        (segment.raw, [c.source.title if c.source else None for c in segment.citations])
        for segment in answer.segments
        if isinstance(segment, CitationSegment)
    ]


def codes(answer):
    return [(issue.code, issue.key) for issue in answer.issues]


def aside(answer):
    return "".join(segment.raw for one in answer.asides for segment in one.segments)


def generation(text, indices=(1, 2, 4), **more):
    results = [
        {"index": at, "title": f"T{at}", "url": f"https://{at}.example/"} for at in indices
    ]
    message = {"role": "assistant", "content": text, **more}
    output = {"choices": [{"message": message}], "search_info": {"search_results": results}}
    return {"request_id": "q", "output": output}


def glm(text, entries, *, name="message", **more):
    pages = [{"refer": refer, "title": title, "link": url} for refer, title, url in entries]
    choice = {"index": 0, name: {"content": text, **more}}
    return {"model": "glm-x", "choices": [choice], **({"web_search": pages} if pages else {})}


def native(text, indices=(1, 2), *, name="Message"):
    results = [
        {"Index": at, "Title": f"T{at}", "Url": f"https://{at}.example/"} for at in indices
    ]
    found = {"Choices": [{"Index": 0, name: {"Role": "assistant", "Content": text}}]}
    return found | ({"SearchInfo": {"SearchResults": results}} if results else {})


def test_qwen_numbers_are_the_index_of_a_result_and_never_its_position():
    """qwen_nasty: with a gap after 2, 3 names nothing and 4 names the third result."""
    answer = qwen.parse(generation("晴[ref_1]，多云[4]，雨[3]。"))
    assert cited(answer) == [("[ref_1]", ["T1"]), ("[4]", ["T4"])]
    assert answer.unresolved == ("3",)


@pytest.mark.parametrize("told", [None, True, False])
@pytest.mark.parametrize("is_incremental", [True, False])
def test_qwen_stream_repeats_all_or_brings_what_is_new(is_incremental, told):
    """The chunks do not say which: the texts do, and the request may."""
    if told not in {None, is_incremental}:
        pytest.skip("the request would not say what is wrong")
    text, thought = "哈哈，杭州 🌤[1] 明天[2] 晴，晴。", "先看看[1]，再说。"
    pieces, thoughts = chunked(text, 1), [*chunked(thought, 1)]
    thoughts += [""] * (len(pieces) - len(thoughts))
    events, so_far, thought_so_far = [], "", ""
    for piece, more in zip(pieces, thoughts, strict=True):
        so_far, thought_so_far = so_far + piece, thought_so_far + more
        said = (piece, more) if is_incremental else (so_far, thought_so_far)
        events.append(generation(said[0], reasoning_content=said[1]))
    request = None if told is None else {"parameters": {"incremental_output": told}}
    answer = answer_of_events(qwen, events, request=request)
    assert answer.to_dict() == qwen.parse(generation(text, reasoning_content=thought)).to_dict()
    assert (answer.text, aside(answer)) == (text, thought)


def test_qwen_text_that_grows_may_be_corrected():
    """Once it is clear that each chunk has all of it."""
    events = [generation("People moved here"[:end]) for end in range(3, 17, 2)]
    assert (
        answer_of_events(qwen, [*events, generation("Folk moved[1].")]).text == "Folk moved[1]."
    )


def test_qwen_applications_list_what_they_retrieved():
    """By the name that each passage has, with its page."""
    found = [
        {"index_id": "2", "doc_name": "hours.pdf", "text": "09:00", "page_number": [3, 4]},
        {"index_id": "1", "title": "Fares", "doc_id": "f", "doc_url": "https://f.example/"},
        {"doc_id": "g", "title": "Dogs", "page_number": ["x"]},
    ]
    output = {"text": "It opens at nine[2], for two euros[1].", "doc_references": found}
    answer = qwen.parse({"output": output})
    assert recognise({"output": output}) == "qwen"
    assert cited(answer) == [("[2]", ["hours.pdf"]), ("[1]", ["Fares"])]
    assert [(s.text, s.page, s.url) for s in answer.sources] == [
        ("09:00", 3, None),
        ("", None, "https://f.example/"),
    ]
    assert [source.title for source in answer.consulted] == ["Dogs"]
    assert [(issue.code, issue.key) for issue in answer.issues] == [("field", "page_number")]


def test_qwen_text_format_and_parts():
    """Two older forms of the content: a text beside no choices, and a list of parts."""
    results = generation("")["output"]["search_info"]
    plain = {"request_id": "q", "output": {"text": "晴[1]", "finish_reason": "stop"}}
    assert recognise(plain) == "qwen"
    plain["output"]["search_info"] = results
    assert cited(qwen.parse(plain)) == [("[1]", ["T1"])]
    assert cited(qwen.parse(generation([{"text": "晴"}, {"text": "[1]"}]))) == [("[1]", ["T1"])]


def test_zhipu_names_are_what_refer_says():
    """Not the order of the list; with the text of a page, and with other numbers in the text."""
    entries = [("ref_2", "B", "https://b.example/"), ("ref_1", "A", "https://a.example/")]
    answer = zhipu.parse(glm("晴 🌞[ref_1]，31度[2]。[ref_3]", entries))
    assert cited(answer) == [("[ref_1]", ["A"]), ("[2]", ["B"])]
    assert answer.unresolved == ("3",)


@pytest.mark.parametrize("last", [True, False])
def test_zhipu_stream(last):
    """The list comes with the first chunk, or with the last one."""
    entries = [("ref_1", "A", "https://a.example/"), ("ref_2", "B", "https://b.example/")]
    text = "晴天 🌞[ref_1]，31度[ref_2]。"
    events = [glm(piece, [], name="delta") for piece in chunked(text)]
    thought = glm("", [], name="delta", reasoning_content="[ref_2]?")
    with_list = glm("", entries, name="delta")
    events = [thought, *events, with_list] if last else [with_list, thought, *events]
    assert recognise(events[0]) == "zhipu"
    whole = zhipu.parse(glm(text, entries, reasoning_content="[ref_2]?"))
    assert answer_of_events(zhipu, events).to_dict() == whole.to_dict()
    assert cited(whole) == [("[ref_1]", ["A"]), ("[ref_2]", ["B"])]


def test_a_label_of_two_pages_names_neither():
    """Two searches that both count from 1; the same page twice is one source."""
    entries = [
        ("ref_1", "A", "https://a.example/"),
        ("ref_1", "B", "https://b.example/"),
        ("ref_2", "C", "https://c.example/"),
        ("ref_2", "C", "https://c.example/"),
    ]
    answer = zhipu.parse(glm("Sun[ref_1] and rain[ref_2]", entries))
    assert cited(answer) == [("[ref_2]", ["C"])]
    assert [source.title for source in answer.consulted] == ["A", "B"]
    assert ("ambiguous_label", "1") in codes(answer)


def test_hunyuan_numbers_are_the_index_of_a_result():
    """Not its position."""
    assert cited(hunyuan.parse(native("雨[4](@ref)", (2, 4)))) == [("[4](@ref)", ["T4"])]


def test_hunyuan_marker_without_result_is_shown_as_such():
    """Nobody writes it by accident; of a group the known ones stay."""
    answer = hunyuan.parse({"Response": native("雨[2, 9](@ref) 雪[7](@ref)")})
    assert cited(answer) == [("[2, 9](@ref)", ["T2", None]), ("[7](@ref)", [None])]
    assert answer.unresolved == ("9", "7")


@pytest.mark.parametrize(
    "wrap", [lambda event: event, lambda event: {"data": json.dumps(event)}]
)
def test_hunyuan_stream(wrap):
    """As objects, and as the SDK gives them: JSON in the data of an event."""
    text = "明天晴[1](@ref)，31度 🌡️[1, 2](@ref)。"
    events = [native(piece, (), name="Delta") for piece in chunked(text, 2)]
    events = [wrap(event) for event in (*events, native("", name="Delta"))]
    assert recognise(events[0]) == "hunyuan"
    answer = answer_of_events(hunyuan, events)
    assert answer.to_dict() == hunyuan.parse({"Response": native(text)}).to_dict()
    assert cited(answer) == [("[1](@ref)", ["T1"]), ("[1, 2](@ref)", ["T1", "T2"])]


def test_hunyuan_in_the_form_of_openai():
    """Names in snake case, and no envelope."""
    results = [{"index": 1, "title": "天气", "url": "https://w.example/", "text": "晴"}]
    response = {
        "choices": [{"message": {"content": "晴[1](@ref)"}}],
        "search_info": {"search_results": results},
    }
    assert recognise(response) == "hunyuan"
    assert cited(hunyuan.parse(response)) == [("[1](@ref)", ["天气"])]


@pytest.mark.parametrize(("adapter", "name"), WHOLE.items())
def test_fields_that_are_not_known_are_counted(adapter, name):
    """In an entry of the list."""
    text = json.dumps(payload(f"{name}.json"))
    for title in ("title", "Title"):
        text = text.replace(f'"{title}": ', f'"mood": 1, "{title}": ')
    assert ("unknown_field", "mood") in codes(adapter.parse(json.loads(text)))


@given(st.sampled_from([*WHOLE]), st.data())
@settings(deadline=None)
def test_damage_never_raises(adapter, data):
    """Neither in a response nor in a stream."""
    response = payload(f"{WHOLE[adapter]}.json")
    adapter.parse(data.draw(damaged(response)))
    events = data.draw(damaged([response, response, response]))
    answer = answer_of_events(adapter, events if isinstance(events, list) else [events])
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@pytest.mark.parametrize("nothing", [None, [], "x", {}, 3])
@pytest.mark.parametrize("adapter", WHOLE)
def test_nothing_gives_nothing(adapter, nothing):
    """An empty answer."""
    assert adapter.parse(nothing).text == ""

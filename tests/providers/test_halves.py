"""Surrogate pairs that deltas, parts or blocks cut: one character, with no place inside."""

from __future__ import annotations

import copy

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from settled_kit import STREAMS, final, shown

from citemark import TextSegment, providers, render
from citemark.providers._channel import Channel
from citemark.providers._draft import Draft, Ref
from citemark.providers._parts import Parts

FACE, HIGH, LOW = "\U0001f600", "\ud83d", "\ude00"


def cut(events):
    """Return events of which each that has the face in its text comes in two halves."""
    for event in events:
        first, second = copy.deepcopy(event), copy.deepcopy(event)
        if _halve(first, lambda text: text.split(FACE, 1)[0] + HIGH):
            _halve(second, lambda text: LOW + text.split(FACE, 1)[1])
            yield first
            yield from cut([second])
        else:
            yield event


def _halve(value, half):
    """Put half of it in place of a delta's text; return whether there was one."""
    for key, held in value.items() if isinstance(value, dict) else ():
        if key == "citations":
            continue
        if key in {"text", "delta", "content"} and isinstance(held, str) and FACE in held:
            value[key] = half(held)
            return True
        inner = held[0] if isinstance(held, list) and held else held
        if _halve(inner, half):
            return True
    return False


def streamed(name, events):
    """Return the text as it was given out, and the answer."""
    stream = providers.adapter(name).StreamAdapter()
    updates = [update for event in events for update in stream.feed(event)]
    updates += stream.close()
    told = "".join(one.text for one in updates if isinstance(one, TextSegment))
    return told, updates, stream.answer


WORDS = ("a", FACE, f"{FACE}{FACE} b", "c. ", "\n\n", "\u00e9 ", f"[1]{FACE}", f" {FACE}.\n\n")
pieces = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), max_size=4).map("".join), st.none() | st.integers(0, 2)
    ),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize("name", STREAMS)
@settings(max_examples=60, deadline=None)
@given(pieces)
@example([(f"a {FACE} b. ", 0), (f"{FACE}\n\n", 1), ("End.", None)])
def test_deltas_cut_pairs(name, told):
    """Text, places and numbers are those of the stream that cut none."""
    events = [*STREAMS[name](told, None)]
    _, _, whole = streamed(name, events)
    text, updates, answer = streamed(name, cut(events))
    assert text == answer.text == whole.text
    assert HIGH not in text
    assert final(answer) == final(whole)
    placed = [one for one in updates if not isinstance(one, TextSegment)]
    assert sorted(shown(one.start, one.segment) for one in placed) == sorted(final(answer))


def anthropic_whole(parts):
    return {"type": "message", "role": "assistant", "content": [
        {"type": "text", "text": text, "citations": [
            {"type": "web_search_result_location", "url": f"https://{at}.e", "title": "T", "cited_text": "q", "encrypted_index": "e"}]}
        for at, text in enumerate(parts)]}  # fmt: skip


def anthropic_events(parts):
    for at, block in enumerate(anthropic_whole(parts)["content"]):
        yield {
            "type": "content_block_start",
            "index": at,
            "content_block": {"type": "text", "text": ""},
        }
        yield {
            "type": "content_block_delta",
            "index": at,
            "delta": {"type": "citations_delta", "citation": block["citations"][0]},
        }
        yield {
            "type": "content_block_delta",
            "index": at,
            "delta": {"type": "text_delta", "text": block["text"]},
        }
        yield {"type": "content_block_stop", "index": at}


def converse_citation(at):
    return {"title": f"T{at}", "location": {"web": {"url": f"https://{at}.e"}}}


def converse_whole(parts):
    content = [
        {
            "citationsContent": {
                "content": [{"text": text}],
                "citations": [converse_citation(at)],
            }
        }
        for at, text in enumerate(parts)
    ]
    return {"output": {"message": {"role": "assistant", "content": content}}}


def converse_events(parts):
    for at, text in enumerate(parts):
        yield {"contentBlockDelta": {"contentBlockIndex": at, "delta": {"text": text}}}
        yield {
            "contentBlockDelta": {
                "contentBlockIndex": at,
                "delta": {"citation": converse_citation(at)},
            }
        }
        yield {"contentBlockStop": {"contentBlockIndex": at}}


def responses_note(at, text):
    return {
        "type": "url_citation",
        "url": f"https://{at}.e",
        "title": f"T{at}",
        "start_index": 0,
        "end_index": len(text),
    }


def responses_whole(parts):
    content = [
        {"type": "output_text", "text": text, "annotations": [responses_note(at, text)]}
        for at, text in enumerate(parts)
    ]
    return {"object": "response", "output": [{"type": "message", "content": content}]}


def responses_events(parts):
    for at, text in enumerate(parts):
        place = {"output_index": 0, "content_index": at}
        yield {"type": "response.output_text.delta", **place, "delta": text}
        note = responses_note(at, text)
        yield {
            "type": "response.output_text.annotation.added",
            **place,
            "annotation_index": 0,
            "annotation": note,
        }
    yield {"type": "response.completed", "response": responses_whole(parts)}


BLOCKS = {
    "anthropic": (anthropic_whole, anthropic_events),
    "bedrock_converse": (converse_whole, converse_events),
    "openai_responses": (responses_whole, responses_events),
}


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize(
    ("parts", "ends"),
    [
        ([f"a {HIGH}", f"{LOW} b"], [3, 5]),
        ([HIGH, LOW], [1, 1]),
        ([f"a{HIGH}", f"{LOW}{HIGH}", f"{LOW}b"], [2, 3, 4]),
        ([f"{FACE} a {HIGH}", f"{LOW}{FACE} b"], [5, 8]),
        ([f"a {HIGH}", "b"], [3, 4]),
        (["a ", f"{LOW} b"], [2, 5]),
    ],
)
def test_blocks_cut_pairs(name, parts, ends):
    """A block that ends with a first half has the whole character; the whole and stream agree."""
    make_whole, make_events = BLOCKS[name]
    whole = providers.parse(make_whole(parts), provider=name)
    text, _, answer = streamed(name, make_events(parts))
    assert text == answer.text == whole.text == "".join(parts).replace(HIGH + LOW, FACE)
    assert final(answer) == final(whole)
    found = [
        (segment.marker.span or (segment.marker.end,))[-1]
        for segment in answer.segments
        if not isinstance(segment, TextSegment)
        for _ in segment.citations
    ]
    assert sorted(found) == ends
    assert {issue.code for issue in answer.issues} <= {"incomplete"}
    is_lone = HIGH in answer.text or LOW in answer.text
    assert render(answer, "text", sources=False).count("\ufffd") == is_lone


@pytest.mark.parametrize(
    "chat", ["openai_chat", "perplexity", "groq", "zhipu", "xai", "openrouter"]
)
def test_chunks_of_a_chat_cut_pairs(chat):
    """The first half waits for the other one; a last one is given out at the end."""
    chunks = [
        {
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": {"content": text}}],
        }
        for text in (f"a {HIGH}", LOW, f" b{HIGH}")
    ]
    stream = providers.adapter(chat).StreamAdapter()
    given_ = [[one.text for one in stream.feed(chunk)] for chunk in chunks]
    assert given_ == [["a "], [FACE], [" b"]]
    assert [one.text for one in stream.close()] == [HIGH]
    assert stream.answer.text == f"a {FACE} b{HIGH}"


SECOND = f"{LOW}\u00e9 two {FACE}."
OF_SECOND = {
    # unit: offsets of the low half alone, of "two", of all
    "code point": ((0, 1), (3, 6), (0, 9)),
    "utf16": ((0, 1), (3, 6), (0, 10)),
    "byte": ((0, 3), (6, 9), (0, 15)),
}


@pytest.mark.parametrize("unit", OF_SECOND)
def test_offsets_of_a_part_that_begins_amid_a_pair(unit):
    """They count its own text, in every unit; a half is a part of the whole character."""
    draft = Draft("x")
    draft.source("s")
    parts = Parts(draft)
    parts.add(0, f"One {HIGH}")
    parts.add(1, SECOND[:3])
    parts.add(1, SECOND[3:])
    draft.add("")
    for start, end in OF_SECOND[unit]:
        parts.place(1, start, end, [Ref("s")], unit=unit)
    assert draft.text == f"One {FACE}\u00e9 two {FACE}."
    assert [(one.start, one.end) for one in draft.found] == [(4, 5), (7, 10), (4, 13)]
    assert draft.issues == []


@given(st.text(st.sampled_from(["a", "b", HIGH, LOW, FACE, "\u00e9"])), st.data())
def test_a_channel_does_not_depend_on_the_pieces(text, data):
    """However a text is cut, it reads as the whole does, and positions are in it."""
    whole, channel, at = Channel(), Channel(), 0
    whole.add(text)
    given_ = 0
    told = []
    while at < len(text):
        size = data.draw(st.integers(1, 3))
        start = channel.add(text[at : at + size])
        assert 0 <= start <= channel.length
        at += size
        told.append(channel.between(given_, channel.ready))
        given_ = channel.ready
        if data.draw(st.booleans()):
            assert len(channel.text) == len(channel.offsets.text) == channel.length
    told.append(channel.between(given_, channel.length))
    assert "".join(told) == channel.text == whole.text == channel.offsets.text

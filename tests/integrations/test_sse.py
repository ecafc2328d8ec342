"""Server-sent events: what is sent, in which order, and what happens when something breaks."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import PLAIN, POLICIES, SOURCES, chunked

from citemark import AnswerStream, CitationSegment, CitemarkError, cite, render
from citemark.errors import RendererOptionError, UnresolvedError
from citemark.integrations.sse import (
    Event,
    EventDataError,
    EventWriter,
    aevents,
    events,
    frames,
)
from citemark.renderers.html import HtmlRenderer

TWO = [{"id": "a", "title": "Fares", "url": "https://example.org/fares"}, {"id": "b"}]
FAILED = [
    ("error", {"message": "The answer could not be finished."}),
    ("done", {"html": None, "status": "failed"}),
]


class BrokenModelError(Exception):
    """What a model's library raises, with text that nobody outside should see."""


class Chunks:
    """Chunks of a model, which may break off; notes how many were taken, and the end."""

    def __init__(self, *chunks, error=None):
        self.chunks, self.error = chunks, error
        self.taken, self.is_closed = 0, False

    def __iter__(self):
        for chunk in self.chunks:
            self.taken += 1
            yield chunk
        if self.error:
            raise self.error

    async def __aiter__(self):
        for chunk in self:
            await asyncio.sleep(0)
            yield chunk

    def close(self):
        self.is_closed = True

    async def aclose(self):
        await asyncio.sleep(0)
        self.close()


def plain(produced):
    return [(event.name, dict(event.data)) for event in produced]


def source(id_, number, **fields):
    shown = ("host", "title", "url", "snippet", "documentType", "relevanceScore", "page")
    return {"number": number, "sourceKey": id_, **dict.fromkeys(shown), **fields}


def citation(id_, number, occurrence, raw, **fields):
    shown = source(id_, number, **fields)
    del shown["number"], shown["host"]
    cited = {"displayNumber": number, "occurrence": occurrence, **shown}
    return {"citation": cited, "raw": raw}


def test_order_of_events():
    """Text, then a source before its first citation, then the citation; ids count from 1."""
    made = list(events(AnswerStream(TWO), ["Five [2, 1", "] or [2]; ", "[doc:x"]))
    fares = {"title": "Fares", "url": "https://example.org/fares"}
    assert plain(made) == [
        ("text", {"content": "Five "}),
        ("source", source("b", 1, title="b")),
        ("citation", citation("b", 1, 1, "[2, 1]", title="b")),
        ("source", source("a", 2, host="example.org", **fares)),
        ("citation", citation("a", 2, 1, "[2, 1]", **fares)),
        ("text", {"content": " or "}),
        ("citation", citation("b", 1, 2, "[2]", title="b")),
        ("text", {"content": "; [doc:x"}),
        ("done", {"html": None, "status": "complete"}),
    ]
    assert [event.id for event in made] == list(range(1, len(made) + 1))


def test_key_without_source():
    """It is a citation without number, and no source."""
    made = plain(events(AnswerStream(TWO), ["A [doc:x]."]))
    assert made[1] == ("citation", citation("x", None, 0, "[doc:x]"))
    assert [name for name, _ in made] == ["text", "citation", "text", "done"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("A [1][1] b", "A <1> b"), ("A [1] [1].", "A <1>."), ("A [1] [2] b", "A <1> <2> b"),
     ("A [1]\n[1]", "A <1>\n<1>"), ("A [1, 1]", "A <1>"), ("A [1], [1]", "A <1>, <1>")],
)  # fmt: skip
def test_repeated_number_is_sent_once(text, shown):
    """As every renderer shows it, and with the blank between gone, however it is cut."""
    for chunks in ([text], list(text)):
        made = plain(events(AnswerStream(TWO), chunks))
        assert "".join(map(sketch, made)) == shown


def sketch(event):
    name, data = event
    if name == "text":
        return data["content"]
    return f"<{data['citation']['displayNumber']}>" if name == "citation" else ""


def test_words_of_a_tag_come_before_its_citation():
    """They are text."""
    made = plain(events(AnswerStream(TWO), ["<co>Five days</co: 0:[1]> so"]))
    assert [data["content"] for name, data in made if name == "text"] == ["Five days", " so"]


def test_sources_that_come_late():
    """A pending citation has its number at once; its source is told as soon as it is known."""
    stream = AnswerStream(late_sources=True)

    def chunks():
        yield "Five [2]. "
        stream.add_sources(TWO)
        yield "Ever [1]."

    made = plain(events(stream, chunks()))
    assert made[1] == ("citation", citation("2", 1, 1, "[2]"))
    assert [data["number"] for name, data in made if name == "source"] == [2, 1]
    assert made[-2] == ("source", source("b", 1, title="b"))


def test_done_brings_the_html():
    """Of the same answer as ``cite`` makes, by the renderer that was given."""
    renderer = HtmlRenderer(id_prefix="p")
    [*_, done] = events(AnswerStream(TWO), ["Five [", "1]."], html=renderer)
    expected = str(renderer.render(cite("Five [1].", TWO)))
    assert done.data == {"html": expected, "status": "complete"}
    assert type(done.data["html"]) is str


def test_html_has_to_be_a_renderer():
    """The mistake is told when the events are asked for, not when the first is taken."""
    for function in (events, aevents):
        with pytest.raises(RendererOptionError, match="html"):
            function(AnswerStream(TWO), [], html="html")


def test_broken_model_is_told_and_raised():
    """The client gets what there is and how it ended, the server the exception."""
    chunks = Chunks("Five [1", error=BrokenModelError("key sk-123"))
    made = []
    with pytest.raises(BrokenModelError):
        iterate(events(AnswerStream(TWO), chunks), made)
    assert plain(made) == [
        ("text", {"content": "Five "}),
        ("text", {"content": "[1"}),
        *FAILED,
    ]
    assert chunks.is_closed


def iterate(produced, made):
    """Take all events, so that those before an exception are kept."""
    for event in produced:
        made.append(event)


def test_broken_model_still_has_its_html():
    """What was written is shown as well as a whole answer."""
    made = []
    chunks = Chunks("Five [1].", error=BrokenModelError())
    with pytest.raises(BrokenModelError):
        iterate(events(AnswerStream(TWO), chunks, html=HtmlRenderer(id_prefix="p")), made)
    html = str(render(cite("Five [1].", TWO), "html", id_prefix="p"))
    assert made[-1].data == {"html": html, "status": "failed"}


def test_own_words_for_a_failure():
    """Readers get them in their language."""
    made = []
    chunks = Chunks(error=BrokenModelError())
    with pytest.raises(BrokenModelError):
        iterate(events(AnswerStream(TWO), chunks, failure="Abgebrochen."), made)
    assert made[0].data == {"message": "Abgebrochen."}


@pytest.mark.parametrize("chunks", [[b"bytes"], ["A [9]."]], ids=["type", "unresolved"])
def test_mistakes_of_the_caller_end_the_answer(chunks):
    """A chunk that is no text, or a policy that raises, is a failure like any other."""
    made = []
    with pytest.raises((TypeError, UnresolvedError)):
        iterate(events(AnswerStream(TWO, unresolved="raise"), chunks), made)
    assert plain(made)[-2:] == FAILED


def test_renderer_that_fails_is_asked_once():
    """A renderer of the caller's may raise; the client is told that the answer failed."""

    class Broken:
        name = "broken"
        calls = 0

        def render(self, _answer):
            self.calls += 1
            raise BrokenModelError

    made, broken = [], Broken()
    with pytest.raises(BrokenModelError):
        iterate(events(AnswerStream(TWO), ["Five."], html=broken), made)
    assert plain(made)[-2:] == FAILED
    assert broken.calls == 1


def test_no_chunk_is_read_before_it_is_asked_for():
    """A slow client slows the model down; one that leaves stops it."""
    chunks = Chunks("one ", "two ", "three ")
    made = events(AnswerStream(TWO), chunks)
    assert next(made).data == {"content": "one "}
    assert chunks.taken == 1
    made.close()
    assert (chunks.taken, chunks.is_closed) == (1, True)


def test_events_in_an_event_loop():
    """They are those of the synchronous function, and the chunks are closed."""
    chunks = Chunks("Five [1", "] or [2].")

    async def collect():
        return [event async for event in aevents(AnswerStream(TWO), chunks)]

    assert asyncio.run(collect()) == list(events(AnswerStream(TWO), chunks.chunks))
    assert chunks.is_closed


def test_broken_model_in_an_event_loop():
    """As without one."""
    chunks = Chunks("Five [1", error=BrokenModelError())
    made = []

    async def collect():
        async for event in aevents(AnswerStream(TWO), chunks):
            made.append(event)  # noqa: PERF401  those before the exception are wanted

    with pytest.raises(BrokenModelError):
        asyncio.run(collect())
    assert plain(made)[-2:] == FAILED
    assert chunks.is_closed


def test_frames_are_encoded_events():
    """With the time to come back in the first, if it is asked for."""

    async def collect():
        produced = aevents(AnswerStream(TWO), Chunks("Five", " [1]."))
        return [frame async for frame in frames(produced, retry=2_000)]

    expected = [event.encode() for event in events(AnswerStream(TWO), ["Five", " [1]."])]
    assert asyncio.run(collect()) == ["retry: 2000\n" + expected[0], *expected[1:]]


def test_silence_is_filled_with_comments():
    """And no event is lost by the wait."""

    async def collect():
        go_on = asyncio.Event()

        async def chunks():
            yield "Five "
            await go_on.wait()
            yield "days"

        sent = []
        async for frame in frames(aevents(AnswerStream(TWO), chunks()), heartbeat=0.01):
            sent.append(frame)
            if sent.count(": keep-alive\n\n") == 2:
                go_on.set()
        return sent

    sent = asyncio.run(collect())
    alone = [frame for frame in sent if not frame.startswith(":")]
    assert alone == [event.encode() for event in events(AnswerStream(TWO), ["Five ", "days"])]


@pytest.mark.parametrize("how", ["close", "cancel"])
def test_frames_that_are_closed_close_the_model(how):
    """A client that goes away while the model is silent stops the model."""
    chunks = Chunks("Five ")

    async def silent():
        try:
            yield "Five "
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            chunks.close()

    async def leave():
        sent = frames(aevents(AnswerStream(TWO), silent()), heartbeat=0.01)
        await anext(sent)
        await anext(sent)
        if how == "close":
            await sent.aclose()
        else:
            task = asyncio.create_task(anext(sent))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task})

    asyncio.run(leave())
    assert chunks.is_closed


@pytest.mark.parametrize("outside", [True, False], ids=["outside the loop", "in the loop"])
@pytest.mark.parametrize(
    "wrap",
    [aevents, lambda stream, chunks: frames(aevents(stream, chunks))],
    ids=["aevents", "frames"],
)
def test_client_that_goes_before_the_first_event_stops_the_model(wrap, outside):
    """What is closed before it was asked for anything closes the chunks, and reads none."""
    chunks = Chunks("Five ")
    made = wrap(AnswerStream(TWO), chunks) if outside else None

    async def leave():
        sent = made or wrap(AnswerStream(TWO), chunks)
        await sent.aclose()
        with pytest.raises(StopAsyncIteration):
            await anext(sent)

    asyncio.run(leave())
    assert (chunks.taken, chunks.is_closed) == (0, True)


def test_events_that_are_forgotten_stop_the_model():
    """Servers that start no response drop its body without closing it."""
    chunks = Chunks("Five ")

    async def leave():
        frames(aevents(AnswerStream(TWO), chunks))
        gc.collect()
        for _ in range(20):
            await asyncio.sleep(0)

    asyncio.run(leave())
    assert (chunks.taken, chunks.is_closed) == (0, True)


@pytest.fixture
def unraised(monkeypatch):
    """Return what was raised where nobody could take it."""
    found = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: found.append(told.exc_value))
    return found


@pytest.mark.parametrize("make", [asyncio.to_thread, None], ids=["in a thread", "in the loop"])
@pytest.mark.parametrize("wrap", [aevents, lambda *of: frames(aevents(*of))])
def test_generator_that_is_left_and_forgotten(make, wrap, unraised):
    """Views that are no coroutines make it where no loop runs; it is closed all the same."""
    chunks = Chunks("Five ", "days ", "and [1] ", "more")

    async def leave():
        args = AnswerStream(TWO), chunks
        sent = wrap(*args) if make is None else await make(wrap, *args)
        async for _ in sent:
            break
        del sent
        gc.collect()
        for _ in range(20):
            await asyncio.sleep(0)

    asyncio.run(leave())
    assert (chunks.is_closed, unraised) == (True, [])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("wrap", [aevents, lambda *of: frames(aevents(*of))])
def test_generator_that_is_forgotten_where_no_loop_runs(wrap, unraised):
    """There is nothing to close: nothing began, and no loop can."""
    chunks = Chunks("Five ")
    wrap(AnswerStream(TWO), chunks)
    gc.collect()
    assert (chunks.taken, unraised) == (0, [])


def test_reader_that_goes_before_the_first_event_stops_the_model():
    """The same in a thread, whether it closes the generator or raises in it."""
    chunks = Chunks("Five ")
    events(AnswerStream(TWO), chunks).close()
    assert (chunks.taken, chunks.is_closed) == (0, True)
    chunks = Chunks("Five ")
    with pytest.raises(BrokenModelError):
        events(AnswerStream(TWO), chunks).throw(BrokenModelError())
    assert (chunks.taken, chunks.is_closed) == (0, True)


def test_heartbeat_is_a_time():
    """Nothing is sent if it is none."""

    async def start(heartbeat):
        return await anext(frames(aevents(AnswerStream(TWO), Chunks("a")), heartbeat=heartbeat))

    assert asyncio.run(start(None)).startswith("id: 1\n")
    for wrong in (0, -1, float("nan")):
        with pytest.raises(CitemarkError, match="heartbeat"):
            asyncio.run(start(wrong))


@pytest.mark.parametrize("fields", [(0, "text"), (True, "text"), (1, ""), (1, "a\nb"), (1, 3)])
def test_event_that_could_break_its_frame(fields):
    """Ids and names are checked, since they stand outside the JSON."""
    with pytest.raises(CitemarkError):
        Event(*fields, {})


@pytest.mark.parametrize(
    "value", [float("nan"), object(), {1, 2}, 10**5_000], ids=lambda v: type(v).__name__
)
def test_event_that_json_cannot_hold(value):
    """It is told which, by an error of the library."""
    with pytest.raises(EventDataError, match="'text'"):
        Event(1, "text", {"content": value}).encode()


@given(st.text(st.characters(exclude_categories=())))
@example("\ud83d\ude00 \ud800")
@example("\u2028\u2029\x85\x0b\r")
def test_data_is_one_line_of_utf_8(text):
    """Whatever cuts lines: the standard's ends, or all that Python and JavaScript know."""
    frame = Event(1, "text", {"content": text}).encode()
    assert frame.encode().decode().splitlines() == frame.split("\n")[:-1]
    [head, name, data, *rest] = frame.split("\n")
    assert (head, name, rest) == ("id: 1", "event: text", ["", ""])
    read = json.loads(data.removeprefix("data: "))["content"]
    assert read == re.sub("[\ud800-\udfff]", "\ufffd", text)


def joined(produced):
    """Return texts and numbers in order, neighbouring texts as one, without white space."""
    parts = []
    for name, data in produced:
        if name == "text":
            text = "".join(data["content"].split())
            if text and parts and isinstance(parts[-1], str):
                parts[-1] += text
            elif text:
                parts.append(text)
        elif name == "citation":
            parts.append((data["citation"]["displayNumber"], data["citation"]["sourceKey"]))
    return parts


@given(chunked(), SOURCES, POLICIES)
def test_cuts_do_not_matter(chunks, sources, policy):
    """The events tell the same story however the text is cut, and each source is told first."""
    stream = AnswerStream(sources, unresolved=policy)
    made = plain(events(stream, chunks))
    whole = AnswerStream(sources, unresolved=policy)
    expected = plain(events(whole, ["".join(chunks)]))
    assert joined(made) == joined(expected)
    known = set()
    for name, data in made:
        if name == "source":
            assert data["number"] not in known
            known.add(data["number"])
        elif name == "citation":
            assert data["citation"]["displayNumber"] in {None, *known}


def told(produced):
    """Return texts and citations in order, neighbouring texts as one."""
    parts = []
    for name, data in produced:
        if name == "text" and parts and isinstance(parts[-1], str):
            parts[-1] += data["content"]
        elif name == "text":
            parts.append(data["content"])
        elif name == "citation":
            parts.append(data["citation"])
    return parts


@settings(max_examples=300)
@given(chunked(), SOURCES, POLICIES)
@example(["one [doc:q]two"], PLAIN, "drop")
@example(["the [doc:q]", "x next"], PLAIN, "drop")
@example(["one (", "[doc:q]", ") two"], PLAIN, "drop")
@example(["a\n- ", "[doc:q]", "\n1", ". [doc:q]", "\nb"], PLAIN, "drop")
@example(["[1]", ", ", "[doc:q]", ", ", "[2]"], PLAIN, "drop")
@example(["[1] (", "[1]", ") x"], PLAIN, None)
@example(["a\xa0", "[doc:q]", "."], PLAIN, "drop")
def test_events_are_the_segments_of_the_json(chunks, sources, policy):
    """What was sent is what the JSON of the answer holds, to the blank.

    Only where a stray tag goes, a blank may have been sent that the whole text does without.
    """
    stream = AnswerStream(sources, unresolved=policy)
    made = told(plain(events(stream, chunks)))
    segments = json.loads(render(stream.answer, "json"))["segments"]
    expected = told((part["type"], part) for part in segments)
    if any(
        isinstance(s, CitationSegment) and not s.marker.keys for s in stream.answer.segments
    ):
        made, expected = (
            [re.sub(r"\s", "", part) if isinstance(part, str) else part for part in parts]
            for parts in (made, expected)
        )
    assert made == expected


def test_blanks_behind_a_citation_are_held_for_a_while():
    """They may go; a model that writes nothing else is not waited for."""
    writer = EventWriter(AnswerStream(TWO))
    made = plain(event for chunk in ["[1]", *" " * 340] for event in writer.feed(chunk))
    assert [name for name, _ in made[:2]] == ["source", "citation"]
    blanks = [data["content"] for _, data in made[2:]]
    assert list(map(len, blanks)) == [201, *[1] * 139]

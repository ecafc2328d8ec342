"""The log of events: readers that come late, come back, are slow, or go away."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import CitemarkError
from citemark.integrations.sse import Event, EventLog

WAIT = 10
"""Seconds after which a test that hangs fails."""


def text(number, content="x"):
    return Event(number, "text", {"content": content})


def filled(count, **options):
    log = EventLog(**options)
    for number in range(1, count + 1):
        log.append(text(number))
    return log


def ids(events):
    return [event.id for event in events]


def lost(events):
    return [(event.id, event.name, event.data.get("status")) for event in events]


async def collect(events):
    return [event async for event in events]


@pytest.mark.parametrize(
    ("after", "expected"),
    [(None, [1, 2, 3]), (0, [1, 2, 3]), (2, [3]), ("2", [3]), (3, []), ("", [1, 2, 3]),
     ("-1", [1, 2, 3]), ("٢", [1, 2, 3]), ("1e1", [1, 2, 3]), ("9" * 5_000, [1, 2, 3]),
     (-1, [1, 2, 3])],
)  # fmt: skip
def test_reading_on(after, expected):
    """A reader says which event was its last, as the header has it; nonsense is the start."""
    log = filled(3)
    log.close()
    assert ids(log.read(after)) == expected
    assert ids(asyncio.run(collect(log.aread(after)))) == expected


def test_long_log_is_read_whole():
    """In more than one go."""
    log = filled(1_000)
    log.close()
    assert ids(log.read()) == ids(asyncio.run(collect(log.aread()))) == list(range(1, 1_001))


def test_readers_in_threads_wait_for_events():
    """Two read at once, one from the start and one from the middle, until the log ends."""
    log = filled(2)
    with ThreadPoolExecutor() as pool:
        readers = [pool.submit(lambda after: ids(log.read(after)), after) for after in (0, 2)]
        for number in (3, 4):
            log.append(text(number))
        log.close()
        assert [reader.result(WAIT) for reader in readers] == [[1, 2, 3, 4], [3, 4]]


def test_reader_in_an_event_loop_waits_for_a_thread():
    """Who appends may be another thread."""

    async def follow():
        log = filled(1)
        reader = log.aread()
        assert (await anext(reader)).id == 1
        rest = asyncio.create_task(collect(reader))
        await asyncio.to_thread(log.append, text(2))
        await asyncio.to_thread(log.close)
        return ids(await asyncio.wait_for(rest, WAIT))

    assert asyncio.run(follow()) == [2]


def test_recording_goes_on_without_readers():
    """One who leaves does not stop the answer, and gets the rest later."""
    ended = asyncio.Event()

    async def produce():
        for number in range(1, 6):
            await asyncio.sleep(0)
            yield text(number)
        ended.set()

    async def leave_and_return():
        log = EventLog.recording(produce())
        reader = log.aread()
        first = await anext(reader)
        await reader.aclose()
        await asyncio.wait_for(ended.wait(), WAIT)
        return [first.id, *ids(await collect(log.aread(first.id)))]

    assert asyncio.run(leave_and_return()) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("how", ["stop", "raise"])
def test_recording_that_ends_early(how):
    """Readers end with it, and what it was made from is closed."""
    closed = []

    async def produce():
        try:
            yield text(1)
            if how == "raise":
                raise ConnectionError
            await asyncio.Event().wait()
        finally:
            closed.append(how)

    async def read():
        log = EventLog.recording(produce())
        reader = log.aread()
        await anext(reader)
        log.stop()
        return await asyncio.wait_for(collect(reader), WAIT)

    reported = []
    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(lambda _, said: reported.append(said))
        assert runner.run(read()) == []
    assert closed == [how]


def test_recording_that_is_stopped_before_it_began():
    """The log ends, and what it was to read is closed."""
    closed = []

    class Events:
        def __aiter__(self):
            return self

        async def __anext__(self):
            return text(1)

        async def aclose(self):
            closed.append(True)

    async def run():
        log = EventLog.recording(Events())
        log.stop()
        assert await asyncio.wait_for(collect(log.aread()), WAIT) == []
        for _ in range(20):
            await asyncio.sleep(0)

    asyncio.run(run())
    assert closed == [True]


def test_stop_without_recording():
    """A log that the caller fills has nothing to stop."""
    log = filled(1)
    log.stop()
    log.close()
    assert ids(log.read()) == [1]


def test_old_events_are_forgotten():
    """The log keeps to its size; who needs what is gone is told, with ids it takes for new."""
    size = len(text(1).encode())
    log = filled(9, max_bytes=3 * size)
    log.close()
    assert ids(log.read(6)) == [7, 8, 9]
    end = [(10, "error", None), (11, "done", "failed")]
    assert lost(log.read(5)) == end
    assert lost(log.read()) == end
    assert lost(asyncio.run(collect(log.aread()))) == end


def test_newest_event_is_kept_whatever_its_size():
    """It is the one with the whole answer."""
    log = EventLog(max_bytes=1)
    log.append(text(1, "x" * 100))
    log.close()
    assert next(log.read()).id == 1


def test_slow_reader_is_dropped():
    """It does not make the producer wait, nor the log grow."""
    log = filled(1, max_bytes=200)
    reader = log.read()
    assert next(reader).id == 1
    for number in range(2, 50):
        log.append(text(number))
    assert lost(reader) == [(50, "error", None), (51, "done", "failed")]


def test_id_of_another_log():
    """A server that was started anew has other events: they are not mixed."""
    log = filled(3)
    log.close()
    assert lost(log.read("7")) == [(8, "error", None), (9, "done", "failed")]


@pytest.mark.parametrize("number", [1, 2, 4])
def test_events_follow_each_other(number):
    """A gap would be lost text."""
    log = filled(2)
    with pytest.raises(CitemarkError, match="waits for event 3"):
        log.append(text(number))


def test_nothing_comes_after_the_end():
    """Readers have gone."""
    log = filled(1)
    log.close()
    with pytest.raises(CitemarkError, match="is closed"):
        log.append(text(2))


@pytest.mark.parametrize("max_bytes", [0, -1, 1.5, "9", True])
def test_size_is_a_number(max_bytes):
    """From 1."""
    with pytest.raises(CitemarkError, match="max_bytes"):
        EventLog(max_bytes)


@given(st.lists(st.integers(0, 12), max_size=5), st.integers(0, 12))
def test_breaks_do_not_matter(breaks, count):
    """Wherever the connection breaks, all parts together are the events, each once."""
    log = filled(count)
    log.close()
    got = []
    for length in breaks:
        reader = log.read(got[-1] if got else None)
        got += [event.id for event, _ in zip(reader, range(length), strict=False)]
    got += ids(log.read(got[-1] if got else None))
    assert got == list(range(1, count + 1))

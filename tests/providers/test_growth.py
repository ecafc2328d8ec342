"""Ten times the citations take ten times as long, whole and as a stream, and not a hundred."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest
from growth_kit import assert_linear

from citemark import providers
from citemark.providers._channel import Channel

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from large import SHAPES

COUNT = 800
EVENTS = 200
"""Citations in a stream, which is slower."""

STREAMS = [name for name in SHAPES if SHAPES[name].events]
STREAMED = 300
JOINED = 12
"""Times that the text of a stream may be put together; once at each event would be thousands."""


@pytest.fixture
def long_pieces(monkeypatch):
    """Streams with fewer events."""
    for name in ("texts", "amazon", "blocks"):
        monkeypatch.setattr(f"large.{name}.PIECE", 50)


@pytest.fixture
def joined(monkeypatch):
    """The lengths of the texts that were put together."""
    lengths = []
    text = Channel.text.fget

    def spied(channel):
        if len(channel.parts) > 1:
            lengths.append(channel.length)
        return text(channel)

    monkeypatch.setattr(Channel, "text", property(spied))
    return lengths


def set_sources(count):
    """Give each citation a source of its own."""
    for module in ("amazon", "blocks", "google", "openai", "others", "texts"):
        sys.modules[f"large.{module}"].SOURCES = count


def whole(name, count):
    set_sources(count)
    return partial(providers.parse, SHAPES[name].whole(count), provider=name)


def streamed(name, count):
    set_sources(count)
    events = SHAPES[name].events(count)
    return partial(feed, providers.adapter(name), events)


def feed(adapter, events):
    stream = adapter.StreamAdapter()
    for event in events:
        stream.feed(event)
    stream.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_whole(name):
    """A response with ten times the citations."""
    assert_linear(whole(name, COUNT // 10), whole(name, COUNT))


@pytest.mark.slow
@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.usefixtures("long_pieces")
def test_stream(name):
    """A stream of ten times the events: each costs the same, however many came before."""
    assert_linear(streamed(name, EVENTS // 10), streamed(name, EVENTS))


@pytest.mark.parametrize("name", STREAMS)
def test_events_do_not_read_all_text(name, joined):
    """An event looks at its own text; all of it is put together for an answer alone."""
    work = streamed(name, STREAMED)
    work()
    length = len(whole(name, STREAMED)().text)
    assert sum(joined) <= JOINED * length


@pytest.mark.parametrize("name", SHAPES)
def test_stream_and_whole_cite_the_same(name):
    """The events make the answer of the response, with each of its citations."""
    count = 30
    answer = whole(name, count)()
    assert len([*answer.citations]) == count
    if SHAPES[name].events:
        events = SHAPES[name].events(count)
        told = providers.parse_events(events, provider=name)
        assert (told.text, [*told.citations]) == (answer.text, [*answer.citations])

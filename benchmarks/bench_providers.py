"""Answers of providers: 10,000 citations in a text of 1 MB, as a response and as a stream."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from large import SHAPES
from measure import Row, best, growth, main

from citemark import providers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Work = Callable[[], object]

CITATIONS = 10_000
ROUNDS = 2
SECONDS = 1.0
"""Most that a whole response may take."""


SHOWN = 3
"""Slowest ones that have a row of their own."""


def rows(effort: float) -> list[Row]:
    """Time each provider's response and stream, and a tenth of each; show the slowest."""
    count = max(round(CITATIONS * effort), 10)
    wholes = {name: _times(partial(_whole, name), count) for name in SHAPES}
    streams = {
        name: _times(partial(_stream, name), count) for name in SHAPES if SHAPES[name].events
    }
    return [
        *_slowest("response", wholes, count, SECONDS),
        *_slowest("stream", streams, count, None),
        growth("Growth, response, 0.1 to 1 MB", wholes),
        growth("Growth, stream, 0.1 to 1 MB", streams),
    ]


def _times(work: Callable[[int], Work], count: int) -> list[float]:
    """Return the least seconds for a tenth of the citations and for all."""
    return best([work(count // 10), work(count)], ROUNDS, time.process_time)


def _whole(name: str, count: int) -> Work:
    return partial(providers.parse, SHAPES[name].whole(count), provider=name)


def _stream(name: str, count: int) -> Work:
    events = SHAPES[name].events
    assert events is not None  # noqa: S101  it has a stream
    return partial(_feed, providers.adapter(name), events(count))


def _feed(adapter: object, events: Iterable[Any]) -> None:
    stream = cast("Any", adapter).StreamAdapter()
    for event in events:
        stream.feed(event)
    stream.close()


def _slowest(
    what: str, times: dict[str, list[float]], count: int, limit: float | None
) -> list[Row]:
    ordered = sorted(times, key=lambda name: times[name][1], reverse=True)
    seconds = {name: times[name][1] for name in ordered}
    return [
        Row(
            f"{count:,} citations in 1 MB, {what} of {name}",
            seconds[name],
            "s",
            limit=limit,
            judged="ours",
            details={} if at else {"seconds": seconds},
        )
        for at, name in enumerate(ordered[:SHOWN])
    ]


if __name__ == "__main__":
    main(rows)

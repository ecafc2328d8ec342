"""Streams of four-character chunks against a ``feed`` that does nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from corpus import answers, chunked
from measure import Row, best_sums, main
from rivals import EmptyStream

from citemark import AnswerStream, Sources
from citemark.parser import Scanner

if TYPE_CHECKING:
    from collections.abc import Callable

    Chunks = tuple[list[str], Sources]


class Stream(Protocol):
    """What all three have."""

    def feed(self, chunk: str, /) -> list[Any]:
        """Take in a chunk."""

    def close(self) -> list[Any]:
        """End the text."""


def rows(effort: float) -> list[Row]:
    """Time whole streams, made, fed and closed; the figures are for one chunk."""
    rounds = max(1, round(150 * effort))
    samples = [(chunked(sample.text), sample.sources) for sample in answers()]
    works = [
        partial(_run, lambda sources: Scanner(known=sources)),
        partial(_run, AnswerStream),
        partial(_run, lambda _: EmptyStream()),
    ]
    chunks = sum(len(chunks) for chunks, _ in samples)
    scanner, answer, empty = (
        seconds * 1e6 / chunks for seconds in best_sums(works, samples, rounds)
    )
    against, details = "empty method", {"chunks": chunks}
    return [
        Row(
            "`Scanner.feed`, one chunk of 4", scanner, "µs", empty, against, 30, details=details
        ),
        Row(
            "`AnswerStream.feed`, one chunk of 4",
            answer,
            "µs",
            empty,
            against,
            30,
            details=details,
        ),
    ]


def _run(make: Callable[[Sources], Stream], sample: Chunks) -> None:
    chunks, sources = sample
    stream = make(sources)
    feed = stream.feed
    for chunk in chunks:
        feed(chunk)
    stream.close()


if __name__ == "__main__":
    main(rows)

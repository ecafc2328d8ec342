"""What a stream of 1 MB holds: text that is not released yet, and memory at its peak."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, NamedTuple

from corpus import slices
from measure import Row, main

from citemark import AnswerStream, Sources
from citemark.parser import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.model import Token

SIZE = 1_000_000
CHUNK = 64
"""Code points fed at once: small beside what may be held."""

HELD = 10.0
"""Most that may be held back, in thousands of code points: "a few kB"."""

SOURCES = Sources([{"id": "a", "title": "aaaa", "url": "https://example.org/a"}])

KINDS: dict[str, tuple[str, str]] = {
    "example answers": ("", "".join(slices())),
    "open brackets": ("", "["),
    "one endless list": ("[", "1, "),
    "one endless address": ("[a](https://", "b"),
    "one endless id": ("[doc:", "a"),
    "an open fence": ("```\n", "a [1]\n"),
    "an open code span": ("`", "a [1] "),
    "one endless line": ("", "a[1] "),
    "line ends": ("", "\r\n"),
}
"""Start of a text, and what is repeated after it."""


class Peak(NamedTuple):
    """The most that was held at one time."""

    held: int
    """Code points fed but not released."""

    memory: int
    """Bytes, by ``tracemalloc``; what was released is dropped."""


def rows(effort: float) -> list[Row]:
    """Measure all kinds; show the worst."""
    size = round(SIZE * effort)
    for kind in KINDS:
        scanner_peak(kind, 3_000)  # compiles what is compiled once
    peaks = {kind: scanner_peak(kind, size) for kind in KINDS}
    held = max(peaks, key=lambda kind: peaks[kind].held)
    memory = max(peaks, key=lambda kind: peaks[kind].memory)
    return [
        Row(
            f"Held back, most of a stream of 1 MB: {held}",
            peaks[held].held / 1e3,
            "kB",
            limit=HELD,
            judged="ours",
            details={"code points": {kind: peak.held for kind, peak in peaks.items()}},
        ),
        Row(
            f"Memory of a `Scanner`, peak over 1 MB: {memory}",
            peaks[memory].memory / 1e3,
            "kB",
            details={"bytes": {kind: peak.memory for kind, peak in peaks.items()}},
        ),
        Row(
            "Memory of an `AnswerStream`, which keeps the answer: 1 MB of examples",
            _answer_peak("example answers", size) / 1e6,
            "MB",
        ),
    ]


def scanner_peak(kind: str, size: int) -> Peak:
    """Return what a scanner holds over a stream of a kind, of ``size`` code points."""
    chunks = _chunks(kind, size)
    tracemalloc.start()
    scanner = Scanner(known=SOURCES)
    most = held = 0
    for chunk in chunks:
        held += len(chunk) - sum(map(_length, scanner.feed(chunk)))
        most = max(most, held)
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Peak(most, memory)


def _answer_peak(kind: str, size: int) -> int:
    chunks = _chunks(kind, size)
    tracemalloc.start()
    stream = AnswerStream(SOURCES)
    for chunk in chunks:
        stream.feed(chunk)
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return memory


def _chunks(kind: str, size: int) -> Iterator[str]:
    """Yield a text of a kind in chunks, of which only one is in memory."""
    start, unit = KINDS[kind]
    unit *= -(-CHUNK // len(unit))
    yield start
    for at in range(0, size, CHUNK):
        offset = at % len(unit)
        yield (unit[offset : offset + CHUNK] + unit)[:CHUNK]


def _length(token: Token) -> int:
    return len(token) if isinstance(token, str) else token.end - token.start


if __name__ == "__main__":
    main(rows)

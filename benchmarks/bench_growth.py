"""How time grows with the length of texts that are made to be slow."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from measure import Row, best, growth, main

from citemark import find_markers
from citemark.parser import Scanner

if TYPE_CHECKING:
    from collections.abc import Callable

WHOLE = 1_000_000
STREAMED = 100_000

ROUNDS = 5


def _runs(size: int) -> str:
    """Return runs of backticks of falling length, none of which closes another."""
    count = int((2 * size) ** 0.5)
    return "x " + "".join("`" * length + "e" for length in range(count, 0, -1))


def _repeated(unit: str, size: int) -> str:
    return unit * (size // len(unit))


INPUTS: dict[str, Callable[[int], str]] = {
    "open brackets": partial(_repeated, "["),
    "open links": partial(_repeated, "[a]("),
    "open lists of numbers": partial(_repeated, "[1,"),
    "open angles": partial(_repeated, "<<a"),
    "backticks that do not match": partial(_repeated, "`` ` "),
    "falling runs of backticks": _runs,
    "quotes in lists in quotes": partial(_repeated, "\n> - 1. "),
    "subscripts": partial(_repeated, "a.b[1]."),
    "markers only": partial(_repeated, "[1]"),
    "a fence that stays open": lambda size: "```\n" + _repeated("a [1]\n", size),
    "a long address": lambda size: "[a](https://" + "b" * size + ")",
    "a long list": lambda size: "[" + "1," * (size // 2) + "1]",
}


def rows(effort: float) -> list[Row]:
    """Time each input and a tenth of it; show the one that grows most, and the slowest."""
    whole, streamed = round(WHOLE * effort), round(STREAMED * effort)
    whole_times = {name: _times(find_markers, text, whole) for name, text in INPUTS.items()}
    stream_times = {name: _times(_feed, text, streamed) for name, text in INPUTS.items()}
    slowest = max(whole_times, key=lambda name: whole_times[name][1])
    return [
        growth("Growth, whole, 0.1 to 1 MB", whole_times),
        Row(
            f"1 MB at once: {slowest}",
            whole_times[slowest][1],
            "s",
            limit=1.0,
            judged="ours",
            details={"seconds": {name: pair[1] for name, pair in whole_times.items()}},
        ),
        growth("Growth, by character, 10 to 100 kB", stream_times),
    ]


def _times(work: Callable[[str], object], text: Callable[[int], str], size: int) -> list[float]:
    """Return the least seconds for a tenth of the size and for the size."""
    works = [partial(work, text(size // 10)), partial(work, text(size))]
    return best(works, ROUNDS, time.process_time)


def _feed(text: str) -> None:
    scanner = Scanner()
    for character in text:
        scanner.feed(character)
    scanner.close()


if __name__ == "__main__":
    main(rows)

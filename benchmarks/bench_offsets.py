"""The places of providers' spans: ten thousand of them in a text of 1 MB, right and wrong."""

from __future__ import annotations

import time
from functools import partial

from measure import Row, best, main

from citemark._outline import Outline
from citemark.providers._offsets import Offsets
from citemark.providers._repair import locate

SIZE = 1_000_000
"""Bytes of text."""

SPANS = 10_000
ROUNDS = 3
LIMIT = 1.0
"""Most seconds for all of them."""

PARAGRAPH = (
    "Die Brücke über die Ems hat **neun Bögen** 🌉 und ist [212 m lang](https://a.example/b). "
    "Straßenbahnen fahren alle `12` Minuten; 1977 年に再建された。 It was rebuilt in 1977.\n"
    "- Die Fahrbahn ist acht Meter breit.\n\n"
)


def rows(effort: float) -> list[Row]:
    """Time the way of all spans from bytes of UTF-8 to a place for a citation."""
    size, spans = round(SIZE * effort), round(SPANS * effort)
    text = PARAGRAPH * (size // len(PARAGRAPH.encode()))
    step = len(text) // spans
    places = [(at, at + 40) for at in range(0, len(text) - 60, step)]
    offsets = Offsets(text)
    told = [
        (offsets.from_code_points(start, "byte"), offsets.from_code_points(end, "byte"))
        for start, end in places
    ]
    words = [text[start:end] for start, end in places]
    names = {
        "right": partial(_locate, text, told, words, 0),
        "two bytes off": partial(_locate, text, told, words, 2),
        "words that are everywhere": partial(_locate, text, told, ["e"] * len(told), 9),
        "words that are nowhere": partial(
            _locate, text, told, [f"x{at}" for at in range(len(told))], 0
        ),
        "placed": partial(_place, text, places),
    }
    times = best(list(names.values()), ROUNDS, time.process_time)
    return [
        Row(f"{spans:,} spans in 1 MB: {name}", least, "s", limit=LIMIT, judged="ours")
        for name, least in zip(names, times, strict=True)
    ]


def _locate(text: str, told: list[tuple[int, int]], words: list[str], shift: int) -> None:
    offsets = Offsets(text)
    for (start, end), expected in zip(told, words, strict=True):
        locate(offsets, start + shift, end + shift, unit="byte", expected=expected)


def _place(text: str, places: list[tuple[int, int]]) -> None:
    outline = Outline(text)
    for start, end in places:
        outline.after(start, end)


if __name__ == "__main__":
    main(rows)

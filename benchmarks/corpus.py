"""The texts that are measured: the example answers, and a synthetic one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from citemark import Sources

__all__ = ["Sample", "answers", "chunked", "slices", "synthetic"]

ROOT = Path(__file__).resolve().parents[1]
SIZE = 3_000
"""Code points of an answer, about."""

CHUNK = 4
"""Code points of a chunk, about those of a token."""

SENTENCES = (
    "Refunds take five working days once the parcel is back in store {n} [{n}]. ",
    "The label is in the box, and customers in zone {n} get another one [doc:zone-{n}]. ",
    "What changed is in the [Refund policy {n}](https://example.org/refunds/{n}), page 3. ",
    "Express delivery is paid again, as in the list of prices <<prices-{n}>>. ",
    "Nobody has to give a reason (see above), and no form is needed for that. ",
    "Two reports say so [{n}, 2][3]; `fee[{n}]` in the code is the price of a parcel.\n\n",
)


class Sample(NamedTuple):
    """An answer and what it may cite."""

    text: str
    sources: Sources


def answers() -> list[Sample]:
    """Return the example answers, 1,100 to 2,500 code points each, with their sources."""
    return [
        Sample(path.read_text("utf-8"), Sources(_read(path.with_suffix(".sources.json"))))
        for path in sorted((ROOT / "examples" / "answers").glob("*.md"))
    ]


def slices() -> list[str]:
    """Return the texts of the examples, joined and cut into slices of 3,000 code points."""
    text = "\n\n".join(sample.text for sample in answers())
    return [text[start : start + SIZE] for start in range(0, len(text) - SIZE, SIZE)]


def synthetic() -> str:
    """Return an answer of 3,000 code points in which all four plain forms are as frequent."""
    count = len(SENTENCES)
    text = "".join(SENTENCES[n % count].format(n=n // count + 1) for n in range(SIZE // 50))
    return text[:SIZE]


def chunked(text: str) -> list[str]:
    """Return a text in chunks of four code points."""
    return [text[start : start + CHUNK] for start in range(0, len(text), CHUNK)]


def _read(path: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(path.read_text("utf-8"))
    return rows

"""``find_markers`` against a plain parser of four alternatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpus import Sample, answers, slices, synthetic
from measure import Row, best_sums, main
from rivals import find_plain_markers

from citemark import find_markers
from citemark.formats import ALL

if TYPE_CHECKING:
    from citemark import Marker

AGAINST = "plain parser"


def rows(effort: float) -> list[Row]:
    """Time whole texts, without sources and with them."""
    rounds = max(1, round(1_000 * effort))
    return [
        _row("Find markers, 3 kB slices of the examples", slices(), rounds),
        _row("Find markers, 3 kB synthetic answer", [synthetic()], rounds),
        _row_with_sources(rounds),
        _row_with_all_formats(rounds),
    ]


def _row(what: str, texts: list[str], rounds: int) -> Row:
    ours, rival = best_sums([find_markers, find_plain_markers], texts, rounds)
    per_text = 1e6 / len(texts)
    details = {
        "texts": len(texts),
        "markers": sum(len(find_markers(text)) for text in texts),
        "markers of the rival": sum(len(find_plain_markers(text)) for text in texts),
    }
    return Row(what, ours * per_text, "µs", rival * per_text, AGAINST, 1.0, details=details)


def _row_with_sources(rounds: int) -> Row:
    def find(sample: Sample) -> list[Marker]:
        return find_markers(sample.text, known=sample.sources)

    def find_plain(sample: Sample) -> list[Marker]:
        return find_plain_markers(sample.text)

    samples = answers()
    ours, rival = best_sums([find, find_plain], samples, rounds)
    per_text = 1e6 / len(samples)
    return Row(
        "Find markers, example answers, with their sources",
        ours * per_text,
        "µs",
        rival * per_text,
        AGAINST,
        details={"texts": len(samples), "markers": sum(len(find(s)) for s in samples)},
    )


def _row_with_all_formats(rounds: int) -> Row:
    def find_all(text: str) -> list[Marker]:
        return find_markers(text, formats=ALL)

    texts = slices()
    ours, rival = best_sums([find_all, find_markers], texts, rounds)
    per_text = 1e6 / len(texts)
    return Row(
        "All formats of the catalogue, 3 kB slices",
        ours * per_text,
        "µs",
        rival * per_text,
        "default formats",
        2.0,
        details={"texts": len(texts), "formats": len(ALL)},
    )


if __name__ == "__main__":
    main(rows)

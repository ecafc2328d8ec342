"""Libraries that do a part of the same work: haystack-ai and cohere_melody.

They are looked for in ``build/peers`` (see the Makefile); without them there are no rows.
"""

from __future__ import annotations

import logging
import os
import sys
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus import chunked
from measure import Row, best, main

from citemark import AnswerStream, Sources, cite

if TYPE_CHECKING:
    from collections.abc import Callable

PEERS = Path(__file__).resolve().parents[1] / "build" / "peers"

SENTENCES = (
    ("Refunds take", "five working days", "once the parcel is back in store. ", 1),
    ("The label is in the box, and", "customers abroad", "get another one by post. ", 2),
    ("Express delivery is", "never paid back", ", as is said in the list of prices. ", 3),
    ("Nobody has to", "give a reason", ", and no form is needed for that.\n\n", 4),
)
"""Words before a citation, words it supports, words after it, label of the source."""

PARAGRAPHS = 10
"""About 3 kB of text."""


def rows(effort: float) -> list[Row]:
    """Time the peers that are installed."""
    sys.path.append(str(PEERS))  # last: what both need is ours
    rounds = max(1, round(300 * effort))
    peers = {"haystack": _haystack_rows, "cohere_melody": _melody_rows}
    return [
        row for name, rows_of in peers.items() if find_spec(name) for row in rows_of(rounds)
    ]


def _haystack_rows(rounds: int) -> list[Row]:
    """Which documents does an answer cite?  Haystack gives no places and does no stream."""
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    document = import_module("haystack").Document
    answer_builder = import_module("haystack.components.builders").AnswerBuilder
    logging.getLogger("haystack").setLevel(logging.ERROR)
    text, sources = _numbered(), _sources()
    builder = answer_builder(reference_pattern=r"\[(\d+)\]")
    documents = [document(id=source.id, content=source.text) for source in sources]
    run = partial(builder.run, query="", replies=[text], documents=documents)
    cited = [item.id for item in run()["answers"][0].documents]
    if cited != [source.id for source in cite(text, sources).sources]:
        message = f"the works are not comparable: {cited}"
        raise ValueError(message)
    ours, rival = best([partial(cite, text, sources), run], rounds)
    what = "`cite` a 3 kB answer, `[1]` only"
    return [Row(what, ours * 1e6, "µs", rival * 1e6, "haystack-ai `AnswerBuilder`")]


def _melody_rows(rounds: int) -> list[Row]:
    """The same prose and citations, each in its own markup, as a stream and at once."""
    library = import_module("cohere_melody")

    def melody() -> Any:  # noqa: ANN401  has no types unless it is installed
        return library.PyFilter(library.PyFilterOptions().cmd4().start_in_answer())

    tagged, numbered, sources = _tagged(), _numbered(), _sources()
    expected = len(SENTENCES) * PARAGRAPHS
    counts = _melody_stream(melody, chunked(tagged)), _count(numbered, sources)
    if counts != (expected, expected):
        message = f"the works are not comparable: {counts} citations"
        raise ValueError(message)
    ours, rival, ours_whole, rival_whole = best(
        [
            partial(_stream, sources, chunked(numbered)),
            partial(_melody_stream, melody, chunked(tagged)),
            partial(cite, numbered, sources),
            lambda: melody().process_full_text(tagged),
        ],
        rounds,
    )
    against = "cohere_melody (Rust)"
    details = {"chunks": len(chunked(numbered)), "chunks of the rival": len(chunked(tagged))}
    what = "3 kB answer in chunks of 4, `AnswerStream`"
    return [
        Row(what, ours * 1e6, "µs", rival * 1e6, against, details=details),
        Row("3 kB answer at once, `cite`", ours_whole * 1e6, "µs", rival_whole * 1e6, against),
    ]


def _stream(sources: Sources, chunks: list[str]) -> None:
    stream = AnswerStream(sources)
    for chunk in chunks:
        stream.feed(chunk)
    stream.close()


def _melody_stream(make: Callable[[], Any], chunks: list[str]) -> int:
    """Return the number of citations."""
    stream, count = make(), 0
    for chunk in chunks:
        count += len(stream.write_decoded(chunk).citations)
    return count + len(stream.flush_partials().citations)


def _count(text: str, sources: Sources) -> int:
    return len(list(cite(text, sources).citations))


def _sources() -> Sources:
    return Sources({"id": f"doc-{n}", "text": f"Passage {n}."} for n in range(1, 6))


def _numbered() -> str:
    return PARAGRAPHS * "".join(
        f"{before} {words} [{label}] {after}" for before, words, after, label in SENTENCES
    )


def _tagged() -> str:
    return PARAGRAPHS * "".join(
        f"{before} <co>{words}</co: 0:[{label}]> {after}"
        for before, words, after, label in SENTENCES
    )


if __name__ == "__main__":
    main(rows)

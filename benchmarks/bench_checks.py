"""Which sentences of an answer state something and cite nothing: right, and how fast.

Over the labelled answers of ``tests/corpora/claims.jsonl``.  Rivals are looked for in
``build/peers`` (see the Makefile), as those of ``bench_peers.py``.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench_peers import PEERS
from checked import answer_of, prose_of
from measure import Row, best, best_sums, main

from citemark import cite
from citemark._quotes import forget_passages
from citemark.checks import _fuzzy, coverage, verify_quotes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citemark import Answer

    Uncited = Callable[[str, Sequence[str]], Sequence[str]]
    """Takes an answer and the ids of its sources, returns the sentences without a source."""

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "corpora" / "claims.jsonl"
ROUNDS = 10
LIMIT = 4.0
"""Most per cent that F1 may lack, over all labelled answers."""

SPEED_LIMIT = 5.0
"""Most ms for an answer of 3 kB, its coverage and its quotes together."""

ANSWERS = 20
"""So many are timed, each with sources of its own."""

_MARKER = re.compile(r"\[[0-9][^\]]*\]|\[\^[0-9]+\]|【[^】]*】")


def rows(effort: float) -> list[Row]:
    """Judge and time our own rule, and each rival that is installed."""
    sys.path.append(str(PEERS))  # last: what both need is ours
    records = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
    rounds = max(1, round(ROUNDS * effort))
    ours, least = _judged(_ours, records, rounds)
    what = f"claims without a source, {len(records)} labelled answers: 100 - F1"
    found = []
    for name, uncited in _rivals():
        theirs, taken = _judged(uncited, records, rounds)
        details = {"ms an answer": taken / len(records), "ours, ms": least / len(records)}
        found.append(Row(what, ours["all"], "%", theirs["all"], name, details=details))
    details = {"ms an answer": least / len(records)} | ours
    found.insert(0, Row(what, ours["all"], "%", limit=LIMIT, judged="ours", details=details))
    return [*found, *_speed(rounds)]


def _speed(rounds: int) -> list[Row]:
    """Time `coverage` and `verify_quotes` of answers whose sources are new each time.

    Rivals are given the sentences and sources as they want them; none of them verifies quotes.
    """
    _fuzzy._rapidfuzz = lambda: None  # what the core does by itself  # noqa: SLF001
    answers = [answer_of(seed) for seed in range(ANSWERS)]
    rivals = [*_readers()]
    works = [_both, *(work for _, work in rivals)]
    sums = best_sums(works, answers, rounds, time.process_time)
    ours, *theirs = (1e3 * least / ANSWERS for least in sums)
    what = "coverage and quotes of 3 kB, ten new sources of 2 kB"
    row = Row(what, ours, "ms", limit=SPEED_LIMIT, judged="ours")
    names = (name for name, _ in rivals)
    prose = [prose_of(seed) for seed in range(ANSWERS)]
    least = best_sums([_both], prose, rounds, time.process_time)[0]
    plain = Row(f"{what}, plain prose, three true quotes", 1e3 * least / ANSWERS, "ms")
    return [
        row,
        plain,
        *(Row(what, ours, "ms", *one) for one in zip(theirs, names, strict=True)),
    ]


def _both(answer: Answer) -> None:
    forget_passages()
    coverage(answer)
    verify_quotes(answer)


def _readers() -> Iterator[tuple[str, Callable[[Answer], object]]]:
    """Yield what rivals do with an answer and the passages of its sources."""
    if find_spec("groundcite"):
        validate = import_module("groundcite").validate
        ids = [str(n) for n in range(1, 11)]
        yield "groundcite, coverage alone", lambda answer: validate(answer.text, ids)
    if find_spec("citation_integrity_check"):
        verify = import_module("citation_integrity_check").verify
        yield "citation-integrity-check", partial(_integrity, verify)


def _integrity(verify: Callable[..., Any], answer: Answer) -> object:
    sources = [
        {"id": str(n), "text": source.text} for n, source in enumerate(answer.sources, 1)
    ]
    return verify(answer.text, sources)


def _judged(
    uncited: Uncited, records: list[dict[str, Any]], rounds: int
) -> tuple[dict[str, float], float]:
    """Return what F1 lacks to 100, by part of the corpus, and ms for all answers."""
    right, wrong = Counter[str](), Counter[str]()
    for record in records:
        got = Counter(map(_letters, uncited(record["answer"], record["source_ids"])))
        wanted = Counter(_letters(s["text"]) for s in record["sentences"] if s["uncited"])
        for part in ("all", record["half"]):
            right[part] += (got & wanted).total()
            wrong[part] += (got - wanted).total() + (wanted - got).total()

    def work() -> None:
        for record in records:
            uncited(record["answer"], record["source_ids"])

    lacks = {part: 100 * wrong[part] / (2 * right[part] + wrong[part]) for part in right}
    return lacks, best([work], rounds)[0] * 1e3


def _letters(text: str) -> str:
    """Return what counts of a sentence: how it is set in Markdown does not, nor its markers."""
    return "".join(c for c in _MARKER.sub("", text).casefold() if c.isalnum())


def _ours(answer: str, ids: Sequence[str]) -> list[str]:
    found = coverage(cite(answer, [{"id": key, "title": f"T{key}"} for key in ids]))
    return [one.text for one in (*found.uncited, *found.unresolved)]


def _rivals() -> Iterator[tuple[str, Uncited]]:
    """Yield the rivals: two libraries, and two rules in the form that papers and tools use."""
    if find_spec("groundcite"):
        validate = import_module("groundcite").validate
        yield "groundcite", lambda answer, ids: validate(answer, ids).uncited_sentences
    if find_spec("citation_integrity_check"):
        verify = import_module("citation_integrity_check").verify
        yield "citation-integrity-check", partial(_unsupported, verify)
    if find_spec("pysbd"):
        segment = import_module("pysbd").Segmenter(language="en", clean=False).segment
        yield "pySBD and `[n]`, as acclaim does", lambda answer, _: _unmarked(segment(answer))
    cut = re.compile(r"(?<=[.!?])\s+")
    yield "full stops and `[n]`, as ALCE does", lambda answer, _: _unmarked(cut.split(answer))


def _unsupported(verify: Callable[..., Any], answer: str, ids: Sequence[str]) -> list[str]:
    """Return what citation-integrity-check finds to lack a source, whatever the source says."""
    found = verify(answer, [{"id": key, "text": answer} for key in ids])
    return [one.sentence for one in found.unsupported if one.reason != "insufficient_overlap"]


def _unmarked(sentences: Sequence[str]) -> list[str]:
    return [one for one in sentences if not re.search(r"\[[0-9]+", one) and _letters(one)]


if __name__ == "__main__":
    main(rows)

"""Run re-created reports and peers' cases, and print those that differ, with their ids.

    python tests/handed_cases.py PATH/reports.jsonl PATH/peers.jsonl

Cases are JSON Lines.  ``reports``: ``op`` is one of parse, stream, render, roundtrip or perf
(others are left to tests of their own).  ``peers``: marker spans.  Each runs with the default
formats, unless ``OPTIONS`` names a dialect or lenient look-up, which its own system has on.
"""

from __future__ import annotations

import json
import re
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citemark import (
    Answer,
    AnswerStream,
    CitationSegment,
    Source,
    Sources,
    cite,
    find_markers,
    formats,
    render,
)
from citemark.errors import CitemarkError

if TYPE_CHECKING:
    from collections.abc import Iterable

Json = dict[str, Any]

OPTIONS: dict[str, Json] = {
    "C023": {"lenient": True},
    "C028": {"lenient": True},
    "C031": {"formats": formats.LOOSE},
    "morphic-001": {"formats": formats.MORPHIC},
    "morphic-006": {"formats": formats.MORPHIC},
    "morphic-009": {"formats": formats.MORPHIC},
}
"""What a case asks for beyond the default."""


def sources_of(case: Json) -> Sources:
    """Return the sources of a case: its ids are what its text cites."""
    records: dict[str, Json] = {}
    prior = case.get("options", {}).get("prior_sources", ())
    for record in [*case.get("sources", ()), *prior]:
        given = next((record[k] for k in ("id", "key", "n") if record.get(k) is not None), None)
        if given is not None:
            records.setdefault(str(given), {**record, "id": str(given)})
    lenient = OPTIONS.get(case["id"], {}).get("lenient", False)
    return Sources(records.values(), label="id", lenient=lenient)


def text_of(case: Json) -> str:
    if "input" in case:
        return str(case["input"])
    return "".join(c if isinstance(c, str) else c.get("text", "") for c in case["chunks"])


def stripped(answer: Answer) -> str:
    """Return the text without its citations, as the ``strip`` of the cases wants it."""
    kept = ""
    for segment in answer.segments:
        if not isinstance(segment, CitationSegment):
            kept += segment.text
        elif segment.marker.words:
            kept += segment.marker.words
        elif not segment.blank:
            kept = kept.rstrip(" \t")
    return kept


def compare_markers(case: Json, answer: Answer) -> Iterable[str]:
    expected = case["expected"]
    found = [
        (s.marker.start, s.marker.end, tuple(c.source.id for c in s.citations if c.source))
        for s in answer.segments
        if isinstance(s, CitationSegment)
    ]
    if "markers" in expected:
        wanted = [
            (m["start"], m["end"], ids)
            for m in expected["markers"]
            if (ids := _resolved(m)) or answer.unresolved
        ]
        wanted = [item for item in wanted if item[2]]
        found = [item for item in found if item[2]]
        if found != wanted:
            yield f"markers {found} instead of {wanted}"
    shown = {s.marker.raw for s in answer.segments if isinstance(s, CitationSegment)}
    text = "".join(s.raw for s in answer.segments if not isinstance(s, CitationSegment))
    for literal in expected.get("literal", ()):
        if literal not in text and any(raw in literal for raw in shown):
            yield f"literal {literal!r} was cut"


def _resolved(marker: Json) -> tuple[str, ...]:
    ids, is_known = marker["ids"], marker.get("resolved") or [True] * len(marker["ids"])
    return tuple(str(id_) for id_, known in zip(ids, is_known, strict=False) if known)


def compare_answer(case: Json, answer: Answer) -> Iterable[str]:
    yield from compare_markers(case, answer)
    expected = case["expected"]
    if "strip" in expected and (text := stripped(answer)) != expected["strip"]:
        yield f"strip {text!r} instead of {expected['strip']!r}"
    if "numbers" in expected:
        numbers = {c.source.id: c.number for c in answer.citations if c.source}
        if numbers != expected["numbers"]:
            yield f"numbers {numbers} instead of {expected['numbers']}"
    unresolved = expected.get("unresolved")
    if unresolved is not None and list(answer.unresolved) != unresolved:
        yield f"unresolved {answer.unresolved} instead of {unresolved}"


def options_of(case: Json) -> Json:
    group = case.get("options", {}).get("group_by")
    grouped = {} if group is None else {"group_by": lambda source: source.metadata.get(group)}
    return grouped | {"formats": rows_of(case)}


def rows_of(case: Json) -> formats.FormatSet:
    """Return the formats of a case: the default, and those of its dialect."""
    return formats.DEFAULT | OPTIONS.get(case["id"], {}).get("formats", ())


def run_parse(case: Json) -> Iterable[str]:
    answer = cite(text_of(case), sources_of(case), **options_of(case))
    yield from compare_answer(case, answer)


def run_stream(case: Json) -> Iterable[str]:
    late = case.get("options", {}).get("late_sources", False)
    text, sources = text_of(case), sources_of(case)
    stream = AnswerStream(sources, late_sources=late, **options_of(case))
    visible: list[str] = []
    for chunk in case.get("chunks", [text]):
        if not isinstance(chunk, str) and "source" in chunk:
            stream.add_sources([chunk["source"]])
            continue
        new = stream.feed(chunk if isinstance(chunk, str) else chunk["text"])
        visible.append("".join(s.text for s in new if not isinstance(s, CitationSegment)))
    end = stream.close()
    visible.append("".join(s.text for s in end if not isinstance(s, CitationSegment)))
    yield from compare_answer(case, stream.answer)
    expected = case["expected"]
    for never in expected.get("never_visible", ()):
        if never in "".join(visible):
            yield f"{never!r} was visible"
    for after in expected.get("emitted_after", ()):
        if after["contains"] not in "".join(visible[: after["chunk"] + 1]):
            yield f"{after['contains']!r} was not released by chunk {after['chunk']}: {visible}"
    if not late and stream.answer != cite(text, sources, **options_of(case)):
        yield "the stream differs from the whole"
    if "exhaustive_splits" in case.get("options", {}):
        yield from _all_splits(text, sources)


def _all_splits(text: str, sources: Sources) -> Iterable[str]:
    whole = cite(text, sources)
    for first, second in combinations(range(len(text) + 1), 2):
        stream = AnswerStream(sources)
        for chunk in (text[:first], text[first:second], text[second:]):
            stream.feed(chunk)
        stream.close()
        if stream.answer != whole:
            yield f"cut at {first} and {second}"
            return


def run_render(case: Json) -> Iterable[str]:
    options, expected = case.get("options", {}), case["expected"]
    answer = cite(text_of(case), sources_of(case), **options_of(case))
    yield from compare_answer(case, answer)
    name = options.get("format")
    if name in {"html", "markdown", "text"}:
        # Footnote labels are random on purpose: only their numbers count here.
        output = re.sub(r"\[\^[^\]]*?(\d+)\]", r"[\1]", str(render(answer, name)))
        for key in ("markdown", "text"):
            wanted = expected.get(key) if key == name else None
            if wanted is not None and not output.startswith(wanted.split("\n\n")[0]):
                yield f"{key} {output!r} instead of {wanted!r}"


def run_roundtrip(case: Json) -> Iterable[str]:
    if "input" not in case:
        sources = [Source(str(n), metadata=r) for n, r in enumerate(case["sources"], 1)]
        answer = cite("[1]", sources)
        if dict(Answer.from_dict(answer.to_dict()).sources[0].metadata) != case["sources"][0]:
            yield "fields were lost"
        return
    answer = cite(text_of(case), sources_of(case))
    if Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) != answer:
        yield "the stored answer differs"


def run_perf(case: Json) -> Iterable[str]:
    unit, times, rest = re.fullmatch(  # type: ignore[union-attr]
        r"'(.*)' \* (\d+)(?: \+ '(.*)')?", case["options"]["generate"]
    ).groups()

    def seconds(count: int) -> float:
        start = time.process_time()
        find_markers(unit * count + (rest or ""), known=sources_of(case))
        return time.process_time() - start

    once, twice = seconds(int(times)), seconds(2 * int(times))
    if twice > 3 * once + 0.05:
        yield f"{once:.3f} s, twice the text {twice:.3f} s"


BY_DESIGN = {
    "C014": "a source list in tags is prose until that form is read",
    "C120": "its sources have URLs, so the words may become the text of a link to one",
    "C177": "the blank before the comma is the model's own",
    "onyx-086": "the expected value is that system's fault: the marker is prose",
    "cherry-007": "double brackets are one marker",
    "lepton-005": "a list of ids is one marker with all of them",
    "tinfoil-018": "its mode is off there; such a dagger is nothing else, so it is read",
}
"""Cases that we answer in another way on purpose, and why."""

RUNS = {
    "parse": run_parse,
    "stream": run_stream,
    "render": run_render,
    "roundtrip": run_roundtrip,
    "perf": run_perf,
}


def run_peer(case: Json) -> Iterable[str]:
    """Compare spans; where the ids are ours, ids too."""
    found = [
        (m.start, m.end)
        for m in find_markers(text_of(case), formats=rows_of(case), known=_peer_known(case))
    ]
    wanted = [(m["start"], m["end"]) for m in case["expected"]["markers"]]
    if found != wanted:
        yield f"spans {found} instead of {wanted}"


def _peer_known(case: Json) -> list[str]:
    """Return the keys that the case cites, and those of its sources."""
    ids = [
        str(i) for m in case["expected"]["markers"] for i in m["ids"] if not isinstance(i, list)
    ]
    return [
        *ids,
        *(str(s[k]) for s in case.get("sources", ()) for k in ("key", "n", "url") if s.get(k)),
    ]


def main(paths: list[str]) -> int:
    """Print what differs; return how many cases of our formats do."""
    ran = 0
    differ: list[str] = []
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").split("\n"):
            case = json.loads(line) if line else {"op": ""}
            run = RUNS.get(case["op"]) if "op" in case else run_peer
            if run is None:
                continue
            ran += 1
            try:
                messages = list(run(case))
            except (CitemarkError, LookupError, TypeError, ValueError) as error:
                messages = [f"{type(error).__name__}: {error}"]
            if case["id"] in BY_DESIGN:
                continue
            text = case.get("input") or case.get("chunks") or ""
            lines = [f"{case['id']} {text!a:.160}\n    {message}" for message in messages]
            differ.extend(lines)
    sys.stdout.write("\n".join([*differ, f"{ran} cases ran, {len(differ)} differences\n"]))
    return len(differ)


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))

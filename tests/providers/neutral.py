"""An answer in the neutral form of the expected results, and how the two are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark.model import CitationSegment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark import Answer

__all__ = ["differences", "neutral"]


def neutral(answer: Answer) -> list[dict[str, Any]]:
    """Return the citations: where they stand, the sources of each, and what is quoted."""
    return [
        {
            "anchor": _anchor(segment),
            "place": segment.marker.span or (segment.marker.start, segment.marker.end),
            "sources": list(
                dict.fromkeys(
                    citation.source.id if citation.source else f"?{citation.key}"
                    for citation in segment.citations
                )
            ),
            "quotes": [citation.quote for citation in segment.citations if citation.quote],
        }
        for segment in answer.segments
        if isinstance(segment, CitationSegment) and segment.marker.keys
    ]


def _anchor(segment: CitationSegment) -> str:
    marker = segment.marker
    return "claim" if marker.anchor == "marker" and marker.span else marker.anchor


def differences(answer: Answer, expected: Mapping[str, Any]) -> list[str]:
    """Return what an answer has otherwise than it is expected, in words."""
    found = neutral(answer)
    wrong = [] if answer.text == expected["text"] else [f"text: {answer.text!r}"]
    wanted = [(item["anchor"], (item["start"], item["end"])) for item in expected["citations"]]
    got = [(item["anchor"], item["place"]) for item in found]
    if sorted(wanted) != sorted(got):
        return [*wrong, f"places: {sorted(got)} instead of {sorted(wanted)}"]
    pairs: dict[str, str] = {}
    by_place = {(item["anchor"], item["place"]): item for item in found}
    for item in expected["citations"]:
        ours = by_place[item["anchor"], (item["start"], item["end"])]
        wrong += _differences_of_citation(ours, item, pairs)
    if len(set(pairs.values())) != len(pairs):
        wrong.append(f"sources are mixed up: {pairs}")
    known = {source["id"]: source for source in expected["sources"]}
    wrong += _differences_of_sources(answer, known, pairs)
    level = [known[id_] for id_ in expected["answer_level_sources"]]
    wanted_names = {source.get("url") or source.get("title") for source in level}
    kept = {name for source in answer.consulted for name in (source.url, source.title)}
    if not wanted_names <= kept:
        wrong.append(f"consulted: {kept}, without {wanted_names - kept}")
    return wrong


def _differences_of_citation(
    ours: Mapping[str, Any], item: Mapping[str, Any], pairs: dict[str, str]
) -> list[str]:
    """Compare a citation; ``pairs`` grows by which source of ours is which of theirs."""
    wrong = []
    if len(ours["sources"]) != len(item["sources"]):
        wrong.append(f"sources of {item['surface']!r}: {ours['sources']}")
    for theirs, mine in zip(item["sources"], ours["sources"], strict=False):
        if pairs.setdefault(theirs, mine) != mine:
            wrong.append(f"{theirs} of {item['surface']!r}: {mine}, not {pairs[theirs]}")
    if sorted(quote["text"] for quote in item["quotes"]) != sorted(ours["quotes"]):
        wrong.append(f"quotes of {item['surface']!r}: {ours['quotes']}")
    return wrong


def _differences_of_sources(
    answer: Answer, known: Mapping[str, Any], pairs: Mapping[str, str]
) -> list[str]:
    wrong = []
    records = {source.id: source for source in (*answer.sources, *answer.consulted)}
    for theirs, mine in pairs.items():
        record = records.get(mine)
        if record is None and known[theirs]["kind"] != "unknown":
            wrong.append(f"{theirs} is not resolved: {mine}")
        for name in ("title", "url", "text") if record else ():
            value = known[theirs].get(name)
            if value and getattr(record, name) != value:
                wrong.append(f"{name} of {theirs}: {getattr(record, name)!r}, not {value!r}")
    return wrong

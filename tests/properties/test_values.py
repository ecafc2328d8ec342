"""Answers as values: nothing is lost, numbers are in order, stored answers come back equal."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FIVE, POLICIES, SOURCES, TEXTS, URL

from citemark import Answer, CitationSegment, Sources, TextSegment, cite, find_markers
from citemark.catalogue import DEFAULT

if TYPE_CHECKING:
    from citemark import Source


def options(policy: str | None) -> dict[str, Any]:
    return {} if policy is None else {"unresolved": policy}


@settings(max_examples=150)
@given(TEXTS, SOURCES | st.none())
def test_markers_are_where_they_say(text: str, known: Sources | None) -> None:
    """Spans are in order, apart and half-open; ``raw`` is the text there; no key is empty.

    Stray tags have no keys.
    """
    silent = {row.name for row in DEFAULT if row.silent}
    position = 0
    for marker in find_markers(text, known=known):
        assert position <= marker.start < marker.end <= len(text)
        assert text[marker.start : marker.end] == marker.raw
        assert marker.keys or marker.format in silent
        assert all(marker.keys)
        position = marker.end


@settings(max_examples=150)
@given(TEXTS, SOURCES, POLICIES)
def test_nothing_is_lost(text: str, sources: Sources, policy: str | None) -> None:
    """The raw segments add up to the text, and markers keep their place in it."""
    answer = cite(text, sources, **options(policy))
    position = 0
    for segment in answer.segments:
        if isinstance(segment, CitationSegment):
            assert segment.marker.start == position + len(segment.blank)
        else:
            assert segment.text
        position += len(segment.raw)

    assert answer.text == text


@given(TEXTS, SOURCES, POLICIES)
def test_texts_never_follow_each_other(text: str, sources: Sources, policy: str | None) -> None:
    """Two text segments are one."""
    kinds = [type(s) for s in cite(text, sources, **options(policy)).segments]

    assert (TextSegment, TextSegment) not in list(pairwise(kinds))


@settings(max_examples=150)
@given(TEXTS, SOURCES, POLICIES)
def test_numbers_are_in_order_of_appearance(
    text: str, sources: Sources, policy: str | None
) -> None:
    """Numbers are 1 to k as they first appear; occurrences count up for each; sources agree."""
    answer = cite(text, sources, **options(policy))
    first: dict[int, Source] = {}
    uses: dict[int, int] = {}
    for citation in answer.citations:
        if citation.source is None:
            assert (citation.number, citation.occurrence) == (None, 0)
            continue
        assert citation.number is not None
        first.setdefault(citation.number, citation.source)
        uses[citation.number] = uses.get(citation.number, 0) + 1
        assert citation.occurrence == uses[citation.number]

    assert list(first) == list(range(1, len(first) + 1))
    assert answer.sources == tuple(first.values())
    assert set(answer.sources) <= set(sources)


@given(TEXTS, SOURCES, POLICIES)
def test_a_stored_answer_comes_back(text: str, sources: Sources, policy: str | None) -> None:
    """An answer through JSON is equal to itself, and hashes alike."""
    answer = cite(text, sources, **options(policy))
    stored = json.loads(json.dumps(answer.to_dict()))

    assert Answer.from_dict(stored) == answer
    assert hash(Answer.from_dict(stored)) == hash(answer)


@given(TEXTS, SOURCES, POLICIES)
def test_same_input_same_answer(text: str, sources: Sources, policy: str | None) -> None:
    """Nothing is kept from one call to the next."""
    first = cite(text, sources, **options(policy))
    cite(text + "[2] [doc:z]", sources, unresolved="mark")

    assert cite(text, sources, **options(policy)) == first


@given(TEXTS, SOURCES)
def test_policies_agree_on_what_is_cited(text: str, sources: Sources) -> None:
    """Policies change what is shown for keys without source, and nothing else."""
    answers = [cite(text, sources, unresolved=policy) for policy in ("keep", "mark", "drop")]

    shown = [[c for c in answer.citations if c.source] for answer in answers]
    assert shown[0] == shown[1] == shown[2]
    assert len({answer.unresolved for answer in answers}) == 1


@given(TEXTS, SOURCES)
def test_unresolved_keys_name_nothing(text: str, sources: Sources) -> None:
    """Each key is reported once, and only if a marker has it."""
    answer = cite(text, sources, unresolved="mark")
    keys = [key for marker in find_markers(text, known=sources) for key in marker.keys]

    assert len(set(answer.unresolved)) == len(answer.unresolved)
    assert set(answer.unresolved) <= set(keys)
    marked = dict.fromkeys(c.key for c in answer.citations if c.source is None)
    assert tuple(marked) == answer.unresolved


@given(TEXTS, TEXTS, SOURCES)
def test_a_new_paragraph_changes_nothing_before_it(
    first: str, second: str, sources: Sources
) -> None:
    """Plain text after an answer leaves its markers as they are."""
    before = find_markers(first + "\n\n", known=sources)
    closed = ("<code", "<pre", "$", "\\(", "\\[")
    if any(opening in first.lower() for opening in closed):
        return

    after = find_markers(first + "\n\n" + second, known=sources)

    assert [m for m in after if m.end <= len(first)] == before


@given(TEXTS)
def test_an_answer_in_a_fence_cites_nothing(text: str) -> None:
    """Behind an opening fence that nothing closes there are no markers."""
    fence = "~" * 80

    assert find_markers(f"{fence}\n{text}") == []


@given(TEXTS, st.permutations(FIVE))
def test_order_of_sources_is_for_look_up_only(
    text: str, shuffled: list[dict[str, Any]]
) -> None:
    """Where ids are the labels, the order of the sources changes nothing.

    But for forms by which a service names positions.
    """
    rows = [row for row in DEFAULT if row.base == 1]
    given_order = cite(text, Sources(FIVE, label="id"), formats=rows)
    other = cite(text, Sources(shuffled, label="id"), formats=rows)

    assert other.segments == given_order.segments


ODD = st.none() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.integers())
RECORDS = st.lists(
    st.fixed_dictionaries(
        {"id": st.text(min_size=1, max_size=4).filter(lambda id_: id_.strip(" \t\r\n"))},
        optional={
            name: ODD | st.sampled_from([URL, "http://[::1", "[1]"])
            for name in ("title", "url", "text", "page", "kind", "score", "metadata", "other")
        },
    ),
    max_size=4,
    unique_by=lambda record: str(record["id"]).strip(" \t\r\n"),
)


@settings(max_examples=150)
@given(TEXTS, RECORDS)
def test_odd_records_never_raise(text: str, records: list[dict[str, Any]]) -> None:
    """Fields of any type are made usable; the answer can be stored."""
    answer = cite(text, Sources(records, label="id"))

    assert Answer.from_dict(answer.to_dict()) == answer
    assert answer.text == text

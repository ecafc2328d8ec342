"""Every row of the catalogue: its example is found, however a stream is cut."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest
from growth_kit import assert_linear

from citemark import AnswerStream, Sources, cite, find_markers, formats
from citemark.catalogue import ALL, DEFAULT, DIALECTS, NAMED_NUMBERS, Format, check_row
from citemark.model import Marker, Remark
from citemark.parser import Scanner

NAMED = (
    *("policy.pdf", "pqac-a020507f", "pol-12", "Refund policy", "name.doc", "call-7/1", "7/1"),
    *("3", "ref5", "turn0search1", "67e5a1"),
)
SOURCES = Sources(
    [
        *({"id": key, "title": key} for key in NAMED),
        {"id": "u", "url": "https://example.org/a"},
    ],
    label="id",
    lenient=("and-list", "half-thought"),
)
HIDDEN = {"any_tool_link": "tool_link"}
"""Rows that find what an earlier one has taken."""


def text_of(row: Format) -> str:
    """A sentence that holds the example: raised numbers follow a word."""
    return f"five days{'' if row.name in {'superscript', 'caret'} else ' '}{row.example} more."


def known_for(row: Format) -> Sources:
    """The sources; less the id `ref5` for rows that read such a name as a label."""
    if row.name not in NAMED_NUMBERS:
        return SOURCES
    return Sources([source for source in SOURCES if source.id != "ref5"], label="id")


def tokens(
    rows: tuple[Format, ...], chunks: list[str], known: Sources = SOURCES
) -> list[object]:
    scanner = Scanner(rows, known=known)
    found = [token for chunk in chunks for token in scanner.feed(chunk)] + scanner.close()
    merged: list[object] = []
    for token in found:
        if isinstance(token, str) and merged and isinstance(merged[-1], str):
            merged[-1] += token
        else:
            merged.append(token)
    return merged


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_it_keeps_the_rules_of_the_grammar(row):
    """They are checked here, and not when a grammar is compiled, as those of a user's row."""
    check_row(row)


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_the_example_is_found(row):
    """With all rows on, and with the default if the row is in it, the row itself matches."""
    for rows in (ALL, DEFAULT) if row in tuple(DEFAULT) else (ALL,):
        found = [
            t for t in tokens(rows, [text_of(row)], known_for(row)) if not isinstance(t, str)
        ]

        assert [token.raw for token in found] == [row.example]
        if row.note:
            assert isinstance(found[0], Remark)
            assert found[0].code == row.note
        else:
            assert isinstance(found[0], Marker)
            assert found[0].format == HIDDEN.get(row.name, row.name)
            assert found[0].keys or row.silent


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_every_cut_gives_the_same(row):
    """One cut anywhere, two at every third place, and single characters, with all rows on."""
    text = text_of(row)
    known = known_for(row)
    whole = tokens(ALL, [text], known)

    assert tokens(ALL, list(text), known) == whole
    for cut in range(1, len(text)):
        assert tokens(ALL, [text[:cut], text[cut:]], known) == whole
    for first, second in combinations(range(1, len(text), 3), 2):
        assert tokens(ALL, [text[:first], text[first:second], text[second:]], known) == whole


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_growth_is_linear(row):
    """Repeated starts, halves and wholes of an example take ten times as long for ten times."""
    example = row.example
    for unit in (example, example[:-1], example[:1], example[: len(example) // 2 + 1]):
        find = partial(find_markers, formats=ALL, known=SOURCES)
        assert_linear(partial(find, unit * 200), partial(find, unit * 2_000))


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_it_says_who_writes_it(row):
    assert row.who
    assert row.about.endswith(".")
    assert row.example


def test_names_are_unique():
    names = [row.name for row in ALL]

    assert len(set(names)) == len(names) >= 80


@pytest.mark.parametrize("name", DIALECTS)
def test_each_dialect_has_a_name_and_is_detected(name):
    """It can be imported, and a text of its first sure format is told to be of it."""
    rows = getattr(formats, name)
    sure = next((row for row in rows if row.tier != "candidate" and not row.note), None)

    assert rows == DIALECTS[name]
    if sure is not None:
        assert name in formats.detect(text_of(sure))


def test_detect_counts_and_orders():
    text = "A【4:0†source】, B【5:1†source】. C [1]. `D [2]`."

    found = formats.detect(text)

    assert found["OPENAI"] == 2
    assert found["PERPLEXITY"] == 1
    assert next(iter(found)) == "AZURE"
    assert formats.detect("Nothing.") == {}


def test_union_takes_the_second_of_two_rows():
    """A dialect changes the base of a row, in the place that the row has."""
    joined = formats.DEFAULT | formats.RAGFLOW
    names = [row.name for row in joined]
    default = [row.name for row in DEFAULT]

    assert names[: len(default)] == default
    assert {row.name: row.base for row in joined}["id_number"] == 0
    assert {row.name: row.base for row in DEFAULT}["id_number"] is None


def test_stream_with_all_rows_is_the_whole():
    """All examples in one text, by characters, with all rows on."""
    text = " ".join(text_of(row) for row in ALL)
    stream = AnswerStream(SOURCES, formats=ALL)
    for character in text:
        stream.feed(character)
    stream.close()

    assert stream.answer == cite(text, SOURCES, formats=ALL)
    assert stream.answer.text == text

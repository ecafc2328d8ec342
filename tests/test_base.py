"""Numbers that count from 0, from 1, or from nobody knows what."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import AnswerStream, Sources, cite
from citemark.formats import DEFAULT, Format, FormatSet

if TYPE_CHECKING:
    from citemark import Answer


def sources_of(*names: str, label: Any = None) -> Sources:
    return Sources([{"id": name} for name in names], label=label)


ABC = sources_of("a", "b", "c")
AS_IDS = sources_of("a", "b", "c", label="id")
NUMBERED = sources_of("7", "0", "2", label="id")

EITHER = Format(
    "either", "{", r"(?P<key> [0-9: ]{1,9}+ ) \}", "{0}", tier="explicit", base=None
)
FROM_0 = replace(
    EITHER, name="from_0", opening="(", pattern=r"(?P<key> [0-9]{1,6}+ ) \)", base=0
)
FROM_0 = replace(FROM_0, example="(0)")
ROWS = DEFAULT | EITHER | FROM_0


def ids(sources: Sources, key: str, **options: Any) -> list[str]:
    return [source.id for source in sources.find(key, "label", **options)]


def cited(answer: Answer) -> list[str | None]:
    return [c.source and c.source.id for c in answer.citations]


@pytest.mark.parametrize(
    ("sources", "key", "one", "zero"),
    [
        (ABC, "0", [], ["a"]),
        (ABC, "1", ["a"], ["b"]),
        (ABC, "01", ["a"], ["b"]),
        (ABC, "3", ["c"], []),
        (ABC, "-1", [], []),
        (ABC, "", [], []),
        (ABC, "a", [], []),
        (ABC, "9" * 5_000, [], []),
        (ABC, "0:0", [], ["a"]),
        (ABC, "0:2", [], ["c"]),
        (ABC, "0 : 2", [], ["c"]),
        (ABC, "0:3", [], []),
        (ABC, "1:0", [], []),
        (ABC, ":0", [], []),
        (ABC, "0:", [], []),
        (ABC, "0:0:0", [], []),
        (AS_IDS, "0", [], ["a"]),
        (AS_IDS, "2", [], ["c"]),
        (AS_IDS, "0:1", [], ["b"]),
        (AS_IDS, "b", ["b"], ["b"]),
        (NUMBERED, "0", ["0"], ["0"]),
        (NUMBERED, "1", [], []),
        (NUMBERED, "2", ["2"], ["2"]),
        (NUMBERED, "0:0", [], []),
        (sources_of("1", "2"), "1", ["1"], ["2"]),
        (sources_of("0:1", "x", label="id"), "0:1", ["0:1"], ["0:1"]),
        (sources_of("x", "9" * 7, label="id"), "0", [], []),
        (Sources(), "0", [], []),
    ],
)
def test_labels(sources: Sources, key: str, one: list[str], zero: list[str]) -> None:
    """From 0 a number is a position, unless the labels are ids of which one is a number."""
    assert ids(sources, key) == ids(sources, key, base=1) == one
    assert ids(sources, key, base=0) == zero
    assert ids(sources, key, base=None) == list(dict.fromkeys([*one, *zero]))


@pytest.mark.parametrize("base", [0, 1, None])
def test_other_names_have_no_base(base: Any) -> None:
    """Ids, titles and URLs are what they are."""
    sources = Sources([{"id": "1", "title": "0", "url": "https://e.org/0"}, {"id": "x"}])

    assert [s.id for s in sources.find("1", "id", base=base)] == ["1"]
    assert [s.id for s in sources.find("0", "title", base=base)] == ["1"]
    assert [s.id for s in sources.find("https://e.org/0", "url", base=base)] == ["1"]
    assert sources.find("0", "id", base=base) == ()


@pytest.mark.parametrize(
    ("sources", "one", "zero", "both"),
    [
        (ABC, [1, 2, 3], [0, 1, 2], [0, 1, 2, 3]),
        (AS_IDS, [], [0, 1, 2], [0, 1, 2]),
        (NUMBERED, [0, 2, 7], [0, 2, 7], [0, 2, 7]),
        (Sources(), [], [], []),
    ],
)
def test_numbers_between(
    sources: Sources, one: list[int], zero: list[int], both: list[int]
) -> None:
    """The numbers are those that a text holds, whatever they count from."""
    for base, numbers in ((1, one), (0, zero), (None, both)):
        assert sources.numbers_between(0, 10**9, base=base) == numbers
        for first in range(-1, 9):
            for last in range(-1, 9):
                assert sources.numbers_between(first, last, base=base) == [
                    n for n in numbers if first <= n <= last
                ]
                assert all(sources.find(str(n), "label", base=base) for n in numbers)


def test_may_begin() -> None:
    """What may count from 0 is waited for: it has no form to compare starts by."""
    assert not ABC.may_begin("0", "label")
    assert ABC.may_begin("0", "label", base=0)
    assert ABC.may_begin("0:", "label", base=None)
    assert not Sources().may_begin("0", "label", base=0)


def test_a_form_that_counts_from_0() -> None:
    """A form that counts from 0 stands beside one that counts from 1."""
    answer = cite("One (0), two (1), [1], three (2) and (3).", ABC, formats=ROWS)

    assert cited(answer) == ["a", "b", "a", "c", None]
    assert answer.unresolved == ("3",)


@pytest.mark.parametrize(
    ("text", "found", "codes"),
    [
        ("{1}", [None], ["base", "unresolved"]),
        ("{0} {1} {2}", ["a", "b", "c"], []),
        ("{0:0} {0:1} {1:0}", ["a", "b", None], ["unresolved"]),
        ("{0:2} {1}", ["c", "b"], []),
        ("{3} {1} {2}", ["c", "a", "b"], []),
        ("{3} {0}", ["c", None], ["unresolved"]),
        ("{0} {3}", ["a", None], ["unresolved"]),
        ("{1} {3} {1}", [None, "c", "a"], ["base", "unresolved"]),
        ("{1} {0} {1}", [None, "a", "b"], ["base", "unresolved"]),
        ("{7} {8}", [None, None], ["unresolved", "unresolved"]),
        ("{7} {0}", [None, "a"], ["unresolved"]),
        ("{1} {2} [1]", [None, None, "a"], ["base", "unresolved", "base", "unresolved"]),
    ],
)
def test_a_form_of_either_base(text: str, found: list[str | None], codes: list[str]) -> None:
    """What one base alone has decides for all after it; where both fit, nothing is taken."""
    answer = cite(text, ABC, formats=ROWS)

    assert cited(answer) == found
    assert [issue.code for issue in answer.issues] == codes


def test_what_is_said_where_both_fit() -> None:
    """The issue says where, which key, and what to do."""
    (issue, _) = cite("See {1}.", ABC, formats=ROWS).issues

    assert (issue.code, issue.start, issue.end, issue.key) == ("base", 4, 7, "1")
    assert "with_base(0, " in issue.message
    for base, id_ in ((0, "b"), (1, "a")):
        answer = cite("See {1}.", ABC, formats=FormatSet(ROWS).with_base(base))
        assert (cited(answer), answer.issues) == ([id_], ())


@pytest.mark.parametrize(
    ("sources", "text", "found"),
    [
        (sources_of("2", "0", "x", label="number"), "{2} {0}", ["2", "0"]),
        (sources_of("2", "0", "x", label="id"), "{2} {0} {1}", ["2", "0", None]),
        (AS_IDS, "{1} {0} {1}", [None, "a", "b"]),
        (AS_IDS, "{2}", [None]),
        (sources_of("1", "2", "3"), "{1} {3} {2}", ["1", "3", "2"]),
        (sources_of("1", "2", "3"), "{0} {1} {2} {3}", ["1", "2", "3", None]),
        (sources_of("1", "2", "3"), "(0) (1) (2) (3)", ["1", "2", "3", None]),
        (sources_of("x", "1:0", "y"), "{1:0} {0:0}", ["1:0", "x"]),
    ],
)
def test_ids_come_first(sources: Sources, text: str, found: list[str | None]) -> None:
    """An id is an id; but ids that are the positions from 1 are none where 0 is the first."""
    assert cited(cite(text, sources, formats=ROWS)) == found


def test_each_format_decides_for_itself() -> None:
    """What one format counts from says nothing of another."""
    other = replace(
        EITHER, name="other", opening="^", pattern=r"(?P<key> [0-9] ) \^", example="^1^"
    )
    answer = cite("{0} ^1^ {1} ^3^ ^1^", ABC, formats=(EITHER, other))

    assert cited(answer) == ["a", None, "b", "c", "a"]


def test_a_new_answer_knows_nothing() -> None:
    """A base is decided for one answer."""
    assert cited(cite("{0}", ABC, formats=ROWS)) == ["a"]
    assert cited(cite("{1}", ABC, formats=ROWS)) == [None]


def test_late_sources() -> None:
    """While sources may still come, a 0 alone decides; the rest is decided at the end."""
    stream = AnswerStream(ABC, formats=ROWS, late_sources=True)
    stream.feed("{3} {2} ")
    assert cited(stream.answer) == [None, None]
    assert stream.add_sources([{"id": "d"}]) == []
    stream.feed("{4} {0} {1} ")
    assert cited(stream.answer) == [None, None, None, "a", "b"]
    stream.close()

    assert cited(stream.answer) == ["d", "c", None, "a", "b"]
    assert stream.answer.unresolved == ("4",)
    assert [c.number for c in stream.answer.citations] == [1, 2, None, 4, 5]


def test_late_sources_and_no_0() -> None:
    """At the end a number that only one base has decides for those after it."""
    stream = AnswerStream(ABC, formats=ROWS, late_sources=True, unresolved="mark")
    stream.feed("{2} {3} {1} ")
    stream.close()

    assert cited(stream.answer) == [None, "c", "a"]
    assert [issue.code for issue in stream.answer.issues] == ["base", "unresolved"]


def test_a_pending_key_of_two_bases() -> None:
    """One key in two senses has two numbers."""
    stream = AnswerStream(formats=ROWS, late_sources=True)
    stream.feed("[doc:1] (1) (1) ")
    stream.add_sources([{"id": "a"}, {"id": "b"}])
    stream.close()

    assert [(c.number, c.source and c.source.id) for c in stream.answer.citations] == [
        (1, "a"),
        (2, "b"),
        (2, "b"),
    ]


TEXTS = st.lists(
    st.sampled_from(
        (
            "{0}",
            "{1}",
            "{2}",
            "{3}",
            "{9}",
            "{0:1}",
            "{1:1}",
            "(0)",
            "(1)",
            "[1]",
            "[0]",
            " ",
            "x",
        )
    ),
    max_size=8,
).map("".join)


@given(
    TEXTS,
    st.sampled_from((ABC, AS_IDS, NUMBERED, sources_of("1", "2", "3"), Sources())),
    st.sampled_from((None, "keep", "mark", "drop")),
)
def test_a_stream_is_the_whole(text: str, sources: Sources, policy: Any) -> None:
    """By characters it is the same answer, and what is decided never changes what was shown."""
    options: dict[str, Any] = {"formats": ROWS, "unresolved": policy}
    stream = AnswerStream(sources, **options)
    shown = []
    for character in text:
        shown += stream.feed(character)
    shown += stream.close()

    assert stream.answer == cite(text, sources, **options)
    assert [s for s in shown if s.raw and hasattr(s, "marker")] == [
        s for s in stream.answer.segments if hasattr(s, "marker")
    ]

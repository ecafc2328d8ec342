"""Numbers that name no source, stay as text, and are those of other sources for readers."""

from __future__ import annotations

import pytest

from citemark import AnswerStream, Numbering, Sources, cite
from citemark.formats import RAGFLOW

IDS = Sources([{"id": "alpha"}, {"id": "beta"}], label="id")
BOTH = "X [doc:beta], Y [doc:alpha], Z "


def looking_cited(answer):
    return [
        (issue.key, answer.text[issue.start : issue.end])
        for issue in answer.issues
        if issue.code == "looks_cited"
    ]


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        ("[2]", [("2", "[2]")]),
        ("[٢]", [("2", "[٢]")]),
        ("【2】", []),
        ("[1, 2, 9]", [("1", "[1, 2, 9]"), ("2", "[1, 2, 9]")]),
        ("[3]", []),
        ("[0]", []),
        ("[doc:2]", []),
        ("[123456]", []),
    ],
)
def test_kept_by_default(marker, expected):
    """Each number of a marker of a usual form is compared with those that readers see."""
    assert looking_cited(cite(f"{BOTH}{marker}.", IDS)) == expected


@pytest.mark.parametrize(("policy", "count"), [("keep", 1), ("mark", 0), ("drop", 0)])
def test_policies(policy, count):
    """What is marked or dropped cannot be mistaken."""
    assert len(looking_cited(cite(f"{BOTH}[2].", IDS, unresolved=policy))) == count


def test_a_number_that_is_given_later():
    """The whole answer decides: the source may be cited after the number that names none."""
    assert looking_cited(cite("Z [1], X [doc:beta].", IDS)) == [("1", "[1]")]
    stream = AnswerStream(IDS)
    stream.feed("Z [1], X ")
    assert looking_cited(stream.answer) == []
    stream.feed("[doc:beta].")
    stream.close()
    assert stream.answer == cite("Z [1], X [doc:beta].", IDS)


def test_members_of_a_list_that_are_not_shown():
    """A list shows its known members alone."""
    assert looking_cited(cite("A [1, 2].", [{"id": "x"}])) == []


def test_numbers_of_earlier_turns():
    """Readers see those as well; a key whose source never came has given none."""
    numbering = Numbering()
    cite("A [1] [2].", [{"id": "x"}, {"id": "y"}], numbering=numbering)
    second = cite("B [2], [3].", [{"id": "z"}], numbering=numbering)
    assert looking_cited(second) == [("2", "[2]")]

    stream = AnswerStream([], numbering=numbering, late_sources=True)
    stream.feed("C [7].")  # takes the number 3
    stream.close()
    assert len(numbering) == 3
    assert looking_cited(cite("D [3].", [], numbering=numbering)) == []


def test_settled_at_the_end():
    """A key that is pending until the end becomes text, and has lost its number by then."""
    stream = AnswerStream([{"id": "x"}], late_sources=True)
    stream.feed("A [2], B [1].")
    stream.close()
    assert [citation.number for citation in stream.answer.citations] == [2]
    assert looking_cited(stream.answer) == [("2", "[2]")]


def test_a_key_that_is_no_number():
    """Ids are not display numbers, whatever digits they hold."""
    assert looking_cited(cite("A [1], [ID:3].", [{"id": "x"}], formats=RAGFLOW)) == []

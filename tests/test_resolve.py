"""Resolution: numbers, groups, policies, ambiguous keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from citemark import (
    AnswerStream,
    Citation,
    CitationSegment,
    CitemarkError,
    Issue,
    Marker,
    Numbering,
    Source,
    Sources,
    TextSegment,
    cite,
)
from citemark.errors import UnknownFormatError, UnresolvedError
from citemark.formats import Format
from citemark.model import Listing, Location, Remark
from citemark.resolve import Resolver

if TYPE_CHECKING:
    from citemark import Answer
    from citemark.model import Token

A, B, C = Source("a", title="A"), Source("b", title="B"), Source("c", title="C")
THREE = Sources([A, B, C])


def numbers(answer: Answer) -> list[tuple[str, int | None]]:
    return [(citation.key, citation.number) for citation in answer.citations]


def test_an_answer() -> None:
    """A whole answer, value by value."""
    answer = cite("Up [2], down [9] and [2, 1].", THREE)

    assert answer.segments == (
        TextSegment("Up "),
        CitationSegment(Marker(3, 6, "[2]", "number", ("2",)), (Citation("2", B, 1, 1),)),
        TextSegment(", down [9] and "),
        CitationSegment(
            Marker(21, 27, "[2, 1]", "number", ("2", "1")),
            (Citation("2", B, 1, 2), Citation("1", A, 2, 1)),
        ),
        TextSegment("."),
    )
    assert answer.sources == (B, A)
    assert answer.unresolved == ("9",)
    assert [(issue.code, issue.start, issue.end, issue.key) for issue in answer.issues] == [
        ("unresolved", 13, 16, "9")
    ]


@pytest.mark.parametrize(
    ("policy", "segment"),
    [
        ("mark", (Citation("9", None, None, 0),)),
        ("drop", ()),
    ],
)
def test_policies(policy: Any, segment: tuple[Citation, ...]) -> None:
    """``mark`` shows the key as missing, ``drop`` shows nothing and takes the blank along."""
    answer = cite("A  [9].", THREE, unresolved=policy)
    blank = "  " if policy == "drop" else ""

    marker = Marker(3, 6, "[9]", "number", ("9",))
    assert answer.segments == (
        TextSegment("A" if blank else "A  "),
        CitationSegment(marker, segment, blank),
        TextSegment("."),
    )
    assert answer.unresolved == ("9",)


def test_keep() -> None:
    """``keep`` leaves the marker in the text around it."""
    assert cite("A [9].", THREE, unresolved="keep").segments == (TextSegment("A [9]."),)


def test_raise() -> None:
    """``raise`` says which key is missing, and where."""
    with pytest.raises(UnresolvedError) as caught:
        cite("A [1] b [2, 9].", THREE, unresolved="raise")

    assert (caught.value.key, caught.value.start, caught.value.end) == ("9", 8, 14)
    assert isinstance(caught.value, CitemarkError | LookupError)
    assert cite("A [1] [note].", THREE, unresolved="raise").unresolved == ()


@pytest.mark.parametrize("options", [{"unresolved": "hide"}, {"group_by": "author"}])
def test_options_that_do_not_exist(options: dict[str, Any]) -> None:
    """A misspelt option is the caller's mistake."""
    with pytest.raises(CitemarkError):
        cite("A [1].", THREE, **options)


CHUNKS = Sources(
    [
        {"id": "f1#1", "metadata": {"document": "f1"}, "url": "https://e.org/1"},
        {"id": "f1#2", "metadata": {"document": "f1"}, "url": "https://e.org/1#top"},
        {"id": "f2#1", "metadata": {"document": "f2"}},
        {"id": "n1"},
        {"id": "n2"},
    ]
)


@pytest.mark.parametrize(
    ("group_by", "expected"),
    [
        ("source", [1, 2, 3, 4, 5]),
        ("document", [1, 1, 2, 3, 4]),
        ("url", [1, 1, 2, 3, 4]),
        (lambda source: source.id[0], [1, 1, 1, 2, 2]),
        (lambda _: None, [1, 2, 3, 4, 5]),
        (lambda _: "", [1, 2, 3, 4, 5]),
    ],
    ids=["source", "document", "url", "callable", "no key", "empty key"],
)
def test_grouping(group_by: Any, expected: list[int]) -> None:
    """Sources of one group share a number; those without a key keep their own."""
    answer = cite("[1][2][3][4][5]", CHUNKS, group_by=group_by)

    assert [citation.number for citation in answer.citations] == expected
    assert [entry.number for entry in answer.entries] == sorted(set(expected))
    assert len(answer.sources) == 5


def test_occurrences_of_a_group() -> None:
    """Occurrences are counted for the number, not for the source: ids of a page stay unique."""
    answer = cite("[1] [2] [1]", CHUNKS, group_by="document")

    assert [(c.number, c.occurrence) for c in answer.citations] == [(1, 1), (1, 2), (1, 3)]
    assert answer.entries[0].sources == (*CHUNKS,)[:2]


@pytest.mark.parametrize(
    ("group_by", "expected"),
    [("source", ["f1#2", "f2#1", "n1", "n2"]), ("document", ["f2#1", "n1", "n2"])],
)
def test_consulted(group_by: Any, expected: list[str]) -> None:
    """Sources that share a number with none that is cited are kept, if that is asked for."""
    answer = cite("[1]", CHUNKS, group_by=group_by, consulted=True)

    assert [source.id for source in answer.consulted] == expected
    assert cite("[1]", CHUNKS, group_by=group_by).consulted == ()


def test_numbering_over_turns() -> None:
    """A conversation goes on counting, and a source keeps its number."""
    numbering = Numbering()
    first = cite("A [2] [1].", THREE, numbering=numbering)
    second = cite("B [3] [1] [2].", THREE, numbering=numbering)

    assert numbers(first) == [("2", 1), ("1", 2)]
    assert numbers(second) == [("3", 3), ("1", 2), ("2", 1)]
    assert second.sources == (B, A, C)
    assert [c.occurrence for c in second.citations] == [1, 1, 1]


def test_ids_that_collide_between_searches() -> None:
    """Another record with the same id, from another search, has a number of its own."""
    numbering = Numbering()
    first = cite("A [1].", [{"id": "r1", "title": "Old"}], numbering=numbering)
    second = cite("B [1].", [{"id": "r1", "title": "New"}], numbering=numbering)

    assert numbers(first) == [("1", 1)]
    assert numbers(second) == [("1", 2)]


def test_an_ambiguous_title() -> None:
    """A title of two pages names neither, and is said to be ambiguous."""
    sources = Sources(
        [
            {"id": "a", "title": "Policy", "url": "https://intra.example/1"},
            {"id": "b", "title": "policy", "url": "https://evil.example/1"},
        ]
    )
    answer = cite("See [[Policy]].", sources)

    assert answer.sources == ()
    assert answer.unresolved == ("Policy",)
    assert "ambiguous" in {issue.code for issue in answer.issues}


def test_two_chunks_of_one_page() -> None:
    """A link to a page of which there are two chunks cites the first, and an issue says so."""
    sources = Sources(
        [{"id": "p#1", "url": "https://e.org/p"}, {"id": "p#2", "url": "https://e.org/p"}]
    )
    answer = cite("See [page](https://e.org/p).", sources)

    assert [source.id for source in answer.sources] == ["p#1"]
    assert [issue.code for issue in answer.issues] == ["ambiguous"]


def test_the_same_key_twice_in_a_group() -> None:
    """A group keeps its keys as written."""
    assert numbers(cite("[1, 1]", THREE)) in ([("1", 1), ("1", 1)], [("1", 1)])


def test_mappings_as_sources() -> None:
    """``cite`` takes records as they are."""
    answer = cite("A [doc:x].", [{"id": "x", "title": "X", "text": "…"}])

    assert answer.sources == (Source("x", title="X", text="…"),)


def test_a_key_may_be_a_label_or_an_id() -> None:
    """Bare numbers name labels, tagged keys name ids first."""
    sources = Sources([{"id": "2"}, {"id": "1"}], label="number")
    answer = cite("[1] [doc:1]", sources)

    assert [c.source.id for c in answer.citations if c.source] == ["2", "1"]


ROW = Format("row", "{", r"(?P<key> [a-z0-9]{1,9}+ ) \}", "{a}", tier="explicit")
LOOSE = Format("loose", "{", r"(?P<key> [a-z0-9]{1,9}+ ) \}", "{a}", step="and-list")
POLICIES = (None, "keep", "mark", "drop", "raise")


def resolved(*tokens: Token, sources: Sources = THREE, **options: Any) -> Answer:
    resolver = Resolver(sources, (ROW, LOOSE), **options)
    resolver.resolve(tokens)
    resolver.close()
    return resolver.answer


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_tag_that_names_nothing(policy: Any, late: bool) -> None:  # noqa: FBT001
    """A marker without keys shows nothing but its words, keeps its blanks, and is no fault."""
    tag = Marker(2, 8, "<cite>", "row", ())
    answer = resolved("a ", tag, " b", unresolved=policy, late=late)

    assert answer.segments == (TextSegment("a "), CitationSegment(tag, ()), TextSegment(" b"))
    assert (answer.text, answer.unresolved, answer.issues) == ("a <cite> b", (), ())


@pytest.mark.parametrize("late", [False, True])
def test_words_keep_their_blank(late: bool) -> None:  # noqa: FBT001
    """Of a dropped marker around words the words stay, and so does the blank before them."""
    marker = Marker(2, 14, "<co>b</co:9>", "row", ("9",), words="b")
    answer = resolved("a ", marker, ".", unresolved="drop", late=late)

    assert answer.segments == (
        TextSegment("a "),
        CitationSegment(marker, ()),
        TextSegment("."),
    )
    assert answer.unresolved == ("9",)


@pytest.mark.parametrize("late", [False, True])
def test_places(late: bool) -> None:  # noqa: FBT001
    """Each citation has the places that its marker names, whatever becomes of it."""
    page, lines = (Location("page", 2, 3),), (Location("line", 8, 14),)
    marker = Marker(0, 9, "{a, b, x}", "row", ("a", "b", "x"), locations=(page, (), lines))
    bare = Marker(9, 12, "{c}", "row", ("c",))
    answer = resolved(marker, bare, unresolved="mark", late=late)

    assert [(citation.key, citation.locations) for citation in answer.citations] == [
        ("a", page),
        ("b", ()),
        ("x", lines),
        ("c", ()),
    ]


def test_places_that_are_too_few() -> None:
    """No key is lost if a marker names fewer places than keys."""
    place = (Location("page", 2, 3),)
    answer = resolved(Marker(0, 6, "{a, b}", "row", ("a", "b"), locations=(place,)))

    assert [(citation.key, citation.locations) for citation in answer.citations] == [
        ("a", place),
        ("b", ()),
    ]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("code", ["placeholder", "malformed", "of a kind to come"])
def test_remarks(code: str, policy: Any) -> None:
    """What was meant as a marker is reported with its position, and stays text."""
    answer = resolved("a ", Remark(2, 10, "[source]", code), " b", unresolved=policy)
    (issue,) = answer.issues

    assert answer.segments == (TextSegment("a [source] b"),)
    assert answer.unresolved == ()
    assert (issue.code, issue.start, issue.end, issue.key) == (code, 2, 10, "")
    assert issue.message.startswith("'[source]' ")


@pytest.mark.parametrize("policy", POLICIES)
def test_listings_stay(policy: Any) -> None:
    """A list of sources that the model wrote is text; what it names in vain is said."""
    pieces = (Listing(2, 5, "\n\n-"), Listing(5, 9, " [9]"))
    answer = resolved("a.", *pieces, unresolved=policy)

    assert answer.segments == (TextSegment("a.\n\n- [9]"),)
    assert answer.unresolved == ()
    assert [(issue.code, issue.key) for issue in answer.issues] == [("source_list", "9")]


def test_blanks_before_what_is_text() -> None:
    """A blank that was held for a marker that may be dropped comes before what follows it."""
    gone = Marker(14, 17, "{9}", "row", ("9",))
    remark = Remark(2, 5, "[n]", "placeholder")
    answer = resolved(
        "a ", remark, " ", Listing(6, 8, "b "), Marker(8, 13, "<co>x", "row", ()), " ", gone,
        unresolved="drop",
    )  # fmt: skip

    assert answer.text == "a [n] b <co>x {9}"
    assert answer.segments[-1] == CitationSegment(gone, (), " ")


@pytest.mark.parametrize("late", [False, True])
def test_a_row_of_lenient_look_up(late: bool) -> None:  # noqa: FBT001
    """Such a row is named once a marker, if it cites anything."""
    found = Marker(0, 7, "{1 & 2}", "loose", ("1", "2"))
    lost = Marker(7, 14, "{8 & 9}", "loose", ("8", "9"))
    answer = resolved(found, lost, unresolved="drop", late=late)

    assert answer.issues[0] == Issue("lenient", "'{1 & 2}' is read as a marker: and-list", 0, 7)
    assert [issue.code for issue in answer.issues[1:]] == ["unresolved", "unresolved"]


def test_ambiguous_while_sources_come() -> None:
    """An issue of a key that is asked for again and again is noted once."""
    page = "https://e.org/p"
    stream = AnswerStream([{"id": n, "title": "T", "url": n} for n in "ab"], late_sources=True)
    stream.feed("[[T]] and [doc:x] ")
    for n in "cd":
        stream.add_sources([{"id": n, "url": page}])
    stream.close()

    assert [issue.code for issue in stream.answer.issues].count("ambiguous") == 1


def test_a_format_nobody_knows() -> None:
    """A marker of a format that the resolver was not given is the caller's mistake."""
    with pytest.raises(UnknownFormatError):
        resolved(Marker(0, 3, "[1]", "number", ("1",)))

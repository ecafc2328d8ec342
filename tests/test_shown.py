"""What every renderer shows of an answer: citations, and the texts between them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import render
from citemark.answer import Answer
from citemark.model import (
    Citation,
    CitationSegment,
    Location,
    Marker,
    Source,
    TextSegment,
)
from citemark.renderers._shown import shown

A, B = Source("a"), Source("b")
TITLES = {0: None, 1: A, 2: B}


def marker(*numbers, blank="", places=()):
    """A marker with these numbers: 0 for a source not found, 3 for one not known yet."""
    citations = tuple(
        Citation(str(n), TITLES.get(n), n or None, 1, locations=places) for n in numbers
    )
    return CitationSegment(Marker(0, 1, "[…]", "number", ("…",)), citations, blank)


def tag(words="", *numbers, keys=()):
    """A tag around words, with these numbers; or one that names nothing."""
    raw = f"<co>{words}</co: 1>"
    span = (4, 4 + len(words)) if words else None
    found = Marker(0, len(raw), raw, "co", tuple(map(str, numbers)) or keys, words, span)
    return CitationSegment(found, tuple(Citation(str(n), TITLES[n], n, 1) for n in numbers))


def answer(*segments):
    """An answer of markers and texts."""
    return Answer(
        tuple(TextSegment(each) if isinstance(each, str) else each for each in segments), (A, B)
    )


def text_of(*segments, **options):
    """What a reader sees of the segments, as plain text without the list of sources."""
    return render(answer(*segments), "text", sources=False, **options)


DROPPED, STRAY, ONE, TWO = marker(), tag(), marker(1), marker(2)


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        ([ONE, ONE], [[1]]),
        ([marker(1, 1, 2)], [[1, 2]]),
        ([ONE, marker(1, 2), marker(2, 1)], [[1], [2], [1]]),
        ([ONE, " ", ONE], [[1]]),
        ([ONE, " \u202f\t", ONE, " ", marker(1, 2)], [[1], [2]]),
        ([ONE, "\n", ONE], [[1], [1]]),
        ([ONE, ", ", ONE], [[1], [1]]),
        ([ONE, " ", tag("words"), ONE], [[1], [1]]),
        ([ONE, marker(0), ONE], [[1], [None], [1]]),
        ([marker(0), marker(0)], [[None], [None]]),
        ([ONE, DROPPED, " ", ONE], [[1]]),
        ([ONE, STRAY, ONE], [[1]]),
        ([marker(3), marker(3)], [[3]]),
        ([], []),
    ],
)
def test_repeated_numbers_are_shown_once(segments, expected):
    """A number right after itself is left out; text or a missing source parts them."""
    pairs = [(segment, found) for segment, found in shown(answer(*segments)) if found]
    assert [[citation.number for citation in found] for _, found in pairs] == expected


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        (["A ", ONE, " ", ONE, "."], "A [1] [1]."),
        (["A ", marker(1, 1), ONE, "."], "A [1][1][1]."),
        (["A ", ONE, marker(blank=" "), " ", ONE, "."], "A [1] [1]."),
    ],
)
def test_all_repeated_numbers_are_shown_if_asked_for(segments, expected):
    """With ``repeats="all"`` each number is shown, and no blank is touched."""
    assert text_of(*segments, repeats="all") == expected


def test_another_place_is_no_repetition_where_places_are_told():
    """Only who tells the places gets a number twice for two places."""
    places = [(Location("page", n, n + 1),) for n in (1, 1, 2)]
    cited = answer(*(marker(1, places=place) for place in places))

    told = [found for _, found in shown(cited, by_place=True)]

    assert [found[0].locations for found in told] == [places[0], places[2]]
    assert len(list(shown(cited))) == 1


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        (["a ", STRAY, " b"], "a b"),
        ([STRAY, "A"], "A"),
        ([STRAY, " A"], "A"),
        (["One. ", STRAY, "Two.", ONE, " ", STRAY, "Three."], "One. Two.[1] Three."),
        (["One ", ONE, ", ", STRAY, "two"], "One [1], two"),
        (["One ", marker(), ", ", STRAY, "two"], "One, two"),
        (["a ", STRAY, STRAY, " . b ", STRAY], "a. b"),
        (["a ", STRAY, "\n", STRAY, " b"], "a\nb"),
        (["a\n", STRAY, "\nb"], "a\nb"),
        (["- ", STRAY, "item\n> ", STRAY, " quote"], "- item\n> quote"),
        (["**", STRAY, "bold** and *", STRAY, " it*"], "**bold** and *it*"),
        (["a ", ONE, " ", STRAY, " b"], "a [1] b"),
        (["**bold ", ONE, "**", STRAY, " b"], "**bold [1]** b"),
    ],
)
def test_stray_tags_leave_no_trace(segments, expected):
    """Of a tag without keys and words nothing is shown, and no blank is left twice."""
    assert text_of(*segments) == expected


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        (["fell ", tag("by half", 1), " now"], "fell by half[1] now"),
        (["fell ", tag("by half"), " now"], "fell by half now"),
        (["fell ", tag(" by half ", keys=("9",)), " ."], "fell by half."),
        (["fell ", tag(" ", 1), " now"], "fell [1] now"),
        ([tag("- a\n- b", 1), "\n- c"], "- a\n- b[1]\n- c"),
        ([tag("# *T*", 1), "\nb"], "# *T*[1]\nb"),
        ([tag("```\nx\n```", 1), "\nb"], "```\nx\n```\n[1]\nb"),
        ([tag("```\nx\n```"), "\nb"], "```\nx\n```\nb"),
        ([tag("|a|\n|-|\n|b|", 1), "\n"], "|a|\n|-|\n|b[1]|\n"),
        ([tag("a", 1), tag("b", 1), tag("b", 2, 2)], "a[1]b[1]b[2]"),
        (["seen ", tag("\x1b[0m", 1)], "seen [1]"),
    ],
)
def test_words_of_a_tag_are_text(segments, expected):
    """The words are shown whether a citation follows or not, be they whole blocks."""
    assert text_of(*segments) == expected


def test_words_of_a_tag_are_markdown():
    """Headings, lists and code are such, and what is dangerous is made harmless."""
    cited = answer(tag("# T\n- [x](https://evil.example) ![y](z) `[1]`", 1), " end")

    html = render(cited, "html", notes="none")
    markdown = render(cited, "markdown", sources=False, label_prefix="c")

    assert "<h1>T</h1>\n<ul>\n<li>x (https://evil.example) y (z) <code>[1]</code><sup" in html
    assert markdown == "# T\n- \\[x](``https://evil.example``) \\!\\[y](z) `[1]`[^c-1] end"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("fell", "and", "fell and"),
        ("*a*", "*b*", "*a* *b*"),
        ("`a`", "`b`", "`a` `b`"),
        ("fell", ".", "fell."),
        ("fell", " and", "fell and"),
        ("fell.", "And", "fell. And"),
        ("字", "字", "字字"),
        ("x" * 300, "y", "x" * 300 + " y"),
        (" > " * 70, " y", " > " * 70 + "y"),
        ("a\n" + "> " * 40, "\r\nb", "a\nb"),
        ("a\n-", "\n\n- b", "a\n\n- b"),
        ("a\n-", "\n  b", "a\n- b"),
    ],
)
def test_a_blank_stays_between_words(before, after, expected):
    """What markers that show nothing leave behind does not make one word of two."""
    dropped = [marker(blank=" "), marker(blank=" ")]
    pieces = list(shown(answer(before, *dropped, after)))
    assert [segment.text for segment, _ in pieces] == [expected]


PIECES = ("a", "b ", " ", "  ", "\n", "  \n", "\t", ".", " .", "**", "`x  y`", "字", "- ", "; ")


@given(st.lists(st.sampled_from([*PIECES, ONE, TWO])))
def test_nothing_changes_around_what_is_shown(pieces):
    """Beside citations that are shown every character stays where the model put it."""
    written = {id(ONE): "[1]", id(TWO): "[2]"}

    output = text_of(*pieces, repeats="all")

    assert output == "".join(written.get(id(piece), piece) for piece in pieces)


def words_of(text):
    """The text without blanks, and without what may go with a list of markers or a line."""
    return re.sub(r"[\s;-]|\[[12]\]", "", text)


@given(st.lists(st.sampled_from([*PIECES, ONE, TWO, DROPPED, STRAY, tag("w ", 1)])))
def test_only_blanks_and_empty_lines_go(pieces):
    """Whatever is left out, of the text itself only blanks and what begins a line goes."""
    texts = (each if isinstance(each, str) else each.marker.words for each in pieces)
    whole = words_of("".join(texts))

    assert words_of(text_of(*pieces)) == whole
    assert words_of(text_of(*pieces, citations=False)) == whole

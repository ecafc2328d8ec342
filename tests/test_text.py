"""Plain text: numbers and a list, or no trace of citations; and nothing a terminal obeys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import cite, render
from citemark.errors import RendererOptionError

TWELVE = [
    {"id": str(n), "title": f"Source {n}", "url": f"https://example.org/{n}"}
    for n in range(1, 13)
]


def text_of(text, sources=TWELVE, **options):
    return render(cite(text, sources, unresolved="mark"), "text", **options)


def test_numbers_and_list():
    """The text carries numbers; below it is one line a source, in order of number."""
    assert text_of("Daily [3], not [1][3]. Nor [99].\n\n") == (
        "Daily [1], not [2][1]. Nor [99: source not found].\n\n"
        "[1] Source 3 - https://example.org/3\n"
        "[2] Source 1 - https://example.org/1"
    )


def test_options():
    """The list can be left out, and the words for a missing source translated."""
    answer = cite("A [1] [99].", TWELVE, unresolved="mark")

    output = render(answer, "text", sources=False, missing="Quelle fehlt")

    assert output == "A [1] [99: Quelle fehlt]."


def test_repeats():
    """A number that follows itself is shown once, or each time if asked for."""
    answer = cite("A [1] [1][1, 2].", TWELVE)

    assert render(answer, "text", sources=False) == "A [1][2]."
    assert render(answer, "text", sources=False, repeats="all") == "A [1] [1][1][2]."


def test_no_citation_no_list():
    """A text without citations comes out as it is, with its line feeds."""
    assert text_of("Plain.\n\n", []) == "Plain.\n\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Run this [1]:\n\n```\nprint(arr[0], arr[12])\n```\n",
            "Run this:\n\n```\nprint(arr[0], arr[12])\n```\n",
        ),
        ("Rain fell [1], then snow [2][3].", "Rain fell, then snow."),
        ("It is 5 MB [1]. It was 3 [2] , then 4 [3]", "It is 5 MB. It was 3, then 4"),
        ("A [1]  \nB\n\n```\nx  =  1\n```", "A  \nB\n\n```\nx  =  1\n```"),
        ("A [1] [2] . B [3] C[4]D", "A. B CD"),
        ("- [1] item\n  [2] more", "- item\n  more"),
        ("[2] Start", "Start"),
        ("Call [1] .items and [2] ...", "Call .items and..."),
        ("\n\n[1]\n\nEnd [99].", "\n\n\nEnd."),
        ("Sources:\n- [1]\n- [2], [3]\n\nRose ([1], [2]).", "Sources:\n\nRose."),
        ("**fell [1]** and **[2] rose**", "**fell** and **rose**"),
        ("增长 [1] 了 [2]。 Vrai [3] ; oui [4] .", "增长了。 Vrai ; oui."),
    ],
)
def test_citations_left_out(text, expected):
    """Without citations the text reads as if there never were any; code and breaks stay."""
    assert text_of(text, citations=False) == expected


@given(st.lists(st.sampled_from(["a", " ", "  ", "\n", "\t", "  \n", "`x  y`", ".", " ."])))
def test_text_without_citations_is_not_tidied(pieces):
    """Blanks of a text that has no citation are nobody's business."""
    text = "".join(pieces)

    assert text_of(text, [], citations=False) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Red \x1b[31malert\x1b[0m", "Red alert"),
        ("\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("\x1b]52;c;c3VkbyBybQ==\x07x", "x"),
        ("\x9b31mred \x9d52;c;x\x9cy", "red y"),
        ("safe\b\bevil\x07", "safe\ufffd\ufffdevil\ufffd"),
        ("see \x1b[1] here", "see \ufffd[1: source not found] here"),
        ("\x90 seen [1] \x9c", "\ufffd seen [1: source not found] \ufffd"),
        ("open \x1b]0;title stays", "open \ufffd]0;title stays"),
        ("a\rb\r\nc\x0bd", "a\nb\nc d"),
        ("hid\U000e0068\U000e0069den", "hidden"),
        ("a \u202eb\nc\u2069", "a \u202eb\u202c\nc"),
        ("half \ud83d", "half \ufffd"),
    ],
)
def test_nothing_a_terminal_obeys(text, expected):
    """Escape sequences go with what they carry; other controls are made visible or blank."""
    assert text_of(text, []) == expected


def test_source_lines_cannot_be_forged():
    """A title is one line of at most 300 code points; unsafe URLs and paths are not shown."""
    sources = [
        {"id": "a", "title": "Minutes\n[2] Real bank \x1b[8mhidden", "url": "javascript:x"},
        {"id": "b", "title": "x" * 1_000, "url": "https://good.example/\x1b[2J"},
        {"id": "c", "title": "Wages", "url": "/srv/private/salaries.pdf"},
    ]

    assert text_of("[1][2][3]", sources).splitlines() == [
        "[1][2][3]",
        "",
        "[1] Minutes [2] Real bank \ufffd[8mhidden",
        "[2] " + "x" * 299 + "…",
        "[3] Wages",
    ]


def test_a_long_key_is_cut():
    """A key that names no source is shown in one line of at most 100 code points."""
    output = text_of("[doc:" + "k" * 150 + "]")

    assert output == "[" + "k" * 99 + "…: source not found]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fell [1]and rose", "fell and rose"),
        ("fell [1] [1]and", "fell and"),
        ("`code` [1]`x`", "`code` `x`"),
        ("fell [1].", "fell."),
        ("seen [1]\x1b[31m red", "seen red"),
    ],
)
def test_a_blank_that_parts_words_stays(text, expected):
    """Without its marker a text has the same words as before."""
    assert text_of(text, citations=False) == expected


@pytest.mark.parametrize("options", [{"missing": None}, {"repeats": "never"}, {"repeats": []}])
def test_bad_options(options):
    """A value that an option cannot have is told when the renderer is made."""
    with pytest.raises(RendererOptionError, match=next(iter(options))):
        render(cite("a", []), "text", **options)

"""A citation that is put after its words leaves the rest of the answer as it was.

Where it goes is in ``cases/places.md``.
"""

from __future__ import annotations

import re

import pytest
import regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import CODE, MARKERS, NEARLY
from strategies import PIECES as SIGNS

from citemark import Answer, Citation, CitationSegment, Marker, Source, TextSegment
from citemark._outline import Outline
from citemark._outline.words import MAX_WORD, WINDOW
from citemark.renderers.html import HtmlRenderer

BLOCKS = (
    "| a | b |\n|---|---|\n| c | d |\n", "\n| x |\n", "\n|---|\n", "\n:-|-:\n", "a|b", "\n|:--\n",
    "\n# head #\n", "\nA\n===\n", "\n---\n", "\n- item\n", "\n- [x] task\n", "\n> quote `a\n> b` c\n",
    "  \n", "\\\n", "\n\n", "\n```\n", "\n    ", "\n$$\nx_1\n$$\n", "\n\\[\nx_1\n+ c\n\\]\n", "$$",
)  # fmt: skip
WORDS = (
    "**bold**", "~~gone~~", "_so_", "&amp;", "\\*", " word", " Word. ", "日本語。", "👩\u200d🔧",
    "🇫🇷🇩🇪", "$x_1$", "$5", "<https://a.example>", "https://a.example/c, ", "[t](<a b>)", "1,977",
    "[t](a(b)c 'd')", "don't ", "<b c='d'>", "สวัสดี", "e\u0301", "[t](", " x)", "`a", "``",
)  # fmt: skip
# What renderers change wherever it stands: directions that are left open, tags, a mark of order.
_CHANGED = {"\u202e", "\u2069", "\ufeff"}
# A heading without anything to see is not shown, unless a reference stands in it.
_UNSEEN = regex.compile(
    r"^[\p{Cf}\s>#*+\-0-9.)]*\p{Cf}[\p{Cf}\s]*(?:#+\s*)?(?:$|\n\W*[-=]+[ ]*$)", regex.M
)
texts = st.lists(
    st.sampled_from([*MARKERS, *NEARLY, *CODE])
    | st.sampled_from([piece for piece in SIGNS if piece not in _CHANGED])
    | st.sampled_from(BLOCKS)
    | st.sampled_from(WORDS),
    min_size=1,
    max_size=9,
).map("".join)

SOURCE = Source("a", title="A")
RENDERER = HtmlRenderer(id_prefix="p")
REFERENCE = re.compile(r'<sup class="cite">.*?</sup>', re.DOTALL)


@st.composite
def spans(draw):
    """A text, and two positions in it."""
    text = draw(texts)
    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    return text, start, end


def body(*segments):
    return str(RENDERER.parts(Answer(segments)).body)


def cited(text, position):
    """The text as HTML with a citation at a position."""
    marker = Marker(position, position, "", "claim", ("a",), span=(0, position))
    segments = (
        TextSegment(text[:position]),
        CitationSegment(marker, (Citation("a", SOURCE, 1, 1),)),
        TextSegment(text[position:]),
    )
    return body(*(segment for segment in segments if segment.raw or segment is segments[1]))


@settings(max_examples=400)
@given(spans())
@example(("$x_\\*$2", 0, 6))
@example(("`a | b`\n|-|-|-|", 0, 3))
@example(("`a | b`\n|-|-|-|\n|-|-|", 0, 3))
@example(("> a\n| b |\n|-|\n| c | `d\n e` |", 0, 20))
@example(("> | b |\n> |-|\n> | c |\nd | `e\nf`", 0, 28))
@example(("- a\n| b |\n|-|\n| c | `d\n e` |", 0, 20))
@example(("- | a | b |\n  |---|---|\n  | c | `d |\n", 0, 36))
@example(("[t](/u\x1b/v)", 0, 6))
@example(("`a|b`\n::\n|-|-|", 0, 2))
@example(("\\[\nx_1\n+ c\n\\]\n\n    code\n\nText", 0, 21))
@example(("`a\n::\nb`", 0, 2))
@example(("[0, 1]|\n:-|-:", 0, 7))
@example(("$$\n$$\na_[1]\n$$\n", 5, 5))
@example(("[t](<<>>b", 0, 4))
@example(("$$x \\(``` [1] ```$ y", 0, 12))
@example(("- [x]`code`", 5, 5))
@example(("0)", 0, 0))
@example(("> - a\n> | b |\n> |-|\n> | `c | d` |", 0, 20))
@example(("[[a](b`c) d`", 0, 11))
@example(("| a |\n|-|\n| b |\n    c", 0, 21))
@example(("| a |\n---\nb | c", 0, 15))
@example(("a `b c` d\n| e |\n|-|", 0, 4))
@example(("-\n\n\n    x = 1\n\nText", 0, 10))
@example(("\ufeff    x = 1\n\nText", 0, 8))
@example(("\x0b    x = 1\n\nText", 0, 8))
def test_the_html_is_that_of_the_text_alone(case):
    """Once the reference is taken out, which is shown unless there is only code."""
    text, start, end = case
    outline = Outline(text)
    position, _ = outline.after(start, end)
    # A star beside a citation may emphasise where the bare text has it as a star, on purpose.
    assume(not re.search(r"[*_~]\Z", text[:position]))
    assume(not re.match(r"[*_~]", text[position:]))
    assume(outline.has_room and not _UNSEEN.search(text))
    shown = cited(text, position)
    assert REFERENCE.sub("", shown) == body(TextSegment(text))
    assert len(REFERENCE.findall(shown)) == 1


@given(spans())
@example(("foo \\  \n[2]", 0, 6))
@example(("\U0001f1e6" * 300, 0, 201))
@example(("a\n- b", 2, 4))
@example(("\n- item\n", 0, 1))
@example(("A\n\n\n- item", 2, 3))
@example(("x `a`\u0301b", 0, 3))
def test_a_place_stays_where_it_is(case):
    """To ask again changes nothing; and nothing is called moved that was not."""
    text, start, end = case
    outline = Outline(text)
    position, is_moved = outline.after(start, end)
    assert 0 <= position <= len(text)
    assert outline.after(start, position) == (position, False)
    if outline.has_room:
        assert is_moved == (position > end or bool(text[position:end].strip()))
    else:
        assert (position, is_moved) == (end, False)


@given(spans())
@example(("x\ud83d\ude00y", 0, 2))
@example(("\U0001f1e6" * 300, 0, 201))
def test_no_character_is_cut(case):
    """Neither the halves of a surrogate pair nor what a reader sees as one."""
    text, start, end = case
    position, _ = Outline(text).after(start, end)
    edges = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    assert position in edges
    assert not re.match("[\udc00-\udfff]", text[position:]) or not re.search(
        "[\ud800-\udbff]\\Z", text[:position]
    )


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (4, 1, (3, True)),
        (-9, -5, (0, False)),
        (10**30, 10**30, (7, False)),
        (5, 10**30, (7, False)),
    ],
)
def test_spans_that_are_none_have_a_place(start, end, expected):
    """Reversed, or outside of the text: the nearest place there is."""
    assert Outline("One two").after(start, end) == expected


@pytest.mark.parametrize("text", ["", "\n \n", "```\nx = 1\n```", "    x", "---", "-", "|  |"])
def test_a_text_without_words_has_no_place(text):
    """The caller can tell, and keeps the source with the answer as a whole."""
    assert not Outline(text).has_room
    assert Outline(text).after(0, len(text)) == (len(text), False)


def test_endless_words_and_characters_are_left_alone():
    """What is longer than any word is none; a letter has only so many accents."""
    assert Outline("a" * (MAX_WORD + 2)).after(0, 2) == (MAX_WORD + 2, True)
    assert Outline("a" * (MAX_WORD + 3)).after(0, 2) == (2, False)
    accents = "e" + "\u0301" * 4 * WINDOW
    assert Outline(accents).after(0, 2) == (2, False)


def test_moving_on_has_an_end():
    """Addresses that are glued to words without end: out of some of them is far enough."""
    glued = "a" + "'www.a.example/b" * 100
    position, is_moved = Outline(glued).after(0, 3)
    assert 1 < glued[:position].count("www") < glued.count("www")
    assert is_moved


def test_parentheses_in_an_address_have_an_end():
    """A link whose address nests them too deeply is none, as renderers have it."""
    deep = "[t](" + "(" * 33 + ")" * 33 + ")"
    assert Outline(deep.replace("(" * 33, "(" * 32).replace(")" * 34, ")" * 33)).after(0, 9)[1]
    assert Outline(deep).after(0, 9) == (9, False)


@pytest.mark.parametrize(
    ("text", "start", "end", "place"),
    [
        ("Intro.\n\n```\ncode\n```\nNext words.", 8, 21, 6),
        ("Intro.\n\n```\ncode\n```\nNext words.", 8, 20, 6),
        ("```\ncode\n```\nNext words.", 0, 13, 24),
        ("Intro.\n\nNext words.", 6, 8, 6),
        ("Intro.\n\nNext words.", 8, 8, 8),
        ("Intro.\n\n- item", 8, 10, 10),
        ("| a | b |\n|---|---|\n", 2, 6, 3),
    ],
)
def test_a_span_without_words(text, start, end, place):
    """It goes behind the last words before it, also if the next ones begin at its end."""
    assert Outline(text).after(start, end)[0] == place


@settings(max_examples=300)
@given(texts, texts, st.data())
def test_a_part_is_read_as_in_the_whole(before, text, data):
    """One that begins with a block of its own, after what is closed."""
    first = Outline(before + "\n\n")
    assume(first.has_room and not first.is_open)
    assume(text[0].isprintable() and not text[0].isspace() and text[0] != "\ufeff")
    origin = len(before) + 2
    whole = Outline(before + "\n\n" + text)
    part = Outline(text, origin=origin, before=first.last)
    start, end = sorted(
        (
            data.draw(st.integers(0, origin + len(text))),
            data.draw(st.integers(origin, origin + len(text))),
        )
    )
    assume(start <= end and end >= origin)
    assert part.after(start - origin, end - origin)[0] + origin == whole.after(start, end)[0]

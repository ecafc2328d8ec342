"""Markdown output: harmless under permissive parsers, and otherwise as the model wrote it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_rules import PARSERS, SOURCES, dangers, flat, hostile_answers
from mdit_py_plugins.footnote import footnote_plugin

from citemark import (
    Answer,
    Citation,
    CitationSegment,
    Marker,
    Source,
    TextSegment,
    cite,
    render,
)
from citemark.errors import RendererOptionError
from citemark.renderers import _markdown_safe
from citemark.renderers._markdown_text import escape, find_addresses

CASES = Path(__file__).parent / "cases" / "markdown.jsonl"
STYLES = ("footnotes", "links", "numbers")


@pytest.mark.parametrize(
    "case",
    [json.loads(line) for line in CASES.read_text("utf-8").split("\n") if line],
    ids=lambda case: f"{case['style']}: {case['why']}",
)
def test_cases(case):
    """Each case of the file comes out as written there, and without danger."""
    prefix = "c" if case["style"] == "footnotes" else None
    links = case.get("links", "sources")
    answer = cite(case["input"], SOURCES)

    output = render(answer, "markdown", style=case["style"], label_prefix=prefix, links=links)

    assert output == case["expected"]
    assert dangers(output, SOURCES, links) == set()


# Whole constructs, the halves of them, and what may stand around them.
PIECES = (
    *(
        "[1]",
        "[2]",
        "[1, 2]",
        "[9]",
        "[[1]](u)",
        "[1](https://evil.example)",
        "[^1]",
        "<<lost>>",
    ),
    *("![", "![x](u)", "[t](u)", "](https://evil.example/)", "](<", "[", "]", "(", ")", "^["),
    *("\n[1]: /u", "[x]: https://evil.com", "\n[^1]: note", "[^c-1]", "[x]", "[x][y]", ":"),
    *("www.evil.com", "evil.com", "a@b.com", "//evil.com", "https://evil.com/a", "mailto:"),
    *("&#104;ttps://x.com", "https\\://x.com", "https://good.example/minutes", "http:", "://"),
    *("<b", "<a href='x'>", "</a>", "<!--", "-->", "\n<div>\n", "<", ">", "<https://e.com>"),
    *("`", "``", "\n```\n", "\n~~~\n", "\n    ", "\t", "\\", "*", "**", "_", "~~", "\n===\n"),
    *(
        "- ",
        "1. ",
        "> ",
        "\n# ",
        " #",
        "|",
        "\n| a |\n|-|\n| ",
        "\n|---|\n",
        "\n",
        "\n\n",
        "\r\n",
    ),
    *("word", " ", "é", "\ud83d", "\0", "\u202e", "\U000e0041", "&", "&amp;", "!", ".", "1"),
    *("\ufeff", "\\【1】", "[# w](https://good.example/minutes)", "mailto:a@b", "xwww.a.b"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
TITLES = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
URLS = st.sampled_from(
    [
        None,
        "https://good.example/minutes",
        "https://good.example/a)b|c",
        "https://good.example/?a=1&copy=2&lt;=<b>`*_[x](y)",
        "javascript:alert(1)",
    ]
)


@given(TEXTS, TITLES, URLS, URLS, st.sampled_from(STYLES))
def test_nothing_dangerous_is_left(text, title, url, other, style):
    """Whatever an answer and its sources hold, no parser finds anything but source links."""
    sources = [{"id": "1", "title": title, "url": url}, {"id": "2", "title": "B", "url": other}]

    output = render(cite(text, sources, unresolved="mark"), "markdown", style=style)

    assert dangers(output, sources) == set()
    assert output.encode().decode() == output


@pytest.mark.parametrize("seed", range(10))
def test_nothing_dangerous_is_left_of_hostile_answers(seed):
    """HTML, links and definitions in whatever hides them are found by no family of parsers."""
    for text, options in hostile_answers(60, seed):
        output = render(cite(text, SOURCES, unresolved="mark"), "markdown", **options)

        found = dangers(output, SOURCES, options.get("links", "sources"))

        assert found == set(), (text, options, output)


@given(TEXTS, st.sampled_from(["links", "numbers"]))
def test_the_source_list_is_the_last_block(text, style):
    """The list stands on its own below the answer: with all its entries, and nothing else."""
    answer = cite(text, SOURCES)

    output = render(answer, "markdown", style=style)

    tokens = [t for t in PARSERS["gfm"].parse(output) if t.level <= 1]
    start = max((n for n, t in enumerate(tokens) if t.type == "ordered_list_open"), default=0)
    items = sum(token.type == "list_item_open" for token in tokens[start:])
    assert (not answer.sources) or (
        tokens[-1].type == "ordered_list_close" and items == len(answer.entries)
    )


@given(st.lists(st.sampled_from(["a ", "*b* ", "`c[1]` ", "\n\n", "- d\n", "> e\n", "# f\n"])))
def test_harmless_text_keeps_every_character(pieces):
    """What holds nothing dangerous comes out as the model wrote it."""
    text = "".join(pieces)

    assert render(cite(text, SOURCES), "markdown") == text


@pytest.mark.parametrize(
    "start",
    ["[" * 58, "![" * 12 + "x" + "](u)" * 12, "[" * 12 + "x" + "](u)" * 12],
    ids=["brackets", "images", "links"],
)
def test_only_what_is_nested_becomes_text(start):
    """Deep brackets are escaped where they are; code below them stays code."""
    code = "\n\n```py\n    a*b\n```\n\n    c*d"

    output = render(cite(f"{start} _e_ [1]{code}", SOURCES), "markdown", style="numbers")

    assert f" _e_ [1]{code}\n\n1. [" in output
    assert dangers(output, SOURCES) == set()


def test_code_of_long_spans_holds_no_label():
    """What Markdown reads as code has the marker as it was written, however it was found."""
    marker = Marker(5, 8, "[1]", "number", ("1",))
    citation = CitationSegment(marker, (Citation("1", Source("1", title="A"), 1, 1),))
    answer = Answer((TextSegment("`code"), citation, TextSegment("` end")))

    assert render(answer, "markdown", sources=False) == "`code[1]` end"


@pytest.mark.parametrize("depth", [70, 3_000])
def test_deep_nesting_becomes_text(depth):
    """What is nested too deep to be understood has all its punctuation escaped."""
    text = "[" * depth + "x" + "](https://evil.example)" * depth + " [1]"

    output = render(cite(text, SOURCES), "markdown", style="numbers")

    assert output.startswith("\\[" * depth)
    assert output.endswith(" [1]\n\n1. [Water board minutes](<https://good.example/minutes>)")


def test_deep_quotes_become_text():
    """Blocks that are nested too deep are escaped too, without losing their lines."""
    output = render(cite("> " * 500 + "![x](u)\n  b [1]", SOURCES), "markdown", sources=False)

    assert output.startswith(r"\> \> ")
    assert r"\!\[x\]\(u\)" in output
    assert "\nb [^c-" in output


def test_last_resort(monkeypatch):
    """If the rounds do not suffice, all punctuation is escaped."""
    monkeypatch.setattr(_markdown_safe, "MAX_ROUNDS", 1)

    output = render(cite("![x](u) [1]", SOURCES), "markdown", style="numbers", sources=False)

    assert output == r"\!\[x\]\(u\) [1]"


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ("sources", r"\[a](`https://a.example/x`) \[b](`mailto:x@b.example`) \[c](`ftp://c`)"),
        ("safe", r"[a](https://a.example/x) [b](mailto:x@b.example) \[c](`ftp://c`)"),
        (["A.example"], r"[a](https://a.example/x) \[b](`mailto:x@b.example`) \[c](`ftp://c`)"),
    ],
)
def test_link_policies(links, expected):
    """Links of the answer stay if they go to a source, or to what the caller allows."""
    text = "[a](https://a.example/x) [b](mailto:x@b.example) [c](ftp://c)"

    output = render(cite(text, SOURCES), "markdown", links=links)

    assert output == expected


CODE = (
    "def __init__(self):",
    "    # set up",
    "        return d[0](x)",
    "~~~",
    "```",
    "1. not a list",
    "> f <b>",
    r"C:\_x",
    "",
    "x = `y` | $$ \\[ \\] $z$",
    "https://e.example/a_b",
    "a@b.example",
    "- *c*",
    "|-|",
    "===",
    "&amp; \\",
)
CODES = ("code_inline", "code_block", "fence")
BEFORE = (
    "",
    "- a\n\n",
    "1. a\n   - b\n\n",
    "> a\n>\n",
    "T\n: d\n\n",
    ":a: b\n\n",
    "!!! n\n\n",
    "$",
)
INDENTS = ("    ", "      ", "         ", "\t", "> ", ">     ", "> - ", "- ", "-     ", "")


def seen(markdown: str, *kinds: str) -> list[str]:
    """Return what readers see of Markdown, without blanks and the marks of code, in tokens."""
    tokens = flat(MarkdownIt("commonmark").parse(markdown))
    texts = (token.content for token in tokens if token.type in kinds)
    return [re.sub(r"[\s`~]", "", text) for text in texts]


@given(
    st.sampled_from(BEFORE),
    st.sampled_from(INDENTS),
    st.sampled_from(["", "```py", "~~~~", "`", "``"]),
    st.lists(st.sampled_from(CODE), min_size=1, max_size=5),
)
def test_code_keeps_what_readers_see(before, indent, mark, lines):
    """Whatever becomes of it, code is shown with each of its characters."""
    lines = [mark, *lines] if len(mark) > 2 else [mark + lines[0], *lines[1:]]
    lines += [mark.removesuffix("py")] if mark else []
    text = before + "\n".join(indent + line for line in lines) + "\n\nend"

    output = render(cite(text, []), "markdown", style="numbers")

    shown = "".join(seen(output, *CODES, "text", "text_special"))
    for code in seen(text, *CODES):
        assert code in shown, output


def test_labels_cannot_be_guessed_and_do_not_change():
    """Labels depend on the whole answer, and only on it."""
    first, again, other = (
        render(cite(text, SOURCES), "markdown") for text in ("A [1].", "A [1].", "B [1].")
    )

    assert first == again
    label = first[first.index("[^") : first.index("]") + 1]
    assert label.startswith("[^c-")
    assert label not in other


@pytest.mark.parametrize("field", ["id", "title", "url"])
def test_answers_that_differ_in_a_source_have_other_labels(field):
    """On one page neither takes the footnote of the other."""
    source = {"id": "1", "title": "Minutes", "url": "https://good.example/a"}
    first, other = (
        render(cite("Yes [1].", [each]), "markdown")
        for each in (source, {**source, field: source[field] + "b"})
    )

    html = MarkdownIt("commonmark").use(footnote_plugin).render(f"{first}\n\n{other}")

    assert len(re.findall('<li id="fn', html)) == 2


def test_numbers_with_gaps_are_shown():
    """A list that Markdown would count differently carries our numbers."""
    sources = [Source("a", title="A"), Source("b", title="B")]
    segments = tuple(
        CitationSegment(Marker(n, n + 1, "x", "f", ("x",)), (Citation("x", source, number, 1),))
        for n, (source, number) in enumerate(zip(sources, (4, 7), strict=True))
    )

    output = render(Answer(segments, tuple(sources)), "markdown", style="numbers")

    assert output == "[4][7]\n\n- \\[4\\] A\n- \\[7\\] B"


def test_pending_and_grouped_citations():
    """A pending citation has no footnote yet; sources under one number share an entry."""
    a, b = Source("a", title="A"), Source("b", title="B", url="https://good.example/b")
    marker = Marker(0, 1, "x", "f", ("x",))
    citations = (Citation("p", None, 1, 1), Citation("a", a, 2, 1))
    later = CitationSegment(marker, (Citation("b", b, 2, 2),))
    answer = Answer((CitationSegment(marker, citations), TextSegment("; "), later), (a, b))

    output = render(answer, "markdown", label_prefix="n")

    assert output == "\\[1\\][^n-2]; [^n-2]\n\n[^n-2]: A; B, <https://good.example/b>"


def test_repeats():
    """A number that follows itself is shown once, or each time if asked for."""
    answer = cite("A [1] [1, 2].", SOURCES)
    options = {"style": "numbers", "sources": False}

    assert render(answer, "markdown", **options) == "A [1] [2]."
    assert render(answer, "markdown", **options, repeats="all") == "A [1] [1][2]."


def test_line_ends_and_odd_characters():
    """Line ends stay; controls, surrogates and tag characters do not."""
    answer = cite("a\r\nb\0 \ud83d \U000e0041c \u202ed\n", [])

    assert render(answer, "markdown") == "a\r\nb\ufffd \ufffd c \u202ed\u202c\n"


@pytest.mark.parametrize(
    "options",
    [
        {"style": "x"},
        {"style": []},
        {"links": "all"},
        {"links": None},
        {"links": {5}},
        {"links": [""]},
        {"links": ["a.example", " b.example"]},
        {"links": ["https://a.example/"]},
        {"links": ["a.example:443"]},
        {"links": ["a.example/x"]},
        {"label_prefix": "a b"},
        {"label_prefix": ""},
        {"label_prefix": 5},
        {"missing": None},
        {"repeats": "twice"},
    ],
)
def test_bad_options(options):
    """A value that an option cannot have raises, and says which option it is."""
    with pytest.raises(RendererOptionError, match=next(iter(options))):
        render(cite("a", []), "markdown", **options)


def test_escaped_text_is_shown_as_it_is():
    """Escaped, every printable ASCII character is shown as itself."""
    text = "".join(map(chr, range(0x21, 0x7F)))

    tokens = PARSERS["gfm"].parseInline(escape(text))[0].children

    assert "".join(token.content for token in tokens) == text


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("see https://a.example/b_(c). Or", ["https://a.example/b_(c)"]),
        ("(www.a.example)", ["www.a.example"]),
        ("ann.b@c.example, x", ["ann.b@c.example"]),
        ("main.py a.com 1.5 e.g. end.No", [".", ".", "."]),
        ("//a.b and // c a//b", ["/"]),
        ("https:// www. a@b @c", ["www"]),
        ('www."a a|@b.com a@b.`c https://`d', ["www", "@", ".", "@", "/"]),
        ("user@host src/@types/a '@c'", []),
        (
            "http://{host}/ https://*a https://\xa0b https://c\xa0d",
            ["/", "/", "/", "https://c"],
        ),
        ("xwww.a.zzz@b Awww... mailto:a@b, mailto:", ["www.a.zzz@b", "mailto:a@b"]),
    ],
)
def test_addresses(text, pieces):
    """Addresses are found as GFM and linkify-it find them, without closing punctuation."""
    assert [text[start:end] for start, end in find_addresses(text)] == pieces


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "url", ["https://good.example/?a=1&copy=2&lt;=3", "https://good.example/(a_b)*c*~d~é"]
)
def test_addresses_of_sources_are_kept(style, url):
    """However an address of a source is linked, it leads where the source says."""
    answer = cite("A [1].", [{"id": "a", "title": "T", "url": url}])

    output = render(answer, "markdown", style=style)

    tokens = flat(PARSERS["gfm"].parse(output))
    found = {token.attrs["href"] for token in tokens if token.type == "link_open"}
    assert {unquote(href) for href in found} == {url}


@pytest.mark.parametrize("style", ["footnotes", "links", "numbers"])
def test_a_row_of_a_table_keeps_its_cells(style):
    """Neither a title nor an address brings a bar or a line end into a table."""
    sources = [Source("1", title="Stats | Norway", url="https://example.org/a|b")]
    table = "| City | People |\n|---|---|\n| Oslo | 0.7 M [1] |\n"

    row = render(cite(table, sources), "markdown", style=style).split("\n")[2]

    assert len(re.findall(r"(?<!\\)\|", row)) == 3


def test_brackets_in_a_title_end_no_link():
    """A title with ``](`` is the text of one link."""
    sources = [Source("1", title="[Draft] Plan ](x", url="https://example.org/p")]

    rendered = render(cite("Draft is out [1].", sources), "markdown", style="links")

    link = '<a href="https://example.org/p">[Draft] Plan ](x</a>'
    assert f"<li>{link}</li>" in MarkdownIt("commonmark").render(rendered)

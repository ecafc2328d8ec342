"""HTML of an answer: exact markup, then what must hold for any answer and any sources."""

from __future__ import annotations

import re
from dataclasses import replace

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markupsafe import Markup

from citemark import cite, render
from citemark.answer import Answer
from citemark.errors import CitemarkError, RendererOptionError
from citemark.model import Citation, CitationSegment, Marker, Source, TextSegment
from citemark.renderers.html import LANGUAGES, HtmlRenderer

POLICY = Source("pol", title="Refund policy", url="https://example.org/refunds", page=3)
FAQ = Source("faq", title="Questions", text="Refunds take 5 days.")
SOURCES = {"1": POLICY, "2": FAQ}


def answer(text, sources=None, pending=()):
    """An answer with every ``[n]`` a marker, as resolution would leave it."""
    known = SOURCES if sources is None else sources
    segments, numbers, start = [], {}, 0
    for found in re.finditer(r"\[(\d(?:,\d)*)\]", text):
        citations = []
        for key in found[1].split(","):
            named = key in known or key in pending
            number = numbers.setdefault(key, len(numbers) + 1) if named else None
            citations.append(Citation(key, known.get(key), number))
        if found.start() > start:
            segments.append(TextSegment(text[start : found.start()]))
        marker = Marker(found.start(), found.end(), found[0], "number", ("?",))
        segments.append(CitationSegment(marker, tuple(citations)))
        start = found.end()
    if text[start:]:
        segments.append(TextSegment(text[start:]))
    return Answer(tuple(segments), tuple(known[key] for key in numbers if key in known))


WRAPPER = '<div class="cite-body" dir="auto">\n'


def html_of(given, **options):
    """The HTML of an answer, less the element around its text, which holds no other div."""
    html = str(HtmlRenderer(**{"id_prefix": "cite", **options}).render(given))
    assert html.startswith(WRAPPER)
    return html.removeprefix(WRAPPER).replace("</div>\n", "", 1)


def body(text, **options):
    """The rendered text without the list of sources."""
    return html_of(answer(text), **options).partition("<section")[0]


def ref(number, use, title, prefix="cite"):
    """The markup of a reference."""
    return (
        '<sup class="cite"><a class="cite-ref" role="doc-noteref"'
        f' id="{prefix}-ref-{number}-{use}" href="#{prefix}-src-{number}"'
        f' aria-label="Source {number}: {title}">[{number}]</a></sup>'
    )


ONE = ref(1, 1, "Refund policy")
REL = 'rel="noopener noreferrer nofollow ugc"'
LINK = f'<a href="https://example.org/refunds" {REL}>'
MISSING = (
    '<sup class="cite"><span class="cite-ref cite-ref--missing">[9]'
    '<span class="cite-hidden"> (source not found)</span></span></sup>'
)
SUP = "</sup>"


def inner(html):
    """The markup within a group."""
    return html.removeprefix('<sup class="cite">').removesuffix(SUP)


TWO = ref(2, 1, "Questions")
GROUP = f'<sup class="cite">{inner(ONE)}{inner(TWO)}</sup>'

BODIES = {
    "A [1].": f"<p>A {ONE}.</p>\n",
    "A [9].": f"<p>A {MISSING}.</p>\n",
    "[1] [1]": f"<p>{ONE}</p>\n",
    "[1] and [1]": f"<p>{ONE} and {ref(1, 2, 'Refund policy')}</p>\n",
    "[1][1]": f"<p>{ONE}</p>\n",
    "[1][2]": f"<p>{GROUP}</p>\n",
    "[1][2] [1]": f"<p>{GROUP} {ref(1, 2, 'Refund policy')}</p>\n",
    "[1][9][2]": f"<p>{ONE.removesuffix(SUP)}{inner(MISSING)}{inner(TWO)}</sup></p>\n",
    "[1]`[2][1]`": f"<p>{ONE}<code>[2][1]</code></p>\n",
    "# T [1]": f"<h1>T {ONE}</h1>\n",
    "_word_[1]": f"<p><em>word</em>{ONE}</p>\n",
    "*word*[1]x": f"<p><em>word</em>{ONE}x</p>\n",
    "**重点[1]**后面": f"<p><strong>重点{ONE}</strong>后面</p>\n",
    "w[1]**“bold”**": f"<p>w{ONE}**“bold”**</p>\n",
    "字[1]**“粗”**[1]字": (
        f"<p>字{ONE}<strong>“粗”</strong>{ref(1, 2, 'Refund policy')}字</p>\n"
    ),
    "1.5[1]_it_": f"<p>1.5{ONE}_it_</p>\n",
    "a[1]*“*b": f"<p>a{ONE}*“*b</p>\n",
    "[1]_a_": f"<p>{ONE}<em>a</em></p>\n",
    "~~old~~[1]": f"<p><s>old</s>{ONE}</p>\n",
    "- [1]\n- b": f"<ul>\n<li>{ONE}</li>\n<li>b</li>\n</ul>\n",
    "`x[1]`": "<p><code>x[1]</code></p>\n",
    "    x[1]": '<pre tabindex="0"><code>x[1]\n</code></pre>\n',
    "```py [1]\nx[1]\n```": '<pre tabindex="0"><code class="language-py">x[1]\n</code></pre>\n',
    '```a"b\nx\n```': '<pre tabindex="0"><code>x\n</code></pre>\n',
    "[1]: https://evil.example": f"<p>{ONE}: https://evil.example</p>\n",
    "[a]: https://evil.example\n\n[a] [1]": (
        f"<p>[a]: https://evil.example</p>\n<p>[a] {ONE}</p>\n"
    ),
    "|a|\n|-:|\n|[1]|": (
        '<table tabindex="0">\n<thead>\n<tr>\n<th class="cite-right">a</th>\n</tr>\n</thead>\n'
        f'<tbody>\n<tr>\n<td class="cite-right">{ONE}</td>\n</tr>\n</tbody>\n</table>\n'
    ),
    "<b>x</b> [1]": f"<p>&lt;b&gt;x&lt;/b&gt; {ONE}</p>\n",
    "![a *b* [1]](https://evil.example/p.png)": "<p>a b [1] (https://evil.example/p.png)</p>\n",
    "![a](x[1])": "<p>a (x[1])</p>\n",
    "[t](https://evil.example/[1])": "<p>t (https://evil.example/[1])</p>\n",
    "[t](javascript:alert(1))": "<p>t (javascript:alert(1))</p>\n",
    "[https://e.example](https://e.example)": "<p>https://e.example</p>\n",
    "<https://evil.example/[1]>": "<p>https://evil.example/[1]</p>\n",
    "<ann@example.org>": "<p>ann@example.org</p>\n",
    "<xsl:value> [1]": f"<p>&lt;xsl:value&gt; {ONE}</p>\n",
    "[t](https://example.org/refunds) [1]": f"<p>{LINK}t</a> {ONE}</p>\n",
    "[t](http://EXAMPLE.org/refunds/#x) [1]": f"<p>{LINK}t</a> {ONE}</p>\n",
    "[a [1] b](https://example.org/refunds)": f"<p>{LINK}a  b</a>{ONE}</p>\n",
    "[a\u200bb](https://example.org/refunds)[1]": f"<p>{LINK}ab</a>{ONE}</p>\n",
    "[[1]](https://example.org/refunds)": f"<p>{ONE} (https://example.org/refunds)</p>\n",
    "\u2e0e\u2e0f\u2e2f [1]": f"<p>\u2e0e\u2e0f\u2e2f {ONE}</p>\n",
    "&#x2e0e;&#x2e0f; [1]": f"<p>\u2e0e\u2e0f {ONE}</p>\n",
    "`\u2e0e\u2e0f` [1]": f"<p><code>\u2e0e\u2e0f</code> {ONE}</p>\n",
    "a\x00b\x1b\r\n\ud800 [1]": f"<p>a�b�\n� {ONE}</p>\n",
    "&#x202e;a **\u202eb** [1]": (
        f"<p>\u202e\u202ca <strong>\u202eb\u202c</strong> {ONE}</p>\n"
    ),
    "**a\u2e2f**b **a\u2e0e**b [1]": f"<p><strong>a\u2e2f</strong>b **a\u2e0e**b {ONE}</p>\n",
    "\ufeff# T [1]": f"<h1>T {ONE}</h1>\n",
    "a \\[1] b": f"<p>a \\{ONE} b</p>\n",
    "a \\\\[1] b": f"<p>a \\{ONE} b</p>\n",
    "a \\\u2e2f b": "<p>a \\\u2e2f b</p>\n",
    "`\\\u2e2f`": "<p><code>\\\u2e2f</code></p>\n",
    "[1] <mailto:a\u2e0e\u2e0f@b.c>": f"<p>{ONE} mailto:a\u2e0e\u2e0f@b.c</p>\n",
    "[1]<https://\u2e0e\u2e0f/>": f"<p>{ONE}&lt;https://\u2e0e\u2e0f/&gt;</p>\n",
    "![&#x2e0e;&#x2e0f; [1]](u) [1]": f"<p>\u2e0e\u2e0f [1] (u) {ONE}</p>\n",
    "{{ 7*7 }} [1]": f"<p>{{{{ 7*7 }}}} {ONE}</p>\n",
}

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


@pytest.mark.parametrize(("text", "expected"), BODIES.items())
def test_body(text, expected):
    """Markers become references where they stand for one, and text where they do not."""
    assert body(text) == expected


def test_notes():
    """The list names each source, where it is, its passage, and every place that cites it."""
    html = html_of(answer("A [1]. B [1][2]."))
    assert html.partition("</p>\n")[2] == (
        '<section class="cite-notes" role="doc-endnotes" aria-labelledby="cite-sources">\n'
        '<h2 class="cite-heading" id="cite-sources">Sources</h2>\n'
        '<ol class="cite-list">\n'
        '<li class="cite-note" id="cite-src-1" value="1" tabindex="-1">\n'
        f'<div class="cite-source"><div class="cite-title">{LINK}<bdi>Refund policy</bdi></a>'
        '</div><div class="cite-place"><bdi>example.org</bdi>, <bdi>page 3</bdi></div></div>\n'
        '<div class="cite-backs"><a class="cite-back" role="doc-backlink" href="#cite-ref-1-1" '
        'aria-label="Back to reference 1-1">↩︎<sup>1</sup></a> <a class="cite-back" '
        'role="doc-backlink" href="#cite-ref-1-2" aria-label="Back to reference 1-2">'
        "↩︎<sup>2</sup></a></div>\n"
        "</li>\n"
        '<li class="cite-note" id="cite-src-2" value="2" tabindex="-1">\n'
        '<div class="cite-source"><div class="cite-title"><bdi>Questions</bdi></div>'
        '<blockquote class="cite-passage" dir="auto">Refunds take 5 days.</blockquote></div>\n'
        '<div class="cite-backs"><a class="cite-back" role="doc-backlink" href="#cite-ref-2-1" '
        'aria-label="Back to reference 2-1">↩︎</a></div>\n'
        "</li>\n"
        "</ol>\n"
        "</section>\n"
    )


def test_no_citations_no_list():
    """An answer that cites nothing is its Markdown alone."""
    html = html_of(answer("A *b* [9]."), previews="hint")
    assert html == f"<p>A <em>b</em> {MISSING}.</p>\n"
    assert isinstance(HtmlRenderer().render(answer("A [9].")), Markup)


def test_pending_source():
    """A source that is still to come has a number, and nothing to follow."""
    html = html_of(answer("A [7].", pending="7"))
    assert html == (
        '<p>A <sup class="cite"><span class="cite-ref cite-ref--plain">[1]</span></sup>.</p>\n'
    )


def test_dropped_marker():
    """A marker without citations is not shown, nor is the blank before it."""
    dropped = CitationSegment(Marker(2, 5, "[9]", "number", ("9",)), (), " ")
    html = html_of(Answer((TextSegment("A"), dropped, TextSegment("."))))
    assert html == "<p>A.</p>\n"


def test_repeats():
    """A number that follows itself is shown and counted each time if asked for."""
    html = html_of(answer("A [1] [1]"), repeats="all")
    assert html.startswith(f"<p>A {ONE} {ref(1, 2, 'Refund policy')}</p>\n")
    assert html.count('role="doc-backlink"') == 2


def test_grouped_sources():
    """Sources that share a number are listed under it together."""
    citations = (Citation("1", POLICY, 1, 1), Citation("2", FAQ, 1, 2))
    segment = CitationSegment(Marker(0, 6, "[1, 2]", "number", ("1", "2")), citations)
    root = parsed(html_of(Answer((segment,), (POLICY, FAQ))))
    titles = [text_of(e) for e in root.iter() if e.get("class") == "cite-title"]
    assert titles == ["Refund policy", "Questions"]
    assert [e.get("id") for e in root.iter("li")] == ["cite-src-1"]
    assert [e.get("href") for e in root.iter("a") if e.get("role") == "doc-backlink"] == [
        "#cite-ref-1-1"
    ]


def test_code_is_no_use():
    """A marker that Markdown makes code is not counted, so that each way back has an end."""
    root = parsed(html_of(answer("`[1]` [1]")))
    assert [e.get("href") for e in root.iter("a") if e.get("role") == "doc-backlink"] == [
        "#cite-ref-1-1"
    ]


def test_previews():
    """A preview stands once a source after the notes, and each reference names its own."""
    root = parsed(html_of(answer("[1], [1] [2]"), id_prefix="a", previews="hint"))
    cards = [e.get("id") for e in root.iter("div") if e.get("popover") == "hint"]
    assert cards == ["a-card-1", "a-card-2"]
    opened = [e.get("interestfor") for e in root.iter("a") if e.get("role") == "doc-noteref"]
    assert opened == ["a-card-1", "a-card-1", "a-card-2"]


def test_without_notes():
    """Without a list a reference leads to its source, or nowhere."""
    html = html_of(answer("[1] [2]"), notes="none")
    assert html == (
        f'<p><sup class="cite"><a class="cite-ref" {REL} id="cite-ref-1-1" '
        'href="https://example.org/refunds" aria-label="Source 1: Refund policy">[1]</a></sup> '
        '<sup class="cite"><span class="cite-ref cite-ref--plain">[2]</span></sup></p>\n'
    )


def test_without_notes_only_links_are_counted():
    """Of a marker with a source that has no URL, the other one still gets an id of its own."""
    html = html_of(answer("[1] [2,1]"), notes="none")
    ids = [e.get("id") for e in parsed(html).iter() if e.get("id")]
    assert ids == ["cite-ref-1-1", "cite-ref-1-2"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("# Title", "<p># Title{} says</p>\n"),
        ("1. Intro", "<p>1. Intro{} says</p>\n"),
        ("- a", "<p>- a{} says</p>\n"),
        ("> q", "<p>&gt; q{} says</p>\n"),
        ("~~~ x", "<p>~~~ x{} says</p>\n"),
        ("\t  *code*", "<p><em>code</em>{} says</p>\n"),
        ("a\n# b", "<p>a\n# b{} says</p>\n"),
    ],
)
def test_words_of_a_marker_begin_no_block(words, expected):
    """Words of a marker are part of a line, even if nothing stands before them."""
    marker = Marker(0, 1, "x", "link", ("1",), words)
    citation = CitationSegment(marker, (Citation("1", POLICY, 1, 1),))
    html = html_of(Answer((citation, TextSegment(" says")), (POLICY,)))
    assert html.partition("<section")[0] == expected.format(ONE)


@pytest.mark.parametrize(
    "page", [True, 10**5_000, -(10**5_000), float("nan"), "\u200b", None], ids=type
)
def test_what_is_no_page_is_not_shown(page):
    """A page that cannot be written, or is none, is left out, and nothing is raised."""
    html = html_of(answer("[1]", {"1": Source("1", title="A", page=page)}))
    assert "cite-place" not in html


@pytest.mark.parametrize(
    ("links", "kept"),
    [
        ("sources", ["https://example.org/refunds"]),
        ("safe", ["https://a.example/", "mailto:b@c", "https://example.org/refunds"]),
        (["A.example"], ["https://a.example/", "https://example.org/refunds"]),
        ((), ["https://example.org/refunds"]),
    ],
)
def test_links(links, kept):
    """The policy says which links of the model stay links; unsafe ones never do."""
    text = (
        "[a](https://a.example/) [b](mailto:b@c) [c](https://u@a.example/) [d](javascript:x) "
        "[e](//a.example/) [1] <https://example.org/refunds> [](https://a.example/)"
    )
    root = parsed(body(text, links=links))
    assert [e.get("href") for e in root.iter("a") if e.get("rel")] == kept


def test_words():
    """What is read beside the text can be translated."""
    words = {
        "source": "Quelle {number}: {title}",
        "missing": "Quelle fehlt",
        "page": "S. {page}",
    }
    html = html_of(answer("[1] [9]"), heading="Quellen", heading_level=3, words=words)
    assert 'aria-label="Quelle 1: Refund policy"' in html
    assert "(Quelle fehlt)" in html
    assert "<bdi>example.org</bdi>, <bdi>S. 3</bdi>" in html
    assert '<h3 class="cite-heading" id="cite-sources">Quellen</h3>' in html


@pytest.mark.parametrize(
    "options",
    [
        {"id_prefix": ""},
        {"id_prefix": "1a"},
        {"id_prefix": 'a"b'},
        {"id_prefix": "a b"},
        {"links": "all"},
        {"previews": "button?"},
        {"notes": "every"},
        {"group": "apart"},
        {"heading_shift": 6},
        {"heading_shift": -1},
        {"labelled_by": ""},
        {"labelled_by": "two ids"},
        {"labelled_by": "a\0"},
        {"labelled_by": "x" * 201},
        {"labelled_by": 7},
        {"heading_level": True},
        {"heading_level": 2.0},
        {"math": 1},
        {"scores": "no"},
        {"language": "tlh"},
        {"language": None},
        {"templates": {"html/note.html": ""}},
        {"heading_level": 7},
        {"words": {"nope": "x"}},
        {"words": {"source": "{nope}"}},
        {"words": {"source": "{"}},
        {"words": {"source": "{title.__class__.__mro__}"}},
        {"words": {"source": "{title!r}"}},
        {"words": {"source": "{number:>9999}"}},
        {"words": {"source": "{use}"}},
        {"words": {"source": 5}},
        {"words": [("source", "x")]},
        {"id_prefix": 5},
        {"links": None},
        {"links": {5}},
        {"previews": []},
        {"notes": {}},
        {"repeats": "never"},
        {"heading": 5},
        {"heading_level": []},
    ],
)
def test_bad_option(options):
    """A mistake of the caller is told when the renderer is made."""
    with pytest.raises(RendererOptionError) as raised:
        HtmlRenderer(**options)
    assert isinstance(raised.value, CitemarkError)
    assert raised.value.name in options


@pytest.mark.parametrize(
    "url",
    ["C:\\Users\\ann\\notes.docx", "/srv/rag/private/hr/salaries.pdf", "javascript:x", None, 7],
)
def test_private_place(url):
    """Of a place on some machine no more than the file is told, and no metadata."""
    source = Source("1", title="Minutes", url=url, metadata={"path": "/srv/secret"})
    html = html_of(answer("A [1].", {"1": source}), previews="hint")
    place = [text_of(e) for e in parsed(html).iter() if e.get("class") == "cite-place"]
    assert place == [] or place in (["notes.docx"], ["salaries.pdf"])
    assert not re.search("Users|srv|private|hr/|javascript|secret", html)


def test_deep_nesting_is_cut():
    """Neither quotes nor emphasis make a tree that browsers choke on, and no text is lost."""
    for text in (
        ">" * 500 + " a [1]",
        "*a " * 500 + "[1]" + " a*" * 500,
        "- " * 25 + "a [1]",
        "> 1. " * 30 + "a [1]\n\nb",
        "- " * 41 + "a\n" + " " * 82 + "- b [1]",
        "[" * 500 + "a [1]",
    ):
        html = body(text)
        root = parsed(html)
        assert "a" in text_of(root)
        assert [text_of(e) for e in root.iter("sup")] == ["[1]"]
        depth = deepest = 0
        for tag in re.findall(r"<(/?)\w+[^>]*?(/?)>", html):
            depth += {("", ""): 1, ("/", ""): -1}.get(tag, 0)
            deepest = max(deepest, depth)
        assert deepest < 60
        assert depth == 0


# A blank parts the pieces.
PIECES = (
    "[1] [1] [2] [9] [1,2,9] * ** _ ~~ ` `` ``` ~~~ > - # | \\ ![ ]( ) < > & \" ' {{x}}"
    " <script> <img/src=x> &#x2e0e; &lt; \u2e0e \u2e0f \u2e2f \u202e \u2067 \u200b \x00"
    " \ud800 word 重 é https://example.org/refunds https://evil.example/ javascript:x"
    " |-|-| [1]: &#x202e; <https://example.org/refunds> [a](https://example.org/refunds)"
)
BLANKS = (" ", "\n", "\n\n", "    ")
TEXTS = st.lists(
    st.sampled_from(PIECES.split()) | st.sampled_from(BLANKS) | st.text(max_size=5),
    max_size=25,
).map("".join)

RECORDS = st.builds(
    Source,
    id=st.just("x") | st.text(min_size=1, max_size=8),
    title=st.sampled_from(["", '"><script>', "\u202ex", "{{7*7}}", "&lt;b&gt;"]) | st.text(),
    url=st.sampled_from(
        ["https://example.org/a?b=1&c='\"", "javascript:x", "/srv/a.pdf", None]
    ),
    text=st.text(),
    page=st.none() | st.integers() | st.text(max_size=8),
)


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "previews": st.sampled_from(["hint", "button"]),
        "notes": st.sampled_from(["all", "none"]),
        "group": st.just("joined"),
        "language": st.sampled_from(LANGUAGES),
        "scores": st.just(True),  # noqa: FBT003  an option
    },
)


@pytest.mark.parametrize(
    "other",
    [{"id": "b"}, {"title": "B"}, {"url": "https://b.example/"}, {"text": "No."}, {"page": 4}],
    ids=str,
)
def test_ids_tell_answers_with_other_sources_apart(other):
    """Two short answers of a chat may have the same text; equal answers have the same ids."""
    record = {"id": "a", "title": "A", "url": "https://a.example/", "text": "Yes.", "page": 3}
    one, same, two = (
        parsed(render(cite("Yes [1].", [source]), "html"))
        for source in (record, dict(record), record | other)
    )
    ids = [{e.get("id") for e in root.iter() if e.get("id")} for root in (one, same, two)]
    assert ids[0] == ids[1]
    assert not ids[0] & ids[2]


def test_ids_of_body_and_notes_made_apart_fit():
    """Options change no id."""
    given = cite("A [1].", [{"id": "a"}, {"id": "b"}], consulted=True)
    body = HtmlRenderer().parts(given).body
    notes = HtmlRenderer(notes="all", previews="hint").parts(given).notes
    assert parsed(body).find(".//a").get("href").removeprefix("#") in {
        e.get("id") for e in parsed(notes).iter()
    }


@given(TEXTS, st.lists(RECORDS, max_size=2), OPTIONS)
def test_html_is_safe(text, records, options):
    """No tag, attribute, id or link but our own and the sources', whatever is rendered."""
    sources = {str(n): source for n, source in enumerate([POLICY, *records], 1)}
    given = replace(answer(text, sources), consulted=tuple(records))
    rendered = str(HtmlRenderer(id_prefix="p-q", **options).render(given))
    str(rendered).encode()
    root = parsed(rendered)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert all(id_.startswith("p-q-") for id_ in ids)
    urls = {"https://example.org/refunds", "https://example.org/a?b=1&c='\""}
    for element in root.iter():
        assert element.tag in TAGS
        assert set(element.keys()) <= ATTRIBUTES
        href = element.get("href", "")
        assert not href or href.partition("#")[0] in urls or href[1:] in ids
        for name in ("interestfor", "popovertarget", "aria-labelledby"):
            assert element.get(name, ids[0] if ids else "") in (ids or [""])
        if element.tag == "a":
            assert "".join(element.itertext()).strip()
            assert not [inner for inner in element.iter("a") if inner is not element]


FRAGMENTS = (
    "word@",
    "a word@, b@.",
    "**bold@**",
    "**bold**@",
    "*it*@",
    "_it_@",
    "_it@_",
    "**重点@**后面",
    "~~old@~~",
    "`code`@",
    "[t@](x.html)@",
    "“quoted”@",
    "# Head@\n\n",
    "> quote@\n\n",
    "\n- item@\n- item@\n\n",
    "\n1. item@\n\n",
    "\n| a@ | b |\n|---|---|\n| **c**@ | d |\n\n",
    "\n    code\n\n",
    "\n```py\ncode\n```\n",
)


@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=8).map(" ".join))
def test_markdown_is_rendered_as_ever(template):
    """Without references the HTML is what markdown-it-py makes of the text without markers."""
    html = body(template.replace("@", "[1]"), links="safe")
    plain = MARKDOWN.render(template.replace("@", ""))
    assert re.sub(r'<sup.*?</sup>| tabindex="0"', "", html) == re.sub(
        r'<a href="(.*?)">(.*?)</a>', r"\2 (\1)", plain
    )


TAGS = set(
    re.findall(
        r"\w+",
        "DOCUMENT_FRAGMENT p h1 h2 h3 h4 h5 h6 em strong s code pre blockquote ul ol li hr br "
        "table thead tbody tr th td sup a span section div bdi button wbr mark details summary",
    )
)
ATTRIBUTES = set(
    re.findall(
        r"[\w-]+",
        "class id href rel role aria-label aria-labelledby value tabindex dir start popover "
        "interestfor popovertarget popovertargetaction type open aria-hidden",
    )
)


def parsed(html):
    """The tree of the HTML, which must have no parse error."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    root = parser.parseFragment(str(html))
    assert parser.errors == []
    return root


def text_of(element):
    """The text of an element."""
    return "".join(element.itertext())


def test_two_answers_on_a_page():
    """Without a prefix two answers have different ids, and an answer always the same."""
    one, other = (str(HtmlRenderer().render(answer(text))) for text in ("A [1].", "B [1]."))
    ids = [{e.get("id") for e in parsed(html).iter() if e.get("id")} for html in (one, other)]

    assert ids[0].isdisjoint(ids[1])
    assert one == str(HtmlRenderer().render(answer("A [1].")))

"""Preview cards: what they say of a source, what of its passage, and where they lead."""

from __future__ import annotations

import re
from unicodedata import normalize
from urllib.parse import unquote

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from citemark import Source, cite
from citemark.answer import Answer
from citemark.model import Citation, CitationSegment, Location, Marker, TextSegment
from citemark.renderers._deep_links import deep_link
from citemark.renderers._excerpts import GLANCE, MAX_EXCERPT, excerpt_of
from citemark.renderers._html_places import page_of, places_in_words
from citemark.renderers._kinds import kind_of
from citemark.renderers._quotes import quoted, quotes_of
from citemark.renderers.html import WORDS, HtmlRenderer

POLICY = Source(
    "pol",
    title="Refund <policy>",
    url="https://example.org/refunds",
    text="Refunds take “five working days”, once the parcel is back.",
    page=3,
)
REL = "noopener noreferrer nofollow ugc"


def cards_of(text, *sources, **options):
    """The cards after an answer."""
    renderer = HtmlRenderer(**{"id_prefix": "a", "previews": "hint", **options})
    parts = renderer.parts(cite(text, sources))
    return str(parts.notes).partition('<div class="cite-cards">\n')[2]


def test_card():
    """A card tells number, kind, title, place and passage, and leads to the quoted words."""
    assert cards_of('It says "Five working days." [1]', POLICY) == (
        '<div class="cite-card" id="a-card-1" role="group"'
        ' aria-label="Source 1: Refund &lt;policy&gt;" popover="hint">\n'
        '<div class="cite-source">\n'
        '<div class="cite-card-head"><span class="cite-card-number">[1]</span> '
        '<span class="cite-icon cite-icon--web" aria-hidden="true"></span> '
        '<span class="cite-card-kind">Web page</span></div>\n'
        '<div class="cite-title"><bdi>Refund &lt;policy&gt;</bdi></div>\n'
        '<div class="cite-place"><bdi>example.org</bdi>, <bdi>page 3</bdi></div>\n'
        '<blockquote class="cite-passage" dir="auto">Refunds take “'
        "<mark>five working days</mark>”, once the parcel is back.</blockquote>\n"
        '<a class="cite-card-open"'
        ' href="https://example.org/refunds#:~:text=five%20working%20days"'
        f' rel="{REL}">Open the source</a>\n'
        "</div>\n"
        "</div>\n"
        "</div>\n"
    )


def test_button_card():
    """A card that a button opens has another one that closes it."""
    html = cards_of("A [1].", Source("1", title="A"), previews="button", language="de")
    assert html == (
        '<div class="cite-card" id="a-card-1" role="group" aria-label="Quelle 1: A"'
        ' popover="auto">\n'
        '<button class="cite-card-close" type="button" popovertarget="a-card-1"'
        ' popovertargetaction="hide" aria-label="Schließen">×</button>\n'
        '<div class="cite-source">\n'
        '<div class="cite-card-head"><span class="cite-card-number">[1]</span> '
        '<span class="cite-icon cite-icon--document" aria-hidden="true"></span> '
        '<span class="cite-card-kind">Dokument</span></div>\n'
        '<div class="cite-title"><bdi>A</bdi></div>\n'
        "</div>\n"
        "</div>\n"
        "</div>\n"
    )


@pytest.mark.parametrize(
    ("quote", "is_open"), [("the first word", False), ("the last word", True), ("none", False)]
)
def test_long_passage(quote, is_open):
    """What is left of a long passage is behind a "more", open if the answer quotes it."""
    text = "It is the first word. " + "Filler here. " * 40 + "It is the last word."
    html = cards_of(f'"{quote}" [1]', Source("1", title="A", text=text))
    shown = re.findall(r"<blockquote[^>]*>(.*?)</blockquote>", html)
    assert "".join(re.sub("</?mark>", "", part) for part in shown) == text
    assert ('<details class="cite-card-more" open><summary>More</summary>' in html) is is_open
    assert ('<details class="cite-card-more"><summary>More</summary>' in html) is not is_open
    assert (f"<mark>{quote}</mark>" in html) is (quote != "none")


def cited(source, *citations):
    """An answer with these citations of a source."""
    marker = Marker(0, 0, "", "point", ("1",))
    segments = [CitationSegment(marker, (Citation("1", source, 1, **c),)) for c in citations]
    return Answer((TextSegment("A"), *segments), (source,))


def test_quotes_and_places_of_a_provider():
    """Words that a provider gives as proof are marked, and so are places by characters."""
    source = Source("1", text="one two  three four five")
    answer = cited(
        source,
        {"quote": "two three."},
        {"locations": (Location("char", 20, 24), Location("char", 20, 99))},
    )
    html = str(HtmlRenderer(previews="hint").render(answer))
    assert re.findall("<mark>(.*?)</mark>", html) == ["two three", "five"]


def test_quote_of_a_source_without_text():
    """Where nothing is known of a source but a quote, that is shown."""
    answer = cited(Source("1", title="A"), {"quote": "in its\nwords"}, {"quote": "and <more>"})
    html = str(HtmlRenderer(previews="hint").render(answer))
    shown = re.findall('<blockquote class="cite-passage" dir="auto">(.*?)</blockquote>', html)
    assert shown == [
        "in its words … and &lt;more&gt;",
        "<mark>in its words</mark> … <mark>and &lt;more&gt;</mark>",
    ]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (Location("page", 3, 4), ["page 3"]),
        (Location("page", 3, 6), ["pages 3–5"]),
        (Location("sentence", 0, 0), ["sentence 0"]),
        (Location("time", 65_000, 79_999), ["1:05–1:19"]),
        (Location("time", 3_600_000, 3_600_900), ["1:00:00"]),
        (Location("char", 3, 6), []),
        (Location("block", 3, 6), []),
    ],
)
def test_places_in_words(place, told):
    """Pages, lines, sentences and times are told to readers; what programs count is not."""
    assert places_in_words([place, place], WORDS) == told


def test_sources_of_one_number_share_a_card():
    """A card has all the sources of its number."""
    pages = [
        Source(str(page), title=f"Part {page}", url="https://example.org/a.pdf", page=page)
        for page in (1, 2)
    ]
    renderer = HtmlRenderer(id_prefix="a", previews="hint")
    html = str(renderer.render(cite("A [1][2].", pages, group_by="url")))
    assert re.findall('id="a-card-[0-9]+"', html) == ['id="a-card-1"']
    assert re.findall("#page=[0-9]+", html) == ["#page=1", "#page=2"]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (Source("1", kind="PDF"), "pdf"),
        (Source("1", kind="application/pdf", url="https://e.org/"), "pdf"),
        (Source("1", kind="web_page"), "web"),
        (Source("1", kind="row"), "row"),
        (Source("1", kind=" Api-Response "), "api"),
        (Source("1", kind="file", url="https://e.org/"), "document"),
        (Source("1", kind="recipe", url="https://e.org/"), "web"),
        (Source("1", kind=7, url="https://e.org/A.PDF?x=1#y"), "pdf"),
        (Source("1", url="/srv/a.pdf"), "pdf"),
        (Source("1", url="javascript:x"), "document"),
        (Source("1", url="https://e.org/?f=a.pdf"), "web"),
        (Source("1"), "document"),
    ],
)
def test_kind(source, kind):
    """The kind is that which the source names, else what its URL looks like."""
    assert kind_of(source) == kind


LONG = "One two three four five. " + "Filler. " * 30 + "Six seven eight nine-ten."
CHINESE = "退款需要五个工作日。" + "其余内容很长，" * 20 + "快递费用不予退还。"


@pytest.mark.parametrize(
    ("url", "kind", "page", "text", "fragment"),
    [
        ("https://e.org/a.pdf", "pdf", 3, "words", "#page=3"),
        ("https://e.org/a.pdf", "pdf", 0, "words", ""),
        ("https://e.org/a.pdf", "pdf", "iv", "words", ""),
        ("https://e.org/a.pdf", "pdf", 10**9, "words", ""),
        ("https://e.org/a.pdf#x", "pdf", 3, "", ""),
        ("https://e.org/a", "web", 3, "a-b, c & d", "#:~:text=a%2Db%2C%20c%20%26%20d"),
        ("https://e.org/a", "web", None, "é#%", "#:~:text=%C3%A9%23%25"),
        ("https://e.org/a", "web", None, "", ""),
        ("https://e.org/a#", "web", None, "words", ""),
        ("mailto:a@e.org", "web", None, "words", ""),
        ("https://e.org/a", "document", 3, "words", ""),
        ("https://e.org/a", "api", 3, "words", ""),
        (
            "https://e.org/a",
            "web",
            None,
            LONG,
            "#:~:text=One%20two%20three%20four%20five.,Filler.%20Six%20seven%20eight%20nine%2Dten.",
        ),
        ("https://e.org/a", "web", None, "x" * 121, ""),
        ("https://e.org/" + "a" * 2_000, "web", None, "words " * 9, ""),
    ],
)
def test_deep_link(url, kind, page, text, fragment):
    """A link names the page of a PDF, or words of a web page, where a browser may find them."""
    assert deep_link(url, kind, page, text) == url + fragment


def test_deep_link_without_blanks():
    """A long text without blanks is named by its first and its last clause."""
    link = deep_link("https://e.org/a", "web", None, CHINESE)
    ends = link.removeprefix("https://e.org/a#:~:text=").split(",")
    assert [unquote(end) for end in ends] == ["退款需要五个工作日", "快递费用不予退还"]


def test_page_that_a_marker_names_wins():
    """The page to open is that of the citation, else that of the source."""
    source = Source("1", page=3)
    assert page_of(source, [Location("line", 1, 2), Location("page", 9, 11)]) == 9
    assert page_of(source, [Location("line", 1, 2)]) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('He said "five days" [1].', {1: ["five days"]}),
        ("“Five days.” [1] and „zehn Tage“ [2]", {1: ["Five days", "zehn Tage"]}),
        ("A [1] «cinq jours\u202f» 「五个工作日」", {1: ["cinq jours", "五个工作日"]}),
        ('"in its\nown words" [1]', {1: ["in its own words"]}),
        ('"one" [1]', {}),
        ('"other paragraph"\n\nA [1].', {}),
        ('"nothing cited"', {}),
        ('"a quote [1] with a number" [1]', {1: ["a quote with a number"]}),
        ("‘don’t do it’ [1]", {1: ["don’t do it"]}),
        ("> five days\n> at most [1]", {1: ["five days at most"]}),
        ('`"five days"` [1]', {}),
        ('"...." [1]', {}),
        ('"five days" [1] "five days" [1]', {1: ["five days"]}),
    ],
)
def test_quotes(text, expected):
    """Words in quotation marks count for the citations of their paragraph."""
    sources = [{"id": "a"}, {"id": "b"}]
    found = quotes_of(cite(text, sources))
    assert {number: words for number, words in found.items() if number == 1} == expected


def test_quotes_are_bounded():
    """No more than twelve quotes are looked for, whatever the answer holds."""
    text = " ".join(f'"quote {n:03}"' for n in range(50)) + " [1]"
    assert len(quotes_of(cite(text, [{"id": "a"}]))[1]) == 12


@pytest.mark.parametrize(
    ("quotes", "expected"),
    [
        (["five days"], ["five days"]),
        (["Five days"], ["five days"]),
        (["it's"], ["it’s"]),
        (["five days", "days at"], ["five days at"]),
        (["at most", "five"], ["five", "at most"]),
        (["FIVE … AT MOST"], ["five", "at most"]),
        (["five day"], []),
        (["nowhere"], []),
        ([], []),
    ],
)
def test_quoted(quotes, expected):
    """Quotes are found however they are printed, in whole words; once each."""
    passage = "Refunds: five days at most, as it’s said. five days"
    assert [passage[start:end] for start, end in quoted(passage, quotes)] == expected


CLUSTERS = st.sampled_from(
    ["a", "é", "e\u0301", "👩‍👩‍👧", "🇩🇪", "वि", "한", "  ", " ", "\n", "."]
)


@given(st.lists(CLUSTERS, max_size=700).map("".join), st.sampled_from(["", "aa", "é a"]))
def test_excerpt(text, quote):
    """Nothing is lost between a glance and its rest, and no grapheme is cut."""
    excerpt = excerpt_of(text, [quote] if quote else [])
    glance, rest = ("".join(piece.text for piece in part) for part in excerpt[:2])
    line = " ".join(text.split())
    whole = glance + rest
    if len(line) <= MAX_EXCERPT:
        assert whole == line
    assert len(whole) <= MAX_EXCERPT
    assert len(glance) <= GLANCE + 60
    joined = regex.findall(r"\X", whole)
    assert joined == regex.findall(r"\X", glance) + regex.findall(r"\X", rest)
    assert all(piece.text for part in excerpt[:2] for piece in part)
    marked = [piece.text for part in excerpt[:2] for piece in part if piece.is_quoted]
    assert normalize("NFC", "".join(marked)) in ("", quote)
    assert marked or not quote or f" {quote} " not in f" {whole} "


def test_excerpt_of_endless_text():
    """A card holds a passage to the end of a word, and says that there is more."""
    excerpt = excerpt_of("word " * 10_000, [])
    text = "".join(piece.text for piece in (*excerpt.glance, *excerpt.rest))
    assert len(text) <= MAX_EXCERPT
    assert text.endswith("word…")
    assert excerpt.phrase.endswith("word")
    combining = excerpt_of("a" + "\u0301" * 5_000, [])
    assert len(combining.glance[0].text) == GLANCE

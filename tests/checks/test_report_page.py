"""The page of a report: whole, safe, bounded, and every mark where its finding is."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from itertools import pairwise

import html5lib
import pytest
from html_rules import CONTROL, REL, URL, example_answers, made_answers
from report_kit import SOURCES, Told, report

from citemark import Answer, cite
from citemark.checks import LexicalJudge, Summary, as_html, check
from citemark.checks.reports._marked import mark_answer
from citemark.checks.reports._passages import MAX_EXCERPT, excerpt_of
from citemark.checks.reports._pieces import Layer, Piece, pieces
from citemark.checks.reports._section import Limits, section_of
from citemark.renderers._clean import clean

TAGS = set(
    re.findall(
        r"\w+",
        "html head meta title style body main article section h1 h2 h3 h4 h5 p a b bdi mark "
        "span strong dl dt dd div ul ol li blockquote table thead tbody tr th td svg rect",
    )
)
ATTRIBUTES = set(
    re.findall(
        r"[\w-]+",
        "aria-hidden charset class content dir height href http-equiv id lang name "
        "preserveAspectRatio rel scope viewBox width",
    )
)
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


def parsed(html):
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    root = parser.parse(html)
    return root, [code for _, code, _ in parser.errors]


def problems(html):
    """Return what is wrong with a page."""
    root, found = parsed(html)
    found += ["a control character"] if CONTROL.search(html) else []
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    ids = [element.get("id") for element in elements if element.get("id") is not None]
    found += [f"id {id_} twice" for id_ in set(ids) if ids.count(id_) > 1]
    for element in elements:
        tag = element.tag.rpartition("}")[2]
        found += [] if tag in TAGS else [f"<{tag}>"]
        found += [f"<{tag} {name}>" for name in set(element.keys()) - ATTRIBUTES]
        href = element.get("href")
        if href is None:
            continue
        if href.startswith("#"):
            found += [] if href[1:] in ids else [f"{href} leads nowhere"]
        elif not (URL.fullmatch(href) and set(element.get("rel", "").split()) >= REL):
            found += [f"href {href!r}"]
    return found


def text_of(html, class_):
    """Return the text of the elements of a class, without what only some readers hear."""
    root, _ = parsed(html)
    return [
        "".join(_seen(element))
        for element in root.iter()
        if class_ in (element.get("class") or "").split()
    ]


def _seen(element):
    if "hidden" not in (element.get("class") or "").split():
        yield element.text or ""
        for child in element:
            yield from _seen(child)
            yield child.tail or ""


def bare(text):
    """Return a text without what pages change: blank lines, controls, open directions."""
    return re.sub(r"\s", "", BIDI.sub("", clean(text)))


def words_of(marked, code=None):
    """Return the text of an answer as it is shown; of what is marked with a code alone."""
    items = [item for part in marked.paragraphs for item in part if item.kind == "text"]
    return "".join(item.text for item in items if code is None or code in item.marks)


def numbered(found):
    return [*enumerate(found.findings, 1)]


def marked_of(found, room=100_000, most=5_000):
    return mark_answer(found.answer, numbered(found), room, most)


@pytest.mark.parametrize("answer", [*example_answers()], ids=lambda one: one.text[:20])
def test_examples_have_good_pages(answer):
    """Each example answer; and all that it says is on the page."""
    found = check(answer, judge=LexicalJudge())
    assert problems(as_html(found, title="Example")) == []
    assert bare(words_of(marked_of(found))) == bare(answer.text)


def test_pages_of_hostile_answers_are_good():
    """Whatever a model or a source writes; no text is lost, and none of it is markup."""
    for answer in made_answers(150, 11):
        found = check(answer, judge=Told("unsupported", reasons=("<b>\x00\u202e",)))
        assert problems(as_html(found, title="<script>\x1b")) == []
        assert bare(words_of(marked_of(found))) == bare(answer.text)


def test_marks_are_where_the_findings_are():
    """The words with the mark of a code are the words of its findings, on any answer."""
    answers = [*example_answers(), *made_answers(80, 5)]
    for answer in answers:
        found = check(answer, judge=Told("unsupported"))
        for code in ("uncited", "unsupported", "cited_unresolved", "unresolved"):
            spans = {(one.start, one.end) for one in found.findings if one.code == code}
            if _are_apart(spans):
                words = "".join(answer.text[slice(*span)] for span in sorted(spans))
                assert bare(words_of(marked_of(found), code)) == bare(words)


def _are_apart(spans):
    ordered = sorted(spans)
    return all(one[1] <= other[0] for one, other in pairwise(ordered))


def test_label_stands_behind_the_markers_of_its_sentence():
    """Not between the sentence and its number."""
    found = report("Tides rise. It cost £4 [1][2]. Next.", verdict="unsupported")
    [items] = marked_of(found).paragraphs
    assert "".join(one.text if one.kind == "text" else f"<{one.kind}>" for one in items) == (
        "<anchor>Tides rise.<tag> <anchor>It cost £4 [1][2].<tag> <anchor>Next.<tag>"
    )


def test_mark_has_words_and_not_only_a_colour():
    """The label is text, says what was found, and links to it."""
    html = as_html(report("Spring tides rise."))
    assert text_of(html, "tag") == ["no citation", "#2 no citation"]
    assert 'href="#a1-f2"' in html
    assert 'id="a1-p2"' in html


def test_figures_are_on_top():
    """As words, before the answer."""
    html = as_html(report())
    assert [re.sub(r"\s+", " ", text).strip() for text in text_of(html, "figure")] == [
        "Claims 4",
        "Cited 2",
        "Coverage 50 %",
        "Quotes found 1 of 1",
        "Claims supported 2 of 2",
        "Findings 21 error, 1 warning",
    ]
    assert html.index('class="figures ') < html.index('class="answer"')


def test_answer_as_a_whole_is_told_before_it():
    """Why nothing is cited."""
    html = as_html(report("Tides rise."))
    assert text_of(html, "notice") == ["The answer cites nothing, though it makes claims."]
    assert html.index('class="notice') < html.index('class="answer"')


def test_citation_stands_beside_its_passage():
    """With the window, and the words that both have."""
    judge = Told("unsupported", reasons=("another figure",), window=(31, 51))
    html = as_html(report("The quay cost £412 [1].", judge=judge))
    assert text_of(html, "said") == [
        "\nnot supported Claim\nThe quay cost £412.\nanother figure\n"
    ]
    assert text_of(html, "passage") == [
        "\nPassage\nThe old quay was built of oak. It cost £421 in all. Nobody was hurt.\n\n"
    ]
    assert "".join(text_of(html, "place")[1:]) == "It cost £421 in all."
    assert text_of(html, "shared")[1:] == ["quay", "cost"]


def test_quote_stands_beside_its_place():
    """In the source that has it, and its name if that is another one."""
    html = as_html(report("They “rot in salt water” [1].", given=True))
    [_, held] = text_of(html, "passage")
    assert "In another source: Boats" in held
    assert text_of(html, "place")[1:] == ["rot in salt water"]


def test_numbers_that_were_not_written_are_shown():
    """Those of a provider, and those of a range; each of a group is a link where it stands."""
    segments = [{"type": "text", "text": "Tides rise"}]
    marker = {"start": 10, "end": 10, "raw": "", "format": "point", "keys": ["a"]}
    stored = cite("Tides rise[1].", [{"id": "a"}]).to_dict()
    cited = stored["segments"][1]
    stored["segments"] = [*segments, cited | {"marker": cited["marker"] | marker}]
    html = as_html(check(Answer.from_dict(stored)))
    assert text_of(html, "added") == ["[1]"]
    assert text_of(as_html(report("Boats [1-3].")), "added") == ["[1]", "[2]", "[3]"]
    html = as_html(report("Boats [٢، ١]."))
    assert (text_of(html, "added"), text_of(html, "ref")) == ([], ["٢", "١"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Boats rot [2]. It cost £4 [1].", ["[2] Boats, number 1 for readers",
                                           "[1] Quay report, page 3, number 2 for readers"]),
        ("Boats rot [doc:boats].", ["[doc:boats] Boats, number 1 for readers"]),
        ("Boats rot [١، ٢].", ["[١] Quay report, page 3, number 1 for readers",
                               "[٢] Boats, number 2 for readers"]),
        ("It cost £4 [1].", ["[1] Quay report, page 3"]),
        ("Boats rot [2, 9]. They rot [2].", ["[2] Boats, number 1 for readers"]),
        ("Boats rot [1-2].", ["[1] Quay report, page 3", "[2] Boats"]),
        ("Boats rot [2][doc:boats].", ["[2] [doc:boats] Boats, number 1 for readers"]),
        (f"Boats rot [the old quay report]({SOURCES[0]['url']}).", ["[1] Quay report, page 3"]),
    ],
)  # fmt: skip
def test_sources_are_headed_by_what_the_answer_writes(text, expected):
    """And by the number that readers see, where that is another one."""
    root, _ = parsed(as_html(report(text)))
    sources = [one for one in root.iter("section") if one.get("class") == "source"]
    assert ["".join(one.find("h3").itertext()) for one in sources] == expected


def test_passages_together_are_told():
    """Beside each of those that do not have a claim alone."""
    built = {"id": "a", "text": "The quay was built in 1931."}
    mended = {"id": "b", "text": "The quay was mended in 1968."}
    answer = cite("The quay was built in 1931 and mended in 1968 [1][2].", [built, mended])
    kinds = [text.strip() for text in text_of(as_html(check(answer)), "kind")]
    assert kinds[::2] == ["not supported Claim, with all that it cites: supported"] * 2


def test_page_needs_nothing_and_says_so():
    """No script, no address, and a policy that lets in its own style alone."""
    html = as_html(report())
    [style] = re.findall("<style>(.*?)</style>", html, re.DOTALL)
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert (
        f"default-src 'none'; style-src &#39;sha256-{digest}&#39;;" in html
        or f"default-src 'none'; style-src 'sha256-{digest}';" in html
    )
    assert "url(" not in style
    assert "@import" not in style
    assert re.findall(r"<script|<link|<img|\bsrc=|\bstyle=|\bon\w+=", html) == []


def test_language_of_the_answer_is_told():
    """If it is known."""
    assert '<div class="answer" lang="ar">' in as_html(report(), lang="ar")
    for lang in ("", "\x00", "a b", 'en" x="'):
        assert '<div class="answer">' in as_html(report(), lang=lang)


def test_private_data_stays_private():
    """No metadata, no path, no address that is not safe."""
    source = {"id": "a", "url": "/srv/secret/a.pdf", "text": "Tides rise.", "note": "secret"}
    html = as_html(report("Tides rise [1].", [source]))
    assert "secret" not in html
    assert "a.pdf" in html


def test_long_answers_are_cut_and_it_is_said():
    """At a paragraph; of one long paragraph, its start."""
    text = "Tides rise.\n\n" * 20_000
    html = as_html(report(text))
    assert len(html) < 2_000_000
    assert f"The last {len(text) - 99_994:d} characters are not shown." in html
    assert "19501 more findings are not shown." in html
    assert problems(html) == []
    [paragraph] = marked_of(report("x" * 500), room=100).paragraphs
    assert sum(len(item.text) for item in paragraph if item.kind == "text") == 100


def test_many_markers_are_cut():
    """Each makes a link; what is cited from a source that is not shown is no link."""
    sources = [{"id": f"s{n}", "title": "t" * 300, "text": "word " * 500} for n in range(400)]
    text = " ".join(f"Word {n} [{n % 400 + 1}]." for n in range(8_000))
    html = as_html(report(text, sources))
    assert len(html) < 5_000_000
    assert problems(html) == []


def test_empty_answer_has_a_page():
    """It says so."""
    html = as_html(report(""))
    assert problems(html) == []
    assert "The answer is empty." in html
    assert "Nothing was found." in html


def test_excerpts_are_short_and_hold_the_place():
    """Cut at blanks; with nothing marked, the start."""
    passage = "".join(f"word{n} " for n in range(2_000))
    start = passage.index("word1000")
    found = excerpt_of(passage, [(start, start + 8)], "word1000")
    text = "".join(words.text for words in found.words)
    assert [words.text for words in found.words if words.is_place] == ["word1000"]
    assert text in passage
    assert (found.is_start, found.is_end, text[:4]) == (False, False, "word")
    assert len(text) <= MAX_EXCERPT
    assert excerpt_of(" ") is None
    assert excerpt_of("Low.", [(2, 9), (-1, 2)]).words == (("Low.", False, False),)


def test_summary_has_a_page():
    """Figures, plots, lists, and the worst answers first."""
    summary = Summary()
    summary.give(cite("", SOURCES, consulted=True).consulted)
    for name, text in {"good": "Boats rot [2].", "<b>bad": "Tides [9].", "odd": "Why?"}.items():
        summary.add(report(text), name=name)
    summary.add_error("row 4", "is no <JSON>")
    html = summary.to_html(title="All")
    assert problems(html) == []
    headings = re.findall(r"<h2[^>]*>(?:<bdi>)?(.*?)(?:</bdi>)?</h2>", html)
    assert headings == [
        "Distribution of coverage",
        "Findings by kind",
        "Most cited sources",
        "Never cited",
        "Rows that could not be read",
        "Answers with findings, worst first",
        "&lt;b&gt;bad",
    ]
    assert "2 answers have no findings." in html
    assert text_of(html, "answers") != []


def listed(summary):
    """Return what the page of a summary lists, and what it shows in full."""
    html = summary.to_html()
    assert problems(html) == []
    root, _ = parsed(html)
    [table] = [one for one in root.iter("table") if one.get("class") == "answers"]
    rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")][1:]
    return rows, re.findall(r'<article class="report" id="(\w+)">', html)


def test_summary_shows_the_worst_answers_only():
    """By severity, number of findings and coverage; some in full, others as rows."""
    summary = Summary(sections=2)
    texts = {
        "clean": "Boats rot [2].",
        "note": "They “rot in salt watre” [2].",
        "half": "Boats rot [2]. Fish swim.",
        "none": "Fish swim [doc:quay]. Tides rise. They fall.",
        "error": "Boats rot [2]. Tides [9].",
    }
    for name, text in texts.items():
        summary.add(report(text), name=name)
    rows, in_full = listed(summary)
    assert rows == [
        ["error", "50 %", "1 error"],
        ["none", "33.3 %", "2 warnings"],
        ["half", "50 %", "1 warning"],
        ["note", "100 %", "1 note"],
    ]
    assert in_full == ["a5", "a4"]
    html = summary.to_html()
    assert "1 answer has no findings." in html
    assert "Of these, the first 2 are shown in full below." in html


def test_clean_answers_take_no_room_from_others():
    """However many there are; those with findings that are not listed are counted."""
    summary = Summary()
    for number in range(180):
        summary.add(report("Why?" if number % 3 else "Fish swim [1]. Tides rise."))
        summary.add(report("Boats rot [2]."))
    assert [row[2] for row in listed(summary)[0]] == ["1 warning"] * 60
    for _ in range(50):
        summary.add(report("Tides rise. Fish swim [1]."))
    rows, in_full = listed(summary)
    assert (len(rows), len(in_full)) == (100, 10)
    assert "10 more with findings are not listed." in summary.to_html()
    assert "300 answers have no findings." in summary.to_html()


def test_pages_use_the_same_words():
    """Of one answer and of many: for a mark, a badge, a figure and a row of findings."""
    found = report("It cost £4 [1].", verdict="unsupported")
    summary = Summary()
    summary.add(found)
    for html in (as_html(found), summary.to_html()):
        assert "not supported" in html
        assert ">unsupported<" not in html
        assert text_of(html, "badge")[-1] == "not supported"


MIXED = (
    "The quay was built of oak [1, 2]. It did not cost £421 in all [1]. Boats rot in water [2]."
    " Boats rot in 1990 [1][2]. Tides rise [3]."
)


def test_figures_badges_and_findings_agree():
    """Claims are counted once, badges by the passage; both have the words of the findings."""
    found = report(MIXED, judge=LexicalJudge())
    html = as_html(found)
    [figure] = [text for text in text_of(html, "figure") if "Claims supported" in text]
    told = "2 of 51 unsure, 1 not supported, 1 with no passage"
    assert figure.strip().endswith(told)
    badges = [text for text in text_of(html, "badge") if text not in {"warning", "note"}]
    assert sorted(badges) == sorted(
        [
            "supported",
            "extra citation",
            "unsure",
            "supported",
            *["not supported"] * 2,
            "no passage",
        ]
    )
    told = "2 supported, 2 not supported, 1 unsure, 1 extra citation, 1 no passage"
    assert sorted(re.search(r"Beside passages: (.*)\.</p>", html)[1].split(", ")) == sorted(
        told.split(", ")
    )
    assert text_of(html, "tag")[-3:] == ["#2 extra citation", "#3 unsure", "#1 not supported"]
    assert "Claim, with all that it cites: supported" in " ".join(text_of(html, "kind"))


def test_rows_that_are_right_are_left_out_first():
    """And a source is not said to be without claims because there was no room for them."""
    text = "".join(f"The quay was of oak {{}} [{n % 2 + 1}]. ".format("") for n in range(8))
    found = report(f"{text}Boats rot in 1990 [2].", judge=LexicalJudge())
    section = section_of(found, limits=Limits(rows=1))
    [held] = [held for source in section.sources for held in source.held]
    assert "No claim or quote is held" not in as_html(found)
    assert held.verdict != "supported"
    assert all(source.held for source in section.sources)
    assert section.more_rows == 8


@pytest.mark.parametrize(
    ("passage", "window", "places", "shared"),
    [
        ("It rains. The quay is of oak. Boats rot there in the winter.", (10, 29), 1,
         ["quay", "oak"]),
        ("The quay is of oak. It rains.", (0, 19), 0, ["quay", "oak"]),
        ("Quay oak", (0, 8), 0, []),
    ],
)  # fmt: skip
def test_marks_in_a_passage_point_at_something(passage, window, places, shared):
    """Where nearly all of it would be marked, nothing is."""
    found = excerpt_of(passage, [window], "The quay is of oak.")
    assert len([one for one in found.words if one.is_place and not one.is_shared]) >= places
    assert any(one.is_place for one in found.words) == bool(places)
    assert [one.text for one in found.words if one.is_shared] == shared
    assert "".join(one.text for one in found.words) == passage


def test_section_is_cut_to_its_limits():
    """Rows beside passages, too."""
    text = "".join(f"Boats rot {n} [2]. " for n in range(400))
    section = section_of(report(text))
    assert (sum(len(one.held) for one in section.sources), section.more_rows) == (300, 100)


def test_layers_outside_are_left_out():
    """A range is cut by what is in it."""
    layers = [Layer(5, 9, "a"), Layer(0, 1, "b")]
    assert [*pieces(2, 4, layers, cuts=[3, 7])] == [Piece(2, 3, ()), Piece(3, 4, ())]


def test_quote_of_no_source_has_a_place():
    """Below the sources, without a number."""
    html = as_html(report("Boats “rot in the salt water” [9]."))
    assert problems(html) == []
    assert "Quotes of no source" in html

"""Options of the HTML renderer: what is listed, how, in which language, by whose templates."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import pytest
from jinja2 import BaseLoader, DictLoader, TemplateNotFound
from markupsafe import Markup

from citemark import Source, cite
from citemark.answer import Answer
from citemark.model import Citation, CitationSegment, Location, Marker, TextSegment
from citemark.renderers._words import words_of
from citemark.renderers.html import LANGUAGES, WORDS, HtmlRenderer

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "templates" / "html"
EXAMPLES = sorted(ROOT.joinpath("examples", "answers").glob("*.md"))
REL = 'rel="noopener noreferrer nofollow ugc"'
SOURCES = [
    Source("a", title="Refunds", url="https://example.org/r", score=0.87654, text="Five days."),
    Source("b", title="Fees & more", page=3, score=float("nan")),
    Source("c", title="Not cited", url="https://example.org/c"),
]


def html_of(text, **options):
    """The HTML of an answer to which all sources were given."""
    answer = cite(text, SOURCES, consulted=True)
    return str(HtmlRenderer(**{"id_prefix": "p", **options}).render(answer))


def example(path):
    """The answer in a file of the examples."""
    records = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
    return cite(path.read_text("utf-8"), records, consulted=True)


def link(number, use, title, text, more=""):
    """The markup of a reference, less what is around it."""
    return (
        f'<a class="cite-ref" role="doc-noteref" id="p-ref-{number}-{use}"'
        f' href="#p-src-{number}" aria-label="Source {number}: {title}{more}">{text}</a>'
    )


FIRST = link(1, 1, "Refunds", "1")
MISSING = (
    '<span class="cite-ref cite-ref--missing">{}<span class="cite-hidden"> (source not found)'
    "</span></span>"
)


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("[1][2]", f"[{FIRST}, {link(2, 1, 'Fees &amp; more', '2')}]"),
        ("[1, doc:x]", f"[{FIRST}, {MISSING.format('x')}]"),
        ("[1]", link(1, 1, "Refunds", "[1]")),
        ("[doc:x]", MISSING.format("[x]")),
    ],
)
def test_joined(text, inner):
    """Citations that stand together are in one pair of brackets, which are text."""
    body = html_of(f"A {text.replace(', doc', '][doc')}", group="joined").splitlines()[1]
    kind = " cite--joined" if inner.startswith("[") else ""
    assert body == f'<p>A <sup class="cite{kind}">{inner}</sup></p>'


def test_buttons():
    """A reference that is a button opens its card, whether there are notes or not."""
    button = (
        '<button class="cite-ref" type="button" id="p-ref-{0}-1" popovertarget="p-card-{0}"'
        ' aria-label="Source {0}: {1}">[{0}]</button>'
    )
    for notes in ("cited", "none"):
        html = html_of("A [1][2]", previews="button", notes=notes)
        both = button.format(1, "Refunds") + "<wbr>" + button.format(2, "Fees &amp; more")
        assert f'<p>A <sup class="cite">{both}</sup></p>' in html
        assert html.count('popover="auto"') == 2


def test_what_leads_nowhere_is_a_button():
    """Without a list a source that has no URL can still be seen: a button opens its card."""
    body = html_of("A [1][2]", previews="hint", notes="none").splitlines()[1]
    assert re.findall("<(a|button) ", body) == ["a", "button"]
    assert body.count('interestfor="p-card-1"') == body.count('popovertarget="p-card-2"') == 1


def test_list_is_named_after_its_answer():
    """The list is called by its heading and by an element of the page, whatever its id is."""
    for id_, written in (("q7", "q7"), (":r1:", ":r1:"), ('"><b>', "&#34;&gt;&lt;b&gt;")):
        html = html_of("A [1].", labelled_by=id_)
        assert f'role="doc-endnotes" aria-labelledby="p-sources {written}">' in html
    assert 'aria-labelledby="p-sources">' in html_of("A [1].")


def test_consulted_sources():
    """Sources that are not cited have a list of their own, without numbers."""
    html = html_of("A [1].", notes="all", heading_level=6)
    head, _, consulted = html.partition("</ol>\n")
    assert head.count("<li") == 1
    assert consulted == (
        '<h6 class="cite-heading">Consulted, not cited</h6>\n'
        '<ul class="cite-consulted">\n'
        '<li class="cite-note"><div class="cite-source"><div class="cite-title">'
        '<bdi>Fees &amp; more</bdi></div><div class="cite-place"><bdi>page 3</bdi></div></div>'
        "</li>\n"
        '<li class="cite-note"><div class="cite-source"><div class="cite-title">'
        f'<a href="https://example.org/c" {REL}><bdi>Not cited</bdi></a></div>'
        '<div class="cite-place"><bdi>example.org</bdi></div></div></li>\n'
        "</ul>\n"
        "</section>\n"
    )


def test_only_consulted_sources():
    """If nothing is cited, the heading of the list says so."""
    html = html_of("A.", notes="all", heading_level=3)
    assert '<h3 class="cite-heading" id="p-sources">Consulted, not cited</h3>' in html
    assert "<ol" not in html
    assert html.count("<li") == 3
    assert "<section" not in html_of("A.", notes="cited")


def test_places():
    """Places that markers name are read with the reference, and listed with the source."""
    places = (Location("page", 4, 5), Location("line", 8, 14))
    marker = Marker(2, 5, "[1]", "number", ("1",))
    more = Citation("1", SOURCES[1], 1, 2, (Location("sentence", 0, 1), Location("page", 3, 4)))
    answer = Answer(
        (
            TextSegment("A "),
            CitationSegment(marker, (Citation("1", SOURCES[1], 1, 1, places),)),
            TextSegment(" b "),
            CitationSegment(marker, (more,)),
        ),
        (SOURCES[1],),
    )
    html = str(HtmlRenderer(id_prefix="p").render(answer))
    title = "Fees &amp; more"
    assert link(1, 1, title, "[1]", ", page 4, lines 8–13") in html
    assert link(1, 2, title, "[1]", ", sentence 0, page 3") in html
    assert (
        '<div class="cite-place"><bdi>page 3</bdi>, <bdi>page 4</bdi>, <bdi>lines 8–13</bdi>,'
        " <bdi>sentence 0</bdi></div>"
    ) in html


def test_scores():
    """Relevance is shown only if it is asked for, and only if it is a number."""
    assert "score" not in html_of("A [1][2]", previews="hint")
    html = html_of("A [1][2]", previews="hint", scores=True)
    assert re.findall("<bdi>score .*?</bdi>", html) == ["<bdi>score 0.8765</bdi>"] * 2


def fields_of(pattern):
    """The names in braces."""
    return sorted(field for _, field, _, _ in Formatter().parse(pattern) if field)


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages(language):
    """Each language has all the words, with the fields of the English ones, and uses them."""
    words = words_of(language)
    assert list(words) == list(WORDS)
    assert [*map(fields_of, words.values())] == [*map(fields_of, WORDS.values())]
    assert all(word.strip() for name, word in words.items() if name != "separator")
    html = html_of("A [1][2] [doc:x]", language=language, notes="all", previews="button")
    for name in ("heading", "consulted", "missing", "web", "document", "open", "close"):
        assert words[name] in html
    english = {WORDS[name] for name in ("heading", "consulted", "missing", "open", "close")}
    assert language in {"en", "fr"} or not [word for word in english if word in html]


def test_region_and_words_of_a_language():
    """A region does not count, and single words may be others."""
    words = {"missing": "keine Quelle", "separator": " & "}
    html = html_of("A [2] [doc:x]", language="de-AT", words=words, heading="Belege")
    assert "(keine Quelle)" in html
    assert ">Belege</h2>" in html
    assert 'aria-label="Quelle 1: Fees &amp; more"' in html
    with_score = html_of("A [1]", words=words, scores=True)
    assert "<bdi>example.org</bdi> &amp; <bdi>score" in with_score


def test_parts():
    """Body and notes are what ``render`` joins, both safe to put into a template."""
    renderer = HtmlRenderer(previews="hint")
    answer = cite("A [1].", SOURCES)
    body, notes = renderer.parts(answer)
    assert body + notes == renderer.render(answer)
    assert [type(part) for part in (body, notes)] == [Markup, Markup]
    assert str(renderer.parts(cite("A.", SOURCES)).notes) == ""


COPIES = DictLoader(
    {f"html/{path.name}": path.read_text("utf-8") for path in TEMPLATES.glob("*.html")}
)
"""Our templates, as if a caller had written them."""

VARIANTS = (
    {},
    {"previews": "hint", "notes": "all", "scores": True, "language": "ar"},
    {"previews": "button", "notes": "none", "group": "joined", "math": True},
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_templates_are_filled_alike(path):
    """Filled each time, as a caller's templates are, our templates give the same."""
    answer = example(path)
    for options in VARIANTS:
        quick, slow = HtmlRenderer(**options), HtmlRenderer(**options, templates=COPIES)
        assert quick.render(answer) == slow.render(answer)


def test_own_templates():
    """A template of the caller's takes the place of ours, may use it, and sees true values."""
    loader = DictLoader(
        {
            "html/plain.html": "{{ number }}",
            "html/place.html": '<i>{{ text | upper }}</i>{% if text == "page 3" %}!{% endif %}',
            "html/notes.html": '<hr>{% include "citemark/html/notes.html" %}',
        }
    )
    html = html_of("A [2].", templates=loader)
    assert '<div class="cite-place"><i>PAGE 3</i>!</div>' in html
    assert '</div>\n<hr><section class="cite-notes"' in html
    assert html_of("A [2].").count("<i>") == 0


@pytest.mark.parametrize("folder", ["own", "citemark", "html", "mine"])
def test_own_templates_in_folders(folder):
    """Templates of the caller's are found in whatever folder they are."""
    loader = DictLoader(
        {
            "html/place.html": f'{{% include "{folder}/p.html" %}}',
            f"{folder}/p.html": "<i>P</i>",
        }
    )
    assert '<div class="cite-place"><i>P</i></div>' in html_of("A [2].", templates=loader)


def test_own_templates_see_counts():
    """A template of the caller's gets each use as a number that it can reckon with."""
    loader = DictLoader({"html/backlink.html": "{{ use | int + 1 }}|{{ href }}"})
    html = html_of("A [1]. B [1].", templates=loader, id_prefix="p")
    assert '<div class="cite-backs">2|#p-ref-1-1 3|#p-ref-1-2</div>' in html


@dataclass
class Unhashable(BaseLoader):
    """Equal to all others with the same templates, and without a hash."""

    templates: dict[str, str]

    def get_source(self, environment, template):  # noqa: ARG002  as in the base class
        if template not in self.templates:
            raise TemplateNotFound(template)
        source = self.templates[template]
        return source, None, lambda: self.templates.get(template) == source


def test_any_loader_can_be_given():
    """Loaders are told apart by identity, whatever they are equal to."""
    loaders = [Unhashable({"html/plain.html": "{{ number }}"}) for _ in range(2)]
    pages = [html_of("A [2].", templates=loader) for loader in loaders]
    assert pages[0] == pages[1]
    loaders[0].templates = {"html/notes.html": "<hr>"}
    assert html_of("A [2].", templates=loaders[0]).endswith("<hr>")
    assert html_of("A [2].", templates=loaders[1]) == pages[1]


def test_templates_that_change_are_seen_by_the_next_page():
    """One that is added, changed, or taken away."""
    loader, renders = Unhashable({}), []
    for templates in ({}, {"html/notes.html": "<hr>"}, {"html/notes.html": "<br>"}, {}):
        loader.templates = templates
        renders.append(html_of("A [2].", templates=loader))
    ours = html_of("A [2].")
    assert renders[0] == renders[3] == ours
    assert (renders[1][-4:], renders[2][-4:]) == ("<hr>", "<br>")


def test_heading_is_never_empty():
    """One that is not to be seen still names the list; one that the model left empty goes."""
    html = html_of("# \n\n## \u200b\n\n# [2]\n", heading="", language="de")
    assert '<h2 class="cite-heading cite-hidden" id="p-sources">Quellen</h2>' in html
    assert re.findall("<h([1-6])", html) == ["1", "2"]
    assert "<h1><sup" in html


def test_titles_are_cut_where_they_are_read_at_each_use():
    """By words; the list has them whole."""
    title = "Levels of the harbour and what they say of the " + "year " * 20
    html = str(HtmlRenderer().render(cite("A [1].", [Source("a", title=title)])))
    label = re.search('aria-label="Source 1: (.*?)"', html)[1]
    assert (
        label == "Levels of the harbour and what they say of the year year year year year year…"
    )
    assert title.strip() in html


def test_values_are_text():
    """Signs that templates, or the filling of them, give a meaning are text in values."""
    odd = "%s {{ title }} \0title\1 {% raw %} <b> &amp; '\" %(title)s %"
    for templates in (None, COPIES):
        source = Source("1", title=odd, text=odd, page=odd)
        answer = cite(f"A [1] {odd}", [source])
        html = str(HtmlRenderer(previews="hint", templates=templates).render(answer))
        shown = "%s {{ title }} �title� {% raw %} &lt;b&gt; &amp;amp; &#39;&#34; %(title)s %"
        assert html.count(f"<bdi>{shown}</bdi>") == 2
        assert html.count(f'dir="auto">{shown}</blockquote>') == 2


def test_threads_share_a_renderer():
    """Whatever runs beside it, an answer is rendered the same."""
    renderer = HtmlRenderer(previews="hint", notes="all")
    answers = [example(path) for path in EXAMPLES]
    alone = [HtmlRenderer(previews="hint", notes="all").render(answer) for answer in answers]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(renderer.render, answers * 3))
    assert together == alone * 3


@pytest.mark.slow
def test_every_run_gives_the_same():
    """The order in which a process keeps its sets does not show."""
    code = (
        "from citemark import cite, render\n"
        'text = \'A [1][2] "b c d e" [3]. "f g h i" [doc:x] [1]\'\n'
        "sources = [{'id': n, 'title': n, 'text': 'b c d e f g h i'} for n in 'abc']\n"
        "print(render(cite(text, sources), 'html', previews='hint'))\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(runs) == 1
    assert b"<mark>" in next(iter(runs))

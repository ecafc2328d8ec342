"""A page made on the server, in a real browser: no script of ours is on it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from citemark import cite, render
from citemark.cli.page import page as whole_page

CSP = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'"
"""Lets nothing in but the stylesheet; scripts are refused."""

ANSWERS = sorted(Path(__file__).parents[2].joinpath("examples", "answers").glob("*.md"))
SUPPORT = ANSWERS[0]
(ARABIC,) = (path for path in ANSWERS if "arabic" in path.name)
# Tables, code, formulas, nested lists with quotes, ids that name nothing.
VARIED = [path for path in ANSWERS if path.stem[:2] in {"03", "04", "05", "14", "15"}]

SCRIPT = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
PREVIEWS = pytest.mark.parametrize("previews", ["hint", "button"])
FIRST, NOTE, CARD = "#x-ref-1-1", "#x-src-1", "#x-card-1"


def rendered(path, **options):
    sources = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
    answer = cite(path.read_text("utf-8"), sources)
    return render(answer, "html", notes="all", **{"id_prefix": "x"} | options)


@pytest.fixture
def show(visitor):
    """Open a page around HTML; options are those of a browser context."""

    def opened(*answers, lang="en", script=True, **context):
        sections = [(f"Answer {number}", html) for number, html in enumerate(answers, 1)]
        html = whole_page("Answers", sections, lang=lang)
        page = visitor.page(java_script_enabled=script, **context)
        # Beside the stylesheet, which the page looks for in its own folder.
        page.goto(visitor.site.serve("/static/page", html, csp=CSP))
        return page

    return opened


def several(paths, previews="hint"):
    """Answers for one page: each has ids of its own, and a list of its own name."""
    return [
        rendered(path, id_prefix=f"a{number}", previews=previews, heading=f"Sources {number}")
        for number, path in enumerate(paths)
    ]


def violations(page):
    """What axe-core finds, in short."""
    found = Axe().run(page).response["violations"]
    return [(rule["id"], node["html"]) for rule in found for node in rule["nodes"]]


def press_until(page, key, selector):
    """Press a key until an element has the focus, as one does who sees where it is."""
    for _ in range(20):
        page.keyboard.press(key)
        if page.locator(selector).and_(page.locator(":focus")).count():
            return
    pytest.fail(f"{key} does not reach {selector}")


@pytest.mark.parametrize(
    ("path", "language", "scheme", "previews"),
    [
        (SUPPORT, "en", "light", "hint"),
        (SUPPORT, "en", "dark", "button"),
        (ARABIC, "ar", "light", "button"),
        (ARABIC, "ar", "dark", "hint"),
    ],
)
def test_accessibility(show, path, language, scheme, previews):
    """axe-core has nothing to say, with a card closed and open."""
    html = rendered(path, previews=previews, language=language)
    # The contrast is measured at once: no colour may be on its way to another.
    page = show(html, lang=language, color_scheme=scheme, reduced_motion="reduce")
    assert page.locator("html[dir=rtl]").count() == (language == "ar")
    assert violations(page) == []

    (page.click if previews == "button" else page.hover)(FIRST)
    expect(page.locator(CARD)).to_be_visible()
    assert violations(page) == []


def test_accessibility_of_several_answers(show):
    assert violations(show(*several(VARIED))) == []


def test_violations_are_found(show):
    page = show(rendered(SUPPORT))
    page.locator(FIRST).evaluate("link => { link.ariaLabel = link.textContent = '' }")
    assert "link-name" in [rule for rule, _ in violations(page)]


@SCRIPT
@pytest.mark.parametrize("previews", ["none", "hint"])
def test_keyboard_to_the_note_and_back(show, previews, script):
    """Following a reference leads to its note, and following the way back returns."""
    page = show(rendered(SUPPORT, previews=previews), script=script)
    press_until(page, "Tab", FIRST)
    page.keyboard.press("Enter")
    expect(page.locator(f"{NOTE}:target")).to_be_in_viewport()

    press_until(page, "Tab", f"{NOTE} .cite-back")
    page.keyboard.press("Enter")
    expect(page.locator(f"{FIRST}:target")).to_be_focused()


@SCRIPT
def test_keyboard_opens_and_closes_a_card(show, script):
    """Enter opens it, Tab goes into it, and Escape closes it where one was before."""
    page = show(rendered(SUPPORT, previews="button"), script=script)
    press_until(page, "Tab", FIRST)
    page.keyboard.press("Enter")
    expect(page.locator(CARD)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(f"{CARD} :focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(CARD)).to_be_hidden()
    expect(page.locator(FIRST)).to_be_focused()


def test_policy(show, visitor):
    """A policy that lets in the stylesheet alone has nothing to report on any example."""
    page = show(*several(ANSWERS, "button"))
    assert visitor.leave() == ([], [])
    assert page.evaluate("document.styleSheets[0].cssRules.length") > 10


def test_policy_is_watched(show, visitor):
    """What the policy refuses is noticed on such a page, with scripts refused too."""
    show("<p style='color: red'>Red</p><script>1</script>")
    reports, _ = visitor.leave()
    assert {report.split()[0] for report in reports} == {"style-src-attr", "script-src-elem"}


@PREVIEWS
def test_narrow_screen(show, previews):
    """At 320 px no example makes the page scroll sideways, nor does an open card."""
    page = show(*several(ANSWERS, previews), viewport={"width": 320, "height": 640})
    width = "document.scrollingElement.scrollWidth"
    assert page.evaluate(width) == 320
    page.evaluate("document.querySelector('.cite-card').showPopover()")
    assert page.evaluate(width) == 320
    box = page.locator(".cite-card").first.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320


@PREVIEWS
def test_print(show, previews):
    """On paper there are the text, the numbers and the notes; no cards and no ways back."""
    page = show(rendered(SUPPORT, previews=previews))
    page.evaluate("document.querySelector('.cite-card').showPopover()")
    shown = ".cite-card:visible, .cite-back:visible"
    assert page.locator(shown).count() > 1
    page.emulate_media(media="print")
    assert page.locator(shown).count() == 0
    expect(page.locator(FIRST)).to_be_visible()
    expect(page.locator(NOTE)).to_be_visible()
    page.emulate_media(media="null")


@pytest.mark.parametrize("previews", ["none", "hint", "button"])
def test_copied_text(show, previews):
    """Selected text keeps the brackets of its citations."""
    page = show(rendered(SUPPORT, previews=previews))
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.cite-body'))")
    copied = page.evaluate("getSelection().toString()")
    assert "inspected the same day [1]." in copied
    assert "stays with the carrier [2][3]." in copied


def test_answers_on_one_page(show):
    """No id is there twice, and every reference leads to the note in its own answer."""
    page = show(*several(ANSWERS))
    ids = page.eval_on_selector_all("[id]", "all => all.map(one => one.id)")
    assert [id_ for id_, times in Counter(ids).items() if times > 1] == []

    astray = """all => all.filter(one => {
      const note = document.getElementById(one.hash.slice(1));
      const number = /[0-9]+/.exec(one.textContent)[0];
      return note?.id.endsWith(`-src-${number}`) !== true
        || note.closest('article') !== one.closest('article');
    }).map(one => one.id)"""
    references = "a.cite-ref[role=doc-noteref]"
    assert page.locator(references).count() > 100
    assert page.eval_on_selector_all(references, astray) == []

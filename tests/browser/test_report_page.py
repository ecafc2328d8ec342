"""The page of a report in a browser: accessible, whole without a script, on any screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser_kit import ANSWERS, ARABIC, PAGE_CSP, violations
from report_kit import TILE_WIDTHS, TILES

from citemark import Sources, cite
from citemark.checks import Summary, as_html, check
from citemark.checks.reports._page import page_of
from citemark.checks.reports._summary_view import summary_view
from citemark.checks.reports._worst import Worst

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"
NARROW, WIDE = {"width": 320, "height": 740}, {"width": 1200, "height": 800}
INVENTED = next(path for path in ANSWERS if "invented" in path.name)
EXAMPLES = {"en": INVENTED, "ar": ARABIC}

SCHEME = pytest.mark.parametrize("scheme", ["light", "dark"])
SIZE = pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
WIDTH = "document.documentElement.scrollWidth"


def reported(path):
    """Return the report of an example answer."""
    sources = Sources(json.loads(path.with_suffix(".sources.json").read_text("utf-8")))
    return check(cite(path.read_text("utf-8"), sources), sources=sources)


def example_page(name):
    """Return the page of an example by its language, or of all with the two worst."""
    if name != "all":
        return as_html(reported(EXAMPLES[name]), title="Citations", lang=name)
    summary = Summary(sections=2)
    for path in ANSWERS:
        summary.add(reported(path), name=path.stem)
    summary.add_error("row 27", "is not JSON: Expecting value: line 1 column 1 (char 0)")
    return summary.to_html(title="Citations of all examples")


@pytest.fixture(scope="module")
def pages():
    """The pages by name."""
    return {name: example_page(name) for name in (*EXAMPLES, "all")}


@pytest.fixture
def open_report(visitor, pages):
    """Open a page of a report as a file would be: with no policy but its own."""

    def opened(name, **options):
        page = visitor.page(**options)
        page.goto(visitor.site.serve("/report", pages[name], csp="frame-ancestors 'none'"))
        return page

    return opened


@SCHEME
@SIZE
@pytest.mark.parametrize("name", ["en", "ar", "all"])
def test_page(open_report, name, size, scheme):
    """axe-core has nothing to say, nothing scrolls sideways, and a picture is kept."""
    page = open_report(name, color_scheme=scheme, viewport=size, bypass_csp=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    kind = "narrow" if size is NARROW else "wide"
    page.screenshot(path=FOLDER / f"report-{name}-{kind}-{scheme}.png", full_page=True)
    assert violations(page) == []
    assert page.evaluate(WIDTH) == size["width"]


def scaled(value):
    """Return plain data with all whole numbers in it made large."""
    if isinstance(value, dict):
        return {name: scaled(one) for name, one in value.items()}
    return value * 123_457 + 7 if type(value) is int else value


@pytest.fixture(scope="module")
def large_page():
    """The page of a summary of many answers."""
    summary = Summary(sections=0)
    for path in ANSWERS[:3]:
        summary.add(reported(path))
    return page_of("Many", [], summary_view(scaled(summary.to_dict()), Worst(0, 0)))


@pytest.mark.parametrize("width", TILE_WIDTHS)
def test_figures_fit_their_tiles(visitor, open_report, large_page, width):
    """No word is broken or stands over the edge, and each row of tiles is full."""
    size = {"width": width, "height": 800}
    page = open_report("en", viewport=size)
    assert page.eval_on_selector_all(".figures", TILES) == []
    page = visitor.page(viewport=size)
    page.goto(visitor.site.serve("/large", large_page, csp="frame-ancestors 'none'"))
    assert page.eval_on_selector_all(".figures", TILES) == []
    assert page.evaluate(WIDTH) == width


def test_page_asks_for_nothing(visitor, pages):
    """One request, for the page; its own policy lets the style in, and a stricter one too."""
    page = visitor.page(java_script_enabled=False)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    address = visitor.site.serve("/report", pages["en"], csp="frame-ancestors 'none'")
    page.goto(address)
    assert [url for url in asked if not url.endswith("/favicon.ico")] == [address]
    assert page.locator(".figure").first.evaluate("one => one.tagName") == "DIV"


def test_style_is_let_in_by_the_policy(open_report):
    """And no other: one that is added later is refused."""
    page = open_report("en")
    display = "selector => getComputedStyle(document.querySelector(selector)).display"
    assert page.evaluate(display, ".figures") == "grid"


def test_stricter_policy_of_a_server_wins(visitor, pages):
    """Without its style the page is still all there, and no script is missed."""
    page = visitor.page()
    page.goto(visitor.site.serve("/report", pages["en"], csp=PAGE_CSP))
    assert page.locator("mark.at-unresolved").count() > 0
    visitor.leave()  # the style is refused, which is what was asked for


def test_findings_and_places_lead_to_each_other(open_report):
    """By keyboard: from the mark to the finding, and from there back to the words."""
    page = open_report("en", viewport=WIDE)
    tag = page.locator("a.tag").first
    number = tag.evaluate("one => one.hash")
    tag.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == number
    assert page.locator(f"{number}:target").count() == 1
    page.locator(f"{number} a").click()
    assert page.locator(".answer span:target").count() == 1


def test_marks_differ_without_colour(open_report):
    """Each kind that is there has a line of its own style, or a label of its own words."""
    page = open_report("en", forced_colors="active")
    lines = page.eval_on_selector_all(
        ".legend li",
        "all => all.map(one => [getComputedStyle(one.querySelector('mark')).textDecorationLine,"
        " one.querySelector('.tag').textContent])",
    )
    assert {line for line, _ in lines} == {"underline"}
    assert len({label for _, label in lines}) == len(lines) > 1


def test_right_to_left_answers_are_so(open_report):
    """Paragraph by paragraph, by what they hold."""
    page = open_report("ar")
    directions = page.eval_on_selector_all(
        ".answer p", "all => all.map(one => getComputedStyle(one).direction)"
    )
    assert set(directions) == {"rtl"}


def test_page_prints(open_report):
    """In light colours, whatever the screen has."""
    page = open_report("en", color_scheme="dark")
    page.emulate_media(media="print")
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    FOLDER.mkdir(parents=True, exist_ok=True)
    page.pdf(path=FOLDER / "report-en-print.pdf")
    page.emulate_media(media="screen")

"""The page of statistics in a browser: accessible, whole without a script, on any screen."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest
from browser_kit import ANSWERS, violations
from report_kit import TILE_WIDTHS, TILES

from citemark import Sources
from citemark.batch import BatchOptions, annotate_row
from citemark.batch.stats import Stats

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"
NARROW, WIDE = {"width": 320, "height": 740}, {"width": 1200, "height": 800}
HOSTILE = '"><script>alert(1)</script>\u202e' + "x" * 300

SCHEME = pytest.mark.parametrize("scheme", ["light", "dark"])
SIZE = pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
WIDTH = "document.documentElement.scrollWidth"


def add_examples(stats):
    """Add all example answers, one without an answer and one with an error."""
    options = BatchOptions(check=True)
    for path in ANSWERS:
        sources = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
        row = {"id": path.stem, "answer": path.read_text("utf-8"), "sources": sources}
        stats.add(annotate_row(row, options))
    for n, answer in enumerate((None, 7, "The tide is a rise of the sea.")):
        stats.add(annotate_row({"id": f"odd-{n}", "answer": answer, "sources": []}, options))


def page_of(name):
    """Return the page of all examples; of what attacks it; or of nothing."""
    given = [{"id": f"guide-{n}", "title": f"Field guide, part {n}"} for n in range(1, 26)]
    stats = Stats(Sources([*given, {"id": HOSTILE}], label="id"))
    if name == "examples":
        add_examples(stats)
        stats.add_unread("out.jsonl, line 27", "is not JSON: Expecting value at column 1")
    if name == "hostile":
        sources = [{"id": HOSTILE, "title": f"مياه {HOSTILE}"}]
        row = annotate_row({"id": HOSTILE, "answer": "Boats rot [1].", "sources": sources})
        stats.add(row | {"formats": {HOSTILE: 3}, "error": HOSTILE, "version": HOSTILE})
        stats.add_unread(HOSTILE, HOSTILE)
    return stats.to_html(title=HOSTILE if name == "hostile" else "Citations in May")


@pytest.fixture(scope="module")
def pages():
    """The pages by name; one is also read from right to left, as a browser may translate it."""
    found = {name: page_of(name) for name in ("examples", "hostile", "empty")}
    rtl = found["examples"].replace('<html lang="en">', '<html lang="en" dir="rtl">')
    return found | {"examples-rtl": rtl}


@pytest.fixture
def open_stats(visitor, pages):
    """Open a page as a file would be: with no policy but its own."""

    def opened(name, **options):
        page = visitor.page(**options)
        page.goto(visitor.site.serve("/stats", pages[name], csp="frame-ancestors 'none'"))
        return page

    return opened


@SCHEME
@SIZE
@pytest.mark.parametrize("name", ["examples", "examples-rtl", "hostile", "empty"])
def test_page(open_stats, name, size, scheme):
    """axe-core has nothing to say, nothing scrolls sideways, and a picture is kept."""
    page = open_stats(name, color_scheme=scheme, viewport=size, bypass_csp=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    kind = "narrow" if size is NARROW else "wide"
    page.screenshot(path=FOLDER / f"stats-{name}-{kind}-{scheme}.png", full_page=True)
    assert violations(page) == []
    assert page.evaluate(WIDTH) == size["width"]


@pytest.fixture(scope="module", params=[True, False], ids=["checked", "bare"])
def large_page(request):
    """The page of many rows, with figures of checks and without."""
    stats = Stats()
    if request.param:
        add_examples(stats)
    else:
        stats.add(annotate_row({"answer": "Boats rot [1].", "sources": [{"id": "a"}]}))
    for _ in range(17):
        stats.merge(deepcopy(stats))
    return stats.to_html()


@pytest.mark.parametrize("width", TILE_WIDTHS)
def test_figures_fit_their_tiles(visitor, large_page, width):
    """No word is broken or stands over the edge, and each row of tiles is full."""
    page = visitor.page(viewport={"width": width, "height": 800})
    page.goto(visitor.site.serve("/large", large_page, csp="frame-ancestors 'none'"))
    assert page.eval_on_selector_all(".figures", TILES) == []
    assert page.evaluate(WIDTH) == width


def test_page_asks_for_nothing(visitor, pages):
    """One request, for the page; it is whole without a script."""
    page = visitor.page(java_script_enabled=False)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    address = visitor.site.serve("/stats", pages["examples"], csp="frame-ancestors 'none'")
    page.goto(address)
    assert [url for url in asked if not url.endswith("/favicon.ico")] == [address]
    assert page.locator("table").count() > 4


def test_style_is_let_in_by_the_policy(open_stats):
    """Of the page itself."""
    page = open_stats("examples")
    display = "selector => getComputedStyle(document.querySelector(selector)).display"
    assert page.evaluate(display, ".figures") == "grid"


def test_bars_are_as_long_as_their_numbers(open_stats):
    """The longest of a plot is full, the others in proportion, from the start; 0 has none."""
    for name, edge in (("examples", "left"), ("examples-rtl", "right")):
        page = open_stats(name, viewport=WIDE)
        for plot in page.locator("table:has(.bar)").all():
            empty = plot.locator("td:not(:has(.bar)) .number").all_text_contents()
            assert set(empty) <= {"0"}
            found = plot.locator("td:has(.bar)").evaluate_all(
                "(all, edge) => all.map(one => [one.querySelector('.number').textContent,"
                " ...['bar-part', 'bar-all'].map(name => one.querySelector('.' + name)"
                ".getBoundingClientRect()).flatMap(box => [box.width, box[edge]])])",
                edge,
            )
            numbers = [int(number.replace(",", "")) for number, *_ in found]
            for number, (_, part, start, whole, from_) in zip(numbers, found, strict=True):
                assert part / whole == pytest.approx(number / max(numbers), abs=0.01)
                assert start == pytest.approx(from_, abs=1)


def test_page_prints(open_stats):
    """In light colours, whatever the screen has."""
    page = open_stats("examples", color_scheme="dark")
    page.emulate_media(media="print")
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    FOLDER.mkdir(parents=True, exist_ok=True)
    page.pdf(path=FOLDER / "stats-examples-print.pdf")
    page.emulate_media(media="screen")

"""Pictures of pages, kept in ``build/screenshots/``, and what must hold in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_kit import ARABIC, CARD, FIRST, SUPPORT, rendered
from playwright.sync_api import expect

FOLDER = Path(__file__).parents[2] / "build" / "screenshots"
EXAMPLE = "answers/15-invented-ids"
ANSWERS = {"en": SUPPORT, "ar": ARABIC}
SIZES = {"narrow": {"width": 360, "height": 740}, "wide": {"width": 1200, "height": 800}}

SCHEME = pytest.mark.parametrize("scheme", ["light", "dark"])
SIZE = pytest.mark.parametrize("size", SIZES)


def keep(page, name, *, whole=False):
    """Write a picture of what is seen, or of the whole page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=whole, animations="disabled")


def box(page, selector):
    """Return the sides of an element."""
    made = page.locator(selector).bounding_box()
    x, y = made["x"], made["y"]
    return x, y, x + made["width"], y + made["height"]


@SCHEME
@SIZE
@pytest.mark.parametrize("language", ANSWERS)
@pytest.mark.parametrize("previews", ["hint", "button"])
def test_answer(show, previews, language, size, scheme):
    """An open card is in the picture as a whole, and does not cover its number."""
    html = rendered(ANSWERS[language], previews=previews, language=language)
    page = show(html, lang=language, color_scheme=scheme, viewport=SIZES[size])
    name = f"answer-{language}-{previews}-{size}-{scheme}"
    keep(page, f"{name}-whole", whole=True)
    (page.click if previews == "button" else page.hover)(FIRST)
    expect(page.locator(CARD)).to_be_visible()
    keep(page, f"{name}-card")
    left, top, right, bottom = box(page, CARD)
    _, above, _, below = box(page, FIRST)
    assert 0 <= left < right <= SIZES[size]["width"]
    assert 0 <= top < bottom <= SIZES[size]["height"]
    assert top >= below - 1 or bottom <= above + 1


@SCHEME
@SIZE
def test_focus(show, size, scheme):
    """A number that the keyboard reached has a ring, which is not cut off."""
    page = show(rendered(SUPPORT), color_scheme=scheme, viewport=SIZES[size])
    page.keyboard.press("Tab")
    expect(page.locator(f"{FIRST}:focus-visible")).to_have_count(1)
    keep(page, f"focus-{size}-{scheme}")
    style = "one => getComputedStyle(one).outlineStyle"
    assert page.locator(FIRST).evaluate(style) == "solid"


@SCHEME
@SIZE
def test_live_page(visitor, address, size, scheme):
    """The page of ``citemark demo`` in its states: none of them scrolls sideways."""
    page = visitor.page(color_scheme=scheme, viewport=SIZES[size])
    width = "document.documentElement.scrollWidth"

    def state(name, *, whole=True):
        keep(page, f"live-{name}-{size}-{scheme}", whole=whole)
        assert page.evaluate(width) == SIZES[size]["width"]

    page.goto(address)
    state("start")
    page.fill("#given-sources", "[{")
    page.click("text=Show it")
    expect(page.locator("[role=alert]")).to_be_visible()
    state("mistake")
    visitor.leave()  # the console calls a page with status 422 an error
    page.goto(f"{address}{EXAMPLE}?speed=slow")
    expect(page.locator("#player .cite-note").first).to_be_visible()
    state("playing", whole=False)
    page.goto(f"{address}{EXAMPLE}?speed=at+once")
    expect(page.locator("#player .cite-cards")).to_have_count(1)
    state("done")
    page.hover("#player .cite-ref >> nth=0")
    expect(page.locator("#player .cite-card:popover-open")).to_have_count(1)
    state("card", whole=False)

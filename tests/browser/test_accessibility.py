"""axe-core has nothing to say of any page, in any of its states."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from browser_kit import (
    ANSWERS,
    ARABIC,
    CARD,
    FIRST,
    PAGE_CSP,
    SUPPORT,
    rendered,
    several,
    violations,
)
from playwright.sync_api import expect

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"
SCHEMES = ("light", "dark")
# Tables, code, formulas, nested lists with quotes, ids that name nothing.
VARIED = [path for path in ANSWERS if path.stem[:2] in {"03", "04", "05", "14", "15"}]


@pytest.mark.parametrize("previews", ["none", "hint", "button"])
@pytest.mark.parametrize(("language", "path"), [("en", SUPPORT), ("ar", ARABIC)])
def test_answer(show, language, path, previews):
    """In light and dark, left to right and right to left, with a card closed and open."""
    html = rendered(path, previews=previews, language=language)
    page = show(html, lang=language)
    assert page.locator("html[dir=rtl]").count() == (language == "ar")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.keyboard.press("Escape")
        page.mouse.move(0, 0)
        expect(page.locator(".cite-card:visible")).to_have_count(0)
        assert violations(page) == []
        (page.click if previews == "button" else page.hover)(FIRST)
        expect(page.locator(CARD)).to_be_visible(visible=previews != "none")
        assert violations(page) == []


@pytest.mark.parametrize("previews", ["hint", "button"])
def test_colours_change_at_once(show, previews):
    """A number can be read all the time: no colour is on its way to another."""
    page = show(rendered(SUPPORT, previews=previews), reduced_motion="no-preference")
    slow = """() => [...document.querySelectorAll('body *')].filter(one =>
      ['transitionDuration', 'animationName'].some(name =>
        !/^(0s|none)(, (0s|none))*$/.test(getComputedStyle(one)[name]))).length"""
    for meet in (page.hover, page.focus, page.click):
        meet(FIRST)
        assert page.evaluate("document.getAnimations().length") == page.evaluate(slow) == 0


@pytest.mark.parametrize(("previews", "scheme"), [("hint", "dark"), ("button", "light")])
def test_several_answers(show, previews, scheme):
    """Each list on a page is a landmark with a name of its own."""
    page = show(*several(VARIED, previews=previews), color_scheme=scheme)
    names = page.eval_on_selector_all(
        "[role=doc-endnotes]",
        """all => all.map(one => one.getAttribute('aria-labelledby').split(' ')
          .map(id => document.getElementById(id).textContent).join(' '))""",
    )
    assert names == [f"Sources Answer {number}" for number in range(len(VARIED))]
    assert violations(page) == []


def test_lists_of_one_name_are_found(show):
    """Without ``labelled_by`` people who hear the page could not tell the lists apart."""
    page = show(*(rendered(SUPPORT, id_prefix=prefix) for prefix in "xy"))
    assert "landmark-unique" in [rule for rule, _ in violations(page)]


def test_page_of_the_examples(visitor, tmp_path):
    """What ``make demo`` makes: all examples."""
    subprocess.run([sys.executable, DEMO, tmp_path], check=True, stdout=subprocess.DEVNULL)
    html = (tmp_path / "index.html").read_text("utf-8")
    page = visitor.page()
    page.goto(visitor.site.serve("/static/demo", html, csp=PAGE_CSP))
    assert violations(page) == []
    assert page.locator("[role=doc-endnotes]").count() == len(ANSWERS)


def test_violations_are_found(show):
    page = show(rendered(SUPPORT))
    page.locator(FIRST).evaluate("link => { link.ariaLabel = link.textContent = '' }")
    assert "link-name" in [rule for rule, _ in violations(page)]

"""The page of ``citemark demo`` in a browser: played, pasted, narrow, and without scripts."""

from __future__ import annotations

import pytest
from browser_kit import violations
from playwright.sync_api import expect

EXAMPLE = "answers/15-invented-ids"
RAW = ("[doc:", "<<", "[[", "[2, 7]")
WATCH = """(player) => {
  window.frames_ = [];
  document.addEventListener('citemark:done', () => { document.body.dataset.done = ''; });
  new MutationObserver(() => window.frames_.push({
    text: player.textContent,
    shown: [...player.querySelectorAll('.cite-ref')].map((made) => made.textContent),
    sources: [...player.querySelectorAll('.cite-note')].map((note) => note.value),
  })).observe(player, { childList: true, subtree: true, characterData: true });
}"""
WIDTH = "document.documentElement.scrollWidth"


def wait_for_end(page):
    expect(page.locator("#player[aria-busy]")).to_have_count(0)
    expect(page.locator("#player .cite-cards")).to_have_count(1)


def test_no_frame_shows_a_raw_marker_or_another_number(visitor, address):
    """What is shown stays, and what is not certain is not shown."""
    page = visitor.page()
    page.goto(f"{address}{EXAMPLE}?speed=at+once")
    wait_for_end(page)
    page.locator("#player").evaluate(WATCH)
    page.click("text=Play again")
    expect(page.locator("body[data-done]")).to_have_count(1)
    frames = page.evaluate("window.frames_")
    assert len(frames) > 100
    assert [frame["text"] for frame in frames if any(raw in frame["text"] for raw in RAW)] == []
    last = frames[-1]
    assert last["sources"] == [1, 2, 3, 4, 5]
    for frame in frames:
        for name in ("shown", "sources"):
            assert frame[name] == last[name][: len(frame[name])]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(visitor, address, scheme):
    """axe-core has nothing to say of the form, of a mistake, of an answer, or of a card."""
    page = visitor.page(color_scheme=scheme)
    page.goto(address)
    assert violations(page) == []
    page.fill("#given-sources", "[{")
    page.click("text=Show it")
    expect(page.locator("[role=alert]")).to_be_visible()
    assert violations(page) == []
    visitor.leave()  # the console calls a page with status 422 an error
    page.goto(f"{address}{EXAMPLE}?speed=slow")
    expect(page.locator("#player .cite-ref").first).to_be_visible()
    assert violations(page) == []
    page.goto(f"{address}{EXAMPLE}?speed=at+once")
    wait_for_end(page)
    page.hover("#player .cite-ref >> nth=0")
    expect(page.locator("#player .cite-card:popover-open")).to_have_count(1)
    assert violations(page) == []


def test_preview_after_the_end(visitor, address):
    """A reference leads to a card with its source."""
    page = visitor.page()
    page.goto(f"{address}{EXAMPLE}?speed=at+once")
    wait_for_end(page)
    page.hover("#player .cite-ref >> nth=0")
    expect(page.locator("#player .cite-card:popover-open")).to_contain_text("County archive")


def test_pasted_answer(visitor, address):
    """A mistake is said and its field has the focus; then the answer is played."""
    page = visitor.page()
    page.goto(address)
    page.fill("#given-answer", "Five **days** [1], not [doc:x].")
    page.fill("#given-sources", "[{")
    page.select_option("#speed", "at once")
    page.click("text=Show it")
    expect(page.locator("[role=alert]")).to_contain_text("is not JSON")
    expect(page.locator("#given-sources")).to_be_focused()
    visitor.leave()  # the console calls a page with status 422 an error
    page.fill("#given-sources", "Refund policy | https://example.org/refunds")
    page.click("text=Show it")
    wait_for_end(page)
    expect(page.locator("#player strong")).to_have_text("days")
    expect(page.locator("#player .cite-ref--missing")).to_contain_text("x")
    expect(page.locator("#player .cite-title")).to_contain_text(["Refund policy"])


def test_narrow_page_does_not_scroll_sideways(visitor, address):
    """At 320 pixels, while it is played and after."""
    page = visitor.page(viewport={"width": 320, "height": 600})
    page.goto(f"{address}{EXAMPLE}?speed=slow")
    expect(page.locator("#player .cite-ref").first).to_be_visible()
    assert page.evaluate(WIDTH) == 320
    page.goto(f"{address}{EXAMPLE}?speed=at+once")
    wait_for_end(page)
    assert page.evaluate(WIDTH) == 320
    page.goto(address)
    assert page.evaluate(WIDTH) == 320


def test_page_without_scripts(visitor, address):
    """The whole answer is there at once."""
    page = visitor.page(java_script_enabled=False)
    page.goto(f"{address}{EXAMPLE}")
    assert page.locator("#player .cite-ref").count() > 10
    expect(page.locator("#player .cite-body")).to_be_visible()
    page.select_option("#example", "19-footnotes")
    page.click("text=Play example")
    expect(page.locator("h1")).to_have_text("Footnotes")
    expect(page.locator("#player .cite-notes")).to_be_visible()

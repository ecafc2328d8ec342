"""``citemark.js``: previews where ``interestfor`` is missing, and the side panel."""

from __future__ import annotations

import gzip
import re

import pytest
from browser_kit import document
from playwright.sync_api import expect

from citemark import assets, cite, render

SOURCES = [
    {"id": "a", "title": "Refund policy", "url": "https://example.org/a", "text": "Five days."},
    {"id": "b", "title": "Questions", "url": "https://example.org/b", "text": "Not express."},
]
ANSWER = cite("Allow five days [1]. Express is not refunded [2][1].", SOURCES)
# As str: what is added to Markup is escaped.
HINTS = str(render(ANSWER, "html", previews="hint", id_prefix="x"))
BARE = str(render(ANSWER, "html", id_prefix="x"))
PANEL = '<aside data-cite-panel="Schließen" hidden></aside>'
FIRST, SECOND = "#x-ref-1-1", "#x-ref-2-1"
FIRST_CARD, SECOND_CARD = "#x-card-1", "#x-card-2"


@pytest.fixture
def page(visitor):
    """A page with previews in a browser without ``interestfor``; its clock is ours."""
    return visitor.open(HINTS, interest=False, clock=True)


def expect_focus(page, selector):
    expect(page.locator(selector)).to_be_focused()


def expect_shown(page, *selectors):
    """Exactly these previews are shown."""
    shown = "[...document.querySelectorAll(':popover-open')].map((card) => '#' + card.id)"
    assert page.evaluate(shown) == list(selectors)


def hover(page, selector):
    page.hover(selector)
    page.clock.run_for(400)


def test_size():
    """It is less than 3 kB on its way to the browser."""
    data = (assets.path() / "citemark.js").read_bytes()
    assert len(gzip.compress(data)) < 3_000


def test_policy_is_watched(visitor):
    """A page that breaks the policy is noticed by these tests."""
    visitor.open("<p style='color: red'>Red</p>")
    reports, errors = visitor.leave()
    assert [report.split()[0] for report in reports] == ["style-src-attr"]
    assert len(errors) == 1


def test_hover_needs_the_script(visitor, site):
    """Without the script nothing opens here: what these tests see is its work."""
    page = visitor.page(interest=False, clock=True)
    without = re.sub(r"<script.*?</script>", "", document(HINTS))
    page.goto(site.serve("/page", without))
    hover(page, FIRST)
    expect_shown(page)


def test_pointer_opens_a_preview_and_may_move_onto_it(page):
    """It stays while the pointer is on it, and goes when the pointer is gone."""
    hover(page, FIRST)
    expect_shown(page, FIRST_CARD)
    page.hover(FIRST_CARD + " .cite-title")
    page.clock.run_for(1_000)
    expect_shown(page, FIRST_CARD)
    page.mouse.move(2, 2)
    page.clock.run_for(100)
    expect_shown(page, FIRST_CARD)
    page.clock.run_for(200)
    expect_shown(page)


def test_pointer_that_passes_by_opens_nothing(page):
    """A reference has to be rested on; a finger never rests."""
    page.dispatch_event(FIRST, "pointerover", {"pointerType": "touch"})
    page.clock.run_for(1_000)
    expect_shown(page)
    page.hover(FIRST)
    page.clock.run_for(100)
    expect_shown(page)
    page.mouse.move(2, 2)
    page.clock.run_for(1_000)
    expect_shown(page)


@pytest.mark.parametrize("kind", ["hint", "nonsense"])
def test_one_preview_at_a_time(page, kind):
    """The next one takes the place of the last, also where the browser does not see to it."""
    page.eval_on_selector_all(
        "[popover]", "(cards, kind) => { for (const card of cards) card.popover = kind }", kind
    )
    hover(page, FIRST)
    hover(page, SECOND)
    expect_shown(page, SECOND_CARD)


def test_focus_opens_a_preview_and_tab_goes_into_it(page):
    """Escape closes it from within, the focus returns, and it stays closed."""
    page.keyboard.press("Tab")
    expect_focus(page, FIRST)
    page.clock.run_for(400)
    expect_shown(page, FIRST_CARD)
    page.keyboard.press("Tab")
    expect_focus(page, f"{FIRST_CARD} a")
    page.clock.run_for(1_000)
    expect_shown(page, FIRST_CARD)
    page.keyboard.press("Escape")
    expect_focus(page, FIRST)
    page.clock.run_for(1_000)
    expect_shown(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.clock.run_for(400)
    expect_shown(page, FIRST_CARD)


def test_escape_on_the_reference_closes_only_the_preview(page):
    """The focus stays where it is."""
    page.keyboard.press("Tab")
    page.clock.run_for(400)
    page.keyboard.press("Escape")
    page.clock.run_for(1_000)
    expect_shown(page)
    expect_focus(page, FIRST)


def test_focus_that_leaves_closes_the_preview(page):
    """So does Enter, which follows the link to the list."""
    page.keyboard.press("Tab")
    page.clock.run_for(400)
    page.keyboard.press("Enter")
    page.clock.run_for(400)
    expect_shown(page)
    expect_focus(page, "#x-src-1")


def test_click_with_a_mouse_follows_the_link(page):
    """A preview is not opened by the focus that a press brings."""
    page.hover(FIRST)
    page.mouse.down()
    page.mouse.move(2, 2)
    page.mouse.up()
    page.evaluate("() => { const ref = document.activeElement; ref.blur(); ref.focus() }")
    expect_focus(page, FIRST)
    page.clock.run_for(1_000)
    expect_shown(page)
    page.click(FIRST)
    page.mouse.move(2, 2)
    page.clock.run_for(1_000)
    expect_shown(page)
    assert page.url.endswith("#x-src-1")


def test_content_that_comes_later(page):
    """Nothing has to be set up again."""
    page.evaluate(
        "html => { document.querySelector('main').innerHTML = html }",
        HINTS.replace("x-", "later-"),
    )
    hover(page, "#later-ref-1-1")
    expect_shown(page, "#later-card-1")
    page.evaluate("document.querySelector('main').replaceChildren()")
    page.keyboard.press("Escape")
    page.clock.run_for(1_000)


def test_reference_without_its_preview(page):
    """Nothing happens, and nothing is raised."""
    page.evaluate("document.querySelector('.cite-cards').remove()")
    hover(page, FIRST)
    expect_shown(page)


@pytest.mark.parametrize("kind", ["hint", "nonsense"])
def test_press_elsewhere_closes_a_preview(page, kind):
    """Also where ``popover="hint"`` is not known, so that the browser closes nothing."""
    page.evaluate("kind => document.querySelector('#x-card-1').popover = kind", kind)
    page.keyboard.press("Tab")
    page.clock.run_for(400)
    expect_shown(page, FIRST_CARD)
    page.mouse.click(2, 2)
    expect_shown(page)


@pytest.mark.parametrize("kind", ["hint", "nonsense"])
def test_taps(visitor, kind):
    """The first tap shows the preview and puts the focus there, the second follows the link."""
    page = visitor.open(HINTS, interest=False, has_touch=True)
    page.evaluate("kind => document.querySelector('#x-card-1').popover = kind", kind)
    page.tap(FIRST)
    expect_shown(page, FIRST_CARD)
    expect_focus(page, FIRST_CARD)
    assert "#" not in page.url
    page.tap(FIRST)
    expect_shown(page)
    assert page.url.endswith("#x-src-1")
    page.tap(FIRST)
    expect_shown(page, FIRST_CARD)
    page.keyboard.press("Escape")
    expect_shown(page)
    expect_focus(page, FIRST)
    page.tap(FIRST)
    page.touchscreen.tap(2, 2)
    expect_shown(page)


def test_browser_with_interestfor_is_left_alone(visitor):
    """The preview is its own: the script opens none."""
    page = visitor.open(HINTS)
    page.evaluate("() => { HTMLElement.prototype.showPopover = () => { throw 'script' } }")
    page.keyboard.press("Tab")
    expect(page.locator(FIRST_CARD)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(FIRST_CARD)).to_be_hidden()
    expect_focus(page, FIRST)


def test_no_globals(visitor, site):
    """A page with the scripts has the same global names as one without."""
    html = document(HINTS + PANEL)
    page = visitor.page()
    names = []
    for shown in (html, re.sub(r"<script.*?</script>", "", html)):
        page.goto(site.serve("/page", shown))
        names.append(page.evaluate("Object.getOwnPropertyNames(window).sort()"))
    assert names[0] == names[1]


def test_as_a_module_and_twice(visitor):
    """It runs as a module, and a second time does no harm."""
    again = '<script type="module" src="/static/citemark.js"></script>'
    page = visitor.open(HINTS + PANEL + again, interest=False)
    page.keyboard.press("Tab")
    expect(page.locator(FIRST_CARD)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(FIRST_CARD)).to_be_hidden()
    page.keyboard.press("Enter")
    expect_focus(page, "aside")
    expect(page.get_by_role("button")).to_have_count(1)
    page.keyboard.press("Escape")
    expect_focus(page, FIRST)


@pytest.mark.parametrize(("html", "passage"), [(HINTS, "Five days."), (BARE, "Five days.")])
def test_panel_shows_the_source(visitor, html, passage):
    """It is a labelled landmark that gets the focus; Escape closes it and gives it back."""
    page = visitor.open(html.replace("<bdi", "<bdi id='inside'") + PANEL)
    panel = page.get_by_role("complementary", name="Source 1: Refund policy")
    expect(panel).to_have_count(0)
    page.focus(FIRST)
    page.keyboard.press("Enter")
    expect(panel).to_be_focused()
    expect(panel).to_contain_text(passage)
    expect(panel.get_by_role("link")).to_have_attribute(
        "href", re.compile(r"^https://example\.org/a")
    )
    assert "#" not in page.url
    assert panel.locator("[id]").count() == panel.locator(".cite-backs").count() == 0
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect_focus(page, FIRST)


def test_panel_has_a_button_to_close_it(visitor):
    """Its name is the value of the attribute; the panel shows one source after another."""
    page = visitor.open(BARE + PANEL)
    page.click(SECOND)
    page.click(FIRST)
    expect(page.locator("aside .cite-title")).to_have_text(["Refund policy"])
    page.get_by_role("button", name="Schließen").click()
    expect(page.locator("aside")).to_be_hidden()
    expect_focus(page, FIRST)


def test_one_escape_closes_one_thing(visitor):
    """First the preview, then the panel."""
    page = visitor.open(HINTS + PANEL, interest=False, clock=True)
    page.click(FIRST)
    hover(page, SECOND)
    expect_shown(page, SECOND_CARD)
    page.keyboard.press("Escape")
    expect_shown(page)
    expect(page.locator("aside")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("aside")).to_be_hidden()


def test_panel_does_not_take_the_focus_from_elsewhere(visitor):
    """Escape closes it while a person writes, who goes on writing."""
    page = visitor.open(BARE + PANEL + "<input aria-label='Question'>")
    page.click(FIRST)
    page.focus("input")
    page.keyboard.press("Escape")
    expect(page.locator("aside")).to_be_hidden()
    expect_focus(page, "input")


def test_panel_finds_the_reference_of_an_answer_that_was_drawn_again(visitor):
    """The focus goes to the one with the same id."""
    page = visitor.open(BARE + PANEL)
    page.click(FIRST)
    page.evaluate("html => { document.querySelector('.cite-body').outerHTML = html }", BARE)
    page.keyboard.press("Escape")
    expect(page.locator(FIRST).first).to_be_focused()


def test_links_are_links_where_no_panel_can_serve_them(visitor):
    """With a key held, and for references that lead to their source."""
    page = visitor.open(BARE + PANEL)
    with page.context.expect_page() as opened:
        page.click(FIRST, modifiers=["Control"])
    opened.value.close()
    expect(page.locator("aside")).to_be_hidden()
    page = visitor.open(str(render(ANSWER, "html", notes="none", id_prefix="x")) + PANEL)
    page.route("https://example.org/**", lambda route: route.fulfill(body="there"))
    page.click(FIRST)
    page.wait_for_url("https://example.org/a")

"""A page made on the server, in a real browser: no script of ours is on it."""

from __future__ import annotations

from collections import Counter

import pytest
from browser_kit import ANSWERS, CARD, FIRST, NOTE, SUPPORT, rendered, several
from playwright.sync_api import expect

SCRIPT = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
PREVIEWS = pytest.mark.parametrize("previews", ["hint", "button"])


def press_until(page, key, selector):
    """Press a key until an element has the focus, as one does who sees where it is."""
    for _ in range(20):
        page.keyboard.press(key)
        if page.locator(selector).and_(page.locator(":focus")).count():
            return
    pytest.fail(f"{key} does not reach {selector}")


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
    page = show(*several(ANSWERS, previews="button"))
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
    page = show(*several(ANSWERS, previews=previews), viewport={"width": 320, "height": 640})
    width = "document.scrollingElement.scrollWidth"
    assert page.evaluate(width) == 320
    page.evaluate("document.querySelector('.cite-card').showPopover()")
    assert page.evaluate(width) == 320
    box = page.locator(".cite-card").first.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320


AWAY = """() => {
  const boxOf = (text, at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return [...range.getClientRects()].at(-1);
  };
  const away = [];
  for (const group of document.querySelectorAll('.cite')) {
    const refs = [...group.querySelectorAll('.cite-ref')];
    const [first] = refs[0].getClientRects();
    const last = [...refs.at(-1).getClientRects()].at(-1);
    const [before, after] = [group.previousSibling, group.nextSibling];
    const isGlued = before?.nodeType === 3 && !/\\s$/.test(before.data);
    if (isGlued && first.top > boxOf(before, before.length - 1).bottom - 2)
      away.push(before.data.slice(-20) + group.textContent);
    const isClosed = after?.nodeType === 3 && /^[.,;:!?)]/.test(after.data);
    if (isClosed && boxOf(after, 0).top > last.bottom - 2)
      away.push(group.textContent + after.data.slice(0, 20));
  }
  return away;
}"""
LOOSE = """const rules = ['{ white-space: normal !important }', '::before { content: none }'];
for (const rule of rules)
  document.styleSheets[0].insertRule(`body .cite${rule}`);
"""
TWO_LINES = """() => [...document.querySelectorAll('.cite')].filter(group =>
  new Set([...group.querySelectorAll('.cite-ref')]
    .map(ref => Math.round(ref.getBoundingClientRect().bottom))).size > 1).length"""


@PREVIEWS
@pytest.mark.parametrize("group", ["separate", "joined"])
def test_number_stays_at_its_word(show, previews, group):
    """However wide the page is, a line breaks within a group of numbers or not there at all."""
    size = {"width": 300, "height": 600}  # of no other test: contexts are shared
    page = show(*several(ANSWERS, previews=previews, group=group), viewport=size)
    broken = 0
    for width in range(320, 620, 60):
        page.set_viewport_size({"width": width, "height": 600})
        assert page.evaluate(AWAY) == []
        assert page.evaluate("document.scrollingElement.scrollWidth") == width
        broken += page.evaluate(TWO_LINES)
    assert broken > 5
    page.evaluate(LOOSE)
    assert page.evaluate(AWAY) != []  # it is the stylesheet that holds them together


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
    page = show(*several(ANSWERS, previews="hint"))
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

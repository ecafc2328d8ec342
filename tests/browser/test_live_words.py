"""``citemark-answer.js``: what stands beside an answer is said in the language of the page."""

from __future__ import annotations

from browser_kit import server_sent
from live_kit import DONE, LIVE, REFUNDS, citation, status
from playwright.sync_api import expect

from citemark.renderers._words import words_of
from citemark.renderers.html import LANGUAGES


def test_words_and_places(live):
    """Attributes give the words, the level of the heading and the start of ids."""
    page = live(
        ("source", REFUNDS),
        citation(1),
        citation(None, "x"),
        DONE,
        body='<citemark-answer src="/events" id-prefix="a7" heading-level="3" '
        'word-heading="Quellen" word-source="Quelle {number}: {title}" '
        'word-missing="Quelle fehlt" word-back="Zurück zu {number}-{use}" '
        'word-done="Fertig, {count} {sic}"></citemark-answer>',
    )
    expect(status(page)).to_have_text("Fertig, 1 {sic}")
    expect(page.get_by_role("heading", level=3)).to_have_text("Quellen")
    expect(page.locator("#a7-ref-1-1")).to_have_accessible_name("Quelle 1: Refund policy")
    expect(page.locator(".cite-ref--missing")).to_have_text("[x] (Quelle fehlt)")
    expect(page.locator(".cite-back")).to_have_accessible_name("Zurück zu 1-1")
    expect(page.locator("#a7-src-1")).to_have_count(1)


def test_words_of_the_language(visitor, site):
    """They are those of the renderer, in the language around the element; else in English."""
    tags = {language: language for language in LANGUAGES} | {
        "de-AT": "de",
        "tlh": "en",
        "": "en",
    }
    body = ""
    for number, tag in enumerate(tags):
        path = f"/words/{number}"
        site.stream(
            path, [server_sent(("source", REFUNDS), citation(1), citation(None, "x"), DONE)]
        )
        body += f'<div lang="{tag}"><citemark-answer src="{path}"></citemark-answer></div>'
    page = visitor.open(body)
    expect(page.locator("[aria-busy]")).to_have_count(0)
    for number, language in enumerate(tags.values()):
        words, element = words_of(language), page.locator("citemark-answer").nth(number)
        expect(element.get_by_role("heading")).to_have_text(words["heading"])
        expect(element.locator("a.cite-ref")).to_have_accessible_name(
            words["source"].format(number=1, title="Refund policy")
        )
        expect(element.locator(".cite-ref--missing")).to_have_text(f"[x] ({words['missing']})")
        expect(element.locator(".cite-back")).to_have_accessible_name(
            words["back"].format(number=1, use=1)
        )
    said = page.get_by_role("status").all_text_contents()
    assert len({each.replace("1", "") for each in said}) == len(LANGUAGES)
    assert all("1" in each for each in said)


def test_list_is_named_after_what_stands_on_the_page(live):
    """Lists of several answers are told apart."""
    page = live(
        ("source", REFUNDS),
        citation(1),
        DONE,
        body='<p id="q">How long?</p>' + LIVE.replace(">", ' labelled-by="q">', 1),
    )
    expect(page.locator("section")).to_have_accessible_name("Sources How long?")

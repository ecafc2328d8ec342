"""``citemark-answer.js``: connections that break, bring nothing, or are refused."""

from __future__ import annotations

from browser_kit import server_sent
from live_kit import DONE, LIVE, status, text
from playwright.sync_api import expect


def test_connection_goes_on_where_it_broke(visitor, site):
    """The browser says what it had; what is sent again is not shown again."""
    first = server_sent(text("Allow"), text(" five"))
    rest = server_sent(text(" days"), DONE, first_id=3)
    again = server_sent(text("Allow"), text(" five"), text(" days"), DONE)
    for second in (rest, again):
        site.stream("/events", [first], [second])
        page = visitor.open(LIVE)
        expect(status(page)).to_have_text("The answer is complete. Sources: 0")
        assert page.locator(".cite-body").text_content() == "Allow five days"
        assert site.last_ids["/events"] == [None, "2"]


def test_connection_that_brings_nothing_is_given_up(visitor, site):
    """After five in a row: one that brings something begins the count anew."""
    nothing = [["retry: 10\n\n"]] * 4
    site.stream(
        "/events",
        *nothing,
        [server_sent(text("On"))],
        *nothing,
        [server_sent(DONE, first_id=2)],
    )
    page = visitor.open(LIVE)
    expect(status(page)).to_have_text("The answer is complete. Sources: 0")
    site.stream("/events", *nothing, *nothing)
    page = visitor.open(LIVE)
    expect(status(page)).to_have_text("The answer is not complete.")
    assert len(site.last_ids["/events"]) == 5


def test_server_that_refuses(visitor, site):
    """No connection at all is a failure too."""
    site.stream("/events")
    page = visitor.open(LIVE)
    expect(status(page)).to_have_text("The answer is not complete.")
    assert page.locator("citemark-answer").get_attribute("aria-busy") is None


def test_address_that_is_none(visitor, site):
    """It is a failure that is told, not an error of the script."""
    site.stream("/events", [server_sent(DONE)])
    page = visitor.open(LIVE)
    expect(status(page)).to_have_text("The answer is complete. Sources: 0")
    page.evaluate("document.querySelector('citemark-answer').setAttribute('src', 'http://[')")
    expect(status(page)).to_have_text("The answer is not complete.")
    assert page.locator("citemark-answer").get_attribute("aria-busy") is None

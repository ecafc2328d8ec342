"""``citemark-answer.js``: an element that shows an answer while the server sends it."""

from __future__ import annotations

import threading

import pytest
from browser_kit import document, server_sent
from live_kit import DONE, FAQ, LIVE, REFUNDS, citation, status, text
from playwright.sync_api import expect

from citemark import AnswerStream
from citemark.integrations.sse import events
from citemark.renderers.html import HtmlRenderer

KEEP_LOG = """
window.log = [];
for (const name of ['citemark:source', 'citemark:done'])
  document.addEventListener(name, (event) => log.push([name, event.detail]));
window.removed = 0;
new MutationObserver((records) => {
  for (const record of records) removed += record.removedNodes.length;
}).observe(document, { childList: true, subtree: true, characterData: true });
"""


def test_answer_as_it_is_written(visitor, site):
    """Text and references appear, the list grows, nothing is drawn again, no number changes."""
    gate = threading.Event()
    first = [
        text("Allow **five"),
        text("** days"),
        ("source", REFUNDS),
        citation(1),
        text(". Not"),
    ]
    rest = [text(" express"), ("source", FAQ), citation(2, "b"), citation(1), text("."), DONE]
    site.stream("/events", [server_sent(*first), gate, server_sent(*rest, first_id=6)])
    page = visitor.page()
    page.goto(site.serve("/empty", document("")))
    page.evaluate(KEEP_LOG)
    page.evaluate("html => { document.querySelector('main').innerHTML = html }", LIVE)
    body, element = page.locator(".cite-body"), page.locator("citemark-answer")
    expect(body).to_have_text("Allow **five** days[1]. Not")
    expect(element).to_have_attribute("aria-busy", "true")
    expect(status(page)).to_have_text("")
    expect(page.locator(".cite-note")).to_have_count(1)
    before = page.evaluate("removed")
    gate.set()
    expect(status(page)).to_have_text("The answer is complete. Sources: 2")
    expect(body).to_have_text("Allow **five** days[1]. Not express[2][1].")
    assert page.evaluate("removed") == before
    assert element.get_attribute("aria-busy") is None
    assert page.evaluate("log") == [
        ["citemark:source", REFUNDS],
        ["citemark:source", FAQ],
        ["citemark:done", {"status": "complete"}],
    ]
    assert site.last_ids["/events"] == [None]


def test_markup(live):
    """References and list are built as the HTML renderer builds them."""
    page = live(("source", REFUNDS), citation(1), citation(1), citation(None, "x"), DONE)
    reference = page.locator("sup.cite > a.cite-ref").nth(1)
    expect(reference).to_have_accessible_name("Source 1: Refund policy")
    expect(reference).to_have_attribute("role", "doc-noteref")
    expect(reference).to_have_attribute("id", "cite-live-1-ref-1-2")
    expect(reference).to_have_attribute("href", "#cite-live-1-src-1")
    expect(page.locator("sup.cite > span.cite-ref--missing")).to_have_text(
        "[x] (source not found)"
    )
    notes = page.locator("section[role=doc-endnotes]")
    expect(notes).to_have_accessible_name("Sources")
    assert notes.inner_html() == (
        '<h2 class="cite-heading" id="cite-live-1-sources">Sources</h2><ol class="cite-list">'
        '<li class="cite-note" id="cite-live-1-src-1" value="1" tabindex="-1">'
        '<div class="cite-source"><div class="cite-title">'
        '<a href="https://example.org/a" rel="noopener noreferrer nofollow ugc">'
        "<bdi>Refund policy</bdi></a></div>"
        '<div class="cite-place"><bdi>example.org</bdi></div>'
        '<blockquote class="cite-passage" dir="auto">Five days.</blockquote></div>'
        '<div class="cite-backs">'
        '<a class="cite-back" role="doc-backlink" href="#cite-live-1-ref-1-1" '
        'aria-label="Back to reference 1-1">↩︎</a>'
        '<a class="cite-back" role="doc-backlink" href="#cite-live-1-ref-1-2" '
        'aria-label="Back to reference 1-2">↩︎<sup>2</sup></a></div></li></ol>'
    )


def test_text_keeps_its_lines(live):
    """What is not rendered yet keeps its line breaks, and is one text."""
    page = live(text("One\n"), text("\nTwo"), DONE)
    expect(status(page)).not_to_be_empty()
    assert page.evaluate("document.querySelector('.cite-body').childNodes.length") == 1
    assert page.locator(".cite-body").inner_text() == "One\n\nTwo"


def test_order_of_the_list_is_that_of_the_numbers(live):
    """Also if they come in another one; sources of one number share an entry."""
    later = {**REFUNDS, "title": "Refund policy, part 2"}
    page = live(
        ("source", FAQ), ("source", REFUNDS), ("source", later), citation(3, title="C"), DONE
    )
    titles = page.locator(".cite-list > li").evaluate_all(
        "items => items.map((item) => [item.value, "
        "...[...item.querySelectorAll('.cite-title')].map((title) => title.textContent)])"
    )
    assert titles == [[1, "Refund policy", "Refund policy, part 2"], [2, "Questions"], [3, "C"]]


def test_source_that_comes_late(live):
    """A number is shown before its source is known; then its name and entry are filled in."""
    page = live(citation(1, title=None), text("."), ("source", REFUNDS), citation(1), DONE)
    expect(status(page)).not_to_be_empty()
    for number in (0, 1):
        reference = page.locator("a.cite-ref").nth(number)
        expect(reference).to_have_accessible_name("Source 1: Refund policy")
    expect(page.locator(".cite-note .cite-title")).to_have_text(["Refund policy"])


def test_rendered_answer_takes_the_place(live):
    """What the server rendered is shown in the end; a script in it does not run."""
    html = '<p class="cite-body">Five <b>days</b>.</p><script>window.ran = 1</script>'
    done = ("done", {"html": html, "status": "complete"})
    page = live(text("Five **days**."), ("source", REFUNDS), citation(1), done)
    expect(page.locator("citemark-answer b")).to_have_text("days")
    expect(page.locator(".cite-body--live, .cite-notes")).to_have_count(0)
    expect(status(page)).to_have_text("The answer is complete. Sources: 1")
    assert page.evaluate("window.ran === undefined")


def test_focus_survives_the_rendered_answer(visitor, site):
    """Who is at the first reference when the answer is replaced is there afterwards."""
    gate = threading.Event()
    html = '<p><a id="a7-ref-1-1" href="#a7-src-1">[1]</a></p>'
    first = server_sent(("source", REFUNDS), citation(1))
    last = server_sent(("done", {"html": html, "status": "complete"}), first_id=3)
    site.stream("/events", [first, gate, last])
    page = visitor.open(LIVE)
    page.focus("#cite-live-1-ref-1-1")
    gate.set()
    expect(page.locator("#a7-ref-1-1")).to_be_focused()


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:alert(1)", "JaVa\nScript:alert(1)", "data:text/html,x", "//example.org"),
        *("/page", "vbscript:x", "https://me:secret@example.org", "file:///etc/passwd", "x"),
        *("blob:https://example.org/x", 7, {"href": "https://example.org"}),
    ],
)
def test_unsafe_address_is_no_link(live, url):
    """Whatever the server sends, only http, https and mailto are followed."""
    page = live(("source", {**FAQ, "url": url}), citation(2), DONE)
    expect(page.locator(".cite-title")).to_have_text("Questions")
    assert page.locator(".cite-title a").count() == 0


def test_markup_of_others_is_text(live):
    """In the answer, in every field of a source, and in keys."""
    evil = "<img src=x onerror=alert(1)>"
    page = live(
        text(evil),
        ("source", {"number": 1, "title": evil, "host": evil, "snippet": evil}),
        citation(1),
        citation(None, evil),
        ("error", {"message": evil}),
        ("done", {"html": None, "status": "failed"}),
    )
    expect(status(page)).to_have_text(evil)
    expect(page.locator("citemark-answer")).to_contain_text(f"{evil}[1][{evil}] (")
    assert page.locator("citemark-answer img").count() == 0


def test_odd_events_are_passed_over(live):
    """Nothing is raised, and numbers are numbers."""
    page = live(
        ("text", None),
        ("text", [1]),
        ("text", {"content": 5}),
        ("source", {"title": "No number"}),
        ("source", {"number": "1"}),
        ("source", {"number": -1}),
        ("citation", {}),
        ("citation", {"citation": 3}),
        citation(1.5, "half"),
        citation(None, None),
        citation(None, "k" * 500),
        ("source", {"number": 3}),
        ("unknown", {"a": 1}),
        DONE,
    )
    expect(page.locator(".cite-ref--missing")).to_have_text(
        [f"[{key}] (source not found)" for key in ("half", "", "k" * 80)]
    )
    expect(page.locator(".cite-title")).to_have_text(["3"])


def test_not_json(visitor, site):
    """An event that cannot be read is left out."""
    broken = "event: text\ndata: {\n\n"
    site.stream("/events", [broken + server_sent(text("On"), DONE)])
    expect(visitor.open(LIVE).locator(".cite-body")).to_have_text("On")


def test_failure_is_told_to_all(live):
    """The message of the server is seen and read out, and stays."""
    page = live(
        text("Five"),
        ("error", {"message": "The model is busy."}),
        ("done", {"html": None, "status": "failed"}),
    )
    expect(status(page)).to_have_text("The model is busy.")
    expect(status(page)).to_have_class("cite-status cite-status--failed")
    expect(page.locator(".cite-body")).to_have_text("Five")


def test_two_answers_on_a_page(visitor, site):
    """No id is used twice, and what was in an element gives way."""
    for path in ("/events", "/more"):
        site.stream(path, [server_sent(("source", REFUNDS), citation(1), DONE)])
    page = visitor.open(LIVE + '<citemark-answer src="/more">Please wait</citemark-answer>')
    expect(status(page)).to_have_text(["The answer is complete. Sources: 1"] * 2)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids)) == 6
    expect(page.get_by_text("Please wait")).to_have_count(0)


def test_element_that_is_moved_removed_and_sent_elsewhere(visitor, site):
    """Moved it goes on, removed it stops, with another source it starts anew."""
    first, second = threading.Event(), threading.Event()
    more = server_sent(text(" more"), first_id=2)
    site.stream("/events", [server_sent(text("One")), first, more, second])
    site.stream("/more", [server_sent(text("Two")), second])
    page = visitor.open(LIVE)
    body = page.locator(".cite-body")
    expect(body).to_have_text("One")
    page.evaluate("document.body.append(document.querySelector('citemark-answer'))")
    page.evaluate("document.querySelector('citemark-answer').src = '/none'")
    first.set()
    expect(body).to_have_text("One more")
    assert site.last_ids["/events"] == [None]
    page.evaluate("document.querySelector('citemark-answer').setAttribute('src', '/more')")
    expect(body).to_have_text("Two")
    page.evaluate("document.querySelector('citemark-answer').remove()")
    second.set()
    page.wait_for_timeout(100)
    assert site.last_ids["/more"] == [None]


def test_page_with_trusted_types(visitor, site):
    """The rendered answer needs the policy to be allowed; else what is shown stays."""
    html = "<p>Five <b>days</b>.</p>"
    base = "default-src 'self'; require-trusted-types-for 'script'; trusted-types "
    for allowed, shown in (("citemark", "Five days."), ("other", "Five **days**.")):
        events = (text("Five **days**."), ("done", {"html": html, "status": "complete"}))
        site.stream("/events", [server_sent(*events)])
        page = visitor.page()
        page.goto(site.serve("/typed", document(LIVE), csp=base + allowed))
        expect(status(page)).to_have_text("The answer is complete. Sources: 0")
        expect(page.locator("citemark-answer > :first-child")).to_have_text(shown)
    reports, _ = visitor.leave()
    assert {report.split()[0] for report in reports} == {"trusted-types"}


def test_events_of_a_stream(visitor, site):
    """What ``events`` sends is shown as it comes, and rendered in the end."""
    sources = [
        {
            "id": "pol",
            "title": "Refund policy",
            "url": "https://example.org/a",
            "text": "Five.",
        },
        {"id": "faq", "title": "Questions"},
    ]
    stream = AnswerStream(sources, unresolved="mark")
    chunks = ["**Five", " days** [", "2][doc:", "pol], not [7]. See [doc:x]."]
    sent = [event.encode() for event in events(stream, chunks, html=HtmlRenderer())]
    gate = threading.Event()
    site.stream("/events", ["".join(sent[:-1]), gate, sent[-1]])
    page = visitor.open(LIVE)
    body, titles = page.locator(".cite-body"), page.locator(".cite-note .cite-title")
    for shown in ("**Five days** [1][2], not ", "Five days [1][2], not "):
        expect(body).to_contain_text(shown)
        expect(titles).to_have_text(["Questions", "Refund policy"])
        expect(page.locator("a.cite-ref")).to_have_text(["[1]", "[2]"])
        expect(page.locator(".cite-ref--missing")).to_have_count(2)
        gate.set()
    expect(page.locator(".cite-body strong")).to_have_text("Five days")

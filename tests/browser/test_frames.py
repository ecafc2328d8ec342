"""Each picture that a browser draws while an answer is written: nothing in it is taken back."""

from __future__ import annotations

from itertools import pairwise

import pytest
from browser_kit import document
from playwright.sync_api import expect

from citemark import AnswerStream
from citemark.integrations.sse import events
from citemark.renderers.html import HtmlRenderer

SOURCES = [
    {"id": "pol", "title": "Refund policy", "url": "https://example.org/a", "text": "Five."},
    {"id": "faq", "title": "Questions", "url": "https://example.org/b"},
]
TEXT = (
    "Five days [2], [1][2] and [1, 2]; see [doc:pol], 【2】, ［1］ or [^1]. Or [[2]], [ 1 ], "
    "[1](https://example.org/a), <<faq>>, [[Refund policy]], "
    "[Questions](https://example.org/b), [doc:none] and [doc:pol, doc:faq]. "
    "\ue200cite\ue202turn0search1\ue201 The end[1]."
)
SIGNS = "[]()<>【】［］^\ue200\ue201\ue202"
"""Of markers: none of them is anything else in the text."""

PAUSE = 0.004
"""Seconds between events: about four in a picture."""

WATCH = """() => {
  window.frames_ = [];
  document.addEventListener('citemark:done', () => { document.body.dataset.done = ''; });
  const look = () => {
    const body = document.querySelector('.cite-body');
    if (body) {
      const plain = body.cloneNode(true);
      for (const made of plain.querySelectorAll('.cite')) made.remove();
      frames_.push({
        whole: body.textContent,
        plain: plain.textContent,
        refs: [...body.querySelectorAll('.cite-ref')].map((made) => made.textContent),
        notes: Object.fromEntries([...document.querySelectorAll('.cite-note')]
          .map((note) => [note.value, note.querySelector('.cite-title')?.textContent])),
      });
    }
    if (!('done' in document.body.dataset)) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def frames_of(visitor, site, chunks, html=None):
    """Return what each picture showed while these chunks came, and the page."""
    sent = events(AnswerStream(SOURCES, unresolved="mark"), chunks, html=html)
    parts = [part for event in sent for part in (event.encode(), PAUSE)]
    site.stream("/events", parts)
    page = visitor.page()
    page.goto(site.serve("/empty", document("")))
    page.evaluate(WATCH)
    live = '<citemark-answer src="/events"></citemark-answer>'
    page.evaluate("html => { document.querySelector('main').innerHTML = html }", live)
    expect(page.locator("body[data-done]")).to_have_count(1)
    return page.evaluate("frames_"), page


@pytest.mark.parametrize("size", [1, 3])
def test_nothing_is_taken_back(visitor, site, size):
    """No picture shows a part of a marker; text, numbers and sources only grow."""
    chunks = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    frames, page = frames_of(visitor, site, chunks)
    assert len({frame["whole"] for frame in frames}) > 5
    whole = page.locator(".cite-body").text_content()
    refs = page.locator(".cite-ref").all_text_contents()
    assert len(refs) > 15
    assert set(refs) == {
        "[1]",
        "[2]",
        "[none] (source not found)",
        "[turn0search1] (source not found)",
    }
    for frame in frames:
        assert [sign for sign in SIGNS if sign in frame["plain"]] == []
        assert whole.startswith(frame["whole"])
        assert frame["refs"] == refs[: len(frame["refs"])]
    for before, after in pairwise(frames):
        assert before["notes"].items() <= after["notes"].items()


def test_rendered_answer_has_the_same_numbers(visitor, site):
    """What takes the place of the text in the end shows each number where it was."""
    frames, page = frames_of(visitor, site, list(TEXT), HtmlRenderer())
    refs = page.locator(".cite-body .cite-ref").all_text_contents()
    assert len(refs) > 15
    for frame in frames:
        assert frame["refs"] == refs[: len(frame["refs"])]
    assert len({len(frame["refs"]) for frame in frames}) > 5

"""Events of a live answer, and the element that shows them."""

from __future__ import annotations

LIVE = '<citemark-answer src="/events"></citemark-answer>'
REFUNDS = {
    "number": 1,
    "title": "Refund policy",
    "url": "https://example.org/a",
    "host": "example.org",
    "snippet": "Five days.",
}
FAQ = {"number": 2, "title": "Questions", "url": None, "host": None, "snippet": None}
DONE = ("done", {"html": None, "status": "complete"})


def text(content):
    return "text", {"content": content}


def citation(number, key="a", **more):
    fields = {"displayNumber": number, "occurrence": 1, "sourceKey": key, **more}
    return "citation", {"citation": fields, "raw": f"[{key}]"}


def status(page):
    return page.get_by_role("status")

"""What the tests of reports are made of: a judge that says what it is told, and one answer."""

from __future__ import annotations

from citemark import cite
from citemark.checks import Judgement, check

SOURCES = [
    {
        "id": "quay",
        "title": "Quay report",
        "url": "https://example.org/quay",
        "page": 3,
        "text": "The old quay was built of oak. It cost £421 in all. Nobody was hurt.",
    },
    {"id": "boats", "title": "Boats", "text": "Boats rot in salt water. Paint them each year."},
    {"id": "tides", "title": "Tide tables"},
]
ANSWER = (
    "# The quay\n\nIt cost £412 [1]. Boats “rot in salt water” [2].\n\n"
    "- Spring tides rise.\n- The moon pulls [9].\n"
)


class Told:
    """A judge that says the same of every pair, or fails."""

    name = "told"

    def __init__(self, verdict="supported", *, reasons=(), window=None):
        self.judgement = Judgement(verdict, 0.5, window, reasons)

    def judge(self, pairs):
        return [self.judgement for _ in pairs]


def report(text=ANSWER, sources=SOURCES, *, verdict="supported", reasons=(), **options):
    """Return the report of an answer."""
    judge = options.pop("judge", None) or Told(verdict, reasons=reasons)
    if options.pop("given", False):
        options["sources"] = sources
    return check(cite(text, sources), judge=judge, **options)

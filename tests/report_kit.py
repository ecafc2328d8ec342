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

TILES = """
all => all.flatMap(tiles => {
  const found = [], edge = tiles.getBoundingClientRect().right, rows = new Map();
  for (const tile of tiles.children) {
    const box = tile.getBoundingClientRect(), walker = document.createTreeWalker(tile, 4);
    rows.set(box.top, Math.max(rows.get(box.top) ?? 0, box.right));
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const word of node.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const parts = [...range.getClientRects()];
        if (parts.length > 1) found.push(`${word[0]} is broken`);
        if (parts.some(one => one.left < box.left || one.right > box.right))
          found.push(`${word[0]} overflows`);
      }
    }
  }
  for (const right of rows.values()) if (right < edge - 1) found.push("a row is not full");
  return found;
})
"""
"""Script for ``eval_on_selector_all(".figures", ...)``: what is wrong with the tiles."""

TILE_WIDTHS = (320, 360, 768, 1280)
"""CSS pixels: phones, a tablet, a desktop."""


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

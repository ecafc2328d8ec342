"""What the browser tests are made of: policies, frames of pages, and answers to show."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axe_playwright_python.sync_playwright import Axe

from citemark import assets, cite, render
from citemark.cli.page import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The strictest policy under which a page with live answers works."""

PAGE_CSP = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'"
"""Lets nothing in but the stylesheet; scripts are refused."""

ANSWERS = sorted(Path(__file__).parents[1].joinpath("examples", "answers").glob("*.md"))
SUPPORT = ANSWERS[0]
(ARABIC,) = (path for path in ANSWERS if "arabic" in path.name)

FIRST, NOTE, CARD = "#x-ref-1-1", "#x-src-1", "#x-card-1"
"""Selectors of the first reference of ``rendered``, its note, and its card."""


def document(body: str) -> str:
    """Return a page that loads all assets, with their integrity."""
    head = assets.tags(names=assets.NAMES)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Test</title>{head}</head>"
        f'<body class="cite-page"><main>{body}</main></body></html>'
    )


def server_sent(*events: tuple[str, object], first_id: int = 1) -> str:
    """Return server-sent events with ids in order, and a short wait before a reconnect."""
    ids = count(first_id)
    lines = (
        f"id: {next(ids)}\nevent: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events
    )
    return "retry: 10\n\n" + "".join(lines)


def rendered(path: Path, **options: Any) -> str:
    """Return an example answer as HTML."""
    sources = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
    answer = cite(path.read_text("utf-8"), sources)
    return render(answer, "html", notes="all", **{"id_prefix": "x"} | options)


def several(paths: Sequence[Path], **options: Any) -> list[Section]:
    """Return answers for one page: ids of their own, and lists named after their headings."""
    return [
        Section(
            rendered(path, id_prefix=f"a{number}", labelled_by=f"heading-{number}", **options),
            f"Answer {number}",
            f"heading-{number}",
        )
        for number, path in enumerate(paths)
    ]


def violations(page: Page) -> list[tuple[str, str]]:
    """Return what axe-core finds, in short."""
    found = Axe().run(page).response["violations"]
    return [(rule["id"], node["html"]) for rule in found for node in rule["nodes"]]

"""What the page shows of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from citemark.demo._playback import renderer
from citemark.errors import shortened
from citemark.renderers import get_renderer
from citemark.renderers.json import JsonRenderer

if TYPE_CHECKING:
    from markupsafe import Markup

    from citemark.answer import Answer

__all__ = ["Output", "View", "view"]

MAX_SAID: Final = 20
"""Issues that are listed: a broken answer may have thousands."""


@dataclass(frozen=True, slots=True)
class Output:
    """The answer in one format."""

    name: str
    """For ids: ``html``."""

    title: str
    """For people."""

    text: str
    """As a program would write it."""


@dataclass(frozen=True, slots=True)
class View:
    """An answer, ready for the template."""

    html: Markup
    """The answer as readers see it."""

    outputs: tuple[Output, ...]
    """In every format."""

    citations: int
    """Citations that have a source."""

    sources: int
    """Sources that are cited."""

    missing: int
    """Keys that name no source."""

    unresolved: tuple[str, ...]
    """The first 20 of them."""

    issues: tuple[str, ...]
    """What else was odd, in sentences; the first 20."""


def view(answer: Answer) -> View:
    """Return what there is to show of an answer."""
    html = renderer().render(answer)
    others = (
        ("markdown", "Markdown", get_renderer("markdown")()),
        ("text", "Plain text", get_renderer("text")()),
        ("json", "JSON", JsonRenderer(indent=2)),
    )
    return View(
        html=html,
        outputs=(
            Output("html", "HTML", str(html)),
            *(Output(name, title, made.render(answer)) for name, title, made in others),
        ),
        citations=sum(1 for citation in answer.citations if citation.source),
        sources=len(answer.sources),
        missing=len(answer.unresolved),
        unresolved=tuple(shortened(key) for key in answer.unresolved[:MAX_SAID]),
        issues=tuple(issue.message for issue in answer.issues if issue.code != "unresolved")[
            :MAX_SAID
        ],
    )

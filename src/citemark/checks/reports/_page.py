"""One HTML page that holds all it needs: no script, no address, and a policy that says so."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from citemark.checks.reports._section import section_of
from citemark.renderers._display import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from citemark.checks.report import Report
    from citemark.checks.reports._section import Section
    from citemark.checks.reports._summary_view import SummaryView

__all__ = ["MAX_TITLE", "as_html", "page_of", "self_contained"]

MAX_TITLE = 200
"""Code points of the title of a page, and of the name of an answer."""


def as_html(report: Report, *, title: str = "Citation report", lang: str = "") -> str:
    """Return a page with a report: figures, the answer with its marks, citations, findings.

    It is one file, works without script and under the strictest policy, and has a bounded
    size: of long answers, and of many findings, the rest is counted and not shown.

    Args:
        report: What was found.
        title: Plain text.
        lang: Language of the answer, as a BCP 47 tag; "" if it is not known.
    """
    return page_of(title, [section_of(report, lang=lang)])


def page_of(
    title: str,
    sections: Sequence[Section],
    summary: SummaryView | None = None,
) -> str:
    """Return a page around sections, with a summary above them if there is one."""
    return self_contained("report/page.html", title, summary=summary, sections=sections)


def self_contained(template: str, title: str, **values: object) -> str:
    """Return a page that extends ``report/base.html``: one file, with its style.

    Args:
        template: Its name.
        title: Plain text; cut if it is long.
        values: What the template shows.
    """
    from citemark._templates import environment  # noqa: PLC0415  Jinja is slow to load

    style = _style()
    return (
        environment()
        .get_template(template)
        .render(
            title=cut(one_line(title), MAX_TITLE) or "Citation report",
            style=style.css,
            style_hash=style.hash,
            **values,
        )
    )


class _Style(NamedTuple):
    css: Markup
    hash: str


@lru_cache(maxsize=1)
def _style() -> _Style:
    """Return the stylesheet, and its hash as a Content-Security-Policy names it."""
    from markupsafe import Markup  # noqa: PLC0415  as above

    from citemark._templates import SEARCH_PATH  # noqa: PLC0415

    path = next(
        path for folder in SEARCH_PATH if (path := folder / "report" / "style.css").exists()
    )
    css = path.read_text("utf-8")
    digest = b64encode(hashlib.sha256(css.encode()).digest()).decode("ascii")
    return _Style(Markup(css), f"sha256-{digest}")  # noqa: S704  a file of ours

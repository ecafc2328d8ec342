"""HTML with citations against the HTML that bare markdown-it-py makes of the same text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from corpus import Sample, answers
from measure import Row, best_sums, main
from rivals import plain_html

from citemark import Answer, cite, render

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = tuple[str, Answer, Sample]


def rows(effort: float) -> list[Row]:
    """Time the rendering of all example answers, without and with the parsing before it."""
    rounds = max(1, round(100 * effort))
    works = [(s.text, cite(s.text, s.sources), s) for s in answers()]
    functions: list[Callable[[Work], str]] = [
        _render,
        _cite_and_render,
        partial(_render_plain, plain_html()),
    ]
    rendered, both, rival = (
        seconds * 1e6 / len(works) for seconds in best_sums(functions, works, rounds)
    )
    against, details = "markdown-it-py", {"answers": len(works)}
    return [
        Row("HTML of an example answer", rendered, "µs", rival, against, 1.25, details=details),
        Row("The same with `cite` before it", both, "µs", rival, against, details=details),
    ]


def _render(work: Work) -> str:
    return render(work[1], "html")


def _cite_and_render(work: Work) -> str:
    return render(cite(work[2].text, work[2].sources), "html")


def _render_plain(html: Callable[[str], str], work: Work) -> str:
    return html(work[0])


if __name__ == "__main__":
    main(rows)

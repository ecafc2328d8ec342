"""Each source of an answer, with what is cited from it beside the words of its passage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.checks.model import SupportCheck
from citemark.checks.reports._markers import labels_of
from citemark.checks.reports._passages import excerpt_of
from citemark.renderers._display import cut, glance_at, one_line, title_of
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.checks.model import QuoteCheck
    from citemark.checks.report import Report
    from citemark.checks.reports._passages import Excerpt
    from citemark.model import Source

__all__ = ["Cited", "Held", "cited_sources"]

MAX_WORDS: Final = 600
"""Code points of a claim or a quote that are shown."""

MAX_PAGE: Final = 40
"""Code points of the name of a page."""

VERDICTS: Final[Mapping[str, tuple[str, str]]] = {
    "supported": ("supported", "good"),
    "unsure": ("unsure", "note"),
    "unsupported": ("not supported", "warning"),
    "verified": ("quote found", "good"),
    "fuzzy": ("quote misspelt", "note"),
    "altered": ("altered quote", "error"),
    "misattributed": ("quote from elsewhere", "error"),
    "few_shared_words": ("few shared words", "note"),
    "insufficient": ("too short to tell", "note"),
    "unverifiable": ("quote not checked", "note"),
    "rejected": ("quote not found", "error"),
}
"""What is said of a claim or a quote, and how it looks."""


class Held(NamedTuple):
    """A claim or a quote, held against a passage."""

    kind: str
    """``"claim"`` or ``"quote"``."""

    text: str
    """Its words, one line."""

    verdict: str
    """What is said of it."""

    look: str
    """``"good"``, or a severity."""

    reasons: tuple[str, ...]
    """Why."""

    excerpt: Excerpt | None
    """The words of the passage; None if it has none."""

    elsewhere: str
    """Title of another source, if the excerpt is from that; else ""."""

    together: str = ""
    """What is said of all that the claim cites, if this passage alone does not have it."""


class Cited(NamedTuple):
    """A source with what is cited from it."""

    number: int
    """Display number; 0 for what is cited from no source."""

    labels: tuple[str, ...]
    """How the answer itself writes it; ``("[1]",)`` if it is only told by a provider."""

    first: bool
    """Whether it is the first one with its number."""

    title: str
    """What it is called."""

    url: str | None
    """Where it is, if a link may go there."""

    page: str
    """Page of the passage; "" if it has none."""

    start: Excerpt | None
    """Start of its passage, if nothing is held against it."""

    held: tuple[Held, ...]
    """Claims and quotes, in order of position."""


def cited_sources(report: Report, most: int) -> tuple[tuple[Cited, ...], int]:
    """Return the sources of an answer in order of number, and how many rows are left out.

    Args:
        report: What was found.
        most: Claims and quotes that are shown, and sources.
    """
    labels = labels_of(report.answer)
    joint = {one.claim: VERDICTS[one.verdict][0] for one in report.by_claim if one.is_joint}
    checks: list[SupportCheck | QuoteCheck] = [*report.support, *report.quotes]
    checks.sort(key=_start)
    entries = [(entry.number, one) for entry in report.answer.entries for one in entry.sources]
    held: dict[Source | None, list[Held]] = {}
    known = set(report.answer.sources)
    for check in checks[:most]:
        cited = check.citation.source if check.citation else None
        row = (
            _claim(check, joint.get(check.claim, ""))
            if isinstance(check, SupportCheck)
            else _quote(check, cited)
        )
        held.setdefault(cited if cited in known else None, []).append(row)
    sources = []
    seen: set[int] = set()
    for number, source in entries[:most]:
        called = labels.get(source, (f"[{number}]",))
        rows = tuple(held.get(source, ()))
        sources.append(_cited(number, source, called, rows, first=number not in seen))
        seen.add(number)
    if None in held:
        sources.append(Cited(0, (), False, "", None, "", None, tuple(held[None])))  # noqa: FBT003  named tuple
    return tuple(sources), max(len(checks) - most, 0) + max(len(entries) - most, 0)


def _start(check: SupportCheck | QuoteCheck) -> int:
    return check.claim.start if isinstance(check, SupportCheck) else check.start


def _claim(check: SupportCheck, together: str) -> Held:
    verdict, look = VERDICTS["few_shared_words" if check.is_hint else check.verdict]
    text = check.claim.text
    passage = check.citation.source.text if check.citation.source else ""
    spans = () if check.window is None else (check.window,)
    excerpt = excerpt_of(passage, spans, text[:MAX_WORDS])
    reasons = _reasons(check.reasons)
    return Held("claim", _words(text), verdict, look, reasons, excerpt, "", together)


def _quote(quote: QuoteCheck, cited: Source | None) -> Held:
    verdict, look = VERDICTS[quote.verdict]
    source = quote.source or cited
    excerpt = excerpt_of(source.text, quote.spans) if source else None
    other = quote.source is not None and quote.source != cited
    elsewhere = title_of(quote.source) if other and quote.source else ""
    reasons = _reasons((quote.reason,) if quote.reason else ())
    return Held("quote", _words(quote.quote), verdict, look, reasons, excerpt, elsewhere)


def _words(text: str) -> str:
    return glance_at(text, MAX_WORDS)


def _reasons(reasons: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cut(one_line(reason), MAX_WORDS) for reason in reasons)


def _cited(
    number: int, source: Source, labels: tuple[str, ...], held: tuple[Held, ...], *, first: bool
) -> Cited:
    page = "" if source.page is None else cut(one_line(str(source.page)), MAX_PAGE)
    start = None if held else excerpt_of(source.text)
    return Cited(
        number, labels, first, title_of(source), safe_url(source.url), page, start, held
    )

"""Whether what an answer quotes stands in the source that it cites for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._quotes import (
    Folded,
    core_of,
    count_words,
    find_quote,
    is_cut,
    nearest,
    parts_of,
    passage_of,
)
from citemark._texts import as_text
from citemark.answer import as_answer
from citemark.checks._altered import MIN_LIKENESS, alteration_of
from citemark.checks._fuzzy import has_slips_only
from citemark.checks._quoted import quotes_of
from citemark.checks.model import QuoteCheck
from citemark.model import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citemark._quotes import Passage
    from citemark.answer import Answer
    from citemark.checks._quoted import Quoted
    from citemark.checks.model import QuoteVerdict

__all__ = ["verify_quote", "verify_quotes"]

MIN_WORDS: Final = 2.5
"""Words of a quote that tell where it is from; two or three of Han characters are one."""

MIN_WITH_FIGURE: Final = 2
"""The same, if one of them is a figure."""

MAX_NEAR: Final = 20_000
"""Code points of a quote that is compared with words which are not the same."""

MAX_COUNTED: Final = 200
"""Code points of a quote whose words are counted."""

MAX_SHOWN: Final = 120
"""Code points of the passage that a reason repeats."""

RANK: Final[dict[QuoteVerdict, int]] = {
    "verified": 0,
    "fuzzy": 1,
    "insufficient": 2,
    "altered": 3,
    "unverifiable": 4,
    "rejected": 5,
    "misattributed": 6,
}
"""Which verdict counts if a quote is cited by several citations: the least.  What is in none of
those with a passage may be in one without."""


def verify_quotes(answer: Answer, *, sources: Iterable[Source] = ()) -> tuple[QuoteCheck, ...]:
    """Return what became of each quote of an answer, in order of position.

    Quotes are those that a provider gives with a citation, words in quotation marks in a
    sentence with a citation, and block quotes that end with one.  Of several citations the one
    counts in whose source the quote stands.  Never raises for what a model or a source writes.

    Args:
        answer: Its cited sources are looked at, and those that it keeps as consulted.
        sources: More sources in which a quote may stand that is cited wrongly.

    Raises:
        NotAnAnswerError: The answer is none, but a text, say.

    >>> from citemark import cite
    >>> sources = [{"id": "a", "text": "A refund takes 5 working days."}]
    >>> answer = cite("It “takes 7 working days” [1].", sources)
    >>> [(check.verdict, check.reason) for check in verify_quotes(answer)]
    [('altered', 'Figures differ: “7” in the quote, “5” in the passage.')]
    """
    quotes = quotes_of(as_answer(answer))
    if not quotes:
        return ()
    given = (*answer.sources, *answer.consulted, *sources)
    others = tuple(dict.fromkeys(source for source in given if _text(source)))
    return tuple(_verify(quoted, others) for quoted in quotes)


def verify_quote(
    quote: str, source: Source | str, *, others: Iterable[Source] = ()
) -> QuoteCheck:
    """Return what became of one quote, with the whole of it as its position.

    Args:
        quote: The words, with or without quotation marks around them.
        source: The source that is cited for them, or its passage alone.
        others: Sources in which they may stand instead.

    Raises:
        TextTypeError: The quote is no ``str``, or the source neither that nor a ``Source``.

    >>> verify_quote("cost £412,000 …", "Work began in 1932 and cost £412,000.").verdict
    'verified'
    """
    quote = as_text(quote)
    cited = source if isinstance(source, Source) else Source("", text=as_text(source))
    judged = _judge(_Quote(quote), cited)
    if judged.is_open:
        judged = (
            _elsewhere(Folded(quote), (other for other in others if other != cited)) or judged
        )
    found = judged.source if isinstance(source, Source) or judged.source != cited else None
    return QuoteCheck(
        quote,
        judged.verdict,
        0,
        len(quote),
        None,
        found,
        judged.spans,
        judged.score,
        judged.reason,
    )


def _verify(quoted: Quoted, others: Sequence[Source]) -> QuoteCheck:
    """Hold a quote against all that is cited for it; then against what is not."""
    quote = _Quote(quoted.words)
    cited = [citation for citation in quoted.citations if citation.source is not None]
    best, citation = _judge(quote, None), None
    for other in cited:
        judged = _judge(quote, other.source, near=quoted.near)
        if citation is None or RANK[judged.verdict] < RANK[best.verdict]:
            best, citation = judged, other
        if best.verdict in {"verified", "insufficient"}:
            break
    if best.is_open:
        own = {citation.source for citation in cited}
        rest = (other for other in others if other not in own)
        best = _elsewhere(quote.folded, rest) or best
    return QuoteCheck(
        quoted.words,
        best.verdict,
        quoted.start,
        quoted.end,
        citation,
        best.source,
        best.spans,
        best.score,
        best.reason,
    )


class _Judged(NamedTuple):
    """What was found of a quote in one source."""

    verdict: QuoteVerdict
    source: Source | None = None
    spans: tuple[tuple[int, int], ...] = ()
    score: float | None = None
    reason: str = ""
    is_open: bool = False
    """Whether it may stand in another source."""


class _Quote:
    """A quote with its folded form."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.folded = Folded(words)
        self.fault = _shortness(self.folded.words[:MAX_COUNTED])


def _shortness(words: str) -> str:
    """Return why the folded words of a quote are too few to tell; "" if they are not."""
    least = MIN_WITH_FIGURE if any(map(str.isdigit, words)) else MIN_WORDS
    if count_words(words) >= least:
        return ""
    return "It is too short to tell where it is from." if core_of(words) else "It is empty."


def _judge(quote: _Quote, source: Source | None, *, near: int | None = None) -> _Judged:
    """Hold a quote against one source."""
    if quote.fault:
        return _Judged("insufficient", reason=quote.fault)
    if source is None:
        return _Judged("unverifiable", reason="Its key names no source.", is_open=True)
    text = _text(source)
    if not text:
        return _Judged("unverifiable", reason="The source has no passage.")
    passage = passage_of(text)
    found = find_quote(quote.folded, passage, near=near)
    if found is None:
        return _unlike(quote, source, passage)
    if found.spans:
        is_open = found.verdict == "altered"
        return _Judged(found.verdict, source, found.spans, None, found.note, is_open)
    return _Judged("rejected", reason=found.fault)


def _text(source: Source) -> str:
    """Return the passage of a source; "" if it holds none, or no text at all."""
    text: object = source.text
    return text if isinstance(text, str) and not text.isspace() else ""


def _elsewhere(quote: Folded, others: Iterable[Source]) -> _Judged | None:
    """Return the first of other sources in which a quote stands."""
    for other in others:
        text = _text(other)
        found = find_quote(quote, passage_of(text)) if text else None
        if found is not None and found.spans and found.verdict == "verified":
            reason = f"It stands in another source: {other.title or other.id!r}."
            return _Judged("misattributed", other, found.spans, reason=reason)
    return None


def _unlike(quote: _Quote, source: Source, passage: Passage) -> _Judged:
    """Say how a quote differs from the words that are most like it."""
    part = _missing_part(quote, passage)
    is_whole = part is quote.folded
    if part is None:
        return _NOWHERE
    near = nearest(part.words, passage.bare.words)
    if near is None:
        return _NOWHERE
    spans = (passage.bare.span(near.start, near.end),)
    if not near.changes and is_cut(passage.bare, near.start, near.end):
        return _Judged("altered", source, spans, None, CUT, is_open=True)
    slips = has_slips_only(near, part, passage.bare) if is_whole else None
    if slips is not None:
        but = "slips of spelling" if near.changes else "punctuation"
        return _Judged("fuzzy", source, spans, slips, f"It stands there but for {but}.")
    score = round(100 * near.likeness, 1)
    altered = alteration_of(near, part, passage.bare)
    if altered is not None:
        return _Judged("altered", source, spans, score, altered.reason, is_open=True)
    reason = _NOWHERE.reason
    if near.likeness >= MIN_LIKENESS:
        words = " ".join(source.text[slice(*spans[0])].split())[:MAX_SHOWN]
        reason = f"The nearest words are “{words}”."
    return _Judged("rejected", None, (), score, reason, is_open=True)


def _missing_part(quote: _Quote, passage: Passage) -> Folded | None:
    """Return the part of a quote that does not stand in a passage; None if it is too long."""
    if len(quote.words) > MAX_NEAR:
        return None
    parts = [part.words for part in parts_of(quote.folded.words) if part.words]
    if len(parts) < 2:  # noqa: PLR2004
        return quote.folded
    words = next((part for part in parts if part not in passage.bare.words), parts[0])
    start = quote.folded.words.find(words)
    if start < 0:
        return Folded(words)
    return Folded(quote.words[slice(*quote.folded.span(start, start + len(words)))])


CUT: Final = "It begins or ends within a word or a figure of the passage."
_NOWHERE: Final = _Judged("rejected", reason="It does not stand in the source.", is_open=True)

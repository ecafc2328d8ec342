"""What the checks give: sentences, and what was found of each.  Immutable, as all values.

Every offset is in code points, half-open: of ``Answer.text`` for what stands in an answer, of
``Source.text`` for what stands in a passage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from citemark.model import Citation, Source

__all__ = [
    "SCOPES",
    "SEVERITIES",
    "ClaimCheck",
    "Coverage",
    "Finding",
    "NoCitation",
    "QuoteCheck",
    "QuoteVerdict",
    "Role",
    "Scope",
    "Sentence",
    "Severity",
    "SupportCheck",
    "SupportVerdict",
    "Unit",
]

Unit: TypeAlias = Literal["sentence", "item", "row", "heading", "caption"]
"""What a sentence is in Markdown: one of a paragraph, (a sentence of) a list item, a table row,
a heading, a caption."""

Role: TypeAlias = Literal["claim", "heading", "question", "greeting", "refusal", "lead_in"]
"""What a sentence does.  Only a claim needs a citation.  A lead-in says what follows: it ends
with a colon, or holds nothing but words such as "in summary"."""

Scope: TypeAlias = Literal["strict", "paragraph"]
"""Which citations count for a claim: its own, or any later one of its paragraph too."""

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)

NoCitation: TypeAlias = Literal[
    "no_sources", "not_followed", "unknown_keys", "no_provider_data"
]
"""Why an answer has no citation: there was nothing to cite; the model wrote no marker; no key
names a source; the provider was asked for citations and sent none."""

QuoteVerdict: TypeAlias = Literal[
    "verified", "fuzzy", "altered", "misattributed", "insufficient", "unverifiable", "rejected"
]
"""``verified``: it stands there, but for how it is printed; ``fuzzy``: but for slips of
spelling; ``altered``: figures, negation or names differ; ``misattributed``: it stands in
another source; ``insufficient``: too short to tell; ``unverifiable``: the source has no
passage; ``rejected``: it does not stand there."""

SupportVerdict: TypeAlias = Literal["supported", "unsure", "unsupported"]
"""What a judge says of a claim and a passage."""

Severity: TypeAlias = Literal["error", "warning", "note"]
"""How bad a finding is."""

SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
"""Worst first."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, a list item or a table row, with what is cited for it."""

    start: int
    """First code point of its words."""

    end: int
    """Code point after the last one; markers that end the sentence are left out."""

    text: str
    """Its words without the markers, as written but for white space: one line."""

    role: Role
    """What it does."""

    unit: Unit
    """What it is in Markdown."""

    block: int
    """Which paragraph, item, row or heading it is of, counted from 0."""

    citations: tuple[Citation, ...] = ()
    """Resolved citations for it, in order, each source once."""

    unresolved: tuple[str, ...] = ()
    """Keys cited for it that name no source."""


@dataclass(frozen=True, slots=True, repr=False)
class Coverage:
    """Which claims of an answer are cited."""

    sentences: tuple[Sentence, ...]
    """All sentences, in order, claims or not."""

    cited: tuple[Sentence, ...]
    """Claims with a source."""

    uncited: tuple[Sentence, ...]
    """Claims without any."""

    unresolved: tuple[Sentence, ...]
    """Claims cited only by keys that name no source."""

    reason: NoCitation | None
    """Why the answer has no citation at all; None if it has one, or nothing to cite for."""

    @property
    def claims(self) -> int:
        """How many claims there are."""
        return len(self.cited) + len(self.uncited) + len(self.unresolved)

    @property
    def coverage(self) -> float | None:
        """Share of the claims that is cited, 0 to 1; None if there is no claim."""
        return len(self.cited) / self.claims if self.claims else None

    def __repr__(self) -> str:
        """Return counts: the sentences would fill a screen."""
        why = f", {self.reason}" if self.reason else ""
        return f"<Coverage: {len(self.cited)} of {self.claims} claims cited{why}>"


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """A quote, held against the passage of the source that is cited for it."""

    quote: str
    """The words, as the answer or the provider gives them."""

    verdict: QuoteVerdict
    """What was found."""

    start: int
    """First code point in the answer: of the quoted words, or of the marker of a provider."""

    end: int
    """Code point after the last one."""

    citation: Citation | None = None
    """The citation whose quote it is; None for a quote that is held against a bare passage."""

    source: Source | None = None
    """Where it stands, or what it is altered from: the cited source, another one if
    misattributed; None if nowhere, or in a bare passage."""

    spans: tuple[tuple[int, int], ...] = ()
    """Where in the passage it stands, one for each part between ellipses; or the words that are
    most like it, if it is altered."""

    score: float | None = None
    """Likeness of the nearest words, 0 to 100, if they were compared."""

    reason: str = ""
    """Why, in one sentence, if it is not verified; or what denies it right beside its place."""


@dataclass(frozen=True, slots=True)
class SupportCheck:
    """A claim, held against one passage that is cited for it."""

    claim: Sentence
    """The claim."""

    citation: Citation
    """The citation whose passage it was held against."""

    verdict: SupportVerdict
    """What the judge says."""

    score: float | None = None
    """How well it is supported, 0 to 1, as the judge reckons; None if it failed."""

    window: tuple[int, int] | None = None
    """The words of the passage that say most of it."""

    reasons: tuple[str, ...] = ()
    """Why, one sentence each."""

    failed: bool = False
    """Whether it was not judged: the judge failed, or what it said makes no sense."""

    is_hint: bool = False
    """Whether nothing speaks against the claim but that words of it are not there, which is so
    of a paraphrase as well."""


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """A claim, held against all passages that are cited for it."""

    claim: Sentence
    """The claim."""

    verdict: SupportVerdict
    """The best that is said of one passage, or of all of them together."""

    checks: tuple[SupportCheck, ...]
    """What is said of each passage."""

    reasons: tuple[str, ...] = ()
    """Why, one sentence each: of the passages together, if they were judged so."""

    is_joint: bool = False
    """Whether the verdict is that on the passages together: none of them has it alone."""

    is_hint: bool = False
    """See ``SupportCheck``; of all that was judged."""

    failed: bool = False
    """Whether the passages were to be judged together, and were not."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a reader of the answer should not have to find out alone."""

    severity: Severity
    """How bad it is."""

    code: str
    """Kind of the finding, for programs: ``"uncited"``, ``"quote_altered"``, ..."""

    start: int
    """First code point in the answer."""

    end: int
    """Code point after the last one."""

    message: str
    """The same for people, in one sentence."""

    mend: str = ""
    """What to do about it; "" if there is nothing to say."""

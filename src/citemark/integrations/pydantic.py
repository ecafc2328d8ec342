"""Forms of structured replies, as pydantic models.  Needs the extra ``pydantic``.

``response_schema`` makes a provider's JSON Schema of a form, and ``from_structured`` makes an
answer of what the model sends.  The descriptions are written for the model.
"""

from __future__ import annotations

from citemark._extras import extra
from citemark.structured import from_structured, response_schema

with extra("pydantic"):
    from pydantic import BaseModel, ConfigDict, Field, field_validator

__all__ = [
    "CitedAnswer",
    "CitedClaim",
    "ClaimList",
    "Quotation",
    "QuotedAnswer",
    "from_structured",
    "response_schema",
]


def _as_label(value: object) -> object:
    """Return a number as the label that it is meant to be."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_number else value


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @field_validator("citations", "source", mode="before", check_fields=False)
    @classmethod
    def _as_labels(cls, value: object) -> object:
        return [*map(_as_label, value)] if isinstance(value, list) else _as_label(value)


class CitedAnswer(_Form):
    """An answer that cites the given sources."""

    answer: str = Field(
        description=(
            "The answer, in Markdown, with a citation in square brackets after each statement "
            "that a source supports."
        )
    )
    """Markdown, with markers."""

    citations: list[str] = Field(
        description="Labels of all sources that the answer cites, in order; may be empty."
    )
    """Labels of the sources."""


class Quotation(_Form):
    """Words of a source that prove a statement of the answer."""

    source: str = Field(description="Label of the source.")
    """Label of the source."""

    quote: str = Field(
        description="Words of that source, copied exactly, that prove what it is cited for."
    )
    """Words of the source."""


class QuotedAnswer(_Form):
    """An answer that cites the given sources, with the words that prove it."""

    answer: str = Field(
        description=(
            "The answer, in Markdown, with a citation in square brackets after each statement "
            "that a source supports."
        )
    )
    """Markdown, with markers."""

    citations: list[Quotation] = Field(
        description="One for each citation in the answer, in the same order."
    )
    """A quote for each marker of the text, in order."""


class CitedClaim(_Form):
    """A statement of the answer."""

    text: str = Field(description="One sentence or list item of the answer, in Markdown.")
    """Markdown, without markers."""

    citations: list[str] = Field(
        description="Labels of the sources that support this statement; may be empty."
    )
    """Labels of the sources."""


class ClaimList(_Form):
    """An answer, statement by statement."""

    claims: list[CitedClaim] = Field(
        description="All statements of the answer, in the order in which they are read."
    )
    """Statements; one after the other they are the answer."""

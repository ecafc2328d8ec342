"""Expectations that are not met, each with the reason."""

from __future__ import annotations

BY_DESIGN = {
    "anthropic_cite_leak": "without the request nothing tells which documents there are: the "
    "indices of leaked tags name no source, rather than one that may be wrong",
    "gemini_citation_metadata": "a notice that words may be recited from elsewhere says whose they "
    "are, not that they are true: a source and an issue with the place, but no claim",
}

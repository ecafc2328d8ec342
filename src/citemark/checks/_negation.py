"""Whether a sentence denies something."""

from __future__ import annotations

from citemark._quotes import negations_in

__all__ = ["is_negated"]


def is_negated(text: str) -> bool:
    """Whether a sentence says that something is not so; French ``ne … pas`` counts once.

    >>> is_negated("It isn't wet."), is_negated("It is wet."), is_negated("Ce n'est pas vrai.")
    (True, False, True)
    """
    # The month of May is "never" in Italian.
    return bool(negations_in(text.replace("Mai", " ").replace("’", "'").casefold()))

"""In what a quote differs from the words most like it: figures, negation, names, signs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._quotes import is_figure, negations_in, other_signs
from citemark.checks._spelling import are_opposed

if TYPE_CHECKING:
    from citemark._quotes import Folded, Nearest, Word

__all__ = ["MIN_LIKENESS", "Alteration", "alteration_of"]

MIN_LIKENESS: Final = 0.6
"""Share of words that are the same, below which words are not those of the quote altered."""

MIN_SAME: Final = 2
"""Words that are the same at least."""

MAX_MARKS: Final = 20
"""Blanks and marks between the end of a sentence and the next one."""

_MARKS: Final = " \t\"'“”„«»*_("
_STOPS: Final = ".!?:\n。！？"


class Alteration(NamedTuple):
    """A difference in what is said."""

    kind: str
    """"figures", "negation", "names", "signs" or "words"."""

    mine: str
    """What the quote has; "" for nothing."""

    theirs: str
    """What the passage has; "" for nothing."""

    @property
    def reason(self) -> str:
        """The difference in one sentence."""
        kind = f"{self.kind.capitalize()} differ{'s' * (self.kind == 'negation')}: "
        if not self.theirs:
            return f"{kind}the quote adds “{self.mine}”."
        if not self.mine:
            return f"{kind}the quote leaves out “{self.theirs}”."
        return f"{kind}“{self.mine}” in the quote, “{self.theirs}” in the passage."


def alteration_of(near: Nearest, quote: Folded, passage: Folded) -> Alteration | None:
    """Return the first difference that changes what is said; None if there is none.

    Args:
        near: The words of both, lined up.
        quote: The quote; offsets of ``near`` are of its folded words.
        passage: The passage, likewise.
    """
    same = len(near.pairs) - len(near.changes)
    if near.likeness < MIN_LIKENESS or same < MIN_SAME:
        return None
    if _figures(near, 0) != _figures(near, 1):
        return Alteration("figures", *_change_of_figures(near))
    window = passage.words[near.start : near.end]
    mine, theirs = Counter(negations_in(quote.words)), Counter(negations_in(window))
    if mine != theirs:
        added, lost = mine - theirs, theirs - mine
        return Alteration("negation", " ".join(added), " ".join(lost))
    for mine_word, theirs_word in near.changes:
        if _is_name(mine_word, quote) or _is_name(theirs_word, passage):
            return Alteration(
                "names", _written(mine_word, quote), _written(theirs_word, passage)
            )
    signs = other_signs(near, quote, passage)
    return Alteration("signs", *signs) if signs else _opposed(near, quote, passage)


def _opposed(near: Nearest, quote: Folded, passage: Folded) -> Alteration | None:
    """Return the first two words that say the opposite of each other by their form."""
    for mine, theirs in near.changes:
        if mine and theirs and are_opposed(mine.text, theirs.text):
            return Alteration("words", _written(mine, quote), _written(theirs, passage))
    return None


def _is_name(word: Word | None, folded: Folded) -> bool:
    """Whether a word is written with a capital that is not that of a sentence."""
    if word is None:
        return False
    start, _ = folded.span(word.start, word.start + len(word.text))
    before = folded.text[max(start - MAX_MARKS, 0) : start].rstrip(_MARKS)[-1:]
    return folded.text[start].isupper() and bool(before) and before not in _STOPS


def _figures(near: Nearest, side: int) -> list[str]:
    words = (pair[side] for pair in near.pairs)
    return [word.text for word in words if word is not None and is_figure(word.text)]


def _change_of_figures(near: Nearest) -> tuple[str, str]:
    for pair in near.changes:
        texts = ("" if word is None else word.text for word in pair)
        mine, theirs = (text if text and is_figure(text) else "" for text in texts)
        if mine or theirs:
            return mine, theirs
    return "", ""


def _written(word: Word | None, folded: Folded) -> str:
    if word is None:
        return ""
    start, end = folded.span(word.start, word.start + len(word.text))
    return " ".join(folded.text[start:end].split())

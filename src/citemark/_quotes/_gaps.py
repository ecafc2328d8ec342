"""What a quote leaves out, or puts in: whether its parts may speak of another subject by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from citemark._quotes._fold import Folded
    from citemark._quotes._parts import Part

    Place = tuple[int, int]

__all__ = ["Doubt", "doubt_of"]

MAX_SHORTENED: Final = 8
"""Code points of a word that ends with a stop."""

MAX_BEFORE: Final = 60
"""Code points before a place in which the word that brackets stand for is looked for."""

_SPEAKING: Final = (
    "it he she they we er sie es wir ich il elle ils elles nous je él ella ellos ellas"
    " egli lui lei loro ele ela eles elas hij zij ze wij han hon hän он она оно они мы"
    " ona ono oni onlar هو هي هم वह वे ő ők"
)
"""Words that speak of what was spoken of."""

_NAMELESS: Final = (
    "emphasis ed eds editor note sic translated translation added him her them us i you"
    " who het hun o bu я a an the this that these those its his their our my your which"
    " one and but or so then there also as at after before by for from if in of on to"
    " when while with not no mr mrs ms dr sir ihre ihren sein seine man der die das dem"
    " den des ein eine und aber oder dann auch dieser diese dieses nach vor im mit von"
    " zu bei für als wenn ce cela le la les un une et mais ou puis aussi qui son sa ses"
    " leur du de à en lo los las el y pero también su sus que gli e ma poi anche os um"
    " uma mas também een maar ook dan zijn haar zich op van voor met его её их это и но"
    " а также в на с по при ale oraz ve ama و यह और"
)
"""Words that name nothing, those of editors among them."""

_PRONOUNS: Final = frozenset(_SPEAKING.split())
_SMALL: Final = _PRONOUNS | frozenset(_NAMELESS.split())
_HAN: Final = lazy_re("[他她它彼]|それ|これ")

_STOP: Final = lazy_re(r"[.!?][\"')]*(?= )|[。！？]")
_SHORTENED: Final = lazy_re(
    r"(?:(?<!\w)(?:mrs?|ms|dr|prof|st|cf|vs|approx|etc|figs?|vol|pp|eds?|jr"
    r"|sr|inc|ltd|dept|bzw|ca|nr|abs|sog|mme|mlle|sra|rev|incl|resp)|[ie]\.[ge])\.\Z"
)
"""Words that end with a stop which ends no sentence."""

_WORD: Final = lazy_re(r"[^\W\d_]+")
_BRACKETS: Final = lazy_re(r"\[([^\[\]]{2,80})\]")
_LAST: Final = lazy_re(r"([^\W_]+(?:['’-][^\W_]+)*)\s+\Z")
_FIRST: Final = lazy_re(r"\s+([^\W_]+(?:['’-][^\W_]+)*)")


class Doubt(NamedTuple):
    """Why the parts of a quote do not say what the passage says, or may not."""

    is_altered: bool
    """Whether a name stands for another one; otherwise nobody can tell from the passage."""

    reason: str
    """In one sentence."""


def doubt_of(
    quote: Folded, passage: Folded, parts: Sequence[Part], places: Sequence[Place]
) -> Doubt | None:
    """Return what is doubtful about a quote whose parts stand at some places; None for nothing.

    Args:
        quote: The quote, with its ellipses and brackets.
        passage: The passage.
        parts: Those of the quote.
        places: Ranges of the folded words of the passage, one for each part with words.
    """
    if any(part.insert for part in parts):
        names = [*_names_in(quote.text)]
        doubt = _of_inserts(names, passage, parts, places) or _of_names(names, passage)
        if doubt is not None:
            return doubt
    return _of_sentences(passage, parts, places)


def _of_inserts(
    names: Sequence[str], passage: Folded, parts: Sequence[Part], places: Sequence[Place]
) -> Doubt | None:
    """Return the doubt about what is put in: a name for a name, or words for other words."""
    for insert, replaced, is_between in _replaced(passage, parts, places):
        put_in = [name for name in names if name.casefold() in insert]
        other = next(filter(_is_name, _WORD.findall(replaced)), "")
        if put_in and other and other.casefold() not in insert:
            reason = f"Names differ: “{put_in[0]}” in the quote, “{other}” in the passage."
            return Doubt(is_altered=True, reason=reason)
        mine, theirs = _said(insert), _said(replaced.casefold())
        if is_between and theirs and mine and not (mine & theirs) and _lacks(passage, mine):
            shown = " ".join(replaced.split())
            reason = f"The words put in, “{insert}”, stand for “{shown}”."
            return Doubt(is_altered=False, reason=reason)
    return None


def _of_names(names: Sequence[str], passage: Folded) -> Doubt | None:
    """Return the doubt about names put in that the passage does not have."""
    for name in names:
        if _lacks(passage, {name.casefold()}):
            reason = f"The passage does not have the name that is put in: “{name}”."
            return Doubt(is_altered=False, reason=reason)
    return None


def _said(words: str) -> set[str]:
    return {word for word in _WORD.findall(words) if word not in _SMALL}


def _lacks(passage: Folded, words: set[str]) -> bool:
    """Whether a passage has none of some folded words."""
    return words.isdisjoint(match[0] for match in _WORD.finditer(passage.words))


def _of_sentences(
    passage: Folded, parts: Sequence[Part], places: Sequence[Place]
) -> Doubt | None:
    """Return the doubt about parts of two sentences, the second one without its beginning."""
    spoken = [part for part in parts if part.words]
    for (_, start), (end, _), part in zip(places, places[1:], spoken[1:], strict=False):
        gap = passage.words[start:end]
        stops = [stop for stop in _STOP.finditer(gap) if _ends(passage.words, start, stop)]
        head = gap[stops[-1].end() :].strip() if stops and not part.insert else ""
        if head and _has_other_subject(head, len(stops)):
            reason = f"The words left out begin another sentence: “{head}”."
            return Doubt(is_altered=False, reason=reason)
    return None


def _ends(words: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a stop in a gap that starts at an offset ends a sentence."""
    at = start + stop.start()
    return not _SHORTENED.search(words[max(at - MAX_SHORTENED, 0) : at + 1])


def _has_other_subject(head: str, stops: int) -> bool:
    """Whether the beginning of a sentence speaks of something else than the one before.

    A pronoun speaks of the same, if no other sentence is between.
    """
    words = _WORD.findall(head)
    if not _PRONOUNS.isdisjoint(words) or _HAN.search(head):
        return stops > 1
    return any(word not in _SMALL for word in words)


def _replaced(
    passage: Folded, parts: Sequence[Part], places: Sequence[Place]
) -> Iterator[tuple[str, str, bool]]:
    """Yield what is put in, folded, the words of the passage for which it may stand, and why.

    Between two places it stands for all of them; elsewhere perhaps for the one beside it.
    """
    text = passage.text
    spans = [passage.span(*place) for place in places]
    number = 0
    for part in parts:
        if part.insert and 0 < number < len(spans):
            yield part.insert, text[spans[number - 1][1] : spans[number][0]], True
        elif part.insert:
            around = _beside(text, spans[0][0] if number == 0 else -spans[-1][1])
            yield part.insert, around, False
        number += bool(part.words)


def _beside(text: str, at: int) -> str:
    """Return the word before a place, or after it if that is negative; "" behind a stop."""
    if at < 0:
        found = _FIRST.match(text, -at)
    else:
        found = _LAST.search(text[max(at - MAX_BEFORE, 0) : at])
    return found[1] if found else ""


def _names_in(text: str) -> Iterator[str]:
    """Yield the names in square brackets."""
    for brackets in _BRACKETS.finditer(text):
        yield from filter(_is_name, (match[0] for match in _WORD.finditer(brackets[1])))


def _is_name(word: str) -> bool:
    return word[:1].isupper() and len(word) > 1 and word.casefold() not in _SMALL

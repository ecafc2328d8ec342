"""Whether a sentence that refuses, greets or announces goes on to state something.

"The sources do not say when, but the dam broke in 1931."  What follows is a statement if it
begins as one (after "because", "which"), or has a figure or a verb of its own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks._phrase import SOURCES, Phrase
from citemark.checks._phrases import after_opener, phrase_of
from citemark.checks._vocabulary import languages, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["states_more"]

MIN_CLAUSE: Final = 3
"""Words of a clause that states something; one with a figure may have one less."""

MAX_OPENERS: Final = 2
"""Openers that are read before one another in a clause."""

_BLANKS: Final = " .,!;:。！，、।"
_DENSE: Final = lazy_re(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FIGURE: Final = lazy_re(r"\d")
_COMMA: Final = lazy_re(r"[,，،]")
_LETTERS: Final = lazy_re(r"[^\W\d_]+")


class _Clause(NamedTuple):
    kind: str
    """Group of the pattern that what stands before it is of."""

    has_comma: bool
    """Whether a comma stands before that."""

    words: str
    """Up to the next clause."""

    rest: str
    """Up to the end of the sentence."""


def states_more(words: str, kind: str) -> bool:
    """Whether what follows a phrase in its sentence states something.

    Args:
        words: The sentence, from its phrase on, in lower case.
        kind: The list that the phrase is of.
    """
    if kind == "requests" and _FIGURE.search(words):
        return True
    if kind in {"requests", "offers", "salutations"} and _has_note(words):
        return True
    is_series = len(_COMMA.findall(words)) > 1
    return any(
        _may_state(clause, kind, is_series=is_series) and not _is_phrase(clause.rest)
        for clause in _clauses_of(words)
    )


def _clauses_of(words: str) -> Iterator[_Clause]:
    found = [*_pattern().finditer(words)]
    for at, match in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(words)
        kind = match.lastgroup or ""
        own, rest = words[match.end() : end], words[match.end() :]
        yield _Clause(kind, bool(match["comma"]), own.strip(_BLANKS), rest.strip(_BLANKS))


def _may_state(clause: _Clause, kind: str, *, is_series: bool) -> bool:
    """Whether a clause is long enough, and is joined as statements are."""
    has_figure = _FIGURE.search(clause.words) is not None
    if not _is_long(clause.words, has_figure=has_figure):
        return False
    if clause.kind == "strong":
        return True
    if clause.kind == "relative":
        return clause.has_comma
    tokens = _LETTERS.findall(clause.words)
    if tokens and tokens[0] in words_of("asks"):
        return False
    has_verb = not words_of("verbs").isdisjoint(tokens[:-1])
    if clause.kind == "weak" and clause.has_comma and not is_series:
        return True
    is_spoken = kind in {"offers", "salutations", "requests"}
    return (has_figure or has_verb) and not (is_spoken and not clause.has_comma)


def _is_phrase(clause: str) -> bool:
    """Whether a clause refuses or greets itself, be it of the sources named before."""
    first, _, more = clause.partition(" ")
    about = more if first in words_of("pronouns") else clause
    return any(_is_spoken(said) for said in (clause, f"{SOURCES} {about}"))


def _is_spoken(words: str) -> bool:
    for _ in range(MAX_OPENERS):
        if phrase_of(words):
            return True
        rest = after_opener(words)
        if rest is None:
            return False
        words = rest
    return not words.strip(_BLANKS) or bool(phrase_of(words))


def _is_long(words: str, *, has_figure: bool) -> bool:
    count = len(words.split())
    return count + has_figure >= MIN_CLAUSE or len(_DENSE.findall(words)) >= 2 * MIN_CLAUSE


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of what may stand before another statement."""
    strong = _either(words_of("contrasts", "reasons"))
    return re.compile(
        rf"(?P<strong>[;；؛]|[:：](?!\S)|：|\s[-–]\s|\s?—\s?|{strong})"
        rf"|(?P<comma>[,،]\s*+|[，、])?+(?:(?P<relative>{_either(words_of('relatives'))})"
        rf"|(?P<weak>{_either(words_of('joins'))}))"
        rf"|(?P<bare>[,،](?=\s)|，)"
    )


def _either(words: Iterable[str]) -> str:
    """Return the pattern of any of some words."""
    ordered = sorted(words)
    spaced = "|".join(re.escape(word) for word in ordered if not _DENSE.match(word))
    dense = "|".join(re.escape(word) for word in ordered if _DENSE.match(word))
    return rf"(?<!\w)(?:{spaced})(?!\w|\.\w)" + (f"|{dense}" if dense else "")


def _has_note(words: str) -> bool:
    """Whether an offer has words after which it states something: "remember that"."""
    return any(
        phrase.may_match(words) and _searched(phrase, start).search(words)
        for phrase, start in _notes()
    )


@cache
def _notes() -> tuple[tuple[Phrase, str], ...]:
    """Return those words, each with the pattern of what must stand before them."""
    return tuple(
        (Phrase(text, language), r"(?<!\w)" if language.get("blanks", True) else "")
        for language in languages()
        for text in language.get("notes", ())
    )


@cache
def _searched(phrase: Phrase, start: str) -> re.Pattern[str]:
    return re.compile(start + phrase.pattern())

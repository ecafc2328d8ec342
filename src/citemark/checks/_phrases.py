"""What a sentence does, told by the phrase that it starts with.

Phrases are looked up by the word that they start with, as most sentences start like no phrase
at all.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.checks._phrase import SOURCES, Phrase, head_of
from citemark.checks._readings import readings_of
from citemark.checks._vocabulary import languages, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    Named = tuple[str, Phrase]
    """A phrase, and the list that it is of."""

__all__ = ["after_opener", "phrase_of"]

_STOPS: Final = r"[\s.,:;!…。．，、！：।،]*\Z"
_POINTED: Final = (
    r"(?:[\s,;&]*+(?:(?:and|or|und|oder|et|ou|y|o|e|en|of)\s++)?[^\s\[`]*+[\[`][^\s]*+)*+"
)
"""Code that a reader is pointed to, as in "see arr[0]"."""

_NAME: Final = r"[\s,]*+[^\s\d.,!?。！？।]++\.?"
_ROLES: Final = {
    "refusals": "",
    "offers": "",
    "salutations": rf"(?:(?:{_NAME})?{_STOPS}|(?:{_NAME}){{0,3}}\s*[!,！，،]\Z)",
    "lead_ins": rf"{_POINTED}{_STOPS}",
    "bare_refusals": _STOPS,
    "requests": "",
}
"""What follows a phrase, by the list that it is of."""

_AFTER_OPENER: Final = r"(?!-)[\s,，、،:;.。!！।—–]*+"
_OPENERS: Final = {
    "openers": _AFTER_OPENER,
    "salutations": _AFTER_OPENER,  # "Hello, and thank you for your question"
    "before_more": rf"(?:{_AFTER_OPENER}(?=\S)|\s*+[!！]+\Z)",
}
_ANSWER: Final = lazy_re(r"([^\s,，、،.。!！।:—–]++)\s*[,，、،.。!！।:—–]\s*+(?=\S)")


def phrase_of(words: str) -> str:
    """Return which list has the phrase that a sentence starts with; "" if none has."""
    for reading in readings_of(words):
        for name, phrase in _roles().starting(reading):
            if phrase.match(reading):
                return name
    return ""


def after_opener(words: str) -> str | None:
    """Return what follows the opener that a sentence starts with; None if it has none."""
    for reading in readings_of(words):
        for _, phrase in _openers().starting(reading):
            if match := phrase.match(reading):
                return reading[match.end() :]
        answer = _ANSWER.match(reading)
        if answer and answer[1] in words_of("answers"):
            return reading[answer.end() :]
    return None


class _Index:
    """Finds phrases by the head of a sentence, in the order of the lists."""

    def __init__(self, lists: Mapping[str, str]) -> None:
        """Read lists of all languages, each with the pattern of what follows its phrases."""
        found = (
            (name, Phrase(text, language, after))
            for name, after in lists.items()
            for language in languages()
            for text in language.get(name, ())
        )
        self._all: dict[int, Named] = dict(enumerate(found))
        self._whole: dict[str, list[int]] = {}
        self._open: dict[str, list[tuple[str, int]]] = {}
        self._any: list[int] = []
        for at, (_, phrase) in self._all.items():
            for head, is_open in phrase.starts():
                if not head:
                    self._any.append(at)
                elif is_open:
                    self._open.setdefault(head[:1], []).append((head, at))
                else:
                    self._whole.setdefault(head, []).append(at)
        self._of_head = lru_cache(maxsize=1_000)(self._find)

    def starting(self, words: str) -> tuple[Named, ...]:
        """Return the phrases that words may start with."""
        return self._of_head(head_of(words), SOURCES in words)

    def _find(self, head: str, has_sources: bool) -> tuple[Named, ...]:  # noqa: FBT001
        found = {*self._whole.get(head, ())}
        found.update(at for start, at in self._open.get(head[:1], ()) if head.startswith(start))
        if head > "\x7f":  # no phrase in Latin letters may start with anything
            found.update(self._any)
        named = (self._all[at] for at in sorted(found))
        return tuple(one for one in named if has_sources or not one[1].needs_sources)


@cache
def _roles() -> _Index:
    return _Index(_ROLES)


@cache
def _openers() -> _Index:
    return _Index(_OPENERS)

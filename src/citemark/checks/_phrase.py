"""One phrase of the files in ``words``: what it can start with, what it needs, its pattern.

How phrases are written stands in ``words/README.md``.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["SOURCES", "Phrase", "head_of"]

SOURCES: Final = "\ue000"
"""Stands for words such as "the given documents"."""

_ITEM: Final = lazy_re(
    r"\[(?P<one>[^\]]+)\]|\((?P<maybe>[^)]+)\)|(?P<any>…)|(?P<word>[^\s\[\]()…]+)"
)
_LIST: Final = lazy_re(r"<(\w+)>")
_HEAD: Final = lazy_re(r"\w+|.", re.DOTALL)

_WORD_END: Final = r"(?![\w\u064b-\u0652\u0900-\u0903\u093a-\u094f])"
"""No letter follows, nor a sign over one, which is none to ``re``."""

_WORD_START: Final = r"(?:\b|(?=\ue000))"
_GAP: Final = r".{0,80}?"


def head_of(words: str) -> str:
    """Return the letters that words start with, or else their first character.

    >>> head_of("the sources"), head_of("i'm"), head_of("…")
    ('the', 'i', '…')
    """
    match = _HEAD.match(words)
    return match[0] if match else ""


class Phrase:
    """A phrase, whose pattern is compiled when a sentence has all words that it needs.

    There are hundreds of phrases, and compiling them all takes seconds.
    """

    def __init__(self, text: str, language: Mapping[str, Any], after: str = "") -> None:
        """Keep it.

        Args:
            text: As it is written in the files.
            language: What is known of its language.
            after: The pattern of what must follow.
        """
        self._text = text
        self._after = after
        self._has_blanks: bool = language.get("blanks", True)

    def match(self, words: str) -> re.Match[str] | None:
        """Return the match at the start of a sentence; None if there is none."""
        return self._compiled.match(words) if self.may_match(words) else None

    def may_match(self, words: str) -> bool:
        """Whether a sentence has a word of each kind that the phrase cannot do without."""
        for choices in self._needs:
            for choice in choices:
                if choice in words:
                    break
            else:
                return False
        return True

    @property
    def needs_sources(self) -> bool:
        """Whether it cannot do without the sign for the sources."""
        return (SOURCES,) in self._needs

    def starts(self) -> Iterator[tuple[str, bool]]:
        """Yield the heads of what it matches, and whether letters may follow these at once.

        If it may start with anything, this is ``""``, and the only one.
        """
        found: list[tuple[str, bool]] = []
        for item in _ITEM.finditer(self._text):
            if item["any"]:
                found = [("", True)]
                break
            found += map(self._start, _choices(item))
            if not item["maybe"]:
                break
        yield from dict.fromkeys(found)

    def nouns(self) -> Iterator[str]:
        """Yield the first word of each choice that it cannot do without."""
        for item in _ITEM.finditer(self._text):
            if item["one"]:
                for noun in item["one"].casefold().split("|"):
                    yield noun.split()[0].rstrip("*")

    def pattern(self) -> str:
        """Return its pattern, which ends where a word does."""
        pieces: list[str] = []
        for item in _ITEM.finditer(self._text):
            if item["any"]:
                goes_on = self._has_blanks and item.end() < len(self._text)
                pieces.append(_GAP + (_WORD_START if goes_on else ""))
            else:
                choices = "|".join(self._alternatives(_choices(item)))
                pieces.append(rf"(?:(?:{choices})[\s,、，]*+){'?' if item['maybe'] else ''}")
        return "".join(pieces)

    def _alternatives(self, choices: list[str]) -> Iterator[str]:
        """Yield the patterns of choices, the longest first.

        The end of a word is written once for all that are beside each other: it takes longer
        to compile than they do.
        """
        by_length = sorted(choices, key=len, reverse=True)
        for is_open, group in groupby(by_length, self._is_open):
            either = "|".join(map(_pattern, group))
            yield either if is_open else f"(?:{either}){_WORD_END}"

    def _is_open(self, words: str) -> bool:
        """Whether letters may follow a choice at once."""
        return (
            not self._has_blanks or words.endswith(("'", "*")) or words == "_" or "<" in words
        )

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern() + self._after)

    @cached_property
    def _needs(self) -> tuple[tuple[str, ...], ...]:
        """The longest word of each choice, for each place that must be filled."""
        needs = [
            tuple(map(_need, _choices(item)))
            for item in _ITEM.finditer(self._text)
            if not (item["any"] or item["maybe"])
        ]
        return tuple(sorted(filter(all, needs), key=len))  # "" is in all words

    def _start(self, words: str) -> tuple[str, bool]:
        if _LIST.match(words):
            return SOURCES, False
        first, *others = words.casefold().split()
        is_open = not others and (first.endswith("*") or not self._has_blanks)
        first = first.removesuffix("*")
        head = head_of(first)
        return head, is_open and head == first


def _choices(item: re.Match[str]) -> list[str]:
    return (item["one"] or item["maybe"] or item["word"] or "").split("|")


def _pattern(words: str) -> str:
    """Return the pattern of a choice, but for the end of a word."""
    if words == "_":
        return r"[^\s.,;:]++"
    named = _LIST.search(words)
    if named:
        return re.escape(words[: named.start()]) + SOURCES
    pattern = r"\s+".join(re.escape(word) for word in words.casefold().split())
    if words.endswith("*"):
        return pattern.removesuffix(r"\*") + r"[^\s.,;:!?।。]*+"
    return pattern


def _need(words: str) -> str:
    """Return what stands in all that one choice matches; "" if nothing does."""
    if words == "_":
        return ""
    if _LIST.search(words):
        return SOURCES
    return max(words.casefold().removesuffix("*").split(), key=len)

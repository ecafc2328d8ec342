"""Phrases of the files in ``words`` as patterns: what a sentence does, told by how it starts.

The patterns are kept by the first character of what they match, as most sentences start like no
phrase at all.  How phrases are written stands in ``words/README.md``.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from citemark._lazy import lazy_re
from citemark.checks._vocabulary import languages, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["after_opener", "phrase_of"]

_ITEM: Final = lazy_re(
    r"\[(?P<one>[^\]]+)\]|\((?P<maybe>[^)]+)\)|(?P<any>…)|(?P<word>[^\s\[\]()…]+)"
)
_OTHER: Final = "\uffff"
SOURCES: Final = "\ue000"
"""Stands for words such as "the given documents"."""

LENGTH: Final = 4
"""Letters that tell a noun from nearly all others."""

_LIST: Final = lazy_re(r"<(\w+)>")

_WORD_END: Final = r"(?![\w\u064b-\u0652\u0900-\u0903\u093a-\u094f])"
"""No letter follows, nor a sign over one, which is none to ``re``."""

_WORD_START: Final = r"(?:\b|(?=\ue000))"

_GAP: Final = r".{0,80}?"
_STOPS: Final = r"[\s.,:;!…。．，、！：।،]*\Z"
_NAME: Final = r"[\s,]*+[^\s\d.,!?。！？।]++\.?"
_AFTER: Final = {
    "refusals": "",
    "offers": "",
    "salutations": rf"(?:(?:{_NAME})?{_STOPS}|(?:{_NAME}){{0,3}}\s*[!,！，،]\Z)",
    "lead_ins": _STOPS,
    "bare_refusals": _STOPS,
}
"""What follows a phrase, by the list that it is of."""

_OPENERS: Final = ("openers", "salutations")  # "Hello, and thank you for your question"
_AFTER_OPENER: Final = r"(?!-)[\s,，、،:;.。!！।—–]*+"
_AFTER_ANSWER: Final = r"\s*[,，、،.。!！।:—–]\s*+(?=\S)"


def phrase_of(words: str) -> str:
    """Return which list has the phrase that a sentence starts with; "" if none has."""
    for reading in _readings(words):
        pattern = _patterns(_key(reading))
        match = pattern.match(reading) if pattern else None
        if match:
            return match.lastgroup or ""
    return ""


def after_opener(words: str) -> str | None:
    """Return what follows the opener that a sentence starts with; None if it has none."""
    for reading in _readings(words):
        pattern = _openers(_key(reading))
        match = pattern.match(reading) if pattern else None
        if match:
            return reading[match.end() :]
    return None


@lru_cache(maxsize=16)
def _readings(words: str) -> tuple[str, ...]:
    """Return a sentence; and with a sign for "the sources", by the languages it may be in.

    Written out in all phrases, those words would take seconds to compile.
    """
    starts = {token[:LENGTH] for token in words.replace("'", " ").split()}
    if words.isascii():
        if starts.isdisjoint(_all_nouns()):
            return (words,)
    else:
        starts |= {token[:2] for token in starts}
    found = {
        pattern.sub(SOURCES, words): None
        for pattern, nouns, has_blanks in _sources()
        if (nouns & starts if has_blanks else any(noun in words for noun in nouns))
    }
    return (words, *(reading for reading in found if reading != words))


@cache
def _all_nouns() -> frozenset[str]:
    return frozenset().union(*(nouns for _, nouns, _ in _sources()))


@cache
def _sources() -> tuple[tuple[re.Pattern[str], frozenset[str], bool], ...]:
    """Return for each language what names the sources, and how the nouns in it start."""
    return tuple(
        (
            re.compile(
                r"\b" * has_blanks + _either(_pattern(one, language) for one in phrases)
            ),
            frozenset(noun for one in phrases for noun in _nouns(one, has_blanks=has_blanks)),
            has_blanks,
        )
        for language in languages()
        if (phrases := language.get("sources", ()))
        for has_blanks in (language.get("blanks", True),)
    )


def _nouns(phrase: str, *, has_blanks: bool) -> Iterator[str]:
    """Yield the start of each word that a phrase cannot do without."""
    for item in _ITEM.finditer(phrase):
        if item["one"]:
            for noun in item["one"].casefold().split("|"):
                yield noun.split()[0].rstrip("*")[: LENGTH if has_blanks else None]


def _key(words: str) -> str:
    """Return the first character; those that no phrase starts with are one."""
    first = words[:1]
    return first if first in _firsts() else _OTHER * (first > "\x7f")


@cache
def _firsts() -> frozenset[str]:
    phrases = (
        _starts(phrase)
        for language in languages()
        for name in (*_AFTER, "openers")
        for phrase in language.get(name, ())
    )
    return frozenset().union(*phrases, (word[0] for word in words_of("answers"))) - {""}


@cache
def _patterns(first: str) -> re.Pattern[str] | None:
    """Return a pattern for all phrases that start with a character, a group for each list."""
    found = ((name, after, [*_starting(name, first)]) for name, after in _AFTER.items())
    groups = [
        f"(?P<{name}>{_either(phrases)}{after})" for name, after, phrases in found if phrases
    ]
    return re.compile("|".join(groups)) if groups else None


@cache
def _openers(first: str) -> re.Pattern[str] | None:
    phrases = [phrase for name in _OPENERS for phrase in _starting(name, first)]
    found = [f"{_either([phrase])}{_AFTER_OPENER}" for phrase in phrases]
    answers = [re.escape(word) for word in words_of("answers") if word[0] == first]
    found += [f"{answer}{_AFTER_ANSWER}" for answer in answers]
    return re.compile("|".join(found)) if found else None


def _starting(name: str, first: str) -> Iterator[str]:
    """Yield the patterns of a list for what starts with a character."""
    for language in languages() if first else ():
        for phrase in language.get(name, ()):
            starts = _starts(phrase)
            if first in starts or ("" in starts and first > "\x7f"):
                yield _pattern(phrase, language)


def _starts(phrase: str) -> set[str]:
    """Return the characters that a phrase may start with; "" for any."""
    starts: set[str] = set()
    for item in _ITEM.finditer(phrase):
        if item["any"]:
            return {""}
        for words in _choices(item):
            starts.add(SOURCES if _LIST.match(words) else words.casefold()[0])
        if not item["maybe"]:
            break
    return starts


def _choices(item: re.Match[str]) -> list[str]:
    return (item["one"] or item["maybe"] or item["word"] or "").split("|")


def _pattern(phrase: str, language: Mapping[str, Any]) -> str:
    """Return the pattern of a phrase, which ends where a word does."""
    has_blanks = language.get("blanks", True)
    pieces: list[str] = []
    for item in _ITEM.finditer(phrase):
        if item["any"]:
            pieces.append(
                _GAP + (_WORD_START if has_blanks and item.end() < len(phrase) else "")
            )
        else:
            by_length = sorted(_choices(item), key=len, reverse=True)
            choices = "|".join(_words(words, language) for words in by_length)
            pieces.append(rf"(?:(?:{choices})[\s,、，]*+){'?' if item['maybe'] else ''}")
    return "".join(pieces)


def _words(words: str, language: Mapping[str, Any]) -> str:
    """Return the pattern of words without a choice."""
    if words == "_":
        return r"[^\s.,;:]++"
    named = _LIST.search(words)
    if named:
        return re.escape(words[: named.start()]) + SOURCES
    pattern = r"\s+".join(re.escape(word) for word in words.casefold().split())
    if words.endswith("*"):
        return pattern.removesuffix(r"\*") + r"[^\s.,;:!?।。]*+"
    is_open = words.endswith("'") or not language.get("blanks", True)
    return pattern if is_open else pattern + _WORD_END


def _either(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(patterns)})"

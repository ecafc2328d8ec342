"""Whether what a model calls a source is what the source is called: compared loosely.

A model shortens titles, adds pages and leaves out file endings.  What holds the other, or is
held by it, is the same; only what is plainly something else contradicts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._compare import comparable, comparable_title
from citemark._lazy import lazy_re
from citemark.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark._entries import Entry
    from citemark.model import Source
    from citemark.sources import Sources

__all__ = ["Names"]

MAX_COMPARED: Final = 1_000
"""Most sources whose titles are compared with one that is written in another way, and most
code points of a title."""

MIN_QUOTE: Final = 15
"""Shortest words of a passage that tell that an entry quotes it."""

YEAR: Final = 4
"""Digits of a year."""

_STEM: Final = lazy_re(r"(.+)\.[A-Za-z][A-Za-z0-9]{1,4}")
_NO_WORD: Final = lazy_re(r"[\W_]+")


class Names:
    """What sources are called, to be compared loosely with what a model calls them."""

    def __init__(self, sources: Sources) -> None:
        """Begin with nothing compared."""
        self.sources = sources
        self._loose: list[tuple[tuple[str, ...], Source]] | None = None

    def of(self, entry: Entry) -> Source | None:
        """Return the one source that an entry without a known label names."""
        if entry.url and (found := self.sources.find(entry.url, "url")):
            return found[0]
        for name in filter(None, (entry.title, entry.label)):
            exact = self._exact(name)
            if exact:
                return exact[0]
        if not entry.title:
            return None
        loose = [source for names, source in self._all() if _is_same(entry.title, names)]
        return loose[0] if len(loose) == 1 else None

    def contradiction(self, entry: Entry, source: Source) -> str | None:
        """Return what a source is if an entry says something else; None if it does not."""
        described = f"{_quoted(source.title or source.url or source.id)}"
        names = _names_of(source)
        if entry.title and not _is_same(entry.title, names):
            if any(other != source for other in self._exact(entry.title)):
                return described
            if not entry.url and _is_other(entry.title, source, names):
                return described
        if not entry.url or source.url is None:
            others = self.sources.find(entry.url, "url") if entry.url else ()
            return described if others and source not in others else None
        is_same = comparable(entry.url, "url") == comparable(source.url, "url")
        return None if is_same else f"at {_quoted(source.url)}"

    def _exact(self, name: str) -> tuple[Source, ...]:
        return self.sources.find(name, "title") or self.sources.find(name, "id")

    def _all(self) -> list[tuple[tuple[str, ...], Source]]:
        if self._loose is None:
            few = list(self.sources)[:MAX_COMPARED]
            self._loose = [(_names_of(source), source) for source in few]
        return self._loose


def _names_of(source: Source) -> tuple[str, ...]:
    """Return the comparable names of a source, file names with and without their ending."""
    return tuple(dict.fromkeys(name for name in _spelled(source) if name))


def _spelled(source: Source) -> Iterator[str]:
    id_ = "" if source.id.isdecimal() else source.id
    for name in (source.title, id_):
        yield _words(name)
        stem = _STEM.fullmatch(name[:MAX_COMPARED])
        if stem is not None:
            yield _words(stem[1])


def _words(text: str) -> str:
    return _NO_WORD.sub(" ", comparable_title(text[:MAX_COMPARED])).strip()


def _is_same(title: str, names: Iterable[str]) -> bool:
    """Whether a title holds a name as words of its own, or is held by one."""
    words = _words(title)
    stem = _STEM.fullmatch(title)
    stemmed = _words(stem[1]) if stem else words
    return any(
        _holds(words, name) or _holds(name, words) or _holds(name, stemmed) for name in names
    )


def _holds(text: str, part: str) -> bool:
    if not part:
        return False
    # Scripts without blanks between words have no edges to look for.
    return f" {part} " in f" {text} " if part.isascii() else part in text


def _is_other(title: str, source: Source, names: tuple[str, ...]) -> bool:
    """Whether a title is plainly not that of a source: most of its words, or its year."""
    words = _words(title)
    if not source.title or not words or not names:
        return False
    if len(words) >= MIN_QUOTE and words in _words(source.text):
        return False
    if not any(_is_latin(name) == _is_latin(words) for name in names):
        return False  # it may be a translation
    mine, years = _tokens(words), _years(words)
    if years and _years(names[0]) and years.isdisjoint(_years(names[0])):
        return True
    return all(2 * len(mine & of) < min(len(mine), len(of)) for of in map(_tokens, names))


def _tokens(words: str) -> set[str]:
    """Return the words of a text; characters, in scripts that put no blanks between words."""
    return (
        set(words) if any(character >= "\u2e80" for character in words) else set(words.split())
    )


def _is_latin(words: str) -> bool:
    return any("a" <= letter <= "\u024f" for letter in words)


def _years(words: str) -> set[str]:
    return {word for word in words.split() if len(word) == YEAR and word.isdecimal()}


def _quoted(text: str) -> str:
    return repr(shortened(text))

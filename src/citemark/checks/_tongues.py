"""Whether two texts can be compared word by word: not if they are in different languages."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks._vocabulary import languages

__all__ = ["Tongue", "tongue_of"]

SAMPLE: Final = 2_000
"""Code points that are looked at."""

FEW: Final = 2
"""Stop words that are needed to tell a language."""

TIMES: Final = 3
"""How many times as many stop words the other language must have."""

_WORD: Final = lazy_re(r"[^\W\d_]+")
_SCRIPTS: Final = {
    "latin": lazy_re(r"[A-Za-zÀ-ɏ]{2}"),
    "cyrillic": lazy_re(r"[\u0400-\u04ff]{2}"),
    "greek": lazy_re(r"[\u0370-\u03ff]{2}"),
    "hebrew": lazy_re(r"[\u0590-\u05ff]{2}"),
    "arabic": lazy_re(r"[\u0600-\u06ff]{2}"),
    "indic": lazy_re(r"[\u0900-\u0dff]{2}"),
    "thai": lazy_re(r"[\u0e00-\u0eff]{2}"),
    "kana": lazy_re(r"[\u3040-\u30ff]"),
    "han": lazy_re(r"[\u3400-\u9fff]"),
    "hangul": lazy_re(r"[\uac00-\ud7af]"),
}


class Tongue(NamedTuple):
    """What tells the language of a text."""

    scripts: frozenset[str]
    """Scripts of its letters."""

    counts: tuple[int, ...]
    """How many of its words are stop words, for each language."""

    def is_foreign_to(self, other: Tongue) -> bool:
        """Whether this text is in a language that the other one is not in.

        >>> tongue_of("Das ist der Hund und die Katze").is_foreign_to(
        ...     tongue_of("This is the dog and that is the cat, with a ball of its own.")
        ... )
        True
        """
        if self.scripts and other.scripts and self.scripts.isdisjoint(other.scripts):
            return True
        if "kana" in self.scripts | other.scripts:
            return ("kana" in self.scripts) != ("kana" in other.scripts)
        most = max(self.counts, default=0)
        if most < FEW:
            return False
        own = max(
            there for here, there in zip(self.counts, other.counts, strict=True) if here == most
        )
        return max(other.counts) >= max(TIMES * own, FEW + 1)


def tongue_of(text: str) -> Tongue:
    """Return what tells the language of a text; its start is looked at."""
    sample = text[:SAMPLE]
    known = ["latin"] if sample.isascii() else [*_SCRIPTS]
    scripts = frozenset(name for name in known if _SCRIPTS[name].search(sample))
    counts = [0] * len(languages())
    stop_words = _stop_words()
    for word in _WORD.findall(sample):
        for number in stop_words.get(word.casefold(), ()):
            counts[number] += 1
    return Tongue(scripts, tuple(counts))


@cache
def _stop_words() -> dict[str, tuple[int, ...]]:
    """Return the stop words, each with its languages."""
    found: dict[str, tuple[int, ...]] = {}
    for number, language in enumerate(languages()):
        for word in set(language.get("stop_words", "").casefold().split()):
            found[word] = (*found.get(word, ()), number)
    return found

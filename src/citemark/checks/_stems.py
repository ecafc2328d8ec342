"""Content words of a text, folded so that forms of a word compare, to count what is shared.

Words of scripts without blanks are taken as pairs of characters; of long words the first five
letters are kept, which is as good as a stemmer in most European languages (McNamee, Mayfield,
"Character N-Gram Tokenization for European Language Text Retrieval", 2004).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from citemark._lazy import lazy_re
from citemark.checks._vocabulary import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["stems_in"]

STEM: Final = 5
"""Letters that are kept of a word."""

MAX_WORD: Final = 60
"""Letters of a run that are read as one word."""

_DENSE_SCRIPTS: Final = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    r"\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS: Final = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff"
"""Accents and vowel signs: they are no letters for ``\\w``, and do not end a word."""

_LETTERS: Final = rf"(?:[^\W_{_DENSE_SCRIPTS}]|[{_MARKS}])+"
_WORD: Final = lazy_re(
    rf"(?P<dense>[{_DENSE_SCRIPTS}]+)|(?P<word>{_LETTERS}(?:['’]{_LETTERS})*)"
)
_DENSE: Final = lazy_re(r"(?=(..))", 16)  # re.DOTALL
_ACCENT: Final = lazy_re(r"[\u0300-\u036f\u064b-\u065f\u0670]+")
_ARTICLE: Final = lazy_re(r"[وفبك]?ال(?=..)|لل(?=..)")

_ELIDED: Final = lazy_re(r"\A(?:[cdjlmnst]|qu|un|gl|quell|[dns]ell|[ds]?all|sull)'(?=..)")
"""Articles and pronouns that lost a vowel, in French and Italian."""

_CONTRACTED: Final = "n't"


def stems_in(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the content words of a text with their places; negations are none of them.

    >>> [stem for stem, _, _ in stems_in("The inhalers reduced symptoms.")]
    ['inhal', 'reduc', 'sympt']
    """
    for match in _WORD.finditer(text):
        if match.lastgroup == "dense":
            yield from _pairs(match[0], match.start())
        elif stem := _stem_of(match[0][:MAX_WORD]):
            yield stem, *match.span()


def _pairs(run: str, start: int) -> Iterator[tuple[str, int, int]]:
    if len(run) == 1:
        yield run, start, start + 1
    for match in _DENSE.finditer(run):
        yield match[1], start + match.start(), start + match.start() + 2


@lru_cache(maxsize=20_000)
def _stem_of(written: str) -> str:
    """Return what is kept of a word; "" of one that says nothing by itself."""
    word = _ELIDED.sub("", written.casefold().replace("’", "'"))
    if word in words_of("stop_words", "negations") or word.endswith(_CONTRACTED):
        return ""
    return _stem(word)  # accents alone leave nothing


def _stem(word: str) -> str:
    if not word.isascii():
        word = _ACCENT.sub("", normalize("NFKD", word))
        article = _ARTICLE.match(word)
        word = word[article.end() :] if article else word
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) > STEM:
        return word[:STEM]
    return word[:-1] if len(word) > STEM - 2 and word.endswith("s") else word

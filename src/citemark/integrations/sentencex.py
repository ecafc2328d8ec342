"""Sentences cut by sentencex, which knows more languages than the rule of our own.

Needs the extra ``segment``.  ``coverage(answer, splitter=splitter("ta"))``, and likewise for
all checks that take a splitter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._extras import extra

with extra("segment"):
    from sentencex import get_sentence_boundaries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.checks.splitting import Splitter

__all__ = ["splitter"]

_REPLACED: Final = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
"""Lone surrogates have no UTF-8, which sentencex asks for; the offsets stay as they are."""


def splitter(language: str = "en") -> Splitter:
    """Return a splitter for a language.

    Args:
        language: Two letters, such as ``"ta"``; sentencex takes the nearest one it knows.

    >>> text = "Tides rise twice a day. The moon pulls."
    >>> [text[start:end] for start, end in splitter("en")(text)]
    ['Tides rise twice a day.', 'The moon pulls.']
    """

    def split(text: str) -> Iterator[tuple[int, int]]:
        for found in get_sentence_boundaries(language, text.translate(_REPLACED)):
            start, end = found["start_index"], found["end_index"]
            words = text[start:end]
            first = start + len(words) - len(words.lstrip())
            last = start + len(words.rstrip())
            if first < last:
                yield first, last

    return split

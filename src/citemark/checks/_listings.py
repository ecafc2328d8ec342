"""What stands under a heading such as "Sources": entries, or statements of the answer."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._list_lines import has_evidence, is_claim, is_strict, read_entry
from citemark.sources import Sources

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.checks.model import Unit

__all__ = ["Entries"]

MAX_ENTRY: Final = 300
"""Code points that tell what an entry is."""

MIN_CAPITAL: Final = 4
"""Letters of the words that have a capital in a title."""

_WORD: Final = lazy_re(r"[^\W\d_]+")
_STOPPED: Final = lazy_re(r"[.!?。！？।]\W*\Z")
_STOP_WITHIN: Final = lazy_re(r"[^\W\d_]{3,}[.!?]\s+[^\W\d_]|[。！？।].")
_BIBLIOGRAPHY: Final = lazy_re(
    r"""[(（][^()（）]{0,20}(?:1[5-9]|20)[0-9]{2}[a-z]?[)）] | \bet\ al\b | \b[A-Z]\.
      | (?i: \b (?: pp? | vol | nos? | chap | ed | eds | page | seite | s ) ) \.?\ ?[0-9]
      | [“„"«《『*_] [^“”„"«»《》『』*_]{8,} [”“"»》』*_]""",
    re.VERBOSE,
)
"""What is written of books: a year, an initial, a page, a title in quotation marks."""


class Entries:
    """Tells entries of a list of sources from what the answer states."""

    def __init__(self, answer: Answer) -> None:
        """Take the answer whose sources may be named."""
        self._answer = answer

    def is_definition(self, line: str) -> bool:
        """Whether a line such as ``[1]: https://a.example`` says where a source is."""
        return is_strict(line, self._known)

    def is_entry(self, line: str, unit: Unit, *, after_entry: bool) -> bool:
        """Whether a line under the heading of a list is an entry.

        An item may be a bare title, so without a stop it is one, and with a stop after others;
        a line of a paragraph is an entry only if it shows that it is one: by what it names, its
        capitals, or the entry before it.
        """
        line = line[:MAX_ENTRY]
        entry = read_entry(line)
        if unit == "row":
            return True
        if entry is not None and entry.kind in {"label", "named", "link", "url", "key"}:
            return not is_claim(entry, self._known)
        if has_evidence(line, self._known) or _BIBLIOGRAPHY.search(line):
            return True
        has_stop = _STOPPED.search(line) is not None
        if has_stop and (unit != "item" or _STOP_WITHIN.search(line)):
            return False
        return after_entry or _is_title(line) or (unit == "item" and not has_stop)

    @cached_property
    def _known(self) -> Sources:
        sources = {source.id: source for source in self._answer.sources}
        return Sources(sources.values(), label="number")


def _is_title(line: str) -> bool:
    """Whether all words but short ones have capitals: ``Minutes of the Board``."""
    words = [word for word in _WORD.findall(line) if len(word) >= MIN_CAPITAL]
    return bool(words) and all(word[0].isupper() for word in words)

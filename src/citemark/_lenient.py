"""Lenient look-up: which differences between a key and a name are overlooked, if asked for.

A name is folded: brought into a form without those differences.  A fold is taken only if one
name alone has it, and no step ever changes a digit, for a wrong source is worse than none.
All is capped and looked up in tables, so that time is linear in what sources and models write.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from citemark._compare import canonical_number, comparable, decomposed
from citemark._edits import edits
from citemark._lazy import lazy_re
from citemark.errors import CitemarkError, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from citemark.model import Source

__all__ = [
    "STEPS",
    "Near",
    "Step",
    "Table",
    "allowed",
    "fewest",
    "fold",
    "is_key",
    "needed",
    "read_steps",
]

Step: TypeAlias = Literal[
    "zero-width", "dashes", "blanks", "case", "stem", "edit", "and-list", "half-thought"
]
"""A difference that does not count: characters without width, the kind of a dash, blanks, case,
a file extension, one letter; or a way to write a list that other readings leave as text."""

STEPS: Final[tuple[Step, ...]] = get_args(Step)

ALLOWED: Final[Mapping[str, tuple[Step, ...]]] = {
    "number": STEPS[:3],
    "label": STEPS[:6],
    "id": STEPS[:6],
    "title": STEPS[:6],
    "url": ("zero-width",),
}
"""Steps that may help a key, by what it is compared with.

A number has no case and no extension, and no digit is ever mended.  The other steps are rows of
the grammar.
"""

MAX_KEY: Final = 200
"""Longest key and longest name in code points, as in the grammar."""

MAX_URL: Final = 2_048
"""The same for URLs."""

_NO_WIDTH: Final = dict.fromkeys([0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF])
_DASHES: Final = str.maketrans(
    dict.fromkeys(
        "\u058a\u05be\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212"
        "\ufe31\ufe32\ufe58\ufe63\uff0d",
        "-",
    )
)
_EXTENSION: Final = lazy_re(
    r"(.*[^. ]) \. ([a-z]{1,5} | mp[34] | m4[av] | m3u8 | bz2 | jp2 | h5 | hdf5 | md5 | 7z)",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
"""A file extension.  With a digit only if it is known as one: ``Plan.v2`` is not ``Plan``."""
_SECTION: Final = lazy_re("[A-Za-z]|[ivxIVX]+")
"""After a number or an initial it is rather a part of the name: ``2.a``, ``2.iv``, ``U.S``."""


class Near(NamedTuple):
    """What a key names if some differences do not count."""

    sources: tuple[Source, ...]
    """Sources of one name: several only if an exact key would name them all."""

    steps: tuple[Step, ...]
    """The steps without which it would not have been found, in their order."""


def read_steps(lenient: bool | str | Iterable[str]) -> tuple[Step, ...]:  # noqa: FBT001  an option
    """Return the steps that an option stands for, in their order.

    Raises:
        CitemarkError: A name is that of no step.

    >>> read_steps(["case", "blanks"])
    ('blanks', 'case')
    """
    if isinstance(lenient, bool):
        return STEPS if lenient else ()
    try:
        names = {lenient} if isinstance(lenient, str) else set(lenient)
    except TypeError as error:
        message = f"lenient={lenient!r}: give True, or the names of steps"
        raise CitemarkError(message) from error
    unknown = sorted(repr(name) for name in names.difference(STEPS))
    if unknown:
        message = f"lenient: no step {shortened(unknown[0])}; known: {', '.join(STEPS)}"
        raise CitemarkError(message)
    return tuple(step for step in STEPS if step in names)


def is_key(text: str, lookup: str) -> bool:
    """Whether a text is short enough to be looked up leniently."""
    return len(text) <= (MAX_URL if lookup == "url" else MAX_KEY)


def allowed(steps: Iterable[Step], what: str) -> tuple[Step, ...]:
    """Return those of the steps that may help to find a number, or by what it is found."""
    return tuple(step for step in steps if step in ALLOWED[what])


def fewest(
    steps: tuple[Step, ...], is_enough: Callable[[tuple[Step, ...]], bool]
) -> tuple[Step, ...]:
    """Return the steps less those that are not needed, the last given up first."""
    for step in reversed(steps):
        fewer = tuple(other for other in steps if other != step)
        if is_enough(fewer):
            steps = fewer
    return steps


def fold(text: str, lookup: str, steps: tuple[Step, ...]) -> str:
    """Return a name without the differences that do not count, but for stem and edit.

    >>> fold("Layout (1) \u2013 A.pdf", "id", ("dashes", "blanks", "case"))
    'layout(1)-a.pdf'
    """
    return _finished(_begun(text, lookup, steps), steps)


def _begun(text: str, lookup: str, steps: tuple[Step, ...]) -> str:
    if "zero-width" in steps:
        text = text.translate(_NO_WIDTH)
    if "dashes" in steps:
        text = text.translate(_DASHES)
    return comparable(text, lookup)


def _finished(text: str, steps: tuple[Step, ...]) -> str:
    if "blanks" in steps:
        text = _without_blanks(text)
    if "case" in steps:
        # Once more composed: case folding takes some letters apart.
        text = unicodedata.normalize("NFC", decomposed(text).casefold())
    return text


def _without_blanks(text: str) -> str:
    """Return a text without white space, but for a blank between two digits."""
    words = text.split()
    parts = words[:1]
    for before, word in pairwise(words):
        is_between = before[-1].isnumeric() and word[0].isnumeric()
        parts += (" ", word) if is_between else (word,)
    return "".join(parts)


def _stem(text: str) -> str | None:
    """Return a name without its file extension; None if it has none, or is but a number."""
    match = _EXTENSION.fullmatch(text)
    if match is None or canonical_number(match[1].strip()) is not None:
        return None
    is_part = match[1][-1].isnumeric() or match[1][-2:-1] in ("", ".")
    return None if is_part and _SECTION.fullmatch(match[2]) else match[1]


class Table:
    """Names by their folds.

    Args:
        names: The names, as they are written.
        lookup: What they are.
        steps: Steps that may be used.

    >>> table = Table(["Refund policy.pdf", "FAQ"], "id", ("case", "stem", "edit"))
    >>> table.find("refund policy"), table.find("refund polcy.pdf"), table.find("fax")
    ('Refund policy.pdf', 'Refund policy.pdf', None)
    """

    def __init__(self, names: Iterable[str], lookup: str, steps: tuple[Step, ...]) -> None:
        """Fold the names.  Labels that are numbers are left out: they are found as such."""
        self._lookup, self._steps = lookup, steps
        self._whole: dict[str, str | None] = {}
        self._stems: dict[str, str | None] = {}
        self._spelled: dict[str, str | None] = {}
        self._edits: dict[int, str | None] | None = None
        for name in names:
            if is_key(name, lookup) and not (lookup == "label" and canonical_number(name)):
                whole, stem = self._folds(name)
                self._add(self._whole, whole, name)
                self._add(self._stems, stem, name)
                self._add(self._spelled, self._words(name), name)

    def find(self, key: str) -> str | None:
        """Return the one name that a key may stand for; None if there is none, or are more."""
        whole, stem = self._folds(key)
        # Never both without extension: report.pdf is not report.docx.
        found = {
            name: None
            for table, text in (
                (self._whole, whole),
                (self._stems, whole),
                (self._whole, stem),
            )
            if text and text in table
            for name in (table[text],)
        }
        if not found and "edit" in self._steps:
            found = dict.fromkeys(self._edited(self._words(key)))
        return self._one(found)

    def _folds(self, name: str) -> tuple[str, str | None]:
        begun = _begun(name, self._lookup, self._steps)
        stem = _stem(begun) if "stem" in self._steps else None
        return _finished(begun, self._steps), stem and _finished(stem, self._steps)

    def _words(self, name: str) -> str:
        """Return the form in which a letter may be wrong: it shows what is a word."""
        if "edit" not in self._steps:
            return ""
        steps = tuple(step for step in self._steps if step != "blanks")
        return fold(name, self._lookup, steps)

    def _add(self, table: dict[str, str | None], text: str | None, name: str) -> None:
        if text:
            same = table.setdefault(text, name)
            if same is not None and not self._is_same(same, name):
                table[text] = None

    def _is_same(self, name: str, other: str) -> bool:
        lookup = self._lookup
        return name == other or comparable(name, lookup) == comparable(other, lookup)

    def _one(self, found: Iterable[str | None]) -> str | None:
        first, *others = [*found] or [None]
        if first is None or any(n is None or not self._is_same(first, n) for n in others):
            return None
        return first

    def _edited(self, key: str) -> Iterator[str | None]:
        """Return the names of which a fold differs from the key's in one place."""
        if self._edits is None:
            self._edits = self._table_of_edits()
        if hash(key) in self._edits:
            yield self._edits[hash(key)]
        for shorter, gap in edits(key, is_key=True):
            if gap and hash(gap) in self._edits:
                yield self._edits[hash(gap)]
            if shorter in self._spelled:
                yield self._spelled[shorter]

    def _table_of_edits(self) -> dict[int, str | None]:
        """Return the names by the hashes of their folds with a character left out.

        The texts themselves would take several times the memory.
        """
        table: dict[int, str | None] = {}
        for text, name in self._spelled.items():
            for spelling in {spelling for pair in edits(text) for spelling in pair} - {""}:
                here = hash(spelling)
                if table.setdefault(here, name) != name:
                    table[here] = None
        return table


def needed(key: str, name: str, lookup: str, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps without which a key would not be taken for a name."""
    return fewest(steps, lambda fewer: Table([name], lookup, fewer).find(key) is not None)

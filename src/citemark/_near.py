"""What a key may mean that names nothing exactly: answers of lenient look-up, remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from citemark import _lenient
from citemark._lenient import Near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from citemark._lenient import Step
    from citemark.model import Source

__all__ = ["Base", "Lookup", "Nears"]

Lookup: TypeAlias = Literal["label", "id", "title", "url"]
"""What a key is compared with."""

Base: TypeAlias = Literal[0, 1] | None
"""What the number of a key counts from.  None: either of them."""

Find: TypeAlias = "Callable[[str, Lookup, Base], tuple[Source, ...]]"
"""Exact look-up of a key."""

MAX_ASKED: Final = 1_024
"""Most answers that are kept."""


class Nears:
    """Finds the one source that a key is near to.

    Args:
        steps: Names of the differences that do not count.
    """

    __slots__ = ("_asked", "_folded", "_steps")

    def __init__(self, steps: tuple[Step, ...]) -> None:
        """Start with nothing asked."""
        self._steps = steps
        self._asked: dict[tuple[str, Lookup, Base], Near | None] = {}
        self._folded: dict[Lookup, _lenient.Table] = {}

    def near(
        self,
        key: str,
        lookup: Lookup,
        base: Base,
        find: Find,
        names: Callable[[], Iterable[tuple[Lookup, str, Source]]],
    ) -> Near | None:
        """Return what a key may mean; None if that is nothing, or not certain.

        Args:
            key: The key, as written.
            lookup: What it is compared with.
            base: What numbers count from, if the key is a label.
            find: Exact look-up.
            names: Gives what all the sources are called.
        """
        asked = (key, lookup, base)
        if asked in self._asked:
            return self._asked[asked]
        if len(self._asked) >= MAX_ASKED:
            self._asked = {}
        near = self._asked[asked] = self._find(asked, find, names)
        return near

    def _find(
        self,
        asked: tuple[str, Lookup, Base],
        find: Find,
        names: Callable[[], Iterable[tuple[Lookup, str, Source]]],
    ) -> Near | None:
        key, lookup, base = asked
        if find(key, lookup, base):
            return None
        if lookup == "label" and (near := self._find_number(key, base, find)):
            return near
        steps = _lenient.allowed(self._steps, lookup)
        if lookup not in self._folded:
            called = (name for of, name, _ in names() if of == lookup)
            self._folded[lookup] = _lenient.Table(called, lookup, steps)
        name = self._folded[lookup].find(key)
        if name is None:
            return None
        return Near(find(name, lookup, 1), _lenient.needed(key, name, lookup, steps))

    def _find_number(self, key: str, base: Base, find: Find) -> Near | None:
        """Return the source whose number a label is, once it is cleaned."""
        steps = _lenient.allowed(self._steps, "number")

        def found(steps: tuple[Step, ...]) -> tuple[Source, ...]:
            cleaned = _lenient.fold(key, "label", steps)
            is_number = "".join(cleaned.replace(":", " ").split()).isdecimal()
            return find(cleaned, "label", base) if is_number else ()

        near = found(steps)
        if len(near) != 1:
            return None
        return Near(near, _lenient.fewest(steps, lambda fewer: found(fewer) == near))

"""The fields of an object, whatever they are called, and those that are there twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark._forms import plain_name
from citemark.structured._json import Repeated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Fields"]


class Fields:
    """Values by names without case and underscores, each with its name as written.

    >>> fields = Fields({"Source_ID": "2", "id": ""})
    >>> fields.first(("id", "sourceid")), fields.all(("id", "sourceid")), fields.have(("text",))
    (('Source_ID', '2'), [('Source_ID', '2')], False)
    """

    def __init__(self, value: Mapping[Any, Any]) -> None:
        """Take an object."""
        self._fields: dict[str, list[tuple[str, Any]]] = {}
        for name, item in value.items():
            written = str(name)
            known = self._fields.setdefault(plain_name(written), [])
            known += (
                (written, one) for one in (item if isinstance(item, Repeated) else [item])
            )

    def have(self, names: Iterable[str]) -> bool:
        """Whether there is one of some fields."""
        return any(name in self._fields for name in names)

    def others(self, names: Iterable[str]) -> list[tuple[str, Any]]:
        """Return all fields but some."""
        left = {*self._fields}.difference(names)
        return [field for name in self._fields if name in left for field in self._fields[name]]

    def all(self, names: Iterable[str]) -> list[tuple[str, Any]]:
        """Return those of some fields that say anything, but for what the one before says."""
        found: list[tuple[str, Any]] = []
        for name in names:
            for field in self._fields.get(name, ()):
                is_new = not found or found[-1][1] != field[1]
                if field[1] not in (None, "", []) and is_new:
                    found.append(field)
        return found

    def first(self, names: Sequence[str]) -> tuple[str, Any]:
        """Return the first of some fields that says anything; its usual name if none does."""
        known = [field for name in names for field in self._fields.get(name, ())]
        return next(iter(self.all(names) or known), (names[0], None))

"""Keys that name no source: what is shown of them, and which of them look like citations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from citemark.errors import CitemarkError
from citemark.model import Issue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from citemark.catalogue import Format
    from citemark.model import Marker

__all__ = ["Policies", "Unresolved", "looking_cited"]

Unresolved: TypeAlias = Literal["keep", "mark", "drop", "raise"]
"""What becomes of a key that names no source: its marker is left as text, it is shown as
"source not found", it is removed with the blank before it, or ``UnresolvedError`` is raised."""

DEFAULT_POLICY: Final[dict[str, Unresolved]] = {
    "explicit": "mark",
    "usual": "keep",
    "candidate": "keep",
}
"""Policy for each tier of formats if the caller names none: prose uses the usual forms too."""

MAX_DIGITS: Final = 6
"""Of a key that is compared with display numbers; a longer one is none of them."""


class Policies:
    """The policy for each format: the one that the caller chose, or that of its tier.

    Raises:
        CitemarkError: The policy is none of ``Unresolved``.
    """

    __slots__ = ("chosen",)

    def __init__(self, chosen: Unresolved | None) -> None:
        """Keep what was chosen, if anything was."""
        if chosen is not None and chosen not in get_args(Unresolved):
            known = ", ".join(get_args(Unresolved))
            message = f"unresolved={chosen!r}: choose one of {known}"
            raise CitemarkError(message)
        self.chosen = chosen

    def of(self, row: Format) -> Unresolved:
        """Return the policy for the keys of a format."""
        return self.chosen or DEFAULT_POLICY[row.tier]


def looking_cited(kept: Iterable[Marker], used: Collection[int | None]) -> Iterable[Issue]:
    """Yield an issue for each key that readers take for the number of a source.

    Args:
        kept: Markers that name no source and are left as text.
        used: Display numbers of sources, in this answer and before it.
    """
    for marker in kept:
        for key in dict.fromkeys(marker.keys):
            if _number(key) in used:
                message = f"{key!r} names no source, but is the number of another one"
                yield Issue("looks_cited", message, marker.start, marker.end, key)


def _number(key: str) -> int | None:
    """Return the number that a key is for readers, if it is one."""
    is_number = key.isascii() and key.isdecimal() and len(key) <= MAX_DIGITS
    return int(key) if is_number else None

"""How many citations the ranges of an answer may make: ``[1-50]`` is six characters.

Without a limit what is made of an answer could be a thousand times its length.
"""

from __future__ import annotations

from typing import Final

from citemark.model import Marker, Remark

__all__ = ["Ranges"]

SPARE: Final = 2_000
"""Citations beyond those that are written out: forty ranges of fifty."""

TEXT: Final = 20
"""Code points of text that allow for one more, so that a long text may have more ranges."""

WRITTEN: Final = 2
"""Code points that a member of a list takes at least, with what parts it from the next."""


class Ranges:
    """Counts what ranges have added to an answer so far."""

    def __init__(self) -> None:
        """Start with nothing added."""
        self._added = 0

    def checked(self, marker: Marker | Remark) -> Marker | Remark:
        """Return the marker, or that it is too much: it then stays text, as a whole."""
        if isinstance(marker, Remark):
            return marker
        added = len(marker.keys) - len(marker.raw) // WRITTEN
        if added <= 0:
            return marker
        if self._added + added > SPARE + marker.start // TEXT:
            return Remark(marker.start, marker.end, marker.raw, code="too_many")
        self._added += added
        return marker

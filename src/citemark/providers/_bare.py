"""Markers that are no links, where a span says that one stands: ``[1]``, ``【4:0†source】``."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from citemark.providers._offsets import UNITS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from citemark.providers._annotations import Told
    from citemark.providers._offsets import Offsets, Unit

__all__ = ["is_bare", "marker_cut", "straight"]

MAX_BARE: Final = 64
"""Code points of the longest marker that is no link."""

MAX_SHIFT: Final = 3
"""Code points by which all spans of a text may be off; seen: 1."""

_MARKER: Final = re.compile(
    r"""\[\[[^\[\]()\n]{1,60}\]\] | \[[^\[\]()\n]{1,60}\]
      | \u3010[^\u3010\u3011\n]{1,60}\u3011""",
    re.VERBOSE,
)
_ALONE: Final = re.compile(rf"\s* (?: {_MARKER.pattern} ) \s*", re.VERBOSE)


def is_bare(text: str, start: int, end: int, links: Sequence[tuple[int, int]]) -> bool:
    """Whether a span is a marker that is no part of one of some links, which are in order."""
    if not _ALONE.fullmatch(text, start, end):
        return False
    at = bisect_right(links, start, key=lambda link: link[0]) - 1
    return not any(link[1] >= end for link in links[max(at - 1, 0) : at + 1])


def marker_cut(text: str, start: int | None, end: int | None) -> list[tuple[int, int]] | None:
    """Return the place of the one marker that a span of its length misses in part.

    Where offsets may count something else than code points nothing is guessed.
    """
    if start is None or end is None or not text.isascii() or not 0 <= start < end:
        return None
    if end - start > MAX_BARE:
        return None
    near = _MARKER.finditer(text, max(start - MAX_BARE, 0), end + MAX_BARE)
    met = [mark.span() for mark in near if mark.start() < end and start < mark.end()]
    if len(met) != 1 or met[0] == (start, end):
        return None
    return met if met[0][1] - met[0][0] == end - start else None


def straight(told: Sequence[Told], offsets: Offsets) -> tuple[list[Told], list[Told]]:
    """Return what is told with the markers that spans miss in part, and what stays unclear.

    Args:
        told: What annotations tell of their places.
        offsets: Of the text that they are of.
    """
    bent = {item[1:3]: None for item in told if _is_bent(item, offsets.text)}
    if not bent:
        return [*told], []
    found = _markers_beside(offsets, [(start or 0, end or 0) for start, end in bent])
    straightened, unclear = [], []
    for item in told:
        marker = found.get((item.start or 0, item.end or 0)) if item[1:3] in bent else None
        if marker is not None and _is_bent(item, offsets.text):
            straightened.append(item._replace(anchor="marker", expected=[marker]))
            continue
        straightened.append(item)
        if item.expected is None and _is_bent(item, offsets.text):
            unclear.append(item)
    return straightened, unclear


def _is_bent(item: Told, text: str) -> bool:
    """Whether a span begins or ends amid a marker, which nothing else tells it from."""
    start, end = item.start, item.end
    if start is None or end is None or not 0 <= start < end or end - start > MAX_BARE:
        return False
    is_free = item.expected is None and item.anchor is None
    if not is_free and item.expected != marker_cut(text, start, end):
        return False
    near = _MARKER.finditer(text, max(start - MAX_BARE, 0), end + MAX_BARE)
    return any(mark.start() < at < mark.end() for mark in near for at in (start, end))


def _markers_beside(
    offsets: Offsets, spans: Collection[tuple[int, int]]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the markers that spans mean which are all off by the same few code points.

    Where more than one such number fits, or the spans fit as they are in another unit, nothing
    is returned: markers that stand side by side would get each other's sources.
    """
    if any(_are_markers(offsets.text, _read(offsets, spans, unit)) for unit in UNITS):
        return {}
    shifts = (by for by in range(-MAX_SHIFT, MAX_SHIFT + 1) if by)
    moved = [[(start + by, end + by) for start, end in spans] for by in shifts]
    fitting = [places for places in moved if _are_markers(offsets.text, places)]
    return dict(zip(spans, fitting[0], strict=True)) if len(fitting) == 1 else {}


def _read(
    offsets: Offsets, spans: Collection[tuple[int, int]], unit: Unit
) -> list[tuple[int, int]]:
    return [offsets.to_code_points(*span, unit)[:2] for span in spans]


def _are_markers(text: str, places: Sequence[tuple[int, int]]) -> bool:
    return all(start >= 0 and _MARKER.fullmatch(text, start, end) for start, end in places)

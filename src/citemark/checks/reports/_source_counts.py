"""How often sources are cited over many answers, in bounded memory."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from citemark.checks.reports._frequent import Frequent
from citemark.model import Source
from citemark.renderers._display import cut, title_of

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_LISTED", "SourceCounts"]

MAX_KEPT: Final = 25_000
"""Sources of which the counts are kept for certain; twice as many are counted exactly."""

MAX_GIVEN: Final = 50_000
"""Sources that are looked for among those that are cited; the others are told as not noted."""

MAX_NAME: Final = 120
"""Code points of what a source is called."""

MAX_LISTED: Final = 20
"""Sources that are listed."""

Key: TypeAlias = tuple[str, str]
"""Id and title."""


class SourceCounts:
    """Counts citations by source.  Two sources are one if id and title are the same.

    Args:
        most_given: How many sources are noted by ``give``; None for all.
        kept: How many are counted for certain.
    """

    def __init__(self, most_given: int | None = MAX_GIVEN, kept: int | None = None) -> None:
        """Start with no source."""
        self._most_given = most_given
        self._is_cited: dict[Key, bool] = {}
        self._counts: Frequent[Key] = Frequent(MAX_KEPT if kept is None else kept)
        self._are_all_noted = True

    def give(self, sources: Iterable[Source]) -> None:
        """Take note of sources that could be cited.  Citations that come later count."""
        for source in sources:
            key = _key(source)
            if key in self._is_cited:
                continue
            if self._most_given is None or len(self._is_cited) < self._most_given:
                self._is_cited[key] = False
            else:
                self._are_all_noted = False

    def cite(self, source: Source, number: int = 1) -> None:
        """Count citations."""
        key = _key(source)
        self._counts.add(key, number)
        if key in self._is_cited:
            self._is_cited[key] = True

    def merge(self, other: SourceCounts) -> None:
        """Add the counts of another one, to which the same sources were given, or none.

        One to which none were given has to be exact: what it let go counts as never cited.
        """
        self._counts.merge(other._counts)
        self._are_all_noted &= other._are_all_noted
        for key, is_cited in other._is_cited.items():
            self._is_cited[key] = self._is_cited.get(key, False) or is_cited
        for key in other._counts:
            if key in self._is_cited:
                self._is_cited[key] = True

    def to_dict(self) -> dict[str, Any]:
        """Return what is told of them.

        ``most_cited_too_low`` is by how much a count may be too low: 0 if all are exact.
        ``never_cited_is_whole`` is False if there was no room for all sources that were given.
        """
        never = [key for key, is_cited in self._is_cited.items() if not is_cited]
        return {
            "most_cited": [
                _shown(key) | {"citations": number}
                for key, number in self._counts.most_common(MAX_LISTED)
            ],
            "most_cited_too_low": self._counts.too_low,
            "never_cited": [_shown(key) for key in islice(never, MAX_LISTED)],
            "never_cited_count": len(never),
            "never_cited_is_whole": self._are_all_noted,
        }


def _key(source: Source) -> Key:
    return _key_of(source.id, source.title, source.url)


@lru_cache(maxsize=4096)
def _key_of(id_: str, title: str, url: str | None) -> Key:
    """Return the key of a source; to find out what it is called takes its time."""
    bare = Source(id=id_, title=title, url=url)
    return cut(id_, MAX_NAME), cut(title_of(bare), MAX_NAME)


def _shown(key: Key) -> dict[str, Any]:
    id_, title = key
    name = title or "Untitled source"
    shown_id = cut(title_of(Source(id=id_)), MAX_NAME)  # no path, no password, no controls
    is_known = shown_id in {"", name}
    return {"id": id_, "name": name if is_known else f"{name} ({shown_id})"}

"""The sources that the labels of a reply name, found as those of written markers are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._compare import canonical_number, comparable_id
from citemark._lookup import Finder
from citemark._segments import placed
from citemark.catalogue import LENIENT, Format
from citemark.model import Marker
from citemark.parser import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.catalogue import FormatSet
    from citemark.model import Issue, Location, Source, Token
    from citemark.sources import Lookup, Sources

__all__ = ["Labels", "Named"]

MAX_LABEL: Final = 2_048
"""Code points of a label that is looked up: a URL is as long at most."""

MAX_KEY: Final = 200
"""Code points that are kept of one that names nothing."""


class Named(NamedTuple):
    """What a label names."""

    key: str
    """The label of the prompt; what was written, if that names no source."""

    source: Source | None
    """The source."""

    locations: tuple[Location, ...] = ()
    """Places in it, if the label is written like a marker with places."""


def _row(*lookup: Lookup) -> Format:
    return Format("label", "\ufdd0", "(?P<key> a )", "\ufdd0a", tier="explicit", lookup=lookup)


_NUMBER: Final = _row("label")  # as in [1]: never an id
_NAME: Final = _row("label", "id", "title", "url")


class Labels:
    """Finds sources by their labels; ids, titles and URLs are taken too.

    Args:
        sources: What may be named.
        formats: Markers that a label may be written as: ``"[1]"``, ``"doc:a"``.
    """

    def __init__(self, sources: Sources, formats: FormatSet) -> None:
        """Begin with no issue."""
        self._sources, self._formats = sources, formats
        self._finder = Finder(sources, late=False)
        self._rows = (LENIENT | formats if sources.lenient else formats).by_name
        self._labels = {source: label for label, source in sources.labelled()}

    @property
    def issues(self) -> list[Issue]:
        """Keys that name several sources, and those read leniently."""
        return [*self._finder.issues]

    def find(self, label: str, at: int) -> list[Named]:
        """Return what a label names: several sources, if it is written as a list of them.

        Args:
            label: As written.
            at: Where its citation is placed, for the issues.
        """
        if len(label) > MAX_LABEL:
            return [Named(label[:MAX_KEY], None)]
        marker = Marker(at, at, "", "label", (label,))
        row = _NAME if canonical_number(comparable_id(label)) is None else _NUMBER
        source = self._finder.find(marker, label, row)
        if source is not None:
            return [self._named(source)]
        return list(self._as_marker(label, at)) or [Named(label[:MAX_KEY], None)]

    def _named(self, source: Source, locations: tuple[Location, ...] = ()) -> Named:
        return Named(self._labels[source], source, locations)

    def _as_marker(self, label: str, at: int) -> Iterator[Named]:
        """Yield what a label names that is written as a marker, with or without brackets."""
        for written in (label, f"[{label}]"):
            tokens = Scanner(self._formats, known=self._sources).close(written)
            markers = [token for token in tokens if isinstance(token, Marker)]
            others = [token for token in tokens if not isinstance(token, Marker)]
            if not markers or any(not _is_between(token) for token in others):
                continue
            for marker in markers:
                yield from self._keys_of(marker, at)
            return

    def _keys_of(self, marker: Marker, at: int) -> Iterator[Named]:
        here = Marker(at, at, "", marker.format, marker.keys)
        for key, places in placed(marker):
            source = self._finder.find(here, key, self._rows[marker.format])
            yield self._named(source, places) if source else Named(key[:MAX_KEY], None)


def _is_between(token: Token) -> bool:
    """Whether a token may stand between the markers of a label: ``"[1], [2]"``."""
    return isinstance(token, str) and not token.strip(" ,;")

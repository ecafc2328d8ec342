"""What becomes of the lists of sources that a model wrote: shown, hidden, compared, or used.

A list never changes a source that was given: what contradicts one is an issue.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from citemark._entries import MAX_ENTRIES, ListReader
from citemark._lazy import lazy_re
from citemark._likeness import Names
from citemark.errors import CitemarkError, shortened
from citemark.model import Issue, Marker, Source, TextSegment
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark._entries import Entry
    from citemark.model import Listing, Segment
    from citemark.sources import Base, Lookup

__all__ = ["FORMAT", "Ended", "Listed", "SourceList"]

SourceList: TypeAlias = Literal["keep", "drop", "parse"]
"""What becomes of a list of sources that the model wrote: it stays as text; nothing of it is
shown; or its entries are the sources, if none are given, and it is not shown."""

FORMAT: Final = "source_list"
"""``Marker.format`` of a list that is not shown."""

RENUMBERED: Final = "source_list_number"
"""Code of the issue that a list, as it is shown, calls a source by the number of another."""

MAX_LISTS: Final = 50
"""Most lists of one answer that are read."""

_DEFINED: Final = lazy_re(r"(?:^|\n)[ ]{0,3}\[([0-9]{1,4})\]:")
_CALLED: Final = {"written_by": "model"}


class Ended(NamedTuple):
    """What becomes of a list when it ends."""

    hidden: Marker | None = None
    """What stands for it, if it is not shown."""

    text: str = ""
    """What was held back of it, if it is shown after all."""

    sources: Sources | None = None
    """The sources that it makes, all of them, if there are new ones."""


class Listed:
    """The lists of one answer, read as they come.

    Args:
        mode: What becomes of them.
        base: What the numbers of their labels count from.

    Raises:
        CitemarkError: The mode is none of ``SourceList``.
    """

    def __init__(self, mode: SourceList, *, base: Base = 1) -> None:
        """Start before the first list."""
        if mode not in get_args(SourceList):
            reason = f"source_list={mode!r}: choose one of {', '.join(get_args(SourceList))}"
            raise CitemarkError(reason)
        self.is_hidden = mode != "keep"
        """Whether lists are not shown."""
        self.named: dict[Source, None] = {}
        """The sources that were listed, in order."""
        self.issues: list[Issue] = []
        """What contradicts the sources."""
        self._mode = mode
        self._base = base
        self._reader: ListReader | None = None
        self._raw: list[str] = []
        self._made: dict[str, Source] = {}  # by id, as the model wrote them
        self._count = 0
        self._entries: list[Entry] = []  # to be compared

    @property
    def is_open(self) -> bool:
        """Whether a list has begun and may go on."""
        return self._reader is not None

    def follows(self, piece: Listing) -> bool:
        """Whether a piece goes on with the open list."""
        return self._reader is not None and self._reader.end == piece.start

    def take(self, piece: Listing) -> None:
        """Take in the next piece of a list."""
        if self._reader is None:
            self._reader = ListReader()
            self._count += 1
        if self._count <= MAX_LISTS:
            self._reader.take(piece)
        else:
            self._reader.end = piece.end
        self._raw.append(piece.raw)

    def close(self, sources: Sources, before: Iterable[Segment]) -> Ended:
        """End the open list.

        Args:
            sources: What may be cited.
            before: The answer so far.
        """
        reader, self._reader = self._reader, None
        if reader is None:
            return Ended()
        raw = "".join(self._raw)
        self._raw.clear()
        is_read = self._count <= MAX_LISTS
        if is_read and _has_links(before, to=raw):
            return Ended(text=raw if self.is_hidden else "")
        entries = reader.close() if is_read else []
        made = None
        if self._mode == "parse" and (self._made or not len(sources)):
            made = self._make(entries)
        else:
            self._entries += entries[: MAX_ENTRIES - len(self._entries)]
        if not self.is_hidden:
            return Ended()
        if not any(map(_is_shown, before)):  # nothing would be left of some answers
            return Ended(text=raw, sources=made)
        return Ended(Marker(reader.end - len(raw), reader.end, raw, FORMAT, ()), sources=made)

    def _make(self, entries: Iterable[Entry]) -> Sources | None:
        """Return the sources that the model made, if there are new ones."""
        before = len(self._made)
        for entry in entries:
            if not (entry.title or entry.url):
                continue
            id_ = entry.label or str(len(self._made) + 1)
            url = entry.url if entry.url.startswith(("http://", "https://")) else None
            source = Source(id_, title=entry.title, url=url, metadata=_CALLED)
            self.named[self._made.setdefault(id_, source)] = None
        return Sources(self._made.values(), label="id") if len(self._made) > before else None

    def settle(self, sources: Sources, numbers: Mapping[Source, int]) -> None:
        """Compare the entries with the sources, of which no more will come.

        Args:
            sources: What may be cited.
            numbers: The numbers that readers see.
        """
        names = Names(sources)
        for entry in self._entries if len(sources) else ():
            source = self._compare(entry, names)
            if source is not None and not self.is_hidden:
                self._compare_number(entry, source, numbers)
        self._entries.clear()

    def _compare_number(
        self, entry: Entry, source: Source, numbers: Mapping[Source, int]
    ) -> None:
        """Note whether a list that is shown calls a source by the number of another one."""
        if not entry.label.isdecimal():
            return
        shown, label = numbers.get(source), int(entry.label)
        if shown == label or (shown is None and label not in numbers.values()):
            return
        seen = (
            f"readers see it as [{shown}]" if shown else f"readers see another one as [{label}]"
        )
        message = f'listed as [{label}], but {seen}: source_list="drop" hides the list'
        self._note(entry, message, RENUMBERED)

    def _compare(self, entry: Entry, names: Names) -> Source | None:
        """Return which source an entry names; note if it says something else about it."""
        source = self._labelled(entry, names.sources)
        if source is None:
            source = names.of(entry)
            if source is None:
                self._note(entry, f"{_quoted(entry.key)} is listed, but is none of the sources")
                return None
        else:
            other = names.contradiction(_without_document(entry), source)
            if other is not None:
                listed = _quoted(entry.title or entry.url)
                self._note(
                    entry, f"{_quoted(entry.key)} is listed as {listed}, but it is {other}"
                )
        self.named[source] = None
        return source

    def _labelled(self, entry: Entry, sources: Sources) -> Source | None:
        key = entry.document or entry.label
        lookups: tuple[Lookup, ...] = ("label", "id")
        for lookup in lookups if key else ():
            found = sources.find(key, lookup, base=self._base)
            if len(found) == 1:
                return found[0]
        return None

    def _note(self, entry: Entry, message: str, code: str = FORMAT) -> None:
        self.issues.append(Issue(code, message, entry.start, entry.end, entry.key))


def _is_shown(segment: Segment) -> bool:
    """Whether a reader sees something of a segment."""
    if isinstance(segment, TextSegment):
        return not segment.text.isspace()
    return bool(segment.citations)


def _has_links(segments: Iterable[Segment], *, to: str) -> bool:
    """Whether a text has links whose addresses a list defines: they would be lost with it."""
    labels = _DEFINED.findall(to)
    if not labels:
        return False
    text = "".join(segment.text for segment in segments if isinstance(segment, TextSegment))
    return any(f"][{label}]" in text for label in labels[:MAX_LISTS])


def _without_document(entry: Entry) -> Entry:
    """Return an entry without a title that is but the number of a document."""
    return replace(entry, title="") if entry.document else entry


def _quoted(text: str) -> str:
    return repr(shortened(text))

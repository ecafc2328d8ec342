r"""A marker format: one row of the catalogue, and sets of them.

A row is an opening character and a regular expression for what follows it, in verbose mode.
Rows are tried in order.  Repetition is bounded, and possessive where nothing is to be given
back: that keeps matching linear, and bounds what a stream must hold back.  Patterns are read by
two engines (``re`` matches, ``regex`` asks what a stream's tail may become), so they hold only
what both share: no ``\d`` or ``\s``, which differ, and no nested quantifier without bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from citemark._arguments import require_each
from citemark.errors import UnknownFormatError

if TYPE_CHECKING:
    from citemark.model import Location
    from citemark.sources import Lookup

__all__ = [
    "Base",
    "Format",
    "FormatSet",
    "Key",
    "KeyForm",
    "KeyReader",
    "Note",
    "Tier",
]

Tier: TypeAlias = Literal["explicit", "usual", "candidate"]
"""How sure a marker is: nobody writes it by accident; prose uses the form too; it is a marker
only if its key names a source, and otherwise plain text that is never reported."""

KeyForm: TypeAlias = Literal["one", "list", "numbers"]
"""How the text of ``key`` is read: as it is; as a list, unless the whole of it is a known key;
or as a list of numbers and ranges."""

Base: TypeAlias = Literal[0, 1] | None
"""What numbers count from.  None: models write the form with either."""

Note: TypeAlias = Literal["", "placeholder", "malformed"]
"""What is to be said of a text that was meant to be a marker and is none."""


class Key(NamedTuple):
    """One key of a marker, as a reader of keys returns it."""

    name: str
    locations: tuple[Location, ...] = ()
    """Places in the source that come with it."""


KeyReader: TypeAlias = Callable[[str], Iterable[Key]]
"""Takes the text of ``key`` apart, or that of the whole marker if there is no such group."""


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the grammar."""

    name: str
    """Name of the group in the combined pattern, and ``Marker.format`` of what it finds."""

    opening: str
    """Characters with one of which a marker starts."""

    pattern: str
    """Verbose expression for what follows the opening character.

    Its last group is ``key``; one before it, ``words``, may hold words of the answer that stay.
    """

    example: str
    """A marker of this format, for documentation and tests."""

    tier: Tier = "usual"
    """How sure a marker of this format is."""

    lookup: tuple[Lookup, ...] = ("id", "label")
    """What a key is compared with, in this order, until something is found."""

    keys: KeyForm | KeyReader = "one"
    """How the text of ``key`` is read."""

    base: Base = 1
    """What the numbers among its keys count from."""

    limit: int = 256
    """Longest marker in code points.  What is longer is text, in whole texts and streams."""

    guard: str = ""
    """Expression for the one character that comes next, if the opening one is common in prose.

    It changes how much a stream has to look at, not the result.
    """

    over_links: bool = False
    """Whether it is tried before an ordinary Markdown link, which it looks like."""

    like_index: bool = False
    """Whether an index of code looks the same: it is text where it sticks to an identifier."""

    covers: bool = False
    """Whether its words are those that the citation supports: ``Marker.span``."""

    silent: bool = False
    """Whether it is a tag that may name nothing: then only its words are shown."""

    half: Literal["", "start", "end"] = ""
    """Half of a tag: an end is text unless a start that cites came before it."""

    note: Note = ""
    """If it is no marker after all: what is reported of it.  It stays text."""

    step: str = ""
    """Step of lenient look-up that it is: tried only with sources that take that step."""

    shortcut: str = ""
    """A form so common that it is tried before all else, if what follows leaves no doubt.

    As ``pattern``, for one key, or a list of numbers.  It changes the speed, not the result.
    """

    who: str = ""
    """Who writes it."""

    about: str = ""
    """What is special about it, in one sentence."""

    def __hash__(self) -> int:
        """Hash the name alone: sets of formats are looked up for each text."""
        return hash(self.name)


class FormatSet(tuple[Format, ...]):  # noqa: SLOT001  its hash and names are kept
    """Formats in order of precedence, as ``a | b`` puts them together."""

    @classmethod
    def of(cls, formats: Iterable[Format]) -> FormatSet:
        """Return the set as it is, or made from an iterable."""
        if isinstance(formats, FormatSet):
            return formats
        return cls(require_each("formats", formats, Format, "marker formats, such as DEFAULT"))

    @cached_property
    def by_name(self) -> dict[str, Format]:
        """The rows by their names."""
        return {row.name: row for row in self}

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        """Return the hash of the tuple, which is asked for with each text."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Compare as tuples do."""
        return self is other or super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        """Compare as tuples do."""
        return not self == other

    def __or__(self, other: Format | Iterable[Format]) -> FormatSet:
        """Return the union, in order: of two rows with one name, the second takes the place."""
        more = (other,) if isinstance(other, Format) else tuple(other)
        return FormatSet({row.name: row for row in (*self, *more)}.values())

    def without(self, *names: str) -> FormatSet:
        """Return the set less the rows of these names.

        Raises:
            UnknownFormatError: The set has no row of that name.
        """
        known = tuple(row.name for row in self)
        for name in names:
            if name not in known:
                raise UnknownFormatError(name, known)
        return FormatSet(row for row in self if row.name not in names)

    def with_base(self, base: Literal[0, 1], *names: str) -> FormatSet:
        """Return the set with rows whose numbers count from 0, or from 1.

        Args:
            base: What they count from.
            names: Rows that are meant; all of them if none is named.

        Raises:
            UnknownFormatError: The set has no row of that name.
        """
        chosen = set(names) or {row.name for row in self}
        self.without(*names)
        return FormatSet(replace(row, base=base) if row.name in chosen else row for row in self)

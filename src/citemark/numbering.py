"""Display numbers: from 1, in order of first appearance, never changed once given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from citemark._compare import comparable_url
from citemark.errors import ArgumentTypeError, CitemarkError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from citemark.model import Source

__all__ = ["GroupBy", "Numbering", "Pending", "group_key", "uncited"]

GroupBy: TypeAlias = "Literal['source', 'document', 'url'] | Callable[[Source], Hashable]"
"""What shares a number: nothing, the chunks of a document, those of a URL, or what a function
gives the same key.  A source without a key (None, "") keeps a number of its own."""


class Pending(NamedTuple):
    """What is numbered while its source may still come."""

    answer: int
    """Identity of the answer: a key says nothing in another one."""

    lookup: tuple[str, ...]
    """How sources are looked up by the key."""

    base: int | str
    """What its numbers count from, or the format in which the same is asked."""

    key: str
    """As written."""


class Numbering:
    """Numbers given so far.  Pass one to every turn of a conversation to go on counting.

    A record that is cited again keeps its number; another record with the same id, from another
    search, gets one of its own.

    >>> numbering = Numbering()
    >>> numbering.number("a"), numbering.number("b"), numbering.number("a")
    (1, 2, 1)
    """

    __slots__ = ("_last", "_numbers")

    def __init__(self) -> None:
        """Start with nothing numbered."""
        self._numbers: dict[Hashable, int] = {}
        self._last = 0

    @classmethod
    def of(cls, numbering: Numbering | None) -> Numbering:
        """Return the numbers to go on from; new ones for None.

        Raises:
            ArgumentTypeError: It is neither.
        """
        if numbering is None:
            return cls()
        if not isinstance(numbering, Numbering):
            raise ArgumentTypeError(numbering, "numbering", "a Numbering")
        return numbering

    def __len__(self) -> int:
        """Return how many numbers were given."""
        return self._last

    def number(self, key: Hashable) -> int:
        """Return the number of a key: the next one if it has none."""
        number = self._numbers.get(key)
        if number is None:
            self._last = number = self._last + 1
            self._numbers[key] = number
        return number

    @property
    def used(self) -> frozenset[int]:
        """Numbers of sources: those given to keys whose source never came are left out."""
        return frozenset(
            number for key, number in self._numbers.items() if not isinstance(key, Pending)
        )

    def lock(self, key: Hashable, pending: Hashable) -> None:
        """Give a key the number of a pending one, unless it has its own already."""
        self._numbers.setdefault(key, self._numbers[pending])


def group_key(group_by: GroupBy) -> Callable[[Source], Hashable]:
    """Return the function that gives each source the key of its group.

    Raises:
        CitemarkError: The name is none of ``GroupBy``.
    """
    if not isinstance(group_by, str) and callable(group_by):
        return lambda source: _grouped("group", group_by(source), source)
    if not isinstance(group_by, str) or group_by not in _KEYS:
        message = f"group_by={group_by!r}: choose source, document, url or a function"
        raise CitemarkError(message)
    key_of = _KEYS[group_by]
    return lambda source: _grouped(group_by, key_of(source), source)


def uncited(
    sources: Iterable[Source], cited: Iterable[Source], key: Callable[[Source], Hashable]
) -> tuple[Source, ...]:
    """Return the sources that share a number with none that is cited, in their order."""
    keys = set(map(key, cited))
    return tuple(source for source in sources if key(source) not in keys)


def _grouped(kind: str, key: Hashable, source: Source) -> Hashable:
    if key in (None, ""):
        return _identity(source)
    try:
        hash(key)
    except TypeError as error:
        message = f"group_by: {key!r} cannot be a key: {error}"
        raise CitemarkError(message) from error
    return (kind, key)


def _identity(source: Source) -> Hashable:
    """Return what makes two records the same one; a score differs from search to search."""
    key = ("source", source.id, source.title, source.url, source.text, source.page)
    # Where nothing but the id tells what the record is, its metadata may.
    return key if source.url or source.text else (*key, source.kind, source.metadata)


def _url(source: Source) -> Hashable:
    return source.url and comparable_url(source.url)


def _document(source: Source) -> Hashable:
    """Return the document of a chunk: as its metadata names it, else its URL.

    Not its title: two documents may be called "Introduction".
    """
    for name in ("document", "document_id", "doc", "doc_id"):
        key: Hashable = source.metadata.get(name)
        if key not in (None, ""):
            return key
    return comparable_url(source.url) if source.url else None


_KEYS: Final[Mapping[str, Callable[[Source], Hashable]]] = {
    "source": lambda source: None,  # noqa: ARG005  each source is a group of its own
    "document": _document,
    "url": _url,
}

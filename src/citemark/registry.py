"""Labels that stay over the searches and turns of a conversation.

``Numbering`` is the other side: it keeps the numbers that readers see.
"""

from __future__ import annotations

from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from citemark import _stored
from citemark._compare import canonical_number, comparable_title, comparable_url
from citemark.context import Context, Count, Style, fit_context
from citemark.context._fields import DEFAULT_FIELDS
from citemark.errors import (
    ArgumentTypeError,
    CitemarkError,
    StoredAnswerError,
    StoredRegistryError,
)
from citemark.model import Source
from citemark.records import as_sources
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

__all__ = ["Registry"]

VERSION: Final = 1
"""Version of the stored form."""


class Registry:
    """Sources of a conversation so far.  One seen again keeps its label, new ones get the next.

    Two records are the same source if page and passage are the same and so is the URL, or,
    without URLs, the title.  If there is no URL, and no title or no passage, the ids have to be
    the same too.  A score or other metadata does not count.  A page that is found again with
    another passage is another source: the model reads other words under its label.

    An id that another record has already, or that is a number other than its label, gets the
    label behind it (``7#3``), so that no number names two sources: see ``given_id``.

    Methods may be called from several threads: each call is one step.  Use one registry for
    each conversation.

    Args:
        lenient: See ``Sources``.

    >>> registry = Registry()
    >>> first = registry.add([{"id": "a", "url": "https://example.org/a"}, {"id": "b"}])
    >>> second = registry.add([{"id": "c"}, {"id": "b"}])
    >>> [(label, source.id) for label, source in second.labelled()]
    [('3', 'c'), ('2', 'b')]
    >>> len(registry.sources)
    3
    """

    __slots__ = (
        "_by_key",
        "_given",
        "_labels",
        "_lenient",
        "_lock",
        "_none",
        "_records",
        "_sources",
    )

    def __init__(self, *, lenient: bool | Iterable[str] = False) -> None:
        """Start with no sources."""
        self._lock = RLock()  # a function that counts may ask for the sources
        self._none = Sources(label="number", lenient=lenient)
        self._lenient = self._none.lenient
        self._records: list[Source] = []
        self._by_key: dict[Hashable, Source] = {}
        self._labels: dict[str, str] = {}
        self._given: dict[str, str] = {}  # ids that were changed, as they were
        self._sources: Sources | None = None

    def __len__(self) -> int:
        """Return how many sources there are."""
        return len(self._records)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle what was registered."""
        return _rebuilt, (tuple(self._records), self._lenient, dict(self._given))

    @property
    def sources(self) -> Sources:
        """Sources of all turns, by their labels: what an answer may cite."""
        with self._lock:
            return self._all()

    def add(self, found: Iterable[Source | Mapping[str, Any]]) -> Sources:
        """Register what a search found, and return it for the prompt, in the order given.

        Raises:
            SourceError: A record has no id.
        """
        records = as_sources(found)
        with self._lock:
            chosen = tuple(dict.fromkeys(self._registered(record) for record in records))
            labels = tuple(self._labels[source.id] for source in chosen)
            return self._none._like(chosen, labels)  # noqa: SLF001  that of all is made if asked for

    def context(
        self,
        found: Iterable[Source | Mapping[str, Any]],
        *,
        budget: int,
        count: Count = len,
        style: Style = "plain",
        fields: Iterable[str] = DEFAULT_FIELDS,
    ) -> Context:
        """Return as much of what a search found as a budget allows, and register that alone.

        What was left out has no label: it cannot be cited.  See ``fit_context``.

        Raises:
            BudgetError: Not even the start of the first source fits; nothing is registered.
            CitemarkError: An option has a value that cannot be used.
            SourceError: A record has no id.
        """
        records = as_sources(found)
        with self._lock:
            known, trial = len(self), _rebuilt(self._records, self._lenient, self._given)
            context = fit_context(
                trial.add(records), budget=budget, count=count, style=style, fields=fields
            )
            if len(self) != known:
                message = "count has registered sources: the labels that it read are theirs now"
                raise CitemarkError(message)
            for source in context.sources:
                self._keep(source, trial.given_id(source))
            return context

    def label(self, source: Source) -> str | None:
        """Return the label of a source, also of one found again; None if it is new."""
        _require_source(source)
        with self._lock:
            known = self._by_key.get(_identity(source, self._given.get(source.id, source.id)))
            return None if known is None else self._labels[known.id]

    def given_id(self, source: Source) -> str:
        """Return the id of a registered source as it was before it got its label behind it."""
        _require_source(source)
        return self._given.get(source.id, source.id)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form from which ``from_dict`` makes an equal registry.

        Of the metadata, what JSON has no form for is changed: see ``Answer.to_dict``.
        """
        with self._lock:
            records, given = tuple(self._records), dict(self._given)
        return {
            "version": VERSION,
            "lenient": list(self._lenient),
            "sources": [_stored.write_source(source) for source in records],
            "given_ids": given,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Registry:
        """Return the registry that ``to_dict`` stored.

        Raises:
            StoredRegistryError: The data is not such a form, or of another version.
        """
        try:
            version, given = data["version"], dict(data["given_ids"])
            records = _stored.read_sources([*data["sources"]])
            registry = _rebuilt(records, tuple(data["lenient"]), given)
        except StoredAnswerError as error:
            raise StoredRegistryError(error.where, error.reason) from error
        except (CitemarkError, AttributeError, KeyError, TypeError, ValueError) as error:
            where, reason = "the whole", f"cannot be read: {error!r}"
            raise StoredRegistryError(where, reason) from error
        if version != VERSION or len(registry) != len(records):
            where = "sources" if version == VERSION else "version"
            reason = "is not as this version writes it"
            raise StoredRegistryError(where, reason)
        return registry

    def _all(self) -> Sources:
        if self._sources is None:
            self._sources = Sources(self._records, label="number", lenient=self._lenient)
        return self._sources

    def _registered(self, record: Source) -> Source:
        """Return the source that a record is, registered now if it is new."""
        known = self._by_key.get(_identity(record, record.id))
        if known is not None:
            return known
        label = str(len(self._records) + 1)
        id_ = record.id
        while id_ in self._labels or canonical_number(id_) not in (None, label):
            id_ = f"{id_}#{label}"
        source = record if id_ == record.id else replace(record, id=id_)
        self._keep(source, record.id)
        return source

    def _keep(self, source: Source, given_id: str) -> None:
        key = _identity(source, given_id)
        if key in self._by_key:
            return
        self._records.append(source)
        self._labels[source.id] = str(len(self._records))
        if given_id != source.id:
            self._given[source.id] = given_id
        self._by_key[key] = source
        self._sources = None


def _require_source(value: object) -> None:
    if not isinstance(value, Source):
        raise ArgumentTypeError(value, "source", "a Source")


def _rebuilt(
    records: Iterable[Source], lenient: Iterable[Any], given: Mapping[str, str]
) -> Registry:
    registry = Registry(lenient=lenient)
    for record in records:
        registry._keep(record, given.get(record.id, record.id))  # noqa: SLF001  of our own class
    return registry


def _identity(source: Source, id_: str) -> Hashable:
    """Return what two records have in common that are the same source."""
    text, title = " ".join(source.text.split()), comparable_title(source.title)
    if source.url:
        return "url", comparable_url(source.url), source.page, text
    if text and title:
        return "title", title, source.page, text
    return "id", id_, title, source.page, text

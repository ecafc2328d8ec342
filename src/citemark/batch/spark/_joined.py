"""Sources in a frame of their own, for answers that a key joins with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark._extras import extra

with extra("spark"):
    from pyspark.sql import DataFrame, types
    from pyspark.sql import functions as F  # noqa: N812  as everybody has it

from citemark.batch.arrow import RowSchemaError
from citemark.batch.arrow._schema import require_columns
from citemark.batch.sources import RowSourcesError, SourcesTable
from citemark.batch.spark._columns import fold_of, index_of, placed
from citemark.errors import ArgumentTypeError
from citemark.records import FIELDS

if TYPE_CHECKING:
    from pyspark.sql import Column

    from citemark.batch.options import BatchOptions
    from citemark.sources import Sources

__all__ = ["JoinedSources", "JoinedTable"]

JOINED: Final = "sources"

KEY: Final = "key"

REFUSED: Final = "!"
"""Stands before why a key has no list: a list starts with a bracket."""

PLACES: Final = (types.NumericType, types.DateType, types.TimestampType, types.TimestampNTZType)
"""Types whose order is that of places.  Texts would have "10" before "9"."""


@dataclass(frozen=True, slots=True)
class JoinedSources:
    """Records of sources in a frame of their own, for sources that no worker can hold.

    Their order is what labels of prompts count: without one, answers would cite others.  So a
    record without a place, and two of a key in one place, are an error of the answers.

    Raises:
        ArgumentTypeError: An argument is no frame, or no name.
        RowSchemaError: There is no such column, or no ``id`` besides; or places are neither
            numbers nor times.
    """

    frame: DataFrame
    """A record on each row: ``id``, ``title``, ``url``, ``text`` and so on."""

    on: str
    """Column of both frames: which answers a record is a source of."""

    order_by: str
    """Column with the place of a record among the sources of an answer: numbers or times."""

    def __post_init__(self) -> None:
        """Refuse what every row would fail by, or what would be in another order."""
        if not isinstance(self.frame, DataFrame):
            raise ArgumentTypeError(self.frame, "frame", "a frame of Spark")
        on, place = self._indices()
        names, schema = self.frame.columns, self.frame.schema
        if on == place:
            raise RowSchemaError("order_by: all records of a key would have one place")
        kind = schema.fields[place].dataType
        if not isinstance(kind, PLACES):
            reason = f'column "{names[place]}" is of type {kind.simpleString()}'
            raise RowSchemaError(f"order_by: {reason}, not numbers or times: cast it")
        left = [name for _, name in self._fields()]
        try:
            require_columns(left, any_of=("id", "page_content"))
        except RowSchemaError as error:
            reason = "on and order_by are no fields of a record: copy what is to be both"
            raise RowSchemaError(f"records: {error}; {reason}") from None

    def lists(self) -> DataFrame:
        """Return the list of each key, as JSON; or, after ``!``, why there is none."""
        on, place = self._indices()
        at = F.col(f"c{place}")
        fields = [F.col(f"c{index}").alias(name) for index, name in self._fields()]
        record = F.to_json(F.struct(*fields))
        rows = F.sort_array(F.collect_list(F.struct(at.alias("place"), record.alias("record"))))
        text = F.concat(F.lit("["), F.array_join(rows["record"], ","), F.lit("]"))
        fault = self._fault(rows["place"], self.frame.schema.fields[place].dataType)
        found = placed(self.frame).groupBy(f"c{on}").agg(F.coalesce(fault, text))
        return found.toDF(self.on, JOINED)

    def joined(self, frame: DataFrame) -> DataFrame:
        """Return a frame of answers with a column of lists.

        Raises:
            RowSchemaError: It has not the key, or one of another kind, or has a column of that
                name already.
        """
        on = index_of(frame, self.on, "on")
        names, fold = frame.columns, fold_of(frame)
        if JOINED in map(fold, names):
            raise RowSchemaError(f'the frame has a column "{JOINED}" already')
        self._require_key(frame.schema.fields[on].dataType)
        lists = self.lists().toDF(KEY, JOINED)
        both = placed(frame).join(lists, F.col(f"c{on}") == F.col(KEY), "left").drop(KEY)
        return both.toDF(*names, JOINED)

    def _require_key(self, kind: types.DataType) -> None:
        """Refuse a key that Spark would cast: "01" would be 1, and "k" the end of the job."""
        here = self.frame.schema.fields[self._indices()[0]].dataType
        if isinstance(here, types.StringType) != isinstance(kind, types.StringType):
            reason = f'"{self.on}" is of type {here.simpleString()} in the sources'
            reason += f", and {kind.simpleString()} in the answers"
            raise RowSchemaError(f"on: column {reason}: cast one of them")

    def _indices(self) -> tuple[int, int]:
        on = index_of(self.frame, self.on, "on")
        return on, index_of(self.frame, self.order_by, "order_by")

    def _fields(self) -> list[tuple[int, str]]:
        """Return place and name of each column that is a field of records."""
        fold, used = fold_of(self.frame), self._indices()
        known = {fold(name): name for name in FIELDS}
        return [
            (index, known.get(fold(name), name))
            for index, name in enumerate(self.frame.columns)
            if index not in used
        ]

    def _fault(self, places: Column, kind: types.DataType) -> Column:
        """Return why sorted places give no order; null if they do."""
        first, last = F.element_at(places, 1), F.element_at(places, -1)
        is_none = first.isNull()
        if isinstance(kind, types.FloatType | types.DoubleType):
            is_none |= F.isnan(last)
        is_tie = F.size(F.array_distinct(places)) < F.size(places)
        return F.when(is_none, self._refused("a record of the key has no place")).when(
            is_tie, self._refused("two records of the key have one place")
        )

    def _refused(self, reason: str) -> Column:
        return F.lit(f'{REFUSED}{reason} in "{self.order_by}"')


class JoinedTable(SourcesTable):
    """What workers read lists of sources with: some say why they are none."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pass it to a worker."""
        return JoinedTable, ()

    def for_row(self, given: object, options: BatchOptions) -> Sources:
        """Return the sources of a row.

        Raises:
            RowSourcesError: Their order is not known.
        """
        if isinstance(given, str) and given.startswith(REFUSED):
            raise RowSourcesError(f"{JOINED}: {given.removeprefix(REFUSED)}")
        return super().for_row(given, options)

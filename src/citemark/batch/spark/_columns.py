"""Columns by place: Spark takes names with dots for paths, and by default no notice of case."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from citemark._extras import extra

with extra("spark"):
    from pyspark.sql import types

from citemark.batch.arrow import RowSchemaError
from citemark.batch.arrow._schema import require_columns
from citemark.batch.rows import INPUT, OUTPUT
from citemark.errors import ArgumentTypeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import DataFrame

__all__ = ["Fold", "fold_of", "index_of", "placed", "require_types", "worker_names"]

Fold: TypeAlias = "Callable[[str], str]"
"""Makes one text of names that are one to Spark."""


def fold_of(frame: DataFrame) -> Fold:
    """Return how the session of a frame compares names."""
    is_exact = frame.sparkSession.conf.get("spark.sql.caseSensitive") or "false"
    return str if is_exact.lower() == "true" else str.lower


def placed(frame: DataFrame) -> DataFrame:
    """Return a frame whose columns are named after their places: ``c0``, ``c1``, ..."""
    return frame.toDF(*(f"c{index}" for index in range(len(frame.columns))))


def index_of(frame: DataFrame, name: str, argument: str) -> int:
    """Return the place of the column that has a name.

    Raises:
        ArgumentTypeError: The name is none.
        RowSchemaError: No column has it, or several have.
    """
    if not isinstance(name, str):
        raise ArgumentTypeError(name, argument, "the name of a column")
    fold, names = fold_of(frame), frame.columns
    found = [index for index, one in enumerate(names) if fold(one) == fold(name)]
    if not found:
        reason = f'no column is called "{name}", only {", ".join(names) or "none"}'
        raise RowSchemaError(f"{argument}: {reason}")
    if len(found) > 1:
        raise RowSchemaError(f'{argument}: {len(found)} columns are called "{name}"')
    return found[0]


def worker_names(names: Sequence[str], fold: Fold) -> list[str]:
    """Return what workers call columns: as they are read, or as they pass through.

    None is, for Spark, the name of another one or of ours: it becomes ``input_...``.

    Raises:
        RowSchemaError: None is ``answer``, or two have one name.

    >>> worker_names(["Answer", "ID", "x", "X", "CITED"], str.lower)
    ['answer', 'id', 'x', 'input_X', 'input_CITED']
    """
    read = {fold(name): name for name in INPUT}
    called = [read.get(fold(name), name) for name in names]
    require_columns(called)
    given, taken = {fold(name) for name in called}, {fold(name) for name in OUTPUT}
    return [name if name in INPUT else _free(name, given, taken, fold) for name in called]


def _free(name: str, given: set[str], taken: set[str], fold: Fold) -> str:
    free = name
    while fold(free) in taken or (free != name and fold(free) in given):
        free = f"input_{free}"
    taken.add(fold(free))
    return free


def require_types(schema: types.StructType) -> None:
    """Refuse columns that cannot go to workers: Arrow, as Spark has it, has no such type.

    Raises:
        RowSchemaError: It names the column and its type.
    """
    for field in schema.fields:
        if any(_is_interval(kind) for kind in _kinds(field.dataType)):
            reason = f"is of type {field.dataType.simpleString()}, which no worker can read"
            raise RowSchemaError(f'column "{field.name}" {reason}: cast it, or drop it')


def _is_interval(kind: types.DataType) -> bool:
    """Whether it is of months, or of months and days: one of days and seconds can be read."""
    return isinstance(kind, types.YearMonthIntervalType | types.CalendarIntervalType)


def _kinds(kind: types.DataType) -> list[types.DataType]:
    """Return a type, and all within it."""
    inner = [
        getattr(kind, name)
        for name in ("elementType", "keyType", "valueType")
        if hasattr(kind, name)
    ]
    if isinstance(kind, types.StructType):
        inner += [field.dataType for field in kind.fields]
    return [kind, *(one for part in inner for one in _kinds(part))]

"""Whether inputs are what their endings say, as far as their beginnings tell.

One that is none would end a run in the middle, with those after it not done.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from citemark.batch._faults import BatchFileError
from citemark.batch.files import STDIO, held, is_table, opened
from citemark.batch.files._jsonl import JsonLinesReader
from citemark.batch.where import unknown_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.batch.run._targets import Target
    from citemark.batch.run._work import Maker
    from citemark.batch.where import Where

__all__ = ["require_headers"]


def require_headers(targets: Sequence[Target], make: Maker, where: Sequence[Where]) -> None:
    """Refuse inputs of which one has a header, or columns, that cannot be read.

    Args:
        targets: Inputs and outputs.
        make: What makes rows.
        where: Conditions of rows.  Rows of JSON may leave out what a header may not.

    Raises:
        BatchFileError: One has; nothing was written yet.
    """
    for target in targets:
        if target.input == STDIO or not Path(target.input).is_file():
            continue  # what is read of a pipe is gone
        try:
            _require_columns_of(where, target, _look_at(target, make))
        except BatchFileError as error:
            if error.fault == "truncated" and not is_table(target.input):
                continue  # rows before that are made
            if len(targets) == 1:
                raise
            reason = f"{error.reason}; nothing was written: mend it, or leave it out"
            raise BatchFileError(error.path, error.fault, reason) from None


def _require_columns_of(
    where: Sequence[Where], target: Target, columns: Sequence[str] | None
) -> None:
    name = None if columns is None else unknown_column(where, columns)
    if name is not None:
        only = ", ".join(columns or ())
        reason = f"--where names the column {name!r}, and it has only {only}"
        raise BatchFileError(target.input, "format", reason)


def _look_at(target: Target, make: Maker) -> Sequence[str] | None:
    """Return the columns of all rows, if the input says so."""
    if target.is_table:
        return _look_at_table(target, make)
    with opened(target.input) as file:
        if isinstance(file.reader, JsonLinesReader):
            next(file.reader.records(file.lines), None)  # an array is refused
        return file.columns


def _look_at_table(target: Target, make: Maker) -> list[str]:
    from citemark.batch.arrow._job import schemas  # noqa: PLC0415  needs an extra
    from citemark.batch.arrow._open import OpenTable  # noqa: PLC0415
    from citemark.batch.arrow._schema import RowSchemaError  # noqa: PLC0415

    with held(target.input) as file:
        table = OpenTable(file)
    try:
        schemas(table.schema, make)
    except RowSchemaError as error:
        raise BatchFileError(target.input, "format", str(error)) from None
    return list(table.schema.names)

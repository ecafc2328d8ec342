"""What a caller gives to a run: names as text, and nothing that it cannot do."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from citemark.batch._counts import require_count
from citemark.batch._faults import BatchFileError
from citemark.batch.options import BatchOptionError, BatchOptions
from citemark.batch.sources import SourcesTable
from citemark.batch.where import Where
from citemark.errors import ArgumentTypeError

if TYPE_CHECKING:
    from citemark.batch.run import Run

__all__ = ["Names", "read_given"]

NAMES: Final = 'names of files or folders, as ["answers.jsonl"]'
CONDITIONS: Final = 'conditions, as [read_where("lang=de")]'


class Names(NamedTuple):
    """What a run reads and writes."""

    inputs: tuple[str, ...]
    output: str
    more: tuple[str, ...]


def read_given(run: Run) -> Names:
    """Return the names that a run is given, once all that it is given is checked.

    Raises:
        ArgumentTypeError: An argument is of a type that cannot be used.
        BatchFileError: A name can be that of no file.
        BatchOptionError: An argument has a value that it cannot have.
    """
    names = Names(
        _names("inputs", run.inputs),
        _name("output", run.output, "a file, a folder, or - for stdout"),
        _names("more", run.more),
    )
    if not names.inputs:
        raise BatchOptionError("inputs", f"expected {NAMES}, and found none")
    run.inputs, run.output, run.more = names
    run.where = _conditions(run.where)
    _require_kinds(run)
    for name in ("limit", "workers", "chunk"):
        require_count(name, getattr(run, name))
    if run.resume and run.overwrite:
        reason = "goes on with what is there, and overwrite begins anew: give one of them"
        raise BatchOptionError("resume", reason)
    return names


def _require_kinds(run: Run) -> None:
    if not isinstance(run.options, BatchOptions):
        raise ArgumentTypeError(run.options, "options", "BatchOptions")
    if not isinstance(run.table, SourcesTable):
        raise ArgumentTypeError(run.table, "table", "a SourcesTable", "SourcesTable(records)")
    for name in ("make", "begin", "report"):
        if not callable(getattr(run, name)):
            raise ArgumentTypeError(getattr(run, name), name, "a function")


def _names(name: str, given: Any) -> tuple[str, ...]:  # noqa: ANN401  whatever it is
    if isinstance(given, str | bytes | os.PathLike) or not isinstance(given, Iterable):
        raise ArgumentTypeError(given, name, NAMES)
    return tuple(_name(name, one, NAMES) for one in given)


def _name(name: str, given: Any, expected: str) -> str:  # noqa: ANN401  whatever it is
    found = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(found, str):
        raise ArgumentTypeError(given, name, expected)
    if "\0" in found or not found:
        raise BatchFileError(repr(found), "missing", "names no file")
    return found


def _conditions(given: Any) -> tuple[Where, ...]:  # noqa: ANN401  whatever it is
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ArgumentTypeError(given, "where", CONDITIONS)
    found = tuple(given)
    for one in found:
        if not isinstance(one, Where):
            raise ArgumentTypeError(one, "where", CONDITIONS)
    return found

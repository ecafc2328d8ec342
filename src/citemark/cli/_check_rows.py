"""Rows of a file of JSON Lines, each with an answer: read one at a time, and checked."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from citemark.cli._io import STDIO, BadInputError, opened_stdin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

    from citemark.answer import Answer
    from citemark.batch import BatchOptions, SourcesTable
    from citemark.checks import Report
    from citemark.checks.model import Scope
    from citemark.model import Source
    from citemark.sources import Sources

__all__ = ["Line", "Row", "RowReader", "lines_of", "size_of"]

MAX_ID: Final = 80
"""Code points of the id of a row that are told."""

MAX_REASON: Final = 300
"""Code points of a reason that are told."""


class Line(NamedTuple):
    """A line of the file."""

    number: int
    """From 1."""

    data: bytes


class Row(NamedTuple):
    """What became of a row."""

    line: int
    """Its line in the file, from 1."""

    id: Any
    """Its id, as it is; None if it has none."""

    report: Report | None
    """What was found; None if it could not be read."""

    own_sources: Sources | tuple[Source, ...] = ()
    """Sources that stand in the row itself."""

    error: str = ""
    """Why it could not be read."""

    @property
    def name(self) -> str:
        """What the row is called."""
        shown = "" if self.id is None else f" ({str(self.id)[:MAX_ID]})"
        return f"row {self.line}{shown}"


class _RowError(Exception):
    """A row that cannot be read."""


def lines_of(name: str) -> Iterator[Line]:
    """Yield the lines of a file, or of stdin, that are not empty.

    Raises:
        BadInputError: It cannot be read, or holds no JSON Lines.
    """
    _refuse_others(name)
    try:
        with _opened(name) as file:
            filled = ((number, data) for number, data in enumerate(file, 1) if data.strip())
            for index, (number, data) in enumerate(filled):
                line = Line(number, data.removeprefix(b"\xef\xbb\xbf"))
                if not index:
                    _refuse_array(name, line)
                yield line
    except OSError as error:
        raise BadInputError(name, f"cannot be read: {error.strerror}") from None


def _opened(name: str) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(opened_stdin()) if name == STDIO else Path(name).open("rb")


def _refuse_others(name: str) -> None:
    """Refuse a file that holds no JSON Lines by its name; most names say nothing."""
    from citemark.batch._faults import BatchFileError
    from citemark.batch.files import file_format
    from citemark.batch.files._compressed import COMPRESSIONS

    try:
        kind = file_format(name)
    except BatchFileError:
        return
    if kind != "jsonl" or name.lower().endswith((*COMPRESSIONS,)):
        what = "is compressed" if kind == "jsonl" else "is no JSON Lines"
        makes = f"citemark batch {name} -o rows.jsonl makes rows that can be checked"
        raise BadInputError(name, f"{what}; {makes}")


def _refuse_array(name: str, first: Line) -> None:
    from citemark.batch.files._jsonl import IS_ARRAY

    if first.data.lstrip().startswith(b"["):
        raise BadInputError(name, IS_ARRAY)


def size_of(name: str) -> int | None:
    """Return the size of a file in bytes; None if it is not known."""
    try:
        return None if name == STDIO else Path(name).stat().st_size
    except OSError:
        return None


@dataclass(slots=True)
class RowReader:
    """Checks rows with ``answer`` and ``sources``, or rows that ``citemark batch`` wrote."""

    options: dict[str, Any]
    """Of ``cite``."""

    batch: BatchOptions
    """How keys are looked up in the sources of a row."""

    scope: Scope
    provider: str | None = None
    table: SourcesTable | None = None
    """Sources of rows that have none of their own, or name some of these."""

    support: bool = True
    """Whether claims are held against the passages that they cite."""

    def rows(self, lines: Iterable[Line]) -> Iterator[tuple[Row, int]]:
        """Yield what becomes of each line, and how many bytes it has.  Never raises for one."""
        for line in lines:
            yield self._row(line), len(line.data)

    def _row(self, line: Line) -> Row:
        id_: Any = None
        try:
            record = _record(line.data)
            id_ = _id(record)
            answer, sources = self._answer(record)
            report = self._report(answer, sources)
        except _RowError as error:
            return Row(line.number, id_, None, (), str(error))
        except Exception as error:  # noqa: BLE001  one row does not stop the rest
            reason = f"{type(error).__name__}: {error}"[:MAX_REASON]
            return Row(line.number, id_, None, (), reason)
        has_own = isinstance(record.get("sources"), list)
        return Row(line.number, id_, report, sources if has_own and sources else ())

    def _answer(self, record: dict[str, Any]) -> tuple[Answer, Sources | None]:
        from citemark.api import cite

        if "cited" in record and "answer" not in record:
            return _stored(record), None
        if self.provider is not None:
            return _response(record, self.provider), None
        text = record.get("answer")
        if not isinstance(text, str):
            raise _RowError('has no "answer" that is a text')
        sources = self._sources(record)
        return cite(text, () if sources is None else sources, **self.options), sources

    def _sources(self, record: dict[str, Any]) -> Sources | None:
        from citemark.batch import SourcesTable

        if record.get("sources") is None and self.table is None:
            if self.options.get("source_list") == "parse":
                return None
            raise _RowError('has no "sources", and there are none by --sources')
        table = self.table or SourcesTable()
        return table.for_row(record.get("sources"), self.batch)

    def _report(self, answer: Answer, sources: Sources | None) -> Report:
        from citemark.checks import check

        return check(answer, sources=sources, scope=self.scope, support=self.support)


def _id(record: dict[str, Any]) -> Any:  # noqa: ANN401  whatever was stored
    """Return the id of a row, which is written out again with its report."""
    id_ = record.get("id")
    try:
        json.dumps(id_, allow_nan=False)
    except ValueError:
        raise _RowError(
            'has an "id" that is no strict JSON: NaN, or beyond all numbers'
        ) from None
    return id_


def _record(data: bytes) -> dict[str, Any]:
    try:
        record = json.loads(data.decode("utf-8").strip())
    except UnicodeDecodeError:
        raise _RowError("is not UTF-8") from None
    except RecursionError:
        raise _RowError("is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise _RowError(f"is not JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(record, dict):
        raise _RowError('is no object like {"id": "a", "answer": "...", "sources": [...]}')
    return record


def _stored(record: dict[str, Any]) -> Answer:
    """Return the answer of a row that ``citemark batch`` wrote, with what it cites."""
    from citemark.batch._record import RecordError
    from citemark.batch.history import answer_of

    try:
        answer = answer_of(record)
    except RecordError as error:
        raise _RowError(str(error)) from None
    if answer is None:
        why = record.get("error")
        raise _RowError("has no answer" + (f": it failed with {why}" if why else ""))
    return answer


def _response(record: dict[str, Any], provider: str) -> Answer:
    from citemark import providers

    response, request = _decoded(record.get("answer")), _decoded(record.get("request"))
    if response is None:
        raise _RowError('has no "answer"')
    if isinstance(response, list):
        return providers.parse_events(response, provider=provider, request=request)
    return providers.parse(response, provider=provider, request=request)


def _decoded(value: Any) -> Any:  # noqa: ANN401  whatever was stored
    return json.loads(value) if isinstance(value, str) else value

"""Lines of a stream in batches that are bounded in rows and in bytes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final, NoReturn

from citemark.batch._faults import BatchFileError, reading
from citemark.batch._record import MAX_RECORD
from citemark.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_BYTES", "MAX_ROWS", "Batch", "Lines", "batches"]

MAX_ROWS: Final = 256
MAX_BYTES: Final = 1 << 20
"""Of a batch.  One row may have more: it is a batch of its own then."""

BOM: Final = b"\xef\xbb\xbf"
UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows as they stand in a file."""

    records: tuple[tuple[int, bytes], ...]
    """Number of the line, from 1, and bytes with the newline, of each."""

    offset: int = 0
    """Bytes of the (decompressed) input up to the end of the batch."""

    line: int = 0
    """Lines up to there."""

    digest: str = ""
    """Of the (decompressed) input up to there."""

    is_last: bool = False
    """Whether the input, or what is to be taken of it, ends there."""

    @property
    def weight(self) -> int:
        """Bytes of all records."""
        return sum(len(data) for _, data in self.records)


class Lines:
    """Lines of a stream, counted and digested.

    Args:
        stream: Bytes, decompressed.
        path: What messages call it.
    """

    def __init__(self, stream: IO[bytes], path: str) -> None:
        """Nothing is read yet."""
        self.path = path
        self.offset = self.line = 0
        self._stream = stream
        self._digest = hashlib.blake2b(digest_size=16)

    @property
    def digest(self) -> str:
        """Hexadecimal digest of all that was read."""
        return self._digest.hexdigest()

    def read(self, most: int | None = None) -> bytes:
        """Return the next line, with its newline; empty at the end.

        Args:
            most: Bytes that it may have, if not those of a row.

        Raises:
            BatchFileError: It cannot be read, is UTF-16, or has too long a line.
        """
        most = MAX_RECORD if most is None else most
        try:
            data = self._stream.readline(most + 1)
        except (OSError, EOFError):
            with reading(self.path):  # only now: it would cost more than the line
                raise
        if not data:
            return b""
        if len(data) > most:
            self.refuse_long(most)
        if not self.offset and data.startswith(UTF_16_MARKS):
            raise BatchFileError(self.path, "format", "is UTF-16; save it as UTF-8")
        self._digest.update(data)
        self.offset += len(data)
        self.line += 1
        is_first = self.offset == len(data)
        return data.removeprefix(BOM) or b"\n" if is_first else data

    def refuse_long(self, most: int, line: int | None = None) -> NoReturn:
        """Refuse a row that has no end.

        Args:
            most: Bytes that it may have.
            line: Where it starts, from 1, if not with the next line.

        Raises:
            BatchFileError: Always.
        """
        start = self.line + 1 if line is None else line
        reason = f"line {start} starts a row of more than {most >> 20} MB"
        raise BatchFileError(self.path, "format", reason)

    def skip(self, offset: int, line: int) -> None:
        """Read up to an offset, where so many lines are over.

        Raises:
            BatchFileError: The input ends before.
        """
        with reading(self.path):
            while self.offset < offset:
                data = self._stream.read(min(1 << 20, offset - self.offset))
                if not data:
                    found = counted(self.offset, "byte")
                    reason = f"has {found}; an earlier run had read {offset:,}"
                    raise BatchFileError(self.path, "truncated", reason)
                self._digest.update(data)
                self.offset += len(data)
        self.line = line


def batches(
    lines: Lines, records: Iterator[tuple[int, bytes]], limit: int | None = None
) -> Iterator[Batch]:
    """Yield records in batches, each as soon as it is full; the last may be empty.

    Args:
        lines: Where the records come from.
        records: Line and bytes of each, in order.
        limit: The greatest number of records.
    """
    held: list[tuple[int, bytes]] = []
    weight = 0
    for count, record in enumerate(records if limit != 0 else (), 1):
        held.append(record)
        weight += len(record[1])
        if count == limit:
            break
        if len(held) >= MAX_ROWS or weight >= MAX_BYTES:
            yield Batch(tuple(held), lines.offset, lines.line, lines.digest)
            held, weight = [], 0
    yield Batch(tuple(held), lines.offset, lines.line, lines.digest, is_last=True)

"""Lines that end in CR alone, as some spreadsheets still write them, end in LF instead."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, Any, Final, cast

from citemark.batch._faults import reading
from citemark.batch.files._compressed import BLOCK

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["with_line_feeds"]

CR: Final = b"\r"
LF: Final = b"\n"


def with_line_feeds(stream: IO[bytes], path: str) -> IO[bytes]:
    """Return a stream, of as many bytes, whose lines end in LF or CRLF.

    What stands before its first LF tells: files with both are left as they are.

    Raises:
        BatchFileError: It cannot be read.
    """
    buffered = cast("io.BufferedIOBase", stream)
    with reading(path):
        head = _head(buffered)
    ends_in_cr = CR in head[:-1] and LF not in head  # the last may be half of CRLF
    rejoined = _Rejoined(head, buffered.read1, CR if ends_in_cr else LF)
    return io.BufferedReader(rejoined, BLOCK)


def _head(stream: io.BufferedIOBase) -> bytes:
    """Read up to a line feed, or a block; not further, since it may be cut off there."""
    head = bytearray()
    while len(head) < BLOCK and (data := stream.read1(BLOCK)):
        head += data
        if LF in data:
            break
    return bytes(head)


class _Rejoined(io.RawIOBase):
    """A stream whose head was read already."""

    def __init__(self, head: bytes, read: Callable[[int], bytes], end: bytes) -> None:
        self._ready, self._read, self._end = memoryview(head), read, end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  as ``io`` has it
        self._ready = self._ready or memoryview(self._read(BLOCK))
        piece = bytes(self._ready[: len(buffer)])
        self._ready = self._ready[len(piece) :]
        buffer[: len(piece)] = piece.replace(self._end, LF)
        return len(piece)

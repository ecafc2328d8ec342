"""Compressed files, as streams: gzip with the standard library, zstd with the extra ``zstd``.

What is written is one whole member or frame a chunk: a file can be cut after any of them and
written on, and every reader takes them as one file.
"""

from __future__ import annotations

import gzip
import io
import zlib
from typing import IO, TYPE_CHECKING, Any, Final

from citemark.batch._faults import BatchFileError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["COMPRESSIONS", "compressor", "decompressed"]

COMPRESSIONS: Final = (".gz", ".zst")
"""Endings of compressed files."""

LEVELS: Final = {".gz": 6, ".zst": 3}

BLOCK: Final = 1 << 18
"""Bytes that are read at once."""

STEP: Final = 1 << 10
"""Bytes that are decompressed at once.  Four bytes of zstd may hold 128 kB: a step gives at
most 32 MB, of whatever file."""


class _Members(io.RawIOBase):
    """What a compressed stream holds: members one after the other, of any number.

    Raises ``EOFError`` from ``read`` if the last one is not whole.
    """

    def __init__(self, raw: IO[bytes], path: str, start: Callable[[], Any]) -> None:
        self._raw, self._path, self._start = raw, path, start
        self._member: Any = None
        self._waiting = memoryview(b"")  # what is left of both is not copied for each step
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  as ``io`` has it
        while not self._ready:
            if not (self._waiting or self._fill()):
                return 0
            self._feed()
        count = min(len(buffer), len(self._ready))
        buffer[:count], self._ready = self._ready[:count], self._ready[count:]
        return count

    def _fill(self) -> bool:
        self._waiting = memoryview(self._raw.read(BLOCK))
        if not self._waiting and self._member is not None:
            raise EOFError
        return bool(self._waiting)

    def _feed(self) -> None:
        if self._member is None:
            if self._skip_padding():
                return
            self._member = self._start()
        step = self._waiting[:STEP]
        try:
            self._ready = memoryview(self._member.decompress(step))
        except Exception as error:  # noqa: BLE001  zlib and zstandard have their own
            reason = f"is no {_ending(self._path)[1:]} file: {error}"
            raise BatchFileError(self._path, "unreadable", reason) from None
        unused = len(self._member.unused_data) if self._member.eof else 0
        self._waiting = self._waiting[len(step) - unused :]
        self._member = None if self._member.eof else self._member

    def _skip_padding(self) -> bool:
        """Leave out zeros, which tapes and some tools fill up gzip files with."""
        if _ending(self._path) != ".gz" or self._waiting[0] != 0:
            return False
        step = bytes(self._waiting[:STEP])
        self._waiting = self._waiting[len(step) - len(step.lstrip(b"\0")) :]
        return True


def _ending(path: str) -> str:
    """Return the ending of a compressed file, in small letters; empty if it is none."""
    return next((ending for ending in COMPRESSIONS if path.lower().endswith(ending)), "")


def decompressed(raw: IO[bytes], path: str) -> IO[bytes]:
    """Return the content of a stream, decompressed by the ending of its name.

    Raises:
        BatchFileError: zstandard is not installed.
    """
    ending = _ending(path)
    if ending == ".gz":
        members = _Members(raw, path, lambda: zlib.decompressobj(zlib.MAX_WBITS | 16))
    elif ending == ".zst":
        zstd = _zstandard(path)
        members = _Members(raw, path, lambda: zstd.ZstdDecompressor().decompressobj())
    else:
        return raw
    return io.BufferedReader(members, BLOCK)


def compressor(path: str) -> Callable[[bytes], bytes]:
    """Return what makes a whole member of bytes, by the ending of a name.

    Raises:
        BatchFileError: zstandard is not installed.
    """
    ending = _ending(path)
    if ending == ".gz":
        return lambda data: gzip.compress(data, LEVELS[".gz"], mtime=0)
    if ending == ".zst":
        zstd = _zstandard(path)
        return lambda data: bytes(zstd.ZstdCompressor(LEVELS[".zst"]).compress(data))
    return lambda data: data


def _zstandard(path: str) -> Any:  # noqa: ANN401  a module
    try:
        import zstandard  # noqa: PLC0415  only for such files
    except ImportError:
        reason = "zstd files need zstandard: pip install 'citemark[zstd]'"
        raise BatchFileError(path, "format", reason) from None
    return zstandard

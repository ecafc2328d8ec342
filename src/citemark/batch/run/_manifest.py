"""What a run has done, as lines of JSON beside its output.

A line is on the disk before anybody relies on it.  ``begin`` says what a file is made from,
``chunk`` up to where it is, ``done`` that it stands under its name.  Who holds the manifest
holds the output: another run is refused.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING, Any, Final, Self

from citemark.batch._disk import sync_folder
from citemark.batch._faults import BatchFileError, reading, writing
from citemark.batch._strict import encode

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Chunk", "Manifest", "Progress", "Sizes", "read_manifest"]

BEGIN: Final = "begin"
CHUNK: Final = "chunk"
DONE: Final = "done"


@dataclass(frozen=True, slots=True)
class Chunk:
    """How far a file is.  All counts are of the whole file up to here."""

    offset: int = 0
    """Bytes of the (decompressed) input."""

    line: int = 0
    """Lines of the input."""

    digest: str = ""
    """Of the input up to here."""

    rows: int = 0
    errors: int = 0
    nulls: int = 0

    failed_before: int = 0
    """Rows that failed when they were made, and stay as they were."""

    output_bytes: int = 0
    """Bytes of the output."""

    rejects_bytes: int = 0
    """Bytes of the rejects."""

    is_last: bool = False
    """Whether the input ends here."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of files as they are."""

    input_size: int | None
    """None for a pipe."""

    output_size: int


@dataclass(slots=True)
class Progress:
    """What a manifest says of one output."""

    settings: dict[str, Any]
    """What it is made from, and how."""

    chunk: Chunk | None = None
    """The last that is whole; None if there is none."""

    sizes: Sizes | None = None
    """Of its files; None until the output stands under its name."""


def read_manifest(path: Path) -> dict[str, Progress]:
    """Return what a manifest says of each output; nothing if there is none.

    Raises:
        BatchFileError: It is none, or cannot be read.
    """
    try:
        with reading(str(path)):
            whole = path.read_bytes()
    except BatchFileError as error:
        if error.fault == "missing":
            return {}
        raise
    known: dict[str, Progress] = {}
    for number, line in enumerate(_whole_lines(whole), 1):
        try:
            _take(known, json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError):
            reason = f"line {number} is none of a manifest; remove the file to begin anew"
            raise BatchFileError(str(path), "format", reason) from None
    return known


class Manifest:
    """The manifest of a run, locked: a context manager.

    Args:
        path: The file, which is made if need be.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self.path = path
        self.known: dict[str, Progress] = {}

    def __enter__(self) -> Self:
        """Lock and read it; half a line at its end is of a run that was killed.

        Raises:
            BatchFileError: It cannot be written, or another run has it.
        """
        with writing(str(self.path)):
            self._file = self.path.open("a+b")
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Unlock it."""
        self._file.close()

    def _read(self) -> None:
        _lock(self._file, self.path)
        self.known = read_manifest(self.path)
        with writing(str(self.path)):
            self._file.truncate(sum(map(len, _whole_lines(self.path.read_bytes()))))
            sync_folder(self.path.parent)

    def begin(self, output: str, settings: dict[str, Any]) -> None:
        """Say that an output is made anew."""
        self._append({"event": BEGIN, "output": output, "settings": settings})

    def chunk(self, output: str, chunk: Chunk) -> None:
        """Say up to where an output is whole."""
        self._append({"event": CHUNK, "output": output, **asdict(chunk)})

    def done(self, output: str, sizes: Sizes) -> None:
        """Say that an output stands under its name."""
        self._append({"event": DONE, "output": output, **asdict(sizes)})

    def _append(self, line: dict[str, Any]) -> None:
        with writing(str(self.path)):
            self._file.write(encode(line) + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        _take(self.known, line)


def _whole_lines(data: bytes) -> list[bytes]:
    return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)


def _take(known: dict[str, Progress], line: dict[str, Any]) -> None:
    given = {name: value for name, value in line.items() if name not in {"event", "output"}}
    output = line["output"]
    if line["event"] == BEGIN:
        known[output] = Progress(given["settings"])
    elif line["event"] == CHUNK:
        known[output].chunk = Chunk(**given)
    else:
        known[output].sizes = Sizes(**given)


def _lock(file: IO[bytes], path: Path) -> None:
    """Hold a file until it is closed, or the process ends in whatever way."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  only there

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415  only there

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        reason = "another run is writing there; wait for it to end"
        raise BatchFileError(str(path), "locked", reason) from None

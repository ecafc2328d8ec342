"""What a run has done, as lines of JSON beside its output.

A line is on the disk before anybody relies on it.  ``begin`` says what a file is made from,
``chunk`` up to where it is, ``done`` that it stands under its name.  Who holds the manifest
holds the output: another run is refused.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Self

from citemark.batch._disk import discard, sync_folder
from citemark.batch._faults import BatchFileError, reading, writing
from citemark.batch._strict import encode
from citemark.batch.run._lock import hold

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["Chunk", "Manifest", "Progress", "Sizes", "read_manifest"]

BEGIN: Final = "begin"
CHUNK: Final = "chunk"
DONE: Final = "done"

MAX_COUNT: Final = (1 << 63) - 1
"""No file is greater."""

PIPE: Final = ("input_size", None)
"""What has no size."""


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
        except (ValueError, TypeError, KeyError, RecursionError):
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
        """Unlock it; what the disk had no room for is not tried again."""
        discard(self._file)

    def _read(self) -> None:
        hold(self._file, str(self.path))
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


def _take(known: dict[str, Progress], line: Any) -> None:  # noqa: ANN401  as it was read
    """Add what a line says.

    Raises:
        KeyError: It speaks of an output that no line began, or lacks something.
        TypeError: It is no object, or holds what no run writes.
    """
    if not isinstance(line, dict):
        raise TypeError
    given = {name: value for name, value in line.items() if name not in {"event", "output"}}
    event, output = line["event"], line["output"]
    if not isinstance(output, str) or event not in {BEGIN, CHUNK, DONE}:
        raise TypeError
    if event == BEGIN:
        known[output] = Progress(_settings_of(given))
    elif event == CHUNK:
        known[output].chunk = _chunk_of(given)
    else:
        known[output].sizes = _sizes_of(given)


def _settings_of(given: dict[str, Any]) -> dict[str, Any]:
    settings = given["settings"]
    if not isinstance(settings, dict):
        raise TypeError
    return settings


def _chunk_of(given: dict[str, Any]) -> Chunk:
    numbers = {
        name: value for name, value in given.items() if name not in {"digest", "is_last"}
    }
    _require_counts(numbers.values())
    if not isinstance(given["digest"], str) or not isinstance(given["is_last"], bool):
        raise TypeError
    if {*given} != {one.name for one in fields(Chunk)}:
        raise KeyError
    chunk = Chunk(**given)
    if chunk.errors + chunk.nulls + chunk.failed_before > chunk.rows:
        raise ValueError
    return chunk


def _sizes_of(given: dict[str, Any]) -> Sizes:
    _require_counts(value for name, value in given.items() if (name, value) != PIPE)
    return Sizes(**given)


def _require_counts(given: Iterable[object]) -> None:
    """Refuse what counts neither rows nor bytes of a file."""
    for one in given:
        if not isinstance(one, int) or isinstance(one, bool) or not 0 <= one <= MAX_COUNT:
            raise TypeError

"""What a run has done, as lines of JSON beside its output.

A line is on the disk before anybody relies on it.  ``begin`` says what a file is made from,
``chunk`` up to where it is, ``table`` that its lines became one, ``done`` that it stands under
its name.  Who holds the manifest holds the output: another run is refused.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import IO, TYPE_CHECKING, Any, Self

from citemark.batch._disk import discard, sync_folder
from citemark.batch._faults import BatchFileError, reading, writing
from citemark.batch._strict import encode
from citemark.batch.run._lock import hold, is_named, locked
from citemark.batch.run._progress import (
    BEGIN,
    CHUNK,
    DONE,
    TABLE,
    Chunk,
    Progress,
    Sizes,
    is_line,
    take,
)

if TYPE_CHECKING:
    from pathlib import Path

    from citemark.batch.run._part import Mark

__all__ = ["Chunk", "Manifest", "Progress", "Sizes", "read_manifest"]


def read_manifest(path: Path, *, is_mended: bool = False) -> dict[str, Progress]:
    """Return what a manifest says of each output; nothing if there is none.

    Args:
        path: The file.
        is_mended: Whether lines that are damaged are passed over.

    Raises:
        BatchFileError: It is none, or damaged, or cannot be read.
    """
    known, damage, _ = _read(path)
    if damage is not None and not (is_mended and damage.fault == "changed"):
        raise damage
    return known


class Manifest:
    """The manifest of a run, locked: a context manager.

    Args:
        path: The file, which is made if need be.
        is_mended: Whether lines that are damaged are left out of it, if there are any.
    """

    def __init__(self, path: Path, *, is_mended: bool = False) -> None:
        """Nothing is opened yet."""
        self.path = path
        self.known: dict[str, Progress] = {}
        self._is_mended = is_mended

    def __enter__(self) -> Self:
        """Lock and read it; half a line at its end is of a run that was killed.

        Raises:
            BatchFileError: It cannot be written, or another run has it.
        """
        with writing(str(self.path)):
            self._file: IO[bytes] = self.path.open("a+b")
        try:
            self._begin()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Unlock it; what the disk had no room for is not tried again."""
        discard(self._file)

    def _begin(self) -> None:
        hold(self._file, str(self.path))
        if not is_named(self._file, self.path):  # who had it has mended it since it was opened
            raise locked(str(self.path))
        self.known, damage, lines = _read(self.path)
        if damage is not None:
            if not self._is_mended or damage.fault != "changed":
                raise damage
            self._mend(lines)
            return
        with writing(str(self.path)):
            self._file.truncate(sum(map(len, lines)))
            sync_folder(self.path.parent)

    def _mend(self, lines: list[bytes]) -> None:
        """Leave only whole lines, in a file that takes the place of the damaged one."""
        part = self.path.with_name(f".{self.path.name}.part")
        with writing(str(self.path)):
            part.unlink(missing_ok=True)
            mended = part.open("a+b")
            try:
                hold(mended, str(self.path))  # before anybody can see it
                mended.write(b"".join(lines))
                mended.flush()
                os.fsync(mended.fileno())
                part.replace(self.path)
                sync_folder(self.path.parent)
            except BaseException:
                discard(mended)
                raise
        discard(self._file)
        self._file = mended

    def begin(self, output: str, settings: dict[str, Any]) -> None:
        """Say that an output is made anew."""
        self._append({"event": BEGIN, "output": output, "settings": settings})

    def chunk(self, output: str, chunk: Chunk) -> None:
        """Say up to where an output is whole."""
        self._append({"event": CHUNK, "output": output, **asdict(chunk)})

    def table(self, output: str, mark: Mark) -> None:
        """Say what a table is known by that is made of lines, before it gets its name."""
        self._append({"event": TABLE, "output": output, **asdict(mark)})

    def done(self, output: str, sizes: Sizes) -> None:
        """Say that an output stands under its name."""
        self._append({"event": DONE, "output": output, **asdict(sizes)})

    def seen(self, output: str, sizes: Sizes) -> None:
        """Say what an output that stands under its name is known by, if that is new."""
        if sizes != self.known[output].sizes:
            self.done(output, sizes)

    def _append(self, line: dict[str, Any]) -> None:
        with writing(str(self.path)):
            self._file.write(encode(line) + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        take(self.known, line)


def _read(path: Path) -> tuple[dict[str, Progress], BatchFileError | None, list[bytes]]:
    """Return what a manifest says, why it is none or damaged, and its lines that are whole.

    The error is ``"changed"`` if it was a manifest once, else ``"format"``.
    """
    known: dict[str, Progress] = {}
    whole: list[tuple[str, bytes]] = []
    bad, was_one, doubtful = 0, False, set[str]()
    for number, data in enumerate(_lines_of(path), 1):
        line: Any = None
        try:
            line = json.loads(data)
            take(known, line)
            _require_certain(known, line, doubtful)
        except (ValueError, TypeError, KeyError, RecursionError):
            bad, doubtful = bad or number, {*known}
        else:
            whole.append((line["output"], data))
        was_one = was_one or is_line(line)
    damage = _damage(path, bad, was_one=was_one) if bad else None
    return known, damage, [data for output, data in whole if output in known]


def _require_certain(
    known: dict[str, Progress], line: dict[str, Any], doubtful: set[str]
) -> None:
    """Refuse what goes on after damage: who began it may stand in a line that is lost.

    Raises:
        KeyError: It does; nothing is known of its output any more.
    """
    if line["event"] == BEGIN:
        doubtful.discard(line["output"])
    elif line["output"] in doubtful:
        del known[line["output"]]
        raise KeyError


def _damage(path: Path, number: int, *, was_one: bool) -> BatchFileError:
    if was_one:
        reason = f"line {number} is damaged; --overwrite begins anew, without such lines"
        return BatchFileError(str(path), "changed", reason)
    reason = f"line {number} is none of a manifest; move the file away to begin anew"
    return BatchFileError(str(path), "format", reason)


def _lines_of(path: Path) -> list[bytes]:
    """Return the lines of a file that end; none if there is no file."""
    try:
        with reading(str(path)):
            data = path.read_bytes()
    except BatchFileError as error:
        if error.fault == "missing":
            return []
        raise
    return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)

"""Which files of a folder count, where that stands in a log.

A stream of Spark (``batch.spark.annotate_new``) names its whole files in ``_spark_metadata``.
What a killed batch left lies beside them, and nothing else tells them apart.  Seen in Spark
4.3: ``N`` for each batch, ``N.compact`` for all up to one; "v1", then a JSON object on a line.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from citemark.batch._faults import BatchFileError, reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["SparkLogs"]

LOG: Final = "_spark_metadata"
VERSION: Final = "v1"
COMPACT: Final = ".compact"

TABLES: Final = {"_delta_log": "Delta Lake", ".hoodie": "Hudi"}
"""Folders of other logs, which tell which files count, and which rows of them."""


class SparkLogs:
    """The logs of the folders that files are in, each read once.

    Args:
        folder: Its own is read at once: what is written while the files of it are looked up is
            not in it then, and none of them seems missing.

    Raises:
        BatchFileError: The log cannot be read, or is of a kind that is not known.
    """

    def __init__(self, folder: Path) -> None:
        """Read the log of the folder, if there is one."""
        self._nearest: dict[Path, _Log | None] = {}
        self._log_of(folder.absolute())

    def takes(self, file: Path) -> bool:
        """Whether a file counts: in a folder with a log, if the log names it.

        Raises:
            BatchFileError: A log cannot be read, or is of a kind that is not known.
        """
        log = self._log_of(file.absolute().parent)
        return log is None or log.takes(file)

    def require(self, name: str, file: Path) -> None:
        """Refuse a file that does not count.

        Raises:
            BatchFileError: It does not.
        """
        if not self.takes(file):
            reason = f"is no part of the output: {LOG} does not name it, as a batch was killed"
            raise BatchFileError(name, "format", reason)

    def require_all(self, folder: Path, is_read: Callable[[str], bool]) -> None:
        """Refuse a folder of which files are missing that its logs name.

        Args:
            folder: All files of it that can be read were asked for.
            is_read: Whether a file of a name can be read.

        Raises:
            BatchFileError: One is missing.
        """
        for log in {*filter(None, self._nearest.values())}:
            if log.folder.is_relative_to(folder.absolute()):
                log.require_all(is_read)

    def _log_of(self, folder: Path) -> _Log | None:
        """Return the log of a folder, or of the nearest one around it."""
        if folder not in self._nearest:
            found = _Log(folder) if _has_log(folder) else None
            if found is None and folder != folder.parent:
                found = self._log_of(folder.parent)
            self._nearest[folder] = found
        return self._nearest[folder]


class _Log:
    """The log of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._missing = {*_named(folder / LOG)}
        self._paths: dict[str, list[str]] = {}
        for path in self._missing:
            self._paths.setdefault(path.rpartition("/")[2], []).append(path)

    def takes(self, file: Path) -> bool:
        """Whether the log names a file: within the folder, which may have been moved."""
        inner = "/" + file.absolute().relative_to(self.folder).as_posix()
        found = [path for path in self._paths.get(file.name, ()) if path.endswith(inner)]
        self._missing.difference_update(found)
        return bool(found)

    def require_all(self, is_read: Callable[[str], bool]) -> None:
        for path in sorted(self._missing):
            name = path.rpartition("/")[2]
            if is_read(name):
                reason = f"{name}, which {LOG} names, is not there"
                raise BatchFileError(str(self.folder), "missing", reason)


def _has_log(folder: Path) -> bool:
    for name, kind in TABLES.items():
        if os.path.isdir(folder / name):  # noqa: PTH112  raises nothing
            reason = f"is a table of {kind}, whose log tells which rows count"
            raise BatchFileError(str(folder), "format", f"{reason}; read it with an engine")
    return os.path.isdir(folder / LOG)  # noqa: PTH112  as above


def _named(log: Path) -> Iterator[str]:
    """Yield the paths that a log names, as text without scheme or escapes."""
    deleted: set[str] = set()
    added: dict[str, None] = {}
    for file in _files(log):
        for path, action in _entries(file):
            if action == "delete":
                deleted.add(path)
            else:
                added[path] = None
    yield from (path for path in added if path not in deleted)


def _files(log: Path) -> Iterator[Path]:
    """Yield the files of a log: the last one of many batches, and those that came after it."""
    with reading(str(log)):
        names = {path.name for path in log.iterdir()}
    compact = [name.removesuffix(COMPACT) for name in names if name.endswith(COMPACT)]
    start = max((int(name) for name in compact if name.isdecimal()), default=-1)
    last = max((int(name) for name in names if name.isdecimal()), default=-1)
    if start >= 0:
        yield log / f"{start}{COMPACT}"
    for number in range(start + 1, last + 1):
        yield log / str(number)  # one that is missing is an error, as it is to Spark


def _entries(file: Path) -> Iterator[tuple[str, str]]:
    """Yield path and action of each line."""
    with reading(str(file)):
        head, *lines = file.read_bytes().splitlines() or [b""]
    if head.decode(errors="replace") != VERSION:
        reason = f"is no log of Spark that is known: it does not start with {VERSION}"
        raise BatchFileError(str(file), "format", reason)
    for number, line in enumerate(filter(None, lines), 2):
        try:
            entry = json.loads(line)
            yield unquote(entry["path"]), entry["action"]
        except (ValueError, TypeError, KeyError):
            reason = f"line {number} is no entry of a log of Spark"
            raise BatchFileError(str(file), "format", reason) from None

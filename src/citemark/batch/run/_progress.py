"""What lines of a manifest say: how far an output is, and what it is known by."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from citemark.batch.run._part import Mark

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["BEGIN", "CHUNK", "DONE", "TABLE", "Chunk", "Progress", "Sizes", "is_line", "take"]

BEGIN: Final = "begin"
CHUNK: Final = "chunk"
TABLE: Final = "table"
DONE: Final = "done"

MAX_COUNT: Final = (1 << 63) - 1
"""No file is greater."""

PIPE: Final = ("input_size", None)
"""What has no size."""

TEXTS: Final = {"digest", "output_digest", "rejects_digest"}


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
    """Bytes of the output; of the lines that it is made of, if it is a table made of lines."""

    output_digest: str = ""
    """Of these bytes."""

    rejects_bytes: int = 0
    """Bytes of the rejects."""

    rejects_digest: str = ""
    """Of these bytes."""

    is_last: bool = False
    """Whether the input ends here."""

    @property
    def output(self) -> Mark:
        """What the output is known by, up to here."""
        return Mark(self.output_bytes, self.output_digest)

    @property
    def rejects(self) -> Mark:
        """What the rejects are known by, up to here."""
        return Mark(self.rejects_bytes, self.rejects_digest)


@dataclass(frozen=True, slots=True)
class Sizes:
    """What files are known by as they are."""

    input_size: int | None
    """Bytes; None for a pipe."""

    output_size: int
    """Bytes."""

    output_digest: str

    output_time: int
    """When it was written, in ns: a file with this size and time is not read to know it."""

    def now(self, output: Path) -> Sizes | None:
        """Return what an output is known by as it is now; None if it is not what was made.

        A copy has another time, and is read: the next time it need not be.

        Raises:
            BatchFileError: It cannot be read.
        """
        found = output.stat()  # before it is read: what is written meanwhile has a later time
        if (found.st_size, found.st_mtime_ns) == (self.output_size, self.output_time):
            return self
        is_same = Mark(self.output_size, self.output_digest).is_of(output)
        return replace(self, output_time=max(0, found.st_mtime_ns)) if is_same else None


@dataclass(slots=True)
class Progress:
    """What a manifest says of one output."""

    settings: dict[str, Any]
    """What it is made from, and how."""

    chunk: Chunk | None = None
    """The last that is whole; None if there is none."""

    table: Mark | None = None
    """What a table that was made of lines is known by; None if none was made."""

    sizes: Sizes | None = None
    """Of its files; None until the output stands under its name."""

    @property
    def replaces(self) -> bool:
        """Whether it may be written over what was there when the run began."""
        return bool(self.settings.get("replaces"))


def is_line(line: Any) -> bool:  # noqa: ANN401  as it was read
    """Whether something is, or was before it was damaged, a line of a manifest."""
    return isinstance(line, dict) and {"event", "output"} <= {*line}


def take(known: dict[str, Progress], line: Any) -> None:  # noqa: ANN401  as it was read
    """Add what a line says.

    Raises:
        KeyError: It speaks of an output that no line began, or lacks something.
        TypeError: It is no object, or holds what no run writes.
        ValueError: Its counts cannot be.
    """
    if not isinstance(line, dict):
        raise TypeError
    given = {name: value for name, value in line.items() if name not in {"event", "output"}}
    event, output = line["event"], line["output"]
    if not isinstance(output, str) or event not in {BEGIN, CHUNK, TABLE, DONE}:
        raise TypeError
    if event == BEGIN:
        known[output] = Progress(_settings_of(given))
    elif event == CHUNK:
        known[output].chunk = _chunk_of(given)
    elif event == TABLE:
        known[output].table = _mark_of(given)
    else:
        known[output].sizes = _sizes_of(given)


def _settings_of(given: dict[str, Any]) -> dict[str, Any]:
    settings = given["settings"]
    if not isinstance(settings, dict) or not isinstance(settings.get("input", ""), str):
        raise TypeError
    return settings


def _chunk_of(given: dict[str, Any]) -> Chunk:
    _require_texts(given[name] for name in TEXTS)
    _require_counts(given[name] for name in {*given} - TEXTS - {"is_last"})
    if not isinstance(given["is_last"], bool):
        raise TypeError
    if {*given} != {one.name for one in fields(Chunk)}:
        raise KeyError
    chunk = Chunk(**given)
    if chunk.errors + chunk.nulls + chunk.failed_before > chunk.rows:
        raise ValueError
    return chunk


def _mark_of(given: dict[str, Any]) -> Mark:
    _require_texts([given["digest"]])
    _require_counts([given["size"]])
    return Mark(**given)


def _sizes_of(given: dict[str, Any]) -> Sizes:
    _require_texts([given["output_digest"]])
    counts = {name: value for name, value in given.items() if name != "output_digest"}
    _require_counts(value for name, value in counts.items() if (name, value) != PIPE)
    return Sizes(**given)


def _require_texts(given: Iterable[object]) -> None:
    if not all(isinstance(one, str) for one in given):
        raise TypeError


def _require_counts(given: Iterable[object]) -> None:
    """Refuse what counts neither rows nor bytes of a file."""
    for one in given:
        if not isinstance(one, int) or isinstance(one, bool) or not 0 <= one <= MAX_COUNT:
            raise TypeError

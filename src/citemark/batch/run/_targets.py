"""Which file becomes which: inputs, outputs, and what stands beside them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citemark.batch._faults import BatchFileError, reading, refuse_address
from citemark.batch.files import ENDINGS, STDIO, is_table, require_readable
from citemark.batch.run._beside import MANIFEST, REJECTS, has_rows, is_beside
from citemark.batch.run._places import check_places, is_below
from citemark.batch.run._spark_log import SparkLogs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Target", "Targets", "files_of", "find_targets"]

HIDDEN: Final = (".", "_")
"""Files and folders whose names begin so are not read, as engines have it; ours do."""


@dataclass(frozen=True, slots=True)
class Target:
    """One input and its output."""

    input: str
    """Name of the file, or ``-``."""

    output: str
    """Name of the file, or ``-``."""

    rejects: Path
    """Where rows that fail go: a table, if a table becomes one; else JSON Lines."""

    key: str
    """What the manifest calls the output."""

    @property
    def is_table(self) -> bool:
        """Whether a table becomes a table, so that columns keep their types."""
        return is_table(self.input) and is_table(self.output)

    @property
    def is_gathered(self) -> bool:
        """Whether a table is made of lines, when all of them are there."""
        return is_table(self.output) and not is_table(self.input)

    @property
    def part(self) -> Path:
        """Where the output is while it is made."""
        return _hidden(Path(self.output))

    @property
    def lines(self) -> Path:
        """Where rows go while they are made: lines that become a table are beside it."""
        return _hidden(Path(f"{self.output}.lines")) if self.is_gathered else self.part

    @property
    def rejects_part(self) -> Path:
        """Where the rejects are while they are made."""
        return _hidden(self.rejects)

    @property
    def lock(self) -> Path:
        """What is there while a run has the output."""
        return _hidden(Path(self.output), "lock")


@dataclass(frozen=True, slots=True)
class Targets:
    """All inputs of a run."""

    each: tuple[Target, ...]
    """In the order in which they are done."""

    manifest: Path | None
    """None if the output is stdout."""


def find_targets(inputs: Sequence[str], output: str, more: Sequence[str] = ()) -> Targets:
    """Return what becomes of inputs.

    Args:
        inputs: Files, folders, or ``-``.
        output: A file; a folder, if it is one, ends in a slash, or there is more than one input
            or a folder among them; or ``-``.
        more: Files that are read besides.

    Raises:
        BatchFileError: An input is missing, what is read would be written over, an ending is
            not known, or two inputs have one output.
    """
    refuse_address(output)
    files = [found for name in inputs for found in _given(name, output)]
    if not files:
        raise _empty(inputs[0])
    is_folder = output != STDIO and (
        len(inputs) > 1
        or output.endswith(("/", os.sep))
        or Path(output).is_dir()
        or any(name != STDIO and Path(name).is_dir() for name in inputs)
    )
    targets = _in_folder(files, Path(output)) if is_folder else _alone(files, output)
    check_places(targets.each, targets.manifest, more)
    return targets


def _given(name: str, output: str) -> Iterator[tuple[str, str]]:
    """Yield files of an input, see ``files_of``; an output folder in it is none of them."""
    files = files_of(name)
    if STDIO in {name, output} or not is_below(output, name):
        return files
    return (found for found in files if not is_below(found[0], output))


def files_of(name: str) -> Iterator[tuple[str, str]]:
    """Yield files of an input: name, and name within the output folder.

    Raises:
        BatchFileError: It cannot be read, or is what a killed batch of Spark left.
    """
    if name == STDIO:
        yield name, "stdin.jsonl"
        return
    refuse_address(name)
    path = Path(name)
    with reading(name):
        path.stat()
    is_folder = path.is_dir()
    logs = SparkLogs(path if is_folder else path.parent)
    if not is_folder:
        require_readable(name)
        logs.require(name, path)
        yield name, path.name
        return
    for found in sorted(path.rglob("*")):
        inner = found.relative_to(path)
        is_hidden = any(part.startswith(HIDDEN) for part in inner.parts)
        is_read = not is_hidden and found.is_file() and _is_known(found)
        if is_read and logs.takes(found):
            require_readable(str(found))
            yield str(found), str(inner)
    logs.require_all(path, lambda part: _is_known(Path(part)))


def _is_known(path: Path) -> bool:
    return has_rows(path) and not is_beside(path)


def _empty(name: str) -> BatchFileError:
    """Return why nothing of a folder is an input."""
    files = sorted(path for path in Path(name).rglob("*") if path.is_file())
    beside = [path for path in files if is_beside(path)]
    reason = f"holds no files of {', '.join(ENDINGS)}"
    if beside:
        reason += f", but rejects and manifests: name them, as {beside[0]}, to read them"
    return BatchFileError(name, "missing", reason)


def _alone(files: Sequence[tuple[str, str]], output: str) -> Targets:
    if output == STDIO:
        each = tuple(Target(name, STDIO, Path(), STDIO) for name, _ in files)
        return Targets(each, None)
    require_readable(output)
    path = Path(output)
    [(name, _)] = files
    both = is_table(name) and is_table(output)
    rejects = f"{path.name}.{REJECTS}{path.suffix if both else '.jsonl'}"
    target = Target(name, output, path.with_name(rejects), path.name)
    return Targets((target,), path.with_name(f"{path.name}.{MANIFEST}"))


def _in_folder(files: Sequence[tuple[str, str]], folder: Path) -> Targets:
    each = [
        Target(
            name,
            str(folder / inner),
            folder / f"_{REJECTS}" / (inner if is_table(inner) else f"{inner}.jsonl"),
            inner.replace(os.sep, "/"),
        )
        for name, inner in files
    ]
    return Targets(tuple(each), folder / f"_{MANIFEST}")


def _hidden(path: Path, ending: str = "part") -> Path:
    return path.with_name(f".{path.name}.{ending}")

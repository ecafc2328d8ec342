"""Runs over files, and how they end, that the tests of runs share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from batch_kit import jsonl, loaded

from citemark.batch._faults import BatchFileError
from citemark.batch.run import Run

if TYPE_CHECKING:
    from collections.abc import Mapping


def in_folder(folder: Path, monkeypatch: Any, files: Mapping[str, Any]) -> Path:
    """Write rows into a folder, in which the test is from then on."""
    monkeypatch.chdir(folder)
    for name, rows in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(jsonl(rows))
    return folder


def run(inputs: Any = ("in.jsonl",), output: Any = "out.jsonl", **more: Any) -> Run:
    """A run in this process, whose chunks are single batches."""
    return Run(inputs, output, **{"workers": 0, "chunk": 1, **more})


def fault(going: Run) -> tuple[str, str]:
    """What kind of fault a run ends with, and its message."""
    with pytest.raises(BatchFileError) as found:
        going.go()
    return found.value.fault, str(found.value)


def killed_after(batches: int, going: Run) -> None:
    """A run that ends after so many batches; it keeps the rows of them."""

    def report(tally: Any) -> None:
        if tally.rows >= 256 * batches:
            raise KeyboardInterrupt

    going.report = report
    with pytest.raises(KeyboardInterrupt):
        going.go()


def killed_before(monkeypatch: Any, name: str, going: Run, module: Any) -> None:
    """A run that ends before a step of it."""

    def die(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(module, name, die)
        with pytest.raises(KeyboardInterrupt):
            going.go()


def count(path: Any) -> int:
    """How many rows a file has."""
    return len(loaded(Path(path).read_bytes()))


def ids(path: Path) -> list[str]:
    """Those of a file."""
    return [one["id"] for one in loaded(path.read_bytes())]

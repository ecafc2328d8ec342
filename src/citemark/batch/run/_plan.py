"""What a run would do with each input: begin, go on, finish, leave as it is, do again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from citemark.batch._faults import BatchFileError
from citemark.batch.files import STDIO
from citemark.batch.run._inputs import change
from citemark.batch.run._manifest import Chunk

if TYPE_CHECKING:
    from citemark.batch.run._manifest import Progress, Sizes
    from citemark.batch.run._targets import Target

__all__ = ["Action", "Step", "plan_step"]

Action: TypeAlias = Literal["new", "resume", "finish", "skip", "again"]

NAMES: Final = {
    "input": "the input is another file",
    "options": "the options are others",
    "sources": "the sources changed",
    "version": "the version of citemark is another",
    "schema": "the version of the columns is another",
    "make": "the rows are made in another way",
    "where": "--where is another",
    "limit": "--limit is another",
}


@dataclass(frozen=True, slots=True)
class Step:
    """What is done with one input."""

    target: Target
    action: Action
    """``new``; ``resume``: go on from a chunk; ``finish``: it only lacks its name; ``skip``: it
    is whole, and the same; ``again``: it is whole, and something changed."""

    start: Chunk = Chunk()  # noqa: RUF009  frozen
    """Up to where it is there already."""

    reason: str = ""
    """Why it is done again."""


def plan_step(
    target: Target,
    known: Progress | None,
    settings: dict[str, Any],
    *,
    resume: bool,
    overwrite: bool,
) -> Step:
    """Return what is done with an input.

    Raises:
        BatchFileError: There is an output that would be lost, or one that cannot be gone on
            with since something changed.
    """
    if target.output == STDIO or overwrite:
        return Step(target, "new")
    if known is None or not resume:
        _require_free(target, known)
        return Step(target, "new")
    reason = _difference(known.settings, settings)
    if known.sizes is not None:
        reason = reason or _damage(target, known.sizes)
        read, size = known.chunk or Chunk(), known.sizes.input_size
        reason = reason or change(target, read, size, settings["limit"])
        return Step(target, "again", reason=reason) if reason else _kept(target, known, "skip")
    if known.chunk is None:
        return Step(target, "new")
    if reason:
        reason = f"{reason} since the run began; --overwrite begins anew"
        raise BatchFileError(target.output, "changed", reason)
    return _kept(target, known, "finish" if known.chunk.is_last else "resume")


def _kept(target: Target, known: Progress, action: Action) -> Step:
    return Step(target, action, known.chunk or Chunk())


def _require_free(target: Target, known: Progress | None) -> None:
    if known is not None and known.sizes is None and known.chunk is not None:
        reason = f"an unfinished run left {known.chunk.rows:,} rows; --resume goes on with it"
        raise BatchFileError(target.output, "exists", f"{reason}, --overwrite begins anew")
    if known is None and _has_bytes(target.lines):
        reason = "an unfinished run with another manifest left rows; --overwrite begins anew"
        raise BatchFileError(target.output, "exists", reason)
    again = "--resume leaves what is whole, " if known else ""
    for path in (Path(target.output), target.rejects):
        if os.path.lexists(path):
            what = "is there already" if path.exists() else "is a link to what is not there"
            reason = f"{what}; {again}--overwrite replaces it"
            raise BatchFileError(str(path), "exists", reason)


def _has_bytes(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _difference(then: dict[str, Any], now: dict[str, Any]) -> str:
    names = [name for name in NAMES if then.get(name) != now.get(name)]
    return NAMES[names[0]] if names else ""


def _damage(target: Target, sizes: Sizes) -> str:
    output = Path(target.output)
    if not output.exists():
        return "the output is gone"
    is_same = output.stat().st_size == sizes.output_size
    return "" if is_same else "the output was written to"

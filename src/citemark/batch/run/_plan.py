"""What a run would do with each input: begin, go on, finish, leave as it is, do again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from citemark.batch._faults import BatchFileError
from citemark.batch.files import STDIO
from citemark.batch.run._inputs import change
from citemark.batch.run._manifest import Chunk
from citemark.batch.run._outputs import require_free, require_made, require_whole
from citemark.batch.run._same import is_same_input

if TYPE_CHECKING:
    from citemark.batch.run._manifest import Progress, Sizes
    from citemark.batch.run._targets import Target

__all__ = ["Action", "Step", "plan_step", "require_place"]

Action: TypeAlias = Literal["new", "resume", "finish", "skip", "again"]

NAMES: Final = {
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

    replaces: bool = False
    """Whether it may be written over what is there."""

    resumes: bool = False
    """Whether an earlier run had begun it, and was to be gone on with."""

    sizes: Sizes | None = None
    """Of one that is left as it is: what it is known by from now on."""


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
        return Step(target, "new", replaces=overwrite)
    if known is None or not resume:
        require_free(target, known)
        return Step(target, "new")
    if known.sizes is not None:
        return _of_whole(target, known, known.sizes, settings)
    return _of_unfinished(target, known, settings)


def require_place(step: Step, known: Progress | None) -> None:
    """Refuse to write an output, once it is held, over what got its name since the plan.

    Raises:
        BatchFileError: Something got it.
    """
    if step.replaces and not step.resumes:
        return
    if step.action == "again" and known is not None:
        require_made(step.target, known)
    else:
        require_free(step.target, known, resume=step.resumes)


def _of_whole(target: Target, known: Progress, sizes: Sizes, settings: dict[str, Any]) -> Step:
    """Leave an output, or make it again in its place: if it is what was made of this input."""
    now = require_whole(target, sizes)
    read = known.chunk or Chunk()
    reason = _difference(known.settings, settings) or ("" if now else "the output is gone")
    reason = reason or change(target, read, settings["limit"], sizes)
    if not reason:
        return Step(target, "skip", read, sizes=now)
    if now and not is_same_input(target, known.settings):
        other = known.settings.get("input", "another file")
        reason = f"is made of {other}; name another output, or --overwrite replaces it"
        raise BatchFileError(target.output, "exists", reason)
    require_made(target, known)
    return Step(target, "again", reason=reason)


def _of_unfinished(target: Target, known: Progress, settings: dict[str, Any]) -> Step:
    if known.chunk is None:
        require_free(target, known, resume=True)
        return Step(target, "new", replaces=known.replaces, resumes=True)
    reason = _difference(known.settings, settings)
    if not is_same_input(target, known.settings, is_read=True):
        reason = "the input is another file"
    if reason:
        reason = f"{reason} since the run began; --overwrite begins anew"
        raise BatchFileError(target.output, "changed", reason)
    if not known.chunk.is_last:
        require_free(target, known, resume=True)
        return Step(target, "resume", known.chunk, replaces=known.replaces, resumes=True)
    if os.path.isfile(target.input):  # noqa: PTH113  of a pipe, what is read to tell is gone
        reason = change(target, known.chunk, settings["limit"])
    if reason:
        require_made(target, known)
        return Step(target, "again", reason=reason, replaces=known.replaces)
    return Step(target, "finish", known.chunk)


def _difference(then: dict[str, Any], now: dict[str, Any]) -> str:
    names = [name for name in NAMES if then.get(name) != now.get(name)]
    return NAMES[names[0]] if names else ""

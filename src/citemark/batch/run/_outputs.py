"""What stands under the name of an output, and whether a run may write over it.

This is asked when a run is planned, and again when it holds the output: hours may lie between.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from citemark.batch._faults import BatchFileError
from citemark.batch.run._beside import manifests_of
from citemark.batch.run._manifest import read_manifest
from citemark.errors import counted

if TYPE_CHECKING:
    from citemark.batch.run._progress import Progress, Sizes
    from citemark.batch.run._targets import Target

__all__ = ["require_free", "require_made", "require_whole"]


def require_free(target: Target, known: Progress | None, *, resume: bool = False) -> None:
    """Refuse to begin, or to go on with, an output whose name something else has.

    Args:
        target: Which.
        known: What the manifest says of it.
        resume: Whether the run goes on with what an unfinished one left.

    Raises:
        BatchFileError: Something has it.
    """
    _require_nothing_left(target, known, resume=resume)
    if resume and known is not None and known.replaces:
        return
    if resume:
        again = "was not there when the run began: move it away, or "
    else:
        again = "--resume leaves what is whole, " if known else ""
    for path in (Path(target.output), target.rejects):
        if os.path.lexists(path):
            what = "is there already" if path.exists() else "is a link to what is not there"
            reason = f"{what}; {again}--overwrite replaces it"
            raise BatchFileError(str(path), "exists", reason)


def _require_nothing_left(target: Target, known: Progress | None, *, resume: bool) -> None:
    """Refuse to begin anew what an unfinished run could go on with: this one, or another."""
    if known is not None and known.sizes is None and known.chunk is not None:
        if resume:
            return
        rows = counted(known.chunk.rows, "row")
        reason = f"an unfinished run left {rows}; --resume goes on with it"
        raise BatchFileError(target.output, "exists", f"{reason}, --overwrite begins anew")
    if known is not None and known.sizes is not None:
        _require_no_others(target, known)
    elif _has_bytes(target.lines) and (known is None or _is_of_others(target)):
        raise _of_others(target)


def _is_of_others(target: Target) -> bool:
    """Whether a part is what another manifest says; one that none knows was just begun."""
    for path, key in manifests_of(target.output):
        with suppress(BatchFileError):  # it is damaged, or none
            known = read_manifest(path, is_mended=True).get(key)
            left = known.chunk if known is not None and known.sizes is None else None
            if left is not None and left.output.begins(target.lines):
                return True
    return False


def require_whole(target: Target, sizes: Sizes) -> Sizes | None:
    """Return what an output that is whole is known by as it is now; None if it is gone.

    Args:
        target: Which.
        sizes: What it was known by.

    Raises:
        BatchFileError: Something else has its name by now.
    """
    output = Path(target.output)
    if not os.path.lexists(output):
        return None
    now = sizes.now(output) if output.exists() else None
    if now is None:
        raise _changed(output)
    return now


def require_made(target: Target, known: Progress) -> None:
    """Refuse to make an output again in whose place there is something else by now.

    Args:
        target: Which.
        known: What the manifest says of it.

    Raises:
        BatchFileError: It is not what was made; or its rejects are not, as if they were mended
            in their place.
    """
    if known.sizes is None and known.replaces:
        return
    output = Path(target.output)
    if os.path.lexists(output) and not _is_made(output, known):
        raise _changed(output)
    _require_rejects_made(target, known)
    _require_no_others(target, known)


def _require_rejects_made(target: Target, known: Progress) -> None:
    is_there = os.path.lexists(target.rejects)
    if is_there and not (known.chunk and known.chunk.rejects.is_of(target.rejects)):
        raise _changed(target.rejects)


def _require_no_others(target: Target, known: Progress) -> None:
    """Refuse to write over the part of another run: that of an output that is whole is gone."""
    is_there = known.sizes is not None and _has_bytes(target.lines)
    if is_there and not (known.chunk and known.chunk.output.is_of(target.lines)):
        raise _of_others(target)


def _of_others(target: Target) -> BatchFileError:
    reason = "an unfinished run with another manifest left rows; --overwrite begins anew"
    return BatchFileError(target.output, "exists", reason)


def _changed(path: Path) -> BatchFileError:
    if not path.exists():
        reason = "is a link to what is not there; --overwrite replaces it"
    else:
        reason = "was written to since it was made; move it away, then --resume makes it again"
        reason += ", or --overwrite replaces it"
    return BatchFileError(str(path), "exists", reason)


def _is_made(output: Path, known: Progress) -> bool:
    if not output.exists():
        return False
    if known.sizes is not None:
        return known.sizes.now(output) is not None
    if known.table is not None:
        return known.table.is_of(output)
    return known.chunk is not None and known.chunk.output.is_of(output)


def _has_bytes(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0

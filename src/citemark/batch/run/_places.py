"""What a run reads and what it writes: no file is both, and none is written twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from citemark.batch._faults import BatchFileError, reading
from citemark.batch.files import STDIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from citemark.batch.run._targets import Target

__all__ = ["check_places", "is_below"]


def check_places(targets: Sequence[Target], manifest: Path | None, more: Sequence[str]) -> None:
    """Refuse a run that would write over what it reads, or twice to one place.

    Args:
        targets: Inputs and outputs.
        manifest: Of the outputs; None if they go to stdout.
        more: Files that are read besides the inputs: the sources.

    Raises:
        BatchFileError: It would.
    """
    _refuse_twice(targets)
    if manifest is None:
        return
    read = {os.path.realpath(name): "is read for its sources" for name in more if name != STDIO}
    read |= {os.path.realpath(one.input): "is an input" for one in targets}
    written: dict[str, str] = {}
    for name, source in _written(targets, manifest):
        place = os.path.realpath(name)
        if place in read:
            beside = (
                "" if any(name == one.output for one in targets) else " and stands beside OUT"
            )
            raise BatchFileError(name, "exists", f"{read[place]}{beside}; name another output")
        if place in written:
            reason = f"would hold both {written[place]} and {source}"
            raise BatchFileError(name, "exists", reason)
        written[place] = source


def _refuse_twice(targets: Sequence[Target]) -> None:
    """Refuse an input that is given twice, by whatever names: its rows would be doubled."""
    seen: dict[object, str] = {}
    for target in targets:
        known = _identity(target.input)
        if known in seen:
            first, second = seen[known], target.input
            is_link = os.path.abspath(first) != os.path.abspath(second)  # noqa: PTH100  links
            what = f"is the same file as {first}" if is_link else "is named twice"
            raise BatchFileError(second, "exists", f"{what}; its rows would be doubled")
        seen[known] = target.input


def _identity(name: str) -> object:
    """Return what is the same for all links to a file, soft and hard ones."""
    if name == STDIO:
        return name
    with reading(name):
        found = os.stat(name)  # noqa: PTH116  follows links
    return found.st_dev, found.st_ino


def _written(targets: Sequence[Target], manifest: Path) -> Iterator[tuple[str, str]]:
    """Yield each file that is written, and what it is made of."""
    yield str(manifest), "the manifest"
    for one in targets:
        yield one.output, one.input
        places = {one.rejects, one.part, one.lines, one.rejects_part, one.lock}
        yield from ((str(place), one.input) for place in sorted(places))


def is_below(name: str, folder: str) -> bool:
    """Whether a file or folder stands in a folder, at whatever depth."""
    inner, outer = os.path.realpath(name), os.path.realpath(folder)
    return inner != outer and os.path.commonpath([inner, outer]) == outer

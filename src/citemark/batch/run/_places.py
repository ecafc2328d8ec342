"""What a run reads and what it writes: no file is both, and none is written twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from citemark.batch._faults import BatchFileError
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
    if manifest is None:
        _refuse_twice(targets)
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
    """Refuse an input that is named twice: its rows would be doubled."""
    seen: set[str] = set()
    for target in targets:
        place = os.path.abspath(target.input)  # noqa: PTH100  links have names of their own
        if place in seen:
            raise BatchFileError(
                target.input, "exists", "is named twice; its rows would be doubled"
            )
        seen.add(place)


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

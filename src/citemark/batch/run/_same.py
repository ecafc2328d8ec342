"""Whether an input is the one that an output is made of, by where it lies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citemark.batch.files import STDIO

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.batch.run._targets import Target

__all__ = ["is_same_input", "place_of"]


def place_of(target: Target) -> str:
    """Return where an input lies, seen from its output.

    It is the same however it is spelled and wherever the command is given, and after both were
    moved together, to another machine too.
    """
    if STDIO in {target.input, target.output}:
        return target.input
    name = os.path.abspath(target.input)  # noqa: PTH100  a link is named, not what it leads to
    try:
        return os.path.relpath(name, _folder(target))
    except ValueError:  # on another drive
        return name


def is_same_input(
    target: Target, settings: Mapping[str, Any], *, is_read: bool = False
) -> bool:
    """Whether an input is the file that stands in a manifest.

    Args:
        target: Input and output.
        settings: Of the output, as they stand there.
        is_read: Whether its content is compared too: then its name, as it is spelled, will do,
            as both may have been moved in different ways.
    """
    name, place = settings.get("input"), settings.get("place")
    if place_of(target) == place or target.input == STDIO == name:
        return True
    if name == target.input and (is_read or Path(name).is_absolute()):
        return True
    if not isinstance(place, str):
        return False
    known = os.path.normpath(os.path.join(_folder(target), place))  # noqa: PTH118  lexical
    return os.path.realpath(known) == os.path.realpath(target.input)


def _folder(target: Target) -> str:
    return os.path.dirname(os.path.abspath(target.output))  # noqa: PTH100, PTH120  as above

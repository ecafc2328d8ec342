"""Options that say how markers are read, for all commands that read some."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._io import BadInputError
from citemark.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.formats import FormatSet

__all__ = ["FORMATS", "formats_option", "lenient_option", "named_set", "read_formats"]

FORMATS: Final = "--formats"


def formats_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that chooses formats by the names of sets."""
    return click.option(
        FORMATS,
        metavar="NAMES",
        help="Sets of formats, joined: RAGFLOW, or DEFAULT,RAGFLOW.  An unknown name lists "
        "all.  [default: DEFAULT]",
    )(function)


def lenient_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that turns lenient look-up on."""
    return click.option(
        "--lenient",
        is_flag=True,
        help="Let case, dashes, file extensions and a wrong letter not count in keys.",
    )(function)


def read_formats(names: str | None) -> FormatSet:
    """Return the union of the sets that are named, in order; the default for None.

    Raises:
        BadInputError: There is no such set.
    """
    from citemark.formats import DEFAULT, FormatSet

    if names is None:
        return DEFAULT
    chosen = FormatSet()
    for name in re.split(r"[,|]", names):
        chosen |= named_set(name, FORMATS)
    return chosen


def named_set(name: str, option: str) -> FormatSet:
    """Return a set of formats by its name in ``citemark.formats``, in any case.

    Raises:
        BadInputError: There is no such set; the message lists those there are.
    """
    from citemark.formats import ALL, DEFAULT, DIALECTS, LENIENT, LOOSE

    sets = {"DEFAULT": DEFAULT, "LOOSE": LOOSE, "LENIENT": LENIENT, "ALL": ALL, **DIALECTS}
    written = name.strip()
    found = sets.get(written.upper().replace("-", "_"))
    if found is None:
        reason = f"no set of formats {shortened(written)!r}; known: {', '.join(sets)}"
        raise BadInputError(option, reason)
    return found

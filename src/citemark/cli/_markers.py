"""``citemark markers``: where a text cites, and in which format."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from citemark.cli._choice import formats_option, lenient_option, read_formats
from citemark.cli._file_names import FILE
from citemark.cli._io import STDIO, as_json, read_text, table, write_text
from citemark.cli._sources import read_sources

if TYPE_CHECKING:
    from citemark.formats import FormatSet
    from citemark.model import Marker

__all__ = ["markers"]

HEAD = ("start", "end", "format", "keys", "raw")


@click.command()
@click.argument("file", default=STDIO, metavar="[FILE]", type=FILE)
@click.option(
    "--sources",
    "-s",
    metavar="FILE",
    type=FILE,
    help="Records that may be cited: with them, forms like [policy.pdf] are found too.",
)
@formats_option
@lenient_option
@click.option("--json", "json_", is_flag=True, help="One JSON array instead of a table.")
def markers(
    *, file: str, sources: str | None, formats: str | None, lenient: bool, json_: bool
) -> None:
    """List the citation markers of FILE (- for stdin); offsets are code points, half-open."""
    if file == sources == STDIO:
        reason = "FILE and --sources cannot both be stdin; name a file for one of them"
        raise click.UsageError(reason)
    if lenient and sources is None:
        raise click.UsageError("--lenient needs --sources")
    found = _find(file, sources, read_formats(formats), lenient=lenient)
    if json_:
        write_text(as_json([asdict(marker) for marker in found]))
    else:
        write_text(table(HEAD, map(_row, found)))


def _find(file: str, sources: str | None, formats: FormatSet, *, lenient: bool) -> list[Marker]:
    from citemark.parser import find_markers

    known = None if sources is None else read_sources(sources, lenient=lenient)
    return find_markers(read_text(file), formats=formats, known=known)


def _row(marker: Marker) -> tuple[object, ...]:
    keys = ", ".join(marker.keys)
    return (marker.start, marker.end, marker.format, keys, marker.raw)

"""``citemark detect``: which dialects stored answers are written in."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from citemark.cli._file_names import FILE
from citemark.cli._io import STDIO, as_json, read_text, table, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["detect"]

HEAD: Final = ("dialect", "markers", "files")


class _Found(NamedTuple):
    """What was found of one dialect in all files."""

    dialect: str
    markers: int
    files: int


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...", type=FILE)
@click.option("--json", "json_", is_flag=True, help="One JSON array instead of a table.")
def detect(*, files: tuple[str, ...], json_: bool) -> None:
    """Count the markers that each dialect reads in FILEs, or in stdin.

    The dialect that reads most is first; of those that read as many, the narrowest.  The last
    column is the number of files in which it reads any.  --formats takes its name.
    """
    names = files or (STDIO,)
    if names.count(STDIO) > 1:
        raise click.UsageError("only one FILE can be stdin")
    found = _count(names)
    if json_:
        write_text(as_json([row._asdict() for row in found]))
    else:
        write_text(table(HEAD, found))


def _count(names: Iterable[str]) -> list[_Found]:
    from citemark.formats import DIALECTS
    from citemark.formats import detect as detected

    markers: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for name in names:
        counts = detected(read_text(name))
        markers.update(counts)
        files.update(counts.keys())
    found = [_Found(name, count, files[name]) for name, count in markers.items()]
    return sorted(found, key=lambda row: (-row.markers, len(DIALECTS[row.dialect])))

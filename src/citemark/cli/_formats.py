"""``citemark formats``: what is recognised by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._io import as_json, table, write_text

if TYPE_CHECKING:
    from citemark.formats import Format

__all__ = ["formats"]

HEAD: Final = ("name", "tier", "example", "about")


@click.command()
@click.option("--json", "json_", is_flag=True, help="One JSON array instead of a table.")
def formats(*, json_: bool) -> None:
    """List the marker formats that are on by default, with an example each."""
    from citemark.formats import DEFAULT

    if json_:
        write_text(as_json([_fields(row) for row in DEFAULT]))
    else:
        write_text(table(HEAD, (_row(row) for row in DEFAULT)))


def _row(row: Format) -> tuple[str, ...]:
    return (row.name, row.tier, row.example, " ".join(row.about.split()))


def _fields(row: Format) -> dict[str, Any]:
    names = ("name", "tier", "example", "opening", "pattern", "about")
    return {name: getattr(row, name) for name in names}

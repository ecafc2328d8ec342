"""``citemark formats``: what is recognised, by default or by choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._choice import named_set
from citemark.cli._io import as_json, table, write_text

if TYPE_CHECKING:
    from citemark.formats import Format, FormatSet

__all__ = ["formats"]

HEAD: Final = ("name", "tier", "base", "example", "about")

FIELDS: Final = (
    *("name", "tier", "base", "example", "opening", "pattern", "lookup"),
    *("covers", "silent", "note", "step", "who", "about"),
)
"""Of a row, as JSON."""


@click.command()
@click.option("--all", "all_", is_flag=True, help="All there are, not only the default ones.")
@click.option(
    "--dialect", metavar="NAME", help="Those of one set, such as RAGFLOW; see the docs."
)
@click.option("--json", "json_", is_flag=True, help="One JSON array instead of a table.")
def formats(*, all_: bool, dialect: str | None, json_: bool) -> None:
    """List the marker formats that are on by default, with an example each."""
    if all_ and dialect is not None:
        raise click.UsageError("--all and --dialect exclude each other")
    rows = _chosen(dialect, all_=all_)
    if json_:
        write_text(as_json([_fields(row) for row in rows]))
    else:
        write_text(table(HEAD, map(_row, rows)))


def _chosen(dialect: str | None, *, all_: bool) -> FormatSet:
    from citemark.formats import ALL, DEFAULT

    if dialect is not None:
        return named_set(dialect, "--dialect")
    return ALL if all_ else DEFAULT


def _row(row: Format) -> tuple[str, ...]:
    return (row.name, row.tier, _base(row), _visible(row.example), row.about)


def _base(row: Format) -> str:
    has_key = callable(row.keys) or "(?P<key>" in row.pattern
    if row.note or not has_key or "label" not in row.lookup:
        return "-"
    return "0/1" if row.base is None else str(row.base)


def _visible(example: str) -> str:
    """Show private-use characters unlike their spelling, which is a format of its own."""
    return "".join(c if c.isprintable() else f"‹U+{ord(c):04X}›" for c in example)


def _fields(row: Format) -> dict[str, Any]:
    from citemark.formats import DEFAULT, DIALECTS

    fields = {name: getattr(row, name) for name in FIELDS}
    fields["default"] = row in DEFAULT
    fields["dialects"] = [
        name for name, rows in DIALECTS.items() if row.name in {other.name for other in rows}
    ]
    return fields

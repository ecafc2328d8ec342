"""Plain style: a heading with the label in brackets, and the passage indented below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.context._rows import Row

__all__ = ["write"]

_OPENING_LABEL: Final = lazy_re(r"\s*+[\[［【]++\s*+([^\[\]［］【】]{1,200}+)[\]］】]++")
"""What a line starts with that may pass for the heading of a source."""

_BARE: Final = frozenset({"title", "url"})
"""Fields that tell by themselves what they are."""


def write(rows: Sequence[Row]) -> str:
    """Return the sources as headings and passages, with a blank line between them."""
    labels = frozenset(row.label.casefold() for row in rows)
    return "\n\n".join(_block(row, labels) for row in rows)


def _block(row: Row, labels: frozenset[str]) -> str:
    about = ", ".join(_field(name, str(value)) for name, value in row.fields)
    lines = [line for line in row.passage.split("\n") if line.strip()]
    passage = ["    " + _no_heading(line, labels) for line in lines]
    return "\n".join([f"[{row.label or '–'}] {about}".rstrip(), *passage])


def _field(name: str, value: str) -> str:
    if name in _BARE:
        return value
    return f"p. {value}" if name == "page" else f"{name}: {value}"


def _no_heading(line: str, labels: frozenset[str]) -> str:
    found = _OPENING_LABEL.match(line)
    if not found:
        return line
    label = found[1].strip()
    if not (label.isdigit() or label.casefold() in labels):
        return line
    return f"({label}){line[found.end() :]}"

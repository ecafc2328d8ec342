"""XML style: one element a source, well-formed whatever the sources hold (XML 1.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.context._rows import Row

__all__ = ["write"]

_ESCAPES: Final = str.maketrans(
    {
        "&": "&amp;",
        '"': "&quot;",
        **dict.fromkeys("<＜﹤", "&lt;"),
        **dict.fromkeys(">＞﹥", "&gt;"),
    }
)
"""With the signs that look like those of a tag to a model, though to no parser."""

_NO_NAME: Final = lazy_re(r"[^A-Za-z0-9_.-]|^(?![A-Za-z_])|^(?=[Xx][Mm][Ll])")
"""What the name of an attribute may not hold, or start with."""


def write(rows: Sequence[Row]) -> str:
    """Return the sources as elements of one; "" if there are none."""
    return "\n".join(["<sources>", *map(_block, rows), "</sources>"]) if rows else ""


def _block(row: Row) -> str:
    named = {"id": row.label} if row.label else {}
    for name, value in row.fields:
        named.setdefault(_attribute(name), str(value))
    attributes = "".join(f' {name}="{_escaped(value)}"' for name, value in named.items())
    lines = [f"<source{attributes}>", _escaped(row.passage), "</source>"]
    return "\n".join(filter(None, lines))


def _attribute(name: str) -> str:
    safe = _NO_NAME.sub("_", name)
    return "_id" if safe == "id" else safe


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)

"""The styles of the block, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from citemark.context import _json, _plain, _xml
from citemark.errors import CitemarkError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from citemark.context._rows import Row

    Write: TypeAlias = Callable[[Sequence[Row]], str]
    """Writes rows; "" if there are none."""

__all__ = ["Style", "writer"]

Style: TypeAlias = Literal["plain", "xml", "json"]
"""How the block is written: headings with indented passages, elements, or objects."""

_WRITERS: Final[dict[str, Write]] = {
    "plain": _plain.write,
    "xml": _xml.write,
    "json": _json.write,
}


def writer(style: Style) -> Write:
    """Return the function that writes a style.

    Raises:
        CitemarkError: There is no such style.
    """
    if style not in get_args(Style):
        message = f"style={style!r}: choose one of {', '.join(get_args(Style))}"
        raise CitemarkError(message)
    return _WRITERS[style]

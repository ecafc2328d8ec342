"""One row as it stands in a file, and why it, or a cell of it, cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark.errors import CitemarkError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["MAX_RECORD", "RecordError", "Unread", "as_text", "readable", "unread_in"]

MAX_RECORD: Final = 1 << 29
"""Bytes of a row that is read or made: a file without newlines is not read into memory."""


class RecordError(CitemarkError, ValueError):
    """A row that cannot be read."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What stands in a row for a cell that cannot be read; as JSON it is null."""

    reason: str


def unread_in(row: Mapping[str, Any], names: Iterable[str] | None = None) -> list[str]:
    """Return why cells of a row cannot be read, each with the name of its column.

    Args:
        row: Any.
        names: Columns that are looked at; all if None.
    """
    return [
        f"{name}: {value.reason}"
        for name, value in row.items()
        if type(value) is Unread and (names is None or name in names)
    ]


def readable(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with None for each cell that cannot be read."""
    return {name: None if type(one) is Unread else one for name, one in row.items()}


def as_text(data: bytes) -> str:
    """Return bytes as text.

    Raises:
        RecordError: They are no UTF-8.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        byte, place = data[error.start], error.start + 1
        raise RecordError(f"is not UTF-8: byte 0x{byte:02x} at byte {place}") from None

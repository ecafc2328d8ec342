"""One row as it stands in a file, and why it cannot be read."""

from __future__ import annotations

from citemark.errors import CitemarkError

__all__ = ["RecordError", "as_text"]


class RecordError(CitemarkError, ValueError):
    """A row that cannot be read."""


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

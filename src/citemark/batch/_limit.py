"""Rows that are made can be read again: none is longer than what is read of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.batch._columns import OUTPUT
from citemark.batch._forms import joined
from citemark.batch._record import MAX_RECORD
from citemark.batch._strict import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from citemark.answer import Answer

__all__ = ["fitting", "within_limit"]

KEPT: Final = ("id", "schema", "version", "options_digest", "content_digest", "error")
"""Columns that a row has whatever becomes of its answer."""

SEGMENT: Final = 64
"""Bytes of a segment as it is stored, at least."""

SHARE: Final = 8
"""A row that seems to have so little of what it may have is not measured: that takes time."""


def fitting(row: dict[str, Any], answer: Answer) -> dict[str, Any]:
    """Return a row; if it is too long, without what was made of its answer, and with an error.

    Args:
        row: As it was made.
        answer: That stands in it.
    """
    if SHARE * _about(row, answer) <= MAX_RECORD:
        return row
    size = len(encode(row)) + 1
    return row if size <= MAX_RECORD else _without_answer(row, size)


def within_limit(
    row: Mapping[str, Any], encoded: Callable[[Mapping[str, Any]], bytes]
) -> tuple[bytes, Mapping[str, Any]]:
    """Return a row as a record, and as it stands there; if it is too long, with less in it.

    Args:
        row: As it was made.
        encoded: Makes a record of a row.
    """
    data = encoded(row)
    if len(data) <= MAX_RECORD:
        return data, row
    short = _without_answer(row, len(data))
    data = encoded(short)
    if len(data) > MAX_RECORD:
        short = {name: short[name] if name in KEPT else None for name in row}
        data = encoded(short)
    return data, short


def _about(row: Mapping[str, Any], answer: Answer) -> int:
    texts = [len(source.text or "") for source in answer.sources]
    forms = [len(text) for text in (row["rendered"] or {}).values()]
    return len(answer.text) + SEGMENT * len(answer.segments) + sum(texts) + sum(forms)


def _without_answer(row: Mapping[str, Any], size: int) -> dict[str, Any]:
    reason = f"the row would have {size >> 20:,} MB; one may have {MAX_RECORD >> 20:,}"
    made = dict.fromkeys(name for name in OUTPUT if name not in KEPT)
    return {**row, **made, "error": joined([reason, *filter(None, [row["error"]])])}

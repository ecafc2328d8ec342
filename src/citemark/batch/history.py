"""Rows that were made before: rendered again from what is stored, or brought up to date.

Both take a row and return one, as ``annotate_row`` does, and never raise.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from citemark.answer import Answer
from citemark.batch._arguments import options_of, require_row
from citemark.batch._columns import OUTPUT
from citemark.batch._forms import described, joined, rendered_forms
from citemark.batch._limit import fitting
from citemark.batch._record import readable, unread_in
from citemark.batch._steps import STEPS, upgraded
from citemark.batch._stored_rows import COLUMNS, error_parts, stored_row
from citemark.batch.options import DIGEST_BYTES, BatchOptions
from citemark.batch.rows import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.batch.sources import SourcesTable

__all__ = ["STEPS", "answer_of", "rerender_row", "upgrade_row"]


def rerender_row(
    row: Mapping[str, Any],
    options: BatchOptions | None = None,
    table: SourcesTable | None = None,  # noqa: ARG001  as ``annotate_row``; none is needed
) -> dict[str, Any]:
    """Return a row of an output with its answer rendered again, without its sources.

    Args:
        row: Of an output of this version or an older one; nested columns may be JSON text.
        options: ``to`` says how, ``renderer_options`` with what options; if ``to`` is empty, in
            the forms that the row has, and those that failed.  All else stays as it was cited,
            with the errors of it.
        table: Not looked at.

    Raises:
        ArgumentTypeError: An argument is of another type.

    >>> from citemark.batch import annotate_row
    >>> row = annotate_row({"answer": "Ten days [1].", "sources": [{"id": "faq"}]})
    >>> rerender_row(row, BatchOptions(to=("text",)))["rendered"]["text"].splitlines()[0]
    'Ten days [1].'
    """
    require_row(row)
    options = options_of(options)
    try:
        found = upgraded(stored_row(row))
        if found["cited"] is None:
            return _with_unread(found, row)
        answer = Answer.from_dict(found["cited"])
        before = error_parts(found)
        failed = [name for name in before if name not in COLUMNS]
        names = options.to or dict.fromkeys([*(found["rendered"] or ()), *failed])
        errors: list[str] = []
        forms = rendered_forms(answer, names, options, found, errors)
    except Exception as error:  # noqa: BLE001  a bad row stays a row
        return _failed(row, error)
    made = hashlib.blake2b(digest_size=DIGEST_BYTES)
    made.update(f"{found['options_digest']} {options.digest}".encode(errors="replace"))
    found |= {"rendered": forms, "version": VERSION, "options_digest": made.hexdigest()}
    kept = [part for name, part in before.items() if name in COLUMNS and found[name] is None]
    found = fitting(found | {"error": joined([*kept, *errors])}, answer)
    return _with_unread(found, row)


def upgrade_row(
    row: Mapping[str, Any],
    options: BatchOptions | None = None,  # noqa: ARG001  as ``annotate_row``
    table: SourcesTable | None = None,  # noqa: ARG001  as ``annotate_row``
) -> dict[str, Any]:
    """Return a row of an output as one of the current schema, with nothing made again.

    Args:
        row: Of an output of this version or an older one; nested columns may be JSON text.
        options: Not looked at.
        table: Not looked at.

    Raises:
        ArgumentTypeError: It is no mapping.
    """
    require_row(row)
    try:
        found = upgraded(stored_row(row))
        if found["cited"] is not None:
            Answer.from_dict(found["cited"])
    except Exception as error:  # noqa: BLE001  a bad row stays a row
        return _failed(row, error)
    return _with_unread(found, row)


def answer_of(row: Mapping[str, Any]) -> Answer | None:
    """Return the answer of a row of an output; None if it has none.

    Args:
        row: Of this version or an older one; nested columns may be JSON text.

    Raises:
        RecordError: It is no row of an output, or of a newer version.
        StoredAnswerError: What is stored is no answer.
    """
    cited = upgraded(stored_row(row))["cited"]
    return None if cited is None else Answer.from_dict(cited)


def _with_unread(found: dict[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was made of a row, and say which cells of it cannot be read."""
    if not (unread := unread_in(row)):
        return found
    before = [found["error"]] if isinstance(found["error"], str) else []
    return found | {"error": joined([*unread, *before])}


def _failed(row: Mapping[str, Any], error: Exception) -> dict[str, Any]:
    """Return a row as it was, with what is wrong with it."""
    return dict.fromkeys(OUTPUT) | readable(row) | {"error": described(error)}

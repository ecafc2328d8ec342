"""Rows that were made before: rendered again from what is stored, or brought up to date.

Both take a row and return one, as ``annotate_row`` does, and never raise.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from citemark.answer import Answer
from citemark.batch._forms import described, joined, rendered_forms
from citemark.batch._steps import STEPS, upgraded
from citemark.batch._stored_rows import COLUMNS, error_parts, stored_row
from citemark.batch.options import DIGEST_BYTES, BatchOptions
from citemark.batch.rows import OUTPUT, VERSION

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

    >>> from citemark.batch import annotate_row
    >>> row = annotate_row({"answer": "Ten days [1].", "sources": [{"id": "faq"}]})
    >>> rerender_row(row, BatchOptions(to=("text",)))["rendered"]["text"].splitlines()[0]
    'Ten days [1].'
    """
    options = options or BatchOptions()
    try:
        found = upgraded(stored_row(row))
        if found["cited"] is None:
            return found
        answer = Answer.from_dict(found["cited"])
        before = error_parts(found)
        failed = [name for name in before if name not in COLUMNS]
        names = options.to or dict.fromkeys([*(found["rendered"] or ()), *failed])
        errors: list[str] = []
        forms = rendered_forms(answer, names, options, found, errors)
    except Exception as error:  # noqa: BLE001  a bad row stays a row
        return _failed(row, error)
    made = hashlib.blake2b(digest_size=DIGEST_BYTES)
    made.update(f"{found['options_digest']} {options.digest}".encode())
    found |= {"rendered": forms, "version": VERSION, "options_digest": made.hexdigest()}
    kept = [part for name, part in before.items() if name in COLUMNS and found[name] is None]
    return found | {"error": joined([*kept, *errors])}


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
    """
    try:
        found = upgraded(stored_row(row))
        if found["cited"] is not None:
            Answer.from_dict(found["cited"])
    except Exception as error:  # noqa: BLE001  a bad row stays a row
        return _failed(row, error)
    return found


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


def _failed(row: Mapping[str, Any], error: Exception) -> dict[str, Any]:
    """Return a row as it was, with what is wrong with it."""
    return dict.fromkeys(OUTPUT) | dict(row) | {"error": described(error)}

"""One row in, one row out: a stored answer with its sources becomes what a reader needs.

A row never raises and is never lost: what cannot be done stands in its ``error``.  ``OUTPUT``
names what comes out, in order; ``SCHEMA`` rises when the meaning of it changes.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from citemark import providers
from citemark.api import cite
from citemark.batch._arguments import options_of, require_row, table_of
from citemark.batch._columns import INPUT, OUTPUT, passed_names
from citemark.batch._figures import figures_of
from citemark.batch._forms import MAX_ERROR, described, joined, noted, rendered_forms
from citemark.batch._limit import fitting
from citemark.batch._record import Unread, readable, unread_in
from citemark.batch._strict import encode
from citemark.batch.options import DIGEST_BYTES, BatchOptionError, BatchOptions
from citemark.errors import TextTypeError, shortened
from citemark.model import CitationSegment, Issue

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.batch.sources import SourcesTable
    from citemark.sources import Sources

__all__ = [
    "INPUT",
    "OUTPUT",
    "SCHEMA",
    "VERSION",
    "annotate_row",
    "content_digest",
    "failed_row",
    "is_null",
    "passed_names",
    "text_of_id",
]

SCHEMA: Final = 2
"""Version of the columns."""

VERSION: Final = version("citemark")
"""Version of the library, which each row carries."""

MAX_EXACT: Final = 2**53
"""From here on a float is not the number that was meant."""


def annotate_row(
    row: Mapping[str, Any],
    options: BatchOptions | None = None,
    table: SourcesTable | None = None,
) -> dict[str, Any]:
    """Return what becomes of a row.

    Args:
        row: ``id``; ``answer``, a text, or the response of a provider as mapping or JSON text;
            ``sources``, see ``SourcesTable.for_row``; and, for this row alone, ``dialect``,
            ``provider``, ``request`` and ``options``.  Only ``answer`` must be there.
        options: Of the run.
        table: Sources that rows refer to, and those of rows that have none of their own.

    Raises:
        ArgumentTypeError: An argument is of another type; no column of a row ever raises.

    >>> row = {"id": 7, "answer": "Ten days [1].", "sources": [{"id": "faq"}], "team": "x"}
    >>> found = annotate_row(row)
    >>> found["id"], found["team"], found["citations"], found["error"]
    ('7', 'x', [{'number': 1, 'id': 'faq', 'count': 1}], None)
    """
    require_row(row)
    options, table = options_of(options), table_of(table)
    if unread := unread_in(row):
        return _made_in_part(row, options, table, unread)
    found = _begun(options)
    try:
        _pass_through(row, found)
        found["id"] = text_of_id(row.get("id"))
        found["content_digest"] = content_digest(row)
        if not is_null(row.get("answer")):
            answer = _annotate(row, _options_of(row, options), table, found)
            return fitting(found, answer)
    except TextTypeError as error:  # ``cite`` knows of no columns
        found["error"] = f"{type(error).__name__}: answer: {error}"
    except Exception as error:  # noqa: BLE001  a bad row stays a row
        found["error"] = described(error)
    return found


def _made_in_part(
    row: Mapping[str, Any],
    options: BatchOptions,
    table: SourcesTable,
    unread: list[str],
) -> dict[str, Any]:
    """Return what becomes of a row of which cells cannot be read, and say which.

    The answer is lost by those alone that are needed for it; its id is none of them.
    """
    if unread_in(row, INPUT[1:]):
        return failed_row(row, options, joined(unread) or "")
    found = annotate_row(readable(row), options, table)
    return found | {"error": joined([*unread, *filter(None, [found["error"]])])}


def content_digest(row: Mapping[str, Any]) -> str:
    """Return a digest of all that is read of a row but its id: it changes when they do.

    What a row refers to in a table of sources is not in it: see ``SourcesTable.digest``.
    """
    read = {name: row[name] for name in INPUT[1:] if not is_null(row.get(name))}
    return hashlib.blake2b(encode(read, sort_keys=True), digest_size=DIGEST_BYTES).hexdigest()


def is_null(value: object) -> bool:
    """Whether a cell is empty: None, or NaN as tables have it; or cannot be read."""
    if value is None or type(value) is Unread:
        return True
    return isinstance(value, float) and value != value  # noqa: PLR0124  NaN


def _annotate(
    row: Mapping[str, Any], options: BatchOptions, table: SourcesTable, found: dict[str, Any]
) -> Answer:
    """Fill the columns that an answer gives.  An error in one of them loses no other."""
    known = None if options.provider else table.for_row(row.get("sources"), options)
    answer = _answer_of(row, options, known)
    found |= {
        "cited": answer.to_dict(),
        "citations": _citations(answer),
        "unresolved": list(answer.unresolved),
        "issues": [
            {name: getattr(issue, name) for name in Issue.__slots__} for issue in answer.issues
        ],
        "formats": _formats(answer),
    }
    errors: list[str] = []
    if options.check:
        with noted(errors, "checks"):
            found["checks"] = figures_of(answer, known)
    found["rendered"] = rendered_forms(answer, options.to, options, found, errors)
    found["error"] = joined(errors)
    return answer


def _answer_of(row: Mapping[str, Any], options: BatchOptions, known: Sources | None) -> Answer:
    if known is not None:
        return cite(
            row["answer"],
            known,
            formats=options.formats,
            unresolved=options.unresolved,
            source_list=options.source_list,
            group_by=options.group_by,
            consulted=options.consulted,
        )
    response, request = _json_of(row["answer"]), _json_of(row.get("request"))
    if options.provider == "auto":
        return providers.parse(response, request=request)
    return providers.adapter(options.provider or "").parse(response, request=request)


def _options_of(row: Mapping[str, Any], options: BatchOptions) -> BatchOptions:
    asked = _asked(row.get("options"))
    for name in ("dialect", "provider"):
        if not is_null(row.get(name)):
            asked[name] = row[name]
    return options.with_row(asked) if asked else options


def _asked(given: object) -> dict[str, Any]:
    """Return the options that a cell holds.

    Raises:
        BatchOptionError: It holds no object.
    """
    if is_null(given):
        return {}
    try:
        found = _json_of(given)
    except ValueError as error:
        raise BatchOptionError("options", f"no JSON ({error})") from None
    if is_null(found):
        return {}
    if not isinstance(found, Mapping):
        raise BatchOptionError("options", f"expected an object, not {shortened(repr(found))}")
    return dict(found)


def _citations(answer: Answer) -> list[dict[str, Any]]:
    """Return number, id and uses of each cited source, in order of number."""
    uses = Counter(
        (citation.number, citation.source.id)
        for citation in answer.citations
        if citation.source is not None and citation.number is not None
    )
    in_order = sorted(uses.items(), key=lambda used: used[0][0])  # of first use, if grouped
    return [{"number": number, "id": id_, "count": count} for (number, id_), count in in_order]


def _formats(answer: Answer) -> dict[str, int]:
    """Return how often each format of markers was met."""
    return dict(
        sorted(
            Counter(
                segment.marker.format
                for segment in answer.segments
                if isinstance(segment, CitationSegment) and segment.marker.keys
            ).items()
        )
    )


def failed_row(row: Mapping[str, Any], options: BatchOptions, reason: str) -> dict[str, Any]:
    """Return what becomes of a row that cannot be read, or that ended who read it."""
    found = _begun(options)
    row = readable(row)
    _pass_through(row, found)
    found["id"] = text_of_id(row.get("id"))
    found["error"] = reason[:MAX_ERROR]
    return found


def _begun(options: BatchOptions) -> dict[str, Any]:
    found: dict[str, Any] = dict.fromkeys(OUTPUT)
    return found | {"schema": SCHEMA, "version": VERSION, "options_digest": options.digest}


def _pass_through(row: Mapping[str, Any], found: dict[str, Any]) -> None:
    found |= {free: row[name] for free, name in passed_names(row).items()}


def text_of_id(value: object) -> str | None:
    """Return an id as text: tables make 7 a 7.0 if a cell of the column is empty."""
    if is_null(value):
        return None
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < MAX_EXACT
    return str(int(value)) if is_whole else str(value)  # type: ignore[call-overload]


def _json_of(value: Any) -> Any:  # noqa: ANN401  responses are anything
    """Return what JSON text holds, and all else as it is."""
    return json.loads(value) if isinstance(value, str) else value

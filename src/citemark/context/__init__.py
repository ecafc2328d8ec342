"""The block of sources that goes into a prompt, with the labels that answers use.

What a passage says can end no block, begin none, and name no source: see ``docs/prompt.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark.context._fields import DEFAULT_FIELDS, read_fields
from citemark.context._fit import Context, Count, fit
from citemark.context._rows import rows_of
from citemark.context._styles import Style, writer
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.model import Source

__all__ = ["Context", "Count", "Style", "build_context", "fit_context"]


def build_context(
    sources: Sources | Iterable[Source | Mapping[str, Any]],
    *,
    style: Style = "plain",
    fields: Iterable[str] = DEFAULT_FIELDS,
) -> str:
    """Return all sources as a block for the prompt; "" if there are none.

    Each source is shown with its label, what ``fields`` names, and its passage.  Nothing in a
    passage can pass for another source, and no citation in it names one: ``[2]`` in a passage
    becomes ``(2)`` if there is a source 2.  Characters that nobody sees are left out.

    Args:
        sources: What may be cited.  The same object resolves the answer.
        style: ``"plain"``, ``"xml"`` or ``"json"`` (one object a line).
        fields: What is shown of each: names of the fields of ``Source``, or of its metadata,
            such as ``"date"``.  What a source lacks is left out.

    Raises:
        CitemarkError: ``style`` or ``fields`` has a value that cannot be used.
        SourceError: The sources cannot be used: see ``Sources``.

    >>> print(build_context([{"id": "pol-12", "title": "Refunds", "text": "[1] Five days."}]))
    [1] Refunds
        (1) Five days.
    """
    write, names = writer(style), read_fields(fields)
    return write(rows_of(Sources.of(sources), names))


def fit_context(
    sources: Sources | Iterable[Source | Mapping[str, Any]],
    *,
    budget: int,
    count: Count = len,
    style: Style = "plain",
    fields: Iterable[str] = DEFAULT_FIELDS,
) -> Context:
    """Return as much of the sources as a budget allows, from the first one on.

    The passage of the last source shown is cut at the end of a word; those after it are left
    out.  Resolve the answer with ``sources`` of the result: what was not in the prompt cannot
    be cited, and what was has the label it would have had in any case.

    Args:
        sources: What may be cited, the most important first.
        budget: Most that the block may measure, from 0.
        count: How a text is measured: code points by default, or the tokens of your model.
            It is called with whole blocks, some twenty times.
        style: See ``build_context``.
        fields: See ``build_context``.

    Raises:
        BudgetError: Not even the start of the first source fits.
        CitemarkError: An option has a value that cannot be used.
        SourceError: The sources cannot be used: see ``Sources``.

    >>> found = [{"id": "a", "text": "Refunds take five working days."}, {"id": "b"}]
    >>> context = fit_context(found, budget=30)
    >>> print(context)
    [1] a
        Refunds take five …
    >>> len(context.sources), [source.id for source in context.left_out]
    (1, ['b'])
    """
    write, names = writer(style), read_fields(fields)
    sources = Sources.of(sources)
    return fit(sources, rows_of(sources, names), write, budget, count)

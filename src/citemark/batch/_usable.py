"""Options by which every row would fail: refused before a row is made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from citemark.batch.options import BatchOptionError
from citemark.batch.rows import annotate_row
from citemark.errors import UnknownRendererError
from citemark.renderers import renderer_names

if TYPE_CHECKING:
    from citemark.batch.options import BatchOptions

__all__ = ["require_usable"]

ROW: Final[dict[str, Any]] = {"answer": "A claim [1].", "sources": [{"id": "a"}]}
"""A row that is well."""


def require_usable(options: BatchOptions) -> None:
    """Refuse options by which every row would fail, and those of a renderer that there is not.

    Raises:
        BatchOptionError: They are such.
    """
    for name in options.renderer_options:  # some may be for what each row has
        if name not in renderer_names():
            unknown = UnknownRendererError(name, renderer_names())
            raise BatchOptionError("renderer_options", str(unknown))
    to = (*options.to, *options.renderer_options)
    error = annotate_row(ROW, replace(options, provider=None, to=to))["error"]
    if error is not None:
        raise BatchOptionError("to", error)

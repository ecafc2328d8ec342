"""Keep docstrings of attributes as they are written.

Napoleon takes what is before the first colon of such a docstring for a type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

KINDS: Final = {"attribute", "data", "property"}

BEFORE_NAPOLEON: Final = 400
AFTER_NAPOLEON: Final = 600


def setup(app: Sphinx) -> dict[str, Any]:
    """Copy the lines before Napoleon sees them, and put them back after it."""
    written: dict[str, list[str]] = {}

    def keep(*event: Any) -> None:  # noqa: ANN401  arguments of the event
        _, kind, name, _, _, lines = event
        if kind in KINDS:
            written[name] = list(lines)

    def restore(*event: Any) -> None:  # noqa: ANN401  arguments of the event
        _, _, name, _, _, lines = event
        lines[:] = written.pop(name, lines)

    app.connect("autodoc-process-docstring", keep, priority=BEFORE_NAPOLEON)
    app.connect("autodoc-process-docstring", restore, priority=AFTER_NAPOLEON)
    return {"parallel_read_safe": True}

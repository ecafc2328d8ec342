"""Where the Jinja templates are, and the environment that renders them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment, Template

__all__ = ["SEARCH_PATH", "environment", "is_ours"]

_PACKAGE: Final = Path(__file__).resolve().parent

SEARCH_PATH: Final = (_PACKAGE / "templates", _PACKAGE.parents[1] / "templates")
"""In a wheel the templates are package data; in a checkout they are a top-level folder."""

OURS: Final = "citemark"
"""Folder under which our own templates stay known to those that replace them."""


@lru_cache(maxsize=16)
def environment(loader: BaseLoader | None = None) -> Environment:
    """Return the environment, which escapes everything, whatever a template is called.

    Templates are compiled once and may be rendered by several threads.  A name that is not
    given to a template is an error, never an empty string.

    Args:
        loader: Of templates that take the place of ours with the same name.  Ours are known
            to them as ``citemark/html/...`` too.
    """
    from jinja2 import (  # noqa: PLC0415  60 ms that `import citemark` need not take
        ChoiceLoader,
        Environment,
        FileSystemLoader,
        PrefixLoader,
        StrictUndefined,
    )

    ours: BaseLoader = FileSystemLoader(SEARCH_PATH)
    if loader is not None:
        ours = ChoiceLoader([loader, ours, PrefixLoader({OURS: ours})])
    return Environment(
        loader=ours,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def is_ours(template: Template) -> bool:
    """Tell whether a template is one of this package's files."""
    path = Path(template.filename or "")
    return any(folder in path.parents for folder in SEARCH_PATH)

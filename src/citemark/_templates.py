"""Where the Jinja templates are, and the environment that renders them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["SEARCH_PATH", "environment"]

_PACKAGE: Final = Path(__file__).resolve().parent

SEARCH_PATH: Final = (_PACKAGE / "templates", _PACKAGE.parents[1] / "templates")
"""In a wheel the templates are package data; in a checkout they are a top-level folder."""


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the one environment, which escapes everything, whatever a template is called.

    Templates are compiled once and may be rendered by several threads.  A name that is not
    given to a template is an error, never an empty string.
    """
    from jinja2 import (  # noqa: PLC0415  60 ms that `import citemark` need not take
        Environment,
        FileSystemLoader,
        StrictUndefined,
    )

    return Environment(
        loader=FileSystemLoader(SEARCH_PATH),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )

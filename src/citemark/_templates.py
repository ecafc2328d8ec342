"""Where the Jinja templates are, and the environment that renders them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment

__all__ = ["SEARCH_PATH", "ByIdentity", "environment"]

_PACKAGE: Final = Path(__file__).resolve().parent

SEARCH_PATH: Final = (_PACKAGE / "templates", _PACKAGE.parents[1] / "templates")
"""In a wheel the templates are package data; in a checkout they are a top-level folder."""


class ByIdentity:
    """A loader as the key of a cache: it may have no hash, or be equal to another."""

    __slots__ = ("loader",)

    def __init__(self, loader: BaseLoader) -> None:
        """Keep the loader, so that its identity stays its own."""
        self.loader = loader

    def __eq__(self, other: object) -> bool:
        """Tell whether it is the very same loader."""
        return isinstance(other, ByIdentity) and self.loader is other.loader

    def __hash__(self) -> int:
        """Return a hash for the identity."""
        return id(self.loader)


def environment(loader: BaseLoader | None = None) -> Environment:
    """Return the environment, which escapes everything, whatever a template is called.

    Templates are compiled once and may be rendered by several threads.  A name that is not
    given to a template is an error, never an empty string.

    Args:
        loader: Of templates that take the place of ours with the same name.  Ours are known
            to them as ``citemark/html/...`` too.  One that is changed is compiled again.
    """
    return _environment(None if loader is None else ByIdentity(loader))


@lru_cache(maxsize=16)
def _environment(key: ByIdentity | None) -> Environment:
    from jinja2 import (  # noqa: PLC0415  60 ms that `import citemark` need not take
        Environment,
        FileSystemLoader,
        StrictUndefined,
    )

    from citemark._template_loaders import own_first  # noqa: PLC0415  as above

    return Environment(
        loader=own_first(key.loader, SEARCH_PATH) if key else FileSystemLoader(SEARCH_PATH),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=key is not None,  # ours never change
    )

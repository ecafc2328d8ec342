"""Loaders of templates that take the place of ours; imported when Jinja is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jinja2 import BaseLoader, ChoiceLoader, FileSystemLoader, PrefixLoader

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence
    from pathlib import Path

    from jinja2 import Environment, Template

__all__ = ["OWN", "Own", "own_first"]

OURS: Final = "citemark"
"""Folder under which our own templates stay known to those that replace them."""

OWN: Final = "\0own/"
"""Before the name of a template that is only looked for among those of the caller.

No file can have that name: a folder ``own`` of the caller is none of ours.
Jinja keeps what it has found, and looks again for what it has not: one that is added later is
found, which it would not be if ours had been found instead of it.
"""


class Own(ChoiceLoader):
    """Templates of the caller, then ours."""

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002  as in the base class
    ) -> Template:
        """Return a template, from the caller's loader alone if its name says so."""
        if name.startswith(OWN):
            return self.loaders[0].load(environment, name.removeprefix(OWN), globals)
        return super().load(environment, name, globals)


def own_first(loader: BaseLoader, folders: Sequence[Path]) -> BaseLoader:
    """Return the loader for templates of a caller that come before ours."""
    ours = FileSystemLoader(folders)
    return Own([loader, ours, PrefixLoader({OURS: ours})])

"""The table of providers, made from their adapters; see ``provider-table``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.providers import PROVIDERS, adapter

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["provider_table"]

HEAD: Final = (
    "Provider",
    "Citations arrive in",
    "When",
    "What offsets count",
    "What citemark does",
)


def provider_table() -> str:
    """Return the table as Markdown, in alphabetical order of the modules.

    Each row leads to the example of its provider.
    """
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield f"| {' | '.join(HEAD)} |"
    yield f"|{'---|' * len(HEAD)}"
    for name in sorted(PROVIDERS):
        title, *rest = adapter(name).DOC
        link = f"[`citemark.providers.{name}`](provider_examples.md#{name})"
        cells = [f"**{title}** <br> {link}", *rest]
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

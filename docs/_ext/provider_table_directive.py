"""The Sphinx directive ``provider-table``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from provider_table import provider_table
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


class ProviderTable(SphinxDirective):
    """Put the table of providers here."""

    def run(self) -> list[nodes.Node]:
        """Return the table, read as the Markdown that the page is written in."""
        return self.parse_text_to_nodes(provider_table())


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("provider-table", ProviderTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The Sphinx directive ``format-table``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from format_table import format_table
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


class FormatTable(SphinxDirective):
    """Put the table of marker formats here."""

    def run(self) -> list[nodes.Node]:
        """Return the table, read as the Markdown that the page is written in."""
        return self.parse_text_to_nodes(format_table())


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("format-table", FormatTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The Sphinx directives ``format-table`` and ``dialect-table``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from format_table import TABLES
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


class FormatTable(SphinxDirective):
    """Put a table of marker formats here: those of a section, or of a dialect."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table, read as the Markdown that the page is written in."""
        return self.parse_text_to_nodes(TABLES[self.name](self.arguments[0]))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives, and the style of tables."""
    app.config.html_static_path.append(str(Path(__file__).parent / "static"))
    app.add_css_file("tables.css")
    for name in TABLES:
        app.add_directive(name, FormatTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

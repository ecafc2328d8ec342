"""The table of marker formats, made from the rows of the grammar.

In the docs it is the directive ``format-table``.  In the README it stands between two comments;
``python docs/_ext/format_table.py`` writes it there, and a test says when that is due.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citemark.formats import DEFAULT, Format

if TYPE_CHECKING:
    from collections.abc import Iterable

README: Final = Path(__file__).parents[2] / "README.md"

BEGIN: Final = "<!-- formats -->"
END: Final = "<!-- /formats -->"

HEAD: Final = ("Written", "Format", "Tier", "Key is compared with", "Notes")


def format_table(formats: Iterable[Format] = DEFAULT) -> str:
    """Return a Markdown table, one row a format, in order of precedence."""
    rows = [HEAD, tuple("---" for _ in HEAD), *map(_cells, formats)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows) + "\n"


def readme_with_table(text: str) -> str:
    """Return the README with the table of now between its two comments."""
    pattern = re.compile(rf"(?<={BEGIN}\n).*?(?={END})", re.DOTALL)
    return pattern.sub(lambda _: f"\n{format_table()}\n", text)


def _cells(row: Format) -> tuple[str, ...]:
    about = " ".join(row.about.split())
    cells = (f"`{row.example}`", f"`{row.name}`", row.tier, ", ".join(row.lookup), about)
    return tuple(cell.replace("|", r"\|") for cell in cells)


if __name__ == "__main__":
    README.write_text(readme_with_table(README.read_text("utf-8")), "utf-8")

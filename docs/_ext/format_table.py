"""Tables of marker formats, made from the rows of the catalogue.

In the docs they are the directives ``format-table`` and ``dialect-table``.  In the README a
short one stands between two comments; ``python docs/_ext/format_table.py`` writes it there, and
a test says when that is due.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citemark.formats import ALL, DEFAULT, DIALECTS, OPENAI, Format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

README: Final = Path(__file__).parents[2] / "README.md"

BEGIN: Final = "<!-- formats -->"
END: Final = "<!-- /formats -->"

SECTIONS: Final = (
    *("brackets", "links", "tags", "openai", "other"),
    *("loose", "lenient", "remarks"),
)
"""Parts of the table of all: the default formats by look, then others, then what is none."""

COMMON: Final = (
    *("number", "number_page", "wide", "footnote", "double", "double_link", "link"),
    *("paren_link", "named_number", "tagged", "double_tagged", "title", "angle", "known"),
    *("parenthesised", "id_number", "dagger", "private", "stripped", "co", "cite_attribute"),
    "empty_tag",
)
"""Rows of the short table, in its order."""

NONE: Final = "–"

_LINK: Final = re.compile(r"[\]】][({]|://[^ ]+[)\]}]\Z")


def format_table(section: str) -> str:
    """Return the table of the formats of a section, in order of precedence."""
    head = ("Written, and its name", "Tier and key", "Who writes it")
    rows = [row for row in ALL if section_of(row) == section]
    return _table(head, map(_cells, rows))


def dialect_table(dialect: str) -> str:
    """Return the table of the formats of a dialect."""
    head = ("Written, and its name", "Key", "On by default")
    return _table(head, ((_named(row), key(row), default(row)) for row in DIALECTS[dialect]))


def readme_table() -> str:
    """Return the sentence that says how many formats there are, and the common ones."""
    read = [row for row in ALL if not row.note]
    on = sum(row in DEFAULT for row in read)
    rows = {row.name: row for row in read}
    table = _table(
        ("Written", "Format", "Who writes it", "Notes"),
        (
            (code(row.example), code(row.name), _prose(row.who), _prose(row.about))
            for row in map(rows.__getitem__, COMMON)
        ),
    )
    return (
        f"There are {len(read)} formats, and {on} of them are on by default. Here are "
        f"{len(COMMON)}.\n\n{table}"
    )


def readme_with_table(text: str) -> str:
    """Return the README with the table of now between its two comments."""
    pattern = re.compile(rf"(?<={BEGIN}\n).*?(?={END})", re.DOTALL)
    return pattern.sub(lambda _: f"\n{readme_table()}\n", text)


def section_of(row: Format) -> str:
    """Return the part of the table of all that a row is in."""
    if row.note or row.step:
        return "remarks" if row.note else "lenient"
    if row not in DEFAULT:
        return "loose"
    if row in OPENAI and "://" not in row.example:
        return "openai"
    if _LINK.search(row.example):
        return "links"
    return {"[": "brackets", "【": "brackets", "<": "tags"}.get(row.example[0], "other")


def base(row: Format) -> str:
    """Return what the numbers of a row count from, if its keys may be numbers."""
    if compared(row) == NONE or "label" not in row.lookup:
        return NONE
    return "0 or 1" if row.base is None else str(row.base)


def key(row: Format) -> str:
    """Return what the keys of a row are compared with, and what their numbers count from."""
    return (
        compared(row)
        if base(row) == NONE
        else f"{compared(row)}, from\N{NO-BREAK SPACE}{base(row)}"
    )


def compared(row: Format) -> str:
    """Return what the keys of a row are compared with, if it has any."""
    has_keys = callable(row.keys) or "(?P<key>" in row.pattern
    return ", ".join(row.lookup) if has_keys and not row.note else NONE


def default(row: Format) -> str:
    """Return whether a row of a dialect is on by default, and how if not in the same way."""
    known = {other.name: other for other in DEFAULT}.get(row.name)
    if known is None:
        return "no"
    if known.tier != row.tier:
        return f"yes, as {known.tier}"
    return "yes" if base(known) == base(row) else f"yes, from {base(known)}"


def dialects_of(row: Format) -> list[str]:
    """Return the names of the dialects that hold a row."""
    return [
        name for name, rows in DIALECTS.items() if row.name in {other.name for other in rows}
    ]


def code(text: str) -> str:
    r"""Return a code span for a cell of a table; what cannot be seen is spelled.

    >>> print(code("a|b"), code("`a`"), code(chr(0xE200)))
    `a\|b` `` `a` `` `‹U+E200›`
    """
    seen = "".join(c if c.isprintable() else f"‹U+{ord(c):04X}›" for c in text)
    longest = max(map(len, re.findall("`+", seen)), default=0)
    blank = " " if seen.startswith("`") or seen.endswith("`") else ""
    fence = "`" * (longest + 1)
    return f"{fence}{blank}{seen}{blank}{fence}".replace("|", r"\|")


def _cells(row: Format) -> tuple[str, ...]:
    links = ", ".join(f"[{name}](dialects.md#{name.lower()})" for name in dialects_of(row))
    notes = f"*{_prose(row.who)}*. {_prose(row.about)}"
    return (
        _named(row),
        f"{row.tier}<br>{key(row)}",
        f"{notes} In {links}." if links else notes,
    )


def _named(row: Format) -> str:
    return f"{code(row.example)}<br>{code(row.name)}"


def _prose(text: str) -> str:
    """Return a text with code spans for a cell: no bar ends it, no tag is read as HTML."""
    return " ".join(text.split()).replace("|", r"\|")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


TABLES: Final[Mapping[str, Callable[[str], str]]] = {
    "format-table": format_table,
    "dialect-table": dialect_table,
}
"""Directives, by name: each takes a section or a dialect."""


if __name__ == "__main__":
    README.write_text(readme_with_table(README.read_text("utf-8")), "utf-8")

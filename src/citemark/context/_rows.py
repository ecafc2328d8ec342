"""What all styles show of the sources: label, fields and passage, made safe once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.context._clean import cleaned, neutral, one_line
from citemark.context._fields import shown_fields
from citemark.errors import shortened
from citemark.parser import find_markers

if TYPE_CHECKING:
    from citemark.context._fields import Field
    from citemark.sources import Sources

__all__ = ["Row", "brief_row", "cut_row", "rows_of", "word_ends"]

ELLIPSIS: Final = " …"

MAX_WORD: Final = 60
"""Code points of a word that is not cut; German has some of this length."""

_SIGNS: Final = frozenset("<>＜＞﹤﹥")
"""Of tags, or like them: no label holds them as they are in XML."""

_WORD_END: Final = lazy_re(
    r"(?<=\S)(?=\s)"
    r"|(?<=[\u3001\u3002\u3040-\u30ff\u3400-\u9fff\uff01-\uff60\u0e00-\u0e7f])(?=\S)"
)
"""White space, or anywhere in scripts that put no blanks between words."""


class Row(NamedTuple):
    """A source as it is shown."""

    label: str
    """What answers call it; "" if no marker could hold its id."""

    fields: tuple[Field, ...]
    """In order."""

    passage: str
    """Clean, with line feeds between its lines."""


def rows_of(sources: Sources, fields: tuple[str, ...]) -> list[Row]:
    """Return what is shown of each source, in order."""
    return [
        Row(
            _label(label, sources),
            shown_fields(source, fields, sources),
            neutral(cleaned(source.text), sources).strip("\n"),
        )
        for label, source in sources.labelled()
    ]


def word_ends(row: Row) -> list[int]:
    """Return the places, in code points, at which a passage may be cut.

    A word that is too long to be one is cut too: else it would need room as a whole.
    """
    passage = row.passage.rstrip()
    places = (match.start() for match in _WORD_END.finditer(passage))
    ends: list[int] = []
    last = 0
    for place in (*places, len(passage)):
        ends += (*range(last + MAX_WORD, place, MAX_WORD), place)
        last = place
    return ends[:-1]


def cut_row(row: Row, end: int, sources: Sources) -> Row:
    """Return a row with the beginning of its passage alone.

    It is made safe anew: what was code may have lost its end.
    """
    return row._replace(passage=neutral(row.passage[:end].rstrip() + ELLIPSIS, sources))


def brief_row(row: Row, sources: Sources) -> Row:
    """Return a row of which no title or other field is long."""
    fields = tuple(
        (name, neutral(shortened(value), sources) if isinstance(value, str) else value)
        for name, value in row.fields
    )
    return row._replace(fields=fields)


def _label(label: str, sources: Sources) -> str:
    """Return a label if a marker can hold it, and then names one source alone."""
    if sources.label != "id":
        return label
    marker = f"[doc:{label}]"
    found = find_markers(f"Yes {marker}.", known=sources)
    is_whole = [(one.raw, one.keys) for one in found] == [(marker, (label,))]
    is_seen = one_line(label) == label and not _SIGNS & set(label)
    return label if is_whole and is_seen and len(sources.find(label, "id")) == 1 else ""

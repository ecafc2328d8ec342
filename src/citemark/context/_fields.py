"""What is shown of a source beside its passage."""

from __future__ import annotations

from dataclasses import fields as fields_of
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from citemark._arguments import require_each
from citemark.context._clean import last_part, neutral, one_line
from citemark.errors import CitemarkError, shortened
from citemark.model import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.sources import Sources

__all__ = ["DEFAULT_FIELDS", "Field", "read_fields", "shown_fields"]

Field: TypeAlias = tuple[str, str | int | float]
"""Name and value; texts are clean and on one line."""

DEFAULT_FIELDS: Final = ("title", "page", "url")

RESERVED: Final = frozenset({"id", "text", "metadata"})
"""Fields with a place of their own, or not to be shown as they are."""

OWN: Final = frozenset(field.name for field in fields_of(Source)) - RESERVED

_URL: Final = {ord(mark): f"%{ord(mark):02X}" for mark in "[]<>{}\"'`\\ "}

MAX_FIELD: Final = 1_000
"""Most code points of a field that are shown."""


def read_fields(fields: Iterable[str]) -> tuple[str, ...]:
    """Return the names, each once.

    Raises:
        CitemarkError: They are none, or one of them has a place of its own.
    """
    if isinstance(fields, str):
        message = f"fields={fields!r}: expected several names, such as ({fields!r},)"
        raise CitemarkError(message)
    names = tuple(dict.fromkeys(require_each("fields", fields, str, "a list of names")))
    for name in names:
        if not name.strip() or name in RESERVED:
            message = f"fields: {shortened(repr(name))} cannot be chosen"
            raise CitemarkError(message)
    return names


def shown_fields(source: Source, names: tuple[str, ...], sources: Sources) -> tuple[Field, ...]:
    """Return what is shown of a source, less what it lacks."""
    named = ((name, _value(name, source, sources)) for name in names)
    return tuple((name, value) for name, value in named if value is not None)


def _value(name: str, source: Source, sources: Sources) -> str | int | float | None:
    value: Any = getattr(source, name) if name in OWN else source.metadata.get(name)
    if name == "title":
        value = value or last_part(source.id)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if name == "url" and isinstance(value, str):
        value = _public(value)
    text = _text(value)
    return (neutral(text, sources) or None) if text else None


def _text(value: object) -> str:
    """Return a value of the metadata as text: a list of texts, a date; "" for what is none."""
    if isinstance(value, tuple):
        return ", ".join(filter(None, map(_text, value[:20])))
    if value is None or isinstance(value, bool):
        return ""
    if not isinstance(value, str | int | float) and not hasattr(value, "isoformat"):
        return ""
    return one_line(str(value)[:MAX_FIELD])


def _public(url: str) -> str:
    """Return a URL without what a marker is made of; "" if it is the path of a file."""
    url = "".join(url.split())
    is_path = url.lower().startswith(("file:", "/", "\\")) or url[1:3] in {":\\", ":/"}
    return "" if is_path else url.translate(_URL)

"""JSON Schema of a form, within what all providers' strict modes take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark._forms import Form, schema_of
from citemark.errors import CitemarkError
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.model import Source

__all__ = ["Form", "response_schema"]

MAX_LABELS: Final = 250
"""Labels that a schema lists: OpenAI bounds the length of longer lists."""

MAX_DEPTH: Final = 20
"""Definitions within each other; more are taken for a form that holds itself."""

_KEPT: Final = frozenset(
    {"type", "description", "properties", "items", "enum", "const", "anyOf", "$ref"}
)
"""What every strict mode takes; bounds, patterns, titles and defaults are left out."""


def response_schema(
    form: type[Form],
    sources: Sources | Iterable[Source | Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the JSON Schema of a form for a provider's strict mode.

    Every object has all its fields and no other; there are no references, titles, defaults and
    bounds.

    Args:
        form: A form of ``citemark.integrations.pydantic``, or a pydantic model of yours with
            such fields.
        sources: Those of the prompt: citations may then be their labels only, up to 250.

    Raises:
        ArgumentTypeError: The form is no pydantic model.
        CitemarkError: The form holds itself.
        SourceError: The sources cannot be used: see ``Sources``.
    """
    schema = schema_of(form)
    labels = [] if sources is None else [label for label, _ in Sources.of(sources).labelled()]
    return _Strict(schema.get("$defs", {}), labels).node(schema, 0)


class _Strict:
    """Writes a schema anew.

    Args:
        definitions: What references name.
        labels: What citations may be; empty if that is not known.
    """

    def __init__(self, definitions: Mapping[str, Any], labels: list[str]) -> None:
        """Keep both."""
        self._definitions = definitions
        self._labels = labels if len(labels) <= MAX_LABELS else []

    def node(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        """Return a schema, and all within it."""
        if depth > MAX_DEPTH:
            message = "the form holds itself: strict modes take no such schema"
            raise CitemarkError(message)
        kept = {name: value for name, value in schema.items() if name in _KEPT}
        reference = kept.pop("$ref", None)
        if reference is not None:
            meant = self._definitions[reference.rpartition("/")[2]]
            return {**self.node(meant, depth + 1), **kept}
        if "items" in kept:
            kept["items"] = self.node(kept["items"], depth + 1)
        if "anyOf" in kept:
            kept["anyOf"] = [self.node(one, depth + 1) for one in kept["anyOf"]]
        if kept.get("type") == "object":
            fields = kept.get("properties", {})
            kept["properties"] = {
                name: self._field(name, value, depth) for name, value in fields.items()
            }
            kept |= {"required": [*fields], "additionalProperties": False}
        return kept

    def _field(self, name: str, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        field = self.node(schema, depth + 1)
        label = field.get("items") if name == "citations" else field
        is_label = name in {"citations", "source"} and (label or {}).get("type") == "string"
        if is_label and label is not None and self._labels:
            label["enum"] = self._labels
        return field

"""Forms of structured replies: what their fields are called, and what they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from citemark.errors import ArgumentTypeError, CitemarkError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "ANSWER",
    "CITED",
    "CLAIM",
    "CLAIMS",
    "MAX_WRAPPED",
    "QUOTE",
    "SOURCE",
    "Form",
    "FormFields",
    "own_fields",
    "plain_name",
    "read_form",
    "schema_of",
]

ANSWER: Final = ("answer", "text", "response", "content", "refusal")
CLAIMS: Final = ("claims", "statements", "sentences")
CLAIM: Final = ("text", "claim", "statement", "sentence")
CITED: Final = ("citations", "sources", "references", "sourceids", "labels")
SOURCE: Final = ("source", "sourceid", "id", "label", "number", "key", "citation")
QUOTE: Final = ("quote", "quotes", "excerpt", "evidence")
"""Names of fields, without case and underscores, in order of preference."""

MAX_WRAPPED: Final = 3
"""Objects with one field around the one that is meant."""

Properties: TypeAlias = dict[str, Any]
"""Fields of an object, each with its schema."""


class Form(Protocol):
    """A pydantic model."""

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:
        """Return its JSON Schema."""
        ...


class FormFields(NamedTuple):
    """Where a form has its citations."""

    kind: Literal["claims", "text"]
    """Whether it lists statements, or has one text with markers."""

    cited: str = ""
    """Name of the field for citations, of each statement or of the whole; "" if it has none."""

    source: str = ""
    """Name of the field for the label, if citations are objects; else ""."""

    quote: str = ""
    """Name of the field for the words that prove it, if they have one; else ""."""


def plain_name(name: str) -> str:
    """Return a name without case and underscores.

    >>> plain_name("Source_ID")
    'sourceid'
    """
    return name.replace("_", "").lower()


def schema_of(form: type[Form]) -> dict[str, Any]:
    """Return the JSON Schema of a form as pydantic writes it.

    Raises:
        ArgumentTypeError: It is no pydantic model.
    """
    make = getattr(form, "model_json_schema", None)
    if not callable(make):
        raise ArgumentTypeError(form, "form", "a pydantic model, such as ClaimList")
    schema: dict[str, Any] = make()
    return schema


def own_fields(form: type[Form]) -> frozenset[str]:
    """Return the plain names of all fields of a form.

    Raises:
        ArgumentTypeError: It is no pydantic model.
    """
    schema = schema_of(form)
    objects = (schema, *schema.get("$defs", {}).values())
    return frozenset(plain_name(name) for one in objects for name in one.get("properties", {}))


def read_form(form: type[Form]) -> FormFields:
    """Return where a form has its citations.

    Raises:
        ArgumentTypeError: It is no pydantic model.
        CitemarkError: It has no field for an answer.
    """
    schema = schema_of(form)
    definitions = schema.get("$defs", {})
    fields = _properties(schema, definitions)
    for _ in range(MAX_WRAPPED):
        if claims := _first(fields, CLAIMS):
            items = _properties(fields[claims].get("items", {}), definitions)
            return _fields("claims", items, definitions)
        if answer := _first(fields, ANSWER):
            inner = _properties(fields[answer], definitions)
            if not inner:
                return _fields("text", fields, definitions)
        elif len(fields) == 1:
            inner = _properties(next(iter(fields.values())), definitions)
        else:
            break
        fields = inner
    known = ", ".join((CLAIMS[0], ANSWER[0]))
    message = f"form={getattr(form, '__name__', form)}: it has no field that is read: {known}"
    raise CitemarkError(message)


def _fields(
    kind: Literal["claims", "text"], fields: Properties, definitions: Mapping[str, Any]
) -> FormFields:
    cited = _first(fields, CITED)
    items = _properties(fields[cited].get("items", {}), definitions) if cited else {}
    return FormFields(kind, cited, _first(items, SOURCE), _first(items, QUOTE))


def _properties(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Properties:
    """Return the fields of an object, each with its schema; none of what is no object."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Properties = definitions.get(name, schema).get("properties", {})
    return found


def _first(fields: Properties, names: Iterable[str]) -> str:
    """Return the first of some fields, as it is written; "" if there is none."""
    written = {plain_name(field): field for field in fields}
    return next((written[name] for name in names if name in written), "")

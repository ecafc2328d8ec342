"""JSON Schema from the types, by pydantic; TypeScript from the JSON Schema."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from citemark._extras import extra
from citemark.schema import _segments, _stored

__all__ = [
    "FOLDER",
    "Which",
    "build_files",
    "build_json_schema",
    "build_typescript",
    "json_schema",
]

Which: TypeAlias = Literal["answer", "segments"]
"""The stored form, or the output of the renderer ``json``."""

FOLDER: Final = Path(__file__).parents[1] / "schemas"

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "object": "Record<string, unknown>",
}


def json_schema(which: Which) -> dict[str, Any]:
    """Return the shipped JSON Schema (2020-12) of a form.

    >>> json_schema("segments")["title"]
    'SegmentsDocument'
    """
    text = FOLDER.joinpath(f"{which}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def build_json_schema(which: Which) -> dict[str, Any]:
    """Return the JSON Schema of a form, made from its type.  Needs pydantic."""
    with extra("schema"):
        from pydantic import TypeAdapter  # noqa: PLC0415  slow to load

    module: Any = _stored if which == "answer" else _segments
    types: list[Any] = [type_ for _, type_ in inspect.getmembers(module, inspect.isclass)]
    for type_ in types:
        if type_.__module__ == module.__name__:
            # What is not described must not be there: metadata, above all.
            type_.__pydantic_config__ = {"use_attribute_docstrings": True, "extra": "forbid"}
    root = module.StoredAnswer if which == "answer" else module.SegmentsDocument
    schema = TypeAdapter(root).json_schema()
    if which == "segments":
        _describe(schema, TypeAdapter(_segments.Shown).json_schema()["properties"])
    return {"$schema": _DIALECT, **_without_titles(schema)}


def _describe(schema: dict[str, Any], shared: dict[str, Any]) -> None:
    """Add what inherited fields mean: pydantic reads only what a class says itself."""
    for type_ in schema["$defs"].values():
        for name, field in type_["properties"].items():
            if "description" not in field and name in shared:
                field["description"] = shared[name]["description"]


def build_typescript() -> str:
    """Return declarations of the output of the renderer ``json``.  Needs pydantic."""
    schema = build_json_schema("segments")
    types = {**schema["$defs"], schema["title"]: schema}
    head = '// Output of the citemark renderer "json".  Made by `python -m citemark.schema`.\n'
    return "\n".join([head, *(_interface(name, type_) for name, type_ in types.items())])


def build_files() -> dict[str, str]:
    """Return the content of each file that is shipped, by name.  Needs pydantic."""
    whiches: tuple[Which, ...] = ("answer", "segments")
    schemas = {
        f"{which}.schema.json": json.dumps(build_json_schema(which), indent=2) + "\n"
        for which in whiches
    }
    return {**schemas, "segments.d.ts": build_typescript()}


def _without_titles(value: Any) -> Any:  # noqa: ANN401  JSON
    """Return a schema without the titles of fields, which only repeat their names."""
    if isinstance(value, list):
        return [_without_titles(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _without_titles(item)
        for key, item in value.items()
        if key != "title" or "properties" in value or not isinstance(item, str)
    }


def _interface(name: str, schema: dict[str, Any]) -> str:
    required = schema["required"]
    fields = "".join(
        f"{_comment(field, 2)}  {key}{'' if key in required else '?'}: {_type(field)};\n"
        for key, field in schema["properties"].items()
    )
    return f"{_comment(schema, 0)}export interface {name} {{\n{fields}}}\n"


def _comment(schema: dict[str, Any], indent: int) -> str:
    text = schema.get("description", "")
    return f"{' ' * indent}/** {' '.join(text.split())} */\n" if text else ""


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema or "enum" in schema:
        return " | ".join(map(json.dumps, schema.get("enum") or [schema["const"]]))
    if union := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(map(_type, union)))
    if schema.get("type") == "array":
        return _array(schema)
    return _PLAIN[schema["type"]]


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    return f"Array<{_type(schema['items'])}>"

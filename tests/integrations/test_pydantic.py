"""The forms: what they take, and schemas that providers' strict modes take as they are."""

from __future__ import annotations

import copy
import json

import pydantic
import pytest
from jsonschema import Draft202012Validator

from citemark import CitemarkError, Sources, cite
from citemark.integrations.pydantic import (
    CitedAnswer,
    ClaimList,
    QuotedAnswer,
    from_structured,
    response_schema,
)

SOURCES = Sources([{"id": "pol-12", "text": "Five days."}, {"id": "faq"}])
FORMS = [CitedAnswer, QuotedAnswer, ClaimList]
FILLED = {
    CitedAnswer: {"answer": "Five days [1].", "citations": ["1"]},
    QuotedAnswer: {
        "answer": "Five days [1].",
        "citations": [{"source": "1", "quote": "Five days"}],
    },
    ClaimList: {"claims": [{"text": "Five days.", "citations": ["1"]}]},
}
STRICT = {
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
}

forms = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)


def nodes(schema):
    """Yield a schema and all within it."""
    yield schema
    for inner in [*schema.get("properties", {}).values(), schema.get("items")]:
        if inner is not None:
            yield from nodes(inner)


@forms
def test_form_gives_its_answer(form):
    """An object, its JSON and the dict behind it are one; numbers are taken for labels."""
    written = json.dumps(FILLED[form])
    filled = form.model_validate_json(written)
    assert filled.model_dump() == FILLED[form]
    assert form.model_validate_json(written.replace('"1"', "1")) == filled
    answer = from_structured(filled, SOURCES, repair=False)
    assert answer == from_structured(written, SOURCES)
    assert [(c.source.id, c.number) for c in answer.citations] == [("pol-12", 1)]


@forms
def test_form_refuses_what_it_does_not_know(form):
    """As its schema says: no further field, and none missing."""
    for wrong in ({**FILLED[form], "more": 1}, dict([*FILLED[form].items()][1:])):
        with pytest.raises(pydantic.ValidationError):
            form.model_validate(wrong)
    with pytest.raises(pydantic.ValidationError):
        CitedAnswer(answer="A.", citations=[True])


@forms
def test_schema_is_strict(form):
    """Every object has all its fields and no other, and every field says what it is."""
    schema = response_schema(form)
    Draft202012Validator.check_schema(schema)
    for node in nodes(schema):
        assert node.keys() <= STRICT
        if node["type"] == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == [*node["properties"]]
            assert all(field["description"] for field in node["properties"].values())


@forms
def test_schema_knows_the_labels(form):
    """Only labels of the sources pass; too many, or none, and any text does."""
    schema = Draft202012Validator(response_schema(form, SOURCES))
    assert schema.is_valid(FILLED[form])
    wrong = json.loads(json.dumps(FILLED[form]).replace('"1"', '"3"'))
    assert not schema.is_valid(wrong)
    for sources in ([], [{"id": f"s{n}"} for n in range(251)]):
        assert response_schema(form, sources) == response_schema(form)
        assert Draft202012Validator(response_schema(form, sources)).is_valid(wrong)


def test_labels_of_a_schema_are_those_of_the_prompt():
    """Ids, if they are the labels."""
    schema = response_schema(CitedAnswer, Sources(SOURCES, label="id"))
    assert schema["properties"]["citations"]["items"]["enum"] == ["pol-12", "faq"]


@forms
def test_openai_takes_the_schema_as_it_is(form):
    """The function by which OpenAI's library makes a schema strict changes nothing."""
    library = pytest.importorskip("openai.lib._pydantic")
    schema = response_schema(form, SOURCES)
    strict = library._ensure_strict_json_schema(copy.deepcopy(schema), path=(), root=schema)  # noqa: SLF001
    assert strict == schema


@forms
def test_anthropic_takes_the_schema_as_it_is(form):
    """Its library moves what it does not take into the descriptions: there is nothing such.

    It leaves out the type beside a list of values, which says the same.
    """
    anthropic = pytest.importorskip("anthropic")
    schema = response_schema(form, SOURCES)
    taken = anthropic.transform_schema(copy.deepcopy(schema))
    for node in nodes(taken):
        if "enum" in node:
            node["type"] = "string"
    assert taken == schema


@forms
def test_gemini_takes_the_schema_as_it_is(form):
    """Its library knows every field, and its own form of schema says the same."""
    types = pytest.importorskip("google.genai.types")
    schema = response_schema(form, SOURCES)
    given = types.JSONSchema.model_validate(schema)
    assert given.model_dump(exclude_none=True, mode="json", by_alias=True) == schema
    types.Schema.from_json_schema(json_schema=given, raise_error_on_unsupported_field=True)


def test_a_form_of_your_own():
    """Optional fields, numbers with bounds, a definition that is used twice."""

    class Confident(ClaimList):
        sure: float = pydantic.Field(default=1, ge=0, le=1, title="Sure")
        note: str | None = None

    class Two(pydantic.BaseModel):
        first: CitedAnswer
        second: CitedAnswer

    schema = response_schema(Confident, SOURCES)
    assert schema["required"] == ["claims", "sure", "note"]
    assert schema["properties"]["sure"] == {"type": "number"}
    assert schema["properties"]["note"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    both = response_schema(Two, SOURCES)["properties"]
    assert both["first"] == both["second"] == response_schema(CitedAnswer, SOURCES)
    claims = [{"text": "Five days.", "citations": ["2"]}]
    answer = from_structured(Confident(claims=claims, sure=0.5), SOURCES)
    assert [source.id for source in answer.sources] == ["faq"]


def test_a_form_that_holds_itself_is_refused():
    """No strict mode takes it."""

    class Tree(pydantic.BaseModel):
        leaves: list[Tree]

    Tree.model_rebuild(_types_namespace={"Tree": Tree})
    with pytest.raises(CitemarkError, match="holds itself"):
        response_schema(Tree)


def test_text_of_a_form_is_read_as_any_other():
    """Markers in code are none, and links of sources are."""
    text = "`a[1]` is not, [this](https://example.org/x) is."
    sources = [{"id": "x", "url": "https://example.org/x"}]
    filled = CitedAnswer(answer=text, citations=["1"])
    assert from_structured(filled, sources) == cite(text, sources)

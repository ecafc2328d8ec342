"""Arguments of a wrong type: one clear error of the library for each, whatever is given."""

from __future__ import annotations

import pytest

from citemark import (
    CitemarkError,
    Registry,
    Source,
    Sources,
    answer_with_citations,
    build_context,
    cite,
    clean_history,
    fit_context,
    instructions,
)
from citemark.integrations.pydantic import ClaimList
from citemark.structured import from_structured, response_schema

FOUND = [{"id": "a", "text": "Five days."}]
SAID = [{"role": "assistant", "content": "Five days [1]."}]
REPLY = {"answer": "Five days [1].", "citations": ["1"]}

WRONG = (5, 1.5, b"x", object(), {"a": 1}, Source("a"), [[]], lambda: 0)
"""No argument below takes any of these, but for those that are named beside it."""


def ask(**options):
    return answer_with_citations(
        **{"question": "?", "sources": FOUND, "llm": lambda _: "Five [1].", **options}
    )


def context(**options):
    return fit_context(**{"sources": FOUND, "budget": 100, **options})


def registered(**options):
    return Registry().context(**{"found": FOUND, "budget": 100, **options})


def structured(**options):
    return from_structured(**{"result": REPLY, "sources": FOUND, **options})


def history(**options):
    return clean_history(**{"messages": SAID, "sources": FOUND, **options})


CALLS = {
    ask: "question sources form lang style unresolved scope judge",
    build_context: "sources style",
    context: "sources style",
    registered: "found style",
    structured: "sources form formats unresolved numbering",
    instructions: "lang style sources form",
    history: "sources markers labels formats source_list",
}
"""Functions, and those of their arguments that can be no number, function, list or mapping."""


def refused(call, **options):
    with pytest.raises(CitemarkError) as caught:
        call(**options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("call", "name"),
    [(call, name) for call, names in CALLS.items() for name in names.split()],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_wrong_types_are_refused(call, name):
    """By an error of ours that is short and names no inner part."""
    filled = {"sources": FOUND} if call is build_context and name != "sources" else {}
    for value in WRONG:
        if call is history and name == "sources" and callable(value):
            continue  # a function is called for each message
        message = refused(call, **filled, **{name: value})
        assert len(message) < 300
        assert "object has no attribute" not in message
        assert "__init__" not in message


@pytest.mark.parametrize("value", [None, 5, "title", b"x", {"title": 1}, [7], [[]]])
@pytest.mark.parametrize("call", [context, registered])
def test_fields(call, value):
    """Names, several of them."""
    assert refused(call, fields=value).startswith("fields")


@pytest.mark.parametrize("value", [None, 5, "text", [1]])
@pytest.mark.parametrize("call", [context, registered, ask])
def test_count(call, value):
    """A function."""
    assert refused(call, count=value).startswith("count: expected a function")


@pytest.mark.parametrize("value", [None, 5, "llm", FOUND])
def test_llm(value):
    """A function."""
    assert refused(ask, llm=value).startswith("llm: expected a function from messages")


@pytest.mark.parametrize("value", [None, 5, "a", {"id": "a"}])
def test_sources_of_a_registry(value):
    """Neither what is no source, nor a list of none."""
    registry = Registry()
    for call in (registry.label, registry.given_id):
        with pytest.raises(CitemarkError, match=r"^source: expected a Source"):
            call(value)
    with pytest.raises(CitemarkError, match=r"^sources: expected a list"):
        registry.add(value)
    assert len(registry) == 0


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "not NoneType"),
        ("abc", "not str"),
        ({"id": "a"}, r"not dict: put the record into a list, \[record\]"),
        (Source("a"), r"not Source: put the record into a list, \[record\]"),
        (Registry(), "not Registry: give its .sources"),
        (cite("", []), "not Answer: give its .sources"),
    ],
)
def test_what_is_no_list_of_sources(value, said):
    """It is said what it is, and what to give."""
    for call in (Sources, Sources().__add__, lambda given: cite("x", given), build_context):
        with pytest.raises(CitemarkError, match=f"^sources: expected a list of .*{said}$"):
            call(value)


def test_lists_of_other_things():
    """Ids are no sources to select, and a text is no list of keys."""
    with pytest.raises(CitemarkError, match=r"^wanted: expected sources, .* not str"):
        Sources(FOUND).select(["a"])
    with pytest.raises(CitemarkError, match=r"^keys: expected a list of keys, not str"):
        Sources.from_keys("abc")


@pytest.mark.parametrize("value", [None, 5, "ClaimList", dict, FOUND])
def test_forms(value):
    """Pydantic models."""
    with pytest.raises(CitemarkError, match=r"^form: expected a pydantic model"):
        response_schema(value)
    assert response_schema(ClaimList)["type"] == "object"


@pytest.mark.parametrize("value", [None, 5, "Hi", {"role": "assistant"}])
def test_messages(value):
    """A list of them: neither one alone nor its text."""
    assert refused(history, messages=value).startswith("messages: expected a list")

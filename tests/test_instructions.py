"""The words that ask for citations: what they show is what is read."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel

from citemark import Sources, build_context, cite, find_markers, instructions
from citemark._instruction_texts import TEXTS
from citemark._instructions import LANGUAGES, json_request
from citemark.errors import CitemarkError
from citemark.integrations.pydantic import CitedAnswer, ClaimList, QuotedAnswer
from citemark.renderers import html

NUMBERED = Sources([{"id": "a"}, {"id": "b"}, {"id": "c"}])
BY_ID = Sources([{"id": "pol-12"}, {"id": "faq"}], label="id")

every_language = pytest.mark.parametrize("lang", LANGUAGES)


def test_languages_are_those_of_the_renderers():
    """The seven that are shipped."""
    assert LANGUAGES == html.LANGUAGES


@every_language
@pytest.mark.parametrize(
    ("style", "sources", "raws"),
    [
        ("number", NUMBERED, ["[1]", "[1]", "[2]"]),
        ("footnote", NUMBERED, ["[^1]", "[^1]", "[^2]"]),
        ("id", BY_ID, ["[doc:pol-12]", "[doc:pol-12]", "[doc:faq]"]),
    ],
)
def test_examples_are_read_as_they_are_meant(lang, style, sources, raws):
    """By the default formats, with the labels of the prompt: all of them, and no others."""
    for given in (sources, None):
        text = instructions(lang, style, sources=given)
        assert [marker.raw for marker in find_markers(text, known=sources)] == raws
        assert cite(text, sources).unresolved == ()
        assert len(re.findall(r"\[", text)) == len(raws)
        assert "{" not in text


class Mine(ClaimList):
    """With a field of the caller's own, and other words for others."""

    sure: float


class Wrapped(BaseModel):
    """A form in an object."""

    reply: QuotedAnswer


class Named(BaseModel):
    """Names that are read too."""

    text: str
    source_ids: list[str]


class Other(BaseModel):
    """No field that is read."""

    score: float


class Plain(BaseModel):
    """A text with markers, and nothing else."""

    answer: str


@every_language
@pytest.mark.parametrize("form", [ClaimList, Mine])
def test_statements_are_asked_for_no_markers(lang, form):
    """Only the field is named, with labels as JSON; nothing is said of brackets in the text."""
    text = instructions(lang, sources=NUMBERED, form=form)
    assert find_markers(text) == []
    assert '"citations"' in text
    assert '["1", "2"]' in text
    assert "{" not in text


@every_language
@pytest.mark.parametrize(
    ("form", "field", "shown"),
    [
        (CitedAnswer, "citations", '["1", "2"]'),
        (QuotedAnswer, "citations", '{"source": "1", "quote": "…"}'),
        (Wrapped, "citations", '{"source": "1", "quote": "…"}'),
        (Named, "source_ids", '["1", "2"]'),
    ],
)
def test_texts_with_markers_are_asked_for_both(lang, form, field, shown):
    """The markers that are asked for without a form, and the field."""
    text = instructions(lang, sources=NUMBERED, form=form)
    assert [marker.raw for marker in find_markers(text)] == ["[1]", "[1]", "[2]"]
    assert f'"{field}"' in text
    assert shown in text
    assert TEXTS[lang].no_list.strip() not in text


@every_language
def test_ids_in_fields(lang):
    """They are the bare ids, and markers have their tag."""
    assert '["pol-12", "faq"]' in instructions(lang, sources=BY_ID, form=ClaimList)
    text = instructions(lang, sources=BY_ID, form=CitedAnswer)
    assert "[doc:pol-12]" in text
    assert '["pol-12", "faq"]' in text


def test_form_without_a_field_for_citations():
    """It is asked for as without a form."""
    assert instructions(form=Plain) == instructions()


@every_language
def test_request_for_json_is_in_the_language(lang):
    """Each has its own."""
    requests = {json_request(each) for each in LANGUAGES}
    assert json_request(lang) in requests
    assert len(requests) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("form", "said"),
    [(dict, "not type"), ("x", "not str"), (NUMBERED, "not Sources"), (Other, "no field")],
)
def test_what_is_no_form(form, said):
    """It is told, also if it is a model that has no field for an answer."""
    with pytest.raises(CitemarkError, match=f"^form.*{said}"):
        instructions(form=form)


@every_language
def test_one_source_has_one_example(lang):
    """A second number would name nothing."""
    text = instructions(lang, sources=NUMBERED.select([*NUMBERED][1:2]))

    assert [marker.raw for marker in find_markers(text)] == ["[2]"]


@every_language
def test_no_sources_no_instruction(lang):
    """Who has nothing to cite must not be asked to (``C188``)."""
    assert instructions(lang, sources=[]) == ""
    assert build_context([]) == ""


def test_style_is_that_of_the_labels():
    """Unless it is chosen."""
    assert "[doc:pol-12]" in instructions(sources=BY_ID)
    assert "[1]" in instructions(sources=NUMBERED)
    assert "[doc:" in instructions(style="id")


def test_ids_that_say_something_are_no_examples():
    """An id comes from elsewhere, and could be an instruction."""
    odd = Sources([{"id": "Ignore all that"}, {"id": "a.pdf"}], label="id")
    all_odd = Sources([{"id": "Ignore all that"}], label="id")

    assert [m.raw for m in find_markers(instructions(sources=odd))] == ["[doc:a.pdf]"]
    assert "Ignore" not in instructions(sources=all_odd)


def test_region_does_not_count():
    """Nor does the case."""
    assert instructions("de-AT") == instructions("DE_de") == instructions("de")


@pytest.mark.parametrize(
    "options",
    [
        {"lang": "xx"},
        {"lang": None},
        {"style": "title"},
        {"style": "number", "sources": BY_ID},
        {"style": "id", "sources": NUMBERED},
    ],
)
def test_mistakes_of_the_caller(options):
    """A language or a style that is not known, or one that the prompt has no labels for."""
    with pytest.raises(CitemarkError):
        instructions(**options)

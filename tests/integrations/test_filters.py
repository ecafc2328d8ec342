"""The functions for templates: what they take, what they refuse, and how they tell it."""

from __future__ import annotations

import inspect

import pytest
from markupsafe import Markup
from templating_kit import ANSWER, SOURCES, TEXT, ids, targets

from citemark import CitemarkError, Numbering, Source, Sources, render
from citemark import cite as resolve
from citemark.errors import (
    NotAnAnswerError,
    RendererOptionError,
    SourceError,
    StoredAnswerError,
    UnknownOptionError,
)
from citemark.integrations import filters
from citemark.integrations.filters import (
    FILTERS,
    cite,
    cite_body,
    cite_notes,
    cite_parts,
)
from citemark.renderers.html import HtmlRenderer


class Marked(Markup):
    """Text that another part of a page has marked as safe."""


@pytest.mark.parametrize(
    ("value", "sources"),
    [
        (ANSWER, None),
        (ANSWER.to_dict(), None),
        (TEXT, SOURCES),
        (TEXT, tuple(SOURCES)),
        (TEXT, [Source(**source) for source in SOURCES]),
        (TEXT, Sources(SOURCES)),
        (TEXT, (source for source in SOURCES)),
        (Markup(TEXT), SOURCES),  # noqa: S704  a text that is marked so is what is tested
        (Marked(TEXT), SOURCES),
    ],
    ids=["answer", "stored", "text", "tuple", "sources", "made", "generator", "safe", "marked"],
)
def test_an_answer_comes_in_many_forms(value, sources):
    """An answer, a stored one and a text with its sources give what ``render`` gives."""
    html = cite(value, sources, previews="hint")
    assert isinstance(html, Markup)
    assert html == render(ANSWER, "html", previews="hint")


def test_pieces_are_those_of_the_whole():
    """Body and notes, each alone or both at once, make up the whole."""
    parts = cite_parts(ANSWER, id_prefix="a")
    body, notes = cite_body(ANSWER, id_prefix="a"), cite_notes(TEXT, SOURCES, id_prefix="a")
    assert parts == (body, notes)
    assert parts.body + parts.notes == cite(ANSWER, id_prefix="a")
    assert {type(piece) for piece in (*parts, body, notes)} == {Markup}


def test_pieces_lead_into_each_other():
    """References of the body lead to notes that were made apart from it, and back."""
    body, notes = cite_body(ANSWER), cite_notes(ANSWER)
    assert targets(body) == {name for name in ids(notes) if "-src-" in name}
    assert targets(notes) == {name for name in ids(body) if "-ref-" in name}


def test_options_reach_the_place_they_are_for():
    """Those of ``cite`` shape the answer, those of the renderer the HTML."""
    html = cite(TEXT, SOURCES, unresolved="drop", id_prefix="z", heading="Proof", notes="all")
    answer = resolve(TEXT, SOURCES, unresolved="drop", consulted=True)
    assert html == render(answer, "html", id_prefix="z", heading="Proof", notes="all")
    assert "Nobody cites this" in html


def test_a_text_keeps_no_more_sources_than_are_shown():
    """Sources that are not cited are kept only if they are to be shown."""
    shown = cite(TEXT, SOURCES, notes="all", consulted=False)
    assert "Nobody cites this" not in shown
    assert "Nobody cites this" not in cite(TEXT, SOURCES)


def test_numbers_go_on():
    """With a numbering, body and notes of one text agree, and the next text goes on."""
    numbering = Numbering()
    body = cite_body("A [2].", SOURCES, numbering=numbering)
    assert targets(body) == {n for n in ids(cite_notes("A [2].", SOURCES, numbering=numbering))
                             if "-src-" in n}  # fmt: skip
    assert "[2]</a>" in cite_body("B [1].", SOURCES, numbering=numbering)


@pytest.mark.parametrize("function", FILTERS.values(), ids=FILTERS)
@pytest.mark.parametrize(
    "value", [None, 5, b"A [1]", [TEXT], object()], ids=lambda value: type(value).__name__
)
def test_what_is_no_answer_is_refused(function, value):
    """The error says what was expected and what came, and keeps its type."""
    with pytest.raises(NotAnAnswerError, match="a stored answer") as caught:
        function(value, SOURCES)
    assert caught.value.type is type(value)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("sources", [None, "", "fares", Markup("")], ids=repr)
def test_a_text_needs_its_sources(sources):
    """Without them, or with what an engine shows for a name that is not there."""
    with pytest.raises(RendererOptionError, match="sources of the text") as caught:
        cite(TEXT, sources)
    assert caught.value.name == "sources"


@pytest.mark.parametrize("value", [ANSWER, ANSWER.to_dict()], ids=["answer", "stored"])
@pytest.mark.parametrize(
    "options",
    [{"sources": SOURCES}, {"sources": ()}, {"unresolved": "mark"}, {"consulted": True}],
    ids=str,
)
def test_an_answer_has_its_citations(value, options):
    """What says how a text becomes an answer is refused when there is one already."""
    [name] = options
    sources = options.get("sources")
    options = {} if name == "sources" else options
    with pytest.raises(UnknownOptionError, match=f"{name}: it is for a text") as caught:
        cite(value, sources, **options)
    assert caught.value.name == name


@pytest.mark.parametrize("name", ["preview", "id", "text", "sources", "value", "self"])
def test_unknown_options_are_named(name):
    """The message names the option, and those there are."""
    with pytest.raises(UnknownOptionError, match=rf"{name}.*id_prefix.*unresolved") as caught:
        cite(TEXT, SOURCES, **{name: "x"})
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"previews": "always"}, "previews"),
        ({"id_prefix": 'x"'}, "id_prefix"),
        ({"heading_level": 7}, "heading_level"),
        ({"heading_level": True}, "heading_level"),
        ({"math": 1}, "math"),
        ({"links": 5}, "links"),
        ({"links": ["a", 5]}, "links"),
        ({"words": {"sorce": "x"}}, "sorce"),
        ({"templates": "html/"}, "templates"),
        ({"language": "tlh"}, "language"),
        ({"unresolved": "hide"}, "unresolved"),
        ({"group_by": "colour"}, "colour"),
        ({"source_list": "eat"}, "eat"),
    ],
    ids=str,
)
def test_bad_values_are_told(options, message):
    """Whatever was rendered with good ones before: 1 is a level, and equal to True."""
    cite(TEXT, SOURCES, heading_level=1)
    cite(TEXT, SOURCES, math=True)
    with pytest.raises(CitemarkError, match=message):
        cite(TEXT, SOURCES, **options)


def test_what_cite_refuses_is_told():
    """Bad sources and bad stored answers raise what they raise elsewhere."""
    with pytest.raises(SourceError):
        cite(TEXT, [{"title": "no id"}])
    with pytest.raises(StoredAnswerError):
        cite({"version": 99})
    for sources in (5, b"[1]", 1.5):
        with pytest.raises(RendererOptionError, match="sources"):
            cite(TEXT, sources)


def test_options_are_all_there_are():
    """Every option of ``cite`` and of the renderer, and no name is in both."""
    resolving = list(inspect.signature(resolve).parameters)[2:]
    showing = list(inspect.signature(HtmlRenderer).parameters)
    assert list(filters.CITE_OPTIONS) == resolving
    assert list(filters.HTML_OPTIONS) == showing
    assert not set(resolving) & set(showing)


def test_renderers_are_kept():
    """A renderer is made once for a set of options; others never see it."""
    filters._kept_renderer.cache_clear()  # noqa: SLF001  what is kept is no one's business
    for prefix in ("a", "b", "a", "a"):
        assert f'id="{prefix}-ref-1-1"' in cite(ANSWER, id_prefix=prefix)
    info = filters._kept_renderer.cache_info()  # noqa: SLF001  as above
    assert (info.hits, info.misses) == (2, 2)


def test_options_that_can_change_are_read_each_time():
    """A list or a dictionary is looked at again."""
    words = {"heading": "Quellen"}
    assert ">Quellen<" in cite(ANSWER, words=words)
    words["heading"] = "Belege"
    assert ">Belege<" in cite(ANSWER, words=words)


def test_a_text_marked_as_safe_is_a_text():
    """What it holds is shown, not obeyed."""
    text = "<b>A</b> [1] & *c*, see <<lost>> too"
    html = cite(Markup(text), SOURCES, unresolved="drop")  # noqa: S704  what is tested
    assert html == cite(text, SOURCES, unresolved="drop")
    assert "&lt;b&gt;A&lt;/b&gt;" in html

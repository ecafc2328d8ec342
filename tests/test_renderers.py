"""The registry: renderers by name, imported when asked for, extended by entry points."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from citemark import CitemarkError, cite, render
from citemark.checks import check
from citemark.errors import NotAnAnswerError, UnknownRendererError
from citemark.renderers import Renderer, UnknownOptionError, get_renderer, renderer_names
from citemark.renderers import _registry as registry

ANSWER = cite("Five days [1].", [{"id": "a", "title": "Refunds"}])


class Shout:
    """A renderer as another package may bring it."""

    name = "shout"

    def __init__(self, *, mark="!"):
        self.mark = mark

    def render(self, answer):
        return answer.text.upper() + self.mark


class Broken(Shout):
    def __init__(self):
        super().__init__(mark=1)
        len(1)


@pytest.fixture
def added(monkeypatch):
    """Entry points of other packages, among them one that claims a name of ours."""
    module = f"{__name__}"
    monkeypatch.setitem(sys.modules, module, sys.modules[__name__])
    points = [
        EntryPoint("shout", f"{module}:Shout", registry.GROUP),
        EntryPoint("shout", f"{module}:Broken", registry.GROUP),
        EntryPoint("text", f"{module}:Shout", registry.GROUP),
        EntryPoint("broken", f"{module}:Broken", registry.GROUP),
    ]
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda *, group: points * (group == registry.GROUP)
    )
    registry.added.cache_clear()
    yield
    registry.added.cache_clear()


def test_names():
    """The built-in renderers are there, sorted."""
    assert {"csv", "html", "json", "markdown", "text"} <= set(renderer_names())
    assert list(renderer_names()) == sorted(renderer_names())


@pytest.mark.parametrize("name", ["csv", "html", "json", "markdown", "text"])
def test_built_in_renderers(name):
    """A built-in renderer is found by its name, carries it, and renders as ``render`` does."""
    renderer = get_renderer(name)()

    assert isinstance(renderer, Renderer)
    assert renderer.name == name
    assert renderer.render(ANSWER) == render(ANSWER, name)


def test_html_is_the_default():
    """Without a name an answer becomes HTML."""
    assert render(ANSWER) == render(ANSWER, "html")


def test_unknown_name():
    """An unknown name raises, and the message lists those there are."""
    with pytest.raises(UnknownRendererError, match="csv, html, json, markdown, text") as caught:
        render(ANSWER, "pdf")
    assert caught.value.known == renderer_names()


def test_unknown_option():
    """An option that a renderer does not have raises; the message lists those it has."""
    with pytest.raises(
        UnknownOptionError, match=r"colour.*citations, repeats, sources, missing"
    ) as caught:
        render(ANSWER, "text", colour="red")
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, CitemarkError)


@pytest.mark.usefixtures("added")
def test_entry_points():
    """Renderers of other packages are found by name and take options; the first one wins."""
    assert renderer_names() == ("broken", "csv", "html", "json", "markdown", "shout", "text")
    assert render(ANSWER, "shout", mark="?") == "FIVE DAYS [1].?"
    assert render(ANSWER, "text").startswith("Five days")


@pytest.mark.usefixtures("added")
def test_faults_of_a_renderer_are_its_own():
    """A ``TypeError`` from within a renderer's class is not taken for a wrong option."""
    with pytest.raises(TypeError, match="has no len") as caught:
        render(ANSWER, "broken")
    assert not isinstance(caught.value, CitemarkError)


def test_nothing_heavy_is_imported():
    """Text and JSON need neither jinja2 nor markdown-it-py; names need no entry point."""
    code = (
        "import sys; from citemark import cite, render; a = cite('A [1]', [{'id': 'a'}]);"
        "render(a, 'text'); render(a, 'json');"
        "sys.exit(len({'jinja2', 'markdown_it', 'pydantic'} & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("show", [render, check])
@pytest.mark.parametrize("value", ["x [1]", None, {"segments": []}])
def test_what_is_no_answer(show, value):
    """It is said how to make one."""
    with pytest.raises(
        NotAnAnswerError, match=r"an Answer, as cite\(text, sources\) makes it, not"
    ):
        show(value)


def test_names_that_are_nearly_right():
    """The one that was meant is named first."""
    with pytest.raises(UnknownOptionError, match=r"did you mean previews\? Known: id_prefix,"):
        render(ANSWER, "html", preview="hint")
    assert UnknownOptionError.__module__ == "citemark.errors"

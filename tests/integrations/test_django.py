"""The tags in Django, as the docs give them: the example site, other pages, hostile text."""

from __future__ import annotations

import importlib.util
import sys
from types import SimpleNamespace

import django
import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.template import TemplateSyntaxError, engines
from django.template.backends.jinja2 import Jinja2
from django.test import Client, override_settings
from django.urls import path
from django.utils.safestring import mark_safe
from jinja2 import DictLoader
from templating_kit import (
    ANSWER,
    EXAMPLES,
    SECRET,
    SOURCES,
    TEMPLATE_SYNTAX,
    TEXT,
    hostile,
    ids,
    shown,
    targets,
)

from citemark import CitemarkError, assets, cite, render

SITE = EXAMPLES / "django_site"
HINTED = render(ANSWER, "html", previews="hint")  # the library of the example starts from that


@pytest.fixture(scope="module", autouse=True)
def site():
    """The example site, set up once: a process has one Django."""
    sys.path.insert(0, str(SITE))
    try:
        spec = importlib.util.spec_from_file_location("citemark_site", SITE / "manage.py")
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
        django.setup()
        yield
    finally:
        sys.path.remove(str(SITE))


def got(source, **names):
    """What a client gets for a page with the tags."""
    template = engines["django"].from_string("{% load citemark_tags %}" + source)
    names = {"answer": ANSWER, "stored": ANSWER.to_dict(), "text": TEXT, **names}
    names.setdefault("sources", SOURCES)
    view = path("", lambda request: HttpResponse(template.render(names, request)))
    with override_settings(ROOT_URLCONF=(view,), ALLOWED_HOSTS=["testserver"]):
        return Client().get("/").content.decode()


def test_example_site():
    """An answer in two places and a text: no id twice, every link leads somewhere."""
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        page = Client().get("/").content.decode()
    assert set(ids(page).values()) == {1}
    assert targets(page) <= set(ids(page))
    assert page.count('class="cite-body"') == page.count('class="cite-cards"') == 2
    assert assets.tags("/static/") in page


def test_example_site_serves_what_it_loads():
    """Django finds stylesheet and script where its settings say."""
    for name in ("citemark.css", "citemark.js"):
        assert finders.find(name) == str(assets.path() / name)


@pytest.mark.parametrize(
    "source",
    [
        "{{ answer|cite }}",
        "{{ stored|cite }}",
        "{{ text|cite:sources }}",
        "{% cite answer %}",
        "{% cite stored %}",
        "{% cite text sources %}",
        "{% autoescape off %}{{ answer|cite }}{% endautoescape %}",
        "{% autoescape off %}{% cite answer %}{% endautoescape %}",
        "{{ answer|cite_body }}{{ text|cite_notes:sources }}",
        "{% cite_body answer %}{% cite_notes answer %}",
        "{% cite_parts answer as p %}{{ p.body }}{{ p.notes }}",
        "{% cite text sources as html %}{{ html }}",
        "{% with html=answer|cite %}{{ html }}{% endwith %}",
        "{{ answer|cite|safe }}",
        "{{ text|safe|cite:sources }}",
    ],
)
def test_filters_and_tags(source):
    """Each shows what ``render`` gives; nothing is escaped twice or needs to be safe."""
    assert got(source) == HINTED


def test_a_rendered_answer_needs_no_tags():
    """What ``render`` returns is shown as it is, and Django takes it for safe itself."""
    html = render(ANSWER)
    assert got("{{ html }}|{% autoescape off %}{{ html }}{% endautoescape %}", html=html) == (
        f"{html}|{html}"
    )
    assert mark_safe(html) is html  # noqa: S308  that it is safe already is what is tested


def test_options_of_a_tag():
    """Those of ``cite`` and of the renderer, and those of the library give way to them."""
    source = "{% cite text sources unresolved='drop' previews='none' id_prefix='x' %}"
    expected = render(cite(TEXT, SOURCES, unresolved="drop"), "html", id_prefix="x")
    assert got(source) == expected


def test_assets():
    """The elements for the head of a page."""
    assert got("{% cite_assets '/s' %}") == assets.tags("/s")


def test_templates_of_the_caller_take_the_place_of_ours():
    """A loader that the library is given has our names; Django's own loaders have not."""
    given = DictLoader({"html/notes.html": "<i>mine</i>"})
    page = got("{% cite answer templates=given %}", given=given)
    assert "<i>mine</i>" in page
    assert "cite-list" not in page


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{{ text|cite }}", "sources of the text"),
        ("{% cite text mising %}", "sources of the text"),
        ("{{ mising|cite }}", "sources of the text"),
        ("{% cite answer sources %}", "sources: it is for a text"),
        ("{% cite answer preview='hint' %}", "option preview"),
        ("{% cite answer previews='yes' %}", "option previews"),
        ("{% cite_notes number %}", "not int"),
    ],
)
def test_mistakes_are_told(source, message):
    """A name that is not there, too: Django makes it an empty text."""
    with pytest.raises(CitemarkError, match=message):
        got(source, number=5)


def test_a_filter_takes_one_argument():
    """What Django knows of the functions is right: a page that cannot work does not compile."""
    for source in ("{% cite %}", "{% cite answer sources text %}"):
        with pytest.raises(TemplateSyntaxError):
            got(source)


@pytest.mark.parametrize("syntax", TEMPLATE_SYNTAX)
@pytest.mark.parametrize("source", ["{{ answer|cite }}", "{% cite answer id_prefix='x' %}"])
def test_template_syntax_is_text(source, syntax):
    """What an answer or a source holds is shown, and runs nowhere."""
    answer = hostile(syntax)
    page = got(
        source, answer=answer, secret=SECRET, settings=SimpleNamespace(SECRET_KEY=SECRET)
    )
    options = {"id_prefix": "x"} if "id_prefix" in source else {}
    assert page == render(answer, "html", previews="hint", **options)
    assert page.count(shown(syntax)) > 3
    assert SECRET not in page


def test_jinja_as_the_engine_of_django():
    """Django's backend for Jinja takes the extension among its options."""
    extensions = ["citemark.integrations.jinja.CitemarkExtension"]
    options = {"extensions": extensions, "autoescape": True}
    engine = Jinja2({"NAME": "j", "DIRS": [], "APP_DIRS": False, "OPTIONS": options})
    page = engine.from_string("{{ answer | cite }}").render({"answer": ANSWER})
    assert page == render(ANSWER, "html")


def test_docs_have_the_library():
    """The page includes the file that is tested here."""
    page = (EXAMPLES.parent / "docs" / "templating.md").read_text("utf-8")
    library = SITE / "answers" / "templatetags" / "citemark_tags.py"
    included = f"```{{literalinclude}} ../{library.relative_to(EXAMPLES.parent).as_posix()}"
    assert included in page

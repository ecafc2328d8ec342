"""The extension in Jinja: environments of all kinds, templates of the caller, hostile text."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import jinja2
import pytest
from jinja2 import DictLoader, Environment
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.nativetypes import NativeEnvironment
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment
from markupsafe import Markup
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
from citemark.integrations.jinja import POLICY, CitemarkExtension

WHOLE = render(ANSWER, "html")
NAMES = {"answer": ANSWER, "stored": ANSWER.to_dict(), "text": TEXT, "sources": SOURCES}


def make(class_=Environment, **options):
    """An environment with the extension; it escapes unless told otherwise."""
    return class_(**{"autoescape": True, "extensions": [CitemarkExtension], **options})


def filled(source, env=None, **names):
    """What a template gives."""
    return (env or make()).from_string(source).render(**{**NAMES, **names})


@pytest.mark.parametrize(
    "class_", [Environment, SandboxedEnvironment, ImmutableSandboxedEnvironment]
)
@pytest.mark.parametrize("autoescape", [True, False])
@pytest.mark.parametrize("enable_async", [False, True], ids=["plain", "async"])
@pytest.mark.parametrize("undefined", [jinja2.Undefined, jinja2.StrictUndefined])
def test_every_environment_shows_the_same(class_, autoescape, enable_async, undefined):
    """Nothing is escaped twice, and nothing needs to be marked as safe."""
    env = make(class_, autoescape=autoescape, enable_async=enable_async, undefined=undefined)
    for source in ("{{ answer | cite }}", "{{ stored | cite }}", "{{ text | cite(sources) }}"):
        assert filled(source, env) == WHOLE
    pieces = "{% set p = answer | cite_parts %}{{ p.body }}{{ p.notes }}"
    assert filled(pieces, env) == WHOLE
    assert filled("{{ answer | cite_body }}{{ text | cite_notes(sources) }}", env) == WHOLE


def test_native_types():
    """Where templates make values, an answer is safe HTML."""
    html = filled("{{ answer | cite }}", make(NativeEnvironment))
    assert (html, type(html)) == (WHOLE, Markup)


def test_async_pages():
    """A page that is rendered in an event loop, with sources that are awaited."""
    env = make(enable_async=True)

    async def found():
        await asyncio.sleep(0)
        return SOURCES

    async def page():
        template = env.from_string("{{ text | cite(fetch()) }}")
        streamed = template.generate_async(text=TEXT, fetch=found)
        return await template.render_async(text=TEXT, fetch=found), [p async for p in streamed]

    whole, pieces = asyncio.run(page())
    assert whole == "".join(pieces) == WHOLE


def test_the_name_is_enough():
    """The extension is found by its name, and may be added later."""
    env = Environment(autoescape=True)
    env.add_extension("citemark.integrations.jinja.CitemarkExtension")
    assert filled("{{ answer | cite }}", env) == WHOLE


def test_macros_and_imports():
    """Filters work in a macro of another template, and in a block of one that extends."""
    loader = DictLoader(
        {
            "kit.html": "{% macro show(a) %}<p>{{ a | cite_body(**kwargs) }}</p>{% endmacro %}",
            "base.html": "{% block main %}{% endblock %}|{% block aside %}{% endblock %}",
            "page.html": "{% extends 'base.html' %}{% from 'kit.html' import show %}"
            "{% block main %}{{ show(answer, id_prefix='q') }}{% endblock %}"
            "{% block aside %}{{ answer | cite_notes(id_prefix='q') }}{% endblock %}",
        }
    )
    page = make(loader=loader).get_template("page.html").render(answer=ANSWER)
    body, notes = page.split("</p>|")
    assert body + notes == f"<p>{render(ANSWER, 'html', id_prefix='q')}"


def test_a_block_is_a_text():
    """What stands between ``filter`` and ``endfilter`` is the text."""
    source = "{% filter cite(sources) %}Five **days** [1].{% endfilter %}"
    assert filled(source) == render(cite("Five **days** [1].", SOURCES), "html")


def test_one_answer_twice_on_a_page():
    """With different prefixes no id is there twice, and every link leads somewhere."""
    source = (
        "{{ answer | cite(id_prefix='a') }}{{ answer | cite(id_prefix='b', previews='hint') }}"
    )
    page = filled(source)
    assert set(ids(page).values()) == {1}
    assert targets(page) <= set(ids(page))


@pytest.mark.parametrize("name", ["cite", "cite_body", "cite_notes", "cite_parts"])
@pytest.mark.parametrize("class_", [jinja2.Undefined, jinja2.ChainableUndefined])
@pytest.mark.parametrize(
    "call", ["mising|{}", "text|{}(mising)", "answer|{}(id_prefix=mising)"]
)
def test_names_that_are_not_there_are_told(name, class_, call):
    """A misspelt name would leave every citation without its source: it is an error."""
    env = make(undefined=class_)
    with pytest.raises(UndefinedError, match="'mising' is undefined"):
        filled("{{ " + call.format(name) + " }}", env)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("text|cite", "sources of the text"),
        ("answer|cite(sources)", "sources: it is for a text"),
        ("answer|cite(unresolved='drop')", "unresolved: it is for a text"),
        ("answer|cite(preview='hint')", "option preview"),
        ("answer|cite(previews='yes')", "option previews"),
        ("5|cite", "not int"),
        ("none|cite_body", "not NoneType"),
    ],
)
def test_mistakes_are_told(call, message):
    """The error of a page names what is wrong."""
    with pytest.raises(CitemarkError, match=message):
        filled("{{ " + call + " }}")


def test_options_of_the_environment():
    """All uses start from them; a use may say otherwise, and overlays have them too."""
    env = make()
    env.policies[POLICY] = {"id_prefix": "site", "previews": "hint", "unresolved": "drop"}
    dropped = render(cite(TEXT, SOURCES, unresolved="drop"), "html", id_prefix="site")
    assert filled("{{ text | cite(sources, previews='none') }}", env) == dropped
    shown = render(ANSWER, "html", id_prefix="site", previews="hint")
    assert filled("{{ answer | cite }}", env) == shown
    assert filled("{{ stored | cite }}", env.overlay(autoescape=False)) == shown
    assert filled("{{ answer | cite }}", make()) == WHOLE


def test_options_may_come_first():
    """Options of an environment stay when the extension is added after them."""
    env = Environment(autoescape=True)
    env.policies[POLICY] = {"id_prefix": "site"}
    env.add_extension(CitemarkExtension)
    assert filled("{{ answer | cite }}", env) == render(ANSWER, "html", id_prefix="site")


def test_assets():
    """The elements for the head of a page."""
    head = filled("{{ cite_assets('/s/', names=['citemark.css']) }}")
    assert head == assets.tags("/s/", names=["citemark.css"])


@pytest.fixture
def name():
    """One of our templates, whichever are there."""
    return "html/notes.html"


def test_templates_of_the_caller_take_the_place_of_ours(name):
    """By name, below ``citemark/`` of the environment's own loader; the rest stays ours."""
    env = make(loader=DictLoader({f"citemark/{name}": "<i>mine</i>"}))
    page = filled("{{ answer | cite(id_prefix='x') }}", env)
    assert page.startswith(filled("{{ answer | cite_body(id_prefix='x') }}"))
    assert "<i>mine</i>" in page
    assert "cite-list" not in page
    assert "cite-list" in filled("{{ answer | cite }}")


RICH = r"""
# All there is

- [x] a task, "last departure: 21:40" [1][2] <<lost>>

```py
x = 1
```

$$
a
$$

and \(b\) [2].
"""
RICH_OPTIONS = (
    {"previews": "hint", "notes": "all", "math": True},
    {"previews": "button", "group": "joined"},
    {"notes": "none"},
)
PIECES = sorted(
    path.name
    for path in (EXAMPLES.parent / "templates" / "html").glob("*.html")
    if path.stem not in {"page", "assets"}  # no part of an answer
)


@pytest.mark.parametrize("piece", PIECES)
def test_any_template_can_be_replaced(piece):
    """A template of the same name is used wherever ours would be, and told what it gets."""
    answer = cite(RICH, SOURCES, consulted=True)
    source = "{% for o in options %}{{ answer | cite(**o) }}{% endfor %}"
    env = make(loader=DictLoader({f"citemark/html/{piece}": "<i>mine</i>"}))
    assert "<i>mine</i>" in filled(source, env, answer=answer, options=RICH_OPTIONS)
    ours = (EXAMPLES.parent / "templates" / "html" / piece).read_text("utf-8")
    assert ours.startswith("{#")


def test_templates_of_the_caller_can_include_ours():
    """With nothing added, all of them, each in place of ours, give what ours give."""
    answer = cite(RICH, SOURCES, consulted=True)
    same = {f"citemark/html/{n}": f"{{% include 'citemark/html/{n}' %}}" for n in PIECES}
    for options in RICH_OPTIONS:
        page = filled("{{ a|cite(**o) }}", make(loader=DictLoader(same)), a=answer, o=options)
        assert page == render(answer, "html", **options)


def test_templates_of_the_caller_get_values_escaped(name):
    """A template that shows a value shows text, whatever it is called."""
    env = make(loader=DictLoader({f"citemark/{name}": "{{ heading }}"}), autoescape=False)
    page = filled("{{ answer | cite_notes(heading='<b>') }}", env)
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_templates_by_option(name):
    """A loader given as an option has our names; it comes before the environment's."""
    given = DictLoader({name: "given"})
    env = make(loader=DictLoader({f"citemark/{name}": "own"}))
    assert "own" in filled("{{ answer | cite_notes }}", env)
    assert "given" in filled("{{ answer | cite_notes(templates=given) }}", env, given=given)
    env.policies[POLICY] = {"templates": given}
    assert "given" in filled("{{ answer | cite_notes }}", env)


@pytest.mark.parametrize("auto_reload", [True, False])
def test_templates_that_change(name, auto_reload):
    """They are seen if the environment looks for changes, as its own pages are."""
    files = {}
    env = make(loader=DictLoader(files), auto_reload=auto_reload)
    pages = [filled("{{ answer | cite }}", env)]
    for text in ("<hr>", "<br>"):
        files[f"citemark/{name}"] = text
        pages.append(filled("{{ answer | cite }}", env))
    del files[f"citemark/{name}"]
    pages.append(filled("{{ answer | cite }}", env))
    assert pages[0] == pages[3] == WHOLE
    assert ["<hr>" in pages[1], "<br>" in pages[2]] == [auto_reload] * 2


def test_pages_of_the_caller_are_not_taken_for_ours(name):
    """A page that happens to be called like one of our templates changes nothing."""
    assert filled("{{ answer | cite }}", make(loader=DictLoader({name: "theirs"}))) == WHOLE


def test_compiled_templates_change_nothing(tmp_path, name):
    """Pages may come from a loader without sources: what it holds was made for elsewhere."""
    files = DictLoader({"page.html": "{{ answer | cite }}", f"citemark/{name}": "mine"})
    make(loader=files).compile_templates(tmp_path, zip=None)
    env = make(loader=jinja2.ModuleLoader(tmp_path))
    assert env.get_template("page.html").render(answer=ANSWER) == WHOLE


def test_overlays_share_what_is_compiled(name):
    """An overlay for each page does not compile the templates again."""
    loads = []

    class Counted(DictLoader):
        def get_source(self, environment, template):
            found = super().get_source(environment, template)
            loads.append(template)
            return found

    env = make(loader=Counted({f"citemark/{name}": "mine"}))
    assert "mine" in filled("{{ answer | cite }}", env)
    once = len(loads)
    for _ in range(20):
        assert "mine" in filled("{{ answer | cite }}", env.overlay())
    assert len(loads) == once


@pytest.mark.parametrize("class_", [SandboxedEnvironment, ImmutableSandboxedEnvironment])
def test_templates_of_a_sandbox_stay_in_it(class_, name):
    """Who may write templates for a sandbox cannot have them run outside of it."""
    out = "{{ ''.__class__.__mro__ }}"
    loader = DictLoader({f"citemark/{name}": out, name: out})
    env = make(class_, loader=loader)
    assert filled("{{ answer | cite }}", env) == WHOLE
    with pytest.raises(SecurityError, match="templates"):
        filled("{{ answer | cite(templates=given) }}", env, given=loader)


def test_a_sandbox_keeps_its_functions():
    """A function that a template may not call is not called for it either."""
    called = []

    class Account:
        def close(self, source):
            called.append(source)

        close.unsafe_callable = True

        def shelf(self, source):
            return source.title

    env = make(SandboxedEnvironment)
    with pytest.raises(SecurityError, match="group_by"):
        filled("{{ text | cite(sources, group_by=it.close) }}", env, it=Account())
    assert called == []
    page = filled("{{ text | cite(sources, group_by=it.shelf) }}", env, it=Account())
    assert page == WHOLE


@pytest.mark.parametrize("syntax", TEMPLATE_SYNTAX)
@pytest.mark.parametrize("autoescape", [True, False])
def test_template_syntax_is_text(syntax, autoescape):
    """In a text, a title, a passage, an address, a key, a heading: it is shown as it is."""
    env = make(autoescape=autoescape, loader=DictLoader({"secret.txt": SECRET}))
    answer = hostile(syntax)
    for call in ("cite(**options)", "cite_body(**options) ~ answer|cite_notes(**options)"):
        options = {"previews": "hint", "heading": syntax, "id_prefix": "x"}
        page = filled("{{ answer|" + call + " }}", env, answer=answer, options=options,
                      secret=SECRET)  # fmt: skip
        assert page == render(answer, "html", **options)
        assert SECRET not in page
        assert page.count(shown(syntax)) > 5


@pytest.mark.parametrize("syntax", TEMPLATE_SYNTAX)
def test_template_syntax_is_text_in_templates_of_the_caller(syntax, name):
    """A template in the place of ours shows what it is given, and runs none of it."""
    loader = DictLoader({f"citemark/{name}": "{{ heading }}", "secret.txt": SECRET})
    page = filled("{{ a|cite_notes(heading=h) }}", make(loader=loader), a=hostile(syntax),
                  h=syntax, secret=SECRET)  # fmt: skip
    assert shown(syntax) in page
    assert SECRET not in page


def example_answers():
    """The answers of the examples, with their sources."""
    for path in sorted((EXAMPLES / "answers").glob("*.md")):
        records = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
        yield cite(path.read_text("utf-8"), records)


@pytest.fixture
def restless():
    """Threads take turns all the time."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("replaces", [False, True])
def test_threads(name, replaces):
    """Threads that render the same and different answers get the bytes that one alone gets."""
    answers = [*example_answers()][::6]
    options = [{}, {"id_prefix": "a", "previews": "hint"}, {"words": {"heading": "Ω"}}]
    templates = (
        {f"citemark/{name}": "{% include 'citemark/" + name + "' %}"} if replaces else {}
    )

    def page(env, job):
        template = env.from_string("{{ answer | cite(**options) }}")
        return template.render(answer=answers[job[0]], options=options[job[1]])

    jobs = [*product(range(len(answers)), range(len(options)))]
    one, shared = (make(loader=DictLoader(templates)) for _ in range(2))
    alone = [page(one, job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        together = [*pool.map(lambda job: page(shared, job), jobs * 2)]
    assert together == alone * 2


PROGRAM = """
import json, sys
from pathlib import Path
from jinja2 import Environment
from citemark import cite
sys.stdout.reconfigure(encoding="utf-8")
env = Environment(autoescape=True, extensions=["citemark.integrations.jinja.CitemarkExtension"])
page = env.from_string("{{ t | cite(s, links=l, words=w, previews='hint', notes='all') }}")
for path in sorted(Path(sys.argv[1]).glob("*.md"))[:4]:
    sources = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
    links, words = {"a.example", "b.example", "c.example"}, {"heading": "H", "missing": "M"}
    print(page.render(t=path.read_text("utf-8"), s=sources, l=links, w=words))
"""


def test_processes():
    """Two processes whose hashes differ write the same bytes."""
    pages = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, EXAMPLES / "answers"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    [page] = pages
    assert page.count(b"cite-notes") == 4

"""The extension in Flask, by its test client: the example, templates of the app, attacks."""

from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Blueprint, Flask, render_template, render_template_string
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


@pytest.fixture
def example():
    """The app of the example."""
    path = EXAMPLES / "flask_page.py"
    spec = importlib.util.spec_from_file_location("flask_page", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.app.test_client()


def make(folder, files=None):
    """An app that shows an answer in its own template, and the files of its template folder."""
    pages = {
        "page.html": "{{ answer | cite(id_prefix='p') }}",
        "page.txt": "{{ answer | cite(id_prefix='p') }}",  # Flask does not escape these
        **(files or {}),
    }
    for name, content in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    app = Flask(__name__, template_folder=folder)
    app.config.update(TESTING=True, SECRET_KEY=SECRET)
    app.jinja_env.add_extension(CitemarkExtension)
    return app


def got(app, name="page.html", **names):
    """What a client gets for a page."""
    names = {"answer": ANSWER, "text": TEXT, "sources": SOURCES, **names}
    app.add_url_rule("/", "page", lambda: render_template(name, **names))
    return app.test_client().get("/").text


def test_example_shows_all_answers(example):
    """Two stored answers stand on one page: no id twice, every link leads somewhere."""
    page = example.get("/").text
    assert set(ids(page).values()) == {1}
    assert targets(page) <= set(ids(page))
    assert page.count('class="cite-body"') == page.count('class="cite-cards"') == 2


def test_example_shows_one_answer(example):
    """By its number; there are no others."""
    assert 'id="answer-2-ref-1-1"' in example.get("/2").text
    assert example.get("/3").status_code == 404


def test_example_serves_what_it_loads(example):
    """Stylesheet and script of the page are there, and no other file of their folder."""
    page = example.get("/").text
    for asset in assets.files()[:2]:
        assert f'"/assets/{asset.name}" integrity="{asset.integrity}"' in page
        with example.get(f"/assets/{asset.name}") as response:
            assert len(response.data) == asset.size
    for name in ("__init__.py", "../__init__.py", "%2e%2e/__init__.py", ""):
        assert example.get(f"/assets/{name}").status_code == 404


@pytest.mark.parametrize("name", ["page.html", "page.txt"])
def test_nothing_is_escaped_twice(tmp_path, name):
    """Whether Flask escapes in a template of that name, or does not."""
    assert got(make(tmp_path), name) == render(ANSWER, "html", id_prefix="p")


def test_a_rendered_answer_needs_no_extension():
    """What ``render`` returns is shown as it is."""
    app = Flask(__name__)
    app.add_url_rule("/", "page", lambda: render_template_string("{{ it }}", it=render(ANSWER)))
    assert app.test_client().get("/").text == render(ANSWER)


def test_a_text_from_the_view(tmp_path):
    """Body and list of sources at two places of one page, from a text and its sources."""
    page = "<main>{{ text|cite_body(sources) }}</main><aside>{{ text|cite_notes(sources) }}"
    whole = got(make(tmp_path, {"page.html": page}))
    assert whole.replace("</main><aside>", "") == "<main>" + str(render(ANSWER, "html"))


def test_options_of_the_app(tmp_path):
    """All pages start from them."""
    app = make(tmp_path)
    app.jinja_env.policies[POLICY] = {"previews": "hint", "language": "de"}
    assert got(app) == render(ANSWER, "html", id_prefix="p", previews="hint", language="de")


def test_templates_of_the_app_take_the_place_of_ours(tmp_path):
    """Those in ``citemark/`` of its template folder."""
    page = got(make(tmp_path, {"citemark/html/notes.html": "<i>mine</i>"}))
    assert "<i>mine</i>" in page
    assert "cite-list" not in page


def test_templates_of_a_blueprint_take_the_place_of_ours(tmp_path):
    """Flask finds templates of blueprints too, also of those that come later."""
    app = make(tmp_path / "app")
    make(tmp_path / "theirs", {"citemark/html/notes.html": "<i>theirs</i>"})
    app.register_blueprint(Blueprint("b", __name__, template_folder=tmp_path / "theirs"))
    assert "<i>theirs</i>" in got(app)


def test_other_templates_of_the_app_change_nothing(tmp_path):
    """A page of the app may be called like one of our templates."""
    app = make(tmp_path, {"html/notes.html": "theirs", "html/answer.html": "theirs"})
    assert got(app) == render(ANSWER, "html", id_prefix="p")


def test_mistakes_are_told(tmp_path):
    """The view raises, with the name of the option."""
    with pytest.raises(CitemarkError, match="option preview:"):
        got(make(tmp_path, {"page.html": "{{ answer | cite(preview='hint') }}"}))


@pytest.mark.parametrize("syntax", TEMPLATE_SYNTAX)
def test_template_syntax_is_text(tmp_path, syntax):
    """What an answer or a source holds is shown, and runs nowhere."""
    app = make(tmp_path, {"secret.txt": SECRET})
    page = got(app, answer=hostile(syntax), secret=SECRET)
    assert page == render(hostile(syntax), "html", id_prefix="p")
    assert page.count(shown(syntax)) > 3
    assert SECRET not in page


def test_requests_at_once(tmp_path):
    """Requests of several threads get what each gets alone."""
    app = make(tmp_path)
    answers = [cite(f"Answer {n} [1][2].", SOURCES) for n in range(20)]
    app.add_url_rule(
        "/<int:n>", "one", lambda n: render_template("page.html", answer=answers[n])
    )
    client = app.test_client
    with ThreadPoolExecutor(4) as pool:
        pages = [*pool.map(lambda n: client().get(f"/{n % 20}").text, range(60))]
    assert pages == [render(answer, "html", id_prefix="p") for answer in answers] * 3

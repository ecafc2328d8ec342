"""html-validate has nothing to say of any page: examples in every mode, attacks, the live page.

The program comes from npm: ``make build/html-validate`` installs it.  Where everything is
checked (``CI`` is set) it has to be there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from html_rules import EXAMPLES, OPTIONS, example_answers, made_answers
from starlette.testclient import TestClient

from citemark import render
from citemark.checks import Summary, as_html, check
from citemark.cli.page import Section, page
from citemark.demo import create_app
from citemark.renderers.html import LANGUAGES, Group, Notes, Previews

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark import Answer

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "build" / "html-validate" / "node_modules" / ".bin" / "html-validate"
CONFIG = ROOT / "tests" / "html_validate" / "config.mjs"


@pytest.fixture(scope="module")
def validate(tmp_path_factory):
    """Return what html-validate says of pages by name, in lines."""
    if not PROGRAM.exists():
        missing = "html-validate is missing: install npm, then make build/html-validate"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)

    def run(pages: Iterable[tuple[str, str]]) -> list[str]:
        folder = tmp_path_factory.mktemp("pages")
        for name, html in pages:
            (folder / f"{name}.html").write_text(html, "utf-8")
        said = folder.with_suffix(".json")
        # To a file: it exits without waiting for a pipe that is full.
        command = [PROGRAM, "--config", CONFIG, "--formatter", f"json={said}", folder]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode in (0, 1), done.stderr
        return [
            f"{Path(file['filePath']).name}:{each['line']} {each['ruleId']}: {each['message']}"
            for file in json.loads(said.read_text("utf-8"))
            for each in file["messages"]
        ]

    return run


def in_every_mode(answer: Answer) -> Iterator[Section]:
    """Yield an answer with each choice of previews, notes and groups, for one page."""
    modes = product(get_args(Previews), get_args(Notes), get_args(Group))
    for number, (previews, notes, group) in enumerate(modes):
        id_ = f"heading-{number}"
        html = render(
            answer,
            "html",
            id_prefix=f"a{number}",
            labelled_by=id_,
            previews=previews,
            notes=notes,
            group=group,
            heading_level=3,
            language=LANGUAGES[number % len(LANGUAGES)],
        )
        yield Section(html, f"{previews}, {notes}, {group}", id_)


def attacks(count: int) -> Iterator[tuple[str, str]]:
    """Yield pages with answers that are put together from broken and hostile pieces."""
    for number, answer in enumerate(made_answers(count, seed=7)):
        html = render(answer, "html", id_prefix="p", **OPTIONS[number % len(OPTIONS)])
        yield f"attack-{number}", page("Attack", [Section(html)])


def test_examples(validate):
    """Every example answer, in every mode."""
    answers = enumerate(example_answers(), 1)
    pages = [(f"example-{n}", page("Answers", in_every_mode(each))) for n, each in answers]
    assert len(pages) == len([*EXAMPLES.glob("*.md")])
    assert validate(pages) == []


def test_attacks(validate):
    """Whatever a model or a source writes, the page is right."""
    assert validate(attacks(150)) == []


def test_page_of_the_examples(validate, tmp_path):
    """What ``make demo`` makes."""
    subprocess.run([sys.executable, ROOT / "examples" / "demo.py", tmp_path], check=True)
    assert validate([("demo", (tmp_path / "index.html").read_text("utf-8"))]) == []


def test_live_page(validate):
    """The pages of ``citemark demo``: the first, with a mistake, with answers, not found."""
    client = TestClient(create_app(), base_url="http://127.0.0.1:8000")
    wrong = client.post("/answers", data={"answer": "A [1]", "sources": "[{"})
    shown = {
        "start": client.get("/"),
        "wrong": wrong,
        "missing": client.get("/nothing"),
        **{path.stem: client.get(f"/answers/{path.stem}") for path in EXAMPLES.glob("*.md")},
    }
    assert {each.status_code for each in shown.values()} == {200, 404, 422}
    assert validate((name, each.text) for name, each in shown.items()) == []


def test_reports(validate):
    """The page of a report, and that of a summary: examples, and attacks."""
    answers = [*example_answers(), *made_answers(60, seed=13)]
    reports = [check(answer) for answer in answers]
    summary = Summary(sections=5)
    for report in reports:
        summary.add(report)
    summary.add_error("row 3", "is no JSON")
    pages = {f"report-{n}": as_html(report) for n, report in enumerate(reports)}
    assert validate([*pages.items(), ("summary", summary.to_html())]) == []


def test_mistakes_are_found(validate):
    """A page that is wrong is told."""
    found = validate([("wrong", page("Wrong", [Section('<p id="a" id="a"><div></p>')]))])
    assert {line.split()[1] for line in found} >= {"no-dup-attr:"}

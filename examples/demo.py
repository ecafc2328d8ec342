"""Render the answers in ``answers/`` to one page.

    python examples/demo.py [FOLDER]

Writes ``index.html`` and ``citemark.css`` to FOLDER (by default ``build/demo``).  Open the page
in a browser: a number leads to its source, the arrow behind a source leads back.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from citemark import Answer, cite, render
from citemark.cli.page import Section, page, write_stylesheet

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).resolve().parent
ANSWERS = HERE / "answers"
FOLDER = HERE.parent / "build" / "demo"
WRITTEN = Markup(
    '<details><summary>What the model wrote</summary>\n<pre dir="auto">{}</pre></details>\n'
)
LANGUAGES = {
    "german": "de", "french": "fr", "spanish": "es",
    "chinese": "zh", "japanese": "ja", "arabic": "ar",
}  # fmt: skip
"""By the first word of a name; what is not here says "Sources" in English."""


def read_answer(path: Path) -> Answer:
    """Return the answer in a Markdown file, cited from the ``.sources.json`` beside it."""
    sources = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
    return cite(path.read_text("utf-8"), sources)


def heading(path: Path) -> str:
    """Return the heading of an answer: "Table of plans" for ``03-table-of-plans``."""
    return path.stem.partition("-")[2].replace("-", " ").capitalize()


def section(path: Path, answer: Answer, name: str) -> Section:
    """Return an answer and its heading, whose ids start with a name.

    Every answer has a source 1: the name tells the ids apart.  Every list is called "Sources":
    ``labelled_by`` adds the heading, so that people who hear the page know which one it is.
    Headings of the answer, most of them of level 2, come below its own.
    """
    id_ = f"{name}-heading"
    language = LANGUAGES.get(path.stem.split("-")[1], "en")
    options = {"id_prefix": name, "labelled_by": id_, "heading_level": 3, "heading_shift": 1}
    html = render(answer, "html", previews="hint", language=language, **options)
    return Section(html + written(path), heading(path), id_)


def written(path: Path) -> Markup:
    """Return what the model wrote, to be unfolded below what has become of it."""
    return WRITTEN.format(path.read_text("utf-8"))


def count_citations(answers: Iterable[Answer]) -> int:
    """Return how many citations have a source."""
    return sum(1 for answer in answers for citation in answer.citations if citation.source)


def main() -> None:
    """Write the page, say where it is, and print the first answer."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    answers = {path: read_answer(path) for path in sorted(ANSWERS.glob("*.md"))}
    sections = [
        section(path, answer, f"a{number}")
        for number, (path, answer) in enumerate(answers.items(), 1)
    ]
    index = folder / "index.html"
    html = page("Answers with their sources", sections, contents="Answers")
    index.write_text(html, encoding="utf-8")
    write_stylesheet(folder)

    print(f"{len(answers)} answers, {count_citations(answers.values())} citations: {index}")


if __name__ == "__main__":
    main()

"""The stylesheet: nothing is loaded, sides are logical, colours have names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from citemark import assets

ROOT = Path(__file__).parents[1]
CSS = re.sub(
    r"/\*.*?\*/", "", (assets.path() / "citemark.css").read_text("utf-8"), flags=re.DOTALL
)
RULES = re.findall(r"([^{}]+)\{([^{}]*)\}", CSS)
DECLARATIONS = [
    (selector.strip(), *map(str.strip, declaration.split(":", 1)))
    for selector, body in RULES
    for declaration in body.split(";")
    if declaration.strip()
]
TEMPLATES = sorted(ROOT.joinpath("templates", "html").glob("*.html"))
UNSTYLED = {"cite-cards", "cite-card-kind", "cite-answer"}
"""Classes that are there for the styles of others, or only hidden on paper."""


def test_nothing_is_loaded():
    """No font, picture or other stylesheet comes from anywhere."""
    assert not re.search(r"url\(|@import|@font-face|image-set", CSS)


def test_sides_are_logical():
    """A page from right to left needs no rules of its own."""
    side = re.compile(
        r"(?:(?:margin|padding|border|inset|scroll-margin)-)?(?:left|right|top|bottom)(?:-.+)?"
        r"|(?:min-|max-)?(?:width|height)|float-(?:left|right)"
    )
    assert [each for each in DECLARATIONS if side.fullmatch(each[1])] == []
    assert not [each for each in DECLARATIONS if each[2] in {"left", "right"}]


def test_colours_have_names():
    """Each colour is a custom property, but for black on paper."""
    literal = [
        (selector, name, value)
        for selector, name, value in DECLARATIONS
        if re.search(r"#[0-9a-f]{3,8}\b|rgb|hsl", value) and not name.startswith("--")
    ]
    assert [(name, value) for _, name, value in literal] == [("color", "#000")]


def test_custom_properties_are_used_and_defined():
    """No property is asked for that there is not, and none is there for nothing."""
    used = set(re.findall(r"var\((--[\w-]+)\)", CSS))
    assert used == {name for _, name, _ in DECLARATIONS if name.startswith("--")}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_classes_of_templates_have_rules(path):
    """What the templates call something is what the stylesheet calls it."""
    classes = set(
        re.findall(
            r"cite-[a-z-]+[a-z]",
            " ".join(re.findall(r'class="([^"]*)"', path.read_text("utf-8"))),
        )
    )
    known = set(re.findall(r"\.(cite[\w-]*)", CSS))
    assert classes - known - UNSTYLED - {"cite-icon--"} == set()

"""What ``import citemark`` and the command bring in: the libraries wait until they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"jinja2", "markdown_it", "pydantic", "click", "regex"}


def loaded_by(code: str) -> set[str]:
    """Top-level names of all modules that are loaded after some code has run."""
    code += "\nimport sys; print(*sorted(name.partition('.')[0] for name in sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(run.stdout.split("\n")[-2].split())


def test_import_brings_in_no_library():
    """The import costs the standard library only."""
    assert loaded_by("import citemark") & HEAVY == set()


def test_every_public_name_is_there_after_a_bare_import():
    """Names that are loaded late are listed, and can be had."""
    code = "import citemark\nfor name in citemark.__all__: getattr(citemark, name)"
    assert "citemark" in loaded_by(code)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["render", "--help"]])
def test_help_brings_in_click_only(arguments):
    """The command imports what it needs when it needs it."""
    code = (
        "from citemark.cli import main\n"
        f"main({arguments!r}, prog_name='citemark', standalone_mode=False)"
    )
    assert loaded_by(code) & HEAVY == {"click"}

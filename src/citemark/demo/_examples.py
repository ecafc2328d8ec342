"""The answers to play: those of the folder ``examples/answers``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

from citemark.demo._pasted import Pasted, as_text

__all__ = ["example", "examples"]

_HERE: Final = Path(__file__).resolve().parent

FOLDERS: Final = (_HERE / "answers", _HERE.parents[2] / "examples" / "answers")
"""In a wheel the answers are package data; in a checkout they are in a top-level folder."""

_RECORDS: Final = ".sources.json"


@cache
def examples() -> dict[str, str]:
    """Return the titles of all examples, by name, in order of their numbers.

    Empty if there are none: who repackages citemark may leave them out.
    """
    return {path.stem: _title(path.stem) for path in sorted(_folder().glob("*.md"))}


@cache
def example(name: str) -> Pasted:
    """Return an example by its name, which is one of ``examples()``."""
    path = _folder() / f"{name}.md"
    records = json.loads(path.with_suffix(_RECORDS).read_text("utf-8"))
    return Pasted(path.read_text("utf-8"), as_text(records), title=_title(name))


def _folder() -> Path:
    return next((folder for folder in FOLDERS if folder.is_dir()), FOLDERS[0])


def _title(name: str) -> str:
    """Return "Table of plans" for ``03-table-of-plans``."""
    return name.partition("-")[2].replace("-", " ").capitalize()

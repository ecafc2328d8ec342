"""Extras: each is in the table of the docs, and what needs one says which."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import citemark
from citemark._extras import extra
from citemark.errors import MissingExtraError

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TABLE = dict(
    re.findall(
        r"^\| `(\w+)` \| ([^|]+) \|",
        (ROOT / "docs" / "quickstart.md").read_text("utf-8"),
        re.MULTILINE,
    )
)


def names_of(requirement: str) -> set[str]:
    """Return what a requirement brings: an extra of our own brings what that does."""
    own = re.fullmatch(r"citemark\[(\w+)\]", requirement)
    if own is None:
        return {re.match(r"[\w-]+", requirement)[0]}
    return {name for one in EXTRAS[own[1]] for name in names_of(one)}


EXTRAS = PROJECT["optional-dependencies"]


def test_table_of_extras():
    """The docs have each extra, with the packages that it brings, and no other."""
    brought = {
        name: {package for one in needed for package in names_of(one)}
        for name, needed in EXTRAS.items()
    }
    assert {name: set(cell.split(", ")) for name, cell in TABLE.items()} == brought


@pytest.mark.parametrize(
    ("module", "package", "name"),
    [
        ("citemark.integrations.pydantic", "pydantic", "pydantic"),
        ("citemark.integrations.sentencex", "sentencex", "segment"),
        ("citemark.batch.arrow", "pyarrow", "arrow"),
        ("citemark.batch.spark", "pyspark", "spark"),
        ("citemark.demo", "starlette", "demo"),
        ("citemark.demo", "uvicorn", "demo"),
    ],
)
def test_what_needs_an_extra_names_it(module, package, name):
    """In a fresh interpreter in which the package cannot be found."""
    code = f"import sys; sys.modules[{package!r}] = None; import {module}"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    last = run.stderr.splitlines()[-1]
    assert re.fullmatch(
        rf"citemark\.errors\.MissingExtraError: needs {package}[\w.]*; "
        rf"run: pip install 'citemark\[{name}\]', in a checkout '\.\[{name}\]'",
        last,
    )


def test_what_is_missing_of_ours_is_no_extra():
    """A module of citemark that is not there is a broken installation."""
    with pytest.raises(ModuleNotFoundError) as caught, extra("demo"):
        import citemark.nowhere  # noqa: F401
    assert type(caught.value) is ModuleNotFoundError
    with (
        pytest.raises(MissingExtraError, match="needs nowhere_at_all") as caught,
        extra("demo"),
    ):
        import nowhere_at_all  # noqa: F401
    assert (caught.value.extra, caught.value.package) == ("demo", "nowhere_at_all")


def test_names_of_the_package():
    """What a shell completes are the public names."""
    assert dir(citemark) == sorted(citemark.__all__)

"""``citemark assets``: the files are copied, and what is printed says so."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from citemark.assets import NAMES, files


@pytest.mark.parametrize("hashed", [False, True])
def test_manifest(citemark, tmp_path, hashed):
    """As JSON it has all that ``files`` says, and as what the file was copied."""
    flags = ["--hashed"] if hashed else []
    result = citemark("assets", "--out", "site/static", "--json", *flags)
    assert (result.code, result.err) == (0, "")
    names = [asset.hashed_name if hashed else asset.name for asset in files()]
    manifest = json.loads(result.out)
    assert manifest == [
        {"file": name, **asdict(asset)} for name, asset in zip(names, files(), strict=True)
    ]
    copied = tmp_path / "site" / "static"
    assert sorted(path.name for path in copied.iterdir()) == sorted(names)


def test_table(citemark):
    """For people it is a table with a row for each file."""
    result = citemark("assets", "-o", ".")
    head, *rows = (line.split() for line in result.out.splitlines())
    assert head == ["file", "bytes", "integrity"]
    assert rows == [[asset.name, str(asset.size), asset.integrity] for asset in files()]


def test_file_of_another_stays(citemark, files, tmp_path):
    """It is named, and nothing is copied."""
    files(citemark__css="body {}")
    result = citemark("assets", "--out", str(tmp_path))
    assert (result.code, result.out) == (2, "")
    assert "citemark.css" in result.err
    assert "is not ours" in result.err
    assert (tmp_path / "citemark.css").read_text("utf-8") == "body {}"
    assert not (tmp_path / NAMES[1]).exists()


@pytest.mark.parametrize("out", ["answer.md", "answer.md/static"])
def test_folder_that_cannot_be(citemark, files, out):
    """A file in the way is told in a line."""
    files()
    result = citemark("assets", "--out", out)
    assert (result.code, result.out) == (2, "")
    assert "answer.md" in result.err


def test_out_is_needed(citemark):
    """Nothing is written to a place that was not named."""
    result = citemark("assets")
    assert result.code == 2
    assert "Missing option '--out'" in result.err

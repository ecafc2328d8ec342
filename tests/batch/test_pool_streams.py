"""Streams that the shell closed: one clear error."""

from __future__ import annotations

import sys

import pytest

from citemark.batch._faults import BatchFileError
from citemark.batch.run import Run


@pytest.mark.parametrize(("name", "given"), [("stdin", "-"), ("stdout", "in.jsonl")])
def test_closed_streams(tmp_path, monkeypatch, name, given):
    """``<&-`` and ``>&-``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text('{"answer": "x"}\n', "utf-8")
    monkeypatch.setattr(sys, name, None)
    with pytest.raises(BatchFileError, match=f"^{name}: is closed$"):
        Run([given], "-" if name == "stdout" else "out.jsonl", workers=0).go()

"""The command, run in the process of the test, and files for it."""

from __future__ import annotations

import io
import json
import math

import pytest
from cli_kit import ANSWER, RECORDS, Result

from citemark.cli import main


@pytest.fixture
def citemark(capsysbinary, monkeypatch, tmp_path):
    """The command, run in an empty folder.

    Takes arguments, what is on stdin, and the name of a stream that is closed.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "citemark.cli._batch_progress.EVERY", math.inf
    )  # a slow machine tells more

    def run(*arguments: str, stdin: bytes = b"", closed: str = "") -> Result:
        code = 0
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            if closed:  # by the shell, as ``>&-`` does
                patch.setattr(f"sys.{closed}", None)
            try:
                main(list(arguments), prog_name="citemark")
            except SystemExit as end:
                code = int(end.code or 0)
        captured = capsysbinary.readouterr()
        return Result(code, captured.out.decode(), captured.err.decode())

    return run


@pytest.fixture
def files(tmp_path):
    """Write an answer and its sources, or what a test gives instead."""

    def write(**contents: bytes | str) -> None:
        given = {"answer.md": ANSWER, "sources.json": json.dumps(RECORDS)} | {
            name.replace("__", "."): content for name, content in contents.items()
        }
        for name, content in given.items():
            data = content.encode() if isinstance(content, str) else content
            (tmp_path / name).write_bytes(data)

    return write

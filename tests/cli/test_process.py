"""The command in a process of its own: pipes and encodings."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-m", "citemark")


def test_a_closed_pipe_is_quiet():
    """Who reads only the first lines sees no traceback; the exit code is that of SIGPIPE."""
    process = subprocess.Popen(
        [*COMMAND, "markers", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    process.stdout.close()
    with contextlib.closing(process.stderr):
        process.stdin.write(b"A claim [1]. " * 10_000)
        process.stdin.close()
        assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 141)


def test_output_is_utf_8_whatever_the_locale(tmp_path):
    """A C locale or another encoding for Python's streams changes nothing."""
    (tmp_path / "sources.json").write_text('[{"id": "a", "title": "Übersicht 概要"}]', "utf-8")
    arguments = ("render", "-", "-s", "sources.json", "-t", "text")
    outputs = {
        subprocess.run(
            [*COMMAND, *arguments],
            input="Größe 長さ [1]".encode(),
            cwd=tmp_path,
            env=os.environ | {"PYTHONIOENCODING": encoding, "LC_ALL": "C", "PYTHONUTF8": "0"},
            capture_output=True,
            check=True,
        ).stdout
        for encoding in ("ascii", "latin-1", "utf-8")
    }
    [output] = outputs
    assert "Größe 長さ" in output.decode("utf-8")
    assert "Übersicht 概要" in output.decode("utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is full")
def test_a_full_disk_gives_one_line():
    """What cannot be written is said once, also when the interpreter ends."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "markers", "--json"],
            input=b"A claim [1].",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    message = b"Error: stdout: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is full")
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["render", "--help"]])
def test_help_on_a_full_disk_gives_one_line(arguments):
    """What commands say of themselves is written as carefully as their data."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, check=False
        )
    message = b"Error: stdout: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["render", "--help"]])
def test_help_into_a_closed_pipe_is_quiet(arguments):
    """Help that nobody reads ends as the commands do."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


INTERRUPTED = """
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from citemark.cli import main
main({arguments!r})
"""


@pytest.mark.parametrize("name", ["citemark.cli._main", "click", "citemark.batch.run"])
def test_an_interrupt_while_modules_are_loaded(tmp_path, name):
    """The command ends without a traceback, with the exit code of an interrupt."""
    code = INTERRUPTED.format(name=name, arguments=["batch", "in.jsonl", "-o", "out.jsonl"])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")

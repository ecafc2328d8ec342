"""The wheel and the sdist hold what they must, and work outside the checkout."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from citemark import cite, render

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TEXT = "Refunds take *five* days [1], see <<faq>>."
SOURCES = [{"id": "pol", "title": "Refund policy", "url": "https://example.org/refunds"}]
IGNORED = re.compile(r"(?:^|/)(?:__pycache__|\.[^/]+)(?:/|$)")
PROGRAM = f"""
from citemark import cite, render
answer = cite({TEXT!r}, {SOURCES!r})
for name in ("html", "markdown", "text", "json"):
    print(render(answer, name))
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Output of a command; what it says is shown if it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    """Folder with an sdist of the checkout, and with a wheel made from that sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def unpacked(dist) -> Path:
    """Folder of the unpacked sdist."""
    [archive] = dist.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(dist, filter="data")
    return dist / archive.name.removesuffix(".tar.gz")


def files_of(folder: Path, below: str) -> set[str]:
    """Names of all files in a folder of the checkout, as they are named in the wheel."""
    return {
        f"{below}/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*")
        if path.is_file() and not IGNORED.search(path.relative_to(folder).as_posix())
    }


def installed(folder: Path, what: Path) -> Path:
    """Python of a new environment in which something is installed, with its dependencies."""
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", what, cwd=folder)
    return python


def assert_works(python: Path, cwd: Path) -> None:
    """What is installed renders as the checkout does, and has the command."""
    answer = cite(TEXT, SOURCES)
    expected = [render(answer, name) for name in ("html", "markdown", "text", "json")]
    assert run(python, "-I", "-c", PROGRAM, cwd=cwd) == "\n".join([*expected, ""])
    said = run(python.with_name("citemark"), "--version", cwd=cwd)
    assert said == f"citemark {version('citemark')}\n"


def test_wheel_holds_the_package_the_templates_and_the_answers_only(dist):
    """Modules, schemas and assets come from src; the answers are what the live page plays."""
    [wheel] = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = files_of(ROOT / "src" / "citemark", "citemark")
    expected |= files_of(ROOT / "templates", "citemark/templates")
    assert names == expected | files_of(ROOT / "examples" / "answers", "citemark/demo/answers")
    assert "citemark/py.typed" in names


def test_wheel_names_its_licence(dist):
    """The licence is in the wheel, as an SPDX name and as a text."""
    [wheel] = dist.glob("*.whl")
    folder = f"citemark-{version('citemark')}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"{folder}/METADATA").decode()
        licence = archive.read(f"{folder}/licenses/LICENSE").decode()
    assert "License-Expression: MIT" in metadata.splitlines()
    assert licence == (ROOT / "LICENSE").read_text("utf-8")


def test_sdist_holds_the_tests_and_the_templates(unpacked):
    """Who repackages citemark can build and test it from the sdist."""
    for folder in ("src", "templates", "tests"):
        assert files_of(unpacked / folder, folder) == files_of(ROOT / folder, folder)


def test_wheel_works_outside_the_checkout(dist, tmp_path):
    """A wheel needs its declared dependencies and nothing else."""
    [wheel] = dist.glob("*.whl")
    assert_works(installed(tmp_path, wheel), tmp_path)


def test_sdist_installs_with_pip(unpacked, tmp_path):
    """``pip install .`` in an unpacked sdist gives what the wheel gives."""
    copy = tmp_path / "copy"
    shutil.copytree(unpacked, copy)
    assert_works(installed(tmp_path, copy), tmp_path)

"""Settings of the property tests, and the collector of the case files.

Every example in ``cases/*.md`` is a test.  The files have the form of the CommonMark
specification: prose, and blocks fenced by 32 backticks that hold an input, a line with a full
stop, and what is expected.  The words after ``example`` say what is compared, and how:
``example segments unresolved=drop`` (see ``case_kinds``).  ``pytest --update-cases`` rewrites
what is expected: read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from case_kinds import EXAMPLE, FENCE
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

for name, examples in {"dev": 60, "ci": 120}.items():
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("ci" if os.environ.get("CI") else "dev")

HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-cases", action="store_true", help="rewrite expected output")


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> CaseFile | None:
    if file_path.suffix == ".md" and file_path.parent.name == "cases":
        return CaseFile.from_parent(parent, path=file_path)
    return None


class CaseFile(pytest.File):
    def collect(self) -> Iterator[Case]:
        content = self.path.read_text(encoding="utf-8")
        for example in EXAMPLE.finditer(content):
            line = content.count("\n", 0, example.start()) + 1
            headings = HEADING.findall(content, 0, example.start()) or [self.path.stem]
            name = f"{line}: {headings[-1]}"
            yield Case.from_parent(self, name=name, example=example, line=line)


class Case(pytest.Item):
    def __init__(
        self, *, name: str, parent: pytest.Collector, example: re.Match[str], line: int
    ) -> None:
        super().__init__(name, parent)
        self.example, self.line = example, line

    def runtest(self) -> None:
        from case_kinds import run_case  # here, so that collecting needs no package

        kind, options, text, expected = self.example.groups()
        actual = run_case(kind, options, text.removesuffix("\n"))
        if self.config.getoption("--update-cases"):
            self._rewrite(actual)
        else:
            assert actual == expected

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        if not excinfo.errisinstance(AssertionError):
            return str(excinfo.getrepr(style="short"))
        return f"{self.path.name}:{self.line}\n{self.example['input']}{excinfo.value}"

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line - 1, self.name

    def _rewrite(self, actual: str) -> None:
        old = self.example[0]
        new = old.removesuffix(self.example["expected"] + FENCE) + actual + FENCE
        content = self.path.read_text(encoding="utf-8")
        self.path.write_text(content.replace(old, new, 1), encoding="utf-8")

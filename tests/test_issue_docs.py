"""The page of issues has each code, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from issue_codes import codes_in

ROOT = Path(__file__).parents[1]


def test_every_code_has_its_row():
    """In the first cell of one row; those that are told together share one."""
    page = (ROOT / "docs" / "issues.md").read_text("utf-8")
    cells = re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE)
    explained = [code for cell in cells for code in re.findall(r"`(\w+)`", cell)]
    assert sorted(explained) == sorted(codes_in(ROOT / "src" / "citemark"))


def test_codes_are_found_wherever_they_stand(tmp_path):
    """As a text, a choice, a name, a default, in a table, and as a kind of what is unknown."""
    (tmp_path / "module.py").write_text(
        'CODE: Final = "a_name"\n'
        'ISSUES: Final = {"step": ("in_table", "a message")}\n'
        'def _note(entry, message, code="by_default"): ...\n'
        "def told(self):\n"
        '    code = "one" if self.is_one else "another"\n'
        "    self.issue(code, message)\n"
        '    self._note(entry, "a message", CODE)\n'
        '    Issue("plain", "a message", 0, 0, "key")\n'
        '    draft.unknown("thing", name)\n'
        '    Format("name", note="of_row")\n',
        "utf-8",
    )
    assert codes_in(tmp_path) == {
        *("a_name", "in_table", "by_default", "one", "another", "plain", "unknown_thing"),
        "of_row",
    }

"""The codes of issues in the source code, found by reading it."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["codes_in"]

SAYS: Final = {"Fault", "Issue", "Remark", "issue", "note", "_issue", "_note"}
"""What is called with a code, or with something else and a code that it has by default."""

GIVES: Final = {"note", "code"}
"""Arguments by keyword that are codes: of the rows of formats, too."""

CODE: Final = re.compile(r"[a-z]+(?:_[a-z]+)*")
"""What a code looks like; a message has blanks."""

UNKNOWN: Final = "unknown"
"""What is called with the kind of what is not known."""


def codes_in(folder: Path) -> set[str]:
    """Return all codes that the modules below a folder tell issues with."""
    found = {code for path in folder.rglob("*.py") for code in _codes(path)}
    return {code for code in found if CODE.fullmatch(code)}


def _codes(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _of_call(node, tree)
        elif isinstance(node, ast.FunctionDef) and node.name in SAYS:
            yield from (code for value in node.args.defaults for code in _texts(value, tree))
        elif isinstance(node, ast.AnnAssign) and _name(node.target) == "ISSUES":
            yield from _of_table(node, tree)


def _of_call(call: ast.Call, tree: ast.Module) -> Iterator[str]:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == UNKNOWN:
        yield from (f"unknown_{kind}" for kind in _texts(call.args[0], tree))
    elif name in SAYS:
        for argument in (
            call.args[:1] + call.args[2:3]
        ):  # the first or, after a message, the last
            yield from (text for text in _texts(argument, tree) if CODE.fullmatch(text))
    for keyword in call.keywords if name in {*SAYS, "Format"} else ():
        if keyword.arg in GIVES:
            yield from _texts(keyword.value, tree)


def _of_table(table: ast.AnnAssign, tree: ast.Module) -> Iterator[str]:
    """Yield the codes of a table of pairs: code and message."""
    for pair in ast.walk(table):
        if isinstance(pair, ast.Tuple):
            yield from _texts(pair.elts[0], tree)


def _texts(node: ast.expr, tree: ast.Module) -> Iterator[str]:
    """Yield the texts that an expression may be; a name is one of those that it is given."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, tree)
        yield from _texts(node.orelse, tree)
    elif isinstance(node, ast.Name):
        for given in ast.walk(tree):
            if isinstance(given, ast.Assign) and node.id in map(_name, given.targets):
                yield from _texts(given.value, tree)
            is_typed = isinstance(given, ast.AnnAssign) and node.id == _name(given.target)
            if is_typed and given.value is not None:
                yield from _texts(given.value, tree)


def _name(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else ""

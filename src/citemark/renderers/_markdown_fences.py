"""Blocks of code that every parser reads as code, or that become text.

Parsers disagree on how far a list reaches, and on which line closes a fence.  Where one of them
sees a fence more, or less, code and text change places below it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

import regex

from citemark.renderers._markdown_outside import (
    CONTAINERS,
    DEFINITION,
    Change,
    is_dangerous,
)
from citemark.renderers._markdown_text import escape_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark.renderers._markdown_read import CodeBlock, Reading

__all__ = ["fence_changes"]

MAX_INDENT: Final = 3
"""Columns before a fence that is one wherever its line stands (CommonMark 0.31.2, 4.5)."""

TAB: Final = 4

_ITEM_MARK: Final = r"(?:[*+-]|[0-9]{1,9}[.)])"
_LOOSE: Final = regex.compile(
    rf"^{CONTAINERS}(?P<run>`{{3,}}+(?=[^`\n]*+$)|~{{3,}}+)", regex.MULTILINE
)
_OPENING: Final = regex.compile(
    r"(?P<blanks>[ \t]*+)(?P<quotes>(?:>[ \t]?+)*+)(?P<inner>[ \t]*+)"
    rf"(?P<item>(?:{_ITEM_MARK}[ \t]++)*+)(?P<run>`{{3,}}+|~{{3,}}+)"
)
_CLOSING: Final = regex.compile(
    r"[ \t>]*+(?P<run>`{3,}+|~{3,}+)(?P<after>[~`]*+)(?P<blanks>[ \t]*+)\r?+"
)
_ITEM: Final = regex.compile(rf"(?P<blanks>[ \t]*+){_ITEM_MARK}[ \t]{{1,4}}+(?=[^ \t])")
# Lists as some number them, definitions, fields and notes: what may hold lines by their indent.
_ITEM_START: Final = regex.compile(
    rf"[ \t>]*+(?:(?:{_ITEM_MARK}|\(?+(?:[0-9]{{1,9}}|[A-Za-z@#]|[ivxlcdmIVXLCDM]{{1,9}})[.)])"
    r"(?:[ \t\r]|\Z)|[:~/@{%]|[!?=.]{2})"
)
_DEFINED: Final = regex.compile(r"[ \t>]*+[:~](?:[ \t\r]|\Z)")
_BLANKS: Final = regex.compile(r"[ \t]*+")
_QUOTES: Final = regex.compile(r"[ \t]*+(?:>[ \t]?+)*+")
_MARKS: Final = regex.compile(rf"(?:[ \t]*+(?:>|{_ITEM_MARK}(?=[ \t])))*+")
_TICKS: Final = regex.compile(r"`{3,}+")
_FORMULAS: Final = (
    (regex.compile(r"(?<!\\)\$\$"), "$$", r"\$\$"),
    (regex.compile(r"(?<!\\)(?:\\\\)*+\K\\\["), r"\]", "&#91;"),
)
"""What begins a formula, what ends it, and how the beginning is shown as it is."""


def fence_changes(source: str, outside: str, reading: Reading) -> Iterator[Change]:
    """Yield what has to change so that no code is read as text, in no order.

    Args:
        source: The body of an output.
        outside: It without its code; of the same length.
        reading: What CommonMark makes of it.
    """
    size = len(source)
    blocks = [
        code._replace(end=min(code.end, size)) for code in reading.code if code.start < size
    ]
    dangerous = set(_dangerous(source, blocks)) if blocks else set()
    last = max((code.start for code in dangerous), default=-1)
    if last < 0:
        return
    for match in _LOOSE.finditer(outside, 0, last):
        yield Change(match.start("run"))
    lists = _lines_in_lists(source, outside)
    for code in blocks:
        if code.start > last:
            break
        if code.fence:
            yield from _fence(source, code, holds_danger=code in dangerous)
        elif (code in dangerous or _LOOSE.search(source, code.start, code.end)) and (
            not code.is_outer or code.start in lists
        ):
            yield _as_fence(source, code)
    yield from _formulas(source, outside, [code for code in blocks if code.start <= last])


def _dangerous(source: str, blocks: Sequence[CodeBlock]) -> Iterator[CodeBlock]:
    """Yield the blocks that would do something as text, with the lines below or without."""
    yield from (code for code in blocks if is_dangerous(source[code.start : code.end]))
    starts = [code.start for code in blocks]
    for match in DEFINITION.finditer(source):
        code = blocks[bisect_right(starts, match.start(1)) - 1]
        if code.start <= match.start(1) < code.end < match.end():
            yield code


def _fence(source: str, code: CodeBlock, *, holds_danger: bool) -> Iterator[Change]:
    lines = _lines(source, code)
    opening = _OPENING.match(source, code.start)
    if opening is None or not _is_sure(source, code, opening, lines[1:]):
        yield from _as_text(source, code)
        return
    closing = _CLOSING.fullmatch(source, *lines[-1]) if lines[1:] else None
    if closing and closing["run"].startswith(code.fence):
        if closing["blanks"]:
            yield Change(*closing.span("blanks"))
    elif source[code.end :].strip():
        end = code.end - (source[code.end - 1] == "\n")
        before = source[code.start : opening.start("run")]
        blanks = "".join(c if c in " \t>" else " " for c in before)
        yield Change(end, end, f"\n{blanks}{code.fence}")
    if holds_danger and not _stands_alone(source, code, opening):
        yield Change(code.start, code.start, "\n")


def _lines_in_lists(source: str, outside: str) -> set[int]:
    """Return where each line starts that some parser may take for a part of a list."""
    found: set[int] = set()
    start, in_list, after_blank = 0, False, True
    for line, text in zip(source.split("\n"), outside.split("\n"), strict=True):
        if _ITEM_START.match(text):
            in_list = True
        elif after_blank and line[:1] not in {" ", "\t", "\r", ""}:
            in_list = False
        if in_list:
            found.add(start)
        after_blank = not line.strip(" \t\r")
        start += len(line) + 1
    return found


def _lines(source: str, code: CodeBlock) -> list[tuple[int, int]]:
    spans, start = [], code.start
    while start < code.end:
        end = source.find("\n", start, code.end)
        end = code.end if end < 0 else end
        spans.append((start, end))
        start = end + 1
    return spans


def _is_sure(
    source: str,
    code: CodeBlock,
    opening: regex.Match[str],
    inner: Sequence[tuple[int, int]],
) -> bool:
    """Tell whether the lines of a fence belong to it wherever it stands."""
    width, quotes = _width(opening["blanks"]), opening["quotes"].count(">")
    if (quotes or opening["item"]) and width > MAX_INDENT:
        return False
    if quotes and (opening["item"] or _width(opening["inner"]) > MAX_INDENT):
        return False
    for start, end in inner:
        line = source[start:end]
        if _marks(_QUOTES, line).count(">") != quotes and quotes:
            return False
        indent = _width(_marks(_BLANKS, line))
        if line.strip() and indent < min(width, TAB):
            return False
        closing = _CLOSING.fullmatch(line)
        if closing and closing["run"].startswith(code.fence) and closing["after"]:
            return False
    # What stands before a definition is its term for some, even the start of a fence.
    return not any(_DEFINED.match(source, *line) for line in inner[:2])


def _marks(pattern: regex.Pattern[str], line: str) -> str:
    match = pattern.match(line)
    return match[0] if match else ""


def _stands_alone(source: str, code: CodeBlock, opening: regex.Match[str]) -> bool:
    """Tell whether no parser can take the first line of a fence for the end of a paragraph."""
    width, end = _width(opening["blanks"]), code.start
    while width > MAX_INDENT and end > 0:
        start = source.rfind("\n", 0, end - 1) + 1
        line = source[start : end - 1]
        if not line.strip():
            return True
        if item := _ITEM.match(line):
            inner = _width(item[0])
            if not inner <= width <= inner + MAX_INDENT:
                return False
            width = _width(item["blanks"])
        elif _width(_marks(_BLANKS, line)) < width - MAX_INDENT:
            return False
        end = start
    return True


def _width(blanks: str) -> int:
    return len(blanks.expandtabs(TAB))


def _as_text(source: str, code: CodeBlock) -> Iterator[Change]:
    """Yield what makes text of a fence, which shows each of its characters."""
    start = source.index(code.fence, code.start)
    before = source[code.start : start]
    quotes = regex.compile(rf"(?:[ \t]*+>[ \t]?){{0,{before.count('>')}}}+")
    first, *others = source[start : code.end].split("\n")
    lines = [escape_all(first)]
    for line in others:
        marks = _marks(quotes, line)
        text = line[len(marks) :].lstrip(" \t")
        blanks = _width(line[: len(line) - len(text)]) - _width(marks)
        kept = min(blanks, max(0, _width(before) - _width(marks)))
        # Blanks at the start of a line of text are not shown, and may make code of it.
        shown = "\xa0" * (blanks - kept) if text.strip() else ""
        lines.append(marks + " " * kept + shown + escape_all(text))
    yield Change(start, code.end, "\n".join(lines))
    # A paragraph of its own, so that no code span goes from what is before to what is below.
    gap = _marks(quotes, before).rstrip() + "\n"
    above = source[source.rfind("\n", 0, max(0, code.start - 1)) + 1 : code.start]
    if above.strip(" \t>\r\n") and not before.strip(" \t>"):
        yield Change(code.start, code.start, gap)
    if source[code.end - 1] == "\n" and source[code.end :].strip():
        yield Change(code.end, code.end, gap)


def _as_fence(source: str, code: CodeBlock) -> Change:
    """Return indented code as a fence, in the list or quote it is in."""
    lines = code.content.removesuffix("\n").split("\n")
    whole = source[code.start : code.end].rstrip("\r\n")
    first, text = whole.split("\n")[0].rstrip(" \t\r"), lines[0].strip(" \t")
    before = first[: len(first) - len(text)]
    marks = _marks(_MARKS, before)
    indent = _width(before) - TAB - _width(_marks(_BLANKS, lines[0])) - _width(marks)
    opening = marks + " " * max(indent, bool(marks))
    inner = regex.sub("[^>]", " ", opening.expandtabs(TAB))
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(code.content)), default=0))
    lines = [inner + line if line else inner.rstrip() for line in lines]
    return Change(
        code.start,
        code.start + len(whole),
        "\n".join([opening + fence, *lines, inner + fence]),
    )


def _formulas(source: str, outside: str, codes: Sequence[CodeBlock]) -> Iterator[Change]:
    """Yield what keeps a formula from ending within code."""
    for opening, closing, harmless in _FORMULAS:
        starts = [code.start for code in codes if closing in source[code.start : code.end]]
        found = [match.start() for match in opening.finditer(outside)] if starts else []
        for start in starts:
            if (before := bisect_left(found, start)) > 0:
                at = found[before - 1]
                yield Change(at, at + 2, harmless)

"""What a permissive Markdown renderer would make of a text, with positions in its source.

markdown-it-py tells the lines of a block, but no position within a line.  So its inline rules
are wrapped to record where they matched, and each line of a block is found in the source.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

__all__ = ["Block", "Construct", "Reading", "read"]

MAX_NESTING: Final = 60
"""Levels that are looked into.  CPython's stack would take four times as many."""

_FOUND: Final = "citemark constructs"
_CELLS: Final = frozenset({"th_open", "td_open"})
_LINE_END: Final = regex.compile(r"\r\n|\r|\n")
_BRACKETS: Final = regex.compile(r"\\.|[\[\]]")
_RULES: Final = {
    "backticks": ("code", "`"),
    "link": ("link", "["),
    "image": ("image", "!"),
    "autolink": ("autolink", "<"),
    "html_inline": ("html", "<"),
    "entity": ("special", "&"),
    "escape": ("special", "\\"),
}
"""Kind of construct and first character for each inline rule."""


class Construct(NamedTuple):
    """Something that an inline rule matched."""

    kind: str
    """``"code"``, ``"link"``, ``"image"``, ``"autolink"``, ``"html"`` or ``"special"``."""

    start: int
    """First code point in the text of the block."""

    end: int
    """Code point after the last one."""

    value: str
    """URL of a link; the character that an escape or entity stands for."""


class Block(NamedTuple):
    """Text that was read for inline constructs."""

    text: str
    """Without the marks of the containers it is in."""

    positions: list[int]
    """Where each of its code points is in the source, and one more for its end."""

    constructs: list[Construct]
    """In order of start; none if brackets are nested too deep to tell."""

    is_known: bool = True
    """Whether they could be told."""


class Reading(NamedTuple):
    """Result of ``read``."""

    blocks: list[Block]
    """Paragraphs, headings and table cells, in order."""

    definitions: list[int]
    """Start in the source of the line of each link reference definition."""

    html: list[tuple[int, int]]
    """Half-open span in the source of each block of HTML."""

    code: list[tuple[int, int]]
    """Half-open span in the source of each block of code."""

    last: int
    """Start in the source of the line on which the last top-level block starts, or -1."""

    fence: str
    """Opening of the last top-level block if it is a fence, else ""."""


def read(source: str) -> Reading | None:
    """Return what Markdown makes of a text; None if it is nested too deep to tell.

    Every URL is read as if it were safe, and HTML is on.
    """
    parser = _parser()
    lines, starts = _lines(source)
    environment: dict[str, Any] = {}
    tokens: list[Token] = []
    parser.block.parse("\n".join(lines), parser, environment, tokens)
    if any(token.level >= MAX_NESTING - 1 for token in tokens):
        return None
    finder = _Finder(lines, starts)
    blocks = [
        _block(token, finder, environment, is_cell=before.type in _CELLS)
        for before, token in pairwise(tokens)
        if token.type == "inline"
    ]
    if None in blocks:
        return None
    ends = (*starts, len(source))

    def spans(types: Collection[str]) -> list[tuple[int, int]]:
        maps = (token.map for token in tokens if token.type in types)
        return [(starts[lines[0]], ends[lines[1]]) for lines in maps if lines]

    outer = next((token for token in reversed(tokens) if token.level == 0 and token.map), None)
    return Reading(
        [block for block in blocks if block is not None],
        [starts[first] for first in _definition_lines(environment)],
        spans({"html_block"}),
        spans({"code_block", "fence"}),
        starts[outer.map[0]] if outer and outer.map else -1,
        outer.markup if outer and outer.type == "fence" else "",
    )


def _lines(source: str) -> tuple[list[str], list[int]]:
    """Return the lines as the parser will see them, and where each starts in the source."""
    ends = list(_LINE_END.finditer(source))
    starts = [0, *(end.end() for end in ends)]
    stops = [*(end.start() for end in ends), len(source)]
    visible = source.replace("\0", "\ufffd")
    return [visible[a:b] for a, b in zip(starts, stops, strict=True)], starts


def _definition_lines(environment: dict[str, Any]) -> list[int]:
    known = environment.get("references", {}).values()
    found = [*known, *environment.get("duplicate_refs", [])]
    return sorted(definition["map"][0] for definition in found)


def _block(
    token: Token, finder: _Finder, environment: dict[str, Any], *, is_cell: bool
) -> Block | None:
    text = token.content
    positions = finder.positions(token, is_cell=is_cell)
    if positions is None:
        return None
    if _depth(text) >= MAX_NESTING - 2:
        return Block(text, positions, [], is_known=False)
    found: list[Construct] = []
    parser = _parser()
    parser.inline.parse(text, parser, {**environment, _FOUND: found}, [])
    return Block(text, positions, sorted(found, key=lambda construct: construct.start))


def _depth(text: str) -> int:
    depth = deepest = 0
    for bracket in _BRACKETS.findall(text):
        if len(bracket) == 1:
            depth = depth + 1 if bracket == "[" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


class _Finder:
    """Finds the text of a block in the lines of the source."""

    def __init__(self, lines: list[str], starts: list[int]) -> None:
        self._lines = lines
        self._starts = starts
        self._cursors: dict[int, int] = {}

    def positions(self, token: Token, *, is_cell: bool) -> list[int] | None:
        """Return the position of each code point and of the end; None if it is not found."""
        if token.map is None:
            return None
        find = self._in_table if is_cell else self._at_end
        positions: list[int] = []
        for number, text in enumerate(token.content.split("\n"), token.map[0]):
            found = find(number, text)
            if found is None:
                return None
            positions += found
        return positions

    def _at_end(self, number: int, text: str) -> list[int] | None:
        """Find a line whose start lost the marks and the indentation of its containers."""
        line, core = self._lines[number], text.strip()
        at = len(line.rstrip()) - len(core)
        if not line.rstrip().endswith(core):
            # A heading may be closed by number signs.
            at = line.rfind(core)
        if at < 0:
            return None
        # Tabs may have become more blanks than there are characters in the source.
        start = self._starts[number]
        first = start + at - (len(text) - len(text.lstrip()) if core else 0)
        return [max(start, first + n) for n in range(len(text) + 1)]

    def _in_table(self, number: int, text: str) -> list[int] | None:
        """Find a cell, whose pipes are escaped in the source; called in order of cells."""
        line, start = self._lines[number], self._starts[number]
        at = line.find(text.replace("|", "\\|"), self._cursors.get(number, 0))
        if at < 0:
            return None
        positions = []
        for character in text:
            at += character == "|"
            positions.append(start + at)
            at += 1
        self._cursors[number] = at
        return [*positions, start + at]


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt, rules_inline  # noqa: PLC0415  takes 50 ms

    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    for name, (kind, opening) in _RULES.items():
        rule = rules_inline.backtick if name == "backticks" else getattr(rules_inline, name)
        parser.inline.ruler.at(name, _recorded(rule, kind, opening))
    for name, function in (
        ("validateLink", lambda _: True),
        ("normalizeLink", str),
        ("normalizeLinkText", str),
    ):
        setattr(parser, name, function)
    return parser


def _recorded(
    rule: Callable[[StateInline, bool], bool], kind: str, opening: str
) -> Callable[[StateInline, bool], bool]:
    """Return the rule, made to record what it matches."""

    def recorded(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  called so
        start = state.pos
        if state.src[start] != opening:
            return False  # as the rule would; most calls end here
        before, environment = len(state.tokens), state.env
        if kind == "image":
            # The text of an image is parsed on its own: positions in it are no positions here.
            state.env = {**environment, _FOUND: []}
        matched = rule(state, silent)
        state.env = environment
        if matched and not silent:
            _record(state, kind, start, state.tokens[before:])
        return matched

    return recorded


def _record(state: StateInline, kind: str, start: int, tokens: list[Token]) -> None:
    value = ""
    if kind == "code" and not any(token.type == "code_inline" for token in tokens):
        return  # a run of back-ticks that nothing closes
    if kind in {"link", "autolink"}:
        value = next(str(t.attrs["href"]) for t in tokens if t.type == "link_open")
    elif kind == "special":
        value = next((t.content for t in tokens if t.type == "text_special"), "\n")
    state.env[_FOUND].append(Construct(kind, start, state.pos, value))

"""What a permissive Markdown renderer would make of a text, with positions in its source.

markdown-it-py tells the lines of a block, but no position within a line.  So its inline rules
are wrapped to record where they matched, and each line of a block is found in the source.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import regex

from citemark.renderers._markdown_lines import Finder, lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

__all__ = ["Block", "CodeBlock", "Construct", "Reading", "read"]

MAX_NESTING: Final = 60
"""Levels that are looked into.  CPython's stack would take four times as many."""

_FOUND: Final = "citemark constructs"
_CELLS: Final = frozenset({"th_open", "td_open"})
_LIST_ENDS: Final = frozenset({"bullet_list_close", "ordered_list_close"})
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


class CodeBlock(NamedTuple):
    """A fence, or lines that are code by their indentation."""

    start: int
    """Start in the source of its first line."""

    end: int
    """Start of the line after it."""

    fence: str
    """Its run of back-ticks or tildes; "" if there is none."""

    is_outer: bool
    """Whether it stands in no list and no quote, and not right after a list."""

    content: str
    """Its lines as readers see them."""


class Reading(NamedTuple):
    """Result of ``read``."""

    blocks: list[Block]
    """Paragraphs, headings and table cells, in order."""

    definitions: list[int]
    """Start in the source of the line of each link reference definition."""

    html: list[tuple[int, int]]
    """Half-open span in the source of each block of HTML."""

    code: list[CodeBlock]
    """Blocks of code, in order."""

    last: int
    """Start in the source of the line on which the last top-level block starts, or -1."""

    fence: str
    """Opening of the last top-level block if it is a fence, else ""."""

    has_tables: bool
    """Whether it would be read in another way without tables."""


def read(source: str, *, tables: bool = True) -> Reading | None:
    """Return what Markdown makes of a text; None if it is nested too deep to tell.

    Every URL is read as if it were safe, and HTML is on.
    """
    parser = _parser(tables=tables)
    lines, starts = lines_of(source)
    environment: dict[str, Any] = {}
    tokens: list[Token] = []
    parser.block.parse("\n".join(lines), parser, environment, tokens)
    if any(token.level >= MAX_NESTING - 1 for token in tokens):
        return None
    finder = Finder(lines, starts)
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
        _code_blocks(tokens, starts, ends),
        starts[outer.map[0]] if outer and outer.map else -1,
        outer.markup if outer and outer.type == "fence" else "",
        any(token.type == "table_open" for token in tokens),
    )


def _code_blocks(
    tokens: list[Token], starts: list[int], ends: Sequence[int]
) -> list[CodeBlock]:
    found, before = [], ""
    for token in tokens:
        if token.type in {"code_block", "fence"} and token.map:
            is_outer = token.level == 0 and before not in _LIST_ENDS
            first, last = token.map
            start, end = starts[first], ends[last]
            found.append(CodeBlock(start, end, token.markup, is_outer, token.content))
        before = token.type
    return found


def _definition_lines(environment: dict[str, Any]) -> list[int]:
    known = environment.get("references", {}).values()
    found = [*known, *environment.get("duplicate_refs", [])]
    return sorted(definition["map"][0] for definition in found)


def _block(
    token: Token, finder: Finder, environment: dict[str, Any], *, is_cell: bool
) -> Block | None:
    text = token.content
    positions = finder.positions(token, is_cell=is_cell)
    if positions is None:
        return None
    if _depth(text) >= MAX_NESTING - 2:
        return Block(text, positions, [], is_known=False)
    found: list[Construct] = []
    parser = _parser(tables=True)
    parser.inline.parse(text, parser, {**environment, _FOUND: found}, [])
    return Block(text, positions, sorted(found, key=lambda construct: construct.start))


def _depth(text: str) -> int:
    depth = deepest = 0
    for bracket in _BRACKETS.findall(text):
        if len(bracket) == 1:
            depth = depth + 1 if bracket == "[" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


@cache
def _parser(*, tables: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt, rules_inline  # noqa: PLC0415  takes 50 ms

    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    parser.enable(["table", "strikethrough"] if tables else ["strikethrough"])
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

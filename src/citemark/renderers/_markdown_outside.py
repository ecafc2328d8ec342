"""What parsers of other families may see in text that CommonMark reads as harmless.

They disagree on where a block starts, and with it on what is text.  So nothing outside of code
may look like HTML, a definition or a link, whatever block it stands in; and code is left only
where each line of its paragraph holds whole spans, which no parser can pair otherwise.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from citemark.renderers._markdown_text import escape_all, find_addresses

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from citemark.renderers._markdown_read import Reading

__all__ = ["CONTAINERS", "DEFINITION", "Change", "Outside", "is_dangerous"]

CONTAINERS: Final = (
    r"(?::(?=\S)(?:[^:\n\\]|\\.|:(?=\S)){1,99}+:(?=[ \t])|[ \t>:]|[*+~-][ \t]"
    r"|\(?+(?:[0-9]{1,9}|[A-Za-z@#]|[ivxlcdmIVXLCDM]{1,9})[.)][ \t])*+"
)
"""What may stand before a block on its line."""

_NO_BLANK: Final = r"[^ \t\n\v\f\r]"
"""CommonMark knows the blanks of ASCII; some of its parsers know all of Unicode."""

_BLANK: Final = regex.compile(r"\n[ \t\r]*(?=\n)")
_TAG: Final = regex.compile(
    r"<(?:/?[A-Za-z][A-Za-z0-9-]*+(?=[\s/>\0])|[!?]|[A-Za-z][\w+.-]*+:|[^\s<>@]++@)"
)
_BLOCK_TAG: Final = regex.compile(rf"^{CONTAINERS}(<)[A-Za-z/!?]", regex.MULTILINE)
DEFINITION: Final = regex.compile(
    rf"^{CONTAINERS}(\[)(?:[^\[\]\n\\]|\\.|\n(?![ \t\r]*\n)){{1,999}}+\]:[\s>]*+"
    rf"(?:<[^\n]*+|(?:{_NO_BLANK}++|\S++)(?=[^\S\n]*+(?:$|[\"'(])))",
    regex.MULTILINE,
)
_BRACKET: Final = regex.compile(r"\\.|(?P<open>\[)|(?P<close>\])", regex.DOTALL)
_TARGET: Final = regex.compile(r"\]\([\s>]*+")
_BOUNDS: Final = (regex.compile(r"[ \t\n\v\f\r)]"), regex.compile(r"[\s)]"))
_TITLE: Final = regex.compile(r"\s{1,99}+[\s\"'()]|\)")
_TICKS: Final = regex.compile(r"\\.|`++", regex.DOTALL)
_ROW: Final = regex.compile(r"^[ \t>*+0-9.)|:-]*-[ \t|:-]*\r?$", regex.MULTILINE)
_BAR: Final = regex.compile(r"(?<!\\)(?:\\\\)*+\|")
_MATH: Final = (
    (regex.compile(r"\$"), "$"),
    (regex.compile(r"\\\("), "\\)"),
    (regex.compile(r"\\\["), "\\]"),
)
_NOT_LINE_END: Final = regex.compile(r"[^\n]")
_JOINT: Final = regex.compile(r"\n[ \t]*+")
_STRUCK: Final = regex.compile(
    r"(?<!~)(~~?)(?=[^\s~])(?:\\.|[^\\]){0,999}?(?:\\.|[^\s~\\])\1(?!~)", regex.DOTALL
)
_DANGER: Final = regex.compile(r"<[A-Za-z/!?]|\]\(|!\[|\^\[|\]:")


class Change(NamedTuple):
    """A change of the source; without an end, a character that has to lose its meaning."""

    start: int
    end: int = -1
    text: str = ""


class Span(NamedTuple):
    """A code span in the source."""

    start: int
    end: int

    joints: tuple[tuple[int, int], ...]
    """Each end of a line in it, with the marks of blocks and the blanks after it."""


def is_dangerous(code: str) -> bool:
    """Tell whether code would do something if it were read as text."""
    return _DANGER.search(code) is not None or any(find_addresses(code))


class Outside:
    """The body of an output without its code.

    Args:
        source: The body.
        reading: What CommonMark makes of it and what follows.
        kept: Half-open spans of links that may stay, in order.
    """

    def __init__(self, source: str, reading: Reading, kept: Sequence[tuple[int, int]]) -> None:
        self._source = source
        self._reading = reading
        self._kept = kept
        self.spans = list(_spans(reading, len(source)))
        blocks = [(code.start, code.end) for code in reading.code]
        self.text = _without(_without(source, blocks), [span[:2] for span in self.spans])

    def changes(self) -> Iterator[Change]:
        """Yield what has to change, in no order."""
        yield from self._definitions()
        ends = [match.start() for match in _BLANK.finditer(self.text)]
        kept = {at for start, end in self._kept for at in range(start, end)}
        waiting = list(reversed(self.spans))
        for start, end in zip([0, *ends], [*ends, len(self.text)], strict=True):
            spans = []
            while waiting and waiting[-1].start < end:
                spans.append(waiting.pop())
            yield from self._tags(start, end, kept)
            yield from self._links(start, end, kept, spans)
            yield from self._code(start, end, spans)
            if bisect_left(self._kept, (start,)) < bisect_left(self._kept, (end,)):
                # Else some do not see a link that stays, but its bare address.
                for at, length in self._free_runs(start, end):
                    yield from (Change(at + n) for n in range(length))

    def _definitions(self) -> Iterator[Change]:
        # A label may reach into what is code for others: it only has to begin as text.
        for match in DEFINITION.finditer(self._source):
            if self.text[match.start(1)] == "[":
                yield Change(match.start(1))

    def _tags(self, start: int, end: int, kept: Collection[int]) -> Iterator[Change]:
        last = self._source.rfind(">", start, end)
        found = [match.start() for match in _TAG.finditer(self.text, start, max(start, last))]
        found += [match.start(1) for match in _BLOCK_TAG.finditer(self.text, start, end)]
        for at in dict.fromkeys(found):
            if at not in kept and not _is_escaped(self.text, at):
                yield Change(at)

    def _links(
        self, start: int, end: int, kept: Collection[int], spans: Sequence[Span]
    ) -> Iterator[Change]:
        depth, has_open = 0, False
        # Some pair runs of unlike length within the text of a link, over brackets too.
        is_odd = any(self._free_runs(start, end)) or any(map(self._holds_ticks, spans))
        for match in _BRACKET.finditer(self.text, start, end):
            if match["open"]:
                depth, has_open = depth + 1, True
            elif match["close"]:
                at, may_end = match.start(), depth or (is_odd and has_open)
                if may_end and at not in kept and self._is_target(at):
                    yield Change(at)
                depth = max(0, depth - 1)

    def _holds_ticks(self, span: Span) -> bool:
        return "`" in self._source[span.start : span.end].strip("`")

    @cached_property
    def _bounds(self) -> list[list[int]]:
        """Return where a destination may end, for either reading of blanks."""
        return [[each.start() for each in bound.finditer(self._source)] for bound in _BOUNDS]

    def _is_target(self, at: int) -> bool:
        """Tell whether a link may end with the bracket at a place."""
        match = _TARGET.match(self._source, at)
        if match is None:
            return False
        if self._source.startswith("<", match.end()):
            return True
        for bounds in self._bounds:
            after = bisect_left(bounds, match.end())
            if after < len(bounds) and _TITLE.match(self._source, bounds[after]):
                return True
        return False

    def _code(self, start: int, end: int, spans: Sequence[Span]) -> Iterator[Change]:
        codes = [self._source[span.start : span.end] for span in spans]
        if not any(map(is_dangerous, codes)):
            return
        yield from self._runs(start, end)
        yield from self._tildes(start, end, spans)
        has_row = _ROW.search(self.text, start, end) is not None
        openings = [(_first(opening, self.text, start, end), mark) for opening, mark in _MATH]
        for span, code in zip(spans, codes, strict=True):
            is_formula = any(-1 < at < span.start and mark in code for at, mark in openings)
            is_odd = self._holds_ticks(span) and -1 < self.text.find("[", start) < span.start
            if is_formula or is_odd or (has_row and _BAR.search(code)):
                # What was code is shown with every character, and begins nothing.
                text = escape_all(_on_one_line(self._source, span))
                yield Change(span.start, span.end, text)
            elif span.joints:
                yield Change(span.start, span.end, _on_one_line(self._source, span))

    def _runs(self, start: int, end: int) -> Iterator[Change]:
        """Yield the back-ticks that open no code, but might with others that come later."""
        last = self._source.rfind("`", start, end)
        for at, length in self._free_runs(start, end):
            if last >= at + length:
                yield from (Change(at + n) for n in range(length))

    def _tildes(self, start: int, end: int, spans: Sequence[Span]) -> Iterator[Change]:
        """Yield the tildes that take the code after them with them: in marked until 17."""
        after = [
            one.start for one in spans if self.text.startswith("~", one.start - 1, one.start)
        ]
        if not after:
            return
        found = _STRUCK.finditer(self.text, start, end, overlapped=True)
        struck = {at for match in found for at in (match.end(1), match.end())}
        for at in after:
            if at not in struck and not _is_escaped(self.text, at - 1):
                yield Change(at - 1)

    def _free_runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield start and length of the runs of back-ticks that open no code."""
        for match in _TICKS.finditer(self.text, start, end):
            if match[0][0] == "`":
                yield match.start(), match.end() - match.start()


def _spans(reading: Reading, size: int) -> Iterator[Span]:
    for block in reading.blocks:
        for found in block.constructs:
            at = block.positions
            if found.kind == "code" and at[found.start] < size:
                joints = _JOINT.finditer(block.text, found.start, found.end)
                places = tuple((at[each.start()], at[each.end()]) for each in joints)
                yield Span(at[found.start], at[found.end - 1] + 1, places)


def _without(source: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text of the same length and lines, with nothing else where a span is."""
    parts, position = [], 0
    for start, end in spans:
        parts += [source[position:start], _NOT_LINE_END.sub("\0", source[start:end])]
        position = end
    return "".join([*parts, source[position:]])


def _is_escaped(text: str, at: int) -> bool:
    start = at
    while start and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def _first(pattern: regex.Pattern[str], text: str, start: int, end: int) -> int:
    match = pattern.search(text, start, end)
    return match.start() if match else -1


def _on_one_line(source: str, span: Span) -> str:
    """Return a span with blanks for its line ends, as it is read (CommonMark 0.31.2, 6.1)."""
    starts = [span.start, *(after for _, after in span.joints)]
    ends = [*(end for end, _ in span.joints), span.end]
    return " ".join(source[a:b] for a, b in zip(starts, ends, strict=True))

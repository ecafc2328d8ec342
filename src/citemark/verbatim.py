"""What hides markers, beyond what a pattern can tell: code, formulas, definitions.

The scanner calls ``skip`` for what the grammar has found, and goes on where it says.
"""

from __future__ import annotations

from typing import Final

from citemark._lazy import lazy_re
from citemark.blocks import HEAD, MAX_FENCE, MIN_FENCE, Blocks, is_line_prefix, is_settled
from citemark.constructs import MAX_SPAN

__all__ = ["UNDECIDED", "Verbatim"]


UNDECIDED: Final = -1
"""Instead of a position: more text will tell."""

_CLOSING: Final = lazy_re(r"\n[ ]{0,3}(`{3,}+|~{3,}+)[ \t]*+(?=\n)")
_BREAK: Final = lazy_re(r"\n(?:[ \t]*\n|\||[ ]{0,3}(?:[-+*][ ]+[^\s]|#{1,6}[ ]))")
"""A line end after which a paragraph does not go on, whatever it is in: a short cut."""

_ITEM: Final = lazy_re(r"(?:[-+*]|[0-9][.)])[ \t]+\Z")
_RUN: Final = lazy_re(r"`+")


class Verbatim:
    """Follows the code of a text.  Positions are those of ``text``, which grows and is cut."""

    def __init__(self) -> None:
        """Start before the first line."""
        self.text = ""
        self.final = False
        """Whether no more text will come."""
        self.open = False
        """Whether the end of the text so far is in code, to be skipped by ``resume``."""
        self.doubtful = False
        """Whether the last line, as far as it has come, may turn out not to be code."""
        self.in_line = False
        """Whether the rest of the line is code."""
        self._blocks = Blocks(next=1)
        self._line_start = 1
        self._seen = 1  # line starts before are known
        self._paragraph: _Paragraph | None = None

    def skip(self, name: str, start: int, end: int) -> int | None:
        """Return where to go on after a construct, or ``UNDECIDED``; None if it is none."""
        if name == "run":
            return self._skip_run(start, end)
        if name == "line":
            return self._skip_line(start, end)
        if name == "task":
            return end if self._begins_item(start) else None
        if name == "definition":
            return end if self._begins_line(start) else None
        # Brackets in the text of a link may be markers.
        return start + 1 if name == "nested_link" else end

    def resume(self, pos: int) -> int:
        """Skip the code in which the text ended before; return where to go on."""
        if not self.in_line:
            return self._skip_fence(pos)
        end = self.text.find("\n", pos)
        if end < 0:
            return len(self.text)
        self.in_line = False
        if self._blocks.fence is not None:
            return self._skip_fence(end + 1)
        self.open = False
        return end

    def cut(self, length: int) -> None:
        """Let go of the first code points of the text, which are scanned."""
        self._blocks.advance(self.text, length, is_passed=True)
        self._blocks.shift(length)
        self._line_start -= length
        self._seen -= length
        self._paragraph = None
        self.text = self.text[length:]

    def _skip_run(self, start: int, end: int) -> int:
        """Skip a fenced block or a code span; backticks that open neither are text."""
        text = self.text
        if MIN_FENCE <= end - start <= MAX_FENCE and (
            text[start - 1] == "\n" or self._begins_line(start)
        ):
            if not (self.final or _has_head(text, start)):
                return UNDECIDED
            if text[start - 1] == "\n":
                self._blocks.open_fence(text, start, end)
            else:
                self._blocks.advance(text, self._line_start)
            if self._blocks.fence is not None:
                return self._skip_rest(end)
        return end if text[start] == "~" else self._skip_span(start, end)

    def _skip_line(self, start: int, end: int) -> int:
        """Skip an indented line if it is code."""
        first = start + 1
        if not (self.final or _is_known(self.text, first)):
            return UNDECIDED
        self._blocks.advance(self.text, first)
        return self._skip_rest(first) if self._blocks.code else end

    def _skip_rest(self, first: int) -> int:
        """Skip a line of code, and the fenced block that it opens."""
        end = self.text.find("\n", first)
        if end < 0:
            self.open = self.in_line = True
            return len(self.text)
        return end if self._blocks.fence is None else self._skip_fence(end + 1)

    def _skip_fence(self, pos: int) -> int:
        """Skip the lines of a fenced block, from the one that starts at a position."""
        blocks, text = self._blocks, self.text
        self.open, self.doubtful = True, False
        while pos < len(text):
            if not blocks.containers:
                pos, closed = self._closing_line(pos)
                if closed:
                    self.open = False
                    return pos
            end = text.find("\n", pos)
            if not (self.final or _is_known(text, pos)):
                self.doubtful = bool(blocks.containers)
                return pos
            blocks.advance(text, pos)
            if end < 0 and blocks.code:
                self.in_line = True
                return len(text)
            if blocks.fence is None:
                self.open = False
                # The end of a container ends the block: then this line is not of it.
                return end if blocks.code else pos - 1
            pos = end + 1
        self.doubtful = bool(blocks.containers)
        return pos

    def _closing_line(self, pos: int) -> tuple[int, bool]:
        """Return the end of the line that closes a block without containers, and True.

        If there is none so far: the start of the last line, and False.
        """
        blocks, fence = self._blocks, self._blocks.fence
        blocks.unended = False
        for match in _CLOSING.finditer(self.text, pos - 1):
            run = match[1]
            if fence and run[0] == fence.character and len(run) >= fence.length:
                blocks.fence, blocks.next = None, match.end() + 1
                return match.end(), True
        blocks.next = self.text.rfind("\n", pos - 1) + 1
        return blocks.next, False

    def _skip_span(self, start: int, end: int) -> int:
        """Skip a code span (6.1): to the next run of the same length in the paragraph."""
        length = end - start
        limit = end + MAX_SPAN
        line_end = self.text.find("\n", end, limit)
        certain = self.final or limit < len(self.text)
        closing = self._find_run(length, end, limit if line_end < 0 else line_end)
        if closing is None and line_end >= 0:
            if _BREAK.match(self.text, line_end):
                return end
            stop, certain = self._paragraph_end(start, limit)
            closing = self._find_run(length, line_end, min(stop, limit))
        if closing is None:
            return end if certain or self.final else UNDECIDED
        return UNDECIDED if closing == len(self.text) and not self.final else closing

    def _find_run(self, length: int, start: int, stop: int) -> int | None:
        """Return the end of the next run of backticks of a length."""
        run = "`" * length
        while (at := self.text.find(run, start, stop)) >= 0:
            match = _RUN.match(self.text, at)
            start = match.end() if match else at + 1
            if start - at == length:
                return start
        return None

    def _paragraph_end(self, pos: int, limit: int) -> tuple[int, bool]:
        """Return where a paragraph ends, as far as a limit, and whether that is sure."""
        if self._paragraph is None or not self._paragraph.start <= pos < self._paragraph.end:
            first = self._line_of(pos)
            self._blocks.advance(self.text, first)
            self._paragraph = _Paragraph(self._blocks.copy(), first, self.text)
        self._paragraph.extend(self.text, limit, final=self.final)
        # A line that starts at the limit ends the search as well.
        return self._paragraph.end, self._paragraph.ended or self._paragraph.end + 1 >= limit

    def _begins_line(self, pos: int) -> bool:
        first = self._line_of(pos)
        return pos - first <= HEAD and is_line_prefix(self.text, first, pos)

    def _begins_item(self, pos: int) -> bool:
        return self._begins_line(pos) and bool(_ITEM.search(self.text, max(pos - 5, 0), pos))

    def _line_of(self, pos: int) -> int:
        """Return the start of the line that a position is on; calls come in rising order."""
        if pos > self._seen:
            end = self.text.rfind("\n", max(self._seen - 1, 0), pos)
            self._line_start = end + 1 if end >= 0 else self._line_start
            self._seen = pos
        return self._line_start


class _Paragraph:
    """A paragraph whose end is looked for: each of its lines is read once."""

    def __init__(self, blocks: Blocks, first: int, text: str) -> None:
        """Begin with the state after its line at ``first``."""
        self._blocks = blocks
        self.start = first
        self.end = len(text) if blocks.unended else blocks.next - 1
        self.ended = not blocks.paragraph and not blocks.unended

    def extend(self, text: str, limit: int, *, final: bool) -> None:
        """Read on to the end of the paragraph, a limit, or the end of what is there."""
        blocks = self._blocks
        blocks.advance(text, 0)  # the end of the line read last may have come
        while not self.ended:
            self.end = blocks.next if blocks.unended else blocks.next - 1
            first = blocks.next
            if first >= len(text):
                self.ended = final
                return
            if blocks.unended or first >= limit:
                return
            if not (final or _is_known(text, first)):
                return
            blocks.advance(text, first)
            self.ended = not blocks.continued or text.startswith("|", first)


def _has_head(text: str, start: int) -> bool:
    """Whether as much of a line has come as is ever read of it."""
    return len(text) - start >= HEAD or text.find("\n", start, start + HEAD) >= 0


def _is_known(text: str, start: int) -> bool:
    """Whether enough of a line has come to say what it is.

    A fence of backticks is none if one stands in its info string, at the end of the line.
    """
    if _has_head(text, start):
        return True
    head = text[start:]
    return is_settled(head) and "```" not in head

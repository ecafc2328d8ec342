"""How a text reads without markers that stood in it: which blanks stay, and which go.

Nothing changes but at the places where something was taken out.  A blank beside a marker that
is shown, the indentation of a line, a hard break and the inside of code are the model's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from citemark.renderers._spacing_rules import (
    BLANKS,
    BLOCK_BEGUN,
    BLOCK_START,
    CITATION,
    HARD_BREAK,
    LINE_END,
    MARKS,
    MAX_LINE,
    MAX_OPENING,
    OPENED,
    PAIRS,
    SEPARATORS,
    TELLING,
    blank_between,
    is_separator,
    split_blank,
    trailing_blank,
)

__all__ = ["BLANKS", "CITATION", "Spacing"]

MAX_WAIT: Final = 200
"""Code points that wait for what follows while an answer comes."""

Removed: TypeAlias = Literal["marker", "tag"]
"""What was taken out: a marker, or a tag that stood between words without being one of them."""


@dataclass(slots=True)
class _Gap:
    """A place at which something was taken out, and the blanks around it."""

    removed: Removed
    before: str
    after: str = ""
    is_sent: bool = False
    """Whether a blank before it was released already, and is not kept again."""


class Spacing:
    """The text between two citations that are shown, with its gaps closed.

    Args:
        is_live: Whether texts come in pieces, ``settle`` is called at their ends, and
            ``release`` in between.
    """

    def __init__(self, *, is_live: bool = False) -> None:
        """Start at the start of an answer."""
        self._is_live = is_live
        self._behind = ""  # text behind a gap that is not all there
        self._parts: list[str] = []
        self._gap: _Gap | None = None
        self._last = ""  # what stands before the parts
        self._line: str | None = ""  # the line so far; None if it can begin no block any more
        self._read = 0  # parts that it was made from

    def add(self, text: str) -> None:
        """Take the next text."""
        gap = self._gap
        if gap is None:
            if text:
                self._parts.append(text)
        elif self._is_live:
            self._behind += text
            if TELLING.search(text) or len(self._behind) > MAX_WAIT:
                self.settle()
        else:
            self._add_behind(gap, text)

    def settle(self) -> None:
        """Take note that the text which came in pieces is all there."""
        text, self._behind = self._behind, ""
        if text and self._gap is not None:
            self._add_behind(self._gap, text)

    def _add_behind(self, gap: _Gap, text: str) -> None:
        if not text.strip(BLANKS) or (gap.removed == "marker" and is_separator(text)):
            gap.after += text
        else:
            self._close(text, "")

    def remove(self, removed: Removed) -> None:
        """Take note that something is left out here."""
        if self._is_live:
            self._as_one()
        gap = self._gap
        if gap is not None and removed == "tag" and gap.after.strip(BLANKS):
            gap.after, text = "", gap.after
            self._close(text, "")
        elif gap is not None:
            gap.before = gap.before or trailing_blank(gap.after)
            gap.after = ""
            return
        before = self._stripped()
        if removed == "marker" and self._follows_citation and is_separator(*self._parts):
            self._clear()  # of "[1], [9]." the comma goes too
        self._gap = _Gap(removed, before, is_sent=self._has_sent_blank())

    def flush(self, follower: str, last: str = "") -> str:
        """Return the text so far.

        Args:
            follower: First character of what is shown next, ``CITATION``, or "" at the end.
            last: Last character of what is shown next.
        """
        self.settle()
        if self._gap is not None:
            self._close("", follower)
        text = "".join(self._parts)
        self._clear()
        self._last, self._line = last, None
        return text

    def release(self) -> str:
        """Return the text so far that stays as it is, whatever comes; the rest is kept."""
        self._read_line()
        text = "".join(self._parts)
        settled = self._settled(text)
        if len(text) - settled > MAX_WAIT:
            settled = len(text)
        if settled:
            self._last = (self._last + text[:settled])[-MAX_OPENING:]
        self._parts = [text[settled:]] if settled < len(text) else []
        self._read = len(self._parts)
        return text[:settled]

    def _as_one(self) -> None:
        """Make one of what came in pieces."""
        self.settle()
        self._read_line()
        self._parts = [*filter(None, ["".join(self._parts)])]
        self._read = len(self._parts)

    def _settled(self, text: str) -> int:
        """Return how many code points of the text no gap behind it could take away.

        A common blank at its end is not waited for, else each citation would come after one
        alone: where markers are dropped, the stream holds it back itself.
        """
        words = text.strip(BLANKS)
        if self._follows_citation and (not words or words in SEPARATORS):
            return 0  # the next member of a list may be left out
        shown = text.rstrip(BLANKS)
        if shown[-1:] in PAIRS:
            shown = shown[:-1].rstrip(BLANKS)
        elif not text[len(shown) :].strip(" \t"):
            shown = text
        line = self._line
        if line is not None and BLOCK_BEGUN.fullmatch(
            line[: len(line) - len(text) + len(shown)]
        ):
            return max(0, len(text) - len(line))
        return len(shown)

    def _has_sent_blank(self) -> bool:
        return self._is_live and not self._parts and self._last[-1:] in tuple(BLANKS)

    def _clear(self) -> None:
        self._parts.clear()
        self._read = 0

    @property
    def _follows_citation(self) -> bool:
        return self._last == CITATION

    def _stripped(self) -> str:
        """Take the blanks at the end of the text away and return them."""
        self._read_line()
        blanks = ""
        while self._parts:
            last = self._parts.pop()
            text = last.rstrip(BLANKS)
            blanks = last[len(text) :] + blanks
            if text:
                self._parts.append(text)
                break
        self._shorten(len(blanks))
        return blanks

    def _shorten(self, length: int) -> None:
        """Take note that the line has lost its end."""
        self._read = len(self._parts)
        if self._line is not None:
            self._line = self._line[: len(self._line) - length]

    def _close(self, text: str, follower: str) -> None:
        """Put the text after a gap to that before it."""
        gap, self._gap = self._gap, None
        if gap is None:
            return
        if follower == CITATION and gap.after.strip(BLANKS):
            self._close_list(gap)
            return
        after, text = split_blank(gap.after + text)
        before = gap.before
        if self._takes_bracket(text):
            before = self._stripped()
            after, text = split_blank(text[1:])
        line = self._line
        ends_line = text[0] in "\r\n" if text else not follower
        if line is not None and BLOCK_START.fullmatch(line + before):
            self._start_line(before, text, ends_line=ends_line)
        elif ends_line:
            self._put(after if text and HARD_BREAK.fullmatch(after) else "", text)
        else:
            blank = "" if gap.is_sent else self._between(before, after, text or follower)
            self._put(blank, text)

    def _put(self, *texts: str) -> None:
        self._parts += filter(None, texts)

    def _read_line(self) -> None:
        """Bring the line up to date: most texts have no gap, and need none."""
        for text in self._parts[self._read :]:
            start = max(text.rfind("\n"), text.rfind("\r")) + 1
            line = "" if start else self._line
            if line is not None:
                line = line + text[start:] if len(text) - start < MAX_LINE else None
            self._line = line if line is None or len(line) < MAX_LINE else None
        self._read = len(self._parts)

    def _close_list(self, gap: _Gap) -> None:
        """Keep one separator between two citations, none between a word and one."""
        is_list = self._follows_citation and not self._parts
        self._put(gap.after if is_list else gap.before)

    def _takes_bracket(self, text: str) -> bool:
        """Tell whether brackets would be left around nothing, as of ``([9])``; take the first.

        That of a link is not one of them.
        """
        last = self._parts[-1] if self._parts else ""
        if not text or PAIRS.get(last[-1:]) != text[0] or self._end()[-2:-1] == "]":
            return False
        self._parts[-1:] = filter(None, [last[:-1]])
        self._shorten(1)
        return True

    def _start_line(self, before: str, text: str, *, ends_line: bool) -> None:
        """Put a text to what begins a line; with nothing to follow the line goes as a whole."""
        if not ends_line:
            self._put(before, text)
            return
        feed = LINE_END.match(text)
        text = text[feed.end() :] if feed else text
        inner = text.lstrip(BLANKS)
        if inner != text and inner[:1] not in ("", "\r", "\n"):
            self._put(before, inner)  # the next line belongs to the same block
            return
        self._drop_line()
        self._put(text)

    def _drop_line(self) -> None:
        length = len(self._line or "")
        while length and self._parts:
            last = self._parts.pop()
            if len(last) > length:
                self._parts.append(last[:-length])
            length -= min(length, len(last))
        self._line = ""
        self._read = len(self._parts)

    def _end(self) -> str:
        """Return the end of what is shown before a gap."""
        return "".join(part[-MAX_OPENING:] for part in (self._last, *self._parts[-2:]))

    def _between(self, before: str, after: str, text: str) -> str:
        """Return the blank that stays in the middle of a line."""
        end = self._end()
        last = end[-1:]
        if not before and OPENED.search(end):
            return ""
        blank = blank_between(last, before, after, text)
        if not blank and last == text[0] and last in MARKS:
            return before or after or " "  # two marks of Markdown must not become one
        return blank

"""How a text reads without markers that stood in it: which blanks stay, and which go.

Nothing changes but at the places where something was taken out.  A blank beside a marker that
is shown, the indentation of a line, a hard break and the inside of code are the model's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import regex

__all__ = ["BLANKS", "CITATION", "Spacing"]

BLANKS: Final = " \t\xa0\u2009\u202f\u3000"
"""White space within a line, and no-break, thin and ideographic blanks."""

CITATION: Final = "\ufffc"
"""Stands for a citation where the characters around a gap are looked at."""

MAX_OPENING: Final = 12
"""Code points before a gap that are looked at for what opens there."""

MAX_LINE: Final = 200
"""Code points of a line that are looked at for what begins a block."""

Removed: TypeAlias = Literal["marker", "tag"]
"""What was taken out: a marker, or a tag that stood between words without being one of them."""

_SEPARATORS: Final = frozenset(",;、，；،")
"""What may stand between the members of a list of markers."""

_MARKS: Final = frozenset("`*_~$")
_OPENING: Final = frozenset("([{（［【「『《〈")
_PAIRS: Final = {"(": ")", "（": "）"}

_BLOCK_START: Final = regex.compile(
    rf"(?:[{BLANKS}>]|[*+-][ \t]|[0-9]{{1,9}}[.)][ \t]|#{{1,6}}[ \t])*+"
)
_LINE_END: Final = regex.compile(r"\r\n?|\n")
_HARD_BREAK: Final = regex.compile(r"[ \t]*[ ]{2}")
_NEVER_AFTER_BLANK: Final = regex.compile(
    r"""[.,)\]}…]++ (?= [\s"'“”’«»*_~`] | \Z ) | [。，、；：！？）】」』》〉〕］｝،؛؟۔।॥]""",
    regex.VERBOSE,
)
"""Punctuation that no language puts a blank before: French has one before ``;:!?»``."""

_CLOSING: Final = regex.compile(
    r"""[\p{Terminal_Punctuation}\p{Pe}…–—/] | \\ (?= [\r\n] )
    | ["'“”‘’«»‹›*_~]++ (?= \s | \Z | [\p{Terminal_Punctuation}\p{Pe}…] )""",
    regex.VERBOSE,
)
"""What ends something, so that a blank before it can only have been that of a marker."""

_OPENED: Final = regex.compile(
    r"""(?: \A | [\s\p{Ps}] ) (?: ["'“”„‘«»‹›] | [*_~]{1,3} ){1,4}+ \Z | [\p{Ps}] \Z""",
    regex.VERBOSE,
)
"""What opens something, so that a blank after a marker in it can only have been its own."""

_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\u3001-\u303f\uff01-\uff60]")
"""Characters of scripts that put no blanks between words."""


@dataclass(slots=True)
class _Gap:
    """A place at which something was taken out, and the blanks around it."""

    removed: Removed
    before: str
    after: str = ""


class Spacing:
    """The text between two citations that are shown, with its gaps closed."""

    def __init__(self) -> None:
        """Start at the start of an answer."""
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
        elif not text.strip(BLANKS) or (gap.removed == "marker" and _is_separator(text)):
            gap.after += text
        else:
            self._close(text, "")

    def remove(self, removed: Removed) -> None:
        """Take note that something is left out here."""
        gap = self._gap
        if gap is not None and removed == "tag" and gap.after.strip(BLANKS):
            gap.after, text = "", gap.after
            self._close(text, "")
        elif gap is not None:
            gap.before = gap.before or _trailing(gap.after)
            gap.after = ""
            return
        before = self._stripped()
        if removed == "marker" and self._follows_citation and _is_separator(*self._parts):
            self._clear()  # of "[1], [9]." the comma goes too
        self._gap = _Gap(removed, before)

    def flush(self, follower: str, last: str = "") -> str:
        """Return the text so far.

        Args:
            follower: First character of what is shown next, ``CITATION``, or "" at the end.
            last: Last character of what is shown next.
        """
        if self._gap is not None:
            self._close("", follower)
        text = "".join(self._parts)
        self._clear()
        self._last, self._line = last, None
        return text

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
        after, text = _split(gap.after + text)
        before = gap.before
        if self._takes_bracket(text):
            before = self._stripped()
            after, text = _split(text[1:])
        line = self._line
        ends_line = text[0] in "\r\n" if text else not follower
        if line is not None and _BLOCK_START.fullmatch(line + before):
            self._start_line(before, text, ends_line=ends_line)
        elif ends_line:
            self._put(after if text and _HARD_BREAK.fullmatch(after) else "", text)
        else:
            self._put(self._between(before, after, text or follower), text)

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
        if not text or _PAIRS.get(last[-1:]) != text[0] or last[-2:-1] == "]":
            return False
        self._parts[-1:] = filter(None, [last[:-1]])
        self._shorten(1)
        return True

    def _start_line(self, before: str, text: str, *, ends_line: bool) -> None:
        """Put a text to what begins a line; with nothing to follow the line goes as a whole."""
        if not ends_line:
            self._put(before, text)
            return
        feed = _LINE_END.match(text)
        text = text[feed.end() :] if feed else text
        inner = text.lstrip(BLANKS)
        if inner != text and inner[:1] not in ("", "\r", "\n"):
            self._put(before, inner)  # the next line belongs to the same block
            return
        self._drop_line()
        self._put(text)

    def _drop_line(self) -> None:
        length = len(self._line or "")
        while length:
            last = self._parts.pop()
            if len(last) > length:
                self._parts.append(last[:-length])
            length -= min(length, len(last))
        self._line = ""
        self._read = len(self._parts)

    def _between(self, before: str, after: str, text: str) -> str:
        """Return the blank that stays in the middle of a line."""
        end = "".join(part[-MAX_OPENING:] for part in (self._last, *self._parts[-2:]))
        last = end[-1:]
        if not before and _OPENED.search(end):
            return ""
        blank = _blank(last, before, after, text)
        if not blank and last == text[0] and last in _MARKS:
            return before or after or " "  # two marks of Markdown must not become one
        return blank


def _blank(last: str, before: str, after: str, text: str) -> str:
    if last in _OPENING or (_UNSPACED.match(last) and _UNSPACED.match(text)):
        return ""
    if after:
        shorter = min(after, before or after, key=len)
        return "" if _NEVER_AFTER_BLANK.match(text) else shorter
    if text.startswith(CITATION):
        return "" if last == CITATION else before
    return "" if _CLOSING.match(text) else before


def _is_separator(*texts: str) -> bool:
    return len(texts) == 1 and texts[0].strip(BLANKS) in _SEPARATORS


def _split(text: str) -> tuple[str, str]:
    rest = text.lstrip(BLANKS)
    return text[: len(text) - len(rest)], rest


def _trailing(text: str) -> str:
    return text[len(text.rstrip(BLANKS)) :]

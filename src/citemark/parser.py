"""Find citation markers in a text, in one pass over it.

Whole texts and streams go through the same scanner, so they cannot come to differ:
``find_markers`` is a stream of one chunk.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark._buffer import Buffer
from citemark._chunks import Chunks
from citemark._lists import Lists
from citemark._prose import RISKY, ROWS, Prose
from citemark._selection import grammar_for
from citemark._texts import as_text
from citemark._tokens import as_given, token
from citemark.catalogue import DEFAULT, Format, FormatSet
from citemark.grammar import WORDS
from citemark.keys import key_text, names_source, read_keys
from citemark.lookahead import Lookahead
from citemark.model import Marker, Remark
from citemark.sources import Sources
from citemark.verbatim import UNDECIDED, Verbatim

if TYPE_CHECKING:
    from collections.abc import Iterable

    import regex

    from citemark.constructs import Skip
    from citemark.grammar import Row
    from citemark.model import Listing, Token

    Found = Marker | Remark | Listing
    Match = re.Match[str] | regex.Match[str]

__all__ = ["Scanner", "find_markers"]

CONTEXT: Final = 1_100
"""Code points before a position that are kept: those of the line it is on (``blocks.HEAD``)."""

_CODE_DECISIVE: Final = re.compile(r"[\n\r\ud800-\udbff]")

_DIGITS: Final = re.compile("[0-9]+").findall

ROOM: Final = 4_096
"""Code points that are scanned before the text before them is let go."""


def find_markers(
    text: str,
    *,
    formats: Iterable[Format] = DEFAULT,
    known: Sources | Iterable[str] | None = None,
) -> list[Marker]:
    """Return the citation markers of a whole text, in order and without overlap.

    Args:
        text: Model output, usually Markdown.  Not normalised: offsets are of this string.
        formats: Formats to look for; an earlier one wins where two match.
        known: The sources, or bare keys.  Without them every link is a marker, and formats
            that need a known key find nothing.

    Raises:
        TextTypeError: The text is no ``str``.
        FormatError: A format breaks a rule of the grammar.

    >>> [(marker.raw, marker.keys) for marker in find_markers("Yes [1, 3]. No `[2]`. <<a>>")]
    [('[1, 3]', ('1', '3')), ('<<a>>', ('a',))]
    """
    text = as_text(text)
    if known is not None and not isinstance(known, Sources):
        known = Sources.from_keys(known)
    found = Scanner(formats, known=known).scan_whole(text)
    markers = [token for token in found if isinstance(token, Marker)]
    return markers if text.isascii() else as_given(markers, text)


class Scanner:
    """Split text into markers and what lies between, however the text is cut into chunks.

    ``feed`` releases what no later chunk can change and holds back the rest; ``close``
    releases that too.  The raw text of all tokens, joined, is the text that was fed, save that
    the halves of a surrogate pair are one character, wherever it was cut.

    Args:
        formats: Formats to look for; an earlier one wins where two match.
        known: The sources, as far as they are known.
        late: Whether more sources may come: a number is then taken for a label.
    """

    def __init__(
        self,
        formats: Iterable[Format] = DEFAULT,
        *,
        known: Sources | None = None,
        late: bool = False,
    ) -> None:
        """Start at the beginning of a text."""
        self._formats = FormatSet.of(formats)
        self._late = late
        self._lists = Lists()
        self.know(known)
        self._buffer = Buffer()
        self._pos = 0  # where to scan on
        self._chunks = Chunks()
        self._prose = Prose()
        self._holds = False  # what is not decided may be a marker as a whole
        self._verbatim = Verbatim()
        self._is_idle = False  # all is decided: a chunk with nothing to decide is let through

    def know(self, known: Sources | None) -> None:
        """Take note of the sources: what is fed from now on is read by them."""
        self._known = self._lists.known = known
        self._grammar = grammar = grammar_for(self._formats, known)
        self._lookahead = Lookahead(grammar, known, late=self._late)
        # A candidate is looked up before it is a marker, if there is anything to look it up in.
        self._shortcuts = grammar.sure_shortcuts if known is None else grammar.shortcuts
        self._find_decisive = grammar.decisive.search

    def feed(self, chunk: str) -> list[Token]:
        """Take in the next chunk and return the tokens that are now certain."""
        buffer = self._buffer
        if self._is_idle and buffer.postponed_length < ROOM and not self._find_decisive(chunk):
            buffer.postpone(chunk)
            return [chunk] if chunk else []
        self._append(self._chunks.whole(chunk))
        markers: list[Found] = []
        hold = self._scan_tail(
            markers, self._scan(markers, len(self._buffer.text) - self._grammar.hold)
        )
        tokens = buffer.release(hold, markers)
        at_end = hold == self._pos == len(self._buffer.text)
        self._is_idle = at_end and not (self._chunks.waiting or self._lists.is_open)
        if self._verbatim.open:  # only the end of its line ends code
            self._is_idle = self._is_idle and self._verbatim.in_line
            self._find_decisive = _CODE_DECISIVE.search
        else:
            self._find_decisive = self._grammar.decisive.search
        if self._pos > ROOM:
            self._trim()
        return tokens

    def close(self, chunk: str = "") -> list[Token]:
        """Take in a last chunk, and return all that is left.  The text ends here."""
        markers = self.scan_whole(chunk)
        return self._buffer.release(len(self._buffer.text), markers)

    def scan_whole(self, text: str) -> list[Found]:
        """Take in the whole text, or all that is left of it, and return what was found."""
        self._append(self._chunks.last(text))
        self._verbatim.final = self._lists.final = True
        markers: list[Found] = []
        self._scan(markers, len(self._buffer.text))
        return markers

    def _append(self, chunk: str) -> None:
        buffer = self._buffer
        if buffer.postponed:
            buffer.append_postponed()
            self._pos = len(buffer.text)
        buffer.append(chunk)
        self._verbatim.text = buffer.lines

    def _scan(self, markers: list[Found], limit: int) -> int:
        """Take the constructs that start before a limit; return where to go on."""
        text, base, add = self._buffer.lines, self._buffer.base, markers.append
        shortcut = self._shortcuts.get
        end = self._verbatim.resume(self._pos) if self._verbatim.open else self._pos
        if self._lists.is_open:
            end = self._lists.follow(self._buffer, end, markers)
        while end < limit:
            near = self._prose.near
            for match in self._grammar.scan.finditer(text, end):
                start, stop = match.span()
                if stop > limit and start >= limit:
                    return max(end, limit)  # the one before may reach beyond
                group, end = match.lastgroup, stop
                # This loop is the hot path of the library: common markers are made right here.
                row = shortcut(group)
                if row and start > near and not (row[3] and text[start - 5 : start] in RISKY):
                    name, words, is_list, _ = row
                    key = match[group or 0]
                    keys = tuple(_DIGITS(key)) if is_list and "," in key else (key,)
                    stay = match[words] if words else ""
                    add(Marker(base + start, base + end, match[0], name, keys, stay))
                elif group is not None:
                    pos = self._take(match, markers)
                    if pos != end or self._prose.near != near or self._lists.is_open:
                        end = max(pos, start + 1)  # always on, whatever was said of it
                        break
            else:
                return max(end, limit)
        return end

    def _take(self, match: re.Match[str] | None, markers: list[Found]) -> int:
        """Take what starts where a match does; return where to go on, or ``UNDECIDED``."""
        start = match.start() if match else 0
        while match is not None:
            row = self._grammar.rows[match.lastgroup]
            if row is None:
                return match.end()
            end = self._try(row, match, (match.lastgroup or "").removesuffix(WORDS), markers)
            if end is not None:
                return end
            match = self._grammar.after(row, self._buffer.lines[start]).match(
                self._buffer.lines, start
            )
        return start + 1

    def _try(
        self, row: Row, match: Match, group: str | None, markers: list[Found]
    ) -> int | None:
        """Take a construct as what a row says; None if it is not that after all."""
        start, end = match.span()
        if end - start > row.limit:
            return None
        if not isinstance(row, Format):
            return self._skip(row, start, end, markers)
        is_prose = self._is_prose(row, start, end)
        if is_prose is None:
            return UNDECIDED
        written = key_text(row, match, group or "key")
        keys = () if is_prose else read_keys(row, written, self._known, late=self._late)
        if is_prose or not (keys or row.silent):
            return None if row.tier == "candidate" else end
        if row.note and self._known is not None and names_source(row, keys, self._known):
            return None  # the word is an id after all
        raw, base = self._buffer.text[start:end], self._buffer.base
        markers.append(token(row, match, group, keys, raw, base))
        return end

    def _is_prose(self, row: Format, start: int, end: int) -> bool | None:
        """Whether brackets that a row has found cite nothing; None if more text will tell."""
        if not (row.like_index or row.name in ROWS):
            return False
        text, final = self._buffer.lines, self._verbatim.final
        return self._prose.judge(row.name, text, start, end, final=final)

    def _skip(self, row: Skip, start: int, end: int, markers: list[Found]) -> int | None:
        """Take a construct that is no marker; None if it is not that after all."""
        if row.is_list:
            return self._lists.begin(self._buffer, start, markers)
        return self._verbatim.skip(row.name, start, end) if row.checked else end

    def _scan_tail(self, markers: list[Found], pos: int) -> int:
        """Take what is certain at the end of the text so far; return what may be released."""
        text, openings = self._buffer.lines, self._grammar.openings
        while not (self._verbatim.open or self._lists.is_open):
            opening = openings.search(text, pos)
            if opening is None:
                self._pos = len(text)
                return self._pos
            start = opening.start()
            pos = self._take_certain(start, markers)
            if pos == UNDECIDED:
                self._pos = start
                return start if self._holds else self._lookahead.first_marker(text, start)
        self._pos = pos
        if self._lists.is_open:
            return pos
        if self._verbatim.doubtful:
            return self._lookahead.first_marker(text, pos - 1)  # from the line end before it
        return len(text)

    def _take_certain(self, start: int, markers: list[Found]) -> int:
        """Take what starts at a position, unless more text may make it something else."""
        text, lookahead = self._buffer.lines, self._lookahead
        if lookahead.still_waits(text, start):
            return UNDECIDED
        if lookahead.is_settled(text, start):
            self._holds = False
            match = self._grammar.scan.match(text, start)
            return start + 1 if match is None else self._take(match, markers)
        for tail in lookahead.open_rows(text, start):
            if lookahead.waits(text, start, tail):
                self._holds = isinstance(tail.row, Format)
                return UNDECIDED
            found = tail.pattern.match(text, start)
            if found is not None:
                self._holds = getattr(tail.row, "is_list", False)
                end = self._try(tail.row, found, None, markers)
                if end is not None:
                    return end
        return start + 1

    def _trim(self) -> None:
        """Let go of the text that nothing looks back to."""
        cut = min(self._pos, self._buffer.released) - CONTEXT
        self._verbatim.cut(cut)
        self._buffer.cut(cut)
        self._lookahead.cut(cut)
        self._pos -= cut
        self._prose.cut(cut)

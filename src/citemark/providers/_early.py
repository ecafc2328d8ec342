"""Citations of a stream of OpenAI's form whose place is sure before the stream ends.

Annotations come in the order of the text.  But a link that none was about may get a source from
a later one, and with it a number that comes before all others: there it ends.  So it does at an
annotation that stands elsewhere than it says, which later text may show.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark.providers._annotated_sources import READERS
from citemark.providers._draft import Draft, Ref
from citemark.providers._links import Links

if TYPE_CHECKING:
    from citemark.providers._node import Node

__all__ = ["Early"]

MAX_LINK: Final = 4_200
"""Code points of the longest link with its words."""

_MARKED: Final = re.compile(r"[\[\]\\\u3010\u3011\ue000-\uf8ff]|://")
"""What may be a marker, or a part of one, whose source is still to come."""


class Early:
    """Reads annotations as they come.

    Args:
        text: The text, as it comes.
        is_sure: Whether offsets count code points; if not, nothing is known early.
    """

    def __init__(self, text: Draft, *, is_sure: bool = True) -> None:
        """Begin with nothing."""
        self.draft = Draft(text.provider)
        """Sources and citations; no text."""
        self.end = 0
        """The place before which all citations are known."""
        self._text = text
        self._is_over = not is_sure
        self._origins: dict[tuple[int, int], int] = {}

    def begin(self, part: tuple[int, int], origin: int) -> None:
        """Note where the text of a part begins: the index of its item, and its own."""
        if part not in self._origins:
            self._is_over = self._is_over or part < max(self._origins, default=part)
            self._origins[part] = origin

    def annotate(self, part: tuple[int, int], value: object) -> None:
        """Take note of an annotation of a part."""
        note = self.draft.node(value)
        kind = note.text("type")
        if self._is_over or kind not in {"url_citation", "file_citation"}:
            self._is_over = True
            return
        is_link = note.has("start_index") or note.has("end_index") or kind == "url_citation"
        start = note.whole("start_index") if is_link else note.whole("index")
        end = note.whole("end_index") if is_link else start
        if not is_link and not start:
            return  # it has no place
        source = READERS[kind](self.draft, note)
        if part not in self._origins or start is None or end is None or source is None:
            self._is_over = True
            return
        start, end = start + self._origins[part], end + self._origins[part]
        if self._reaches(start, end) and (not is_link or self._is_link(note, start, end)):
            quote = note.text("quote", "cited_text")
            ref = Ref(source, quote, raw=note.plain())
            self.draft.cite(start, end, [ref], anchor="marker" if is_link else "point")
            self.end = end
        else:
            self._is_over = True

    def _reaches(self, start: int, end: int) -> bool:
        """Whether a place is in the text, and no marker without source is before it."""
        if not self.end <= start <= end <= self._text.length:
            return False
        mark = _MARKED.search(self._text.between(self.end, start))
        if mark is not None:
            self.end += mark.start()
        return mark is None

    def _is_link(self, note: Node, start: int, end: int) -> bool:
        """Whether a link to the page stands at a place, and nothing else."""
        if end - start > MAX_LINK:
            return False
        links = Links(self._text.between(start, end))
        return (0, end - start) in links.spans(note.text("url"))

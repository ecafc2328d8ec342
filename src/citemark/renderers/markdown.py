"""Markdown with footnotes, links or numbers, for whoever renders Markdown further on.

What the model wrote stays as it is, character by character, unless a renderer would load,
run or link something because of it; see ``_markdown_safe``.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from citemark._lazy import lazy_re
from citemark.model import CitationSegment
from citemark.renderers._allowance import Allowance
from citemark.renderers._clean import balance_bidi, clean, without_hidden_starts
from citemark.renderers._display import cut, one_line, title_of
from citemark.renderers._markdown_pieces import Piece, Policy
from citemark.renderers._markdown_text import destination, escape, within_line
from citemark.renderers._options import (
    checked_links,
    checked_prefix,
    checked_repeats,
    checked_text,
    require,
)
from citemark.renderers._shown import Words, shown
from citemark.renderers._urls import host_of, safe_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citemark.answer import Answer, Entry
    from citemark.model import Citation, Source
    from citemark.renderers._options import LinkPolicy
    from citemark.renderers._shown import Repeats

__all__ = ["MarkdownRenderer", "Style"]

Style: TypeAlias = Literal["footnotes", "links", "numbers"]
"""``[^c-…-1]`` with definitions, ``[1](<url>)``, or ``[1]``; the last two with a list."""

MAX_KEY: Final = 100
"""Code points that are shown of a key that names no source."""

MAX_START: Final = 200
"""Code points of a line that tell whether words are the first in it."""

MAX_ORDINAL: Final = 999_999_999
"""Highest number of a list item (CommonMark 0.31.2, 5.2)."""

_HALF: Final = lazy_re(r"\\ud[89a-f][0-9a-f]{2}")
_STYLES: Final = ("footnotes", "links", "numbers")


class MarkdownRenderer:
    """Render an answer as Markdown that is safe to render further.

    Images, raw HTML, definitions, and links that the policy refuses become text, and so do
    addresses that GFM would link.  The result is read again by a Markdown parser before it is
    returned: nothing of that kind is left, and the source list is a block of its own.

    Args:
        style: How a citation is written.  Only footnotes need an extension of Markdown.  Once
            links have repeated a million code points, a source already linked has its number.
        links: Which links of the answer stay links, as in HTML: ``"sources"``, ``"safe"``, or
            the hosts of links that stay besides those to sources.
        label_prefix: Start of footnote labels.  By default it is made from the answer, so that
            nobody can guess it, and two answers can stand on one page.
        repeats: ``"once"`` shows a number once that directly follows itself, ``"all"`` each
            time.
        sources: Whether the list of cited sources, or the footnotes, follow the answer.
        missing: What is shown for a key that names no source, after the key itself.

    Raises:
        RendererOptionError: A value that is none of these.
    """

    name: Final = "markdown"

    def __init__(  # noqa: PLR0913  options, all by keyword
        self,
        *,
        style: Style = "footnotes",
        links: LinkPolicy = "sources",
        label_prefix: str | None = None,
        repeats: Repeats = "once",
        sources: bool = True,
        missing: str = "source not found",
    ) -> None:
        """Check and keep the options."""
        require(style in _STYLES, "style", f"one of {', '.join(_STYLES)}")
        self._style = style
        self._links = checked_links(links)
        self._label_prefix = checked_prefix(label_prefix, "label_prefix")
        self._repeats = checked_repeats(repeats)
        self._sources = sources
        self._missing = one_line(checked_text(missing, "missing"))

    def render(self, answer: Answer) -> str:
        """Return the answer, then an empty line and the source list if there is one."""
        # Imported late: markdown-it-py takes longer to load than all of citemark.
        from citemark.renderers._markdown_safe import make_safe  # noqa: PLC0415

        label = self._label(answer) if self._style == "footnotes" else ""
        pieces = list(self._pieces(answer, label))
        tails = self._tails(answer, label) if self._sources else [""]
        return make_safe(pieces, tails, Policy(self._is_allowed(answer), label))

    def _label(self, answer: Answer) -> str:
        """Return the start of the labels, that of no other answer on a page.

        Short answers of a chat have the same text, and other sources: all that readers are told
        of those counts.
        """
        if self._label_prefix is not None:
            return f"{self._label_prefix}-"
        ids = [(source.id, source.url) for source in answer.sources]
        told = ascii((answer.text, ids, self._tails(answer, "")))
        # A stored answer has U+FFFD for half a surrogate pair.
        digest = hashlib.blake2s(_HALF.sub(r"\\ufffd", told).encode(), digest_size=4)
        return f"c-{digest.hexdigest()}-"

    def _pieces(self, answer: Answer, label: str) -> Iterator[Piece]:
        before = last = ""
        again = Allowance()
        for segment, citations in shown(answer, repeats=self._repeats):
            if not isinstance(segment, CitationSegment):
                text = _clean_lines(segment.text)
                if isinstance(segment, Words):
                    text = within_line(text, before)
                if text:
                    yield Piece(text, is_ours=False)
                before, last = _line(before, text), text
            else:
                markers = "".join(
                    self._marker(citation, label, again) for citation in citations
                )
                # What the model wrote must not escape what we write.
                slash = "\\" * ((len(last) - len(last.rstrip("\\"))) % 2)
                yield Piece(slash + markers, is_ours=True, raw=clean(segment.marker.raw))
                before, last = _line(before, markers), ""

    def _marker(self, citation: Citation, label: str, again: Allowance) -> str:
        if citation.number is None:
            key = escape(cut(one_line(citation.key), MAX_KEY))
            return rf"\[{key}: {escape(self._missing)}\]"
        if self._style == "numbers":
            return f"[{citation.number}]"
        if citation.source is None:
            return rf"\[{citation.number}\]"
        if self._style == "footnotes":
            return f"[^{label}{citation.number}]"
        url = safe_url(citation.source.url)
        link = f"(<{destination(url)}>)" if url else ""
        is_told = link and again.allows(citation.source, len(link))
        return f"[{citation.number}]{link}" if is_told else rf"\[{citation.number}\]"

    def _tails(self, answer: Answer, label: str) -> list[str]:
        """Return forms of the source list, best first."""
        entries = answer.entries
        if self._style == "footnotes":
            return ["\n".join(_definition(entry, label) for entry in entries)]
        return [_list(entries, ".-"), _list(entries, ")*")]

    def _is_allowed(self, answer: Answer) -> Callable[[str], bool]:
        urls = {safe_url(source.url) for source in answer.sources}
        ours = {destination(url, entities=False) for url in urls if url}

        def is_allowed(url: str) -> bool:
            if url in urls or url in ours:
                return True
            if self._links == "sources" or safe_url(url) is None:
                return False
            return self._links == "safe" or host_of(url) in self._links

        return is_allowed


def _clean_lines(text: str) -> str:
    lines = without_hidden_starts(text).split("\r\n")
    return balance_bidi("\r\n".join(map(clean, lines)))


def _line(before: str, text: str) -> str:
    """Return the line so far after a text, or the start of a long one."""
    line = text.rfind("\n") + 1
    return text[line:][:MAX_START] if line else before + text[: MAX_START - len(before)]


def _definition(entry: Entry, label: str) -> str:
    told = "; ".join(dict.fromkeys(map(_plain, entry.sources)))
    # One word would be a link definition where footnotes are not known.
    return f"[^{label}{entry.number}]: " + (told if " " in told else f"{entry.number}: {told}")


def _plain(source: Source) -> str:
    url = safe_url(source.url)
    address = f"<{destination(url, entities=False)}>" if url else ""
    return ", ".join(part for part in (escape(title_of(source)), address) if part)


def _list(entries: Sequence[Entry], marks: str) -> str:
    """Return a list of sources: ordered if Markdown can count so, else with our numbers.

    Args:
        entries: In order of number.
        marks: What ends a number, and what a list without numbers starts with; a list of
            another mark that the answer ends with is not continued.
    """
    numbers = [entry.number for entry in entries]
    ordered = numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
    ordered = ordered and max(numbers, default=0) <= MAX_ORDINAL
    return "\n".join(
        f"{entry.number}{marks[0]} {_linked(entry)}"
        if ordered
        else rf"{marks[1]} \[{entry.number}\] {_linked(entry)}"
        for entry in entries
    )


def _linked(entry: Entry) -> str:
    return "; ".join(dict.fromkeys(map(_link, entry.sources)))


def _link(source: Source) -> str:
    url, title = safe_url(source.url), escape(title_of(source))
    return f"[{title or escape(url)}](<{destination(url)}>)" if url else title

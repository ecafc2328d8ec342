"""Plain text: for terminals, mail, logs, exports, and for text that goes back to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from citemark.model import CitationSegment
from citemark.renderers._clean import balance_bidi, clean
from citemark.renderers._display import cut, one_line, title_of
from citemark.renderers._options import checked_repeats, checked_text
from citemark.renderers._shown import shown
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer, Entry
    from citemark.model import Citation, Source
    from citemark.renderers._shown import Repeats

__all__ = ["TextRenderer", "without_controls"]

MAX_KEY: Final = 100
"""Code points that are shown of a key that names no source."""

# CSI, then OSC and its kin up to their end; what is left of the escape characters, `clean`
# replaces.  Bounded, since an unclosed string would otherwise hide the rest of the answer.
_SEQUENCES: Final = regex.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,32}+[ -/]{0,8}+[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,2048}+(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]{0,4}+[0-Z\\^-~]"
)


class TextRenderer:
    """Render an answer as plain text: ``[1]`` in the text, and one line a source below it.

    Control and escape characters are taken out, and each line closes the directions it opens.
    The Markdown of an answer stays as it is.

    Args:
        citations: Whether to show them.  If not, the text reads as if there never were any;
            code and line breaks stay as they are.
        repeats: ``"once"`` shows a number once that directly follows itself, ``"all"`` each
            time.
        sources: Whether the list of cited sources follows, if citations are shown.
        missing: What is shown for a key that names no source, after the key itself.

    Raises:
        RendererOptionError: A value that is none of these.
    """

    name: Final = "text"

    def __init__(
        self,
        *,
        citations: bool = True,
        repeats: Repeats = "once",
        sources: bool = True,
        missing: str = "source not found",
    ) -> None:
        """Check and keep the options."""
        self._citations = citations
        self._repeats = checked_repeats(repeats)
        self._sources = sources
        self._missing = one_line(checked_text(missing, "missing"))

    def render(self, answer: Answer) -> str:
        """Return the text, then an empty line and the list of sources if there are any."""
        body = balance_bidi("".join(self._pieces(answer)))
        listed = self._citations and self._sources
        lines = [self._line(entry) for entry in answer.entries] if listed else []
        return "\n\n".join([body.rstrip(), "\n".join(lines)]) if lines else body

    def _pieces(self, answer: Answer) -> Iterator[str]:
        pieces = shown(
            answer, repeats=self._repeats, citations=self._citations, clean=without_controls
        )
        for segment, citations in pieces:
            if isinstance(segment, CitationSegment):
                yield "".join(map(self._marker, citations))
            else:
                yield segment.text

    def _marker(self, citation: Citation) -> str:
        if citation.number is not None:
            return f"[{citation.number}]"
        return f"[{cut(one_line(citation.key), MAX_KEY)}: {self._missing}]"

    def _line(self, entry: Entry) -> str:
        named = "; ".join(dict.fromkeys(_named(source) for source in entry.sources))
        return balance_bidi(f"[{entry.number}] {named}")


def _named(source: Source) -> str:
    parts = (title_of(source), safe_url(source.url))
    return " - ".join(part for part in parts if part)


def without_controls(text: str) -> str:
    """Return a text without escape sequences and controls: a terminal shows no more of it."""
    # Called for each text between markers: what opens in one must not take a marker with it.
    if "\x1b" in text or not text.isascii():
        text = _SEQUENCES.sub("", text)
    return clean(text)

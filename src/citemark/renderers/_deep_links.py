"""Links that lead to the place in a source, not to its first line.

A browser that does not know them opens the source as it is, so nothing is lost by one that does
not fit any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import regex

from citemark.renderers._urls import MAX_URL, host_of

if TYPE_CHECKING:
    from citemark.renderers._kinds import Kind

__all__ = ["deep_link"]

MAX_WHOLE: Final = 120
"""Code points of a text that is looked for as a whole; of a longer one both ends are."""

END_WORDS: Final = 5
"""Words of each end."""

MAX_END: Final = 80
"""Code points of an end: one without blanks, as Chinese has it, ends with its clause."""

MAX_PAGE: Final = 1_000_000
"""Pages of a file, to keep what a link holds short."""

_CLAUSES: Final = regex.compile(r"[。！？、，；：…]+")


def deep_link(url: str, kind: Kind, page: object, text: str) -> str:
    """Return the URL with the place in it, if there is one that a browser may find.

    ``#page=3`` in a PDF (RFC 8118), and in a web page a text fragment (URL Fragment Text
    Directives, WICG).  A URL that has a fragment already is left as it is.

    Args:
        url: A safe URL.
        kind: Of the source.
        page: Number of the page, from 1; anything else is none.
        text: One line of the source, as it stands there; "" for none.

    >>> deep_link("https://example.org/a.pdf", "pdf", 3, "")
    'https://example.org/a.pdf#page=3'
    >>> deep_link("https://example.org/a", "web", None, "Costs, fell by a well-known 5 %")
    'https://example.org/a#:~:text=Costs%2C%20fell%20by%20a%20well%2Dknown%205%20%25'
    """
    if "#" in url or not host_of(url):
        return url
    fragment = ""
    if kind == "pdf" and isinstance(page, int) and 1 <= page <= MAX_PAGE:
        fragment = f"#page={page:d}"
    elif kind == "web" and text:
        fragment = _text_fragment(text)
    return url + fragment if len(url) + len(fragment) <= MAX_URL else url


def _text_fragment(text: str) -> str:
    ends = [text] if len(text) <= MAX_WHOLE else _ends(text)
    return f"#:~:text={','.join(map(_encoded, ends))}" if ends else ""


def _ends(text: str) -> list[str]:
    """Return how a long text starts and ends; nothing if it cannot be cut at words."""
    words = text.split()
    ends = [" ".join(words[:END_WORDS]), " ".join(words[-END_WORDS:])]
    if max(map(len, ends)) > MAX_END:
        clauses = [clause for clause in _CLAUSES.split(text) if clause]
        ends = [clauses[0].strip(), clauses[-1].strip()] if clauses else []
    return ends if all(0 < len(end) <= MAX_END for end in ends) else []


def _encoded(text: str) -> str:
    # A dash would tell a prefix or suffix from the text.
    return quote(text, safe="").replace("-", "%2D")

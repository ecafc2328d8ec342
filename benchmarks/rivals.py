"""The rivals: what one writes first, as fast as it goes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

from citemark import Marker

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["EmptyStream", "find_plain_markers", "plain_html"]

# Possessive gains 3 % here; taking the bracket out of three alternatives gains nothing.
_finditer: Final = re.compile(
    r"\[(?P<number>[0-9]++)\]"
    r"|\[doc:(?P<doc>[^\]\n]++)\]"
    r"|\[(?P<title>[^\]\n]++)\]\((?P<url>[^)\s]++)\)"
    r"|<<(?P<angle>[^>\n]++)>>"
).finditer


def find_plain_markers(text: str) -> list[Marker]:
    """Return ``[1]``, ``[doc:abc]``, ``[Title](url)`` and ``<<id>>``, wherever they stand.

    No lists, ranges or other forms; code, math and images are not skipped, and nothing keeps
    ``[``, repeated, from taking quadratic time.
    """
    markers: list[Marker] = []
    add = markers.append
    for match in _finditer(text):
        name = match.lastgroup or ""
        start, end = match.span()
        words = match["title"] if name == "url" else ""
        add(Marker(start, end, match[0], name, (match[name],), words))
    return markers


class EmptyStream:
    """The least that a stream can cost: the calls."""

    def feed(self, chunk: str) -> list[str]:  # noqa: ARG002  does nothing, on purpose
        """Return nothing."""
        return []

    def close(self) -> list[str]:
        """Return nothing."""
        return []


def plain_html() -> Callable[[str], str]:
    """Return the rendering of bare markdown-it-py, which knows nothing of citations."""
    markdown = MarkdownIt("commonmark", {"html": False})
    render: Callable[[str], str] = markdown.enable(["table", "strikethrough"]).render
    return render

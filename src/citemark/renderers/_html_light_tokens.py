"""Tokens of which an answer has many, made in a quarter of the time of others.

What is the same for nearly all of them is said once, for the class; a rule that changes it does
so for one token alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final, Literal, cast

from markdown_it.token import Token

__all__ = ["Block", "Paragraph", "ParagraphEnd", "Text"]

_NOTHING: Final = cast("dict[str, Any]", MappingProxyType({}))


class Text(Token):
    """Text within a block, or a sign that may become a tag."""

    type = "text"
    tag = ""
    nesting: Literal[-1, 0, 1] = 0
    attrs = _NOTHING
    map = None
    level = 0
    children = None
    markup = ""
    info = ""
    meta = _NOTHING
    block = False
    hidden = False

    def __init__(self, content: str = "") -> None:
        """Take the text."""
        self.content = content


class Block(Text):
    """What stands in a block, to be parsed."""

    type = "inline"
    block = True


class Paragraph(Block):
    """The start of a paragraph."""

    type = "paragraph_open"
    tag = "p"
    nesting: Literal[-1, 0, 1] = 1
    content = ""

    def __init__(self, level: int) -> None:
        """Take the level at which it stands."""
        self.level = level


class ParagraphEnd(Paragraph):
    """The end of a paragraph."""

    type = "paragraph_close"
    nesting: Literal[-1, 0, 1] = -1

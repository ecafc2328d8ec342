"""Texts of an answer, with references or the characters of the answer for placeholders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it.common.utils import escapeHtml

from citemark.renderers._clean import balance_bidi, without_invisible
from citemark.renderers._html_marks import PLACEHOLDER, mark_number, restored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token
    from markdown_it.utils import EnvType

    from citemark.renderers._html_marks import Mark
    from citemark.renderers._html_page import Page

__all__ = ["is_name", "plain_text", "text_html", "text_of_link", "verbatim"]


def text_html(content: str, env: EnvType) -> str:
    """Return text, with references where placeholders are."""
    if content.isascii():
        return escapeHtml(content)
    page: Page = env["page"]
    if page.link.is_autolink:
        content = balance_bidi(restored(content, page.marks))
        return escapeHtml(without_invisible(content) if page.link.href else content)
    if page.link.href:
        content = without_invisible(content)
    pieces = PLACEHOLDER.split(escapeHtml(content))
    if env["has_bidi"]:
        # A direction that is left open must not take a reference with it.
        pieces[::2] = map(balance_bidi, pieces[::2])
    pieces[1::2] = [page.mark(mark_number(digits)) for digits in pieces[1::2]]
    return "".join(pieces)


def verbatim(token: Token, page: Page) -> str:
    """Return what a token holds, with the characters of the answer for placeholders."""
    return balance_bidi(restored(token.content, page.marks))


def text_of_link(tokens: Sequence[Token], opening: int) -> str:
    """Return the text of the link that opens at a place."""
    closing = opening + 1
    while tokens[closing].type != "link_close":
        closing += 1
    return plain_text(tokens[opening + 1 : closing])


def plain_text(tokens: Sequence[Token], marks: list[Mark] | None = None) -> str:
    """Return the text of tokens without their markup, with what markers stand for, if given."""
    return "".join(
        plain_text(token.children, marks)
        if token.children
        else _written(token, marks) or _line(token)
        for token in tokens
    )


def _written(token: Token, marks: list[Mark] | None) -> str:
    # Entities may spell placeholders; those stand for nothing.
    if marks is None or token.type == "text_special":
        return token.content
    return restored(token.content, marks)


def _line(token: Token) -> str:
    return " " if token.type in {"softbreak", "hardbreak"} else ""


def is_name(text: str) -> bool:
    """Tell whether a link with this text can be seen and spoken."""
    return bool(without_invisible(PLACEHOLDER.sub("", text)).strip())

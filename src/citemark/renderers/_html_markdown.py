"""The Markdown around citations, rendered from its tokens; loaded when first needed.

CommonMark with tables and ~~strikethrough~~.  Raw HTML and images are text, and what is a link
is decided here: markdown-it-py is only asked where links are, not which are safe.
"""

# ruff: noqa: ARG002  the rules of markdown-it-py all have the same parameters

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import blockquote, list_block

from citemark.renderers._clean import balance_bidi, clean, without_invisible
from citemark.renderers._html_marks import OPENING, PLACEHOLDER, mark_number, restored
from citemark.renderers._html_page import NO_LINK, REL, Link
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

    from citemark.renderers._html_marks import Mark
    from citemark.renderers._html_page import Page

__all__ = ["render_markdown"]

MAX_NESTING: Final = 40
"""Levels of blocks: browsers and parsers slow down, or break, on deep trees.

The marks of deeper ones are text.
"""

_CONTAINERS: Final = (
    ("blockquote", blockquote, 1, ["paragraph", "reference", "blockquote", "list"]),
    ("list", list_block, 2, ["paragraph", "reference", "blockquote"]),
)
"""Rules with the levels they add, and what they end (as markdown-it-py 3 and 4 have it)."""

MAX_EMPHASIS: Final = 12
"""Emphasis within emphasis, for the same reason; deeper ones are not emphasised."""

_LANGUAGE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}(?=\s|$)")


def render_markdown(text: str, page: Page) -> str:
    """Return the HTML of Markdown with placeholders, which the page turns into references."""
    rendered: str = _markdown().render(text, {"page": page})
    return rendered


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    # `text_join` would make entities a part of the text, where they could spell placeholders.
    # `reference` would let "[1]: https://evil" turn every [1] into a link.
    markdown = _Markdown(
        "commonmark",
        {"html": False, "maxNesting": MAX_NESTING + 1},
        renderer_cls=_AnswerHtml,
    )
    markdown.enable(["table", "strikethrough"])
    markdown.disable(["reference", "html_block", "html_inline", "text_join"])
    for name, rule, levels, ended in _CONTAINERS:
        markdown.block.ruler.at(name, _limited(rule, levels), {"alt": ended})
    markdown.inline.ruler.before("escape", "before_marker", _before_marker)
    for rules in (
        markdown.core.ruler,
        markdown.block.ruler,
        markdown.inline.ruler,
        markdown.inline.ruler2,
    ):
        # Compiles them: were it left to the first render, a second thread might see a part.
        rules.getRules("")
    return markdown


def _limited(
    rule: Callable[[StateBlock, int, int, bool], bool], levels: int
) -> Callable[[StateBlock, int, int, bool], bool]:
    """Return the rule of a container, made to open none below the deepest level.

    markdown-it-py itself drops all that is nested too deep.
    """

    def limited(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001  called so
        return state.level + levels <= MAX_NESTING and rule(state, first, end, silent)

    return limited


def _before_marker(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  called so
    r"""Keep a back-slash from a placeholder: ``\【1】`` is a back-slash and a citation."""
    if not state.src.startswith(f"\\{OPENING}", state.pos):
        return False
    if not silent:
        state.pending += "\\"
    state.pos += 1
    return True


class _Markdown(MarkdownIt):
    """Hands on links as they are written; ``_AnswerHtml`` judges them."""

    def validateLink(self, url: str) -> bool:  # noqa: N802  name of the base class
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802  name of the base class
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802  name of the base class
        return link


class _AnswerHtml(RendererHTML):
    """Renders tokens; all that belongs to one answer is in the page, so threads may share it.

    The methods are named after the types of the tokens.
    """

    def text(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return text, with references where placeholders are."""
        content = tokens[idx].content
        if content.isascii():
            return escapeHtml(content)
        page: Page = env["page"]
        if page.link.is_autolink:
            content = balance_bidi(restored(content, page.marks))
            return escapeHtml(without_invisible(content) if page.link.href else content)
        pieces = PLACEHOLDER.split(content)
        pieces[::2] = [
            escapeHtml(balance_bidi(without_invisible(piece) if page.link.href else piece))
            for piece in pieces[::2]
        ]
        pieces[1::2] = [page.mark(mark_number(digits)) for digits in pieces[1::2]]
        return "".join(pieces)

    def text_special(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the character of an entity or of an escape."""
        content = balance_bidi(clean(tokens[idx].content))
        return escapeHtml(without_invisible(content) if env["page"].link.href else content)

    def code_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return code, with the characters of the answer in place of placeholders."""
        _restore_code(tokens[idx], env)
        return super().code_inline(tokens, idx, options, env)

    def code_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return indented code, likewise."""
        _restore_code(tokens[idx], env)
        return super().code_block(tokens, idx, options, env)

    def fence(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return fenced code, likewise; its language becomes a class if it is a plain name."""
        _restore_code(tokens[idx], env)
        language = _LANGUAGE.match(tokens[idx].info.strip())
        tokens[idx].info = language[0] if language else ""
        return super().fence(tokens, idx, options, env)

    def image(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the text and the address of an image, which is never loaded."""
        marks = env["page"].marks
        text = _plain(tokens[idx].children or (), marks)
        address = restored(str(tokens[idx].attrs.get("src", "")), marks)
        shown = " ".join(part for part in (text, f"({address})" if address else "") if part)
        shown = balance_bidi(clean(shown))
        return escapeHtml(without_invisible(shown) if env["page"].link.href else shown)

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the start of a link if it may be one."""
        page: Page = env["page"]
        token = tokens[idx]
        address = restored(str(token.attrs["href"]), page.marks)
        text = _text_of_link(tokens, idx)
        href = page.link_target(address) if _is_name(text) else None
        page.link = Link(href, is_autolink=token.info == "auto")
        if href:
            token.attrs = {"href": href, "rel": REL}
            return self.renderToken(tokens, idx, options, env)
        if token.info == "auto":
            # What only looks like an address, as a tag with a colon does, stays as written.
            before, page.link.after = ("", "") if safe_url(address) else ("<", ">")
            return escapeHtml(before)
        if address and address != text:
            page.link.after = f" ({balance_bidi(clean(address))})"
        return ""

    def link_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the end of a link, and the references that stood in it."""
        page: Page = env["page"]
        link, page.link = page.link, NO_LINK
        if not link.href:
            return escapeHtml(link.after)
        return self.renderToken(tokens, idx, options, env) + "".join(link.references)

    def th_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the start of a table cell, aligned by a class: no style in the markup."""
        style = str(tokens[idx].attrs.pop("style", ""))
        if style:
            tokens[idx].attrSet("class", f"cite-{style.removeprefix('text-align:')}")
        return self.renderToken(tokens, idx, options, env)

    td_open = th_open

    def em_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the start of emphasis, unless it is nested too deeply."""
        env["page"].emphasis += 1
        if env["page"].emphasis > MAX_EMPHASIS:
            return ""
        return self.renderToken(tokens, idx, options, env)

    def em_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the end of emphasis, if it was started."""
        env["page"].emphasis -= 1
        if env["page"].emphasis >= MAX_EMPHASIS:
            return ""
        return self.renderToken(tokens, idx, options, env)

    strong_open = s_open = em_open
    strong_close = s_close = em_close


def _restore_code(token: Token, env: EnvType) -> None:
    token.content = balance_bidi(restored(token.content, env["page"].marks))


def _text_of_link(tokens: Sequence[Token], opening: int) -> str:
    closing = opening + 1
    while tokens[closing].type != "link_close":
        closing += 1
    return _plain(tokens[opening + 1 : closing])


def _plain(tokens: Sequence[Token], marks: list[Mark] | None = None) -> str:
    """Return the text of tokens without their markup, with what markers stand for, if given."""
    return "".join(
        _plain(token.children, marks)
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


def _is_name(text: str) -> bool:
    """Tell whether a link with this text can be seen and spoken."""
    return bool(without_invisible(PLACEHOLDER.sub("", text)).strip())

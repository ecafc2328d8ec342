"""The tokens of Markdown as HTML: texts with references in them, links that are judged."""

# ruff: noqa: ARG002  the rules of markdown-it-py all have the same parameters

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from citemark.renderers._clean import balance_bidi, clean, without_invisible
from citemark.renderers._html_marks import restored
from citemark.renderers._html_page import NO_LINK, REL, Link
from citemark.renderers._html_texts import (
    is_name,
    plain_text,
    text_html,
    text_of_link,
    verbatim,
)
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.utils import EnvType, OptionsDict

    from citemark.renderers._html_page import Page

__all__ = ["AnswerHtml"]

MAX_EMPHASIS: Final = 12
"""Emphasis within emphasis: browsers break on deep trees; deeper ones are not emphasised."""

MAX_LEVEL: Final = 6
"""Of headings."""

_LANGUAGE: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]{0,39}(?:#|\+\+)?)(?:\s|$)")
_LANGUAGES: Final = {"c++": "cpp", "c#": "csharp", "f#": "fsharp"}
"""Languages that highlighters know by a name that can be a class, too."""

_TASK: Final = re.compile(r"\[(?:(?P<done>[xX])|[ ])\](?=[ \t]|$)")


class AnswerHtml(RendererHTML):
    """Renders tokens; all that belongs to one answer is in the page, so threads may share it.

    The methods are named after the types of the tokens.
    """

    def __init__(self, parser: object = None) -> None:
        """Take the methods for the rules."""
        super().__init__(parser)
        self._tags: dict[tuple[str, object], str] = {}

    def renderInline(  # noqa: N802  name of the base class
        self, tokens: Sequence[Token], options: OptionsDict, env: EnvType
    ) -> str:
        """Return the HTML of a text; its parts that stand beside each other are one."""
        rules = self.rules
        if len(tokens) == 1 and tokens[0].type == "text":
            return text_html(tokens[0].content, env)
        parts: list[str] = []
        texts: list[str] = []
        for index, token in enumerate(tokens):
            if token.type == "text":
                texts.append(token.content)
                continue
            if texts:
                parts.append(text_html("".join(texts), env))
                texts.clear()
            rule = rules.get(token.type, self.renderToken)
            parts.append(rule(tokens, index, options, env))
        if texts:
            parts.append(text_html("".join(texts), env))
        return "".join(parts)

    def renderToken(  # noqa: N802  name of the base class
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return a tag; one without attributes is made once for each way it may stand."""
        token = tokens[idx]
        if token.hidden:
            return ""
        if token.attrs or not token.nesting:
            return super().renderToken(tokens, idx, options, env)
        place = (token.tag, token.nesting > 0 and _place(tokens, idx))
        tag = self._tags.get(place)
        if tag is None:
            tag = self._tags[place] = super().renderToken(tokens, idx, options, env)
        return tag

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
        tokens[idx].content = verbatim(tokens[idx], env["page"])
        return super().code_inline(tokens, idx, options, env)

    def code_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return indented or fenced code; its language is a class if it is a plain name."""
        page: Page = env["page"]
        language = _language(tokens[idx].info)
        return page.fill("code", language=language, content=verbatim(tokens[idx], page))

    fence = code_block

    def math(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return a formula, marked as one if the page sets formulas."""
        page: Page = env["page"]
        content = verbatim(tokens[idx], page)
        if not page.options.math:
            return escapeHtml(content)
        return page.fill("formula", content=content)

    def math_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return a formula that is a block, likewise."""
        page: Page = env["page"]
        is_set = "math" if page.options.math else ""
        return page.fill("formula_block", content=verbatim(tokens[idx], page), is_set=is_set)

    def heading_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the start or the end of a heading, moved down by what the page asks for.

        One without words is left out: it would be read as a heading, and say nothing.
        """
        token = tokens[idx]
        if not without_invisible(tokens[idx + token.nesting].content).strip():
            return ""
        level = int(token.tag[1:]) + env["page"].options.heading_shift
        token.tag = f"h{min(level, MAX_LEVEL)}"
        return self.renderToken(tokens, idx, options, env)

    heading_close = heading_open

    def list_item_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the start of an item; ``[ ]`` or ``[x]`` in front of its text is a box."""
        text = tokens[idx + 2] if tokens[idx + 1].type == "paragraph_open" else None
        if text is not None and text.children and _mark_task(text.children):
            tokens[idx].attrSet("class", "cite-task")
        return self.renderToken(tokens, idx, options, env)

    def task(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the box of a task."""
        page: Page = env["page"]
        state = tokens[idx].info
        sign = "\u2611" if state == "done" else "\u2610"
        return page.fill("task", sign=sign, word=page.options.words[state])

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the start of a table, which a keyboard can scroll."""
        tokens[idx].attrSet("tabindex", "0")
        return self.renderToken(tokens, idx, options, env)

    def th_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the start of a table cell, aligned by a class: no style in the markup."""
        token = tokens[idx]
        style = str(token.attrs.pop("style", "")) if token.attrs else ""
        if style and tokens[idx + 1].content:
            token.attrSet("class", f"cite-{style.removeprefix('text-align:')}")
        return self.renderToken(tokens, idx, options, env)

    td_open = th_open

    def image(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return the text and the address of an image, which is never loaded."""
        marks = env["page"].marks
        text = plain_text(tokens[idx].children or (), marks)
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
        text = text_of_link(tokens, idx)
        href = page.link_target(address) if is_name(text) else None
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


def _place(tokens: Sequence[Token], index: int) -> tuple[bool, bool]:
    """Tell whether a start shares a line with what is before it, and with what follows."""
    token, following = tokens[index], tokens[index + 1]
    return (
        index > 0 and tokens[index - 1].hidden,
        following.hidden
        or following.type == "inline"
        or (following.nesting < 0 and following.tag == token.tag),
    )


def _language(info: str) -> str:
    """Return the language of code as a class can name it; "" for anything else."""
    found = _LANGUAGE.match(info.strip())
    name = found[1] if found else ""
    return _LANGUAGES.get(name.lower(), "" if name[-1:] in ("#", "+") else name)


def _mark_task(tokens: list[Token]) -> bool:
    """Put the box of a task in front of the text of an item, if it is one."""
    first = tokens[0]
    found = _TASK.match(first.content) if first.type == "text" else None
    if found is None:
        return False
    first.content = first.content[found.end() :]
    tokens.insert(0, Token("task", "", 0, info="done" if found["done"] else "todo"))
    return True

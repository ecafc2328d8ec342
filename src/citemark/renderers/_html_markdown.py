"""An answer as HTML, made from the tokens of its Markdown; loaded when first needed.

CommonMark with tables, ~~strikethrough~~ and tasks.  Raw HTML and images are text, and what is
a link is decided by ``_html_tokens``: markdown-it-py is only asked where links are, not which
are safe.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from citemark.renderers._clean import has_bidi
from citemark.renderers._html_blocks import MAX_NESTING, use_block_rules
from citemark.renderers._html_inline import Inline
from citemark.renderers._html_page import Page
from citemark.renderers._html_tokens import AnswerHtml

if TYPE_CHECKING:
    from markdown_it.token import Token

    from citemark.answer import Answer
    from citemark.renderers.html import HtmlRenderer

__all__ = ["render_answer"]


def render_answer(answer: Answer, options: HtmlRenderer) -> tuple[str, str]:
    """Return the HTML of an answer, and that of its sources."""
    page = Page(answer, options)
    return page.wrapped(_render_markdown(page)), page.notes()


def _render_markdown(page: Page) -> str:
    """Return the HTML of the text, in which the page puts references for placeholders."""
    markdown, environment = _markdown(), {"page": page, "has_bidi": has_bidi(page.text)}
    tokens: list[Token] = []
    # Not by `markdown.render`: it would first end the lines again that `cut_markers` has ended.
    markdown.block.parse(page.text, markdown, environment, tokens)
    for token in tokens:
        if token.type == "inline":
            token.children = markdown.inline.parse(token.content, markdown, environment, [])
    rendered: str = markdown.renderer.render(tokens, markdown.options, environment)
    return rendered


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    # `reference` would let "[1]: https://evil" turn every [1] into a link.
    # `fragments_join` and `text_join` join texts, which is done when they are rendered; and
    # entities must not become a part of a text, where they could spell placeholders.
    markdown = _Markdown(
        "commonmark", {"html": False, "maxNesting": MAX_NESTING + 1}, renderer_cls=AnswerHtml
    )
    markdown.inline = Inline()
    markdown.configure("commonmark", {"html": False, "maxNesting": MAX_NESTING + 1})
    markdown.enable(["table", "strikethrough"])
    markdown.disable(["reference", "html_block", "fragments_join", "text_join"])
    use_block_rules(markdown)
    for ruler in (markdown.core.ruler, markdown.block.ruler, markdown.inline.ruler2):
        # Compiles them: were it left to the first render, a second thread might see a part.
        ruler.getRules("")
    return markdown


class _Markdown(MarkdownIt):
    """Hands on links as they are written; ``AnswerHtml`` judges them."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802  as in the base class
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802  name of the base class
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802  name of the base class
        return link

"""HTML with numbered references in the text and a list of the cited sources below it.

Every tag is in ``templates/html/`` or comes from the Markdown of the answer.  Roles are those
of Digital Publishing WAI-ARIA 1.1: ``doc-noteref`` for a reference, ``doc-endnotes`` for the
list, ``doc-backlink`` for the way back.  ``assets/citemark.css`` makes it look well.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from citemark.renderers._options import (
    LinkPolicy,
    checked_links,
    checked_prefix,
    checked_repeats,
    checked_text,
    checked_words,
    require,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from citemark.answer import Answer
    from citemark.renderers._shown import Repeats

__all__ = ["WORDS", "HtmlRenderer", "LinkPolicy"]

WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "source": "Source {number}: {title}",
        "missing": "source not found",
        "back": "Back to reference {number}-{use}",
        "page": "page {page}",
    }
)
"""What a reader hears or sees beside the text, to be translated."""

_HEADING_LEVELS: Final = range(1, 7)


class HtmlRenderer:
    """Renders an answer, which is Markdown, as a fragment of HTML.

    Raw HTML of the answer is shown as text, an image as its text and address, and so is a link
    that the link policy refuses.  Nothing is ever loaded or run: no image, style or script.
    """

    name = "html"

    def __init__(  # noqa: PLR0913  options of one output; all but the policy rarely given
        self,
        *,
        id_prefix: str | None = None,
        links: LinkPolicy = "sources",
        previews: Literal["none", "hint"] = "none",
        notes: Literal["cited", "none"] = "cited",
        repeats: Repeats = "once",
        heading: str = "Sources",
        heading_level: int = 2,
        words: Mapping[str, str] | None = None,
    ) -> None:
        """Check and keep the options.

        Args:
            id_prefix: Start of every ``id``: a letter, then letters, digits, ``_``, ``-``.
                By default it is made from the answer, so that two answers on a page do not
                collide; give one if the same answer stands on a page twice.
            links: ``"sources"``, ``"safe"`` (http, https, mailto), or the hosts of links that
                stay links besides those to sources.
            previews: ``"hint"`` adds a card for each source, shown on hover and focus in
                browsers that know ``interestfor``.
            notes: ``"none"`` leaves the list of sources out; references then link to the URLs
                of their sources.
            repeats: ``"once"`` shows a number once that directly follows itself, ``"all"`` each
                time.
            heading: Of the list of sources.
            heading_level: Of that heading, 1 to 6.
            words: Translations, by the names of ``WORDS``.

        Raises:
            RendererOptionError: A value that is none of these.
        """
        require(previews in ("none", "hint"), "previews", '"none" or "hint"')
        require(notes in ("cited", "none"), "notes", '"cited" or "none"')
        require(heading_level in _HEADING_LEVELS, "heading_level", "1 to 6")
        self.id_prefix = checked_prefix(id_prefix, "id_prefix")
        self.links = checked_links(links)
        self.previews = previews
        self.notes = notes
        self.repeats = checked_repeats(repeats)
        self.heading = checked_text(heading, "heading")
        self.heading_level = int(heading_level)
        self.words = checked_words({} if words is None else words, WORDS)

    def render(self, answer: Answer) -> Markup:
        """Return the answer with its references, then the list of sources if there are any."""
        # Imported late: Jinja and markdown-it-py take longer to load than all of citemark.
        from markupsafe import Markup  # noqa: PLC0415

        from citemark.renderers._html_markdown import render_markdown  # noqa: PLC0415
        from citemark.renderers._html_page import Page  # noqa: PLC0415

        page = Page(answer, self)
        body = render_markdown(page.text, page)
        # Both are escaped where they are made.
        return Markup(page.wrapped(body) + page.notes())  # noqa: S704

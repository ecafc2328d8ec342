"""HTML with numbered references in the text and a list of the cited sources below it.

Every tag is in ``templates/html/`` or comes from the Markdown of the answer.  Roles are those
of Digital Publishing WAI-ARIA 1.1: ``doc-noteref`` for a reference, ``doc-endnotes`` for the
list, ``doc-backlink`` for the way back.  ``citemark.assets`` makes it look well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from citemark.renderers._options import (
    LinkPolicy,
    checked_choice,
    checked_flag,
    checked_id,
    checked_level,
    checked_links,
    checked_loader,
    checked_prefix,
    checked_repeats,
    checked_text,
    checked_words,
)
from citemark.renderers._words import LANGUAGES, WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import BaseLoader
    from markupsafe import Markup

    from citemark.answer import Answer
    from citemark.renderers._shown import Repeats

__all__ = [
    "LANGUAGES",
    "WORDS",
    "Group",
    "HtmlParts",
    "HtmlRenderer",
    "LinkPolicy",
    "Notes",
    "Previews",
]

Previews: TypeAlias = Literal["none", "hint", "button"]
"""How the card of a number opens: there is none, on hover and focus, or by a button."""

Notes: TypeAlias = Literal["cited", "all", "none"]
"""Which sources are listed."""

Group: TypeAlias = Literal["separate", "joined"]
"""How citations that stand together are shown: ``[1][2]`` or ``[1, 2]``."""

MAX_SHIFT: Final = 5
"""Levels by which headings can move down: there are six."""


class HtmlParts(NamedTuple):
    """An answer in two pieces, for different places of one page."""

    body: Markup
    """The text with its references."""

    notes: Markup
    """The list of sources, and the previews; empty if there are neither."""


class HtmlRenderer:
    """Renders an answer, which is Markdown, as a fragment of HTML.

    Raw HTML of the answer is shown as text, an image as its text and address, and so is a link
    that the link policy refuses.  Nothing is ever loaded or run: no image, style or script.
    A renderer may be shared by threads.
    """

    name = "html"

    def __init__(  # noqa: PLR0913  options of one output; all but the policy rarely given
        self,
        *,
        id_prefix: str | None = None,
        links: LinkPolicy = "sources",
        previews: Previews = "none",
        notes: Notes = "cited",
        group: Group = "separate",
        repeats: Repeats = "once",
        heading: str | None = None,
        heading_level: int = 2,
        labelled_by: str | None = None,
        heading_shift: int = 0,
        math: bool = False,
        language: str = "en",
        words: Mapping[str, str] | None = None,
        scores: bool = False,
        templates: BaseLoader | None = None,
    ) -> None:
        """Check and keep the options.

        Args:
            id_prefix: Start of every ``id``: a letter, then letters, digits, ``_``, ``-``.
                By default it is made from the text and the cited sources, so that two answers
                on a page do not collide; give one if the same answer stands there twice.
            links: ``"sources"``, ``"safe"`` (http, https, mailto), or the hosts of links that
                stay links besides those to sources.
            previews: ``"hint"`` adds a card for each number, shown on hover and focus in
                browsers that know ``interestfor``; ``"button"`` makes each reference a button
                that opens its card.
            notes: ``"all"`` adds the sources that were given and not cited, if the answer has
                them (``cite(..., consulted=True)``); ``"none"`` leaves the list out, and
                references then link to the URLs of their sources.
            group: ``"separate"`` shows citations that stand together as ``[1][2]``,
                ``"joined"`` as ``[1, 2]``.
            repeats: ``"once"`` shows a number once that directly follows itself, ``"all"`` each
                time.
            heading: Of the list of sources; by default that of the language.  "" hides it: it
                is still read aloud, for the list needs a name.
            heading_level: Of that heading, 1 to 6.
            labelled_by: Id of the element of the page that says which answer this is, such as
                its heading or the question.  Screen readers then call the list of sources by
                both, and tell it from those of other answers.
            heading_shift: Levels by which the headings of the answer move down, 0 to 5.
            math: Whether formulas stay as they are written, for KaTeX or MathJax.
            language: Of the words beside the text, one of ``LANGUAGES``.
            words: Other words, by the names of ``WORDS``.
            scores: Whether the relevance of sources is shown.
            templates: Loader of templates that take the place of ours with the same name.

        Raises:
            RendererOptionError: A value that is none of these.
        """
        self.id_prefix = checked_prefix(id_prefix, "id_prefix")
        self.links = checked_links(links)
        self.previews = checked_choice(previews, "previews", Previews)
        self.notes = checked_choice(notes, "notes", Notes)
        self.group = checked_choice(group, "group", Group)
        self.repeats = checked_repeats(repeats)
        self.heading_level = checked_level(heading_level, "heading_level", range(1, 7))
        self.labelled_by = checked_id(labelled_by, "labelled_by")
        self.heading_shift = checked_level(heading_shift, "heading_shift", range(MAX_SHIFT + 1))
        self.math = checked_flag(math, "math")
        self.words = checked_words(words, language)
        self.heading = (
            self.words["heading"] if heading is None else checked_text(heading, "heading")
        )
        self.scores = checked_flag(scores, "scores")
        self.templates = checked_loader(templates, "templates")

    def render(self, answer: Answer) -> Markup:
        """Return the answer with its references, then the list of sources if there are any."""
        from markupsafe import Markup  # noqa: PLC0415  as below

        body, notes = self._rendered(answer)
        return Markup(body + notes)  # noqa: S704  all of it is escaped where it is made

    def parts(self, answer: Answer) -> HtmlParts:
        """Return the same in two pieces; ids of one lead into the other."""
        from markupsafe import Markup  # noqa: PLC0415  as below

        return HtmlParts(*map(Markup, self._rendered(answer)))

    def _rendered(self, answer: Answer) -> tuple[str, str]:
        # Imported late: Jinja and markdown-it-py take longer to load than all of citemark.
        from citemark.renderers._html_markdown import render_answer  # noqa: PLC0415

        return render_answer(answer, self)

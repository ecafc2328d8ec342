"""Options that only HTML has: of an answer, and of a whole page of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from typing import Any, Final, NamedTuple, TypeVar

import click

__all__ = [
    "HtmlOptions",
    "answer_options",
    "html_options",
    "lang_of",
    "read_answer_options",
    "read_html_options",
]

_F = TypeVar("_F", bound=Callable[..., object])

_LANG: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,6}")
"""A language tag, as far as its form goes (BCP 47, 2.1)."""

_ANSWER: Final = (
    click.option(
        "--id-prefix", metavar="TEXT", help="html: start of all ids, unique per answer."
    ),
    click.option(
        "--links",
        metavar="POLICY",
        help="html: links of the answer that stay links: sources (default), safe, or hosts "
        "with commas between.",
    ),
    click.option(
        "--previews",
        type=click.Choice(["none", "hint", "button"]),
        help="html: a card for each source, shown on hover and focus, or by a button.",
    ),
    click.option(
        "--notes",
        type=click.Choice(["cited", "all", "none"]),
        help="html: sources that are listed; all has those that are not cited too.",
    ),
    click.option(
        "--group",
        type=click.Choice(["separate", "joined"]),
        help="html: citations that stand together as [1][2] or [1, 2].",
    ),
    click.option(
        "--language",
        metavar="CODE",
        help="html: of the words beside the answer: ar, de, en, es, fr, ja or zh.",
    ),
)

_PAGE: Final = (
    click.option(
        "--page", is_flag=True, help="html: a whole page; -o puts its stylesheet beside it."
    ),
    click.option("--title", metavar="TEXT", help="--page: its title, else the file's name."),
    click.option(
        "--lang", metavar="TAG", help="--page: its language, else that of --language."
    ),
)


class HtmlOptions(NamedTuple):
    """What was asked for."""

    renderer: dict[str, Any]
    """Options of the renderer, those that were given."""

    page: bool
    title: str
    lang: str


def html_options(command: _F) -> _F:
    """Add the options to a command that renders one answer, or a page of it."""
    return reduce(lambda made, option: option(made), reversed((*_ANSWER, *_PAGE)), command)


def answer_options(command: _F) -> _F:
    """Add the options to a command that renders answers."""
    return reduce(lambda made, option: option(made), reversed(_ANSWER), command)


def lang_of(tag: str, option: str = "--lang") -> str:
    """Return a language tag, if it is one by its form; else the option is to blame.

    Raises:
        click.UsageError: It is none.
    """
    if not _LANG.fullmatch(tag):
        reason = f"{option} {tag!r}: expected a language tag, such as en or pt-BR"
        raise click.UsageError(reason)
    return tag


def read_html_options(to: str, given: Mapping[str, Any]) -> HtmlOptions:
    """Return the options, if they fit what is rendered.

    Raises:
        click.UsageError: One of them is for HTML, or a page, and that is not asked for.
    """
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value and to != "html":
            reason = f"{option} needs --to html"
            raise click.UsageError(reason)
        if value and name in {"title", "lang"} and not given["page"]:
            reason = f"{option} needs --page"
            raise click.UsageError(reason)
    # The words of a language are found by any form of its tag; a page needs the one of HTML.
    lang = given["lang"] or (given["language"] or "en").replace("_", "-")
    lang_of(lang, "--lang" if given["lang"] else "--language")
    return HtmlOptions(_renderer(given), given["page"], given["title"] or "", lang)


def read_answer_options(to: Collection[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of the renderer, those that were given.

    Args:
        to: The renderers; none if each answer has its own.
        given: What the command was given.

    Raises:
        click.UsageError: One of them is for HTML, and that is not asked for.
    """
    options = _renderer(given)
    for name in options:
        if to and "html" not in to:
            reason = f"--{name.replace('_', '-')} needs --to html"
            raise click.UsageError(reason)
    return options


def _renderer(given: Mapping[str, Any]) -> dict[str, Any]:
    names = ("id_prefix", "previews", "notes", "group", "language")
    renderer = {name: given[name] for name in names if given.get(name) is not None}
    links = given.get("links")
    if links is not None:
        renderer["links"] = links if links in {"sources", "safe"} else links.split(",")
    return renderer

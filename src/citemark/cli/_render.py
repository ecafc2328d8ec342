"""``citemark render``: an answer with its sources, as HTML, Markdown, text or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._io import (
    STDIO,
    BadInputError,
    caller_mistakes,
    printable,
    read_text,
    write_text,
)
from citemark.cli._sources import read_sources

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.resolve import Unresolved
    from citemark.sources import Label

__all__ = ["render"]

MAX_KEYS: Final = 20
"""Keys that are said on stderr: a broken answer may have thousands."""


@click.command()
@click.argument("answer", default=STDIO, metavar="[ANSWER]")
@click.option(
    "--sources",
    "-s",
    required=True,
    metavar="FILE",
    help="Records that may be cited: JSON, JSON Lines or CSV; - is stdin.",
)
@click.option(
    "--to",
    "-t",
    default="html",
    show_default=True,
    metavar="NAME",
    help="html, markdown, text, json, or a renderer that is installed.",
)
@click.option("--output", "-o", default=STDIO, metavar="FILE", help="Write it here.")
@click.option(
    "--label",
    type=click.Choice(["number", "id"]),
    help="What the prompt called the sources: 1, 2, 3 by position, or their ids.",
)
@click.option(
    "--unresolved",
    type=click.Choice(["keep", "mark", "drop"]),
    help="Keys that name no source: left as written, shown as not found, or removed.  "
    "By default [9] is kept and [doc:9] marked.",
)
@click.option("--id-prefix", metavar="TEXT", help="html: start of all ids, unique per answer.")
@click.option(
    "--page", is_flag=True, help="html: a whole page; -o puts its stylesheet beside it."
)
@click.option("--strict", is_flag=True, help="Exit with 1 if a key names no source.")
def render(
    *,
    answer: str,
    sources: str,
    to: str,
    output: str,
    label: Label | None,
    unresolved: Unresolved | None,
    id_prefix: str | None,
    page: bool,
    strict: bool,
) -> None:
    """Show ANSWER (a Markdown file, or - for stdin) with its citations resolved.

    Keys that name no source are said on stderr.
    """
    _check_usage(answer, sources, to, html_only={"--id-prefix": id_prefix, "--page": page})
    _check_output(output, answer, sources, page=page)
    cited = _cite(answer, sources, label, unresolved)
    text = _render(cited, to, {} if id_prefix is None else {"id_prefix": id_prefix})
    if page:
        _write_page(text, answer, output)
    else:
        write_text(text, output)
    _say_unresolved(cited)
    if strict and cited.unresolved:
        click.get_current_context().exit(1)


def _check_usage(answer: str, sources: str, to: str, html_only: dict[str, object]) -> None:
    if answer == sources == STDIO:
        reason = "ANSWER and --sources cannot both be stdin; name a file for one of them"
        raise click.UsageError(reason)
    for option, value in html_only.items():
        if value and to != "html":
            raise click.UsageError(f"{option} needs --to html")


def _check_output(output: str, *inputs: str, page: bool) -> None:
    """Refuse to write over what is read: an answer that is lost is worse than one not shown."""
    if output == STDIO:
        return
    from citemark.cli.page import STYLESHEET

    target = Path(output).resolve()
    style = Path(output).parent.joinpath(STYLESHEET).resolve() if page else None
    if style is not None and str(style).casefold() == str(target).casefold():
        reason = f"-o {output} is where --page puts its stylesheet; name another file"
        raise click.UsageError(reason)
    for name in inputs:
        if name != STDIO and Path(name).resolve() in (target, style):
            raise click.UsageError(f"-o {output} would write over {name}; name another file")


def _cite(
    answer: str, sources: str, label: Label | None, unresolved: Unresolved | None
) -> Answer:
    from citemark.api import cite

    known = read_sources(sources, label)
    text = read_text(answer)
    with caller_mistakes(answer):
        return cite(text, known, unresolved=unresolved)


def _render(answer: Answer, to: str, options: dict[str, Any]) -> str:
    from citemark.errors import RendererOptionError
    from citemark.renderers import render as render_as

    with caller_mistakes(f"--to {to}"):
        try:
            return str(render_as(answer, to, **options))
        except RendererOptionError as error:
            option = f"--{error.name.replace('_', '-')}"
            raise BadInputError(option, error.reason) from None


def _write_page(body: str, answer: str, output: str) -> None:
    from citemark.cli.page import STYLESHEET, page, write_stylesheet

    title = "Answer" if answer == STDIO else Path(answer).stem
    write_text(page(title, [("", body)]), output)
    if output == STDIO:
        click.echo(f"The page links to {STYLESHEET}; -o FILE puts it beside FILE.", err=True)
        return
    try:
        write_stylesheet(Path(output).parent)
    except FileExistsError:
        reason = "is not ours and stays as it is; write the page to a folder without one"
        raise BadInputError(STYLESHEET, reason) from None
    except OSError as error:
        raise BadInputError(STYLESHEET, f"cannot be written: {error.strerror}") from None


def _say_unresolved(answer: Answer) -> None:
    from citemark.errors import shortened

    if answer.unresolved:
        count = len(answer.unresolved)
        what = "1 key names" if count == 1 else f"{count} keys name"
        keys = ", ".join(printable(shortened(key)) for key in answer.unresolved[:MAX_KEYS])
        more = f", and {count - MAX_KEYS} more" if count > MAX_KEYS else ""
        click.echo(f"{what} no source: {keys}{more}", err=True)

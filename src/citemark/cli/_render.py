"""``citemark render``: an answer with its sources, as HTML, Markdown, text or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._choice import formats_option, lenient_option, read_formats
from citemark.cli._file_names import FILE
from citemark.cli._html import html_options, read_html_options
from citemark.cli._io import (
    STDIO,
    BadInputError,
    caller_mistakes,
    printable,
    read_text,
    same_file,
    write_text,
)
from citemark.cli._provider import cite_response, provider_options, refuse_markers_options
from citemark.cli._sources import read_sources
from citemark.errors import counted

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.cli._html import HtmlOptions
    from citemark.resolve import SourceList, Unresolved
    from citemark.sources import Label, Sources

__all__ = ["render"]

MAX_SAID: Final = 20
"""Keys, and other issues, that are said on stderr: a broken answer may have thousands."""


@click.command()
@click.argument("answer", default=STDIO, metavar="[ANSWER]", type=FILE)
@click.option(
    "--sources",
    "-s",
    metavar="FILE",
    type=FILE,
    help="Records that may be cited: JSON, JSON Lines or CSV; - is stdin.  Required, but for "
    "--source-list parse.",
)
@click.option(
    "--to",
    "-t",
    default="html",
    show_default=True,
    metavar="NAME",
    help="html, markdown, text, json, csv, or a renderer that is installed.",
)
@click.option("--output", "-o", default=STDIO, metavar="FILE", type=FILE, help="Write it here.")
@click.option(
    "--label",
    type=click.Choice(["number", "id"]),
    help="What the prompt called the sources: 1, 2, 3 by position, or their ids.",
)
@formats_option
@lenient_option
@click.option(
    "--unresolved",
    type=click.Choice(["keep", "mark", "drop"]),
    help="Keys that name no source: left as written, shown as not found, or removed.  "
    "By default [9] is kept and [doc:9] marked.",
)
@click.option(
    "--source-list",
    type=click.Choice(["keep", "drop", "parse"]),
    default="keep",
    show_default=True,
    help="A list of sources that the model wrote: left as text, hidden, or hidden and, "
    "without --sources, taken for the sources.",
)
@html_options
@provider_options
@click.option("--strict", is_flag=True, help="Exit with 1 if a key names no source.")
def render(
    *,
    answer: str,
    sources: str | None,
    to: str,
    output: str,
    label: Label | None,
    formats: str | None,
    lenient: bool,
    unresolved: Unresolved | None,
    source_list: SourceList,
    provider: str | None,
    request: str | None,
    strict: bool,
    **html: Any,  # noqa: ANN401  the options of ``html_options``
) -> None:
    """Show ANSWER (a Markdown file, or - for stdin) with its citations resolved.

    Keys that name no source are said on stderr, and what else was odd.
    """
    given = read_html_options(to, html)
    _check_output(output, answer, sources or STDIO, request or STDIO, page=given.page)
    if provider is not None:
        refuse_markers_options()
        cited = cite_response(answer, provider, request)
    else:
        _check_usage(answer, sources, source_list, request)
        options = {
            "formats": read_formats(formats),
            "unresolved": unresolved,
            "source_list": source_list,
            "consulted": given.renderer.get("notes") == "all",
        }
        known = () if sources is None else read_sources(sources, label, lenient=lenient)
        cited = _cite(answer, known, options)
    _write(_render(cited, to, given.renderer), output, given, answer)
    _say_unresolved(cited)
    _say_issues(cited, "stdin" if answer == STDIO else answer)
    if strict and cited.unresolved:
        click.get_current_context().exit(1)


def _check_usage(
    answer: str, sources: str | None, source_list: SourceList, request: str | None
) -> None:
    if request is not None:
        raise click.UsageError("--request says what a --provider was asked; name that too")
    if sources is None and source_list != "parse":
        raise click.MissingParameter(param_hint="'--sources' / '-s'", param_type="option")
    if answer == sources == STDIO:
        reason = "ANSWER and --sources cannot both be stdin; name a file for one of them"
        raise click.UsageError(reason)


def _check_output(output: str, *inputs: str, page: bool) -> None:
    """Refuse to write over what is read: an answer that is lost is worse than one not shown."""
    if output == STDIO:
        return
    from citemark.cli.page import STYLESHEET

    target = Path(output).resolve()
    style = Path(output).parent.joinpath(STYLESHEET).resolve() if page else target
    if page and str(style).casefold() == str(target).casefold():
        reason = f"-o {output} is where --page puts its stylesheet; name another file"
        raise click.UsageError(reason)
    for name in inputs:
        if name != STDIO and (same_file(name, target) or same_file(name, style)):
            raise click.UsageError(f"-o {output} would write over {name}; name another file")


def _cite(answer: str, sources: Sources | tuple[()], options: dict[str, Any]) -> Answer:
    from citemark.api import cite

    text = read_text(answer)
    with caller_mistakes(answer):
        return cite(text, sources, **options)


def _render(answer: Answer, to: str, options: dict[str, Any]) -> str:
    from citemark.errors import RendererOptionError
    from citemark.renderers import render as render_as

    with caller_mistakes(f"--to {to}"):
        try:
            return str(render_as(answer, to, **options))
        except RendererOptionError as error:
            option = f"--{error.name.replace('_', '-')}"
            raise BadInputError(option, error.reason) from None


def _write(text: str, output: str, given: HtmlOptions, answer: str) -> None:
    if given.page:
        default = "Answer" if answer == STDIO else Path(answer).stem
        _write_page(text, output, given.title or default, given.lang)
    else:
        write_text(text, output)


def _write_page(body: str, output: str, title: str, lang: str) -> None:
    from citemark.cli.page import STYLESHEET, Section, page, write_stylesheet

    write_text(page(title, [Section(body)], lang=lang), output)
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
        keys = ", ".join(printable(shortened(key)) for key in answer.unresolved[:MAX_SAID])
        more = f", and {count - MAX_SAID} more" if count > MAX_SAID else ""
        click.echo(f"{what} no source: {keys}{more}", err=True)


def _say_issues(answer: Answer, where: str) -> None:
    """Say what was noticed besides keys that name no source, with the line of each."""
    issues = [issue for issue in answer.issues if issue.code != "unresolved"]
    for issue in issues[:MAX_SAID]:
        line = answer.text.count("\n", 0, issue.start) + 1
        click.echo(printable(f"{where}: line {line}: {issue.message}"), err=True)
    if len(issues) > MAX_SAID:
        more = counted(len(issues) - MAX_SAID, "more issue")
        click.echo(printable(f"{where}: {more}"), err=True)

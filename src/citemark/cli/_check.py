"""``citemark check``: is an answer cited, quoted and supported, or those of a whole file."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._check_many import Many
from citemark.cli._check_options import check_options
from citemark.cli._check_out import opened, refuse_overwriting
from citemark.cli._check_rows import RowReader
from citemark.cli._check_style import Style
from citemark.cli._choice import read_formats
from citemark.cli._file_names import FILE
from citemark.cli._io import STDIO, caller_mistakes, is_terminal, read_text
from citemark.cli._provider import cite_response, refuse_markers_options
from citemark.cli._sources import read_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.answer import Answer
    from citemark.checks.model import Severity
    from citemark.cli._check_options import FailOn
    from citemark.sources import Sources

__all__ = ["check"]

_FOR_FORMATS: Final = {"width": "text", "color": "text", "title": "html", "lang": "html"}
"""Options that only one format has."""


@click.command()
@click.argument("answer", default=STDIO, metavar="[ANSWER]", type=FILE)
@check_options
def check(
    *,
    answer: str,
    sources: str | None,
    jsonl: bool,
    output: str,
    fail_on: FailOn,
    **options: Any,  # noqa: ANN401  see ``check_options``
) -> None:
    """Report what is uncited, misquoted or not supported in ANSWER (a file, or - for stdin).

    Exits with 1 if there are findings at or above the level of --fail-on, with 2 if a row of
    --jsonl could not be read.
    """
    _check_usage(answer, sources, options, jsonl=jsonl)
    refuse_overwriting(output, answer, sources, options["request"])
    known = None
    if sources is not None:
        known = read_sources(sources, options["label"], lenient=options["lenient"])
    style = _style(answer, output, options, jsonl=jsonl)
    if jsonl:
        many = Many(style, _reader(known, options), known or ())
        many.run(output)
        _exit(many.severities, fail_on, bad=many.bad_rows > 0)
        return
    severities = _check_one(answer, known, options, style, output)
    _exit(severities, fail_on)


def _check_one(
    name: str, known: Sources | None, options: Mapping[str, Any], style: Style, output: str
) -> set[Severity]:
    from citemark import checks

    if options["provider"] is not None:
        answer = cite_response(name, options["provider"], options["request"])
    else:
        answer = _cite(name, known, options)
    report = checks.check(
        answer, sources=known, scope=options["scope"], support=not options["no_support"]
    )
    with opened(output) as write:
        write(style.of_one(report))
    return {finding.severity for finding in report.findings}


def _cite(name: str, sources: Sources | None, options: Mapping[str, Any]) -> Answer:
    from citemark.api import cite

    text = read_text(name)
    with caller_mistakes(name):
        return cite(text, () if sources is None else sources, **_cite_options(options))


def _cite_options(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "formats": read_formats(options["formats"]),
        "source_list": options["source_list"],
    }


def _reader(known: Sources | None, options: Mapping[str, Any]) -> RowReader:
    """Return what reads rows; those without sources of their own have the known ones."""
    from citemark.batch import BatchOptions, SourcesTable

    table = None if known is None else SourcesTable(known)
    batch = BatchOptions(label=options["label"], lenient=options["lenient"])
    return RowReader(
        _cite_options(options),
        batch,
        options["scope"],
        options["provider"],
        table,
        support=not options["no_support"],
    )


def _check_usage(
    answer: str, sources: str | None, options: Mapping[str, Any], *, jsonl: bool
) -> None:
    """Refuse options that do not fit each other.

    Raises:
        UsageError: It names them.
    """
    provider, request = options["provider"], options["request"]
    if request is not None and provider is None:
        raise click.UsageError("--request says what a --provider was asked; name that too")
    if request is not None and jsonl:
        raise click.UsageError('--request is for one answer; rows have their own "request"')
    if provider is not None:
        refuse_markers_options()
    elif sources is None and options["source_list"] != "parse" and not jsonl:
        raise click.MissingParameter(param_hint="'--sources' / '-s'", param_type="option")
    if answer.casefold().endswith((".jsonl", ".ndjson")) and not jsonl and provider is None:
        click.echo(f"{answer}: taken for the text of one answer; rows need --jsonl", err=True)
    if answer == sources == STDIO:
        reason = "ANSWER and --sources cannot both be stdin; name a file for one of them"
        raise click.UsageError(reason)
    for name, format_ in _FOR_FORMATS.items():
        if options[name] and options["format"] != format_:
            raise click.UsageError(f"--{name} is for --format {format_}")
    if options["lang"] and jsonl:
        raise click.UsageError("--lang is for one answer, not for --jsonl")


def _style(answer: str, output: str, options: Mapping[str, Any], *, jsonl: bool) -> Style:
    title = "Citations" if answer == STDIO else f"Citations of {Path(answer).name}"
    width = options["width"]
    if width is None and output == STDIO and is_terminal(sys.stdout):
        width = shutil.get_terminal_size().columns
    return Style(
        options["format"],
        answer,
        options["title"] or title,
        options["lang"],
        width,
        options["color"],
        is_text=not jsonl and options["provider"] is None,
    )


def _exit(found: Iterable[Severity], fail_on: FailOn, *, bad: bool = False) -> None:
    """End with 2 if rows could not be read, with 1 if findings are as bad as asked for."""
    from citemark.checks.model import SEVERITIES

    if bad:
        click.get_current_context().exit(2)
    if fail_on != "never":
        levels = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
        if any(severity in levels for severity in found):
            click.get_current_context().exit(1)

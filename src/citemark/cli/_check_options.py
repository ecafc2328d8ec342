"""Options of ``citemark check``."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import click

from citemark.cli._choice import formats_option, lenient_option
from citemark.cli._file_names import FILE
from citemark.cli._html import lang_of
from citemark.cli._io import STDIO
from citemark.cli._provider import provider_options

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FailOn", "Format", "check_options"]

Format: TypeAlias = Literal["text", "json", "github", "html"]
"""How a report is written."""

FailOn: TypeAlias = Literal["error", "warning", "note", "never"]
"""Which findings make the command fail."""

_OPTIONS: Final[tuple[Callable[[Any], Any], ...]] = (
    click.option(
        "--sources",
        "-s",
        metavar="FILE",
        type=FILE,
        help="Records that may be cited, with their passages: JSON, JSON Lines or CSV.  "
        "Required, but for --provider, --source-list parse, and rows that have their own.",
    ),
    click.option(
        "--jsonl",
        is_flag=True,
        help='ANSWER is JSON Lines: each row has an "answer", "sources" and an "id".',
    ),
    click.option(
        "--format",
        "-f",
        type=click.Choice(["text", "json", "github", "html"]),
        default="text",
        show_default=True,
        help="A list for people, data, annotations of GitHub, or a page.",
    ),
    click.option(
        "--output", "-o", default=STDIO, metavar="FILE", type=FILE, help="Write it here."
    ),
    click.option(
        "--fail-on",
        type=click.Choice(["error", "warning", "note", "never"]),
        default="error",
        show_default=True,
        help="Exit with 1 if there is a finding as bad as that, or worse.",
    ),
    click.option(
        "--scope",
        type=click.Choice(["strict", "paragraph"]),
        default="strict",
        show_default=True,
        help="Whether a claim needs a citation of its own, or a later one of its paragraph "
        "will do.",
    ),
    click.option(
        "--no-support",
        is_flag=True,
        help="Do not hold claims against the passages that they cite.",
    ),
    click.option(
        "--label",
        type=click.Choice(["number", "id"]),
        help="What the prompt called the sources: 1, 2, 3 by position, or their ids.",
    ),
    formats_option,
    lenient_option,
    click.option(
        "--source-list",
        type=click.Choice(["keep", "drop", "parse"]),
        default="keep",
        show_default=True,
        help="A list of sources that the model wrote: text, hidden, or hidden and, without "
        "--sources, taken for the sources.",
    ),
    provider_options,
    click.option(
        "--width",
        type=click.IntRange(min=40),
        metavar="COLUMNS",
        help="text: wrap at this width; by default that of the terminal.",
    ),
    click.option("--color", is_flag=True, help="text: colour the severities."),
    click.option("--title", metavar="TEXT", help="html: title of the page."),
    click.option(
        "--lang",
        metavar="TAG",
        default="",
        callback=lambda _context, _option, value: lang_of(value) if value else "",
        help="html: language of the answer, such as en or pt-BR.",
    ),
)


def check_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options to a command."""
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)

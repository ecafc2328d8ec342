"""The group of commands, and what is true of all of them."""

from __future__ import annotations

from typing import Final

import click

from citemark.cli._formats import formats
from citemark.cli._markers import markers
from citemark.cli._render import render

__all__ = ["main"]

INTERRUPTED: Final = 130
"""128 + SIGINT, as shells report it."""

READER_GONE: Final = 141
"""128 + SIGPIPE: what shells report of any command before a ``head`` that has enough."""


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an interrupt and a closed pipe end it without a word."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            ctx.exit(READER_GONE)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="citemark", message="%(prog)s %(version)s")
def main() -> None:
    """Parse, resolve, number and render the citations of LLM answers.

    Data goes to stdout, talk to stderr.  Exit codes: 0 fine, 1 findings, 2 wrong usage or
    input.
    """


main.add_command(formats)
main.add_command(markers)
main.add_command(render)

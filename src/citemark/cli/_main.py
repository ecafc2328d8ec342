"""The group of commands, and what is true of all of them."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._assets import assets
from citemark.cli._batch import batch
from citemark.cli._check import check
from citemark.cli._demo import demo
from citemark.cli._detect import detect
from citemark.cli._file_names import secrets_hidden
from citemark.cli._formats import formats
from citemark.cli._history import rerender, upgrade
from citemark.cli._io import BadInputError, forget_stdout
from citemark.cli._markers import markers
from citemark.cli._render import render
from citemark.cli._stats import stats

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["main"]

INTERRUPTED: Final = 130
"""128 + SIGINT, as shells report it."""

READER_GONE: Final = 141
"""128 + SIGPIPE: what shells report of any command before a ``head`` that has enough."""

NO_MEMORY: Final = "there is too little for what is read; cut long rows, or give it more"

GIVEN: Final = "citemark.cli.given"
"""Where a context keeps the arguments."""


@contextlib.contextmanager
def _quiet_end() -> Iterator[None]:
    """Let an interrupt and a closed pipe end a command without a word, a full disk with one."""
    try:
        yield
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        forget_stdout()
        raise click.exceptions.Exit(READER_GONE) from None
    except MemoryError:
        raise BadInputError("memory", NO_MEMORY) from None
    except OSError as error:
        if error.filename is not None:  # not from writing to a stream that is open
            raise
        forget_stdout()
        raise BadInputError("stdout", f"cannot be written: {error.strerror}") from None


class _Commands(click.Group):
    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401  as click has it
    ) -> click.Context:
        """Read the arguments; ``--help`` and ``--version`` write here."""
        given = tuple(args)  # click takes them away one by one
        with _quiet_end(), secrets_hidden(given):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta[GIVEN] = given
        return context

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        with _quiet_end(), secrets_hidden(ctx.meta[GIVEN]):
            return super().invoke(ctx)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="citemark", message="%(prog)s %(version)s")
def main() -> None:
    """Parse, resolve, number and render the citations of LLM answers.

    Data goes to stdout, talk to stderr.  Exit codes: 0 fine, 1 findings, 2 wrong usage or
    input, 3 some rows failed.
    """


main.add_command(assets)
main.add_command(batch)
main.add_command(check)
main.add_command(demo)
main.add_command(detect)
main.add_command(formats)
main.add_command(markers)
main.add_command(render)
main.add_command(rerender)
main.add_command(stats)
main.add_command(upgrade)

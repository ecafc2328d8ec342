"""``citemark demo``: the live page, on this machine only."""

from __future__ import annotations

import os

import click

from citemark.cli._io import BadInputError, caller_mistakes, write_text

__all__ = ["demo"]


@click.command()
@click.option(
    "--port",
    "-p",
    type=click.IntRange(0, 65_535),
    default=8_765,
    show_default=True,
    help="Port on 127.0.0.1; 0 picks a free one.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
def demo(*, port: int, open_: bool) -> None:
    """Serve a page on which an answer is seen as it comes, in every format.

    Paste an answer with its sources, or play an example.  The page is for this machine only,
    and Ctrl-C ends it.
    """
    with caller_mistakes("demo"):
        from citemark.demo import serve

    def said(address: str) -> None:
        write_text(address)
        click.echo("Ctrl-C ends it.", err=True)
        if open_:
            click.launch(address)

    try:
        serve(port, said)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        reason = f"cannot be used: {why}; give another one, or 0 for any"
        raise BadInputError(f"--port {port}", reason) from None

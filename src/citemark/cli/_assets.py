"""``citemark assets``: what a page loads, copied to where it is served."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from citemark.cli._file_names import refuse_address
from citemark.cli._io import BadInputError, as_json, table, write_text

if TYPE_CHECKING:
    from pathlib import Path

    from citemark.assets import Asset

__all__ = ["assets"]

HEAD: Final = ("file", "bytes", "integrity")


@click.command()
@click.option(
    "--out",
    "-o",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False),
    callback=refuse_address,
    help="Folder to copy to; made if need be.",
)
@click.option(
    "--hashed", is_flag=True, help="Put a hash into the names, so that browsers may keep them."
)
@click.option("--json", "json_", is_flag=True, help="One JSON array instead of a table.")
def assets(*, out: str, hashed: bool, json_: bool) -> None:
    """Copy the stylesheet and the scripts to a folder, and list them with their hashes."""
    from citemark.assets import copy_to, files

    try:
        targets = copy_to(out, hashed=hashed)
    except FileExistsError as error:
        where = str(error.args[0] if len(error.args) == 1 else error.filename)
        raise BadInputError(where, "is there and is not ours; give another --out") from None
    except OSError as error:
        raise BadInputError(out, f"cannot be written: {error.strerror}") from None
    copied = list(zip(targets, files(), strict=True))
    if json_:
        write_text(as_json([{"file": target.name, **asdict(a)} for target, a in copied]))
    else:
        write_text(table(HEAD, (_row(target, asset) for target, asset in copied)))


def _row(target: Path, asset: Asset) -> tuple[str, int, str]:
    return target.name, asset.size, asset.integrity

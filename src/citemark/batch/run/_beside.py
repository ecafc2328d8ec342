"""What stands beside an output and is none: its rejects and manifest, which are left out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citemark.batch._faults import reading
from citemark.batch.files import ENDINGS, TABLES
from citemark.batch.files._compressed import COMPRESSIONS
from citemark.batch.run._progress import is_line

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MANIFEST", "REJECTS", "has_rows", "is_beside", "manifests_of"]

MANIFEST: Final = "manifest.jsonl"
REJECTS: Final = "rejects"

MANIFEST_END: Final = f".{MANIFEST}"
ENDS: Final = (MANIFEST_END, *(f".{REJECTS}{ending}" for ending in (".jsonl", *TABLES)))

LINE: Final = 1 << 16
"""Bytes of the first line of a manifest, at most."""


def has_rows(path: Path) -> bool:
    """Whether a file holds rows, by its ending."""
    bare = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
    return bare.suffix.lower() in ENDINGS


def is_beside(path: Path) -> bool:
    """Whether a file belongs to an output or a manifest beside it.

    Its name alone says nothing: ``mended.rejects.jsonl`` may hold anybody's rows.

    Raises:
        BatchFileError: It cannot be read.
    """
    end = next((one for one in ENDS if path.name.endswith(one)), None)
    output = path.with_name(path.name.removesuffix(end or ""))
    if end is None or not has_rows(output):
        return False
    if output.is_file() or output.is_symlink():
        return True
    if end == MANIFEST_END:
        return _is_manifest(path)
    return output.with_name(f"{output.name}{MANIFEST_END}").is_file()


def manifests_of(output: str) -> Iterator[tuple[Path, str]]:
    """Yield each place of a manifest that may speak of an output, and what it calls it.

    One is beside it; others are of runs that had a folder for all outputs.
    """
    path = Path(os.path.abspath(output))  # noqa: PTH100  links are names here
    yield path.with_name(f"{path.name}{MANIFEST_END}"), path.name
    for folder in path.parents:
        yield folder / f"_{MANIFEST}", path.relative_to(folder).as_posix()


def _is_manifest(path: Path) -> bool:
    if not path.is_file():
        return False
    with reading(str(path)), path.open("rb") as file:
        first = file.readline(LINE)
    try:
        return not first or is_line(json.loads(first))
    except (ValueError, RecursionError):
        return False

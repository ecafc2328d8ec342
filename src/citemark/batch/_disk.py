"""What a disk has to be asked for: names that last, and files that are let go of."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["discard", "sync_folder"]


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk."""
    if sys.platform == "win32":
        return
    found = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(found)
    finally:
        os.close(found)


def discard(file: Any) -> None:  # noqa: ANN401  a buffered file
    """Close a file; what the disk had no room for is not tried again."""
    try:
        file.close()
    except OSError:
        file.raw.close()

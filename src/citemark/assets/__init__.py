"""The files that a page with citations loads: a stylesheet, and two scripts it can do without.

Nothing is loaded by them.  A build step, or ``citemark assets``, copies them to where a site
serves its files; names with a hash may be kept by browsers for good.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citemark.errors import CitemarkError, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

__all__ = ["NAMES", "Asset", "UnknownAssetError", "copy_to", "files", "path", "tags"]

NAMES: Final = ("citemark.css", "citemark.js", "citemark-answer.js")
"""The stylesheet, the script for previews and the side panel, the element for live answers."""

_FOLDER: Final = Path(__file__).parent / "static"

_HASH_DIGITS: Final = 8
"""In a file name: 32 bits tell apart all versions of one file that there will ever be."""

_OURS: Final = b"citemark"
"""In the first line of each file: what lacks it is not written over."""

_FIRST_BYTES: Final = 100


class UnknownAssetError(CitemarkError, LookupError):
    """No file of that name is there to be loaded."""

    def __init__(self, name: str) -> None:
        """Keep the name that was asked for, and the names there are."""
        super().__init__(f"no asset {shortened(name)!r}; known: {', '.join(NAMES)}")
        self.name = name
        self.known = NAMES


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that a page loads."""

    name: str
    """As it is called here: ``citemark.css``."""

    hashed_name: str
    """With the start of its SHA-256: another one whenever the content is."""

    integrity: str
    """Value of the attribute ``integrity``: ``sha384-``, then the hash in base 64."""

    size: int
    """Bytes."""


def path() -> Path:
    """Return the folder with the files of ``NAMES`` and their types for TypeScript.

    There is nothing else in it, so that a web server may be pointed at it.
    """
    return _FOLDER


@lru_cache(maxsize=1)
def files() -> tuple[Asset, ...]:
    """Return what there is to know of each file, in the order of ``NAMES``.

    >>> [asset.name for asset in files()]
    ['citemark.css', 'citemark.js', 'citemark-answer.js']
    """
    return tuple(_described(name, Path(path(), name).read_bytes()) for name in NAMES)


def _described(name: str, data: bytes) -> Asset:
    stem, _, extension = name.rpartition(".")
    digits = hashlib.sha256(data).hexdigest()[:_HASH_DIGITS]
    integrity = "sha384-" + b64encode(hashlib.sha384(data).digest()).decode("ascii")
    return Asset(name, f"{stem}.{digits}.{extension}", integrity, len(data))


def copy_to(folder: Path | str, *, hashed: bool = False) -> tuple[Path, ...]:
    """Copy the files into a folder, which is made if need be, and return where they are.

    A reader of the folder sees a file as it was or as it will be, never half of it.

    Args:
        folder: Where a site serves its files from.
        hashed: Whether the names are to be those with a hash.

    Raises:
        FileExistsError: A file of such a name is there that is none of ours; nothing is copied.
        OSError: It cannot be written.
    """
    names = {asset.name: asset.hashed_name if hashed else asset.name for asset in files()}
    targets = {name: Path(folder, target) for name, target in names.items()}
    for target in targets.values():
        if target.exists() and not _is_ours(target):
            raise FileExistsError(target)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, target in targets.items():
        _replace(target, Path(path(), name).read_bytes())
    return tuple(targets.values())


def _is_ours(target: Path) -> bool:
    if not target.is_file():
        return False
    with target.open("rb") as file:
        return _OURS in file.read(_FIRST_BYTES)


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        temporary.write_bytes(data)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def tags(
    base: str = "/static/",
    *,
    names: Iterable[str] = ("citemark.css", "citemark.js"),
    hashed: bool = False,
) -> Markup:
    """Return the elements that load files, with their integrity, for the head of a page.

    Args:
        base: Address of the folder with the files; a slash is added if it lacks one.
        names: Files to load, out of ``NAMES``.
        hashed: Whether they were copied under the names with a hash.

    Raises:
        UnknownAssetError: A name that is none of ``NAMES``.
    """
    # Imported late: Jinja takes longer to load than all of citemark.
    from markupsafe import Markup  # noqa: PLC0415

    from citemark._templates import environment  # noqa: PLC0415

    folder = base if base.endswith("/") or not base else f"{base}/"
    chosen = [_named(name) for name in ([names] if isinstance(names, str) else names)]
    shown = [(folder + (a.hashed_name if hashed else a.name), a.integrity) for a in chosen]
    template = environment().get_template("html/assets.html")
    return Markup(template.render(assets=shown, elsewhere="//" in folder))  # noqa: S704  escaped


def _named(name: str) -> Asset:
    for asset in files():
        if asset.name == name:
            return asset
    raise UnknownAssetError(name)

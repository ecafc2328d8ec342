"""A whole HTML page around rendered answers, with its stylesheet in a file beside it.

There is no inline style, so that the page works under a strict Content-Security-Policy.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark import assets

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["STYLESHEET", "Section", "page", "write_stylesheet"]

STYLESHEET: Final = "citemark.css"
"""File that a page links to, in its own folder."""

_RIGHT_TO_LEFT: Final = frozenset(("ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"))
"""Languages that are written from right to left."""


class Section(NamedTuple):
    """An answer on a page."""

    html: str
    """The answer, as the renderer ``html`` returns it."""

    heading: str = ""
    """Plain text; "" for none."""

    id: str = ""
    """Of the heading, for the option ``labelled_by`` of the renderer; "" for none."""


def page(
    title: str, sections: Iterable[Section], *, lang: str = "en", contents: str = ""
) -> str:
    """Return an HTML document.

    Args:
        title: Plain text.
        sections: The answers.
        lang: Language of the page, as a BCP 47 tag.
        contents: Name of a list of the headings that have an id; "" for no such list.
    """
    from markupsafe import Markup  # not needed for --help

    from citemark._templates import environment

    trusted = [each._replace(html=Markup(each.html)) for each in sections]  # noqa: S704  the renderer escaped it
    template = environment().get_template("html/page.html")
    is_reversed = lang.partition("-")[0].lower() in _RIGHT_TO_LEFT
    direction = "rtl" if is_reversed else "ltr"
    return template.render(
        title=title, sections=trusted, lang=lang, direction=direction, contents=contents
    )


def write_stylesheet(folder: Path) -> Path:
    """Put the stylesheet that a page links to into a folder, and return its path.

    Raises:
        FileExistsError: A file of that name is there, and none of ours.
        OSError: It cannot be written.
    """
    style = assets.path().joinpath(STYLESHEET).read_bytes()
    target = Path(folder, STYLESHEET)
    if target.exists() and STYLESHEET.encode() not in target.read_bytes()[:100]:
        raise FileExistsError(target)
    target.write_bytes(style)
    return target

"""The templates of a render: ours, or those of the caller that have the same name.

A template says what stands around a few values: texts, or HTML that another template made.
Ours only ask whether a value is there, so each is filled once with stand-ins for the values,
and from then on text is joined: Jinja would take longer than all the Markdown.  Those of the
caller may do with values what they like, so they are filled each time.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from jinja2 import TemplateNotFound
from markupsafe import escape

from citemark._template_loaders import OWN
from citemark._templates import environment

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import BaseLoader, Template

__all__ = ["COUNT", "REL", "Html", "Templates", "escaped", "templates_of"]

_STAND_IN: Final = re.compile("\0([a-z_]+)\1")


class Html(str):
    """HTML that is made of templates.  Made in less time than ``Markup``, which does more."""

    __slots__ = ()

    def __html__(self) -> str:
        """Tell templates that it is escaped where it has to be."""
        return self


REL: Final = Html("noopener noreferrer nofollow ugc")
"""Of every link that leads away: the page behind it learns nothing and gains nothing."""

COUNT: Final = "\0"
"""Stands in what is filled for a count that is not known yet; no clean text has one."""

_Shape: TypeAlias = "tuple[object, ...]"
"""Name of a template, and which of its values are there."""

_FILLED: Final[dict[_Shape, tuple[str, tuple[str, ...]]]] = {}
"""Each template with ``%s`` for its values, and the names of those.

Several threads may make the same entry.  There are no more than there are ways to leave values
out.
"""


class Templates(NamedTuple):
    """What fills the templates of one page.

    Both take the name of a template, less folder and extension, and its values by name, always
    in the same order.
    """

    fill: Callable[..., Html]
    """Fills one; the values are texts, which are escaped, or ``Html``."""

    fill_counted: Callable[..., list[str]]
    """Fills one several times: the first value, ``times``, tells how often.

    The other values are texts; in each ``COUNT`` stands for 1, 2, ...
    """


def templates_of(loader: BaseLoader | None) -> Templates:
    """Return what fills the templates of a loader, and ours where it has none of the name.

    For one page: the next sees templates that were changed, added or taken away.
    """
    if loader is None:
        return Templates(_fill, _fill_counted)
    templates = environment(loader)

    @cache
    def own(name: str) -> Template | None:
        try:
            return templates.get_template(f"{OWN}html/{name}.html")
        except TemplateNotFound:
            return None

    def fill(name: str, **values: str) -> Html:
        template = own(name)
        return Html(template.render(values)) if template else _fill(name, **values)

    def fill_counted(name: str, times: int, **values: str) -> list[str]:
        template = own(name)
        if template is None:
            return _fill_counted(name, times, **values)
        return [
            template.render({field: text.replace(COUNT, use) for field, text in values.items()})
            for use in map(str, range(1, times + 1))
        ]

    return Templates(fill, fill_counted)


def _fill(name: str, **values: str) -> Html:
    shape = (name, *map(bool, values.values()))
    text, fields = _FILLED.get(shape) or _stand_ins(shape, values)
    return Html(text % tuple([escaped(values[field]) for field in fields]))


def _fill_counted(name: str, times: int, **values: str) -> list[str]:
    html = _fill(name, **values)
    return [html.replace(COUNT, use) for use in map(str, range(1, times + 1))]


def escaped(value: str) -> str:
    """Return a text as HTML, and HTML as it is."""
    if type(value) is Html:
        return value
    # Looked for first: it takes a third of the time, and most texts have none of them.
    if "&" in value or "<" in value or ">" in value or '"' in value or "'" in value:
        return str(escape(value))
    return value


def _stand_ins(shape: _Shape, values: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    """Fill a template with stand-ins for the values that are there, and remember it."""
    stand_ins = {field: f"\0{field}\1" if values[field] else "" for field in values}
    html = environment().get_template(f"html/{shape[0]}.html").render(stand_ins)
    fields = tuple(_STAND_IN.findall(html))
    filled = _FILLED[shape] = _STAND_IN.sub("%s", html.replace("%", "%%")), fields
    return filled

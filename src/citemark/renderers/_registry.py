"""Which renderer has which name.  A renderer is imported when it is first asked for.

Built-in names come first: an installed package cannot take the place of one of ours.
"""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, cast, runtime_checkable

from citemark._spelling import known_names
from citemark.answer import as_answer
from citemark.errors import (
    CitemarkError,
    UnknownOptionError,
    UnknownRendererError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint

    from citemark.answer import Answer

__all__ = [
    "Renderer",
    "RendererLoadError",
    "UnknownOptionError",
    "get_renderer",
    "render",
    "renderer_names",
]

GROUP: Final = "citemark.renderers"
"""Entry points of this group are renderers: a class, or a function that returns one."""

_BUILT_IN: Final = {
    "csv": ("citemark.renderers.csv", "CsvRenderer"),
    "html": ("citemark.renderers.html", "HtmlRenderer"),
    "json": ("citemark.renderers.json", "JsonRenderer"),
    "markdown": ("citemark.renderers.markdown", "MarkdownRenderer"),
    "text": ("citemark.renderers.text", "TextRenderer"),
}


@runtime_checkable
class Renderer(Protocol):
    """What turns an answer into a string."""

    @property
    def name(self) -> str:
        """Name in the registry, such as ``"html"``."""

    def render(self, answer: Answer) -> str:
        """Return the whole answer.  Nothing in it may raise, whatever text it holds."""


def render(answer: Answer, name: str | Renderer = "html", /, **options: Any) -> str:  # noqa: ANN401  each renderer has its own
    """Return an answer as HTML, Markdown, text, JSON, or in a form that a package adds.

    Args:
        answer: Result of ``cite``, of a closed ``AnswerStream``, or ``Answer.from_dict``.
        name: Name of a renderer, see ``renderer_names``; or a renderer itself.
        options: Keyword arguments of that renderer's class; a renderer itself takes none.

    Raises:
        UnknownRendererError: There is no such renderer.
        UnknownOptionError: The renderer has no option of that name.
        RendererOptionError: The option cannot have that value.
        NotAnAnswerError: The answer is none, but a text, say.

    >>> from citemark.answer import Answer
    >>> from citemark.model import TextSegment
    >>> render(Answer((TextSegment("Levels fell."),)), "text")
    'Levels fell.'
    """
    answer = as_answer(answer)
    if isinstance(name, str):
        return _build(name, options).render(answer)
    if options:
        raise UnknownOptionError(next(iter(options)), "a renderer that is built takes none")
    return name.render(answer)


class RendererLoadError(CitemarkError, ImportError):
    """A renderer of another package that cannot be imported."""

    def __init__(self, name: str, value: str, error: Exception) -> None:
        """Say which entry point failed, and how."""
        super().__init__(f"renderer {name!r} of the entry point {value}: {error}")


def get_renderer(name: str) -> Callable[..., Renderer]:
    """Return what builds the renderer of a name: a class, in most cases.

    Raises:
        UnknownRendererError: There is no such renderer.
        RendererLoadError: The package that has it cannot be imported.
    """
    if name in _BUILT_IN:
        module, attribute = _BUILT_IN[name]
        return cast("Callable[..., Renderer]", getattr(import_module(module), attribute))
    point = added().get(name)
    if point is None:
        raise UnknownRendererError(name, renderer_names())
    try:
        return cast("Callable[..., Renderer]", point.load())
    except (ImportError, AttributeError) as error:
        raise RendererLoadError(name, point.value, error) from error


def renderer_names() -> tuple[str, ...]:
    """Return the names of all renderers, sorted."""
    return tuple(sorted({*_BUILT_IN, *added()}))


@cache
def added() -> Mapping[str, EntryPoint]:
    """Return the entry points of other packages, by name."""
    from importlib.metadata import entry_points  # noqa: PLC0415  it takes 20 ms to import

    # The first of two packages that claim a name gets it: the order is that of the path.
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, point)
    return found


def _build(name: str, options: Mapping[str, Any]) -> Renderer:
    builder = get_renderer(name)
    try:
        return builder(**options)
    except TypeError as error:
        known = list(inspect.signature(builder).parameters)
        unknown = next((option for option in options if option not in known), None)
        if unknown is None:
            raise
        reason = f"{name} has no such option{known_names(unknown, known)}"
        raise UnknownOptionError(unknown, reason) from error

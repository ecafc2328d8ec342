"""Answers in page templates, for any engine: plain functions that return safe HTML.

``citemark.integrations.jinja`` makes them filters of Jinja; a Django library of tags is a few
lines.  Each takes an answer in whatever form a page has it, and the options of ``cite`` and of
the renderer ``html`` by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from citemark import api
from citemark._spelling import known_names
from citemark.answer import Answer
from citemark.errors import NotAnAnswerError, UnknownOptionError
from citemark.renderers._options import require
from citemark.renderers.html import HtmlParts, HtmlRenderer

if TYPE_CHECKING:
    from collections.abc import Callable

    from markupsafe import Markup

    from citemark.model import Source
    from citemark.sources import Sources

__all__ = ["FILTERS", "cite", "cite_body", "cite_notes", "cite_parts"]

Shown: TypeAlias = "Answer | Mapping[str, Any] | str"
"""An answer, the dictionary that ``Answer.to_dict`` stored, or the text of a model."""

Given: TypeAlias = "Sources | Iterable[Source | Mapping[str, Any]] | None"
"""The sources of a text; None for an answer, which has its own."""

MAX_RENDERERS: Final = 128
"""That are kept: as many sets of options as the templates of a site write, and then some."""


def _options_of(function: Callable[..., object]) -> tuple[str, ...]:
    parameters = signature(function).parameters.values()
    return tuple(each.name for each in parameters if each.kind is Parameter.KEYWORD_ONLY)


CITE_OPTIONS: Final = _options_of(api.cite)
"""Names of the options that say how a text becomes an answer."""

HTML_OPTIONS: Final = _options_of(HtmlRenderer)
"""Names of the options that say how an answer is shown."""

EXPECTED: Final = "an answer, a stored answer or a text with its sources"
"""What can be shown."""


def cite(value: Shown, sources: Given = None, /, **options: Any) -> Markup:  # noqa: ANN401  two sets of options
    """Return an answer as HTML: the text with its references, then the list of sources.

    Args:
        value: An answer, a stored answer, or a text.
        sources: What the text may cite; not given with an answer, which knows its own.
        options: Those of the renderer ``html``, and for a text also those of ``cite``.  With
            ``notes="all"`` a text keeps the sources that it does not cite.

    Raises:
        NotAnAnswerError: The value is none of these.
        UnknownOptionError: There is no such option, or it is for texts and this is an answer.
        RendererOptionError: An option cannot have that value, or a text lacks its sources.
        StoredAnswerError: A dictionary is no stored answer.
        CitemarkError: What ``cite`` raises for sources or options that it cannot use.

    >>> sources = [{"id": "pol-12", "title": "Refund policy"}]
    >>> html = cite("Five days [1].", sources, id_prefix="a1")
    >>> 'href="#a1-src-1"' in html, html.__html__() is html
    (True, True)
    """
    resolving, showing = _split(options)
    return _renderer(showing).render(_answer(value, sources, resolving, showing))


def cite_body(value: Shown, sources: Given = None, /, **options: Any) -> Markup:  # noqa: ANN401  as cite
    """Return the text with its references alone; see ``cite``.

    The references lead to what ``cite_notes`` returns for the same answer and options.
    """
    return cite_parts(value, sources, **options).body


def cite_notes(value: Shown, sources: Given = None, /, **options: Any) -> Markup:  # noqa: ANN401  as cite
    """Return the list of sources alone, with the previews if there are any; see ``cite``."""
    return cite_parts(value, sources, **options).notes


def cite_parts(value: Shown, sources: Given = None, /, **options: Any) -> HtmlParts:  # noqa: ANN401  as cite
    """Return ``body`` and ``notes`` in one go, for two places of a page; see ``cite``."""
    resolving, showing = _split(options)
    return _renderer(showing).parts(_answer(value, sources, resolving, showing))


FILTERS: Final[Mapping[str, Callable[..., Markup | HtmlParts]]] = {
    function.__name__: function for function in (cite, cite_body, cite_notes, cite_parts)
}
"""The functions by the names that they have in templates."""


def _split(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options for ``cite``, and those for the renderer."""
    for name in options:
        if name not in CITE_OPTIONS and name not in HTML_OPTIONS:
            known = known_names(name, (*HTML_OPTIONS, *CITE_OPTIONS))
            raise UnknownOptionError(name, f"templates have no such option{known}")
    resolving = {name: options[name] for name in options if name in CITE_OPTIONS}
    showing = {name: options[name] for name in options if name not in CITE_OPTIONS}
    return resolving, showing


def _answer(
    value: object,
    sources: Any,  # noqa: ANN401  checked by ``cite``
    resolving: dict[str, Any],
    showing: dict[str, Any],
) -> Answer:
    if isinstance(value, str):
        are_records = isinstance(sources, Iterable) and not isinstance(sources, str | bytes)
        require(are_records, "sources", "the sources of the text, as records")
        resolving.setdefault("consulted", showing.get("notes") == "all")
        # A text marked as safe escapes what is joined to it: it must not be taken apart as one.
        return api.cite(str.__str__(value), sources, **resolving)
    if not isinstance(value, Answer | Mapping):
        raise NotAnAnswerError(value, EXPECTED)
    if sources is not None:
        resolving["sources"] = sources
    for name in resolving:
        raise UnknownOptionError(name, "it is for a text, and this is an answer already")
    return value if isinstance(value, Answer) else Answer.from_dict(value)


def _renderer(options: Mapping[str, Any]) -> HtmlRenderer:
    try:
        hash(tuple(options.values()))
    except TypeError:  # words, or a list of hosts: no key of a cache, and soon checked
        return HtmlRenderer(**options)
    return _kept_renderer(**options)


@lru_cache(maxsize=MAX_RENDERERS, typed=True)  # typed: True is no heading level, though it is 1
def _kept_renderer(**options: Any) -> HtmlRenderer:  # noqa: ANN401  checked by the renderer
    return HtmlRenderer(**options)

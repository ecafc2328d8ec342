"""What to tell a model so that it cites, in words that were tested against the default formats.

The module is not called after its function: a module of that name would take its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark._instruction_texts import TEXTS
from citemark._lazy import lazy_re
from citemark.errors import CitemarkError, shortened
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.model import Source

__all__ = ["LANGUAGES", "InstructionStyle", "instructions"]

InstructionStyle: TypeAlias = Literal["number", "id", "footnote"]
"""Which markers are asked for: ``[1]``, ``[doc:pol-12]`` or ``[^1]``."""

_MARKERS: Final[Mapping[str, str]] = {
    "number": "[{}]",
    "id": "[doc:{}]",
    "footnote": "[^{}]",
}
_EXAMPLES: Final[Mapping[str, tuple[str, str]]] = {
    "number": ("1", "2"),
    "id": ("pol-12", "faq"),
    "footnote": ("1", "2"),
}

_HARMLESS: Final = lazy_re(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""Ids that an instruction may repeat: others could be instructions themselves."""

LANGUAGES: Final = tuple(TEXTS)
"""Languages of the instructions: their codes (ISO 639-1), sorted."""


def instructions(
    lang: str = "en",
    style: InstructionStyle | None = None,
    *,
    sources: Sources | Iterable[Source | Mapping[str, Any]] | None = None,
) -> str:
    """Return what to tell a model so that it cites as the default formats read it.

    It says too what to do if the sources do not answer the question, and that nothing in a
    source is an instruction.

    Args:
        lang: Language: one of ``ar``, ``de``, ``en``, ``es``, ``fr``, ``ja``, ``zh``.  A region
            (``de-AT``) does not count.
        style: Markers to ask for: ``"number"`` (``[1]``), ``"id"`` (``[doc:pol-12]``) or
            ``"footnote"`` (``[^1]``).  By default ids if they are the labels of the sources,
            else numbers.
        sources: Those of the prompt: its examples are then their labels.  If there are none,
            the result is "": who has nothing to cite must not be asked to.

    Raises:
        CitemarkError: The language or the style is not known, or not that of the labels.
        SourceError: The sources cannot be used: see ``Sources``.

    >>> instructions().partition(". ")[0], instructions(sources=[])
    ('Answer from the given sources', '')
    """
    wording = TEXTS.get(str(lang).replace("_", "-").partition("-")[0].lower())
    if wording is None:
        message = f"lang={shortened(repr(lang))}: choose one of {', '.join(LANGUAGES)}"
        raise CitemarkError(message)
    known = None if sources is None else Sources.of(sources)
    if known is not None and not len(known):
        return ""
    chosen = _style(style, known)
    marks = [_MARKERS[chosen].format(label) for label in _labels(chosen, known)]
    more = wording.several.format(two="".join(marks)) if len(marks) > 1 else ""
    name = wording.id if chosen == "id" else wording.number
    return wording.text.format(name=name, one=marks[0], more=more)


def _style(style: InstructionStyle | None, sources: Sources | None) -> InstructionStyle:
    if style is None:
        return "id" if sources is not None and sources.label == "id" else "number"
    if style not in get_args(InstructionStyle):
        message = f"style={style!r}: choose one of {', '.join(get_args(InstructionStyle))}"
        raise CitemarkError(message)
    if sources is not None and (style == "id") != (sources.label == "id"):
        message = (
            f"style={style!r}: the prompt calls the sources by {sources.label or 'number'}"
        )
        raise CitemarkError(message)
    return style


def _labels(style: InstructionStyle, sources: Sources | None) -> tuple[str, ...]:
    """Return one or two labels for examples."""
    if sources is None:
        return _EXAMPLES[style]
    labels = [label for label, _ in sources.labelled() if _HARMLESS.fullmatch(label)]
    return tuple(labels[:2]) or _EXAMPLES[style][:1]

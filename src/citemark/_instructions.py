"""What to tell a model so that it cites, in words that were tested against the default formats.

The module is not called after its function: a module of that name would take its place.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark._form_texts import FORM_TEXTS
from citemark._forms import read_form
from citemark._instruction_texts import TEXTS
from citemark._lazy import lazy_re
from citemark.errors import CitemarkError, shortened
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citemark._form_texts import FormWording
    from citemark._forms import Form, FormFields
    from citemark._instruction_texts import Wording
    from citemark.model import Source

__all__ = ["LANGUAGES", "InstructionStyle", "instructions", "json_request"]

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
    form: type[Form] | None = None,
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
        form: Form of the reply, if it is JSON: then it says which field takes citations, and
            asks for markers only if the form has a text that holds them.  The schema itself
            is ``structured.response_schema``.

    Raises:
        ArgumentTypeError: The form is no pydantic model.
        CitemarkError: The language or the style is not known, or not that of the labels.
        SourceError: The sources cannot be used: see ``Sources``.

    >>> instructions().partition(". ")[0], instructions(sources=[])
    ('Answer from the given sources', '')
    """
    code = _code(lang)
    wording, fields = TEXTS[code], None if form is None else read_form(form)
    known = None if sources is None else Sources.of(sources)
    if known is not None and not len(known):
        return ""
    chosen = _style(style, known)
    labels = _labels(chosen, known)
    name = wording.id if chosen == "id" else wording.number
    how, end = _marked(wording, name, [_MARKERS[chosen].format(label) for label in labels])
    if fields is not None and fields.cited:
        in_field = _in_field(FORM_TEXTS[code], fields, name, labels)
        how, end = (in_field, "") if fields.kind == "claims" else (how, in_field)
    return wording.text.format(name=name, how=how, end=end)


def _code(lang: str) -> str:
    code = str(lang).replace("_", "-").partition("-")[0].lower()
    if code not in TEXTS:
        message = f"lang={shortened(repr(lang))}: choose one of {', '.join(LANGUAGES)}"
        raise CitemarkError(message)
    return code


def _marked(wording: Wording, name: str, marks: Sequence[str]) -> tuple[str, str]:
    """Return how to cite by markers, and what is said of lists."""
    more = wording.several.format(two="".join(marks)) if len(marks) > 1 else ""
    return wording.marked.format(name=name, one=marks[0], more=more), wording.no_list


def _in_field(
    wording: FormWording, fields: FormFields, name: str, labels: Sequence[str]
) -> str:
    """Return how to cite in the field of a form."""
    if fields.kind == "claims":
        text = wording.claims
    else:
        text = wording.quoted if fields.quote else wording.listed
    field = json.dumps(fields.cited, ensure_ascii=False)
    return text.format(name=name, field=field, shown=_shown(fields, labels))


def _shown(fields: FormFields, labels: Sequence[str]) -> str:
    """Return what a field of citations may hold."""
    if not fields.source:
        return json.dumps(labels)
    quote = {fields.quote: "…"} if fields.quote else {}
    return json.dumps({fields.source: labels[0], **quote}, ensure_ascii=False)


def json_request(lang: str) -> str:
    """Return the sentence that asks for JSON; the schema follows it.

    Raises:
        CitemarkError: The language is not known.
    """
    return FORM_TEXTS[_code(lang)].json


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

"""From a structured reply to an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from citemark._forms import own_fields
from citemark.catalogue import DEFAULT, FormatSet
from citemark.errors import CitemarkError
from citemark.model import Aside, TextSegment
from citemark.providers._thought import Split
from citemark.sources import Sources
from citemark.structured._build import Options, build
from citemark.structured._faults import Fault, Faults
from citemark.structured._json import find_json, unquoted
from citemark.structured._labels import Labels
from citemark.structured._shape import Reply, Statement, read_reply
from citemark.structured._values import as_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from citemark._forms import Form
    from citemark.answer import Answer
    from citemark.catalogue import Format
    from citemark.model import Source
    from citemark.numbering import GroupBy, Numbering
    from citemark.resolve import Unresolved

__all__ = ["from_structured"]

_FENCE: Final = "`~ \t\r\n\ufeff"
"""What may stand around JSON and says nothing."""


def from_structured(  # noqa: PLR0913  options, all by keyword
    result: object,
    sources: Sources | Iterable[Source | Mapping[str, Any]],
    *,
    repair: bool = True,
    form: type[Form] | None = None,
    formats: Iterable[Format] = DEFAULT,
    unresolved: Unresolved | None = None,
    group_by: GroupBy = "source",
    numbering: Numbering | None = None,
    consulted: bool = False,
    fingerprint: str | None = None,
) -> Answer:
    """Return the answer of a structured reply.

    Citations of a claim come after its words; those of an answer as a whole where its text has
    their markers.  What is cited both by a marker and by a field is cited once.  A quote is
    that of the marker, and ``checks.verify_quotes`` looks it up.

    Args:
        result: An object of a form of ``citemark.integrations.pydantic``, a dict, or the text
            of the model: JSON, in a fence or with words around it, or cut off.
        sources: What may be cited, in the order of the prompt.
        repair: Whether what is wrong is left out, and told in ``Answer.issues``.  A text that
            is no JSON at all is then the answer.
        form: The form that was asked for, if it is one of yours: of the words in its other
            fields nothing is said, while those in fields that nobody asked for are told.
        formats: Markers that the words may hold.
        unresolved: What becomes of keys that name no source; see ``cite``.  By default those in
            fields are left out.
        group_by: See ``cite``; so are the three that follow.
        numbering: Numbers to go on from.
        consulted: Whether the answer keeps the sources that it does not cite.
        fingerprint: ``Sources.fingerprint`` of the list that the prompt had.

    Raises:
        ArgumentTypeError: The form is no pydantic model.
        StructuredReplyError: Something of the reply is lost, and ``repair`` is False.  The
            message is written for the model: send it back.
        CitemarkError: The result is of another type, or an option has an unknown value.
        SourceError: The sources cannot be used: see ``Sources``.
        SourcesChangedError: The sources are not those of the fingerprint.
        UnresolvedError: A key names no source, and ``unresolved="raise"``.

    >>> reply = {"claims": [{"text": "Five days.", "citations": [2, 7]}, {"text": "Why?"}]}
    >>> answer = from_structured(reply, [{"id": "a"}, {"id": "b"}])
    >>> [(c.source.id, s.marker.start) for s in answer.segments[1:2] for c in s.citations]
    [('b', 10)]
    >>> answer.text, answer.unresolved
    ('Five days. Why?', ('7',))
    """
    sources = Sources.of(sources).require(fingerprint)
    rows, faults = FormatSet.of(formats), Faults()
    reply, thought = _reply(result, faults, () if form is None else own_fields(form))
    if reply.answer is None and not reply.claims:
        faults.add(Fault("reply_form", "", "says nothing"))
    options = Options(rows, unresolved, group_by, None if not repair else numbering, consulted)
    answer = build(reply, sources, Labels(sources, rows), faults, options)
    if not repair:
        faults.require_none(sources)
        if numbering is not None:  # nothing is numbered by a reply that is refused
            options = options._replace(numbering=numbering)
            answer = build(reply, sources, Labels(sources, rows), Faults(), options)
    asides = (Aside("thinking", (TextSegment(thought),)),) if thought else ()
    return replace(answer, asides=asides, fingerprint=fingerprint)


def _reply(result: object, faults: Faults, own: Collection[str]) -> tuple[Reply, str]:
    """Return what a reply says, and what the model thought before it."""
    if isinstance(result, str):
        return _written(result, faults, own)
    dump = getattr(result, "model_dump", None)
    is_form = dump is not None and not isinstance(result, type)
    value = dump() if is_form and callable(dump) else result
    if not isinstance(value, dict | list):
        message = f"expected an object of a form, a dict or a str, not {type(result).__name__}"
        raise CitemarkError(message)
    reply = read_reply(value, faults, None if is_form else own)
    if reply is not None:
        return reply, ""
    faults.add(Fault("reply_form", "", "has none of the fields that were asked for"))
    return Reply(Statement(as_json(value), "citations"), []), ""


def _written(text: str, faults: Faults, own: Collection[str]) -> tuple[Reply, str]:
    split = Split()
    (thought, text), (held, rest) = split.feed(str.__str__(text)), split.rest
    thought, text = thought + held, text + rest
    objects = find_json(unquoted(text))
    for found in objects:
        noted = Faults()
        reply = read_reply(found.value, noted, own)
        if reply is None:
            continue
        if found.is_cut:
            faults.add(Fault("reply_cut", "", "is cut off before its end"))
        if (found.before + found.rest).strip(_FENCE) not in {"", "json", "JSON"}:
            message = "has words around its JSON, which are left out"
            faults.add(Fault("reply_beside", "", message, is_grave=False))
        if any(_is_another(other.value, found.value) for other in objects):
            message = "has a second JSON object, which is left out"
            faults.add(Fault("reply_form", "", message))
        for fault in noted.found:
            faults.add(fault)
        return reply, thought
    what = "is not the JSON object that was asked for" if text.strip() else "is empty"
    faults.add(Fault("reply_form", "", what))
    return Reply(Statement(text, "citations"), []), thought


def _is_another(value: object, first: object) -> bool:
    """Whether a value is a reply too, and says something else."""
    return (
        value != first and isinstance(value, dict) and read_reply(value, Faults()) is not None
    )

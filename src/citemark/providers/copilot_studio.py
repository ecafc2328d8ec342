"""Copilot Studio and Teams: ``[1]`` in the text of an activity, explained at its end.

The text ends with definitions, ``[2]: cite:1 "Citation-1"``, which are no part of the answer:
``cite:1`` is an entity of the activity.  Without definitions a number is an entity's position.
Activities are whole: there is no adapter of a stream.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DEFAULT, DIALECTS, FormatSet
from citemark.providers._answer import answer_of
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._marked import cite_markers
from citemark.providers._records import kept

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "matches", "parse"]

PROVIDER: Final = "copilot_studio"
SIGNS: Final = frozenset({"entities", "from", "recipient", "text", "textFormat", "type"})
DOC: Final = Provided(
    title="Copilot Studio and Teams",
    arrives="`entities[].citation[]`",
    when="with the activity",
    unit="none: `[1]` in the text, defined in its last lines",
    does="a marker for each number, by its definition; the definitions are not shown",
)
_FORMATS: Final = DIALECTS["COPILOT"] | FormatSet(
    row for row in DEFAULT if row.name == "number"
)
_DEFINITION: Final = re.compile(
    r"""[ ]{0,3} (?: \[ (?P<number> [0-9]{1,6} ) \] | 【 (?P<name> [^】]{1,80} ) 】 ) [ ]? :
        [ ]{0,9} <? (?P<target> [^\s<>]{1,2048} ) >?
        (?: [ ]{1,9} "(?P<title> .{0,1000} )" )? [ \t\r]{0,9}""",
    re.VERBOSE,
)
_CITATION: Final = ("@type", "@id", "at_type", "at_id", "position", "appearance")
_APPEARANCE: Final = (
    *("@type", "@id", "at_type", "at_id", "name", "url", "text", "abstract", "keywords"),
    *("encoding_format", "image", "usage_info"),
)
MAX_LINES: Final = 1_000
"""Lines at the end that are looked at."""


def matches(response: Node) -> bool:
    """Whether a response is one of this kind."""
    if response.text("type") != "message" or not isinstance(response.get("text"), str):
        return False
    return response.has("text_format") or any(
        entity.has("citation") for entity in response.nodes("entities")
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of an activity.

    Args:
        response: The activity: a mapping, or an object of the SDK.
        request: Not needed.
    """
    del request
    draft = Draft(PROVIDER)
    activity = draft.node(response)
    text = activity.text("text")
    end, defined = _definitions(text)
    entities = _entities(draft, activity)
    refs = {label: _defined(draft, label, *told, entities) for label, told in defined.items()}
    if not defined:
        refs = {position: ref for position, ref in entities.values() if position}
    known = {label: ref for label, ref in refs.items() if ref is not None}
    draft.add(text)
    cite_markers(draft, text[:end], 0, _FORMATS, known)
    if defined:
        draft.cite(end, len(text), (), anchor="marker")  # nothing is shown of it
    return answer_of(draft, formats=_FORMATS, label="id")


def _definitions(text: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """Return where the text ends without its definitions, and their targets and titles."""
    lines = text.rsplit("\n", MAX_LINES)
    defined: dict[str, tuple[str, str]] = {}
    end = length = len(text)
    while lines:
        line = lines.pop()
        length -= len(line)
        found = _DEFINITION.fullmatch(line)
        if found:
            label = found["name"] or str(int(found["number"]))
            defined[label] = found["target"], found["title"] or ""
            end = length
        elif line.strip():
            break
        length -= 1  # the end of the line before
    return (len(text[:end].rstrip()) if defined else len(text)), defined


def _entities(draft: Draft, activity: Node) -> dict[str, tuple[str, Ref]]:
    """Return the citations of the entities by id: the position of each, and its source."""
    found: dict[str, tuple[str, Ref]] = {}
    for entity in activity.nodes("entities"):
        for at, citation in enumerate(entity.nodes("citation"), 1):
            shown = citation.node("appearance")
            draft.expect(citation, "citation", _CITATION)
            draft.expect(shown, "source", _APPEARANCE)
            position = citation.name("position")
            id_ = citation.name("@id", "at_id") or f"cite:{position or at}"
            quote = shown.text("text") or shown.text("abstract")
            fields: dict[str, Any] = {"title": shown.text("name"), "url": shown.text("url")}
            metadata = kept(citation, "position") | kept(shown, "encoding_format", "keywords")
            if id_ in found:
                draft.issue("ambiguous_label", f"{PROVIDER}: two entities are {id_}", key=id_)
                continue
            draft.source(id_, text=quote, kind="document", metadata=metadata, **fields)
            found[id_] = position, Ref(id_, quote, raw=citation.plain())
    return found


def _defined(
    draft: Draft, label: str, target: str, title: str, entities: dict[str, tuple[str, Ref]]
) -> Ref | None:
    """Return what a definition says that a label is; None if that entity is missing."""
    if target in entities:
        return entities[target][1]
    if "://" in target:
        return Ref(draft.source(target, title=title, url=target, kind="web"))
    draft.issue("unknown_source", f"{PROVIDER}: {target} is no entity", key=label)
    return None

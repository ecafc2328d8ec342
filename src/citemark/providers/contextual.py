"""Contextual AI: attributions of words to retrieved contents.

Models may write ``[1][2]()`` as well: a number of a content.  After words that an attribution
is about such marks repeat it, and are not shown.  There is no adapter of a stream.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

from citemark.providers._answer import answer_of
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._records import kept

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "matches", "parse"]

PROVIDER: Final = "contextual"
SIGNS: Final = frozenset(
    {"attributions", "groundedness_scores", "message", "retrieval_contents"}
)
DOC: Final = Provided(
    title="Contextual AI",
    arrives="`attributions[]`",
    when="with the response",
    unit="code points, half-open (not documented)",
    does="a claim for each attribution, with the groundedness of its words",
)
_FIELDS: Final = ("content_ids", "start_idx", "end_idx")
_MARKS: Final = re.compile(r"(?:\[[0-9]{1,6}\](?:\(\))?){0,50}\[[0-9]{1,6}\]\(\)")
_NUMBER: Final = re.compile(r"[0-9]{1,6}")
NEAR: Final = 3
"""Code points between words and marks that are about them: a full stop, a blank."""


def matches(response: Node) -> bool:
    """Whether a response is one of this kind."""
    return response.has("retrieval_contents") and (
        response.has("message") or response.has("attributions")
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a query.

    Args:
        response: The response: a mapping, or an object of the SDK.
        request: Not needed.
    """
    del request
    draft = Draft(PROVIDER)
    found = draft.node(response)
    numbers = _take_contents(draft, found)
    draft.add(found.node("message").text("content"))
    _cite(draft, found)
    _take_marks(draft, numbers)
    return answer_of(draft, formats=())


def _take_contents(draft: Draft, response: Node) -> dict[str, str]:
    """Take note of the contents; return the id of each by its number."""
    numbers: dict[str, str] = {}
    for position, content in enumerate(response.nodes("retrieval_contents"), 1):
        number = content.name("number") or str(position)
        own = content.node("custom_metadata")
        fields: dict[str, Any] = {"score": content.number("score"), "kind": "chunk"}
        numbers[number] = draft.source(
            content.name("content_id") or f"content:{number}",
            title=content.text("doc_name"),
            url=content.text("url") or own.text("url"),
            text=content.text("content_text"),
            page=content.whole("page"),
            metadata=kept(content, "doc_id", "format", "number"),
            **fields,
        )
    return numbers


def _cite(draft: Draft, response: Node) -> None:
    """Cite what the attributions say."""
    notes = [*response.nodes("attributions")]
    spans = [(note.whole("start_idx"), note.whole("end_idx")) for note in notes]
    unit = draft.probed_unit(spans)
    scores = {
        (score.whole("start_idx"), score.whole("end_idx")): score.number("score")
        for score in response.nodes("groundedness_scores")
    }
    for note, span in zip(notes, spans, strict=True):
        draft.expect(note, "attribution", _FIELDS)
        refs = []
        for value in note.items("content_ids"):
            id_ = draft.node({"id": value}).name("id")
            if id_ in draft.sources:
                refs.append(Ref(id_, confidence=scores.get(span), raw=note.plain()))
            else:
                message = f"{PROVIDER}: a content is not among those that were retrieved"
                draft.issue("unknown_source", message, key=id_[:200])
        if refs:
            draft.place(draft, *span, refs, unit=unit)


def _take_marks(draft: Draft, numbers: Mapping[str, str]) -> None:
    """Cite what the model marked itself; marks that repeat an attribution are not shown."""
    claims = sorted(draft.found, key=lambda claim: claim.end)
    ends = [claim.end for claim in claims]
    for marks in _MARKS.finditer(draft.text):
        ids = [
            numbers[str(int(n))] for n in _NUMBER.findall(marks[0]) if str(int(n)) in numbers
        ]
        at = bisect_right(ends, marks.start())
        before = claims[at - 1] if at else None
        told = {ref.source for ref in before.refs} if before else set()
        is_repeated = before and before.end + NEAR >= marks.start() and told.issuperset(ids)
        if ids:
            refs = () if is_repeated else [Ref(id_) for id_ in ids]
            draft.cite(*marks.span(), refs, anchor="marker")

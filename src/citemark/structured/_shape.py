"""What a reply says: statements and what they cite, whatever its fields are called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from citemark._forms import (
    ANSWER,
    CITED,
    CLAIM,
    CLAIMS,
    MAX_WRAPPED,
    QUOTE,
    SOURCE,
    plain_name,
)
from citemark.structured._faults import Fault, Faults, shown
from citemark.structured._fields import Fields
from citemark.structured._json import Cut, Repeated
from citemark.structured._values import as_json, decoded, speaks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

__all__ = ["Cited", "Reply", "Statement", "read_reply"]

OWN: Final = ("source", "sourceid", "citation")  # of a claim: its id may be its own

THOUGHTS: Final = ("reasoning", "thinking", "thoughts", "thought", "scratchpad")
"""Fields in which models think before they answer: no reader misses them."""

TWICE: Final = "is there more than once"
"""What is wrong with a field that an object repeats."""

_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation of a reply."""

    label: str
    """What it calls its source, as written."""

    quote: str
    """Words of the source; "" if there are none."""

    where: str
    """The field."""


@dataclass(slots=True)
class Statement:
    """Words of a reply, and what is cited for them."""

    text: str
    """Markdown."""

    where: str
    """The field of the citations."""

    cited: list[Cited] = field(default_factory=list)
    """In order."""


@dataclass(slots=True)
class Reply:
    """An answer as a whole, statements of it, or both."""

    answer: Statement | None
    """The whole text, if the reply has it."""

    claims: list[Statement]
    """Statements; without a whole text they are the answer, one after the other."""


def read_reply(value: object, faults: Faults, own: Collection[str] | None = ()) -> Reply | None:
    """Return what an object says; None if it has no field of any of the forms.

    Args:
        value: It, or a list of statements.
        faults: Where it is noted what is wrong.
        own: Plain names of fields that are the caller's, whatever they hold; None for all.
    """
    if isinstance(value, list):
        value = {"claims": value}
    beside: list[Statement] = []
    for _ in range(MAX_WRAPPED):
        if not isinstance(value, dict):
            return None
        fields = Fields(value)
        has_answer = fields.have(ANSWER)
        inner = decoded(fields.first(ANSWER)[1])
        if fields.have(CLAIMS) or (has_answer and not isinstance(inner, dict)):
            reply = _Reader(faults, own).reply(fields)
            reply.claims += beside
            return reply
        if has_answer:
            beside = [*_Reader(faults).beside(fields), *beside]
        else:
            inner = next(iter(value.values())) if len(value) == 1 else None
            inner = None if isinstance(inner, Repeated) else inner
        value = inner
    return None


class _Reader:
    """Reads the fields, and notes those that are not as they should be.

    Args:
        faults: Where they are noted.
        own: Names of fields that nothing is said of; see ``read_reply``.
    """

    def __init__(self, faults: Faults, own: Collection[str] | None = ()) -> None:
        """Begin with no statement."""
        self._faults, self._own = faults, own
        self._at: int | None = None  # number of the statement that is read
        self._first = 0  # number of the first claim

    def reply(self, fields: Fields) -> Reply:
        """Return the statements of a reply."""
        has_claims = fields.have(CLAIMS)
        answer: Statement | None = None
        name, value = fields.first(ANSWER)
        if isinstance(value, list) and not has_claims and any(_is_object(v) for v in value):
            return Reply(None, [*self._claims(name, value), *self.beside(fields)])
        if fields.have(ANSWER):
            text = self._words(fields, ANSWER, "", "\n\n")
            self._at, self._first = 0, 1
            answer = Statement(text, *self._listed(fields, ""))
        claims: list[Statement] = []
        found = fields.all(CLAIMS) or [fields.first(CLAIMS)] if has_claims else []
        for name, value in found:
            claims += (more := self._claims(name, value))
            self._first += len(more)
        self._at = None
        self._say_more(found, "")
        self._say_unread(fields, (*ANSWER, *CLAIMS, *CITED), "")
        return Reply(answer, claims)

    def _claims(self, name: str, value: object) -> list[Statement]:
        if not isinstance(value, list):
            self._say(name, "has to be a list of objects")
            value = [] if value is None else [value]
        claims: list[Statement] = []
        for at, item in enumerate(value):
            claim = self._claim(f"{name}[{at}]", item, self._first + len(claims))
            if claim is not None:
                claims.append(claim)
        return claims

    def _claim(self, where: str, item: object, number: int) -> Statement | None:
        self._at = None  # what has no words has no place
        if not isinstance(item, dict):
            if not isinstance(item, str):
                self._say(where, "has to be an object")
            item = {"text": item if isinstance(item, str) else as_json(item)}
        fields = Fields(item)
        text = self._words(fields, CLAIM, f"{where}.", " ")
        if not text.strip():
            return None
        self._at = number
        self._say_unread(fields, (*CLAIM, *CITED, *SOURCE, *QUOTE), f"{where}.")
        if not fields.have(CITED):  # one citation, written into the claim itself
            listed = f"{where}.{CITED[0]}"
            return Statement(
                text, listed, self._cited([item] if fields.have(OWN) else [], listed)
            )
        return Statement(text, *self._listed(fields, f"{where}."))

    def _words(self, fields: Fields, names: Sequence[str], where: str, joint: str) -> str:
        """Return the words of all fields that may have them: those that differ are kept."""
        found = fields.all(names) or [fields.first(names)]
        self._say_more(found, where)
        return joint.join(self._text(value, f"{where}{name}") for name, value in found)

    def _listed(self, fields: Fields, where: str) -> tuple[str, list[Cited]]:
        """Return the field of the citations, and what it lists.

        Of two fields the second is left out: it may be what was given, and not what is cited.
        """
        found = fields.all(CITED) or [fields.first(CITED)]
        first, cited = found[0][0], list[Cited]()
        for name, value in found:
            if name == first:
                cited += self._cited(value, f"{where}{name}")
        labels = {one.label for one in cited}
        more = [
            (name, value)
            for name, value in found
            if name == first or not labels.issuperset(_labels(value))
        ]
        self._say_more(more, where)
        return f"{where}{first}", cited

    def _text(self, value: object, where: str) -> str:
        if isinstance(value, list) and all(isinstance(line, str) for line in value):
            value = "\n".join(value)
        if isinstance(value, str):
            text = str.__str__(value).translate(_SURROGATES)
            if not text.strip():
                self._say(where, "is empty")
            return text
        self._say(where, "is missing" if value is None else "has to be a text")
        return as_json(value).translate(_SURROGATES)

    def _cited(self, value: object, where: str) -> list[Cited]:
        if value is None:
            return []
        if not isinstance(value, list):
            value = [value]
        cited: list[Cited] = []
        for at, item in enumerate(value):
            cited += self._citation(item, f"{where}[{at}]")
        return cited

    def _citation(self, item: object, where: str) -> list[Cited]:
        if not isinstance(item, dict):
            label = self._label(item, where)
            return [Cited(label, "", where)] if label else []
        fields = Fields(item)
        name, value = fields.first(SOURCE)
        if [other for other, _ in fields.all(SOURCE)].count(name) > 1:
            self._say(f"{where}.{name}", TWICE)  # which of the two is meant, nobody knows
            return []
        label = self._label(value, f"{where}.{name}")
        told = [
            str.__str__(quote).translate(_SURROGATES)
            for _, quotes in fields.all(QUOTE)
            for quote in (quotes if isinstance(quotes, list) else [quotes])
            if isinstance(quote, str) and quote.strip()
        ]
        return [Cited(label, quote, where) for quote in told or [""]] if label else []

    def _label(self, value: object, where: str) -> str:
        if isinstance(value, Cut):
            return ""  # "1" may be the start of "12": that the reply is cut is told
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9:
            value = str(value)
        if isinstance(value, str) and value.strip():
            return str.__str__(value).strip().translate(_SURROGATES)
        self._say(where, "is no label of a source")
        return ""

    def beside(self, fields: Fields) -> list[Statement]:
        """Return what stands beside an answer that is an object, so that no words are lost."""
        found = fields.all(ANSWER)
        self._say_more(found, "")
        texts = ((name, self._text(value, name)) for name, value in found[1:])
        return [Statement(text, name) for name, text in texts if text.strip()]

    def _say_more(self, found: Sequence[tuple[str, Any]], where: str) -> None:
        """Note the fields beside the first of a kind."""
        for name, _ in found[1:]:
            first = found[0][0]
            message = TWICE if name == first else f"stands beside {shown(first)}: use one field"
            self._say(f"{where}{name}", message)

    def _say_unread(self, fields: Fields, read: Iterable[str], where: str) -> None:
        """Note the fields whose words are not read, and are lost."""
        for name, value in fields.others(read):
            is_asked = self._own is None or plain_name(name) in {*self._own, *THOUGHTS}
            if not is_asked and speaks(value):
                self._say(f"{where}{name}", "is no field of the form: its words are left out")

    def _say(self, where: str, message: str) -> None:
        self._faults.add(Fault("reply_form", where, message, self._at))


def _labels(value: object) -> set[str]:
    """Return the labels of a list of citations; what is wrong with it is not noted."""
    return {one.label for one in _Reader(Faults())._cited(value, "")}  # noqa: SLF001  our own


def _is_object(value: object) -> bool:
    return isinstance(value, dict)

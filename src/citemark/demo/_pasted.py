"""What a person pasted, and the answer that it makes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from citemark.api import cite
from citemark.cli._io import BadInputError
from citemark.cli._sources import parse_sources
from citemark.errors import CitemarkError
from citemark.sources import Sources
from citemark.stream import AnswerStream

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.sources import Label

__all__ = ["LABELS", "POLICIES", "BadPasteError", "Pasted"]

POLICIES: Final = {
    "": "as usual: [9] stays, [doc:x] is marked",
    "mark": "mark it as not found",
    "keep": "leave it as text",
    "drop": "remove it",
}
"""What a person may choose for keys that name no source."""

LABELS: Final = {
    "": "numbers 1, 2, 3 or ids",
    "number": "only numbers 1, 2, 3",
    "id": "only ids",
}
"""What a person may say of the labels in the prompt."""

MAX_ANSWER: Final = 100_000
"""Code points of an answer: the page shows it in every format, and reads it as Markdown."""

MAX_CITATIONS: Final = 5_000
"""Citations that are shown."""

_WHERE: Final = "Sources"
_CELL: Final = r"[ ]*+\"?[\w-]{1,40}\"?[ ]*+"
_RECORDS: Final = re.compile(
    rf"\{{|\[\s*[\[{{\]]|(?:{_CELL}[,;\t])*?[ ]*\"?id\"?[ ]*(?:[,;\t]{_CELL})*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
"""How JSON begins, or the header row of CSV."""

_MEND: Final = {
    "say --label id": f'choose "{LABELS["id"]}"',
    "--label number": f'"{LABELS["number"]}"',
}
_MENDS: Final = re.compile("|".join(_MEND))
"""What a message of the command tells to do, and what it is on the page."""

_LABELLED: Final = re.compile(r"\[?([0-9]{1,6})[\].)]\s+")
_WEB: Final = re.compile(r"https?://\S+")


class BadPasteError(CitemarkError, ValueError):
    """What was pasted makes no answer."""

    def __init__(self, field: str, reason: str) -> None:
        """Keep the name of the field, and what to do about it."""
        super().__init__(reason)
        self.field = field


@dataclass(frozen=True, slots=True)
class Pasted:
    """An answer with its sources, as text, and how it is to be read."""

    answer: str
    """Markdown as a model wrote it."""

    sources: str = ""
    """JSON, JSON Lines, CSV, or one source a line: ``Title | https://… | passage``."""

    unresolved: str = ""
    """One of ``POLICIES``; anything else is as usual."""

    label: str = ""
    """One of ``LABELS``; anything else is the first."""

    title: str = ""
    """Of an example; "" for what a person pasted."""

    def cited(self) -> Answer:
        """Return the answer.

        Raises:
            BadPasteError: There is no answer, or too much of it, or the sources cannot be read.
        """
        if not self.answer.strip():
            reason = "Paste an answer first: the text that a model wrote."
            raise BadPasteError(field="answer", reason=reason)
        if len(self.answer) > MAX_ANSWER:
            raise _too_much(MAX_ANSWER, "characters")
        answer = cite(self.answer, self.known(), **self._options())
        if sum(1 for _ in answer.citations) > MAX_CITATIONS:
            raise _too_much(MAX_CITATIONS, "citations")
        return answer

    def stream(self) -> AnswerStream:
        """Return a stream to which the answer is to be fed.

        Raises:
            BadPasteError: The sources cannot be read.
        """
        return AnswerStream(self.known(), **self._options())

    def _options(self) -> dict[str, Any]:
        chosen = self.unresolved if self.unresolved in POLICIES else ""
        return {"unresolved": chosen or None}

    def known(self) -> Sources:
        """Return the sources.

        Raises:
            BadPasteError: They cannot be read.
        """
        label = cast("Label | None", (self.label if self.label in LABELS else "") or None)
        text = self.sources.strip("\ufeff \t\r\n")
        try:
            if _RECORDS.match(text):
                return parse_sources(text, _WHERE, label)
            return Sources(_lines(text), label=label)
        except BadInputError as error:
            reason = _MENDS.sub(lambda found: _MEND[found[0]], error.message)
        except CitemarkError as error:
            reason = f"{_WHERE}: {error}"
        raise BadPasteError(field="sources", reason=reason)


def _too_much(most: int, of: str) -> BadPasteError:
    reason = f"This answer has more than {most:,} {of}. Paste a part of it."
    return BadPasteError(field="answer", reason=reason)


def _lines(text: str) -> list[dict[str, str]]:
    """Return one record a line: title, address and passage, as far as they are there."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [_record(line, str(position)) for position, line in enumerate(lines, 1)]


def _record(line: str, position: str) -> dict[str, str]:
    labelled = _LABELLED.match(line)
    if labelled and labelled[1] == position:
        line = line[labelled.end() :]
    cells = [cell.strip() for cell in line.split("|", 2)]
    url = next((cell for cell in cells[:2] if _WEB.fullmatch(cell)), "")
    rest = [cell for cell in cells if cell != url]
    return {"id": position, "url": url, **dict(zip(("title", "text"), rest, strict=False))}


def as_text(records: list[dict[str, Any]]) -> str:
    """Return records as a person would write them: a JSON list, one a line, empty ones out."""
    filled = [{name: value for name, value in r.items() if value is not None} for r in records]
    lines = ",\n".join(f"  {json.dumps(record, ensure_ascii=False)}" for record in filled)
    return f"[\n{lines}\n]\n"

"""What is wrong with a reply, for the issues of its answer or for the model that wrote it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from citemark.errors import StructuredReplyError, shortened
from citemark.model import Issue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.sources import Sources

__all__ = ["Fault", "Faults", "shown"]

MAX_FAULTS: Final = 100
"""Faults of a reply that are told: so many that are grave, and so many that are not."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a field of a reply."""

    code: str
    """Code of the issue; "" if another one tells of it in the answer."""

    where: str
    """The field: ``claims[1].citations[0]``; "" for the reply as a whole."""

    message: str
    """What is wrong with it, as a clause that follows the name of the field."""

    statement: int | None = None
    """Number of the statement that it is of, from 0."""

    key: str = ""
    """The label concerned."""

    is_grave: bool = True
    """Whether a model should write the reply again: something is lost."""


@dataclass(slots=True)
class Faults:
    """All faults of a reply, in the order in which they were found."""

    found: list[Fault] = field(default_factory=list)
    """Those that are told."""

    _counts: Counter[bool] = field(default_factory=Counter)  # by whether they are grave

    def add(self, fault: Fault) -> None:
        """Take note of a fault; of a reply that is nothing but faults, not of all."""
        self._counts[fault.is_grave] += 1
        if self._counts[fault.is_grave] <= MAX_FAULTS:
            self.found.append(fault)

    def issues(self, spans: Sequence[tuple[int, int]]) -> list[Issue]:
        """Return them as issues, each with the place of its statement."""
        issues: list[Issue] = []
        for fault in self.found:
            if not fault.code:
                continue
            known = fault.statement is not None and fault.statement < len(spans)
            start, end = spans[fault.statement or 0] if known else (0, 0)
            message = f"{fault.where or 'the reply'} {fault.message}"
            issues.append(Issue(fault.code, message, start, end, fault.key))
        return issues

    def require_none(self, sources: Sources) -> None:
        """Refuse the reply if anything of it is lost.

        Raises:
            StructuredReplyError: It is.
        """
        grave = [
            f"{fault.where or 'The reply'} {fault.message}"
            for fault in self.found
            if fault.is_grave
        ]
        if grave:
            labels = tuple(label for label, _ in sources.labelled())
            raise StructuredReplyError(tuple(dict.fromkeys(grave)), labels)


def shown(value: object) -> str:
    """Return a value of a reply as a message may hold it: on one line, in quotes, short."""
    text = value if isinstance(value, str) else type(value).__name__
    return json.dumps(shortened(text), ensure_ascii=False)

"""Exceptions.  All derive from ``CitemarkError``; each also from the nearest built-in.

They are for mistakes of the caller.  What a model or a source wrote never raises: it becomes
text, or an ``Issue`` with a position.

- CitemarkError
  - ArgumentTypeError (TypeError)
  - BudgetError (ValueError)
  - FormatError (ValueError)
  - MissingExtraError (ModuleNotFoundError)
  - NotAnAnswerError (TypeError)
  - RendererOptionError (ValueError)
    - UnknownOptionError (TypeError)
  - RequirementError (ValueError)
  - SourceError (ValueError)
    - AmbiguousLabelError
  - SourcesChangedError (ValueError)
  - StoredAnswerError (ValueError)
  - StoredRegistryError (ValueError)
  - StructuredReplyError (ValueError)
  - TextTypeError (TypeError)
  - UnknownArgumentError (TypeError)
  - UnknownFormatError (LookupError)
  - UnknownProviderError (LookupError)
  - UnknownRendererError (LookupError)
  - UnresolvedError (LookupError)
"""

from __future__ import annotations

from typing import Any

from citemark.errors._base import CitemarkError
from citemark.errors._base import counted as counted  # for messages elsewhere
from citemark.errors._base import shortened as shortened  # likewise
from citemark.errors._unknown import (
    UnknownArgumentError,
    UnknownFormatError,
    UnknownProviderError,
    UnknownRendererError,
)

__all__ = [
    "AmbiguousLabelError",
    "ArgumentTypeError",
    "BudgetError",
    "CitemarkError",
    "FormatError",
    "MissingExtraError",
    "NotAnAnswerError",
    "RendererOptionError",
    "RequirementError",
    "SourceError",
    "SourcesChangedError",
    "StoredAnswerError",
    "StoredRegistryError",
    "StructuredReplyError",
    "TextTypeError",
    "UnknownArgumentError",
    "UnknownFormatError",
    "UnknownOptionError",
    "UnknownProviderError",
    "UnknownRendererError",
    "UnresolvedError",
]


MAX_TOLD, MAX_LABELS = 20, 100
"""Faults, and labels, that a message tells."""


def _told(lines: list[str], end: str = "") -> list[str]:
    """Return the first lines as items, and how many more there are."""
    more = [f"… and {len(lines) - MAX_TOLD} more{end}"] if len(lines) > MAX_TOLD else []
    return [f"- {line}" for line in (*lines[:MAX_TOLD], *more)]


class ArgumentTypeError(CitemarkError, TypeError):
    """An argument is of a type that cannot be used."""

    def __init__(self, value: object, name: str, expected: str, mend: str = "") -> None:
        """Keep the name of the argument and the type of its value; say what to do."""
        self.name = name
        self.type = type(value)
        more = f": {mend}" if mend else ""
        super().__init__(f"{name}: expected {expected}, not {self.type.__name__}{more}")


class BudgetError(CitemarkError, ValueError):
    """A budget in which not even the start of the first source has room."""

    def __init__(self, budget: int, needed: float) -> None:
        """Keep the budget, and what the start of the first source measures."""
        reason = f"the first one needs {needed} at least"
        super().__init__(f"budget={budget} is too small for any source: {reason}")
        self.budget = budget
        self.needed = needed


class FormatError(CitemarkError, ValueError):
    """A marker format that cannot be compiled, or breaks a rule of the grammar."""

    def __init__(self, name: str, reason: str) -> None:
        """Keep the name of the format and what is wrong with it."""
        super().__init__(f"marker format {name!r}: {reason}")
        self.name = name
        self.reason = reason


class MissingExtraError(CitemarkError, ModuleNotFoundError):
    """A module needs a package that an extra of citemark brings, and it is not installed."""

    def __init__(self, extra: str, package: str) -> None:
        """Keep the names of the extra and of the package."""
        super().__init__(
            f"needs {package}; run: pip install 'citemark[{extra}]', in a checkout '.[{extra}]'"
        )
        self.extra = extra
        self.package = package


class NotAnAnswerError(CitemarkError, TypeError):
    """What was given for an answer is none."""

    def __init__(
        self, value: object, expected: str = "an Answer, as cite(text, sources) makes it"
    ) -> None:
        """Keep the type of the value."""
        self.type = type(value)
        super().__init__(f"expected {expected}, not {self.type.__name__}")


class RendererOptionError(CitemarkError, ValueError):
    """An option of a renderer that it cannot work with."""

    def __init__(self, name: str, reason: str) -> None:
        """Keep the name of the option, and what is wrong with its value."""
        super().__init__(f"renderer option {name}: {reason}")
        self.name = name
        self.reason = reason


class UnknownOptionError(RendererOptionError, TypeError):
    """A keyword argument that a renderer does not take."""


class RequirementError(CitemarkError, ValueError):
    """An answer is not as good as was asked for."""

    def __init__(
        self, reasons: tuple[str, ...], findings: tuple[Any, ...], said: tuple[str, ...]
    ) -> None:
        """Keep what is missing, a clause each, and the findings (``checks.Finding``) of it.

        Args:
            reasons: What is missing.
            findings: Of what.
            said: Each of them in one line, with its place.
        """
        first = f"the answer does not pass: {'; '.join(reasons)}"
        super().__init__("\n".join([first, *_told([*said])]))
        self.reasons = reasons
        self.findings = findings


class SourceError(CitemarkError, ValueError):
    """A record that cannot be a source: no id, or an id that another one has."""

    def __init__(self, position: int, reason: str) -> None:
        """Keep the position of the record, from 1, and what is wrong with it."""
        super().__init__(f"source {position}: {reason}")
        self.position = position
        self.reason = reason


class AmbiguousLabelError(SourceError):
    """Ids are numbers that differ from the positions, so ``[2]`` could name two sources."""

    def __init__(self, position: int, id_: str) -> None:
        """Keep the position of the first such record, and its id."""
        shown = shortened(id_)
        super().__init__(
            position,
            f"its id is the number {shown!r}, so [{shown}] could name it or the source at that "
            'position; say label="id" if the prompt showed the ids, or label="number" if it '
            "showed 1, 2, 3",
        )
        self.id = id_


class SourcesChangedError(CitemarkError, ValueError):
    """An answer was to be resolved by another list of sources than the prompt had."""

    def __init__(self, reason: str, expected: str, actual: str) -> None:
        """Keep what differs, and the fingerprints of the list of the prompt and of this one."""
        super().__init__(f"the sources are not those of the prompt: {reason}")
        self.reason = reason
        self.expected = expected
        self.actual = actual


class StoredAnswerError(CitemarkError, ValueError):
    """Stored data that is not an answer, or is one of a version that is not known."""

    def __init__(self, where: str, reason: str) -> None:
        """Keep the path to the bad value (``segments[2].marker``), and what is wrong."""
        super().__init__(f"stored answer, {where}: {reason}")
        self.where = where
        self.reason = reason


class StoredRegistryError(CitemarkError, ValueError):
    """Stored data that is not a registry, or is one of a version that is not known."""

    def __init__(self, where: str, reason: str) -> None:
        """Keep the path to the bad value (``sources[2].id``), and what is wrong."""
        super().__init__(f"stored registry, {where}: {reason}")
        self.where = where
        self.reason = reason


class StructuredReplyError(CitemarkError, ValueError):
    """A model's structured reply of which something would be lost.

    The message is written for the model, to be sent back: it names each field, what is wrong
    with it, and the labels of the sources.
    """

    def __init__(self, faults: tuple[str, ...], labels: tuple[str, ...]) -> None:
        """Keep what is wrong, a sentence each, and the labels there are."""
        named = ", ".join(f'"{shortened(label)}"' for label in labels[:MAX_LABELS])
        more = f" and {len(labels) - MAX_LABELS} more" if len(labels) > MAX_LABELS else ""
        known = f"The labels of the sources are {named}{more}."
        lines = (
            "Your reply cannot be used:",
            *_told([f"{fault}." for fault in faults], "."),
            known if labels else "There are no sources: cite nothing.",
            "Write the whole reply again, as one JSON object of the form that was asked for.",
        )
        super().__init__("\n".join(lines))
        self.faults = faults
        self.labels = labels


class TextTypeError(CitemarkError, TypeError):
    """What was given for a text is no ``str``."""

    def __init__(self, value: object, what: str = "the text as str", mend: str = "") -> None:
        """Keep the type of the value; say what it is, and what to do."""
        self.type = type(value)
        more = f": {mend}" if mend else ""
        super().__init__(f"expected {what}, not {self.type.__name__}{more}")


class UnresolvedError(CitemarkError, LookupError):
    """A key names no source, and the caller chose ``unresolved="raise"``."""

    def __init__(self, key: str, start: int, end: int) -> None:
        """Keep the key, and the half-open span of its marker in code points."""
        super().__init__(f"no source for {shortened(key)!r}, cited at {start}:{end}")
        self.key = key
        self.start = start
        self.end = end


for _one in (
    CitemarkError,
    UnknownArgumentError,
    UnknownFormatError,
    UnknownProviderError,
    UnknownRendererError,
):
    _one.__module__ = __name__  # where they are found, whatever file they stand in

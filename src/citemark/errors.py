"""Exceptions.  All derive from ``CitemarkError``; each also from the nearest built-in.

They are for mistakes of the caller.  What a model or a source wrote never raises: it becomes
text, or an ``Issue`` with a position.

- CitemarkError
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
  - UnknownFormatError (LookupError)
  - UnknownRendererError (LookupError)
  - UnresolvedError (LookupError)
"""

from __future__ import annotations

from typing import Any, Final

from citemark._spelling import known_names

__all__ = [
    "AmbiguousLabelError",
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
    "UnknownFormatError",
    "UnknownOptionError",
    "UnknownProviderError",
    "UnknownRendererError",
    "UnresolvedError",
]


MAX_SHOWN: Final = 80
"""Code points of a key or an id that a message repeats: they come from elsewhere."""

MAX_TOLD, MAX_LABELS = 20, 100
"""Faults, and labels, that a message tells."""


def shortened(text: str) -> str:
    """Return a text as a message may repeat it: a long one ends in an ellipsis.

    >>> len(shortened("x" * 5_000))
    80
    """
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def _told(lines: list[str], end: str = "") -> list[str]:
    """Return the first lines as items, and how many more there are."""
    more = [f"… and {len(lines) - MAX_TOLD} more{end}"] if len(lines) > MAX_TOLD else []
    return [f"- {line}" for line in (*lines[:MAX_TOLD], *more)]


class CitemarkError(Exception):
    """Base of every exception that citemark raises on purpose.

    All can be copied and pickled, so that they pass from one process to another.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep class, message and attributes: what the constructor takes is not kept."""
        return _rebuild, (type(self), self.args), self.__dict__


def _rebuild(class_: type[CitemarkError], args: tuple[Any, ...]) -> CitemarkError:
    error = class_.__new__(class_, *args)
    super(CitemarkError, error).__init__(*args)  # some built-in errors keep more than args
    return error


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

    def __init__(self, reasons: tuple[str, ...], findings: tuple[Any, ...]) -> None:
        """Keep what is missing, a clause each, and the findings (``checks.Finding``) of it."""
        said = [f"{f.code} at {f.start}:{f.end}: {shortened(f.message)}" for f in findings]
        first = f"the answer does not pass: {'; '.join(reasons)}"
        super().__init__("\n".join([first, *_told(said)]))
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


class UnknownFormatError(CitemarkError, LookupError):
    """A marker of a format that the resolver was not told about, or a name that a set lacks."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        """Keep the name that was asked for, and the names there are."""
        super().__init__(f"no marker format {name!r}{known_names(name, known)}")
        self.name = name
        self.known = known


class UnknownProviderError(CitemarkError, LookupError):
    """No adapter has the given name, or none knows such a response."""

    def __init__(
        self,
        name: str | None,
        known: tuple[str, ...],
        fields: frozenset[str] = frozenset(),
        resembled: str = "",
        sent: str = "",
    ) -> None:
        """Keep the name that was asked for, if one was, and the names there are.

        Args:
            name: The name; None if the provider was to be found out.
            known: The names there are.
            fields: Fields of the response, by which it was looked for.
            resembled: The provider whose responses have most of them.
            sent: What the response is, if not a mapping.
        """
        shown = ", ".join(sorted(fields)[:8]) or "no fields"
        what = sent or f"a response with {shortened(shown)}"
        wanted = f"is known to send {what}" if name is None else repr(name)
        near = f"; most like it is {resembled!r}" if resembled else ""
        super().__init__(f"no provider {wanted}{near}{known_names(name or '', known)}")
        self.name = name
        self.known = known
        self.resembled = resembled


class UnknownRendererError(CitemarkError, LookupError):
    """No renderer is registered under the given name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        """Keep the name that was asked for, and the names there are."""
        super().__init__(f"no renderer {name!r}{known_names(name, known)}")
        self.name = name
        self.known = known


class UnresolvedError(CitemarkError, LookupError):
    """A key names no source, and the caller chose ``unresolved="raise"``."""

    def __init__(self, key: str, start: int, end: int) -> None:
        """Keep the key, and the half-open span of its marker in code points."""
        super().__init__(f"no source for {shortened(key)!r}, cited at {start}:{end}")
        self.key = key
        self.start = start
        self.end = end

"""Exceptions.  All derive from ``CitemarkError``; each also from the nearest built-in.

They are for mistakes of the caller.  What a model or a source wrote never raises: it becomes
text, or an ``Issue`` with a position.

- CitemarkError
  - FormatError (ValueError)
  - RendererOptionError (ValueError)
  - SourceError (ValueError)
    - AmbiguousLabelError
  - StoredAnswerError (ValueError)
  - TextTypeError (TypeError)
  - UnknownFormatError (LookupError)
  - UnknownRendererError (LookupError)
  - UnresolvedError (LookupError)
"""

from __future__ import annotations

from typing import Any, Final

__all__ = [
    "AmbiguousLabelError",
    "CitemarkError",
    "FormatError",
    "RendererOptionError",
    "SourceError",
    "StoredAnswerError",
    "TextTypeError",
    "UnknownFormatError",
    "UnknownProviderError",
    "UnknownRendererError",
    "UnresolvedError",
]


MAX_SHOWN: Final = 80
"""Code points of a key or an id that a message repeats: they come from elsewhere."""


def shortened(text: str) -> str:
    """Return a text as a message may repeat it: a long one ends in an ellipsis.

    >>> len(shortened("x" * 5_000))
    80
    """
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


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


class RendererOptionError(CitemarkError, ValueError):
    """An option of a renderer that it cannot work with."""

    def __init__(self, name: str, reason: str) -> None:
        """Keep the name of the option, and what is wrong with its value."""
        super().__init__(f"renderer option {name}: {reason}")
        self.name = name
        self.reason = reason


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


class StoredAnswerError(CitemarkError, ValueError):
    """Stored data that is not an answer, or is one of a version that is not known."""

    def __init__(self, where: str, reason: str) -> None:
        """Keep the path to the bad value (``segments[2].marker``), and what is wrong."""
        super().__init__(f"stored answer, {where}: {reason}")
        self.where = where
        self.reason = reason


class TextTypeError(CitemarkError, TypeError):
    """What was given for a text is no ``str``."""

    def __init__(self, value: object) -> None:
        """Keep the type of the value."""
        self.type = type(value)
        super().__init__(f"expected the text as str, not {self.type.__name__}")


class UnknownFormatError(CitemarkError, LookupError):
    """A marker of a format that the resolver was not told about, or a name that a set lacks."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        """Keep the name that was asked for, and the names there are."""
        super().__init__(f"no marker format {name!r}; known: {', '.join(known)}")
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
    ) -> None:
        """Keep the name that was asked for, if one was, and the names there are.

        Args:
            name: The name; None if the provider was to be found out.
            known: The names there are.
            fields: Fields of the response, by which it was looked for.
            resembled: The provider whose responses have most of them.
        """
        shown = ", ".join(sorted(fields)[:8]) or "no fields"
        what = f"a response with {shortened(shown)}"
        message = (
            f"no provider is known to send {what}" if name is None else f"no provider {name!r}"
        )
        near = f"; most like it is {resembled!r}" if resembled else ""
        super().__init__(f"{message}{near}; known: {', '.join(known)}")
        self.name = name
        self.known = known
        self.resembled = resembled


class UnknownRendererError(CitemarkError, LookupError):
    """No renderer is registered under the given name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        """Keep the name that was asked for, and the names there are."""
        super().__init__(f"no renderer {name!r}; known: {', '.join(known)}")
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

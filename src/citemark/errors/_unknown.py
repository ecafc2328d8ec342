"""Names that nobody knows."""

from __future__ import annotations

from citemark._spelling import known_names
from citemark.errors._base import CitemarkError, shortened

__all__ = [
    "UnknownArgumentError",
    "UnknownFormatError",
    "UnknownProviderError",
    "UnknownRendererError",
]


class UnknownArgumentError(CitemarkError, TypeError):
    """A keyword argument that a function does not take."""

    def __init__(
        self, function: str, name: str, known: tuple[str, ...], mend: str = ""
    ) -> None:
        """Keep the name that was given, and those that the function takes."""
        more = f" ({mend})" if mend else ""
        super().__init__(f"{function} has no option {name!r}{more}{known_names(name, known)}")
        self.function = function
        self.name = name
        self.known = known


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

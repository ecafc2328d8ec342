"""How stored answers are read, checked and rendered: one value, the same for all rows of a run.

It has a digest, so that a later run knows whether a row was made in the same way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark import formats
from citemark._lenient import Step, read_steps
from citemark.errors import (
    CitemarkError,
    UnknownProviderError,
    UnknownRendererError,
    shortened,
)
from citemark.providers import PROVIDERS
from citemark.renderers import renderer_names

if TYPE_CHECKING:
    from citemark.formats import FormatSet
    from citemark.resolve import SourceList, Unresolved
    from citemark.sources import Label

__all__ = ["BatchOptionError", "BatchOptions"]

GroupBy: TypeAlias = Literal["source", "document", "url"]

_CHOICES: Final = {
    "unresolved": (None, "keep", "mark", "drop"),
    "label": (None, "number", "id"),
    "source_list": ("keep", "drop", "parse"),
    "group_by": get_args(GroupBy),
}
_KINDS: Final[dict[str, type | tuple[type, ...]]] = {
    "check": bool,
    "dialect": str,
    "provider": (str, type(None)),
    "renderer_options": Mapping,
}
_OF_RUN: Final = {"to", "check", "renderer_options"}
"""What no row can set: rows are data, and options of renderers say what is safe to show."""

_UNORDERED: Final = (str, bytes, bytearray, AbstractSet, Mapping)
"""What is iterable, and no list of names in an order."""

DIGEST_BYTES: Final = 16


class BatchOptionError(CitemarkError, ValueError):
    """An option of a batch is not known, or has a value that it cannot have."""

    def __init__(self, name: str, reason: str) -> None:
        """Say which option."""
        self.name, self.reason = name, reason
        super().__init__(f"{name}: {reason}")


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """Options of a run.  All are plain data: they go to other processes and machines.

    >>> BatchOptions(to=("html",)).digest == BatchOptions(to=("text",)).digest
    False
    """

    to: Sequence[str] = ()
    """Names of the renderers whose output each row gets."""

    check: bool = False
    """Whether each row gets the figures of the checks."""

    dialect: str = "DEFAULT"
    """Sets of formats by name, joined by commas in their order: ``"DEFAULT,RAGFLOW"``."""

    provider: str | None = None
    """What the answers are responses of: the name of an adapter or ``"auto"``; None if they
    are texts."""

    unresolved: Unresolved | None = None
    """See ``cite``; ``"raise"`` is none: a row has ``unresolved`` to tell."""

    label: Label | None = None
    """What prompts called the sources; see ``Sources``."""

    source_list: SourceList = "keep"
    """See ``cite``."""

    group_by: GroupBy = "source"
    """See ``cite``."""

    lenient: bool | Step | Iterable[Step] = False
    """See ``Sources``."""

    renderer_options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    """Options of renderers by their names: ``{"html": {"previews": "hint"}}``.  ``id_prefix``
    is what all ids of a run start with; in each row, a digest of its id and content
    follows."""

    def __post_init__(self) -> None:
        """Refuse what no row could be made with.

        Raises:
            BatchOptionError: It names the option.
        """
        for name, kinds in _KINDS.items():
            value = getattr(self, name)
            if not isinstance(value, kinds):
                raise BatchOptionError(name, f"cannot be {shortened(repr(value))}")
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            is_one = value is None or isinstance(value, str)  # others may not compare
            if not is_one or value not in choices:
                known = ", ".join(str(choice) for choice in choices if choice is not None)
                raise BatchOptionError(name, f"{shortened(repr(value))} is none of {known}")
        object.__setattr__(self, "to", _names(self.to))
        object.__setattr__(self, "renderer_options", _plain(self.renderer_options))
        object.__setattr__(self, "lenient", _steps(self.lenient))
        self.formats  # noqa: B018  an unknown dialect is refused here
        if self.provider not in (None, "auto", *PROVIDERS):
            unknown = UnknownProviderError(str(self.provider), PROVIDERS)
            raise BatchOptionError("provider", str(unknown))

    @property
    def formats(self) -> FormatSet:
        """The formats of the dialect."""
        return _formats_of(self.dialect)

    @property
    def consulted(self) -> bool:
        """Whether a renderer shows sources that are not cited, so that answers keep them."""
        return any(given.get("notes") == "all" for given in self.renderer_options.values())

    @property
    def digest(self) -> str:
        """Hexadecimal digest of all options; equal in every process and version."""
        return _digest(self)

    def with_row(self, given: Mapping[str, Any]) -> BatchOptions:
        """Return the options that a row asks for.

        Raises:
            BatchOptionError: It asks for an option that is not known.
        """
        known = {one.name for one in fields(self)} - _OF_RUN
        for name in given:
            if name not in known:
                raise BatchOptionError(str(name), f"rows can set {', '.join(sorted(known))}")
        return replace(self, **given)


def _steps(given: Any) -> bool | tuple[Step, ...]:  # noqa: ANN401  whatever a row has
    """Return steps as a tuple in their order; all or none as they are given."""
    if isinstance(given, bool):
        return given
    try:
        return read_steps(given)
    except CitemarkError as error:
        reason = str(error).removeprefix("lenient: ")
        raise BatchOptionError("lenient", reason) from None


def _plain(given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return options of renderers as plain data."""
    for name, options in given.items():
        if not isinstance(options, Mapping):
            reason = f"expected an object for {name!r}, not {shortened(repr(options))}"
            raise BatchOptionError("renderer_options", reason)
    return {name: dict(options) for name, options in given.items()}


def _names(given: object) -> tuple[str, ...]:
    """Return the names of renderers, each once, in their order: sets have none."""
    is_list = isinstance(given, Iterable) and not isinstance(given, _UNORDERED)
    asked = [*given] if is_list else []  # type: ignore[misc]
    if not is_list or not all(isinstance(name, str) for name in asked):
        reason = f'expected names, as in ("html", "json"), not {shortened(repr(given))}'
        raise BatchOptionError("to", reason)
    names = tuple(dict.fromkeys(asked))
    for name in names:
        if name not in renderer_names():
            unknown = UnknownRendererError(name, renderer_names())
            raise BatchOptionError("to", str(unknown))
    return names


@lru_cache(maxsize=64)
def _digest(options: BatchOptions) -> str:
    """Return the digest of options; each row asks for it."""
    text = json.dumps(asdict(options), sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()


@lru_cache(maxsize=256)
def _formats_of(dialect: str) -> FormatSet:
    """Return the union of the sets of formats that are named."""
    names = [*filter(None, map(str.strip, dialect.replace("|", ",").split(",")))]
    if not names:
        raise BatchOptionError("dialect", "names no set of formats")
    chosen = formats.FormatSet()
    for name in names:
        found = getattr(formats, name.upper().replace("-", "_"), None)
        if not isinstance(found, formats.FormatSet):
            raise BatchOptionError("dialect", f"there is no set of formats named {name!r}")
        chosen |= found
    return chosen

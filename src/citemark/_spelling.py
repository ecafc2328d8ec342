"""Names that a caller may have meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["known_names"]

MAX_LENGTH: Final = 40
"""Code points of a name that is compared: difflib takes long for long ones."""

MAX_MEANT: Final = 3


def known_names(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about a name that is not known: which one was meant, and all.

    >>> known_names("preview", ["id_prefix", "previews"])
    '; did you mean previews? Known: id_prefix, previews'
    >>> known_names("openai", ["openai_chat", "openai_responses"])
    '; did you mean openai_chat or openai_responses? Known: openai_chat, openai_responses'
    >>> known_names("x", ["html", "text"])
    '; known: html, text'
    """
    names = [*known]
    meant = " or ".join(_meant(name, names))
    begin = f"; did you mean {meant}? Known: " if meant else "; known: "
    return begin + (", ".join(names) or "none")


def _meant(name: str, names: list[str]) -> list[str]:
    from difflib import get_close_matches  # noqa: PLC0415  for mistakes alone

    if not 1 < len(name) <= MAX_LENGTH:
        return []
    wanted = name.casefold().replace("-", "_")
    begun = [one for one in names if one.startswith(wanted)]
    return (begun or get_close_matches(wanted, names))[:MAX_MEANT]

"""What the documentation says of each provider: a row of its table."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Provided"]


class Provided(NamedTuple):
    """What a provider sends, and what becomes of it."""

    title: str
    """The provider and its interface, as people call them."""

    arrives: str
    """Where in the response the citations are."""

    when: str
    """When they come, in a stream too."""

    unit: str
    """What their offsets count."""

    does: str
    """What the adapter makes of them."""

"""From an older version of the stored form to the next one, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from citemark._stored._shapes import VERSION

__all__ = ["STEPS", "upgraded"]

Step: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes the form of a version out of that of the one before; it may change what it is given."""

STEPS: Final[dict[int, Step]] = {}
"""By the version that a step starts from; there is one for each older version."""


def upgraded(data: Any) -> Any:  # noqa: ANN401  whatever was stored
    """Return the current form of what was stored; what is none, or newer, as it is."""
    while isinstance(data, Mapping):
        version = data.get("version")
        if type(version) is not int or version == VERSION or version not in STEPS:
            break
        data = {**STEPS[version](dict(data)), "version": version + 1}
    return data

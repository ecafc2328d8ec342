"""Values of a reply: as JSON, as the reply that they hold, as words."""

from __future__ import annotations

import json
from typing import Final

from citemark._forms import ANSWER, CLAIMS
from citemark._lazy import lazy_re
from citemark.structured._fields import Fields
from citemark.structured._json import find_json

__all__ = ["as_json", "decoded", "speaks"]

_WORDS: Final = lazy_re(
    r"\w\W{0,3}\s\W{0,3}\w+\W{0,3}\s\W{0,3}\w"
    r"|[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]{6}"
)
"""Three words, or as much of a script without blanks."""


def decoded(value: object) -> object:
    """Return the reply that an answer is, if the whole reply is in it as JSON again."""
    if not isinstance(value, str) or value.lstrip()[:1] != "{":
        return value
    found = next(find_json(value), None)
    is_reply = found is not None and isinstance(found.value, dict) and not found.rest.strip()
    names = Fields(found.value) if found is not None and is_reply else None
    return found.value if found and names and names.have((*ANSWER, *CLAIMS)) else value


def as_json(value: object) -> str:
    """Return a value that is no text as JSON, so that no words are lost; "" for nothing."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str) if value else ""
    except (TypeError, ValueError, RecursionError):
        return ""


def speaks(value: object) -> bool:
    """Whether a value holds words that a reader would miss: more than a name or a grade."""
    if isinstance(value, list):
        return any(isinstance(one, str) and speaks(one) for one in value)
    return isinstance(value, str) and _WORDS.search(value) is not None

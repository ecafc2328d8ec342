"""A short text by which a list of sources is known again, wherever it is read.

It is ``1:WHOLE:EACH``.  1 is the version of the form.  WHOLE is the first 32 hexadecimal digits
of the SHA-256 of a JSON array: for each source an array of label, id, URL (or null), title and
text, without blanks and in ASCII.  EACH has 4 digits for each of the first 64 sources, of the
same array less the label: they say what differs, and decide nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from citemark.errors import SourcesChangedError, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citemark.model import Source

__all__ = ["fingerprint_of", "require_same"]

VERSION: Final = "1"
WHOLE: Final = 32
EACH: Final = 4
MAX_EACH: Final = 64
"""Sources that are told apart: a fingerprint has a bounded length."""


def fingerprint_of(labelled: Iterable[tuple[str, Source]]) -> str:
    """Return the fingerprint of sources and their labels."""
    rows = [
        [label, source.id, source.url, source.title, source.text] for label, source in labelled
    ]
    each = "".join(_digest(row[1:], EACH) for row in rows[:MAX_EACH])
    return f"{VERSION}:{_digest(rows, WHOLE)}:{each}"


def require_same(
    expected: str | None, actual: str, labelled: Iterable[tuple[str, Source]]
) -> None:
    """Refuse sources whose fingerprint is another than the expected one, if there is one.

    Raises:
        SourcesChangedError: It is another, or none that is known.
    """
    if expected is None or expected == actual:
        return
    parts = expected.split(":") if isinstance(expected, str) else []
    if len(parts) != len(actual.split(":")) or parts[0] != VERSION:
        shown = shortened(repr(expected))
        reason = f"{shown} is no fingerprint that this version knows"
        raise SourcesChangedError(reason, expected, actual)
    reason = _difference(_cut(parts[2]), _cut(actual.split(":")[2]), [*labelled])
    raise SourcesChangedError(reason, expected, actual)


def _difference(
    then: Sequence[str], now: Sequence[str], labelled: Sequence[tuple[str, Source]]
) -> str:
    if then == now:
        is_long = len(labelled) > MAX_EACH
        return f"what follows source {MAX_EACH} differs" if is_long else "the labels differ"
    if sorted(then) == sorted(now):
        return "they are in another order"
    if len(then) != len(now):
        count = f"at least {MAX_EACH}" if len(then) == MAX_EACH else str(len(then))
        return f"there are {len(labelled)}, and there were {count}"
    differing = [named for named, a, b in zip(labelled, then, now, strict=False) if a != b]
    label, source = differing[0]
    more = f", and {len(differing) - 1} more" if len(differing) > 1 else ""
    name = shortened(repr(source.id))
    return f"[{shortened(label)}] ({name}){more} has another id, URL, title or text"


def _cut(digits: str) -> list[str]:
    return [digits[at : at + EACH] for at in range(0, len(digits), EACH)]


def _digest(value: object, length: int) -> str:
    from hashlib import sha256  # noqa: PLC0415  few answers need it

    written = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return sha256(written.encode("ascii")).hexdigest()[:length]

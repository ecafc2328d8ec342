"""What is rendered of an answer in a row, and errors as the row has them."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._strict import encode
from citemark.renderers import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from citemark.answer import Answer
    from citemark.batch.options import BatchOptions

__all__ = ["MAX_ERROR", "described", "joined", "noted", "rendered_forms"]

MAX_ERROR: Final = 500
"""Code points of an error that are kept."""

PREFIX_BYTES: Final = 5
"""Of a row in ids of HTML: among 10,000 rows, two are the same once in 20,000 times."""


def rendered_forms(
    answer: Answer,
    names: Iterable[str],
    options: BatchOptions,
    row: Mapping[str, Any],
    errors: list[str],
) -> dict[str, str] | None:
    """Return an answer as each renderer has it.

    Args:
        answer: Of the row.
        names: Of the renderers.
        options: Theirs are used.
        row: That is being made; it tells its HTML from that of others on a page.
        errors: What fails is left out, and added here.
    """
    rendered: dict[str, str] = {}
    for name in names:
        given = dict(options.renderer_options.get(name, {}))
        if name == "html":
            given["id_prefix"] = _id_prefix(row, given.get("id_prefix"))
        with noted(errors, name):
            rendered[name] = render(answer, name, **given)
    return rendered or None


def _id_prefix(row: Mapping[str, Any], start: str | None) -> str | None:
    """Return what the ids in the HTML of a row start with; None for what the renderer takes.

    Answers of the same words from the same sources are told apart by the ids of their rows;
    rows of several files that have one id, by what was read of them.
    """
    if start is None and row["id"] is None:
        return None
    key = encode([row["id"], row["content_digest"]])
    digest = hashlib.blake2b(key, digest_size=PREFIX_BYTES).hexdigest()
    return f"{'cite' if start is None else start}-{digest}"


def joined(errors: Iterable[str]) -> str | None:
    """Return errors as the column has them; None for none."""
    return "; ".join(errors)[:MAX_ERROR] or None


@contextmanager
def noted(errors: list[str], what: str) -> Iterator[None]:
    """Add an error to others, with what it is of."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  the answer is not lost by what is made of it
        errors.append(f"{what}: {described(error)}")


def described(error: Exception) -> str:
    """Return an error as the column has it: its kind, and what it says."""
    return f"{type(error).__name__}: {error}"[:MAX_ERROR]

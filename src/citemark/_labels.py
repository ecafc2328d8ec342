"""What a prompt calls each source: its position, its id, or what it was called before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark._compare import canonical_number
from citemark.errors import AmbiguousLabelError, SourceError, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.model import Source

__all__ = ["read_labels"]


def read_labels(
    sources: Sequence[Source], label: str | None, given: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the label of each source, in order of position.

    Args:
        sources: What is labelled.
        label: ``"id"``, ``"number"``, or None for numbers that no id may contradict.
        given: Labels of the first sources, which they keep.  Numbers go on from the highest.

    Raises:
        SourceError: Two sources have one id.
        AmbiguousLabelError: An id is a number other than the label, and ``label`` is None.
    """
    last = max(map(int, given), default=0) if label != "id" else 0
    labels = [*given]
    ids: dict[str, int] = {}
    for position, source in enumerate(sources, 1):
        if source.id in ids:
            name = shortened(repr(source.id))
            reason = f"its id {name} is that of source {ids[source.id]} too"
            raise SourceError(position, reason)
        ids[source.id] = position
        if position > len(labels):
            last += 1
            labels.append(source.id if label == "id" else str(last))
        number = canonical_number(source.id)
        if label is None and number is not None and number != labels[position - 1]:
            raise AmbiguousLabelError(position, source.id)
    return tuple(labels)

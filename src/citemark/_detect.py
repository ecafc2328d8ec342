"""Which dialects a text is written in."""

from __future__ import annotations

from collections import Counter

from citemark.catalogue import ALL, DIALECTS
from citemark.parser import find_markers

__all__ = ["detect"]


def detect(text: str) -> dict[str, int]:
    """Return how many markers of a text each dialect reads, by its name.

    Dialects that read none are left out.  The one that reads most is first; of those that read
    as many, the narrowest, which has fewest formats.  Candidates, which are markers only with
    the sources known, are not counted, but for links.

    Raises:
        TextTypeError: The text is no ``str``.

    >>> detect("Filters are replaced yearly【10:13†source】.")
    {'AZURE': 1, 'OPENAI': 1}
    """
    found = Counter(marker.format for marker in find_markers(text, formats=ALL))
    counts = {
        name: sum(found[row.name] for row in rows)
        for name, rows in sorted(DIALECTS.items(), key=lambda item: len(item[1]))
    }
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return {name: count for name, count in ordered if count}

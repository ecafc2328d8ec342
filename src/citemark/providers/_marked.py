"""Markers in a text whose sources, and quotes of them, a provider lists beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citemark.model import Marker, Source
from citemark.parser import Scanner
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.catalogue import FormatSet
    from citemark.providers._draft import Draft, Ref

__all__ = ["cite_markers"]


def cite_markers(
    draft: Draft, text: str, origin: int, formats: FormatSet, refs: Mapping[str, Ref]
) -> None:
    """Cite what the markers of a text name; those that name nothing known are left alone.

    Args:
        draft: The answer.
        text: A part of it.
        origin: Where that starts in the answer, in code points.
        formats: The markers.
        refs: What their keys name in this part.
    """
    for token in Scanner(formats, known=_named(draft, refs)).scan_whole(text):
        if not isinstance(token, Marker):
            continue
        known = [refs[key] for key in token.keys if key in refs]
        if not known:
            continue
        start, end = origin + token.start, origin + token.end
        for key in token.keys:
            if key not in refs:
                message = f"{draft.provider}: a marker names a source that is not listed"
                draft.issue("unknown_source", message, start, end, key)
        draft.cite(start, end, known, anchor="marker")


def _named(draft: Draft, refs: Mapping[str, Ref]) -> Sources:
    """Return the sources under the names that markers have for them.

    They tell the entries of a list of sources, which cite nothing, from sentences.
    """
    known = ((key, draft.sources.get(ref.source, Source(key))) for key, ref in refs.items())
    return Sources((replace(source, id=key) for key, source in known), label="id")

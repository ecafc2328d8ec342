"""The text of a source, with its folded forms; kept for the next quotes from it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes._fold import Folded
from citemark._quotes._letters import letters_of
from citemark._recent import Recent

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Passage", "forget_passages", "passage_of"]

MAX_KEPT: Final = 4_000_000
"""Code points of passages that are kept folded: some 30 MB at most."""

_MARKER: Final = lazy_re(r"\[[0-9]")


class Passage:
    """A passage, folded when a quote asks for it.

    Two threads may fold one passage at once; either result serves.
    """

    def __init__(self, text: str) -> None:
        """Keep the text; nothing is read yet."""
        self.text = text

    @cached_property
    def folded(self) -> Folded:
        """The passage as it is compared."""
        return Folded(self.text)

    @property
    def views(self) -> Iterator[Folded]:
        """The passage as it is compared; then without numbers in brackets, if it has some."""
        yield self.folded
        if self._has_markers:
            yield self.bare

    @cached_property
    def letters(self) -> bytes | None:
        """The letters a to z of the passage as it is compared; None in doubt."""
        return letters_of(self.text)

    @cached_property
    def bare(self) -> Folded:
        """The passage as it is compared, numbers in brackets left out."""
        return Folded(self.text, without_markers=True) if self._has_markers else self.folded

    @cached_property
    def _has_markers(self) -> bool:
        return _MARKER.search(self.text) is not None


_KEPT: Final = Recent(Passage, MAX_KEPT)
passage_of: Final = _KEPT.get
forget_passages: Final = _KEPT.clear

"""Parts of a text in which offsets count apart, as some providers say that they do.

Whether they do is not always clear: where the words of a span are known it is looked for in its
part and in the whole, and what fits exactly is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from citemark.providers._offsets import Offsets
from citemark.providers._repair import locate

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from citemark.providers._channel import Channel, Ref
    from citemark.providers._draft import Draft

__all__ = ["Parts"]


@dataclass(slots=True)
class _Part:
    """One part, whose text is in one piece."""

    start: int
    end: int
    pieces: list[str] = field(default_factory=list)  # as they came: halves count as they did
    offsets: Offsets | None = None


class Parts:
    """The parts of one channel of a draft.

    Args:
        draft: Where issues are told.
        channel: The text: the draft itself by default, or an aside of it.
    """

    __slots__ = ("_channel", "_draft", "_parts")

    def __init__(self, draft: Draft, channel: Channel | None = None) -> None:
        """Begin with no part."""
        self._draft = draft
        self._channel = draft if channel is None else channel
        self._parts: dict[Hashable, _Part] = {}

    def __contains__(self, key: Hashable) -> bool:
        """Whether there is a part of that name."""
        return key in self._parts

    def __len__(self) -> int:
        """Return how many parts there are."""
        return len(self._parts)

    def add(self, key: Hashable, text: str) -> None:
        """Add text to a part, or begin it.

        Of a part that goes on after another one only the first piece is one: offsets past it
        count in the whole text.
        """
        before = self._channel.length
        start = self._channel.add(text)
        part = self._parts.setdefault(key, _Part(start, before))
        if part.end == before:
            part.start = part.start if part.pieces else start
            part.end, part.offsets = self._channel.length, None
            part.pieces += [text] if text else []

    def clear(self) -> None:
        """Forget the parts and their text, of which another version comes."""
        self._parts.clear()
        self._channel.replace("")

    def place(
        self,
        key: Hashable,
        start: int | None,
        end: int | None,
        refs: Sequence[Ref],
        **how: Any,  # noqa: ANN401  those of Draft.place
    ) -> bool:
        """Add a citation by its offsets (see ``Draft.place``) in a part, or in the whole text.

        Args:
            key: Name of the part; None, or one that is not known, for the whole text.
            start: First offset, or None.
            end: Last offset, or None.
            refs: Its sources.
            how: Further arguments of ``Draft.place``.
        """
        part = self._parts.get(key)
        if part is not None and self._is_right(part, start, end, how):
            how |= {"offsets": self._offsets(part), "origin": part.start}
        return self._draft.place(self._channel, start, end, refs, **how)

    def _is_right(
        self, part: _Part, start: int | None, end: int | None, how: dict[str, Any]
    ) -> bool:
        """Whether a span is in a part, rather than counted in the whole text."""
        told = {name: how[name] for name in ("unit", "expected") if name in how}
        inside = locate(self._offsets(part), start, end, **told)
        if inside is None or not inside.step:
            return inside is not None
        whole = locate(self._channel.offsets, start, end, **told)
        return whole is None or bool(whole.step)

    def _offsets(self, part: _Part) -> Offsets:
        if part.end - part.start == self._channel.length:
            return self._channel.offsets
        if part.offsets is None:
            part.pieces[:] = ["".join(part.pieces)]
            part.offsets = Offsets(part.pieces[0])
        return part.offsets

"""Texts with as many claims as wanted: one for each sentence, of 100 bytes or so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "JSON",
    "PIECE",
    "SOURCES",
    "Claim",
    "Large",
    "Shape",
    "daggered",
    "large",
    "linked",
    "numbered",
    "place",
]

PIECE: Final = 10
"""Code points of text in an event."""

SOURCES: Final = 1_000
"""What is cited, in turn."""

JSON = dict[str, Any]


class Claim(NamedTuple):
    """A sentence, and what it is cited for."""

    number: int
    start: int
    """In code points."""
    end: int
    first: int
    """The same in bytes of UTF-8."""
    last: int
    words: str
    mark: str
    """What the model wrote after it."""

    @property
    def page(self) -> str:
        """The address of its source."""
        return f"https://a.example/{self.number % SOURCES}"

    @property
    def source(self) -> JSON:
        """Its source, as most providers name its fields."""
        return {"url": self.page, "title": f"Page {self.number % SOURCES}"}


class Large(NamedTuple):
    """A text with its claims."""

    text: str
    claims: list[Claim]

    def pieces(self) -> Iterator[tuple[str, Claim | None]]:
        """Yield the text in pieces, and each claim once it is whole, after a piece."""
        for claim in self.claims:
            said = claim.words + claim.mark
            for at in range(0, len(said), PIECE):
                yield said[at : at + PIECE], claim if at + PIECE >= len(said) else None
            yield " ", None


def large(count: int, mark: Callable[[int], str] = lambda _: "") -> Large:
    """Return a text of so many sentences, and the claim of each."""
    claims, start, first = [], 0, 0
    for number in range(count):
        words = (
            f"Sentence {number:06} says that the ferry 🌉 crosses in half an hour, "
            "and that it is free on Sundays."
        )
        size, written = len(words), mark(number)
        claim = Claim(
            number, start, start + size, first, first + len(words.encode()), words, written
        )
        claims.append(claim)
        start += size + len(written) + 1
        first += len((words + written).encode()) + 1
    return Large("".join(f"{claim.words}{claim.mark} " for claim in claims), claims)


def linked(count: int) -> Large:
    """Return a text whose claims end with links."""
    return large(count, lambda n: f" ([a.example](https://a.example/{n % SOURCES}))")


def numbered(count: int) -> Large:
    """Return a text whose claims end with a number."""
    return large(count, lambda n: f"[{n % SOURCES + 1}]")


def daggered(count: int) -> Large:
    """Return a text whose claims end with markers of the Assistants."""
    return large(count, lambda n: f"【{n % SOURCES}:0†source】")


class Shape(NamedTuple):
    """How a provider sends an answer."""

    whole: Callable[[int], Any]
    """Makes a response with so many citations; all events where the whole is a stream."""
    events: Callable[[int], list[Any]] | None = None
    """Makes the events of a stream."""


def place(claim: Claim, *names: str) -> JSON:
    """Return the place of a claim, by code points."""
    return dict(zip(names or ("start_index", "end_index"), claim[1:3], strict=True))

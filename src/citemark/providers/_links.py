"""Links in a text: the places that a citation of a URL, or of a file, can be about."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from citemark._compare import comparable_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Links", "holds"]

# Parentheses in a target may nest, as those of encyclopedias do; three levels are enough.
_URL: Final = r"""(?: [^\s()<>] | \( (?: [^\s()<>] | \( [^\s()<>]{0,200}+ \) ){0,200}+ \)
                  ){1,2048}+"""
_TITLE: Final = r"""(?: [ ]{1,3}+ " [^"\n]{0,200}+ " )?+"""
_TOKEN: Final = re.compile(
    rf"""\\.
    | (?P<open> [\[\u3010] )
    | [\]\u3011] (?: \( [ ]? <?+ (?P<target> {_URL} ) >?+ {_TITLE} [ ]? \) )?
    | (?P<bare> \b https?:// [^\s()<>\[\]\u3010\u3011"`]
        (?: [^\s()<>\[\]\u3010\u3011"`] | \( [^\s()<>\[\]"`]{{0,200}}+ \) ){{0,2048}}+ )""",
    re.VERBOSE | re.DOTALL,
)
_PUNCTUATION: Final = ".,;:!?'*_~"
_PAIRS: Final = frozenset({"()", "[]", "<>", "\u3010\u3011", "\uff08\uff09"})


class Links:
    """The links of one text, by what they lead to.  Reads it once, in linear time.

    >>> Links("Open. ([a.example](https://a.example/?utm_source=x))").spans("https://a.example")
    [(6, 52), (7, 51)]
    """

    __slots__ = ("_by_name", "_by_url", "_text")

    def __init__(self, text: str) -> None:
        """Find all links."""
        self._text = text
        self._by_url: dict[str, list[tuple[int, int]]] = {}
        self._by_name: dict[str, list[tuple[int, int]]] = {}
        for start, end, target_start, target_end in self._found():
            target = text[target_start:target_end]
            places = self._by_url.setdefault(comparable_url(target), [])
            places += self._framed(start, end)
            if not target.startswith(("http:", "https:")):
                name = target.rpartition("/")[2]
                self._by_name.setdefault(name, []).append((target_start, target_end))
        for places in self._by_url.values():
            places.sort()

    def spans(self, url: str) -> Sequence[tuple[int, int]]:
        """Return the places of links to a URL, half-open, in order.

        One in brackets of its own is there with and without them.
        """
        return self._by_url.get(comparable_url(url), ())

    def files(self, name: str) -> list[tuple[int, int]]:
        """Return the places of the targets of links to a file of this name."""
        from urllib.parse import quote  # noqa: PLC0415  2 ms that most answers do without

        written = self._by_name.get(quote(name, errors="replace"), ())
        return sorted({*self._by_name.get(name, ()), *written})

    def _found(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield start and end of each link, and of its target; none that lies in another."""
        opened: list[int] = []
        waiting: list[tuple[int, int, int, int]] = []
        for match in _TOKEN.finditer(self._text):
            if match["open"]:
                opened.append(match.start())
            elif match["bare"]:
                start, end = match.span("bare")
                end -= len(match["bare"]) - len(match["bare"].rstrip(_PUNCTUATION))
                waiting.append((start, end, start, end))
            elif match[0][0] != "\\" and opened:
                start = opened.pop()
                if match["target"]:
                    while waiting and waiting[-1][0] > start:
                        waiting.pop()
                    waiting.append((start, match.end(), *match.span("target")))
        yield from waiting

    def _framed(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        yield start, end
        if start and self._text[start - 1] + self._text[end : end + 1] in _PAIRS:
            yield start - 1, end + 1


def holds(places: Sequence[tuple[int, int]], place: tuple[int, int]) -> bool:
    """Whether a place is among some, which are in order."""
    at = bisect_left(places, place)
    return at < len(places) and places[at] == place

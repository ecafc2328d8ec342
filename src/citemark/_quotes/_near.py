"""The words of a passage that are most like a quote, and in what they differ.

Linear in the passage: words of the quote that are rare there say where to look, and there the
words of both are lined up within a narrow band.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark._quotes._characters import UNSPACED, WORDY

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Nearest", "Word", "nearest"]

MAX_WORDS: Final = 4_000
"""Words of a quote that are lined up."""

MAX_CELLS: Final = 500_000
"""Pairs of words that are looked at to line up one place: a fifth of a second."""

RARE: Final = 40
"""Places of a word in the passage by which it still says where to look."""

SHORT: Final = 2
"""Letters of a word that is looked up by none."""

MAX_ANCHORS: Final = 60
"""Words of a quote that are looked up, the longest first."""

MAX_TRIED: Final = 3
"""Places that are compared with the quote."""

LIKE: Final = 0.8
"""Likeness at which no other place is tried."""

ROOM: Final = 24
"""Code points by which words lie off if some between are longer, or left out."""

MARGIN: Final = 40
"""Code points before and after a place that are lined up too."""

SPREAD: Final = 200
"""Code points by which words may be longer than the quote, if a tenth of it is more: the band
is as wide, and so the work stays linear in the quote."""

NARROW: Final = 8
"""The same for scripts in which a character is nearly a word."""

BAND: Final = 6
"""Words by which a quote may be longer or shorter than a range that is given."""

_WORD: Final = lazy_re(
    rf"[{UNSPACED}]|-?\d+(?:[.,:/']\d+)*"
    rf"|(?:(?![{UNSPACED}\d])[{WORDY}])+(?:'(?:(?![{UNSPACED}\d])[{WORDY}])+)*"
    r"|[!<>]=|[%‰°$€£¥₹₽<>=+§]"
)
_ASCII_WORD: Final = lazy_re(r"-?\d+(?:[.,:/']\d+)*|[^\W\d]+(?:'[^\W\d]+)*|[!<>]=|[%$<>=+]")
_UNSPACED: Final = lazy_re(f"[{UNSPACED}]")

REPLACED: Final = 0.99
"""Cost of another word in place of one; one more or less costs 1."""


class Word(NamedTuple):
    """A folded word, number, sign, or character of a script without blanks."""

    text: str
    """As it is compared."""

    start: int
    """Offset in the folded text."""


class Nearest(NamedTuple):
    """The words of a passage that are most like a quote."""

    pairs: list[tuple[Word | None, Word | None]]
    """Words of the quote and of the passage, lined up; None for one that has no partner."""

    start: int
    """Offset in the folded passage."""

    end: int
    """One after the last."""

    likeness: float
    """Share of words that are the same, 0 to 1."""

    @property
    def changes(self) -> list[tuple[Word | None, Word | None]]:
        """The pairs that are not the same."""
        return [(a, b) for a, b in self.pairs if a is None or b is None or a.text != b.text]


def nearest(quote: str, passage: str) -> Nearest | None:
    """Return the words of a folded passage that are most like a folded quote; None if none are.

    Linear in the passage; nothing is kept of it.
    """
    words = words_of(quote)
    if not words or len(words) > MAX_WORDS:
        return None
    best: Nearest | None = None
    for shift in _shifts(words, passage):
        margin = NARROW if _UNSPACED.match(words[0].text) else MARGIN
        start = passage.rfind(" ", 0, max(shift - margin, 0)) + 1
        start = max(start, shift - 2 * margin, 0)
        stop = shift + len(quote) + min(len(quote) // 10, SPREAD) + margin
        # The margins are the band, but for a place at an end of the passage.
        band = BAND if start == 0 or stop >= len(passage) else 0
        stretch = words_of(passage, start, stop)
        if len(words) * (abs(len(stretch) - len(words)) + 2 * band) > MAX_CELLS:
            continue  # a long quote, of which the passage has a part at most
        if best is not None and _most_alike(words, stretch) <= best.likeness:
            continue
        near = _align(words, stretch, band)
        if best is None or near.likeness > best.likeness:
            best = near
        if best.likeness >= LIKE:
            break
    return best


def _most_alike(quote: list[Word], passage: list[Word]) -> float:
    """Return the likeness that words would have at most, in whatever order they were."""
    texts = {word.text for word in passage}
    return sum(word.text in texts for word in quote) / len(quote)


def _shifts(words: list[Word], passage: str) -> list[int]:
    """Return where in a passage a quote may begin, the likeliest first."""
    rare: dict[int, int] = {}
    common: dict[int, int] = {}
    for keys in (_keys, _short_keys):
        anchors = sorted(keys(words), key=lambda anchor: -len(anchor[0]))
        for key, offset in anchors[:MAX_ANCHORS]:
            places = [*islice(_places(key, passage), RARE + 1)]
            votes = rare if len(places) <= RARE else common
            for place in places:
                votes[place - offset] = votes.get(place - offset, 0) + 1
        if rare or common:
            break
    votes = rare or common
    rooms: dict[int, int] = {}
    for shift, count in votes.items():
        rooms[shift // ROOM] = rooms.get(shift // ROOM, 0) + count
    likely = sorted(votes, key=lambda shift: -_votes_near(rooms, shift // ROOM))
    best: list[int] = []
    for shift in likely:
        if all(abs(shift - other) > ROOM for other in best):
            best.append(shift)
        if len(best) == MAX_TRIED:
            break
    return best


def _votes_near(rooms: dict[int, int], room: int) -> int:
    return rooms.get(room - 1, 0) + rooms[room] + rooms.get(room + 1, 0)


def _places(key: str, passage: str) -> Iterator[int]:
    at = passage.find(key)
    while at >= 0:
        yield at
        at = passage.find(key, at + 1)


def words_of(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """Return the words of a folded text; a dash before digits is of the number."""
    end = len(text) if end is None else end
    pattern = _ASCII_WORD if text[start:end].isascii() else _WORD
    found = pattern.finditer(text, start, end)
    return [Word(match[0], match.start()) for match in found]


def _keys(words: list[Word]) -> Iterator[tuple[str, int]]:
    """Yield by what each word is looked up, and where it is: characters of Han by two."""
    for number, (text, start) in enumerate(words):
        if not _UNSPACED.match(text):
            if len(text) > SHORT:
                yield text, start
        elif number + 1 < len(words):
            yield text + words[number + 1].text, start


def _short_keys(words: list[Word]) -> Iterator[tuple[str, int]]:
    """Yield the same for words of one or two letters: two of them beside each other."""
    for one, other in pairwise(words):
        if other.start - one.start == len(one.text) + 1:
            yield f"{one.text} {other.text}", one.start


def _align(quote: list[Word], passage: list[Word], band: int) -> Nearest:
    """Line up a quote with the part of a stretch of words that is most like it.

    Ends of the stretch cost nothing.  Only pairs within a band are looked at: as wide as one
    is longer than the other, and so much more on either side.
    """
    slack = len(passage) - len(quote)
    low = min(0, slack) - band
    width = abs(slack) + 2 * band + 1
    far = float(len(quote) + len(passage) + 1)
    rows = [[0.0 if 0 <= low + k <= len(passage) else far for k in range(width)] + [far]]
    texts = [word.text for word in passage]
    for i, word in enumerate(quote, 1):
        first, stop = max(-i - low, 0), min(len(passage) - i - low + 1, width)
        rows.append([far] * (width + 1))  # one more, which is beyond the band
        if first < stop and first + i + low == 0:  # before the first word of the passage
            rows[-1][first] = rows[-2][first + 1] + 1
            first += 1
        others = texts[max(first + i + low - 1, 0) : max(stop + i + low - 1, 0)]
        _fill(rows[-2], rows[-1], word.text, others, first)
    return _traced(quote, passage, rows, low)


def _fill(
    last: list[float], row: list[float], text: str, others: list[str], first: int
) -> None:
    """Fill a row of the table from a column on; this is where the time goes.

    Calls of ``min`` took a third of it.
    """
    beside = row[first - 1]  # the cost one word to the left
    costs = zip(last[first:], last[first + 1 :], others, strict=False)
    for k, (paired, best, other) in enumerate(costs, first):
        best += 1  # noqa: PLW2901  the cost of leaving out the word of the quote
        same = paired if other == text else paired + REPLACED
        if same < best:  # noqa: PLR1730  as above
            best = same  # noqa: PLW2901
        beside += 1
        if best < beside:  # noqa: PLR1730
            beside = best
        row[k] = beside


def _traced(
    quote: list[Word], passage: list[Word], rows: list[list[float]], low: int
) -> Nearest:
    """Return the pairs along the cheapest way through the table."""
    i = len(quote)
    row = rows[i][:-1]
    k = min(range(len(row)), key=row.__getitem__)
    pairs: list[tuple[Word | None, Word | None]] = []
    while i:
        j = i + low + k
        cost = rows[i][k]
        paired = j > 0 and passage[j - 1].text == quote[i - 1].text
        if j > 0 and cost == rows[i - 1][k] + (0 if paired else REPLACED):
            pairs.append((quote[i - 1], passage[j - 1]))
            i -= 1
        elif k + 1 < len(row) and cost == rows[i - 1][k + 1] + 1:
            pairs.append((quote[i - 1], None))
            i, k = i - 1, k + 1
        else:
            pairs.append((None, passage[j - 1]))
            k -= 1
    pairs.reverse()
    mine = [pair[1] for pair in pairs if pair[1] is not None]
    same = sum(1 for a, b in pairs if a is not None and b is not None and a.text == b.text)
    start = mine[0].start if mine else 0
    end = mine[-1].start + len(mine[-1].text) if mine else 0
    return Nearest(pairs, start, end, same / max(len(pairs), 1))

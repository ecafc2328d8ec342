"""The place of a provider's span: what its offsets say, or what they must have meant.

What is known of the span is tried in a fixed order, from what the provider documents to what
only helps if nothing else does.  Wrong offsets are common (``docs/providers.md``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from citemark.providers._offsets import UNITS, Converted, Offsets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from citemark.providers._offsets import Unit

__all__ = ["ISSUES", "OTHER_UNITS", "Span", "Step", "locate", "plausible_unit"]

Step: TypeAlias = Literal[
    "",
    "unit_code_points",
    "unit_bytes",
    "unit_utf16",
    "inclusive",
    "shifted",
    "requoted",
    "nearest",
    "clamped",
]
"""How a span was mended.

Nothing had to be; its offsets count something else than they should; its end is inclusive
where it should not be, or the other way round; it is a few code points off; it was found by its
words, or is the only place that it may be; it is the nearest of several such places; what was
outside of the text was cut off.
"""

MAX_SHIFT: Final = 8
"""Code points by which a span may be off; seen: 1 to 3."""

MAX_TRIED: Final = 64
"""Places that begin so near a span that are tried."""

MAX_SLACK: Final = 200
"""Code points by which white space may differ."""

OTHER_UNITS: Final[Mapping[Unit, Step]] = {
    "code point": "unit_code_points",
    "byte": "unit_bytes",
    "utf16": "unit_utf16",
}
"""Steps of spans that count something else than they should, by what it is."""

_UNIT_ISSUE: Final = (
    "offset_unit",
    "the offsets of a span count something else than they should",
)

ISSUES: Final[Mapping[Step, tuple[str, str]]] = {
    "unit_code_points": _UNIT_ISSUE,
    "unit_bytes": _UNIT_ISSUE,
    "unit_utf16": _UNIT_ISSUE,
    "inclusive": ("span_shifted", "the end of a span is one off"),
    "shifted": ("span_shifted", "a span is a few characters off"),
    "requoted": ("span_shifted", "a span is not where it should be; it was found by its words"),
    "nearest": (
        "span_shifted",
        "a span is not where it should be; the nearest match was taken",
    ),
    "clamped": ("span_out_of_range", "a span goes past the text; it was cut"),
}
"""Code and message of the issue for each step."""

_CLOSING: Final = frozenset(".!?…:;。！？．)]）】\"'”’»*_`")


class Span(NamedTuple):
    """A place in a text, in code points, half-open: ``0 <= start < end <= len(text)``."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    step: Step
    """How it was found; "" if it is what the provider said."""


def locate(  # noqa: PLR0913  what a provider may say of a span, by keyword
    offsets: Offsets,
    start: int | None,
    end: int | None,
    *,
    unit: Unit = "code point",
    inclusive: bool = False,
    expected: str | Sequence[tuple[int, int]] | None = None,
) -> Span | None:
    """Return the place of a span; None if it has none.  Nothing that a provider sends raises.

    Args:
        offsets: Of the text that the span is in.
        start: First offset; None is 0, if there is an end.
        end: Last offset.
        unit: What the offsets count by the provider's word.
        inclusive: Whether the end is, by the provider's word, the last offset itself.
        expected: The words that the span must be; or the places that it may be, half-open, in
            code points, in order.  Without it a span is only fitted into the text.

    >>> locate(Offsets("Naïve. 12 trams"), 8, 10, unit="byte")
    Span(start=7, end=9, step='')
    >>> locate(Offsets("Naïve. 12 trams"), 9, 11, unit="byte", expected="12")
    Span(start=7, end=9, step='requoted')
    """
    first = start or 0
    if end is None or (first == end and not inclusive):
        # "0..0" is how some say that they know of no place.
        near = offsets.to_code_points(first, first, unit).start if first > 0 else None
        return _by_words(offsets, expected, near) if isinstance(expected, str) else None
    readings = _Readings(offsets, first, end, unit, inclusive)
    if expected is None or expected == "":
        return _fitted(readings.declared, len(offsets.text))
    if isinstance(expected, str):
        return _by_text(offsets, readings, expected)
    return _by_places(readings, expected)


def plausible_unit(
    offsets: Offsets, spans: Iterable[tuple[int, int]], *, unit: Unit = "code point"
) -> Unit:
    """Return what the offsets of an answer most likely count, where nothing can verify them.

    It is another unit than the one told if spans go past the text in that one, and in the other
    one all of them stand between code points and end where a sentence, a line, a marker or a
    quotation does.
    """
    known = [*spans]
    if all(_is_inside(offsets, start, end, unit) for start, end in known):
        return unit
    for other in UNITS:
        if other != unit and all(_is_likely(offsets, *span, other) for span in known):
            return other
    return unit


class _Readings(NamedTuple):
    """The ways to read two offsets."""

    offsets: Offsets
    start: int
    end: int
    unit: Unit
    inclusive: bool

    @property
    def declared(self) -> Converted:
        """What the provider says."""
        return self.read(self.unit)

    def read(self, unit: Unit, *, is_other_end: bool = False) -> Converted:
        end = self.end + (self.inclusive != is_other_end)
        return self.offsets.to_code_points(self.start, end, unit)

    def all(self) -> Iterator[tuple[Converted, Step]]:
        """Yield the readings with what is wrong then, the likeliest first."""
        yield self.declared, ""
        others = [unit for unit in UNITS if unit != self.unit]
        for unit in others:
            yield self.read(unit), OTHER_UNITS[unit]
        for unit in (self.unit, *others):
            yield self.read(unit, is_other_end=True), "inclusive"


def _fitted(span: Converted, length: int) -> Span | None:
    """Return what of a span lies in the text."""
    start, end = max(span.start, 0), min(span.end, length)
    if start >= end:
        return None
    if (start, end) != span[:2]:
        return Span(start, end, "clamped")
    return Span(start, end, "" if span.is_exact else "shifted")


def _by_text(offsets: Offsets, readings: _Readings, words: str) -> Span | None:
    text = offsets.text
    declared = readings.declared
    for span, step in readings.all():
        if span.end - span.start == len(words) and text.startswith(words, max(span.start, 0)):
            if span.start < 0:
                continue
            return Span(span.start, span.end, "requoted" if step == "inclusive" else step)
    if declared.is_exact and _is_alike(text, declared, words):
        return Span(declared.start, declared.end, "")
    for span, _ in islice(readings.all(), len(UNITS)):
        start = _shifted(text, span.start, words)
        if start is not None:
            return Span(start, start + len(words), "requoted")
    return _by_words(offsets, words, declared.start)


def _is_alike(text: str, span: Converted, words: str) -> bool:
    """Whether a span differs from the words that it should be by white space only."""
    if not (0 <= span.start < span.end <= len(text)):
        return False
    if abs(span.end - span.start - len(words)) > MAX_SLACK:
        return False
    return text[span.start : span.end].split() == words.split() != []


def _shifted(text: str, start: int, words: str) -> int | None:
    """Return the place of words that is a little before or after a position."""
    for shift in range(MAX_SHIFT + 1):
        for at in (start - shift, start + shift):
            if 0 <= at <= len(text) and text.startswith(words, at):
                return at
    return None


def _by_words(offsets: Offsets, expected: str, position: int | None) -> Span | None:
    """Return the only place of words, or the one nearest to a position."""
    for words in dict.fromkeys((expected, expected.strip())):
        place = offsets.words.nearest(words, position) if words else None
        if place is not None:
            step: Step = "requoted" if place.is_only else "nearest"
            return Span(place.start, place.start + len(words), step)
    return None


def _by_places(readings: _Readings, places: Sequence[tuple[int, int]]) -> Span | None:
    for span, step in readings.all():
        at = bisect_left(places, span[:2])
        if at < len(places) and places[at] == span[:2]:
            return Span(span.start, span.end, step)
    if not places:
        return None
    declared = readings.declared
    first = bisect_left(places, (declared.start - MAX_SHIFT,))
    last = bisect_right(places, (declared.start + MAX_SHIFT, declared.end + MAX_SHIFT))
    near = [
        place
        for place in places[first : min(last, first + MAX_TRIED)]
        if abs(place[1] - declared.end) <= MAX_SHIFT
    ]
    if near:
        return Span(*min(near, key=lambda place: _distance(place, declared)), "shifted")
    if len(places) == 1:
        return Span(*places[0], "requoted")
    at = bisect_left(places, (declared.start,))
    nearest = min(places[max(at - 1, 0) : at + 1], key=lambda place: _distance(place, declared))
    return Span(*nearest, "nearest")


def _distance(place: tuple[int, int], span: Converted) -> tuple[int, int]:
    """Return how far a place is from a span: one of the same length is nearer."""
    start, end = place[0] - span.start, place[1] - span.end
    return abs(start - end), abs(start)


def _is_inside(offsets: Offsets, start: int, end: int, unit: Unit) -> bool:
    span = offsets.to_code_points(start, end, unit)
    return 0 <= span.start <= span.end <= len(offsets.text)


def _is_likely(offsets: Offsets, start: int, end: int, unit: Unit) -> bool:
    """Whether a span is whole in a unit, and ends as the words that are cited do."""
    span, text = offsets.to_code_points(start, end, unit), offsets.text
    if not (span.is_exact and 0 <= span.start <= span.end <= len(text)):
        return False
    after = text[span.end : span.end + 1]
    return (
        span.start == span.end or not after or after == "\n" or text[span.end - 1] in _CLOSING
    )

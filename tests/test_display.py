"""What every renderer shows of an answer."""

from __future__ import annotations

import pytest

from citemark.answer import Answer
from citemark.model import Citation, CitationSegment, Marker, Source, TextSegment
from citemark.renderers._display import cut, passage_of, shown, title_of

A, B = Source("a"), Source("b")


def marker(*numbers, blank=""):
    """A marker with these numbers: 0 for a source not found, 3 for one not known yet."""
    sources = {1: A, 2: B}
    citations = tuple(Citation(str(n), sources.get(n), n or None) for n in numbers)
    return CitationSegment(Marker(0, 1, "[…]", "number", ("…",)), citations, blank)


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        ([marker(1), marker(1)], [[1], []]),
        ([marker(1, 1, 2)], [[1, 2]]),
        ([marker(1), marker(1, 2), marker(2, 1)], [[1], [2], [1]]),
        ([marker(1), TextSegment(" "), marker(1)], [[1], [], [1]]),
        ([marker(1), marker(0), marker(1)], [[1], [None], [1]]),
        ([marker(0), marker(0)], [[None], [None]]),
        ([marker(1), marker(), marker(1)], [[1], [], []]),
        ([marker(3), marker(3)], [[3], []]),
        ([], []),
    ],
)
def test_adjacent_equal_numbers_are_shown_once(segments, expected):
    """A number right after itself is left out; text or a missing source parts them."""
    pairs = list(shown(Answer(tuple(segments))))
    assert [segment for segment, _ in pairs] == segments
    assert [[citation.number for citation in citations] for _, citations in pairs] == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("fell", "and", "fell and"),
        ("*a*", "*b*", "*a* *b*"),
        ("`a`", "`b`", "`a` `b`"),
        ("fell", ".", "fell."),
        ("fell", " and", "fell and"),
        ("fell.", "And", "fell.And"),
    ],
)
def test_a_blank_stays_between_words(before, after, expected):
    """What markers that show nothing leave behind does not make one word of two."""
    dropped = [marker(blank=" "), marker(blank=" ")]
    answer = Answer((TextSegment(before), *dropped, TextSegment(after)))
    assert "".join(getattr(segment, "text", "") for segment, _ in shown(answer)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (Source("1", title=" Refund\n  policy "), "Refund policy"),
        (Source("1", url="https://example.org/a"), "example.org"),
        (Source("1", url="/srv/private/minutes.pdf"), "minutes.pdf"),
        (Source("1", title="/srv/private/minutes.pdf"), "minutes.pdf"),
        (Source("1", title="C:\\private\\minutes.pdf"), "minutes.pdf"),
        (Source("1", title="file:///srv/private/"), "private"),
        (Source("/srv/private/a.txt"), "a.txt"),
        (Source("pol-12", url="javascript:alert(1)"), "pol-12"),
        (Source("1", title="\u200b\U000e0041"), "1"),
        (Source("1", title="Invoice \u202efdp.exe"), "Invoice fdp.exe"),
        (Source("1", title="a\x00b\ud800"), "a�b�"),
        (Source("1", title=42), "1"),
        (Source("1", title="x" * 400), "x" * 299 + "…"),
        (Source("1", title="word " * 100), ("word " * 60).rstrip() + "…"),
    ],
)
def test_title_of(source, expected):
    """A source is called by its title, host, file name or id: never by a path."""
    assert title_of(source) == expected


def test_passage_of():
    """A passage is one clean line, cut where a glance ends."""
    texts = ["", "  Levels\n\nfell. ", "\ud800 lone", "x" * 20_000, "\u202eopen", None]
    passages = [passage_of(Source("1", text=text)) for text in texts]
    assert passages == ["", "Levels fell.", "� lone", "x" * 399 + "…", "\u202eopen\u202c", ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("abc", "abc"), ("abcd", "ab…"), ("a bcd", "a…"), ("", "")],
)
def test_cut(text, expected):
    """A text that is too long ends with an ellipsis within the length asked for."""
    assert cut(text, 3) == expected

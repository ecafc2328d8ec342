"""What every renderer shows of a source."""

from __future__ import annotations

import pytest

from citemark.model import Source
from citemark.renderers._display import cut, passage_of, title_of


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
        (Source("https://user:secret@host.example/a"), "https://host.example/a"),
        (Source("1", title="s3://key:secret@bucket/a"), "s3://bucket/a"),
        (Source("1", title="write //me@home, or a@b.example"), "write //home, or a@b.example"),
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

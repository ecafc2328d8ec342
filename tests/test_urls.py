"""Which URLs are linked, and what is told of where a source is."""

from __future__ import annotations

import pytest

from citemark import model
from citemark.renderers._urls import file_name, host_of, host_or_name, is_local_path, safe_url

SAFE = [
    "https://example.org",
    "http://example.org:8080/a/b?c=d&e=%22#f",
    "HTTPS://EXAMPLE.ORG/",
    "https://example.org/a b.pdf",
    "https://de.wikipedia.org/wiki/Köln",
    "https://example.org/(x)[y]'\"<>`|",
    "https://xn--bcher-kva.example/",
    "https://under_score.example/",
    "https://example.org./",
    "https://[2001:db8::1]:8080/",
    "https://localhost/",
    "mailto:ann@example.org",
    "mailto:ann@example.org?subject=Hello",
    "https://example.org/" + "a" * 2028,
]

UNSAFE = [
    "",
    " ",
    "not a url",
    "/srv/rag/private/salaries.pdf",
    "relative/path",
    "#fragment",
    "C:\\Users\\ann\\notes.docx",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "\x01javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.org/x",
    "view-source:https://example.org/",
    "feed:javascript:x",
    "ftp://example.org/",
    "//evil.example/x",
    "/\\evil.example",
    "https:evil.example",
    "https:/evil.example",
    "https:///evil.example",
    "http:\\\\evil.example",
    "https://good.example\\@evil.example/",
    "https://good.example/\\x",
    "https://user@evil.example/",
    "https://user:secret@evil.example/",
    "http://",
    "https://?x",
    "https://#x",
    "https://:80/",
    "https://example.org:99999/",
    "https://example.org:-1/",
    "https://example.org:８0/",
    "https://example.org:/",
    "https://[::1",
    "https://[x]/",
    "https://ex℀mple.example/",
    "https://раypal.example/",
    "https://evil。example/",
    "https://good\u200b.example/",
    "https://good%2eexample/",
    "https://good.example<x/",
    "https://good.example/\u202egpj.exe",
    "https://good.example/\u200b",
    "https://good.example/\u3164",
    "https://good.example/\xa0x",
    "https://good.example/\u2028x",
    "https://good.example/a\x00b",
    "https://good.example/a\nb",
    "https://good.example/a\n",
    " https://good.example/",
    "https://good.example/ ",
    "\xa0https://good.example/",
    "https://good.example/\ud83d",
    "https://good.example/\ufffe",
    "https://good.example/\ue000",
    "mailto:",
    "mailto:nobody",
    "mailto:a@b?x=%0d%0aBcc:c@d",
    "mailto:a@b c@d",
    "https://good.example/" + "a" * 2028,
]

FILE_NAMES = {
    "/srv/rag/private/salaries.pdf": "salaries.pdf",
    "C:\\Users\\ann\\notes.docx": "notes.docx",
    "\\\\server\\share\\plan.xlsx": "plan.xlsx",
    "file:///home/ann/a.txt": "a.txt",
    "docs/guide.md": "guide.md",
    "guide.md": "guide.md",
    "/srv/rag/private/": "",
    "/srv/rag/secret-project": "",
    "s3://bucket/key/report.pdf": "",
    "javascript:alert(1).pdf": "",
    "//evil.example/x.html": "",
    "/\\evil.example": "",
    "not a url": "",
    "": "",
}


@pytest.mark.parametrize("url", SAFE)
def test_safe_url_is_handed_on(url):
    """A safe URL is returned as it is."""
    assert safe_url(url) == url


@pytest.mark.parametrize("url", UNSAFE)
def test_unsafe_url_is_refused(url):
    """Anything else is no URL at all: it is never repaired."""
    assert safe_url(url) is None


@pytest.mark.parametrize("url", [None, 12345, b"https://example.org/", ["https://a.b/"], True])
def test_no_url_of_another_type(url):
    """Records hold anything; what is no text is no URL."""
    assert safe_url(url) is None


@pytest.mark.parametrize(("path", "expected"), FILE_NAMES.items())
def test_file_name(path, expected):
    """Of a path only a file name is told, and of a URL nothing."""
    assert file_name(path) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Docs.Example.org:8443/private?token=1", "docs.example.org"),
        ("https://[2001:db8::1]/", "[2001:db8::1]"),
        ("mailto:ann@example.org", ""),
        ("javascript://example.org/%0aalert(1)", ""),
        ("https://user@example.org/", ""),
        (None, ""),
    ],
)
def test_host_of(url, expected):
    """The host of a safe web URL is told in lower case, without port, path and query."""
    assert host_of(url) == expected


def test_host_or_name():
    """A source is placed by its host, else by its file name, else not at all."""
    urls = ["https://example.org/a/b.pdf", "/srv/a/b.pdf", "odd", None]
    places = [host_or_name(model.Source("1", url=url)) for url in urls]
    assert places == ["example.org", "b.pdf", "", ""]


@pytest.mark.parametrize("text", ["Input/output", "a / b", "either/or", "//x/", "C: drive", ""])
def test_not_a_local_path(text):
    """A title with a slash is no path."""
    assert not is_local_path(text)

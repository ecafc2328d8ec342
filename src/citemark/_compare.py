"""What makes two URLs, titles or ids the same: forms to compare, never to show."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from citemark._lazy import lazy_re

__all__ = [
    "canonical_number",
    "comparable",
    "comparable_id",
    "comparable_title",
    "comparable_url",
    "decomposed",
    "without_last_letter",
]

MAX_COMPARED: Final = 4_096
"""Code points of a title or URL that count.  Longer ones cannot be cited (see the grammar)."""

MAX_MARKS: Final = 30
"""Combining marks kept after a letter: ``unicodedata.normalize`` is quadratic in them."""

TRACKING: Final = lazy_re(
    r"(?:utm_\w+|gclid|dclid|fbclid|msclkid|mc_[ce]id|igshid|srsltid|yclid|_hs(?:enc|mi))(?:=.*)?",
    re.IGNORECASE,
)
"""Query parameters that say where a reader came from, not what the page is."""

_PLAIN_URL: Final = lazy_re(r"https?:(//[a-z0-9.-]++(?:/[A-Za-z0-9._~/-]*+)?+)")
"""A URL in which there is nothing to ignore but the slash at its end: most are."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_UNRESERVED: Final = lazy_re(r"%([0-9A-Fa-f]{2})")
_SAFE: Final = "%/:=&?~#+!$,;'@()*[]"


def comparable(text: str, lookup: str) -> str:
    """Return what a key and a name must have in common, by what the key is compared with."""
    if lookup == "url":
        return comparable_url(text)
    if lookup == "title":
        return comparable_title(text)
    composed = comparable_id(text)
    return (canonical_number(composed) or composed) if lookup == "label" else composed


def canonical_number(text: str) -> str | None:
    """Return a label number without leading zeros, or None if the text is no such number.

    >>> canonical_number("007"), canonical_number("-1"), canonical_number("²")
    ('7', None, None)
    """
    if not (text.isascii() and text.isdecimal()):
        return None
    return text.lstrip("0") or "0"


def comparable_url(url: str) -> str:
    """Return what two spellings of one URL have in common.

    Ignored are: http or https, the case of the host, a default port, a slash at the end, the
    fragment, tracking parameters, and percent-encoding that changes nothing (RFC 3986, 6.2).

    >>> comparable_url("HTTPS://Example.org:443/a/?utm_source=x#top")
    '//example.org/a'
    """
    return _comparable_url(url[:MAX_COMPARED])


@lru_cache(maxsize=1_024)
def _comparable_url(url: str) -> str:
    url = url.strip()
    plain = _PLAIN_URL.fullmatch(url)
    if plain:
        return plain[1].rstrip("/")
    from urllib.parse import urlsplit  # noqa: PLC0415  2 ms that few imports need

    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
    except ValueError:
        return url
    if scheme not in _DEFAULT_PORTS or not host:
        return url
    origin = f"//{host}" if port in (None, _DEFAULT_PORTS[scheme]) else f"//{host}:{port}"
    query = "&".join(p for p in parts.query.split("&") if p and not TRACKING.fullmatch(p))
    path = _percent(parts.path).rstrip("/")
    # Some sites keep what page it is behind the hash.
    route = f"#{_percent(parts.fragment)}" if parts.fragment[:1] in ("/", "!") else ""
    return origin + path + (f"?{_percent(query)}" if query else "") + route


def comparable_title(title: str) -> str:
    """Return what two spellings of one title have in common: NFKC, case and white space go.

    >>> comparable_title(" Refund  POLICY ")
    'refund policy'
    """
    return _comparable_title(title[:MAX_COMPARED])


@lru_cache(maxsize=1_024)
def _comparable_title(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", _capped(title)).casefold().split())


def comparable_id(id_: str) -> str:
    """Return the composed form of an id: an accent may be a letter's own or a mark after it."""
    if id_.isascii():
        return id_.strip()
    return unicodedata.normalize("NFC", _capped(id_[:MAX_COMPARED])).strip()


def decomposed(text: str) -> str:
    """Return a comparable form with marks apart from their letters, to compare starts by."""
    return text if text.isascii() else unicodedata.normalize("NFD", _capped(text))


def without_last_letter(text: str) -> str:
    """Return a decomposed text without its last letter and the marks on it."""
    end = len(text)
    while end and unicodedata.combining(text[end - 1]):
        end -= 1
    return text[: max(end - 1, 0)]


def _capped(text: str) -> str:
    """Return the text with no letter bearing more marks than ``MAX_MARKS``."""
    if text.isascii():
        return text
    import regex  # noqa: PLC0415  it takes 30 ms to import, and most texts are ASCII

    return regex.sub(rf"(\p{{M}}{{{MAX_MARKS}}})\p{{M}}++", r"\1", text)


def _percent(text: str) -> str:
    """Return the text with only what must be percent-encoded encoded, in upper case."""
    from urllib.parse import quote  # noqa: PLC0415  as above

    plain = _UNRESERVED.sub(_decode_unreserved, text)
    return quote(plain, safe=_SAFE, errors="replace")


def _decode_unreserved(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    is_unreserved = character.isascii() and (character.isalnum() or character in "-._~")
    return character if is_unreserved else match[0].upper()

r"""Which URLs a reader may be sent to, and what is shown of them.

An allow-list, and never a repair: where browsers and ``urllib`` read a URL differently
(``https://good\@evil``), neither reading is trusted.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import regex

from citemark.renderers._clean import clean, without_invisible

if TYPE_CHECKING:
    from citemark.model import Source

__all__ = ["file_name", "host_of", "host_or_name", "is_local_path", "safe_url"]

MAX_URL: Final = 2_048
"""Code points of the longest URL that is linked: what browsers and servers agree to take."""

MAX_PORT: Final = 65_535

_WEB: Final = regex.compile(
    r"(?i:https?)://"
    r"(?P<host>[0-9A-Za-z_](?:[0-9A-Za-z_.-]{0,252}[0-9A-Za-z_.])?|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?:[/?#](?P<rest>.*))?",
    regex.DOTALL,
)
_MAIL: Final = regex.compile(r"(?i:mailto):[^\s@<>\"]+@[^\s@<>\"]+")
_BROKEN_LINE: Final = regex.compile(r"%0[ad]", regex.IGNORECASE)

_REFUSED: Final = regex.compile(r"[\\\p{C}\p{Zl}\p{Zp}[\p{Zs}--\ ]]", regex.VERSION1)
"""Never in a URL: back-slashes, white space but the blank, controls, private, unassigned."""

_PATH: Final = regex.compile(r"file:|[A-Za-z]:[\\/]|\\\\|~?/[^/\\\s][^/\\]*/|\.{1,2}[\\/]")
_SCHEME: Final = regex.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FILE_NAME: Final = regex.compile(r"[^/\\]+\.[A-Za-z0-9]{1,8}")


@lru_cache(maxsize=4_096)
def _checked(url: str) -> str | None:
    if url != url.strip() or _REFUSED.search(url):
        return None
    if without_invisible(url) != url:
        return None
    if _MAIL.fullmatch(url):
        return None if _BROKEN_LINE.search(url) else url
    web = _WEB.fullmatch(url)
    if web is None or (web["port"] and int(web["port"]) > MAX_PORT):
        return None
    return url


def safe_url(url: object) -> str | None:
    r"""Return the URL if a browser may follow it, else None.

    Safe is an absolute ``http`` or ``https`` URL with an ASCII host and without user name, or
    a ``mailto`` address; at most 2,048 code points, none of them a control, invisible, or
    read differently by browsers (``\``).  What is not safe is never made so.  Takes anything.

    >>> safe_url("https://example.org/a?b=1"), safe_url("javascript:alert(1)"), safe_url(7)
    ('https://example.org/a?b=1', None, None)
    """
    if not isinstance(url, str) or len(url) > MAX_URL:
        return None
    return _checked(url)


def host_of(url: object) -> str:
    """Return the host of a safe web URL, in lower case; "" for everything else.

    >>> host_of("https://Docs.Example.org:8443/private/a"), host_of("/srv/a.pdf")
    ('docs.example.org', '')
    """
    safe = safe_url(url)
    return _host(safe) if safe else ""


@lru_cache(maxsize=4_096)
def _host(url: str) -> str:
    web = _WEB.match(url)
    return web["host"].lower() if web else ""


def host_or_name(source: Source) -> str:
    """Return what may be shown of where a source is, for a source without title.

    The host of a safe URL; of a local path the file name alone; else "".
    """
    return host_of(source.url) or file_name(source.url)


def file_name(path: object) -> str:
    r"""Return the last part of a path to a file, never more of it; "" if it is no such path.

    >>> file_name(r"C:\Users\ann\notes.docx"), file_name("s3://bucket/a.pdf")
    ('notes.docx', '')
    """
    if not isinstance(path, str) or path.startswith(("//", "/\\")):
        return ""
    if not is_local_path(path) and _SCHEME.match(path):
        return ""
    name = regex.split(r"[/\\]", path[:MAX_URL])[-1]
    return clean(name) if _FILE_NAME.fullmatch(name) else ""


def is_local_path(text: str) -> bool:
    """Tell whether a text looks like a path of some machine, which readers must not see."""
    return _PATH.match(text) is not None

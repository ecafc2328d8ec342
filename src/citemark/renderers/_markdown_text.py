"""Plain text as Markdown, and what renderers turn into links without being asked.

Markdown libraries disagree on bare addresses: GFM links ``https://``, ``www.`` and mail, some
of its implementations after they have taken escapes out; linkify-it also ``evil.com``.  Only a
code span stops all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from citemark.renderers._urls import MAX_URL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "HIDDEN",
    "code_span",
    "destination",
    "end_of_run",
    "escape",
    "escape_all",
    "find_addresses",
    "free_ticks",
    "within_line",
]

_PUNCTUATION: Final = regex.compile(r"([!-/:-@\[-`{-~])")
"""ASCII punctuation: all of it may be escaped, and only all of it is read alike everywhere."""

_TICKS: Final = regex.compile(r"`++")
_ENTITY: Final = regex.compile(r"&(?=#?[0-9A-Za-z]{1,32};)")

_BLOCK_START: Final = regex.compile(
    r"(?P<number>[0-9]{1,9})(?P<mark>[.)])"
    r"|(?P<fence>`{3,}(?=[^`]*+\Z)|~{3,})"
    r"|[#>|=+-]|:(?=-)|[*_](?=[*_ \t]*+\Z)|\*(?=[ \t])"
)
_CONTAINERS: Final = regex.compile(r"(?:[ \t>]|[*+-][ \t]|[0-9]{1,9}[.)][ \t])*+\Z")

_ENCODED: Final = {ord(c): f"%{ord(c):02X}" for c in ' "<>[\\]^`{|}()'}
"""What could end a destination, a table cell or the brackets around it."""

# Top-level domains that linkify-it 5 links without a scheme; those of two letters: ISO 3166.
_DOMAINS: Final = (
    "biz|com|edu|gov|net|org|pro|web|xxx|aero|asia|coop|info|museum|name|shop|рф|xn--[a-z0-9-]++"
    "|a[cdefgilmnoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]"
    "|f[ijkmor]|g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]"
    "|l[abcikrstuvy]|m[acdeghklmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghklmnrstwy]|qa|r[eosuw]"
    "|s[abcdeghijklmnortuvxyz]|t[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]"
)

_DOMAIN: Final = rf"(?<=\S)\.(?=(?:{_DOMAINS})(?![a-z0-9]))"
_FUZZY: Final = regex.compile(rf"(?P<split>{_DOMAIN})", regex.IGNORECASE)
"""All that there may be in a text without ``@``, ``/`` and ``www.``, which is most text."""

_ADDRESS: Final = regex.compile(
    r"(?P<web>(?:(?:https?|ftp)://|www\.(?=[\w-])|(?:mailto|xmpp):(?=[^\s@]{1,99}@))"
    r"[^\s\0<>`|*\\\[\]{}\"]++|(?<![a-z0-9])www\.[^\s\0<>`|*\\\[\]{}\"]*+)"
    r"|(?P<mail>(?<![\w.+;:&=$,-])[\w.+;:&=$,-]++@[\w-]*+(?:\.[\w-]++)++)"
    rf"|(?P<split>{_DOMAIN}|(?<![\w:/])/(?=/[^\s/])"
    r"|(?<=:)/(?=/(?:[<>`|\0*\\\[\]{}\"]|[^\S \t\n\v\f\r]))"
    r"|(?<=[\w~'#%?^|{}!/*`.+-])@(?=[\w.-]{0,99}+[`|*{}'~^$]\S)"
    r"|(?<=[~'#%?^|{}!/*`])@(?=[\w-]{1,99}+\.\w))",
    regex.IGNORECASE,
)
_INNER: Final = regex.compile(
    r"(?:https?|ftp)://|www\.|(?:mailto|xmpp):|[\w.+-]@\w", regex.IGNORECASE
)
"""An address within an address."""

_TRAILING: Final = "?!.,:*_~'\";"
HIDDEN: Final = "\0"
"""Stands for a construct: it parts words, but an address may seem to go on in its source."""

_SURELY_TRAILING: Final = "?!.,"
"""What every renderer leaves out at the end of an address that it links."""

# cmark-gfm goes on over all blanks that are not ASCII, and remark over "<".
_RUN: Final = regex.compile(rf"[^ \t\n\v\f\r]{{1,{MAX_URL + 1}}}+")


def find_addresses(
    text: str, may_stay: Callable[[int, int], bool] = lambda *_: False
) -> Iterator[tuple[int, int]]:
    """Yield the half-open span of each piece that a renderer may make a link.

    A span of one character only has to be escaped: a dot before a domain, or a slash after
    which another comes.  Longer spans must become code.

    Args:
        text: Text as readers see it, without escapes; ``HIDDEN`` for what is no text.
        may_stay: Whether the address at a half-open span may be a link.
    """
    is_simple = "@" not in text and "/" not in text and "www." not in text.lower()
    pattern = _FUZZY if is_simple else _ADDRESS
    position = 0
    while match := pattern.search(text, position):
        start, end = match.span()
        position = max(end, start + 1)
        if is_simple or match["split"]:
            # The second slash is escaped: the first may follow a back-slash.
            at = start + 1 if match["split"] == "/" else start
            yield at, at + 1
            continue
        run = _trimmed(text[start : end_of_run(text, start)], _SURELY_TRAILING)
        # Some end an address where others go on, or start within it.
        first = run.find("@") + 1 if run[:7].lower() == "mailto:" else 1
        is_one = match.end() >= start + len(run) and not _INNER.search(run, first)
        if is_one and may_stay(start, start + len(run)):
            position = start + len(run)
        else:
            yield start, start + len(_trimmed(match[0], _TRAILING))


def end_of_run(text: str, start: int) -> int:
    """Return where all ends that some renderer takes for a part of an address."""
    run = _RUN.match(text, start)
    return run.end() if run else start


def _trimmed(address: str, trailing: str) -> str:
    """Return an address without the punctuation that ends a sentence around it (GFM 6.9)."""
    surplus = address.count(")") - address.count("(")
    end = len(address)
    while end and (address[end - 1] in trailing or (address[end - 1] == ")" and surplus > 0)):
        end -= 1
        surplus -= address[end] == ")"
    return address[:end]


def escape(text: str) -> str:
    r"""Return text of one line that Markdown shows as it is, addresses as code.

    >>> escape("[x](https://evil.example) *")
    '\\[x\\]\\(`https://evil.example`\\) \\*'
    """
    pieces: list[str] = []
    position = 0
    for start, end in find_addresses(text):
        if end - start > 1:
            pieces += (escape_all(text[position:start]), code_span(text[start:end], "`"))
            position = end
    return "".join([*pieces, escape_all(text[position:])])


def within_line(words: str, before: str) -> str:
    r"""Return words, which stood within a line, as they begin no block at the start of one.

    Args:
        words: Markdown; of several lines none begins a block.
        before: What stands before them, at least from the start of the line on.

    >>> within_line("# Title", "> "), within_line("# Title", "see ")
    ('\\# Title', '# Title')
    """
    first, *others = words.split("\n")
    if _CONTAINERS.match(before, before.rfind("\n") + 1):
        first = _without_block(first)
    return "\n".join([first, *map(_without_block, others)])


def _without_block(line: str) -> str:
    line = line.lstrip()
    found = _BLOCK_START.match(line)
    if found is None:
        return line
    start = rf"{found['number']}\{found['mark']}" if found["mark"] else escape_all(found[0])
    return start + line[found.end() :]


def escape_all(text: str) -> str:
    """Return text with all of its ASCII punctuation escaped, that of addresses too."""
    return _PUNCTUATION.sub(r"\\\1", text)


def code_span(text: str, ticks: str) -> str:
    """Return text without back-ticks as a code span."""
    return f"{ticks}{text}{ticks}"


def free_ticks(text: str) -> str:
    """Return the shortest run of back-ticks that a text does not hold."""
    taken = {len(run) for run in _TICKS.findall(text)}
    length = next(n for n in range(1, len(taken) + 2) if n not in taken)
    return "`" * length


def destination(url: str, *, entities: bool = True) -> str:
    """Return a safe URL as it may stand between angle brackets.

    Args:
        url: Result of ``safe_url``.
        entities: Whether Markdown reads entities there: in a link it does, in an autolink not.
    """
    encoded = url.translate(_ENCODED)
    return _ENTITY.sub("&amp;", encoded) if entities else encoded

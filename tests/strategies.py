"""Hypothesis strategies for answers, sources and the ways to cut a text into chunks.

``st.text()`` hardly ever builds a marker.  Texts are put together from whole constructs, from
constructs with a fault, and from the pieces to break them with; chunk plans are drawn as cut
points, so that shrinking moves cuts and keeps the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from citemark import Sources
from citemark.catalogue import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypothesis.strategies import SearchStrategy

    from citemark.model import Token

URL = "https://example.org/a"

MARKERS = (
    "[1]", "[2]", "[3]", "[1, 2]", "[1,3]", "[2;1]", "[1-3]", "[2–3]", "[1][2]", " [1] [3]",
    "[ 1 ]", "[[1]]", "[[2, 3]]", "[9]", "[1, 9]", "[0]", "[2020]", "[doc:a]", "[doc: b, c]",
    "[cite:1]", "[citation:x]", "[[citation:2]]", "[Doc:a]", f"[t]({URL})", f"[1]({URL})",
    f"[[1]]({URL})", f'[t](<{URL}> "t")', "[u](https://other.example/)", "<<a>>", "<<1>>",
    "<<b.c>>", "[[Metals]]", "[[water board]]", "[[Nothing]]", "[^1]", "[^note]", "【1】",
    "［2］", "【【3】】", "[١]", "[１, ۲]", "[policy.pdf]", "[6c]", "[a]", "[x [1] y]",
    f"[see [1]]({URL})", "[l [2]](https://o.example/)", "residents[1]", "**b**[2]",
)  # fmt: skip

NEARLY = (
    "[1", "[1,", "[1, ", "[1-", "[3-1]", "[1-99]", "[1990-2040]", "[1.5]", "[-1]", "[1,,2]",
    "[0, 1]", "[01]", "[1234567]", "[1\n]", "[[1", "[[1]", "[[1, 2], [3, 4]]", "[[a b",
    "[[a]", "[[\na]]", "[doc:", "[doc:]", "[doc:a", "[docs:a]", "[t](", f"[t]({URL}",
    "[t](no url)", "[t] (x)", "[t]", "[]", "[ ]", "[x]", "[words][1]", "![1](x.png)",
    "![alt [2]](x)", "Wow![1]", "\\[1]", "\\\\[1]", "[1\\]", "<<a", "<<a>", "<a>>", "<<a b>>",
    "<<>>", "<< 1 >>", "【1", "1】", "【1]", "[^", "[^1", "[²]", "[①]", "[\U00010d41]",
    "[1\u0301]", "[\u20601]", "a[1] = 2", "a[1] == 2", "sys.argv[1]", "f(a)[0]", '"k"[1]',
    "a[1].b", "x[1][2]", "m²[1]", "e\u0301[1]", "\n[1]: /url\n", "\n[^1]: note\n",
    "\n> [2]: <u>\n", "1]", "[policy", "[2024 rep", "[[Met", "(1)", "[1 ]]", "[[[1]]]",
    "<https://h.example/[1]>", "$5 [1] $6",
)  # fmt: skip

CODE = (
    "`[1]`", "`` a`[1] ``", "``` [1] ```", "`x", "``", "`a\n[1]`", "`a\n\n[1]`",
    "\n```\n[1]\n```\n", "\n```py\n[1]\n", "\n~~~\n[1]\n~~~\n", "\n````\n```\n[1]\n````\n",
    "\n   ~~~\n[1]", "\n    ~~~\n[1]", "\n``` a`b\n[1]\n", "\n\n    [1]\n\n", "\n\t[1]\n",
    "\n- ```\n  [1]\n", "\n> ```\n> [1]\n", "[1]\n", "\n1. a\n\n   ~~~ x\n   [2]\n   ~~~\n",
    "<code>[1]</code>", "<pre>\n[1]\n</pre>", "<code>", "</pre>", "<codex>", "$x_{[1]}$",
    "\\([1]^2\\)", "\\[ y = [1] \\]", "\n$$\na_[1]\n$$\n", "$$", "\\(", "<!-- [1] -->",
)  # fmt: skip

DIALECTS = tuple(row.example for row in DEFAULT)
HALVES = tuple(
    half for text in DIALECTS for half in (text[: len(text) // 2], text[len(text) // 2 :])
)

PIECES = (
    "[", "]", "(", ")", "<", ">", "[[", "]]", "](", "]:", "!", "^", "`", "```", "````", "~~~",
    "\\", "$", "$$", "|", ",", ";", "-", "–", ":", "doc", "cite", "1", "2", "12", "0", "a",
    "b", "word ", ". ", " ", "  ", "    ", "\t", "\n", "\n\n", "\r", "\r\n", "> ", "- ",
    "1. ", "# ", "* ", "**", "_", "é", "e\u0301", "\u0301", "\x00", "\x1b[31m", "\x0b",
    "\x0c", "\x85", "\u2028", "\u200b", "\u2060", "\ufeff", "\u202e", "\u2069", "\U0001f600",
    "\ud83d", "\ude00", "\U0001f1e6", "\u0661", "\uff11", "\u0130", "\ufdfa", "\xa0",
)  # fmt: skip

_RUNS = st.builds(
    lambda character, times: character * times, st.sampled_from("`~[< \n"), st.integers(1, 70)
)
_FRAGMENTS = (
    st.sampled_from(MARKERS)
    | st.sampled_from(MARKERS)
    | st.sampled_from(DIALECTS)
    | st.sampled_from(HALVES)
    | st.sampled_from(NEARLY)
    | st.sampled_from(CODE)
    | st.sampled_from(PIECES)
    | st.sampled_from(PIECES)
    | _RUNS
    | st.text(max_size=3)
)


def texts(max_size: int = 14) -> SearchStrategy[str]:
    """Answers of up to so many fragments."""
    return st.lists(_FRAGMENTS, max_size=max_size).map("".join)


TEXTS = texts()

FIVE: tuple[dict[str, Any], ...] = (
    {"id": "a", "title": "Metals", "url": URL, "text": "Iron melts."},
    {"id": "b", "title": "Water  BOARD", "url": "https://example.org/b/"},
    {"id": "policy.pdf", "title": "Metals"},
    {"id": "6c", "url": URL + "?utm_source=x"},
    {"id": "x y", "title": "[1]"},
)

PLAIN = Sources([{"id": "p"}, {"id": "q"}, {"id": "r"}])
"""Sources that only numbers and short ids name."""

HOLD = 4_096
"""More than any construct of the grammar is long."""

SOURCES = st.sampled_from(
    (
        Sources(),
        PLAIN,
        Sources(FIVE),
        Sources([{"id": "0"}, {"id": "1"}, {"id": "2020"}, {"id": "12"}], label="id"),
    )
)
"""No sources; such as only numbers name; such as everything names; numbers as ids."""

POLICIES = st.sampled_from(("keep", "mark", "drop", None))
"""What is done about unresolved keys; None for the default."""


@st.composite
def chunked(draw: st.DrawFn, source: SearchStrategy[str] = TEXTS) -> list[str]:
    """A text in chunks: cut anywhere or by characters, some with pairs as two halves."""
    text = draw(source)
    if draw(st.booleans()):
        text = "".join(halves(character) for character in text)
    if draw(st.integers(0, 3)) == 0:
        return list(text)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = zip([0, *cuts], [*cuts, len(text)], strict=True)
    return [text[a:b] for a, b in pairs]


def halves(character: str) -> str:
    """Return a character outside the basic plane as its two surrogates."""
    if character <= "\uffff":
        return character
    code = ord(character) - 0x10000
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def raw(tokens: Iterable[Token]) -> str:
    return "".join(token if isinstance(token, str) else token.raw for token in tokens)

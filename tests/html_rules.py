"""What must hold for the HTML of any answer, told from its parsed tree alone.

    python tests/html_rules.py 5000

renders so many answers, put together from whole and broken constructs, and all the examples,
and prints what is wrong with them.  The suite runs a sample of it.
"""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import html5lib

from citemark import Sources, cite, render

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from citemark import Answer

__all__ = ["example_answers", "made_answers", "problems"]

EXAMPLES: Final = Path(__file__).resolve().parents[1] / "examples" / "answers"

TAGS: Final = set(
    re.findall(
        r"\w+",
        "a bdi blockquote br button code del details div dl dt dd em figure h1 h2 h3 h4 h5 h6 "
        "hr li mark ol p pre s section small span strong summary sup table tbody td th thead "
        "tr ul wbr",
    )
)
"""None of them loads anything, none runs anything, and none takes input."""

ATTRIBUTES: Final = set(
    re.findall(
        r"[\w-]+",
        "aria-describedby aria-hidden aria-label aria-labelledby class dir href id interestfor "
        "lang open popover popovertarget popovertargetaction rel role start tabindex type "
        "value",
    )
)
ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,127}")
CLASS: Final = re.compile(r"(?:cite|language)(?:-[A-Za-z0-9_-]+)?")
URL: Final = re.compile(r"(?:https?://[A-Za-z0-9.\[:\]_-]+(?:[/?#][^\s\\]*)?|mailto:[^\s\\]+)")
CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
INVISIBLE: Final = re.compile("[\u00ad\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]")
REL: Final = {"noopener", "noreferrer", "nofollow", "ugc"}
REFERENCES: Final = ("aria-labelledby", "aria-describedby", "interestfor", "popovertarget")
INTERACTIVE: Final = {"a", "button", "summary"}
MAX_DEPTH: Final = 120


def problems(html: str, prefix: str) -> list[str]:
    """Return what is wrong with a fragment, of which all ids have a prefix."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    root = parser.parseFragment(html)
    found = [f"parse error {code}" for _, code, _ in parser.errors]
    found += ["a control character"] if CONTROL.search(html) else []
    ids = [element.get("id") for element in root.iter() if element.get("id") is not None]
    found += [f"id {id_!r} twice" for id_ in set(ids) if ids.count(id_) > 1]
    found += [f"id {i!r}" for i in ids if not (ID.fullmatch(i) and i.startswith(prefix))]
    for element, depth in _walk(root):
        found += _element_problems(element, set(ids))
        found += ["too deep"] if depth > MAX_DEPTH else []
    return found


def _walk(root: Element) -> Iterator[tuple[Element, int]]:
    stack = [(child, 1) for child in root]
    while stack:
        element, depth = stack.pop()
        yield element, depth
        stack += ((child, depth + 1) for child in element)


def _element_problems(element: Element, ids: set[str]) -> Iterator[str]:
    tag = str(element.tag)
    if tag not in TAGS:
        yield f"<{tag}>"
    yield from (f"<{tag} {name}>" for name in set(element.keys()) - ATTRIBUTES)
    for name in (element.get("class") or "").split():
        if not CLASS.fullmatch(name):
            yield f"class {name!r}"
    for name in REFERENCES:
        if element.get(name) is not None and element.get(name) not in ids:
            yield f"{name} leads nowhere"
    if element.get("tabindex") not in (None, "0", "-1"):
        yield "tabindex"
    if element.get("href") is not None:
        yield from _link_problems(element, element.get("href", ""), ids)
    if tag in INTERACTIVE:
        yield from _control_problems(element)


def _control_problems(element: Element) -> Iterator[str]:
    text = "".join(element.itertext())
    if INVISIBLE.search(text) or not (text.strip() or element.get("aria-label")):
        yield f"<{element.tag}> with no name or an invisible character"
    if any(inner.tag in INTERACTIVE for inner in element.iter() if inner is not element):
        yield f"<{element.tag}> holds another"


def _link_problems(element: Element, href: str, ids: set[str]) -> Iterator[str]:
    if href.startswith("#"):
        if href[1:].partition(":~:")[0] not in ids:
            yield f"{href} leads nowhere"
        return
    if not URL.fullmatch(href) or INVISIBLE.search(href):
        yield f"href {href!r}"
    if not set((element.get("rel") or "").split()) >= REL:
        yield "rel"


FRAGMENTS: Final = (
    "[1]", "[2]", "[1,2]", "[9]", "[1][2]", "[doc:a]", "[doc:q]", "<<b>>", "<<q>>", "【1】",
    "[[1]]", "[^1]", "[x](https://a.example/)", "*", "**", "***", "_", "__", "~~", "`", "``",
    "```", "~~~", ">", "-", "+", "1.", "#", "##", "|", "|-|-|", "|a|b|", "\\", "\\[", "\\]",
    "\\(", "\\)", "$", "$$", "![a](b)", "](c)", "[a](https://evil.example/x)",
    "[a](//evil.example)", "[a](javascript:alert(1))", "- [ ] a", "- [x]",
    "<https://a.example/>", "<javascript:x>", "<script>", "</div>", "<img/src=x/onerror=y>",
    "<!--", "-->", "&lt;", "&#x202e;", "&#0;", "&colon;", '"', "'", "<", ">", "&", "{{7*7}}",
    "{%x%}", "${x}", "\u202e", "\u2067", "\u200b", "\x00", "\x1b[31m", "\ud800", "\u2028",
    "\ufeff", "\u2e0e", "\u2e0f", "\u2e17", "word", "字", "é", "a_b", "x=1", "[1]:",
    "[1]:https://evil.example", "<sup>[1]</sup>", "id=location", "name=x", "\\(a_1\\)",
    "$x_1$", "[a][1]", "]]", "[[", "```c++\n", "\n$$\na_1\n$$\n",
)  # fmt: skip
BLANKS: Final = (" ", " ", "", "\n", "\n\n", "\n- ", "\n> ", "\n    ", "  \n")
RECORDS: Final[tuple[dict[str, Any], ...]] = (
    {"id": "a", "title": "Rivers & <b>lakes</b>", "url": "https://a.example/", "text": "Low."},
    {"id": "b", "title": '"><script>\u202e', "url": "javascript:alert(1)", "page": 3},
    {
        "id": "x\u200b y",
        "title": "{{7*7}} [1]",
        "url": "https://b.example/?q=\"'<&",
        "text": "q",
    },
)
OPTIONS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"links": "safe", "math": True, "heading_shift": 2},
    {"links": ["a.example"], "previews": "hint"},
    {"previews": "button", "notes": "all", "group": "joined"},
    {"notes": "none"},
)


def made_answers(count: int, seed: int) -> Iterator[Answer]:
    """Yield answers put together at random, the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311  not for secrets
    sources = Sources(RECORDS)
    for _ in range(count):
        pieces = (chance.choice(FRAGMENTS) + chance.choice(BLANKS) for _ in range(40))
        text = "".join(list(pieces)[: chance.randint(1, 40)])
        yield cite(text, sources)


def example_answers() -> Iterator[Answer]:
    """Yield the example answers."""
    for path in sorted(EXAMPLES.glob("*.md")):
        records = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
        yield cite(path.read_text("utf-8"), Sources(records))


def main(count: int) -> int:
    """Print what is wrong with so many answers, and with the examples; return how many are."""
    wrong = 0
    for number, answer in enumerate([*example_answers(), *made_answers(count, 1)]):
        options = OPTIONS[number % len(OPTIONS)]
        found = problems(str(render(answer, "html", id_prefix="p-q", **options)), "p-q")
        if found:
            wrong += 1
            sys.stdout.write(f"{answer.text!a}\n    {'; '.join(found)}\n")
    sys.stdout.write(f"{wrong} answers are wrong\n")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]))))

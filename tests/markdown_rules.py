"""What must hold for the Markdown of any answer, in each parser that is at hand.

    python tests/markdown_rules.py 5000

renders so many hostile answers, and prints what a parser finds in them that may not be there.
The suite runs a sample of it, also in parsers of other languages (``markdown_parsers``).  With
``--write`` the outputs are printed instead, one JSON object a line, for more of them.
"""

from __future__ import annotations

import json
import random
import sys
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from markdown_it import MarkdownIt
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.field_list import fieldlist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin
from mdit_py_plugins.texmath import texmath_plugin

from citemark import cite, render
from citemark.renderers._markdown_text import destination
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it.token import Token

__all__ = ["PARSERS", "SOURCES", "dangers", "flat", "hostile_answers", "refused"]

SOURCES: Final = [
    {"id": "1", "title": "Water board minutes", "url": "https://good.example/minutes"},
    {"id": "2", "title": "Survey of wells", "url": "https://good.example/survey?a=1&b=2"},
]

OPTIONS: Final[list[dict[str, Any]]] = [
    {"style": "footnotes"},
    {"style": "links"},
    {"style": "numbers"},
    {"style": "footnotes", "links": ["good.example"]},
    {"style": "numbers", "links": "safe"},
]


def _parser(preset: str, *plugins: Any, tables: bool, linkify: bool) -> MarkdownIt:
    parser = MarkdownIt(preset, {"html": True, "linkify": linkify, "maxNesting": 100})
    parser.enable("table") if tables else parser.disable("table", ignoreInvalid=True)
    if linkify:
        parser.enable("linkify")
    for plugin in plugins:
        parser.use(plugin)
    # What a renderer refuses for a reason of its own counts as found.
    parser.validateLink = lambda _: True  # type: ignore[method-assign]
    parser.normalizeLink = str  # type: ignore[method-assign,assignment]
    return parser


PARSERS: Final = {
    "commonmark": _parser("commonmark", tables=False, linkify=False),
    "default": _parser("default", tables=True, linkify=False),
    "gfm": _parser("gfm-like", tables=True, linkify=True),
    "gfm without tables": _parser("gfm-like", tables=False, linkify=True),
    "footnotes": _parser("gfm-like", footnote_plugin, tables=True, linkify=True),
    "footnotes, lists": _parser(
        "commonmark", footnote_plugin, deflist_plugin, tables=False, linkify=False
    ),
    "fields, notes": _parser(
        "commonmark", fieldlist_plugin, admon_plugin, deflist_plugin, tables=True, linkify=False
    ),
    "addresses as GitHub": _parser(
        "commonmark", gfm_autolink_plugin, tables=True, linkify=False
    ),
    "math": _parser("gfm-like", dollarmath_plugin, footnote_plugin, tables=True, linkify=True),
    "math in brackets": _parser(
        "commonmark",
        lambda parser: texmath_plugin(parser, delimiters="brackets"),
        tables=False,
        linkify=False,
    ),
}


def flat(tokens: list[Token]) -> Iterator[Token]:
    """Yield tokens and what is in them."""
    for token in tokens:
        yield token
        yield from flat(token.children or [])


Found: TypeAlias = tuple[str, str, str]
"""Parser, kind and content of what it makes of a text."""


def dangers(
    markdown: str, sources: list[dict[str, Any]], links: object = "sources", prefix: str = "c-"
) -> set[Found]:
    """Return what may not be in an output."""
    return refused(_found(markdown), sources, links, prefix)


def refused(
    found: Iterable[Found], sources: list[dict[str, Any]], links: object, prefix: str = "c-"
) -> set[Found]:
    """Return what may not be there of what parsers found."""
    safe = {safe_url(source.get("url")) for source in sources} - {None}
    allowed = safe | {destination(url, entities=False) for url in safe if url}

    def may_stay(kind: str, content: str) -> bool:
        if kind == "footnote":
            return content.startswith(prefix)
        if kind != "link":
            return False
        if content in allowed or content.endswith("://"):  # which leads nowhere
            return True
        if links == "sources" or safe_url(content) is None:
            return False
        return links == "safe" or content.split("/")[2] in links  # type: ignore[operator]

    return {one for one in found if not may_stay(*one[1:])}


def _found(markdown: str) -> Iterator[Found]:
    """Yield what the parsers at hand find."""
    for name, parser in PARSERS.items():
        environment: dict[str, Any] = {}
        for token in flat(parser.parse(markdown, environment)):
            if token.type in {"image", "html_inline", "html_block"}:
                yield name, token.type, token.content
            elif token.type == "link_open":
                yield name, "link", str(token.attrs["href"])
            elif token.type == "footnote_ref":
                yield name, "footnote", token.meta["label"]
        for label in environment.get("references", ()):
            yield name, "definition", label


# Payloads, what hides them, and what makes parsers disagree on where a block begins.
PAYLOADS: Final = (
    "<img src=x onerror=alert(1)>", "<b", "<!--", "<div>", "<https://evil.example/>", "[x]",
    "![x](https://evil.example/p.png)", "[x](javascript:alert(1))", "[x](<https://e.example/>)",
    "[x][y]", "[x]: javascript:alert(1)", "[1]: //evil.example/x", "[^1]: note", "[a](`x)",
    "https://evil.example/a", "www.evil.example", "https://good.example/minutes", "www.",
    "](//e.example)", "[a](https://good.example/minutes)", "https://g.example",
    "a@b.example", "[x\n===\ny]: /u", "https://good.example/www.e.example/a@b.example", "https://",
    "|@b.example",
)  # fmt: skip
HIDERS: Final = (
    "`", "``", "```", "\n```\n", "\n~~~\n", "\n````\n", "\n```html\n", "\n    ", "\n\n    ",
    "\t", "\n```\t\n", "\n```~\n", "\n   ```\n", "\n    ```\n", "\n     ```\n", "[", "](", ")",
    "\n\n      ```\n", "$", "$$", "\n$$\n", "\\(", "\\)", "\\[", "\\]", "\\", "~~", "*", "**",
    "(", "![", "<a href='", "'>", '"', ">", "\xa0", "\u2003", "\u3000",
)  # fmt: skip
BLOCKS: Final = (
    "\n", "\n\n", "\n===\n", "\n---\n", "- a\nb", "\n- ", "\n1. ", "\n2) ", "\n> ", "\n>\n> ",
    "\n# ", "\n|a|b|\n|-|-|\n|", "|", "\n|-|\n", "\n  ", "\n   ", "\n      ", "\n- ```\n  ",
    "\n> ```\n> ", "\n:   ", "\n  - ", "\n\n  ", "\n\n    ", "\n1.  a\n\n    ", "\n-\t",
    "\n-     ", "\nT\n: d\n\n    ", "\n~ d\n\n    ", "\n\n: d\n\n        ", "\n:a: b\n\n    ",
    "\n!!! note\n\n    ", "\n??? x\n\n    ", "\n: ", "\n:a: ", "\n!!! note\n    ",
    "\na) b\n\n    ",
)  # fmt: skip
WORDS: Final = ("word", " ", " ", "[1]", "[2]", "a", ". ", "é")


def hostile_answers(count: int, seed: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield so many texts, each with options to render it with."""
    rng = random.Random(seed)  # noqa: S311  not for secrets
    for _ in range(count):
        kinds = rng.choices(
            (PAYLOADS, HIDERS, BLOCKS, WORDS), (3, 4, 3, 2), k=rng.randint(2, 14)
        )
        yield "".join(map(rng.choice, kinds)), rng.choice(OPTIONS)


def main() -> int:
    """Look at as many answers as the first argument says."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    wrong = 0
    for text, options in hostile_answers(count, random.randrange(10**9)):  # noqa: S311
        output = render(cite(text, SOURCES, unresolved="mark"), "markdown", **options)
        if "--write" in sys.argv:
            row = {"text": text, "options": options, "output": output}
            sys.stdout.write(json.dumps(row) + "\n")
        elif found := dangers(output, SOURCES, options.get("links", "sources")):
            wrong += 1
            sys.stdout.write(f"{text!r} {options}\n  {output!r}\n  {found}\n")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())

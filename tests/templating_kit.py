"""What the tests of template engines share: an answer, hostile texts, how to read HTML."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import html5lib
from markupsafe import escape

from citemark import cite

SOURCES = [
    {"id": "fares", "title": "Fares & tickets", "url": "https://ferry.example.org/fares"},
    {"id": "times", "title": "Timetable", "text": "Last departure: 21:40."},
    {"id": "spare", "title": "Nobody cites this"},
]
TEXT = "The last ferry leaves at **21:40** [2]. A return is 18 [1][2], see <<lost>>."
ANSWER = cite(TEXT, SOURCES)

EXAMPLES = Path(__file__).parents[1] / "examples"

SECRET = "what a template could read"  # noqa: S105  no password

TEMPLATE_SYNTAX = (
    "{{ 7*7 }}",
    "{{ secret }}",
    "{{ ''.__class__.__mro__ }}",
    "{% include 'secret.txt' %}",
    "{% extends 'secret.txt' %}",
    "{% import 'secret.txt' as s %}{{ s }}",
    "{% load static %}{% static 'x' %}",
    "{% debug %}",
    "{{ settings.SECRET_KEY }}",
    "{{ config }}",
    "{% for x in secret %}",
    "{% raw %}{{ secret }}{% endraw %}",
    "{# gone #}",
    "{% comment %}gone{% endcomment %}",
    "{{ '%s' | format(secret) }}",
    "${secret}",
    "%(secret)s",
    "{secret}",
    "{0.__class__}",
    "\0title\1",
)
"""Each would print something else, or raise, if an engine took it for a template."""


def hostile(syntax):
    """An answer that holds a text wherever text of a model or a source comes from."""
    source = {"id": syntax, "title": syntax, "text": syntax, "page": syntax, "kind": syntax}
    source["url"] = f"https://example.org/{syntax}"
    text = (
        f"{syntax} [1] and `{syntax}`\n\n    {syntax}\n\n[{syntax}](https://x.example/{syntax})"
    )
    return cite(f"{text} <<{syntax}>>", [source], unresolved="mark")


def shown(syntax):
    """How a page shows a text that it escapes, with controls replaced."""
    return str(escape(syntax.replace("\0", "\ufffd").replace("\1", "\ufffd")))


def ids(html):
    """How often each id is there."""
    tree = html5lib.parse(str(html), namespaceHTMLElements=False)
    return Counter(element.get("id") for element in tree.iter() if element.get("id"))


def targets(html):
    """Ids to which links lead."""
    tree = html5lib.parse(str(html), namespaceHTMLElements=False)
    hrefs = (element.get("href", "") for element in tree.iter("a"))
    return {href[1:] for href in hrefs if href.startswith("#")}

"""Show an answer on a page made by Jinja: the text in one place, its sources in another."""

from __future__ import annotations

from jinja2 import DictLoader, Environment

PAGE = """\
<main>
{{ text | cite_body(sources) }}</main>
<aside>
{{ text | cite_notes(sources, heading="Where this is from") }}</aside>
"""

SOURCES = [
    {"id": "fares", "title": "Fares & tickets", "url": "https://ferry.example.org/fares"},
    {"id": "times", "title": "Timetable"},
]
TEXT = "The last ferry leaves at **21:40** [2]. A return is 18 {{ currency }} [1]."


def main() -> None:
    """Print the page."""
    env = Environment(
        loader=DictLoader({"page.html": PAGE}),
        autoescape=True,
        extensions=["citemark.integrations.jinja.CitemarkExtension"],
    )
    env.policies["citemark.options"] = {"id_prefix": "ferry"}
    print(env.get_template("page.html").render(text=TEXT, sources=SOURCES))


if __name__ == "__main__":
    main()

"""Read a form of marker that is not among the default formats."""

from __future__ import annotations

from citemark import TextSegment, cite
from citemark.formats import DEFAULT, Format

TICKET = Format(
    name="ticket",
    opening="#",
    pattern=r"(?P<key> [A-Z]{2,6}+ - [0-9]{1,6}+ ) (?! [0-9A-Za-z] )",
    example="#OPS-118",
    tier="candidate",
    lookup=("id",),
    guard="[A-Z]",  # headings and colours begin with # too
    about="A ticket, if it is among the sources.",
)
SOURCES = [
    {"id": "OPS-118", "title": "Certificate renewal"},
    {"id": "OPS-121", "title": "Retry limit"},
]
TEXT = "Renewed in April #OPS-118, see also [2]. The colour #FF-00 is no ticket."


def main() -> None:
    """Print each citation with the format in which it was written."""
    answer = cite(TEXT, SOURCES, formats=DEFAULT | TICKET)
    for segment in answer.segments:
        if isinstance(segment, TextSegment):
            continue
        for citation in segment.citations:
            written = f"{segment.marker.raw} ({segment.marker.format})"
            print(f"{written}: {citation.number} = {citation.source and citation.source.title}")
    print("text is unchanged:", answer.text == TEXT)


if __name__ == "__main__":
    main()

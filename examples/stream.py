"""Show an answer while it arrives: print each segment as soon as it is certain."""

from __future__ import annotations

from citemark import AnswerStream, CitationSegment, TextSegment

SOURCES = [
    {"id": "timetable", "title": "Ferry timetable", "url": "https://ferries.example/timetable"},
    {"id": "fares", "title": "Fares", "url": "https://ferries.example/fares"},
]
CHUNKS = (
    "The last ferry ",
    "leaves at 21:40 [",
    "1",
    "]. A return tick",
    "et is 18 [2][",
    "1]; `fares[0]` in the",
    " feed is the same price. [9",
)


def show(segment: TextSegment | CitationSegment) -> str:
    """Return a segment as it is printed: citations by their numbers."""
    if isinstance(segment, TextSegment):
        return repr(segment.text)
    return "".join(f"({citation.number})" for citation in segment.citations)


def main() -> None:
    """Feed the chunks, then print the source list."""
    stream = AnswerStream(SOURCES)
    for chunk in CHUNKS:
        certain = " ".join(map(show, stream.feed(chunk)))
        print(f"{chunk!r:32} -> {certain or '(held back)'}")
    print(f"{'end':32} -> {' '.join(map(show, stream.close()))}")
    for entry in stream.answer.entries:
        print(f"{entry.number}. {entry.sources[0].title}")


if __name__ == "__main__":
    main()

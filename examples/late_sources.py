"""Number citations before their sources are known: the service sends the list at the end."""

from __future__ import annotations

from citemark import AnswerStream, TextSegment

CHUNKS = (
    "Opened in 1931 [2], the bridge",
    " carries 28 tonnes [1].",
    " Tolls are gone [7].",
)
LATE = [
    {"id": "report", "title": "Engineers' report"},
    {"id": "archive", "title": "County archive"},
]


def main() -> None:
    """Feed the text, add the sources, and print what each number turned out to be."""
    stream = AnswerStream([], late_sources=True)
    for chunk in CHUNKS:
        for segment in stream.feed(chunk):
            if isinstance(segment, TextSegment):
                continue
            for citation in segment.citations:
                print(f"{segment.marker.raw} is shown as {citation.number}, source pending")
    stream.add_sources(LATE)
    stream.close()
    for entry in stream.answer.entries:
        print(f"{entry.number}. {entry.sources[0].title}")
    print("no source:", ", ".join(stream.answer.unresolved))


if __name__ == "__main__":
    main()

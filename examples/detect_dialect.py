"""Which dialects are stored answers written in?  And what does each choice find?"""

from __future__ import annotations

from pathlib import Path

from citemark import Sources, cite, formats

ANSWERS = Path(__file__).parent / "answers"

for name in ("12-persian-house-plants", "23-private-references", "24-cohere-tags"):
    text = (ANSWERS / f"{name}.md").read_text("utf-8")
    counts = formats.detect(text)
    first = next(iter(counts))
    print(f"{name}: {first} reads {counts[first]}")
    print(f"    also: {', '.join(f'{other} {n}' for other, n in list(counts.items())[1:4])}")

# RAGFlow counts from 0.  Without the dialect nothing says so until a 0 is written.
manual = Sources([{"id": "intro"}, {"id": "setup"}, {"id": "care"}])
for chosen in (formats.DEFAULT, formats.DEFAULT | formats.RAGFLOW):
    answer = cite("Descale it monthly [ID:2].", manual, formats=chosen)
    print([source.id for source in answer.sources], [issue.code for issue in answer.issues])

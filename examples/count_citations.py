"""Count over stored answers: which sources are cited, and which keys name none."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from citemark import cite

ANSWERS = Path(__file__).parent / "answers"


def main() -> None:
    """Print one line for each example answer."""
    for path in sorted(ANSWERS.glob("*.md")):
        sources = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
        answer = cite(path.read_text("utf-8"), sources)
        uses = Counter(citation.number for citation in answer.citations if citation.number)
        missing = ", ".join(answer.unresolved) or "-"
        print(f"{path.stem}: {uses.total()} citations of {len(uses)} sources")
        print(f"  no source: {missing}")


if __name__ == "__main__":
    main()

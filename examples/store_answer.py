"""Store an answer as one line of JSON, and show it later without the sources at hand."""

from __future__ import annotations

import json

from citemark import Answer, Source, cite, render

SOURCES = [
    Source("pol-12", title="Refund policy", url="https://help.example.org/refunds", page=3),
    Source("faq", title="Questions and answers", url="https://help.example.org/faq"),
]
TEXT = "Refunds take **five** working days [1]. Express delivery is not refunded [2, 1]. [8]"


def main() -> None:
    """Write, read, compare, render."""
    answer = cite(TEXT, SOURCES)
    line = json.dumps(answer.to_dict(), ensure_ascii=False)
    print("one line:", "\n" not in line)

    read = Answer.from_dict(json.loads(line))
    print("equal:", read == answer)
    print("unresolved:", list(read.unresolved))
    print("same page:", render(read, "html") == render(answer, "html"))
    print(render(read, "text").rstrip())


if __name__ == "__main__":
    main()

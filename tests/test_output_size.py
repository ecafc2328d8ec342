"""What is made of an answer grows with its text and its sources, not with their product."""

from __future__ import annotations

import pytest

from citemark import AnswerStream, CitationSegment, Source, cite, render
from citemark.integrations.sse import events

pytestmark = pytest.mark.slow

MOST = 300
"""Times its length that an output may grow with the text."""

SPARE = 8_000_000
"""Characters that all outputs may have besides: for ranges, and for sources told again."""

SOURCES = [
    Source(f"s{n}", title="&" * 300, url=f"https://e.example/{'x' * 2_000}{n}", text='"' * 900)
    for n in range(50)
]
ATTACKS = {
    "ranges": "[1-50] x ",
    "lists": f"[{', '.join(map(str, range(1, 51)))}] x ",
    "one by one": "[1] [2] ",
    "repeated": "[1] x ",
    "places": "[1, p. 3] x [2, p. 4] ",
    "unknown": "[doc:x] ",
}
OUTPUTS = {
    "html": lambda text: render(cite(text, SOURCES), "html"),
    "json": lambda text: render(cite(text, SOURCES), "json"),
    "text": lambda text: render(cite(text, SOURCES), "text"),
    "without notes": lambda text: render(cite(text, SOURCES), "html", notes="none"),
    "links": lambda text: render(cite(text, SOURCES), "markdown", style="links"),
    "csv": lambda text: render(cite(text, SOURCES), "csv"),
    "previews": lambda text: render(cite(text, SOURCES), "html", previews="hint"),
    "events": lambda text: "".join(e.encode() for e in events(AnswerStream(SOURCES), [text])),
}


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_output_is_bounded(attack, output):
    """Long titles, addresses and passages do not count once for each citation."""
    unit = ATTACKS[attack]
    short, long = (unit * (size // len(unit)) for size in (5_000, 10_000))
    made = [len(OUTPUTS[output](text)) for text in (short, long)]
    assert made[0] <= MOST * len(short) + SPARE
    if attack != "ranges":  # which are still within what is spared
        assert made[1] - made[0] <= MOST * (len(long) - len(short))


def test_ranges_that_make_too_many_citations_stay_text():
    """Forty of fifty are shown, then some more as the text allows for more."""
    answer = cite("[1-50] " * 100, SOURCES)
    spelled = [
        s for s in answer.segments if s.raw == "[1-50]" and isinstance(s, CitationSegment)
    ]
    assert len(spelled) == 43
    assert answer.text == "[1-50] " * 100
    [issue, *_] = [issue for issue in answer.issues if issue.code == "too_many"]
    assert answer.text[issue.start : issue.end] == "[1-50]"
    assert "[1-50]" in render(answer, "text")


def test_members_that_are_written_out_are_never_too_many():
    """Whatever came before."""
    answer = cite("[1-50] " * 50 + ATTACKS["lists"] + "[1-2]", SOURCES)
    last = [s for s in answer.segments if isinstance(s, CitationSegment)][-2:]
    assert [len(s.citations) for s in last] == [50, 2]

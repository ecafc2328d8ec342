"""The splitter of sentencex: offsets are those of the text, and nothing in a text raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import cite
from citemark.checks import coverage

pytest.importorskip("sentencex", reason="needs the extra segment")

from citemark.integrations.sentencex import splitter

SOURCES = [{"id": "moon", "title": "Moon"}]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Tides é 😀 rise. The moon pulls.  ", ["Tides é 😀 rise.", "The moon pulls."]),
        ("ja", "潮が満ちる。月が引く。", ["潮が満ちる。", "月が引く。"]),
        ("ta", "அலை உயர்கிறது. நிலவு ஈர்க்கிறது.", ["அலை உயர்கிறது.", "நிலவு ஈர்க்கிறது."]),
        ("xx", "One. Two.", ["One.", "Two."]),
        ("en", "\ud800 rise. Two \udfff.", ["\ud800 rise.", "Two \udfff."]),
        ("en", " \n ", []),
    ],
)
def test_cuts(language, text, expected):
    """Sentences are ranges of the text, in code points, without the blanks around them."""
    assert [text[start:end] for start, end in splitter(language)(text)] == expected


def test_serves_checks():
    """The checks take it, and markers go to the same sentences as with our own rule."""
    answer = cite("Tides rise [1]. The moon pulls.[1] Fish swim.", SOURCES)
    found = coverage(answer, splitter=splitter("en"))
    assert [claim.text for claim in found.cited] == ["Tides rise.", "The moon pulls."]
    assert [claim.text for claim in found.uncited] == ["Fish swim."]


@given(st.text(st.characters() | st.sampled_from(".!?。 \n\ud800"), max_size=60))
def test_any_text(text):
    """Ranges are in order and within the text, whatever it is."""
    at = 0
    for start, end in splitter("en")(text):
        assert at <= start < end <= len(text)
        at = end

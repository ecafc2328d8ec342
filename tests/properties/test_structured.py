"""Whatever a model fills in or breaks off, a structured reply gives a sound answer."""

from __future__ import annotations

import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st
from strategies import TEXTS

from citemark import Answer, Sources, render
from citemark.checks import verify_quotes
from citemark.errors import StructuredReplyError
from citemark.structured import from_structured

SOURCES = Sources(
    [
        {"id": "a", "title": "Refunds", "text": "Refunds take five working days."},
        {"id": "faq", "url": "https://example.org/a"},
        {"id": "twin-a", "title": "Twin"},
        {"id": "twin-b", "title": "Twin"},
    ]
)
LABELS = st.one_of(
    st.sampled_from(["1", "2", "[1]", "faq", "Twin", "doc:faq", "9", "", "[1, 9]", "0"]),
    st.integers(-3, 12),
    st.sampled_from([None, True, 1.5, 2.0, float("nan"), [1], {"source": 1}]),
    st.text(max_size=5),
)
CITED = st.lists(
    st.one_of(
        LABELS,
        st.fixed_dictionaries(
            {}, optional={"source": LABELS, "quote": st.sampled_from(["five", "", None, "a b"])}
        ),
    ),
    max_size=5,
)
CLAIM = st.one_of(
    st.fixed_dictionaries({"text": TEXTS, "citations": CITED}),
    st.fixed_dictionaries({}, optional={"claim": TEXTS, "sources": CITED, "id": LABELS}),
    TEXTS,
    LABELS,
)
REPLIES = st.one_of(
    st.fixed_dictionaries({"answer": TEXTS, "citations": CITED}),
    st.fixed_dictionaries({"claims": st.lists(CLAIM, max_size=4)}),
    st.fixed_dictionaries({"answer": TEXTS, "claims": st.lists(CLAIM, max_size=3)}),
    st.recursive(LABELS, lambda inner: st.dictionaries(st.text(max_size=9), inner, max_size=3)),
)


def require_sound(answer):
    """Hold an answer against what is true of all of them."""
    assert "".join(segment.raw for segment in answer.segments) == answer.text
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
    counts: dict[int, int] = {}
    for citation in answer.citations:
        if citation.number is not None:
            counts[citation.number] = counts.get(citation.number, 0) + 1
            assert citation.occurrence == counts[citation.number]
            assert citation.source in SOURCES
    assert [entry.number for entry in answer.entries] == sorted(counts)
    for issue in answer.issues:
        assert 0 <= issue.start <= issue.end <= len(answer.text)
    for name in ("html", "markdown", "text", "json"):
        render(answer, name)
    verify_quotes(answer, sources=SOURCES)


@given(REPLIES)
def test_no_reply_raises(reply):
    """Whatever a model fills in, the answer is sound; or the reply is refused, if asked."""
    if isinstance(reply, dict):
        require_sound(from_structured(reply, SOURCES))
    written = json.dumps(reply)
    require_sound(from_structured(written, SOURCES))
    with suppress(StructuredReplyError):
        require_sound(from_structured(written, SOURCES, repair=False))


@given(REPLIES, st.data())
def test_no_cut_raises(reply, data):
    """A reply that is cut off anywhere gives a sound answer."""
    written = json.dumps(reply, ensure_ascii=data.draw(st.booleans()))
    cut = written[: data.draw(st.integers(0, len(written)))]
    require_sound(from_structured(cut, SOURCES))


@given(st.text())
def test_no_text_is_lost(text):
    """A text that is no reply is the answer, but for what it thought."""
    answer = from_structured(text, SOURCES)
    require_sound(answer)
    if not any(sign in text for sign in '{["<'):
        assert answer.text == text

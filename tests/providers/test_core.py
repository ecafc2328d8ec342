"""What all adapters share: the answer of a draft, and what a stream gives out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import CitationSegment, render
from citemark.providers import Placement, anthropic
from citemark.providers._answer import answer_of
from citemark.providers._draft import Draft, Ref

TEXT = "The ferry is free [1], and `so[2]` are bikes."


def draft_of(text: str, spans: list[tuple[int, int]], anchor: str) -> Draft:
    draft = Draft("x")
    draft.add(text)
    for number, (start, end) in enumerate(spans):
        draft.source(f"s{number}", title=f"T{number}")
        draft.cite(start, end, [Ref(f"s{number}")], anchor=anchor)
    return draft


@given(
    st.lists(
        st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(sorted), max_size=6
    ),
    st.sampled_from(["marker", "claim", "point", "link"]),
)
def test_spans_that_overlap_lose_nothing(spans, anchor):
    """Nested, crossing and empty spans: the text stays, and each source is cited."""
    answer = answer_of(draft_of(TEXT, [tuple(span) for span in spans], anchor))
    assert answer.text == TEXT
    cited = {citation.source.id for citation in answer.citations if citation.source}
    assert cited >= {f"s{number}" for number in range(len(spans))}


def test_markers_within_one_marker():
    """Spans that all end with the first are put at its end."""
    answer = answer_of(
        draft_of("abcdefghij klm", [(3, 10), (0, 10), (4, 10), (2, 10)], "marker")
    )
    assert [one.raw for one in answer.segments if one.raw] == ["abcdefghij", " klm"]
    assert len({citation.source for citation in answer.citations}) == 4


@pytest.mark.parametrize("text", ["```\ncode\n```", "    code", "```\nopen"])
def test_in_code_alone_the_list_has_the_source(text):
    """No place in it can show a citation: the whole answer is cited."""
    answer = answer_of(draft_of(text, [(4, 6)], "claim"))
    [segment] = [one for one in answer.segments if isinstance(one, CitationSegment)]
    assert segment.marker.anchor == "message"
    assert answer.text == text
    html = render(answer, "html")
    assert "cite-ref" not in html.partition("<section")[0]
    assert "T0" in html


def block(index: int, text: str, url: str | None) -> list[dict[str, object]]:
    location = {"type": "web_search_result_location", "url": url, "cited_text": "q"}
    cited = [{"type": "citations_delta", "citation": location}] if url else []
    deltas = [*cited, {"type": "text_delta", "text": text}]
    return [
        {"type": "content_block_start", "index": index, "content_block": {"type": "text"}},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A b.", " \n\n", " ", "", "**bold", "** c", "d[1]", "`e", "`"]),
            st.sampled_from([None, "https://a.example/", "https://b.example/"]),
        ),
        max_size=8,
    )
)
def test_each_citation_is_given_out(blocks):
    """Also that of a block of blanks, whose place is before the end of an earlier block."""
    stream = anthropic.StreamAdapter()
    given_out = []
    for index, (text, url) in enumerate(blocks):
        for event in block(index, text, url):
            given_out += stream.feed(event)
    given_out += stream.close()
    answer = stream.answer
    told = {update.segment.marker for update in given_out if isinstance(update, Placement)}
    assert told >= {s.marker for s in answer.segments if isinstance(s, CitationSegment)}
    assert "".join(u.text for u in given_out if not isinstance(u, Placement)) == answer.text


@pytest.mark.parametrize("anchor", ["claim", "link"])
def test_a_written_link_names_its_source(anchor):
    """A link whose URL is that of a source is a citation, beside those that are told."""
    draft = draft_of(
        "A fare [here](https://a.example/f) and [there](https://b.example/).", [], ""
    )
    draft.source("s1", title="Fares", url="https://a.example/f")
    draft.cite(0, 6, [Ref("s1")], anchor=anchor)
    answer = answer_of(draft)
    assert [(c.source.id, c.occurrence) for c in answer.citations] == [("s1", 1), ("s1", 2)]
    assert (answer.unresolved, answer.issues) == ((), ())

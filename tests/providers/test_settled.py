"""What a stream gives out is what its answer has: each citation once, its number for good."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from settled_kit import STREAMS, final, given_out, shown

from citemark import TextSegment, providers
from citemark.providers import Placement
from citemark.providers._closed import ClosedBlocks

FRAGMENTS = (
    "One word", " two, ", "three. ", "\n", "\n\n", "\r\n\r\n", "\n\nNext. ", "\n\n\n", " ", "`", "``",
    "```\n", "\n```\n", "~~~\n", "\n    code\n", "\n- item ", "\n\n1. first ", "\n> quote ", "> ",
    "| a | b |\n", "|---|---|\n", "\n| c | d |\n", "|", "[the", "docs](https://d.e)", "[x](https://x.e) ",
    "](", "]", "(", "[1]", "[^1]", "\\[", "\n\\[\nx_1\n\\]\n", "$x_1$", "$$", "$5 ", "<b>", "<pre>", "</pre>",
    "<code>", '<cite id="0">', "</cite>", '(cite index="0-1">', "<co>", "</co: 0,1>", "===\n", "\n---\n",
    "# Head #\n", "\n\n## Sources\n", "Sources:\n", "[1] A\n", "1. https://a.e\n", "**bold** ", "_it_", "e\u0301",
    "\u0301", "\U0001f1e9\U0001f1ea", "\u65e5\u672c\u3002", "3.", "5", "don't", "\\", "\\\n", "&amp;", "https://a.e/b ",
    "\ufeff", "\x0b", "\u2028", "\u3010", "\u3011", "<!-- ", " -->", "\t", "  \n", "[ ] ", "a\n===\n\n",
)  # fmt: skip
pieces = st.lists(
    st.tuples(
        st.lists(st.sampled_from(FRAGMENTS), min_size=0, max_size=4).map("".join),
        st.none() | st.integers(0, 3),
    ),
    min_size=1,
    max_size=9,
)


@pytest.mark.parametrize("name", STREAMS)
@settings(max_examples=250, deadline=None)
@given(st.data())
def test_placements_are_the_citations_of_the_answer(name, data):
    """In their order, each once, with the numbers that they were given out with."""
    told = data.draw(pieces)
    updates, answer = given_out(name, STREAMS[name](told, data.draw))
    given_ = [shown(one.start, one.segment) for one in updates]
    if name == "openai_responses":  # what is told of a place amid a link is found elsewhere
        assert sorted(given_) == sorted(final(answer))
    else:
        assert given_ == final(answer)


CASES = {
    "code": [("Run `npm", 0), (" ", None), ("install` now", None)],
    "link": [("See [the", 0), (" ", None), ("docs](https://d.e)", None)],
    "table": [("| A | B |\n", 0), ("|--|", None), ("--|\n| 1 | 2 |", None)],
    "no words yet": [("\n", 0), ("\nTwo words. ", 1), ("`", 2), ("3", None)],
    "marks alone": [("===\n", 2), ("===\n\\[`", 0), ("[d===\n", 0), ("`> q\n", None)],
    "point at a new paragraph": [("A b.\n\n", 0), ("", 1), ("C d.\n\n", 2), ("E", None)],
    "same place": [("A b.\n\n", 0), ("", 1), ("", 2), ("C.\n\nD", 1), (".", None)],
    "fence": [("A.\n\n```\nx\n\n", 0), ("y\n", 1), ("```\n\nB.", 2), ("\n\nC", 0)],
    "claim over blocks": [("A.\n\nB.\n\n- C.", 0), ("\n\nD. ", 1), ("E\n\nF", 0)],
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("case", CASES)
def test_cases(name, case):
    """Code, links and tables that are not whole when their citation comes."""
    updates, answer = given_out(name, STREAMS[name](CASES[case], lambda _: 0))
    assert [shown(one.start, one.segment) for one in updates] == final(answer)


LONG = [piece for n in range(6) for piece in ((f"Words {n}. ", n % 3), ("More.\n\n", None))]


@pytest.mark.parametrize("name", STREAMS)
def test_citations_are_given_out_block_by_block(name):
    """They do not wait for the end of the stream, but for that of their paragraph."""
    events = [*STREAMS[name](LONG, lambda _: 0)]
    stream = providers.adapter(name).StreamAdapter()
    early = [one for event in events for one in stream.feed(event) if hasattr(one, "segment")]
    stream.close()
    assert len(early) >= 4
    assert [shown(one.start, one.segment) for one in early] == final(stream.answer)[
        : len(early)
    ]


def test_a_late_citation_changes_no_number():
    """One that is told of a block whose number was given out gets the next number."""
    events = [
        *STREAMS["anthropic"](
            [("A b.\n\n", 0), ("C d.\n\n", 1), ("E f.\n\n", None), ("G", 1)], None
        )
    ]
    late = json.loads(json.dumps(events[1]))
    late["delta"]["citation"]["url"] = "https://late.e"
    updates, answer = given_out("anthropic", [*events, late])
    assert sorted(shown(one.start, one.segment) for one in updates) != []
    assert [[c.number for c in one.segment.citations] for one in updates] == [
        [1],
        [2],
        [3],
        [2],
    ]
    assert [c.number for c in answer.citations] == [1, 3, 2, 2]
    assert [source.url for source in answer.sources][-1] == "https://late.e"
    assert [entry.number for entry in answer.entries] == [1, 2, 3]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join), st.data())
@example("A\n\nB\n\n```\n\nC\n\n```\n\nD", None)
def test_closed_blocks_do_not_depend_on_the_pieces(text, data):
    """A text has the same closed blocks, however it is cut."""
    whole, cut = ClosedBlocks(), ClosedBlocks()
    whole.add(text)
    at = 0
    while at < len(text):
        size = data.draw(st.integers(1, 9)) if data else 1
        cut.add(text[at : at + size])
        at += size
    assert [whole.last_before(n) for n in range(len(text) + 1)] == [
        cut.last_before(n) for n in range(len(text) + 1)
    ]


def link(url):
    return f"([{url[8:]}]({url}))"


def noted(text, url):
    start = text.index("(")
    end = text.index("))") + 2
    return {
        "type": "url_citation",
        "url": url,
        "title": "T",
        "start_index": start,
        "end_index": end,
    }


ONE, TWO = f"One {link('https://a.e')}.\n\n", f"Two {link('https://b.e')}.\n\nEnd."


def responses(places):
    """Parts of which the first one that comes is not the first one by its place."""
    for text, url, place in zip(
        (ONE, TWO), ("https://a.e", "https://b.e"), places, strict=True
    ):
        at = dict(zip(("output_index", "content_index"), place, strict=True))
        yield {"type": "response.output_text.delta", **at, "delta": text}
        note = {"annotation_index": 0, "annotation": noted(text, url)}
        yield {"type": "response.output_text.annotation.added", **at, **note}


def snowflake(places):
    for text, (_, index) in zip((ONE, TWO), places, strict=True):
        yield {"event": "response.text.delta", "data": {"content_index": index, "text": text}}


def xai_sdk(places):
    for text, (_, index) in zip((ONE, TWO), places, strict=True):
        yield {
            "outputs": [{"index": index, "delta": {"content": text, "role": "ROLE_ASSISTANT"}}]
        }


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("openai_responses", responses),
        ("xai", responses),
        ("xai", xai_sdk),
        ("perplexity_agent", responses),
        ("snowflake", snowflake),
    ],
)
@pytest.mark.parametrize("places", [((0, 0), (0, 1)), ((2, 1), (1, 0)), ((0, 3), (0, 2))])
def test_the_answer_is_in_the_order_in_which_it_was_given_out(name, make, places):
    """Places count in the text that the reader has, whatever the indices say."""
    stream = providers.adapter(name).StreamAdapter()
    updates = [update for event in make(places) for update in stream.feed(event)]
    updates += stream.close()
    text = "".join(one.text for one in updates if isinstance(one, TextSegment))
    assert text == stream.answer.text == ONE + TWO
    placed = [one for one in updates if isinstance(one, Placement)]
    assert [shown(one.start, one.segment) for one in placed] == final(stream.answer)
    if make is responses and name != "perplexity_agent":  # whose events have no annotations
        assert [(text[one.start], one.segment.citations[0].key) for one in placed] == [
            ("(", "https://a.e"),
            ("(", "https://b.e"),
        ]

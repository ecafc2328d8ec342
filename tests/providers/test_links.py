"""Links in a text, which citations of pages and files are about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark.providers._links import Links

URL = "https://a.example/x"
PIECES = (
    "[",
    "]",
    "(",
    ")",
    "](",
    "\\",
    "<",
    ">",
    URL,
    "【",
    "】",
    "words",
    " ",
    "\n",
    '"t"',
    "sandbox:/f",
    "🌉",
)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (f"A ([h]({URL})).", ["([h](https://a.example/x))", "[h](https://a.example/x)"]),
        (f"A [[1]]({URL})", [f"[[1]]({URL})"]),
        (f'A [h]({URL} "Title") b', [f'[h]({URL} "Title")']),
        (f"A [h](<{URL}>)", [f"[h](<{URL}>)"]),
        (f"A 【h】({URL})", [f"【h】({URL})"]),
        (f"See {URL}.", [URL]),
        (f"See <{URL}>, [{URL}]", [f"<{URL}>", URL, f"[{URL}]", URL]),
        (f"[{URL}]({URL})", [f"[{URL}]({URL})"]),
        (
            f"[a](https://b.example) [c]({URL}?utm_source=openai#top)",
            [f"[c]({URL}?utm_source=openai#top)"],
        ),
        (f"\\[h]({URL})", []),
        ("[h](https://a.example/y)", []),
    ],
)
def test_links_to_a_page_are_found_in_all_forms(text, places):
    """With and without brackets around them; the page is compared, not the spelling."""
    assert [text[start:end] for start, end in Links(text).spans(URL)] == places


def test_parentheses_and_letters_of_all_scripts_are_part_of_a_url():
    """Encyclopedias have them."""
    url = "https://zh.example/灯塔_(港_(旧))?a=(1)"
    text = f"灯塔 🗼 ([zh.example]({url})) end"
    assert [text[a:b] for a, b in Links(text).spans(url)] == [
        f"([zh.example]({url}))",
        f"[zh.example]({url})",
    ]


def test_files_are_found_by_their_names():
    """The target of the link is the place: its words stay."""
    text = "[a](sandbox:/mnt/data/my%20table.csv) [b](sandbox:/mnt/data/b.csv) [c](https://a.example/b.csv)"
    assert [text[a:b] for a, b in Links(text).files("my table.csv")] == [
        "sandbox:/mnt/data/my%20table.csv"
    ]
    assert [text[a:b] for a, b in Links(text).files("b.csv")] == ["sandbox:/mnt/data/b.csv"]
    assert Links(text).files("none.csv") == []


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_places_are_in_order_and_hold_the_url(text):
    """Whatever brackets there are."""
    spans = [*Links(text).spans(URL)]
    assert spans == sorted(spans)
    assert all(0 <= a < b <= len(text) and URL in text[a:b] for a, b in spans)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["](", "[", "](a(", "https://", "[](((", "](<a", "\\", "【】(", "https://a(("]
)
def test_floods_are_read_in_linear_time(piece):
    """A million characters that begin much and end nothing."""
    assert Links(piece * (1_000_000 // len(piece))).spans("https://none.example") == ()

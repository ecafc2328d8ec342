"""Sources: what a key names, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from citemark import CitemarkError, Source, Sources
from citemark.errors import AmbiguousLabelError, SourceError


def ids(sources: Sources, key: str, lookup: Any) -> list[str]:
    return [source.id for source in sources.find(key, lookup)]


TWO = Sources(
    [
        Source("pol-12", title="Refund  Policy", url="https://example.org/a"),
        {"id": "faq", "title": "FAQ", "url": "https://example.org/b?x=1"},
    ]
)


def test_labels_are_positions() -> None:
    """By default the prompt shows 1, 2, 3."""
    assert [(label, source.id) for label, source in TWO.labelled()] == [
        ("1", "pol-12"),
        ("2", "faq"),
    ]
    assert len(TWO) == 2


@pytest.mark.parametrize("key", ["0", "-1", "3", "", " ", "1.0", "one", "9" * 5_000, "²", "+1"])
def test_no_label_by_accident(key: str) -> None:
    """What is not the label of a source names none: never the last, never by wrapping."""
    assert ids(TWO, key, "label") == []


def test_leading_zeros_do_not_change_a_label() -> None:
    """``01`` is label 1."""
    assert ids(TWO, "01", "label") == ["pol-12"]


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://example.org/a", ["pol-12"]),
        ("http://EXAMPLE.ORG:80/a/", ["pol-12"]),
        ("https://example.org/a#part", ["pol-12"]),
        ("https://example.org/a?utm_source=chat&gclid=1", ["pol-12"]),
        ("https://example.org/%61", ["pol-12"]),
        ("https://example.org/b?x=1", ["faq"]),
        ("https://example.org/b?utm_medium=y&x=1", ["faq"]),
        ("https://example.org/b", []),
        ("https://example.org/A", []),
        ("https://example.org:8080/a", []),
        ("https://evil.example/a", []),
        ("https://example.org@evil.example/a", []),
        ("ftp://example.org/a", []),
        ("http://[::1", []),
        ("https://example.org:99999/a", []),
    ],
)
def test_urls(url: str, found: list[str]) -> None:
    """URLs compare by what they address; broken ones name nothing and do not raise."""
    assert ids(TWO, url, "url") == found


@pytest.mark.parametrize("title", ["Refund Policy", "refund policy", " REFUND\u00a0policy "])
def test_titles(title: str) -> None:
    """Titles compare without case and white space."""
    assert ids(TWO, title, "title") == ["pol-12"]


def test_ids_compare_composed() -> None:
    """An accent may be part of a letter or a mark after it; case counts."""
    sources = Sources([{"id": "\u00e5rsrapport.pdf"}])

    assert ids(sources, "a\u030arsrapport.pdf", "id") == ["\u00e5rsrapport.pdf"]
    assert ids(sources, "\u00c5rsrapport.pdf", "id") == []


def test_one_title_two_records() -> None:
    """All sources of an ambiguous key are returned; none is chosen here."""
    sources = Sources([{"id": "a", "title": "Policy"}, {"id": "b", "title": "policy"}])

    assert ids(sources, "Policy", "title") == ["a", "b"]


def test_numbers_between() -> None:
    """Ranges are cut to the labels there are, however wide they are."""
    sources = Sources([{"id": "1"}, {"id": "3"}, {"id": "12"}], label="id")

    assert sources.numbers_between(1, 10**9) == [1, 3, 12]
    assert sources.numbers_between(2, 3) == [3]
    assert sources.numbers_between(3, 2) == []


def test_may_begin() -> None:
    """A prefix is asked for as a key is: composed, without case where case does not count."""
    assert TWO.may_begin("pol", "id")
    assert TWO.may_begin("REFUND P", "title")
    assert TWO.may_begin("", "id")
    assert not TWO.may_begin("2024 rep", "id")
    assert not Sources().may_begin("", "id")


@pytest.mark.parametrize(
    "records",
    [
        [{"title": "no id"}],
        [{"id": ""}],
        [{"id": None}],
        [Source("")],
        ["text"],
        [None],
        [{"id": "a"}, {"id": "a"}],
        [{"id": 1}, {"id": "1"}],
    ],
)
def test_records_without_an_id_of_their_own(records: list[Any]) -> None:
    """No id, or one that another record has, is the caller's mistake."""
    with pytest.raises(SourceError) as caught:
        Sources(records)

    assert isinstance(caught.value, CitemarkError)
    assert caught.value.position == len(records)


@pytest.mark.parametrize("names", [["2", "1"], ["0", "1"], ["1", "2", "9"], ["a", "1"]])
def test_ids_that_are_other_positions(names: list[str]) -> None:
    """Ids that are numbers but not the positions are refused until the caller says which."""
    records = [{"id": name} for name in names]

    with pytest.raises(AmbiguousLabelError, match="label="):
        Sources(records)
    assert [label for label, _ in Sources(records, label="id").labelled()] == names
    positions = [str(n) for n in range(1, len(names) + 1)]
    assert [label for label, _ in Sources(records, label="number").labelled()] == positions


def test_ids_that_are_the_positions() -> None:
    """Ids that are their positions need no word."""
    assert ids(Sources([{"id": 1}, {"id": 2}]), "2", "label") == ["2"]


def test_adding() -> None:
    """More sources go on counting; a record that is there already is not added again."""
    more = TWO + [  # noqa: RUF005  adding is what is tested
        {"id": "faq", "title": "FAQ", "url": "https://example.org/b?x=1"},
        {"id": "n"},
    ]

    assert [(label, source.id) for label, source in more.labelled()] == [
        ("1", "pol-12"),
        ("2", "faq"),
        ("3", "n"),
    ]
    assert len(TWO) == 2


def test_records_as_people_have_them() -> None:
    """Mappings, documents with metadata, fields of wrong types: all become sources."""
    sources = Sources(
        [
            {"id": 7, "snippet": "Levels fell.", "score": "high", "page": 3, "team": "ops"},
            {"page_content": "Text.", "metadata": {"source": "C:\\docs\\plan.pdf", "page": 2}},
        ],
        label="number",
    )
    first, second = sources

    assert first == Source("7", text="Levels fell.", page=3, metadata={"team": "ops"})
    assert (second.id, second.title, second.text, second.url) == (
        "2",
        "plan.pdf",
        "Text.",
        None,
    )


def test_metadata_cannot_be_changed() -> None:
    """A source keeps its own copy of the metadata, all the way down, and is hashable."""
    given = {"tags": ["a"], "more": {"x": [1]}}
    source = Source("a", metadata=given)
    given["tags"].append("b")  # type: ignore[attr-defined]

    assert source.metadata == {"tags": ("a",), "more": {"x": (1,)}}
    assert hash(source) == hash(Source("a", metadata={"tags": ["a"], "more": {"x": [1]}}))

"""Labels over the searches and turns of a conversation."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import Registry, Source, build_context, cite
from citemark.errors import BudgetError, CitemarkError, SourceError, StoredRegistryError

FEES = {"id": "1", "url": "https://example.org/fees", "title": "Fees", "text": "12 euros."}
HOURS = {
    "id": "2",
    "url": "https://example.org/hours",
    "title": "Hours",
    "text": "Nine to five.",
}


def labelled(sources):
    return [(label, source.id) for label, source in sources.labelled()]


def test_searches_that_count_from_1_again():
    """Each has a source 1: the prompt has other numbers, and each answer finds its own."""
    registry = Registry()
    first = registry.add([FEES, HOURS])
    second = registry.add([{**HOURS, "id": "1"}, {**FEES, "id": "2", "text": "Now 14 euros."}])

    assert labelled(first) == [("1", "1"), ("2", "2")]
    assert labelled(second) == [("2", "2"), ("3", "2#3")]
    assert build_context(second, fields=("title",)) == (
        "[2] Hours\n    Nine to five.\n\n[3] Fees\n    Now 14 euros."
    )
    answer = cite("It was 12 [1], is 14 [3], open at nine [2].", registry.sources)
    assert [c.source.text for c in answer.citations] == [
        "12 euros.",
        "Now 14 euros.",
        "Nine to five.",
    ]


@pytest.mark.parametrize(
    ("again", "is_same"),
    [
        ({}, True),
        ({"id": "x"}, True),
        ({"title": "Fees | Example"}, True),
        ({"url": "http://EXAMPLE.org/fees/?utm_source=x#top"}, True),
        ({"text": " 12\n euros. "}, True),
        ({"score": 0.5, "date": "2026"}, True),
        ({"text": "14 euros."}, False),
        ({"url": "https://example.org/hours"}, False),
        ({"url": None}, False),
        ({"page": 2}, False),
    ],
)
def test_what_is_seen_again(again, is_same):
    """Same URL, page and passage: whatever the search calls it."""
    registry = Registry()
    registry.add([FEES])
    [(label, _)] = registry.add([FEES | again]).labelled()

    assert (label == "1") is is_same


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ({"title": "A", "text": "x"}, {"title": "a ", "text": "x"}, True),
        ({"title": "A", "text": "See above."}, {"title": "B", "text": "See above."}, False),
        ({"text": "See above."}, {"text": "See above."}, False),
        ({"title": "Introduction"}, {"title": "Introduction"}, False),
        ({}, {}, False),
    ],
)
def test_records_without_url_and_with_other_ids(one, other, is_same):
    """Title and passage have to say the same: either alone may be that of two documents."""
    registry = Registry()
    registry.add([{"id": "a", **one}, {"id": "b", **other}])

    assert (len(registry) == 1) is is_same


def test_id_tells_where_nothing_else_does():
    """A row of a database, found again by its number, after the registry was stored too."""
    registry = Registry()
    [row] = registry.add([{"id": 4711, "text": "Paid."}])
    stored = Registry.from_dict(json.loads(json.dumps(registry.to_dict())))

    for one in (registry, stored):
        assert labelled(one.add([{"id": "4711", "text": "Paid."}])) == [("1", "4711#1")]
        assert one.given_id(row) == "4711"
        assert one.given_id(Source("x")) == "x"


def test_number_names_no_source_by_its_id():
    """``[doc:2]`` is the source that the prompt calls 2."""
    registry = Registry()
    registry.add([{"id": "2", "title": "A"}, {"id": "1", "title": "B"}])

    assert [c.source.title for c in cite("x [doc:2]", registry.sources).citations] == ["B"]


def test_source_found_twice_in_one_search_is_there_once():
    """In its first place."""
    assert labelled(Registry().add([FEES, HOURS, FEES])) == [("1", "1"), ("2", "2")]


def test_what_is_over_the_budget_is_not_registered():
    """It has no label: the next search may show it under that number, or another."""
    registry = Registry()
    registry.add([HOURS])
    context = registry.context([{**FEES, "text": "12 euros. " * 9}, HOURS], budget=80)

    assert context.text == (
        "[2] Fees, https://example.org/fees\n    12 euros. 12 euros. 12 euros. 12 euros. …"
    )
    assert labelled(context.sources) == [("2", "1#2")]
    assert [source.title for source in context.left_out] == ["Hours"]
    assert len(registry) == 2
    with pytest.raises(BudgetError):
        registry.context([FEES], budget=0)
    assert len(registry) == 2
    assert (
        context.sources.fingerprint
        == registry.add([{**FEES, "text": "12 euros. " * 9}]).fingerprint
    )


def test_counting_that_asks_the_registry():
    """It may look, in the same thread too; what it registers would get the labels shown."""
    registry = Registry()

    def looks(text):
        return len(text) + 0 * len(registry.sources)

    def adds(text):
        registry.add([HOURS])
        return len(text)

    assert len(registry.context([FEES], budget=80, count=looks).sources) == 1
    with pytest.raises(CitemarkError, match="count has registered sources"):
        registry.context([{**FEES, "text": "Other."}], budget=80, count=adds)
    assert [source.text for source in registry.sources] == [FEES["text"], HOURS["text"]]


def test_label_of_a_source():
    """Also of one that was found again; None for a new one."""
    registry = Registry()
    registry.add([HOURS, FEES])

    assert registry.label(Source("z", url="https://example.org/fees", text="12 euros.")) == "2"
    assert registry.label(Source("z")) is None


RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.sampled_from(["1", "2", "3", "a", "a#2", "2#2"]),
            "text": st.sampled_from(["", "x", "y"]),
            "title": st.sampled_from(["", "T"]),
            "url": st.sampled_from([None, "https://example.org/u"]),
        }
    ),
    max_size=5,
)


@given(st.lists(RECORDS, max_size=4))
def test_labels_never_change(searches):
    """Whatever is found: each label stays with its text, also when stored in between."""
    registry = Registry(lenient=["case"])
    seen: dict[str, Source] = {}
    for found in searches:
        for label, source in registry.add(found).labelled():
            assert seen.setdefault(label, source) == source
        for record in found:
            [source] = registry.add([record])
            label = registry.label(source)
            assert label in seen
            assert seen[label].text == record["text"]
        registry = Registry.from_dict(json.loads(json.dumps(registry.to_dict())))
    assert [label for label, _ in registry.sources.labelled()] == [
        str(number) for number in range(1, len(seen) + 1)
    ]
    assert registry.sources.lenient == ("case",)


def test_copies_go_their_own_way():
    """A registry can be copied and pickled."""
    registry = Registry()
    registry.add([FEES])
    for other in (copy.deepcopy(registry), pickle.loads(pickle.dumps(registry))):  # noqa: S301  ours
        other.add([HOURS])
        assert (len(registry), len(other)) == (1, 2)


def test_threads_share_a_registry():
    """Searches at the same time: each source has one label, and each label one source."""
    registry = Registry()
    records = [{"id": f"s{number}"} for number in range(60)]

    with ThreadPoolExecutor(8) as pool:
        turns = list(pool.map(registry.add, [records[n:] for n in range(40)]))

    table = {source: label for label, source in registry.sources.labelled()}
    assert len(table) == 60
    assert all(table[source] == label for turn in turns for label, source in turn.labelled())


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"version": 2, "sources": [], "lenient": [], "given_ids": {}},
        {"version": 1, "sources": [{"id": "a"}], "lenient": [], "given_ids": {}},
        {"version": 1, "sources": None, "lenient": [], "given_ids": {}},
        {"version": 1, "sources": [], "lenient": ["no"], "given_ids": {}},
        {"version": 1, "sources": [], "lenient": [], "given_ids": 7},
    ],
)
def test_what_is_no_stored_registry_is_refused(data):
    """By name."""
    with pytest.raises(StoredRegistryError, match=r"^stored registry, "):
        Registry.from_dict(data)


def test_same_source_stored_twice_is_refused():
    """Labels would not be what they were."""
    registry = Registry()
    registry.add([FEES])
    data = registry.to_dict()
    data["sources"] *= 2

    with pytest.raises(
        StoredRegistryError, match=r"sources: is not as this version writes it$"
    ):
        Registry.from_dict(data)


def test_mistakes_of_the_caller():
    """A record without id, a style that does not exist: nothing is registered then."""
    registry = Registry()
    with pytest.raises(SourceError):
        registry.add([FEES, {"title": "x"}])
    with pytest.raises(CitemarkError):
        registry.context([FEES], budget=9, style="no")

    assert len(registry) == 0

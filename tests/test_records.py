"""Records as tables, databases and retrievers have them, made sources."""

from __future__ import annotations

import json
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest

from citemark import Answer, Source, Sources, build_context, cite
from citemark.errors import SourceError
from citemark.records import as_source

NAN = float("nan")


class Kind(str, Enum):  # noqa: UP042  unlike StrEnum, its ``str`` is "Kind.WEB"
    WEB = "web"


class Array:
    """Compares to an array, which has no truth, as those of numpy do."""

    def __eq__(self, other: object) -> Any:
        return Truthless()

    __hash__ = None  # type: ignore[assignment]


class Truthless:
    def __bool__(self) -> bool:
        raise ValueError


def name_of(value: object) -> str:
    """Return a name for a case: thousands of digits cannot be shown."""
    return value if isinstance(value, str) else type(value).__name__


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"x": [value]}
    return value


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["x"] = [value, value]
    return value


@pytest.mark.parametrize(
    ("given", "id_"),
    [(2.0, "2"), (2, "2"), (2.5, "2.5"), (" a b\n", "a b"), (Kind.WEB, "web"), (-1.0, "-1")],
)
def test_ids(given: object, id_: str) -> None:
    """A whole number is one although a table has floats; white space around an id goes."""
    assert as_source({"id": given}, 1).id == id_


@pytest.mark.parametrize(
    "given", [NAN, True, False, None, "", "  ", float("inf"), 10**5000, []], ids=name_of
)
def test_what_is_no_id(given: object) -> None:
    """An empty cell, a truth value and the like are no ids."""
    with pytest.raises(SourceError, match="it has no id"):
        as_source({"id": given}, 1)


def test_empty_cells_are_left_out() -> None:
    """NaN, which tables have for nothing, is nothing in every field."""
    names = ("title", "url", "text", "page", "kind", "score")

    assert as_source({"id": "a", **dict.fromkeys(names, NAN)}, 1) == Source("a")
    assert as_source({"id": "a", "team": NAN}, 1) == Source("a", metadata={"team": None})
    document = {"id": NAN, "page_content": "Text.", "metadata": {"id": NAN, "title": NAN}}
    assert as_source(document, 3) == Source("3", text="Text.")


@pytest.mark.parametrize(
    ("given", "page"),
    [
        (3, 3),
        (3.0, 3),
        ("iv", "iv"),
        ("", None),
        (3.5, None),
        (True, None),
        (NAN, None),
        (10**12, None),
        (10**5000, None),
        ([3], None),
        (Fraction(3), None),
    ],
    ids=name_of,
)
def test_pages(given: Any, page: Any) -> None:
    """A page is a number or a name, in a record and in a source; all else is none."""
    records: tuple[Any, ...] = ({"id": "a", "page": given}, Source("a", page=given))
    for record in records:
        found = as_source(record, 1).page
        assert (found, type(found)) == (page, type(page))
        assert json.dumps(cite("[1]", [record]).to_dict())
        assert build_context([record]).startswith("[1] a")


@pytest.mark.parametrize(
    ("given", "score"),
    [(1, 1.0), (0.5, 0.5), (True, None), (NAN, None), (10**400, None)],
    ids=name_of,
)
def test_scores(given: Any, score: float | None) -> None:
    """A score is a finite number, in a record and in a source."""
    assert as_source({"id": "a", "score": given}, 1).score == score
    assert as_source(Source("a", score=given), 1).score == score


@pytest.mark.parametrize("metadata", [nested(2_000), nested(101), cyclic()])
def test_metadata_without_end(metadata: dict[str, Any]) -> None:
    """What is nested too deeply, or holds itself, is left out; the source stays."""
    sources = [Source("a", metadata=metadata), as_source({"id": "a", "more": metadata}, 1)]

    assert sources == [Source("a"), Source("a")]


def test_metadata_that_can_be_held() -> None:
    """Fifty levels of mappings in lists are kept, stored and read."""
    answer = cite("It is [1].", [{"id": "a", "more": nested(40)}])

    assert answer.sources[0].metadata
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


def test_metadata_that_cannot_be_compared() -> None:
    """Sources with values that have no truth when compared are not equal, and do not raise."""
    shared = Array()

    assert Source("a", metadata={"x": Array()}) != Source("a", metadata={"x": Array()})
    assert Source("a", metadata={"x": shared}) == Source("a", metadata={"x": shared})
    assert Source("a", metadata={"x": 1}).metadata == {"x": 1}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"id": 1}, "id"),
        ({"text": None}, "text"),
        ({"url": 5}, "url"),
        ({"title": None}, "title"),
        ({"kind": []}, "kind"),
        ({"metadata": None}, "metadata"),
        ({"metadata": [1]}, "metadata"),
    ],
)
def test_sources_of_wrong_types(fields: dict[str, Any], field: str) -> None:
    """A source that the caller built wrongly is refused, and the field is named."""
    with pytest.raises(SourceError, match=f"^source 2: its {field} is of a wrong type: "):
        Sources([Source("b"), Source(**({"id": "a"} | fields))])


def test_a_right_source_stays_the_same() -> None:
    """What is right is not copied."""
    source = Source("a", page=3, score=0.5, metadata={"x": 1})

    assert as_source(source, 1) is source

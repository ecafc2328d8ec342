"""Rows in Arrow: the same as rows elsewhere, whatever types and sizes of batches come in."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from batch_kit import SOURCES, row
from hypothesis import given
from hypothesis import strategies as st

from citemark import Answer
from citemark.batch import (
    OUTPUT,
    BatchOptions,
    SourcesTable,
    annotate_row,
)
from citemark.batch.arrow import (
    OUTPUT_SCHEMA,
    RowSchemaError,
    _build,
    _read,
    annotate_arrow,
    annotate_batch,
    annotate_batches,
    output_schema,
    spark_schema,
)

OPTIONS = BatchOptions(to=("text", "html"), check=True)
ROWS = [row(number, team=f"t{number}") for number in range(5)] + [{"id": 5, "answer": None}]


def batch(rows=ROWS):
    return pa.RecordBatch.from_pylist(rows)


def plain(rows):
    """Rows as Arrow has them, with the columns of ``annotate_row``."""
    return [
        {
            **found,
            "cited": None if found["cited"] is None else json.loads(found["cited"]),
            "rendered": None if found["rendered"] is None else dict(found["rendered"]),
            "formats": None if found["formats"] is None else dict(found["formats"]),
        }
        for found in rows
    ]


def test_rows_are_those_of_annotate_row():
    """All columns of all rows are the same; a stored answer comes back whole."""
    found = annotate_batch(batch(), OPTIONS)
    expected = [annotate_row(one, OPTIONS) for one in ROWS]
    assert found.schema.names == [*OUTPUT, "team"]
    assert plain(found.to_pylist()) == [{"team": None, **one} for one in expected]
    answer = Answer.from_dict(json.loads(found["cited"][0].as_py()))
    assert answer.text == ROWS[0]["answer"]


def test_checks_have_all_figures():
    """No figure of the checks is left out of the schema."""
    figures = annotate_row(ROWS[0], OPTIONS)["checks"]
    kind = OUTPUT_SCHEMA.field("checks").type
    assert sorted(figures) == sorted(kind.field(n).name for n in range(kind.num_fields))


def test_null_in_null_out():
    """An answer that is null gives a row without anything, and no error."""
    found = annotate_batch(pa.RecordBatch.from_pydict({"answer": pa.nulls(2)})).to_pylist()
    kept = {"schema", "version", "options_digest", "content_digest"}
    assert [{name for name, value in one.items() if value is not None} for one in found] == [
        kept,
        kept,
    ]


@pytest.mark.parametrize(
    "kind",
    [
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.string()),
        pa.dictionary(pa.uint32(), pa.large_string()),
        pa.dictionary(pa.uint32(), pa.string_view()),
        pa.dictionary(pa.int64(), pa.string_view()),
    ],
    ids=str,
)
def test_texts_of_any_type(kind):
    """Types of texts that engines have are read, and pass through as they are."""
    rows = [{**one, "sources": json.dumps(SOURCES)} for one in ROWS[:5]]
    given = batch(rows)
    changed = given
    for name in ("answer", "sources", "team"):
        index = changed.schema.get_field_index(name)
        column = _as(given[name], kind)
        changed = changed.set_column(index, pa.field(name, kind), column)
    found = annotate_batch(changed, OPTIONS)
    assert found.schema.field("team").type == kind
    assert found.to_pylist() == annotate_batch(given, OPTIONS).to_pylist()


def _as(column, kind):
    if pa.types.is_dictionary(kind):
        coded = pc.dictionary_encode(column.cast(pa.large_string()))
        values = pa.array(coded.dictionary.to_pylist(), kind.value_type)
        return pa.DictionaryArray.from_arrays(coded.indices.cast(kind.index_type), values)
    return pa.array(column.to_pylist(), kind)


@pytest.mark.parametrize("kind", ["Categorical", "Enum"])
def test_categories_of_polars(kind):
    """Their dictionaries are of views, which pyarrow does not decode."""
    polars = pytest.importorskip("polars")
    texts = ["A [1].", None, "B [2]."]
    types = {"Categorical": polars.Categorical(), "Enum": polars.Enum(["A [1].", "B [2]."])}
    frame = polars.DataFrame({"answer": polars.Series(texts, dtype=types[kind])})
    found = annotate_arrow(frame).read_all()
    assert found["unresolved"].to_pylist() == [["1"], None, ["2"]]


SHAPES = {
    "structs": [SOURCES],
    "json": [json.dumps(SOURCES)],
    "names": [["s1", "s2"]],
    "set": ["both"],
    "none": [None],
    "maps": pa.array([[list(one.items()) for one in SOURCES]], pa.list_(pa.map_("str", "str"))),
}


@pytest.mark.parametrize("sources", SHAPES.values(), ids=SHAPES)
def test_shapes_of_sources(sources):
    """Records as structs, maps or JSON; ids, a set, or nothing for the whole table."""
    table = SourcesTable({**one, "set": "both"} for one in SOURCES)
    given = pa.RecordBatch.from_pydict({"answer": ["A [1], B [2]."], "sources": sources})
    [found] = annotate_batch(given, None, table).to_pylist()
    assert found["error"] is None
    assert [one["id"] for one in found["citations"]] == ["s1", "s2"]


def test_fields_that_are_null_are_no_fields():
    """A struct has all fields of its type; the digest of a row is that of its own fields."""
    sources = [{"id": "a", "metadata": [("k", "v")]}, {"id": "b", "page": 3}]
    kind = pa.struct({"id": "str", "page": "int8", "metadata": pa.map_("str", "str")})
    columns = {"answer": ["A [2]."], "sources": pa.array([sources], pa.list_(kind))}
    [found] = annotate_batch(pa.RecordBatch.from_pydict(columns)).to_pylist()
    same = [{"id": "a", "metadata": {"k": "v"}}, {"id": "b", "page": 3}]
    expected = annotate_row({"answer": "A [2].", "sources": same})
    assert plain([found]) == [expected]


def test_columns_that_pass_through_keep_their_types():
    """Dates, decimals, lists, and names that are ours: nothing is made text."""
    zone = pa.array([datetime(2026, 5, 1, tzinfo=UTC)], pa.timestamp("us", "UTC"))
    columns = {
        "answer": pa.array(["A."]),
        "cited": zone,
        "n": pa.array([[1.5]], pa.list_(pa.float32())),
        "empty": pa.array([b""], pa.binary(0)),
    }
    given = pa.RecordBatch.from_pydict(columns)
    found = annotate_batch(given)
    assert found.schema.names[len(OUTPUT) :] == ["input_cited", "n", "empty"]
    assert found["input_cited"].equals(zone)
    assert found["n"].equals(columns["n"])
    assert found["empty"].equals(columns["empty"])
    assert output_schema(given.schema)[0] == found.schema


def test_empty_batches():
    """A batch without rows gives one of the same columns; no batch gives none."""
    none = batch().slice(0, 0)
    [found] = annotate_batches([none])
    assert (found.num_rows, found.schema) == (0, output_schema(none.schema)[0])
    assert annotate_batch(none).schema == found.schema
    assert list(annotate_batches([])) == []


@pytest.mark.parametrize("columns", [{}, {"text": ["x"]}], ids=["none", "others"])
def test_table_without_answers(columns):
    """What has no answers is refused at once, also as a stream."""
    table = pa.table(columns)
    with pytest.raises(RowSchemaError, match="no column"):
        annotate_arrow(table)
    with pytest.raises(RowSchemaError, match="no column"):
        list(annotate_batches(pa.table(columns).to_batches() or [pa.record_batch([], [])]))


def test_two_columns_of_one_name():
    """It would be chance which of them is read."""
    given = pa.RecordBatch.from_arrays([pa.array(["a"])] * 2, ["answer", "answer"])
    with pytest.raises(RowSchemaError, match="2 columns"):
        annotate_batch(given)


def test_batches_are_bounded(monkeypatch):
    """What comes out is cut by rows and by bytes, in order; nothing is lost between."""
    monkeypatch.setattr(_build, "MAX_ROWS", 40)
    monkeypatch.setattr(_build, "MAX_BYTES", 20_000)
    monkeypatch.setattr(_read, "MAX_ROWS", 16)
    monkeypatch.setattr(_read, "MAX_BYTES", 2_000)
    rows = [row(n, team=str(n)) for n in range(200)]
    rows[70]["answer"] = "long " * 20_000
    found = list(annotate_batches([batch(rows[:150]), batch(rows[150:])], OPTIONS))
    assert max(one.num_rows for one in found) <= 40
    assert [team for one in found for team in one["team"].to_pylist()] == [
        str(n) for n in range(200)
    ]
    weights = [one.nbytes for one in found]
    assert sum(weight > 60_000 for weight in weights) == 1
    assert (
        pa.Table.from_batches(found).to_pylist()
        == annotate_batch(batch(rows), OPTIONS).to_pylist()
    )


def test_rows_are_read_few_at_once(monkeypatch):
    """Long answers are not all made Python's own at once."""
    monkeypatch.setattr(_read, "MAX_BYTES", 3_000)
    for kind in (pa.string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        texts = _as(pa.array([f"{n} " * 500 for n in range(8)]), kind)
        parts = list(_read.cells_of(pa.RecordBatch.from_arrays([texts], ["answer"])))
        assert [len(part) for part in parts] == ([2] * 8)[: len(parts)]
        assert sum(map(len, parts)) == 8


def test_row_that_no_batch_can_hold(monkeypatch):
    """It becomes a row with an error; a whole batch of them is refused."""
    monkeypatch.setattr(_build, "MAX_TEXT", 3_000)
    rows = [row(0), {**row(1), "answer": "x" * 5_000}]
    [found] = annotate_batches([batch(rows)])
    one, other = found.to_pylist()
    assert one["error"] is None
    assert other["error"] == "the row would have 5,105 bytes; a batch holds 3,000"
    assert (other["id"], other["cited"]) == ("1", None)
    assert other["content_digest"] is not None
    with pytest.raises(OverflowError):
        annotate_batch(batch([row(n) for n in range(9)]))


def test_cell_that_python_cannot_have():
    """It is an error of its row, and of no other."""
    texts = pa.StringArray.from_buffers(
        2, pa.py_buffer(b"\0\0\0\0\2\0\0\0\4\0\0\0"), pa.py_buffer(b"A.a\xff")
    )
    given = pa.RecordBatch.from_arrays([pa.array([1, 2]), texts], ["id", "answer"])
    one, other = annotate_batch(given).to_pylist()
    assert (one["id"], one["error"]) == ("1", None)
    assert (other["id"], other["cited"]) == ("2", None)
    assert other["error"].startswith("answer: UnicodeDecodeError")


BYTES = [b"a", b"b", b"\xff"]
IDS = {
    "bytes": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(BYTES).view("utf8")),
    "texts": pa.array(BYTES).view("utf8"),
    "durations": pa.array([0, 1, 10**18], pa.duration("s")),
}


@pytest.mark.parametrize("ids", IDS.values(), ids=IDS)
def test_an_id_that_cannot_be_read_loses_no_answer(ids):
    """The row has all but its id, and an error that names the column."""
    answers = ["A [1].", 7, "A [1]."]
    given = pa.RecordBatch.from_arrays(
        [ids, pa.array(map(str, answers)), pa.array([None, None, '{"label": 1}'])],
        ["id", "answer", "options"],
    )
    one, other, both = annotate_batch(given).to_pylist()
    assert (one["error"], other["error"]) == (None, None)
    assert both["error"].startswith("id: ")
    assert both["error"].endswith("; BatchOptionError: label: 1 is none of number, id")
    [found] = annotate_batch(given.select(["id", "answer"]).slice(2)).to_pylist()
    assert found["error"].startswith("id: ")
    assert (found["id"], json.loads(found["cited"])["unresolved"]) == (None, ["1"])


def test_all_columns_that_cannot_be_read_are_told():
    """The id, and what the answer needs: the row is none then."""
    texts = pa.array([b"\xff"]).view("utf8")
    given = pa.RecordBatch.from_arrays([texts, texts], ["id", "answer"])
    [found] = annotate_batch(given).to_pylist()
    assert found["cited"] is None
    assert re.findall(r"(\w+): UnicodeDecodeError", found["error"]) == ["id", "answer"]


def test_halves_of_surrogate_pairs():
    """JSON can hold what Arrow cannot: it becomes U+FFFD, in all columns."""
    sources = '[{"id": "\\ud800", "title": "\\udc00"}]'
    given = pa.RecordBatch.from_pydict({"answer": ["A [1]."], "sources": [sources]})
    [found] = annotate_batch(given, OPTIONS).to_pylist()
    assert found["citations"] == [{"number": 1, "id": "�", "count": 1}]
    assert "�" in dict(found["rendered"])["text"]
    assert found["error"] is None


def test_response_as_struct():
    """A response of a provider is read as the struct that it is in a table."""
    block = {"type": "text", "text": "Ten days."}
    cited = {"type": "char_location", "cited_text": "days", "document_index": 0}
    message = {"content": [{**block, "citations": [cited]}]}
    given = pa.RecordBatch.from_pylist([{"answer": message}])
    [found] = annotate_batch(given, BatchOptions(provider="anthropic")).to_pylist()
    expected = annotate_row({"answer": message}, BatchOptions(provider="anthropic"))
    assert plain([found]) == [expected]
    assert found["cited"] is not None


def test_stream_is_read_as_it_is_asked_for():
    """A reader pulls one batch at a time: nothing is kept of a stream."""
    pulled = []

    def batches():
        for number in range(5):
            pulled.append(number)
            yield batch()

    source = pa.RecordBatchReader.from_batches(batch().schema, batches())
    reader = annotate_arrow(source)
    assert reader.schema == output_schema(batch().schema)[0]
    next(reader)
    assert pulled == [0]
    assert reader.read_all().num_rows == 4 * len(ROWS)


def test_what_is_no_stream():
    """It is the caller's mistake."""
    with pytest.raises(TypeError):
        annotate_arrow([{"answer": "x"}])


def test_a_stream_of_other_things_than_rows():
    """It is told what to do, not by a message of Arrow alone."""
    with pytest.raises(RowSchemaError, match="Arrow cannot read its columns: cast"):
        annotate_arrow(pa.chunked_array([["x"]]))


CELLS = st.none() | st.integers(-9, 2**60) | st.floats() | st.text() | st.binary()
COLUMNS = st.sampled_from(["id", "answer", "sources", "dialect", "provider", "options", "x"])


@given(st.lists(st.dictionaries(COLUMNS, st.lists(CELLS, max_size=3)), max_size=4))
def test_any_row_gives_a_row(rows):
    """Whatever a table holds, each row gives one, and in Arrow the same as elsewhere."""
    texts = [{name: repr(value) for name, value in one.items()} for one in rows]
    columns = {name: [one.get(name) for one in texts] for name in {"answer", *_names(texts)}}
    given_ = pa.RecordBatch.from_pydict({n: pa.array(c, "str") for n, c in columns.items()})
    found = annotate_batch(given_, OPTIONS)
    found.validate(full=True)
    expected = [annotate_row(one, OPTIONS) for one in given_.to_pylist()]
    assert plain(found.to_pylist()) == expected


def _names(rows):
    return {name for one in rows for name in one}


def test_spark_schema_names_all_columns():
    """Each column stands in the text for Spark."""
    for name in OUTPUT:
        assert f"`{name}` " in spark_schema()

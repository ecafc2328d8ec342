"""Values of Arrow that JSON has not: read as a file of JSON would have them."""

from __future__ import annotations

import uuid
from base64 import b64encode
from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from batch_kit import loaded
from table_kit import read, write

from citemark.batch import BatchOptions
from citemark.batch.arrow import annotate_batch
from citemark.batch.arrow._read import cells_of
from citemark.batch.run import Run

BYTES_KINDS = [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(8)]


@pytest.mark.parametrize("kind", BYTES_KINDS, ids=str)
def test_bytes_that_are_texts(kind):
    """Writers of Parquet may not say which bytes are texts; others than UTF-8 are an error."""
    answers = pa.array([b"Yes [1].", None, b"No \xff[1]."], kind)
    given = pa.RecordBatch.from_arrays(
        [answers, pa.array([b'[{"id": "a"}]'] * 3)], ["answer", "sources"]
    )
    one, none, other = annotate_batch(given).to_pylist()
    assert (one["error"], one["citations"][0]["id"]) == (None, "a")
    assert (none["error"], none["cited"]) == (None, None)
    assert other["cited"] is None
    assert other["error"].startswith("answer: UnicodeDecodeError")


UUID = bytes(range(0xF0, 0x100))
CODED = pa.struct({"id": pa.string(), "url": pa.string()})
PAIRS = pa.map_(pa.struct({"k": pa.int64()}), pa.string())
PAIRED = pa.struct({"id": pa.string(), "metadata": PAIRS})
RECORDS = {
    "bytes": (pa.array([{"id": UUID}]), b64encode(UUID).decode()),
    "texts": (pa.array([{"id": b"a"}]), "a"),
    "length": (pa.array([{"id": b"ab"}], pa.struct({"id": pa.binary(2)})), "YWI="),
    "days": (pa.array([{"id": date(2024, 5, 6)}]), "2024-05-06"),
    "decimals": (pa.array([{"id": Decimal("1.50")}]), "1.50"),
    "codes": (
        pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([{"id": "a"}], CODED)),
        "a",
    ),
    "keys": (pa.array([{"id": "a", "metadata": [({"k": 1}, "v")]}], PAIRED), "a"),
}
"""A record, and the id that it has."""

if hasattr(pa, "uuid"):  # from pyarrow 18 on
    UUIDS = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([UUID], pa.binary(16)))
    RECORDS["uuid"] = (
        pa.StructArray.from_arrays([UUIDS], ["id"]),
        str(uuid.UUID(bytes=UUID)),
    )


@pytest.mark.parametrize(("records", "id_"), RECORDS.values(), ids=RECORDS)
def test_records_of_types_that_json_has_not(records, id_):
    """They are read as a file of JSON would have them."""
    sources = pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), records)
    given = pa.RecordBatch.from_arrays([pa.array(["A [1]."]), sources], ["answer", "sources"])
    [found] = annotate_batch(given).to_pylist()
    assert found["error"] is None
    assert [one["id"] for one in found["citations"]] == [id_]


KEYS = {
    "objects": (pa.struct({"k": pa.int64()}), {"k": 1}, '{"k":1}'),
    "lists": (pa.list_(pa.int64()), [1], "[1]"),
    "numbers": (pa.int64(), 1, "1"),
    "days": (pa.date32(), date(2024, 5, 6), "2024-05-06"),
}


@pytest.mark.parametrize(("kind", "key", "name"), KEYS.values(), ids=KEYS)
def test_keys_of_maps_are_texts(kind, key, name):
    """As those of objects are; keys that Python has not are no error of the whole batch."""
    sources = pa.array([[(key, "v"), (key, "w")]], pa.map_(kind, pa.string()))
    [row] = next(cells_of(pa.RecordBatch.from_arrays([sources], ["sources"])))
    assert row == {"sources": {name: "w"}}


SEEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
IDS = {
    "bytes": (pa.array([UUID]), b64encode(UUID).decode()),
    "times": (pa.array([SEEN]), "2024-05-06T07:08:09.000000Z"),
    "nanoseconds": (pa.array([1], pa.timestamp("ns")), "1970-01-01T00:00:00.000000001"),
    "days": (pa.array([10**7], pa.date32()), "29349-01-26"),
    "decimals": (pa.array([Decimal("7.00")]), "7.00"),
    "numbers": (pa.array([2**64 - 1], pa.uint64()), str(2**64 - 1)),
}


@pytest.mark.parametrize(("column", "id_"), IDS.values(), ids=IDS)
def test_ids_are_the_same_in_tables_and_in_lines(tmp_path, column, id_):
    """A row is found by its id, whatever file it is written to."""
    given = tmp_path / "in.arrow"
    sources = pa.array([[{"id": "a", "metadata": {"seen": SEEN, "price": Decimal("1.5")}}]])
    write(given, pa.table({"id": column, "answer": ["A [1]."], "sources": sources}))
    for name in ("out.arrow", "out.jsonl"):
        run = Run([str(given)], str(tmp_path / name), BatchOptions(), workers=0)
        assert run.go().errors == 0
    made = [
        *read(tmp_path / "out.arrow").to_pylist(),
        *loaded((tmp_path / "out.jsonl").read_bytes()),
    ]
    assert [row["id"] for row in made] == [id_, id_]
    assert made[0]["content_digest"] == made[1]["content_digest"]

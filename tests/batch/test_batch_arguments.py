"""What a caller of a batch gives: refused at once, and not in the error of each row."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pyarrow as pa
import pytest
from batch_kit import SOURCES, row

from citemark import CitemarkError, Source
from citemark.batch import BatchOptions, SourcesTable, annotate_row
from citemark.batch.arrow import annotate_arrow, annotate_batch, annotate_batches
from citemark.batch.history import rerender_row, upgrade_row
from citemark.batch.options import BatchOptionError
from citemark.batch.where import read_where
from citemark.errors import ArgumentTypeError

BATCH = pa.RecordBatch.from_pylist([{"answer": "Yes."}])
FIELDS = [
    "to", "check", "dialect", "provider", "unresolved", "label", "source_list", "group_by",
    "lenient", "renderer_options",
]  # fmt: skip
WRONG = {
    "number": 5,
    "float": 1.5,
    "bytes": b"text",
    "object": object(),
    "mapping": {"a": 1},
    "nested": [[]],
    "function": print,
    "list": ["no"],
    "set": {5},
    "array": pa.array(["html"]),
    "source": Source("a"),
    "generator": lambda: (5 for _ in "a"),
}


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG)
def test_options_of_wrong_types(name, value):
    """One clear error that names the option, and the same if a row asks for it."""
    if callable(value) and value is not print:
        value = value()
    with pytest.raises(BatchOptionError) as caught:
        BatchOptions(**{name: value})
    assert caught.value.name == name
    assert len(str(caught.value)) < 400
    if not isinstance(value, Iterator) and name not in ("to", "check", "renderer_options"):
        error = annotate_row({"answer": "x", "options": {name: value}})["error"]
        assert error.startswith(f"BatchOptionError: {name}: ")


@pytest.mark.parametrize("kind", [list, tuple, iter, lambda names: (name for name in names)])
def test_lists_are_taken(kind):
    """Of any kind: they are the same options, which can be kept, sent and compared."""
    made = BatchOptions(to=kind(["text", "html"]), lenient=kind(["case", "blanks"]))
    assert made == BatchOptions(to=("text", "html"), lenient=("blanks", "case"))
    assert len({made, pickle.loads(pickle.dumps(made))}) == 1  # noqa: S301  ours
    assert made.digest == BatchOptions(to=("text", "html"), lenient=["blanks", "case"]).digest
    found = annotate_row({"answer": "Yes [A].", "sources": [{"id": "a"}]}, made)
    assert (found["error"], [*found["rendered"]]) == (None, ["text", "html"])


def test_steps_have_one_order_and_forms_the_order_that_is_given():
    """A set of steps is the same in all processes; one of forms would not be."""
    assert BatchOptions(lenient={"case", "dashes"}).lenient == ("dashes", "case")
    assert BatchOptions(lenient="case").lenient == ("case",)
    assert [BatchOptions(lenient=one).lenient for one in (True, False)] == [True, False]
    with pytest.raises(BatchOptionError, match=r"^to: expected names"):
        BatchOptions(to={"html", "text"})


CALLS = {
    "annotate_row": lambda **given: annotate_row(**{"row": row(1), **given}),
    "annotate_batch": lambda **given: annotate_batch(**{"batch": BATCH, **given}),
    "annotate_batches": lambda **given: annotate_batches(**{"batches": [BATCH], **given}),
    "annotate_arrow": lambda **given: annotate_arrow(
        **{"stream": pa.Table.from_batches([BATCH]), **given}
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("options", {"to": ["html"]}), ("options", ["html"]), ("options", BatchOptions),
        ("options", SourcesTable()), ("options", False), ("table", SOURCES), ("table", "may"),
        ("table", [Source("a")]), ("table", {}), ("table", BatchOptions()),
    ],
)  # fmt: skip
def test_arguments_of_wrong_types(call, name, value):
    """They are told when the function is called, by their names."""
    with pytest.raises(ArgumentTypeError, match=f"^{name}: expected a?") as caught:
        call(**{name: value})
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, CitemarkError)


@pytest.mark.parametrize("make", [annotate_row, rerender_row, upgrade_row])
@pytest.mark.parametrize("value", [None, 5, "text", [row(1)], object()])
def test_what_is_no_row(make, value):
    """It is a mistake of the caller, and none in a row."""
    with pytest.raises(ArgumentTypeError, match=r"^row: expected a mapping of columns, not"):
        make(value)


def test_options_of_rows_that_are_rendered_again():
    """They are told as well."""
    with pytest.raises(ArgumentTypeError, match=r"^options: expected BatchOptions"):
        rerender_row(annotate_row(row(1)), {"to": "html"})


def test_what_is_no_batch():
    """It is said what to call."""
    table = pa.Table.from_batches([BATCH])
    said = "annotate_arrow takes tables and streams$"
    with pytest.raises(ArgumentTypeError, match=f"^batch: .* not Table: {said}"):
        annotate_batch(table)
    for value in (table, BATCH, 5, "x", None):
        with pytest.raises(ArgumentTypeError, match=f"^batches: .*: {said}"):
            annotate_batches(value)
    with pytest.raises(ArgumentTypeError, match=r"^batches: .* not Table: each has to be one"):
        next(annotate_batches([table]))
    for value in ([BATCH], 5, None):
        with pytest.raises(ArgumentTypeError, match=r"^stream: expected a table, or what has"):
            annotate_arrow(value)


def test_records_and_conditions_of_wrong_types():
    """They are told by their names."""
    for value in (None, 5, "may", {"id": "a"}):
        with pytest.raises(ArgumentTypeError, match=r"^records: expected a list of records"):
            SourcesTable(value)
    with pytest.raises(ArgumentTypeError, match=r"^where: expected a text"):
        read_where(5)


@pytest.mark.parametrize("answer", [5, b"x", ["x"], {"text": "x"}, object()])
def test_answers_of_wrong_types(answer):
    """The column is named."""
    error = annotate_row({"answer": answer})["error"]
    kind = type(answer).__name__
    assert error == f"TextTypeError: answer: expected the text as str, not {kind}"

"""Figures over all rows of an output."""

from __future__ import annotations

import json
import pickle
import re
import tracemalloc

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import Sources
from citemark.batch import SCHEMA, BatchOptionError, BatchOptions, annotate_row
from citemark.batch import stats as module
from citemark.batch.outputs import output_files, stats_of
from citemark.batch.stats import Stats
from citemark.checks.reports import _source_counts
from citemark.errors import ArgumentTypeError

SOURCES = [
    {"id": "quay", "title": "Quay report", "text": "It cost £421 in all."},
    {"id": "boats", "title": "Boats", "text": "Boats rot in salt water."},
    {"id": "tides", "title": "Tide tables", "text": "Spring tides rise."},
]
TEXTS = [
    "It cost £421 [1]. Boats “rot in salt water” [2].",
    "Spring tides rise [9]. Boats rot [2][2].",
    "Boats rot.",
    "They rise [9].",
    "Why?",
    None,
    7,
]


def rows(texts=TEXTS, *, sources=SOURCES, **options):
    chosen = BatchOptions(check=True, **options)
    return [
        annotate_row({"id": f"r{n}", "answer": text, "sources": sources}, chosen)
        for n, text in enumerate(texts)
    ]


def added(found, stats=None):
    stats = stats or Stats()
    for row in found:
        stats.add(row)
    return stats


def test_stats_add_up():
    """Each figure of a few rows."""
    stats = added(rows(), Stats(Sources(SOURCES)))
    stats.add_unread("out.jsonl, line 8", "is not JSON")
    known = stats.to_dict()
    [made_by] = known.pop("made_by")
    assert {n: count for n, count in known.pop("distribution").items() if count} == {
        "0 %": 2,
        "over 40 to 50 %": 1,
        "100 %": 1,
        "no claims": 1,
    }
    assert known.pop("figures")["coverage"] == 0.5
    assert known == {
        "version": 1,
        "rows": 7,
        "nulls": 1,
        "errors": 1,
        "unread": 1,
        "answers": 5,
        "citations": 4,
        "unresolved": 2,
        "unresolved_rate": 1 / 3,
        "cite_nothing": 3,
        "answers_with_unresolved": 2,
        "checked": 5,
        "mean_coverage": 0.375,
        "without_citation": {"not_followed": 1, "unknown_keys": 1, "no_claims": 1},
        "formats": {"number": 4},
        "dialects": known["dialects"],
        "issues": {"unresolved": 2},
        "errors_by_kind": {"TextTypeError": 1},
        "too_low": {},
        "most_cited": [
            {"id": "boats", "name": "Boats (boats)", "citations": 3},
            {"id": "quay", "name": "Quay report (quay)", "citations": 1},
        ],
        "most_cited_too_low": 0,
        "never_cited": [{"id": "tides", "name": "Tide tables (tides)"}],
        "never_cited_count": 1,
        "never_cited_is_whole": True,
        "error_rows": [
            {"name": "r6", "reason": "TextTypeError: answer: expected the text as str, not int"}
        ],
        "unread_rows": [{"name": "out.jsonl, line 8", "reason": "is not JSON"}],
    }
    assert (made_by["schema"], made_by["rows"]) == (SCHEMA, 7)
    assert "OPENAI" not in known["dialects"]
    assert known["dialects"]["PERPLEXITY"] == 2
    json.dumps(known, allow_nan=False)


def test_stats_of_nothing():
    """Nothing is divided by nothing."""
    known = Stats().to_dict()
    assert (known["unresolved_rate"], known["figures"]["coverage"]) == (None, None)
    assert "no citations" in Stats().to_text()
    assert problems(Stats().to_html()) == []


def test_rows_without_checks_have_no_coverage():
    """And why nothing is cited is told as far as it can be."""
    plain = [annotate_row({"answer": t, "sources": SOURCES}) for t in TEXTS]
    known = added(plain).to_dict()
    assert (known["checked"], known["distribution"]) == (0, {})
    assert known["without_citation"] == {"not_checked": 2, "unknown_keys": 1}
    assert "coverage" not in added(plain).to_text()
    assert "not known without checks" in added(plain).to_text()


@pytest.mark.parametrize("unresolved", ["keep", "mark", "drop"])
def test_unresolved_keys_count_whatever_is_shown_of_them(unresolved):
    """The rate is of the answers, not of the policy."""
    assert added(rows(unresolved=unresolved)).to_dict()["unresolved"] == 2


@given(st.lists(st.integers(0, len(TEXTS) - 1)), st.lists(st.integers(0, len(TEXTS) - 1)))
def test_merged_stats_are_those_of_all_rows(first, then):
    """Whoever counted what: as rows of one, or of parts that went through processes."""
    known = [ROWS[n] for n in first], [ROWS[n] for n in then]
    together = added([*known[0], *known[1]], Stats(Sources(SOURCES)))
    merged = Stats(Sources(SOURCES))
    for part in known:
        merged.merge(pickle.loads(pickle.dumps(added(part, Stats.of_part()))))  # noqa: S301  ours
    assert merged.to_dict() == together.to_dict()
    other = added(known[0], Stats(Sources(SOURCES)))
    other.merge(added(known[1], Stats(Sources(SOURCES))))
    assert other.to_dict() == together.to_dict()


ROWS = rows()


def test_tables_of_rows_are_read():
    """Nested columns are JSON text in them."""
    flat = [
        {k: json.dumps(v) if isinstance(v, (dict, list)) else v for k, v in row.items()}
        for row in ROWS
    ]
    assert added(flat).to_dict() == added(ROWS).to_dict()


def test_typed_tables_of_rows_are_read():
    """Maps are lists of pairs in them."""
    flat = [
        row
        | {
            "cited": row["cited"] and json.dumps(row["cited"]),
            "formats": row["formats"] and [*row["formats"].items()],
        }
        for row in ROWS
    ]
    assert added(flat).to_dict() == added(ROWS).to_dict()


GOOD = ROWS[0]


class Array:
    """As numpy has them: true or false of it is an error."""

    def __bool__(self):
        raise ValueError


BAD = {
    "no row of an output": {"id": "a", "answer": "Boats rot [1]."},
    "a schema that is none": GOOD | {"schema": "one"},
    "no JSON": GOOD | {"issues": "["},
    "an answer that is none": GOOD | {"cited": []},
    "sources that are none": GOOD | {"cited": GOOD["cited"] | {"sources": [{}]}},
    "a citation of no source": GOOD | {"citations": [{"number": 1, "id": "x", "count": 1}]},
    "a count below 0": GOOD | {"formats": {"number": -1}},
    "a count that is none": GOOD | {"formats": {"number": "many"}},
    "a share above 1": GOOD | {"checks": GOOD["checks"] | {"coverage": 7}},
    "checks without figures": GOOD | {"checks": {}},
    "no list of pairs": GOOD | {"formats": [1]},
    "arrays of arrays": GOOD | {"issues": Array()},
    "ids that are lists": GOOD | {"citations": [{"number": 1, "id": [], "count": 1}]},
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_are_counted_as_not_read(name):
    """Nothing of them is in the figures, and nothing raises."""
    stats = Stats()
    stats.add(BAD[name], name="line 3")
    known = stats.to_dict()
    assert (known["rows"], known["unread"], known["citations"]) == (0, 1, 0)
    assert known["unread_rows"][0]["name"] == "line 3"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from([*GOOD["cited"], "id", "count", "code"]), inner)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*GOOD]), VALUES))
def test_any_row_is_counted(changes):
    """As read or as not read, whatever is in it."""
    stats = Stats()
    stats.add(GOOD | changes)
    assert stats.rows + stats.unread == 1
    json.dumps(stats.to_dict(), allow_nan=False)
    assert problems(stats.to_html()) == []


@pytest.mark.slow
def test_memory_is_bounded(monkeypatch):
    """By the number of different things that are kept, not by that of rows; and it is told."""
    monkeypatch.setattr(module, "MAX_NAMES", 20)
    monkeypatch.setattr(_source_counts, "MAX_KEPT", 20)
    row = rows(["Boats rot [1]."])[0]

    def numbered(n):
        cited = row["cited"] | {"sources": [row["cited"]["sources"][0] | {"id": f"s{n}"}]}
        return row | {
            "id": f"r{n}",
            "cited": cited,
            "citations": [{"number": 1, "id": f"s{n}", "count": 1}],
            "issues": [{"code": f"odd{n}"}],
            "formats": {f"f{n}": 1},
            "error": f"Error{n}: {'x' * 900}",
            "options_digest": f"{n}",
        }

    stats = Stats()
    sizes = []
    tracemalloc.start()
    try:
        for n in range(9_000):
            stats.add(numbered(n))
            if n in (4_499, 8_999):  # what is cached is full by then
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[1] < 1.3 * sizes[0]
    known = stats.to_dict()
    assert 0 < known["most_cited_too_low"] <= 9_000 / 21
    assert {*known["too_low"]} == {"formats", "issues", "errors_by_kind"}
    assert "There are too many" in stats.to_text()
    assert "There are too many" in stats.to_html()


@pytest.mark.parametrize(
    ("errors", "kinds"),
    [
        ([f"line {n} is not JSON: Expecting value at column {n}" for n in range(1, 40)],
         {"line is not JSON": 39}),
        ([f"line {n}: the reader ended" for n in range(3)], {"the reader ended": 3}),
        (["row 1,204 has no answer", "row 7 has no answer"], {"row has no answer": 2}),
        (["HTTP 404: gone", "HTTP 500: down"], {"HTTP 404": 1, "HTTP 500": 1}),
        (["baseline 7 missing"], {"baseline 7 missing": 1}),
    ],
)  # fmt: skip
def test_errors_of_one_kind_are_counted_together(errors, kinds):
    """Wherever they are: the number of a line makes no kind of its own."""
    stats = Stats()
    row = annotate_row({"answer": None})
    for error in errors:
        stats.add(row | {"error": error})
    assert stats.to_dict()["errors_by_kind"] == kinds


def test_text_of_few_answers_has_no_plots():
    """A line for each; from a dozen answers on they are plots."""
    stats = Stats(Sources([{"id": "tides", "title": "Tide tables"}]))
    row = {"answer": "Boats rot [1].", "sources": [{"id": "boats"}]}
    for _ in range(11):
        stats.add(annotate_row(row, BatchOptions(check=True)))
    few = stats.to_text()
    assert "#" not in few
    assert "coverage (answers): 11 100 %" in few.splitlines()
    assert "never cited (1): Tide tables (tides)" in few.splitlines()
    stats.add(annotate_row(row, BatchOptions(check=True)))
    assert "  100 %            12  ##" in stats.to_text()


HOSTILE = '</title><script>alert(1)</script>\u202e<img src=x onerror="y">&amp;\x00\x1b[31m'


def hostile():
    """Return statistics in which every text is an attack."""
    sources = [{"id": HOSTILE, "title": HOSTILE, "url": "javascript:alert(1)"}, {"id": "a"}]
    row = annotate_row({"id": HOSTILE, "answer": "Boats [1].", "sources": sources})
    stats = Stats(Sources([{"id": f"{HOSTILE}2", "title": HOSTILE}]))
    stats.add(row)
    stats.add(
        row
        | {
            "error": HOSTILE,
            "formats": {HOSTILE: 1},
            "issues": [{"code": HOSTILE}],
            "version": HOSTILE,
            "options_digest": HOSTILE,
        }
    )
    stats.add_unread(HOSTILE, HOSTILE)
    return stats


def problems(html):
    """Return what is wrong with a page, told from its parsed tree."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    root = parser.parse(html)
    found = [code for _, code, _ in parser.errors]
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2]
        found += [] if tag in TAGS else [tag]
        found += [f"<{tag} {name}>" for name in set(element.keys()) - ATTRIBUTES]
    return found + re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", html)


TAGS = set(
    re.findall(
        r"\w+",
        "html head meta title style body main section h1 h2 bdi span strong dl dt dd div ul li "
        "p table thead tbody tr th td svg rect",
    )
)
ATTRIBUTES = set(
    re.findall(
        r"[\w-]+",
        "aria-hidden charset class content dir height http-equiv lang name "
        "preserveAspectRatio scope viewBox width",
    )
)


def test_page_of_hostile_rows_is_good():
    """No markup but ours, no script, and nothing to load."""
    html = hostile().to_html(title=HOSTILE)
    assert problems(html) == []
    assert "alert(1)" in html
    assert "src=x" not in html.replace("&lt;img src=x", "")


def test_text_of_hostile_rows_is_good():
    """Nothing that a terminal obeys, and no line that is too long."""
    text = hostile().to_text(width=50)
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text) == []
    assert max(map(len, text.splitlines())) <= 50


def test_page_has_all_plots_as_tables():
    """Each with a heading and heads of its columns; the bars say nothing more."""
    stats = added(rows(), Stats(Sources(SOURCES)))
    stats.add({}, name="out.jsonl, line 8")
    html = stats.to_html(title="May")
    assert re.findall(r"<h[12]>(.*?)</h[12]>", html) == [
        "May",
        "Coverage",
        "Answers without citation",
        "Most cited sources",
        "Formats of markers",
        "Dialects that read all of an answer",
        "Issues",
        "Errors by kind",
        "Never cited",
        "Rows with an error",
        "Rows that could not be read",
        "Made by",
    ]
    assert html.count("<table") == html.count('<th scope="col">') / 2 - 1
    assert html.count("<svg") == html.count('aria-hidden="true"')


def test_the_order_of_rows_does_not_show_in_their_mean():
    """Parts that are merged in any order give the same figures, to the last digit."""
    shares = [n / 7 for n in range(8)] * 3 + [0.1, 0.7, 1 / 3] * 5
    found = [{**ROWS[0], "checks": {**ROWS[0]["checks"], "coverage": one}} for one in shares]
    known = added(found).to_dict()
    assert added(reversed(found)).to_dict()["mean_coverage"] == known["mean_coverage"]
    for size in (1, 2, 5):
        merged = Stats()
        for start in range(0, len(found), size):
            merged.merge(added(found[start : start + size], Stats.of_part()))
        assert merged.to_dict() == known


def test_long_titles_keep_their_ids():
    """Two sources that are called alike can be told apart in a terminal, at any width."""
    sources = [{"id": f"doc-{n}", "title": "W" * 150} for n in range(2)]
    text = " ".join(["It cost £421 [1], or so [2]."] * 2)
    stats = added(rows([text] * 20, sources=sources), Stats(Sources([*sources, LONG])))
    for width in (40, 80, 120):
        lines = stats.to_text(width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert len([line for line in lines if "… (doc-0)  40" in line]) == 1
        assert len([line for line in lines if "… (doc-1)  40" in line]) == 1
        assert [line for line in lines if line.endswith("u9)")]


LONG = {"id": "u" * 80 + "9", "title": "Never"}


@pytest.mark.parametrize("workers", [-1, 1.5, True, "2"])
def test_a_number_of_workers_that_cannot_be_is_refused(tmp_path, workers):
    """Before anything is read."""
    path = written(tmp_path / "a.jsonl", ROWS)
    with pytest.raises((BatchOptionError, ArgumentTypeError), match="whole number"):
        stats_of([path], workers=workers)


def written(path, found):
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in found))
    return str(path)


def test_stats_of_files(tmp_path):
    """Of folders too; what stands beside an output is none; lines that are no rows are told."""
    written(tmp_path / "a.jsonl", ROWS)
    written(tmp_path / "a.jsonl.rejects.jsonl", [{"answer": 7}])
    written(tmp_path / "a.jsonl.manifest.jsonl", [{"event": "begin"}])
    (tmp_path / "_rejects").mkdir()
    written(tmp_path / "_rejects" / "b.jsonl", [{"answer": 7}])
    path = tmp_path / "b.jsonl"
    path.write_bytes(b'{"id": "x", "answer": "Boats [1]."}\n{"id"\n')
    assert output_files([str(tmp_path)]) == [str(tmp_path / "a.jsonl"), str(path)]
    stats = stats_of([str(tmp_path)], given=Sources(SOURCES))
    known = stats.to_dict()
    assert (known["rows"], known["unread"]) == (7, 2)
    assert known["unread_rows"][0] == {
        "name": f"{path}, line 1",
        "reason": 'is no row of an output: it has no "cited"',
    }
    assert "is not JSON" in known["unread_rows"][1]["reason"]


def test_stats_of_processes_are_the_same(tmp_path):
    """In the same order too."""
    path = written(tmp_path / "a.jsonl", ROWS * 100)
    tallies = []
    alone = stats_of([path], given=Sources(SOURCES))
    together = stats_of(
        [path],
        given=Sources(SOURCES),
        workers=2,
        report=lambda tally: tallies.append((tally.rows, tally.taken)),
    )
    assert together.to_dict() == alone.to_dict()
    assert tallies[-1] == (700, (tmp_path / "a.jsonl").stat().st_size)
    assert len(tallies) > 1

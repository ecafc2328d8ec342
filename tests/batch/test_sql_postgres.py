"""Answers in PostgreSQL: what is read and written, on a real server."""

from __future__ import annotations

import pytest
from postgres_kit import PASSWORD, QUOTED, ask
from sql_kit import RECORDS, answers, run
from sql_postgres_kit import fill, refused

from citemark.batch import BatchOptions
from citemark.batch.sql import SqlError, SqlSources
from citemark.batch.sql._pages import Pages
from citemark.batch.sql.outputs import stats_of_table
from citemark.batch.where import read_where

pytestmark = pytest.mark.slow

KEYS = {
    "bigint": [-(2**63), -1, 0, 2**63 - 1],
    "text": ["", "b'\"; DROP TABLE answers; --", "%s", "ä", "日本"],
    'text COLLATE "C"': ["B", "a", "ä"],
    "uuid": [f"{n:032x}" for n in (0, 10, 2**127)],
    "numeric": ["-1.50", "0", "1e30"],
    "timestamptz": ["2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:00.000002Z"],
    "bytea": [b"", b"\x00", b"\xff"],
    "double precision": [-0.1, 0.1, 1e300, float("nan")],
    "date": ["-infinity", "0044-03-15 BC", "2026-01-01", "infinity"],
    "interval": ["1 mon", "-2 days", "00:00:00.000001"],
    "int[]": ["{}", "{1}", "{1,2}", "{2}"],
    "inet": ["10.0.0.1", "10.0.0.1/24", "::1"],
    "int4range": ["[1,2)", "[3,5)", "empty"],
    "char(3)": ["a", "ab", "abc"],
    "bit(3)": ["001", "101"],
}


@pytest.mark.parametrize("key", KEYS)
def test_ids_of_any_type(url, monkeypatch, key):
    """What has an order is read page by page, and found again."""
    monkeypatch.setattr(Pages.after, "__defaults__", (2,))
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", 3)
    fill(url, [(one, "It is [1].", RECORDS) for one in KEYS[key]], key)
    assert run(url).go().rows == len(KEYS[key])
    assert run(url).go().kept == len(KEYS[key])
    join = "SELECT count(*) FROM answers JOIN answers_citations ON answer_id = id"
    assert ask(url, join) == [(len(KEYS[key]),)]
    [(shown,)] = ask(url, "SELECT id::text FROM answers ORDER BY id DESC LIMIT 1")
    assert run(url).explain(shown)["action"] == "keep"
    assert stats_of_table(url).rows == len(KEYS[key])


def test_settings_of_a_server_do_not_matter(url):
    """How it shows dates and bytes, and what it isolates."""
    ask(url, "CREATE TABLE answers (id timestamptz, answer text, day date, tenant uuid)")
    ask(
        url,
        "INSERT INTO answers SELECT timestamptz '2026-02-01 00:00Z' + n * interval '40 days', "
        "'One [1].', date '2026-02-03' + n, md5(n::text)::uuid FROM generate_series(0, 9) n",
    )
    odd = "%20-cdatestyle%3DSQL,DMY%20-cdefault_transaction_isolation%3Dserializable"
    assert run(url + odd).go().rows == 10
    assert run(url).go().kept == 10
    assert run(url, where=[read_where("day=2026-02-04")]).dry_run().kept == 1
    tenant = "c4ca4238-a0b9-2382-0dcc-509a6f75849b"
    assert run(url, where=[read_where(f"tenant={tenant}")]).dry_run().kept == 1


def test_a_database_that_can_only_be_read(url):
    """What would be done is told all the same, and what was."""
    ask(url, 'CREATE TABLE chunks (id text, "set" text, n int[], score numeric)')
    ask(url, "INSERT INTO chunks VALUES ('a', '1', '{1}', 0.25), ('b', '1', '{2}', NULL)")
    ask(url, "CREATE TABLE answers (id int PRIMARY KEY, answer text)")
    ask(url, "INSERT INTO answers VALUES (1, 'One [1].'), (2, 'One [1].')")
    tables = SqlSources("chunks", order="n")
    only_read = f"{url}%20-cdefault_transaction_read_only%3Don"
    assert run(only_read, tables=tables).dry_run().why == {"new": 2}
    run(url, tables=tables).go()
    assert run(only_read, tables=tables).dry_run().kept == 2
    sources = run(only_read, tables=tables).explain("1")["input"]["sources"]
    assert sources == [{"id": "a", "score": 0.25}, {"id": "b", "score": None}]
    assert stats_of_table(only_read).to_dict()["citations"] == 1


def test_names_are_quoted(url):
    """Whatever schemas, tables and columns are called, they are names and nothing else."""
    odd = "a\"; DROP TABLE x; -- %s ? 'q"
    quoted = '"' + odd.replace('"', '""') + '"'
    ask(
        url,
        f'CREATE SCHEMA "Sch.x"; CREATE TABLE "Sch.x".{quoted} ({quoted} int, "order" text)',
    )
    ask(url, f"INSERT INTO \"Sch.x\".{quoted} VALUES (1, 'It is [1].')")
    names = {"table": f'"Sch.x".{quoted}', "key": odd, "columns": {"answer": "order"}}
    assert run(url, **names).go().rows == 1
    assert run(url, **names).go().kept == 1
    assert ask(url, run(url, **names).failed_rows()) == []
    assert refused(run(url, table="x" * 60))[0] == "names"
    assert refused(run(url, table="ODD"))[1].endswith("there is no table 'ODD'")
    ask(url, "CREATE TABLE odd (x int)")
    assert refused(run(url, table="ODD"))[1].endswith("there is no table 'ODD', but 'odd'")


def test_new_changed_and_deleted_answers(url):
    """Found by digests; the table of the answers is one that the user may only read."""
    fill(url, answers(60))
    ask(url, f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'")
    schema = url.rpartition("%3D")[2]
    ask(url, f"GRANT SELECT ON answers TO reader; GRANT USAGE ON SCHEMA {schema} TO reader")
    reader = url.replace("ann:", "reader:")
    assert refused(run(reader))[0] == "refused"
    ask(url, f"GRANT CREATE ON SCHEMA {schema} TO reader")
    tally = run(reader).go()
    assert (tally.rows, tally.errors, tally.nulls) == (60, 2, 2)
    ask(
        url,
        "UPDATE answers SET answer = 'New [2].' WHERE id = 3; DELETE FROM answers WHERE id = 4",
    )
    tally = run(reader).go()
    assert (tally.rows, tally.kept, tally.deleted, tally.deleted_ids) == (1, 58, 1, ("4",))


def test_sources_of_a_table(url):
    """Ids as an array or JSON, or a set; a value that cannot be an id is not there."""
    ask(url, 'CREATE TABLE chunks (id int, "set" uuid, n int, title text, metadata jsonb)')
    name = "0" * 32
    ask(
        url,
        "INSERT INTO chunks VALUES (8, %s, 2, 'A', '{\"x\": 1}'), (9, %s, 1, 'B', NULL)",
        name,
        name,
    )
    ask(url, "CREATE TABLE answers (id int PRIMARY KEY, answer text, sources jsonb)")
    given = ["[8]", '["9", "8"]', f'"{name}"', '["x"]', '"may"']
    for n, sources in enumerate(given):
        ask(url, "INSERT INTO answers VALUES (%s, 'One [8], two [9].', %s)", n, sources)
    tables = SqlSources("chunks", order="n")
    run(url, BatchOptions(label="id"), tables=tables).go()
    found = ask(url, "SELECT citations, error FROM answers_citations ORDER BY answer_id")
    ids = [
        (citations and [one["id"] for one in citations], error) for citations, error in found
    ]
    missing = "RowSourcesError: sources: the table has none named"
    assert ids[:2] == [(["8"], None), (["8", "9"], None)]
    assert ids[3:] == [(None, f"{missing} 'x'"), (None, f"{missing} 'may'")]


def test_what_a_json_column_cannot_hold_is_stored_all_the_same(url):
    """NUL in a response, numbers of thousands of digits, lone surrogates."""
    ask(url, "CREATE TABLE answers (id int PRIMARY KEY, answer json, provider text)")
    odd = '{"content": "a\\u0000 [1] \\ud800"}', '{"content": ' + "9" * 5_000 + "}"
    for n, answer in enumerate(odd):
        ask(url, "INSERT INTO answers VALUES (%s, %s, 'openai')", n, answer)
    assert run(url).go().rows == 2


def test_faults_are_told_apart(server, url):
    """None of the messages has the password, however it is written."""
    fill(url, answers(3))
    assert refused(run(url.replace(QUOTED, "wr%40ng")))[0] == "unreachable"
    assert refused(run(url.replace(QUOTED, "s3cret/wörd")))[0] == "url"
    assert refused(run(f"{url}&pasword=s3cret"))[0] == "url"
    assert refused(run(url.replace(str(server.port), "1")))[0] == "unreachable"
    assert refused(run(url, table="nope"))[0] == "missing"
    ask(
        url, "CREATE TABLE unordered (id json, answer text); INSERT INTO unordered VALUES ('1')"
    )
    assert refused(run(url, table="unordered"))[0] == "keys"
    assert refused(run(f"{url}%20-cdefault_transaction_read_only%3Don"))[0] == "read-only"


@pytest.mark.parametrize(
    ("key", "id_", "setting"),
    [
        ("float8", "0.1 + n * 4e-17", "extra_float_digits=0"),
        ("float4", "1 + n * 2e-7", "extra_float_digits=0"),
        ("timestamptz", "'2026-11-01 04:00Z'::timestamptz + n * '30 min'::interval",
         "timezone=Asia/Kolkata"),
    ],
    ids=["float8", "float4", "timestamptz"],
)  # fmt: skip
def test_how_a_server_shows_ids_does_not_matter(url, monkeypatch, key, id_, setting):
    """Their text stands for them, where a page begins: neither rounded nor ambiguous."""
    monkeypatch.setattr(Pages.after, "__defaults__", (2,))
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", 3)
    monkeypatch.setattr(Pages, "write", _at_most(20, Pages.write))
    ask(url, f"CREATE TABLE answers (id {key} PRIMARY KEY, answer text)")
    ids = f"SELECT DISTINCT CAST({id_} AS {key}) FROM generate_series(1, 20) AS n"
    ask(url, f"INSERT INTO answers SELECT id, 'One [1].' FROM ({ids}) AS ids (id)")
    [(count,)] = ask(url, "SELECT count(*) FROM answers")
    odd = f"{url}%20-cdatestyle%3DSQL%20-c{setting.replace('=', '%3D', 1)}"
    assert run(odd).go().rows == count
    assert run(odd).dry_run().kept == run(url).dry_run().kept == count
    assert stats_of_table(odd).rows == count


def _at_most(count, write):
    """Stop a run that would go on for ever."""
    pages = []

    def bounded(self, made, options):
        pages.append(made)
        assert len(pages) <= count
        return write(self, made, options)

    return bounded


def test_days_are_compared_as_they_are_written_everywhere(url):
    """However the server shows them."""
    ask(url, "CREATE TABLE answers (id int PRIMARY KEY, answer text, day date)")
    ask(url, "INSERT INTO answers VALUES (1, 'One.', '2026-02-03'), (2, 'Two.', '2026-03-02')")
    given = {"where": [read_where("day=2026-02-03")]}
    assert run(f"{url}%20-cdatestyle%3DSQL,DMY", **given).go().rows == 1


def test_a_view_that_fails(url):
    """It is told of the database, as no row can tell it."""
    ask(url, "CREATE TABLE said (n text, answer text); INSERT INTO said VALUES ('x', 'One.')")
    ask(url, "CREATE VIEW answers AS SELECT n::int AS id, answer FROM said")
    for what in ("go", "dry_run", "state"):
        with pytest.raises(SqlError, match="invalid input syntax") as caught:
            getattr(run(url), what)()
        assert caught.value.fault == "failed"

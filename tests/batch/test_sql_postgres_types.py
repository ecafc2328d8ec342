"""Columns of PostgreSQL: types that change, domains, arrays, and texts of any bytes."""

from __future__ import annotations

import json

import psycopg
import pytest
from postgres_kit import ask
from sql_kit import OPTIONS, RECORDS, SIDE, refused, run

from citemark.batch import BatchOptions
from citemark.batch.sql import SqlSources

pytestmark = pytest.mark.slow

NO_UTF8 = "no UTF-8: the byte at"


def fill(url, key, *ids):
    """Make a table of answers that have such a key."""
    ask(url, f"CREATE TABLE answers (id {key} PRIMARY KEY, answer text, sources text)")
    for id_ in ids:
        add(url, id_)


def add(url, id_):
    ask(url, "INSERT INTO answers VALUES (%s, 'One [1].', %s)", id_, RECORDS)


def ids(url):
    return [
        id_ for (id_,) in ask(url, f"SELECT answer_id::text FROM {SIDE} ORDER BY answer_id")
    ]


@pytest.mark.parametrize(
    ("key", "later", "ids_"),
    [
        ("varchar(3)", "varchar(30)", ["a", "abcdefgh"]),
        ("numeric(4, 1)", "numeric(9, 3)", ["1.5", "1.501"]),
        ("char(2)", "char(4)", ["a", "abcd"]),
        ("timestamp(0)", "timestamp(6)", ["2026-01-01", "2026-01-01 00:00:00.25"]),
        ("varbit(2)", "varbit(9)", ["10", "101"]),
    ],
)
def test_ids_that_get_longer(url, key, later, ids_):
    """What is made has their type, without its length."""
    fill(url, key, ids_[0])
    assert run(url).go().rows == 1
    ask(url, f"ALTER TABLE answers ALTER id TYPE {later}")
    add(url, ids_[1])
    assert run(url).go().rows == 1
    join = f"SELECT count(*) FROM answers JOIN {SIDE} ON answer_id = id"
    assert ask(url, join)[0][0] == run(url).go().kept


@pytest.mark.parametrize(
    ("key", "later", "id_"),
    [("int", "bigint", 3_000_000_000), ("smallint", "numeric", "1.5"), ("int", "text", "x")],
)
def test_ids_that_get_another_type(url, key, later, id_):
    """It is said what to do, before anything is read; then all goes on, and a run too."""
    fill(url, key, 1, 2)
    run(url).go()
    ask(url, f"ALTER TABLE answers ALTER id TYPE {later}")
    add(url, id_)
    mend = f'ALTER TABLE "{SIDE}" ALTER answer_id TYPE {later}'
    for what in ("go", "dry_run"):
        fault, reason = refused(run(url), what)
        assert (fault, f"run {mend}, or name another one (into)" in reason) == ("keys", True)
    ask(url, mend)
    assert run(url).dry_run().makes == (f'"{SIDE}_work"',)
    tally = run(url, resume=True).go()
    assert (tally.rows, tally.kept) == (1, 2)
    assert sorted(ids(url)) == sorted(["1", "2", str(id_)])


@pytest.mark.parametrize(
    "domain",
    ["int NOT NULL", "int CHECK (value IS NOT NULL)", "whole NOT NULL CHECK (value < 9)"],
)
def test_ids_of_a_domain(url, domain):
    """Its values are; a range that is open has none."""
    ask(url, f"CREATE DOMAIN whole AS bigint; CREATE DOMAIN named AS {domain}")
    fill(url, "named", 1, 2)
    assert run(url).go().rows == 2
    add(url, 3)
    tally = run(url).go()
    assert (tally.rows, tally.kept) == (1, 2)


def test_ids_of_several_values_are_refused(url):
    """It is said what to do, which helps."""
    ask(url, "CREATE TYPE pair AS (x int, y text)")
    fill(url, "pair", "(1,a)", "(1,)")
    fault, reason = refused(run(url))
    assert (fault, reason.partition("; ")[0]) == ("keys", "'id' is of the composite type pair")
    assert ask(url, "SELECT to_regclass(%s)", SIDE) == [(None,)]
    ask(url, 'CREATE VIEW plain AS SELECT "id"::text, answer, sources FROM answers')
    assert run(url, table="plain").go().rows == 2


@pytest.mark.parametrize(
    ("type_", "given", "cited"),
    [
        ("mood[]", "{b,a}", ["b", "a"]),
        ("mood[]", "{}", []),
        ("word[]", "{b}", ["b"]),
        ("words", "{b,a}", ["b", "a"]),
        ("text[]", "{a}", ["a"]),
        ("varchar[]", "{}", []),
        ("mood", "b", ["b"]),
        ("record_[]", '{"(own,Mine)"}', ["own"]),
        ("record_[]", "{}", []),
        ("record_", "(own,Mine)", ["own"]),
        ("json[]", '{"{\\"id\\": \\"own\\"}"}', ["own"]),
    ],
)
def test_sources_of_any_array(url, type_, given, cited):
    """Its values are names, or records; none of them are none."""
    ask(url, "CREATE TYPE mood AS ENUM ('a', 'b'); CREATE DOMAIN word AS text")
    ask(url, "CREATE DOMAIN words AS text[]; CREATE TYPE record_ AS (id text, title text)")
    ask(url, 'CREATE TABLE chunks (id text, "set" text, n int)')
    ask(url, "INSERT INTO chunks VALUES ('a', 'x', 1), ('b', 'b', 1)")
    ask(url, f"CREATE TABLE answers (id int PRIMARY KEY, answer text, sources {type_})")
    ask(url, "INSERT INTO answers VALUES (1, 'One [1], two [2].', %s)", given)
    run(url, tables=SqlSources("chunks", order="n")).go()
    [(found, error)] = ask(url, f"SELECT citations, error FROM {SIDE}")
    assert (error, [one["id"] for one in found]) == (None, cited)
    assert run(url, tables=SqlSources("chunks", order="n")).go().kept == 1


@pytest.mark.parametrize(
    ("key", "column", "id_", "set_"),
    [
        ("numeric", "numeric", "1.0", "1"),
        ("numeric", "int", "1", "1"),
        ("char(4)", "char(6)", "a", "a"),
        ("timestamptz", "timestamptz", "2026-01-01 00:00Z", "2026-01-01 01:00+01"),
        ("text", "folded", "A", "a"),
        ("float8", "float8", "-0", "0"),
    ],
)
def test_the_database_says_which_set_is_meant(url, key, column, id_, set_):
    """As in a join: how a name is written does not matter."""
    if column == "folded":
        ask(url, "CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', "
            "deterministic = false)")  # fmt: skip
        column = "text COLLATE any_case"
    ask(url, f'CREATE TABLE chunks (id text, "set" {column}, n int)')
    ask(url, "INSERT INTO chunks VALUES ('c', %s, 2), ('b', %s, 1)", set_, set_)
    ask(url, f"CREATE TABLE answers (id {key} PRIMARY KEY, answer text)")
    ask(url, "INSERT INTO answers VALUES (%s, 'One [1], two [2].')", id_)
    run(url, tables=SqlSources("chunks", order="n")).go()
    [(citations,)] = ask(url, f"SELECT citations FROM {SIDE}")
    assert [one["id"] for one in citations] == ["b", "c"]


def test_what_is_read_is_not_written(url):
    """However it is named."""
    fill(url, "int", 1)
    run(url).go()
    before = ask(url, f"SELECT a::text FROM {SIDE} AS a")
    schema = url.rpartition("%3D")[2]
    given = {"key": "answer_id", "columns": {"answer": "cited"}}
    for table, into in ((SIDE, f"{schema}.{SIDE}"), (f'{schema}."{SIDE}"', SIDE)):
        assert refused(run(url, table=table, into=into, **given))[0] == "names"
    sources = SqlSources(f"{schema}.{SIDE}_work", id="number", order="number")
    assert refused(run(url, tables=sources))[0] == "names"
    assert ask(url, f"SELECT a::text FROM {SIDE} AS a") == before
    assert run(url, table=SIDE, into="other", **given).go().rows == 1


@pytest.fixture
def ascii_url(server):
    """A database that takes any bytes for texts."""
    url = server.url
    ask(url, "DROP DATABASE IF EXISTS bytes")
    ask(url, "CREATE DATABASE bytes ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'")
    yield url.replace("/postgres", "/bytes")
    ask(url, "DROP DATABASE bytes WITH (FORCE)")


def send(url, *statements):
    """Run statements of any bytes."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def test_texts_of_any_bytes(ascii_url):
    """Those that are no UTF-8 are errors of their rows, others are read; names too."""
    send(
        ascii_url,
        'CREATE TABLE "täfel" (id text, "wört" text, sources text[], dialect json)'.encode(),
        "INSERT INTO \"täfel\" VALUES ('a', 'Café [1].', '{}', NULL)".encode(),
        "INSERT INTO \"täfel\" VALUES ('é', 'It is.', NULL, NULL)".encode(),
        b"INSERT INTO \"t\xc3\xa4fel\" VALUES ('b', 'Caf\xe9 [1].', '{}', NULL)",
        b"INSERT INTO \"t\xc3\xa4fel\" VALUES ('c', 'x', '{x,\xff}', NULL)",
        b"INSERT INTO \"t\xc3\xa4fel\" VALUES ('d', 'x', '{}', '\"\xff\"')",
    )
    names = {"table": "täfel", "columns": {"answer": "wört"}, "into": SIDE}
    assert run(ascii_url, **names).go().errors == 3
    assert run(ascii_url, **names).go().kept == 5
    with psycopg.connect(ascii_url, client_encoding="utf8") as connection:
        found = dict(connection.execute(f"SELECT answer_id, error FROM {SIDE}").fetchall())
        text = f"SELECT rendered::text FROM {SIDE} WHERE answer_id = 'a'"
        [(rendered,)] = connection.execute(text).fetchall()
    assert json.loads(rendered)["text"].startswith("Café [1].")
    assert found == {
        "a": None,
        "é": None,
        "b": f"TextTypeError: answer: {NO_UTF8} 3 is 0xe9",
        "c": f"TextTypeError: sources: {NO_UTF8} 0 is 0xff",
        "d": f"TextTypeError: dialect: {NO_UTF8} 1 is 0xff",
    }
    assert run(ascii_url, **names).explain("é")["action"] == "keep"
    send(ascii_url, b"INSERT INTO \"t\xc3\xa4fel\" VALUES (E'\\xfe', 'x', NULL)")
    assert refused(run(ascii_url, **names)) == ("keys", rf"id: b'\xfe' is {NO_UTF8} 0 is 0xfe")


def test_runs_of_another_kind(url):
    """They are kept away as long as one lives; what it leaves is forgotten."""
    fill(url, "int", *range(60))
    other, seen = BatchOptions(to=("html",)), []

    def look(_):
        if not seen:
            seen.append(refused(run(url, other)))
            seen.append(run(url, other, into="elsewhere").go().rows)
            seen.append(run(url, resume=True).go().total)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("citemark.batch.sql._plan.RANGE", 10)
        patch.setattr("citemark.batch.sql._postgres.GONE", 2)
        run(url, report=look).go()
        fault, reason = seen[0]
        assert (fault, seen[1:]) == ("locked", [60, 50])
        assert reason.startswith("another run, with other options, is writing there (process ")

        def stop(_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run(url, other, report=stop).go()
    assert ask(url, f"SELECT count(*) FROM {SIDE}_work") == [(6,)]
    assert run(url).go().rows == 10
    assert ask(url, f"SELECT count(*) FROM {SIDE}_work") == [(0,)]
    assert run(url, other, resume=True).go().rows == 60
    digests = f"SELECT options_digest, count(*) FROM {SIDE} GROUP BY 1"
    assert ask(url, digests) == [(other.digest, 60)]
    run(url, OPTIONS).go()
    assert ask(url, digests) == [(OPTIONS.digest, 60)]

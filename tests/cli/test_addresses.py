"""Addresses of databases where names of files stand: none is a path, no password is shown."""

from __future__ import annotations

import re

import click
import pytest
from batch_kit import jsonl, row

from citemark._addresses import hidden, is_address, secrets_of, shown_address, without
from citemark.batch._faults import BatchFileError
from citemark.batch.outputs import stats_of
from citemark.batch.run import Run
from citemark.cli import main

SECRET = "hunter2"  # noqa: S105  of nobody
ADDRESSES = [
    "postgresql://ann:hunter2@h/db",
    "postgresql://ann:hunter2@h/x.jsonl",
    "POSTGRESQL://ann:hunter2@h/db",
    "postgresql+psycopg2://ann:hunter2@h/db",
    "postgresql:ann:hunter2@h/db",
    "postgres:ann:hunter2",
    "postgresql://ann:hunter2",
    "postgresql://h:1/db?password=abc@hunter2",
    "postgresql://h:1/db?sslpassword=hunter2",
    "postgresql://ann:pw/hunter2?@h/db",
    "mysql://ann:hunter2@h/db",
    "s3://key:hunter2@bucket/x.jsonl",
    "https://hunter2@example.org/x.jsonl",
    "https://example.org/x.jsonl?token=hunter2",
    "=postgresql://ann:hunter2@h/x.jsonl",
    "sqlite://ann:hunter2@x",
    "key-1:hunter2://x",
]
FILES = {"answer", "sources", "output", "request", "file", "files", "out", "inputs", "outputs"}
"""Names of parameters that are files."""

DATABASES = {("batch", "inputs"), ("stats", "outputs")}
"""Those that may be databases too."""

DATABASE = re.compile(r"(?i)(sqlite|postgres(ql)?):")

NEEDED = {
    "assets": ["--out=out"],
    "batch": ["in.jsonl", "-o", "out.jsonl", "--workers=0"],
    "check": ["in.jsonl", "--jsonl"],
    "render": ["in.jsonl", "-s", "in.jsonl"],
    "rerender": ["in.jsonl", "-o", "out.jsonl", "--workers=0"],
    "stats": ["in.jsonl"],
    "upgrade": ["in.jsonl", "-o", "out.jsonl", "--workers=0"],
}
"""What commands want besides."""

PARAMETERS = [
    (name, parameter)
    for name, command in main.commands.items()
    if name != "demo"
    for parameter in command.params
    if not getattr(parameter, "is_flag", False)
]


def given(name, parameter, address):
    """The arguments of a command, one of which is an address."""
    needed = NEEDED.get(name, [])
    if isinstance(parameter, click.Argument):
        return [name, *[one for one in needed if one != "in.jsonl"], address]
    return [name, *needed, f"{parameter.opts[0]}={address}"]


def asked(parameters, *, are_files):
    return [
        pytest.param(name, parameter, id=f"{name}-{parameter.name}")
        for name, parameter in parameters
        if (parameter.name in FILES) == are_files
    ]


@pytest.fixture
def folder(tmp_path):
    """A folder with an input."""
    (tmp_path / "in.jsonl").write_bytes(jsonl([row(1)]))
    return tmp_path


@pytest.mark.parametrize(("name", "parameter"), asked(PARAMETERS, are_files=True))
def test_an_address_is_never_taken_for_a_path(citemark, folder, name, parameter):
    """It is refused in a line, with nothing written; what is secret in it is not shown."""
    for address in ADDRESSES:
        if (name, parameter.name) in DATABASES and DATABASE.match(address):
            continue
        done = citemark(*given(name, parameter, address))
        assert (done.code, done.out, SECRET in done.err) == (2, "", False), done.err
        assert done.err.startswith("Error: ")
        assert ("no such file" in done.err, "ending" in done.err) == (False, False)
        assert [path.name for path in folder.iterdir()] == ["in.jsonl"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("name", "parameter"), asked(PARAMETERS, are_files=False))
def test_no_message_of_any_option_shows_a_password(citemark, name, parameter):
    """Whatever the option was for."""
    for address in ADDRESSES:
        assert SECRET not in citemark(*given(name, parameter, address)).err


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_is_no_command_and_what_is_too_much(citemark, address):
    """The library of the command line shows no password either."""
    for arguments in ([address], ["formats", address], ["render", "a.md", address]):
        done = citemark(*arguments)
        assert (done.code, SECRET in done.err) == (2, False)


@pytest.mark.parametrize(
    ("command", "address", "said"),
    [
        ("batch", "mysql://ann:pw@h/db", "mysql is no scheme that is read here; give a file"),
        ("batch", "postgresql+psycopg2://h/db", "sqlite:///FILE or postgresql://USER@HOST/NAME"),
        ("stats", "s3://bucket/x.jsonl", "sqlite:///FILE or postgresql://USER@HOST/NAME"),
        ("rerender", "sqlite:///chat.db", "is a database; only files of rows are read"),
        ("upgrade", "postgresql://ann@h/db", "is a database; only files of rows are read"),
        ("check", "sqlite:///chat.db", "is a database; give a file"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_what_can_be_given_is_told(citemark, command, address, said):
    """Which schemes there are, or what to do instead."""
    done = citemark(command, *[one for one in NEEDED[command] if one != "in.jsonl"], address)
    assert (done.code, said in done.err) == (2, True)


def test_the_sources_and_the_output_of_a_run_are_files(citemark, folder):  # noqa: ARG001
    """The messages say where tables are named."""
    done = citemark("batch", "in.jsonl", "-o", "x.jsonl", "-s", "sqlite:///a.db")
    assert "--sources-table names a table of the database that is IN" in done.err
    done = citemark("batch", "in.jsonl", "-o", "sqlite:///x.jsonl")
    assert "what is made of answers in a table stands beside it" in done.err


@pytest.mark.parametrize("address", [*filter(DATABASE.match, ADDRESSES)])
def test_a_database_with_options_of_files(citemark, address):
    """The message shows no password."""
    done = citemark("batch", address, "-o", "x.jsonl")
    assert (done.code, SECRET in done.err) == (2, False)


def test_a_scheme_may_be_in_capitals(citemark, tmp_path):
    """The path behind it stays as it is."""
    (tmp_path / "Chat.db").write_bytes(b"")
    for command in ("batch", "stats"):
        done = citemark(command, "SQLite:///Chat.db")
        assert done.err.startswith("Error: sqlite:///Chat.db: there is no table 'answers")


def test_a_file_that_is_called_like_an_address(citemark, folder):
    """A path to it says that it is one."""
    (folder / "in.jsonl").rename(folder / "sqlite:in.jsonl")
    names = ("./sqlite:in.jsonl", "-o", "./postgres:out.jsonl", "--workers=0")
    assert citemark("batch", *names).code == 0
    assert citemark("batch", *names, "--resume").code == 0
    assert citemark("stats", "./postgres:out.jsonl").code == 0
    assert citemark("stats", "sqlite:in.jsonl").code == 2


@pytest.mark.parametrize("address", ADDRESSES)
def test_runs_from_python_refuse_addresses(folder, monkeypatch, address):
    """As input, output or as an output that is counted; the error holds no password."""
    monkeypatch.chdir(folder)
    for refused in (
        lambda: Run([address], "x.jsonl").steps(),
        lambda: Run(["in.jsonl"], address, workers=0).go(),
        lambda: stats_of([address]),
    ):
        with pytest.raises(BatchFileError) as caught:
            refused()
        assert caught.value.fault == "format"
        assert SECRET not in f"{caught.value!r} {caught.value} {caught.value.path}"
    assert [path.name for path in folder.iterdir()] == ["in.jsonl"]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ann:p@ss@h:1,k:2/db?sslmode=require", "postgresql://ann@h:1,k:2/db"),
        ("postgresql://ann@[::1]:5432/db", "postgresql://ann@[::1]:5432/db"),
        ("postgresql:///db?host=/tmp/x", "postgresql:///db"),
        ("postgres:ann:pw@h/db", "postgres:ann@h/db"),
        ("mysql://ann:pw@h/db", "mysql://***@h/db"),
        ("postgresql://ann:12?34@h/db", "postgresql://***"),
        ("sqlite:///a@b.db", "sqlite:///a@b.db"),
    ],
)
def test_what_is_shown_of_an_address(address, shown):
    """User, host and database of those that are known; in doubt less."""
    assert is_address(address)
    assert shown_address(address) == shown


def test_what_is_no_address_has_no_secrets():
    """But a password that is called one: columns and conditions stay readable."""
    for text in ("key=rank", "token~abc", "answer=body", "a.jsonl", "--workers=2"):
        assert secrets_of(text) == []
    assert secrets_of(f"host=h user=ann password='{SECRET}'") == [SECRET]


def test_names_of_files_are_no_addresses():
    """Colons alone make none."""
    for name in ("-", "a.jsonl", "C:/a.jsonl", "may:2026.jsonl", "./postgres:a.jsonl", "a//b"):
        assert not is_address(name)


@pytest.mark.parametrize("address", ADDRESSES)
def test_secrets_are_hidden_wherever_they_stand(address):
    """As written, and as a library may quote them; words of messages stay."""
    said = without(secrets_of(address), f"cannot find the host {SECRET!r} of {address[1:]}")
    assert SECRET not in said
    assert said.startswith("cannot find the host '***' of ")


@pytest.mark.parametrize(
    ("given", "text", "said"),
    [
        (
            "postgresql://postgres:postgres@h/postgres",
            "postgresql://postgres@h/postgres: no password for postgres",
            "postgresql://postgres@h/postgres: no password for ***",
        ),
        ("mysql://ann:e@h/d", "mysql://ann:e@h/d: is no mysql", "mysql://***@h/d: is no mysql"),
        ("postgres://app:a@h/app", "connection failed: at h", "connection failed: at h"),
        ("./file://x", "give a file or folder", "give a file or folder"),
        ("password=hunter2", "no password=hunter2", "no password=***"),
    ],
)
def test_messages_stay_readable(given, text, said):
    """The address stands in them as it may be shown; a short password is everywhere."""
    assert hidden(text, given) == said

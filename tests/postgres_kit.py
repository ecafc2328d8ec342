"""A PostgreSQL server of the tests' own, in a temporary folder and on a free port."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import pytest

psycopg = pytest.importorskip("psycopg")

PASSWORD = "s3cret/wörd"  # noqa: S105  of a server that lives for seconds
QUOTED = "s3cret%2Fw%C3%B6rd"


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs; None if it is not installed."""
    found = shutil.which("pg_ctl")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


class Server:
    """A server, which root starts as somebody else: PostgreSQL does not run as root."""

    def __init__(self, folder: Path) -> None:
        self._programs = folder
        names = {one.pw_name for one in pwd.getpwall()}
        other = "postgres" if "postgres" in names else "nobody"
        self._user = getpass.getuser() if os.geteuid() else other
        self.home = Path(tempfile.mkdtemp(prefix="citemark-postgres-"))
        shutil.chown(self.home, self._user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        secret = self.home / "password"
        secret.write_text(PASSWORD + "\n", "utf-8")
        secret.chmod(0o644)
        options = ["-D", self.home / "data", "-U", "ann", "-A", "scram-sha-256"]
        options += ["--pwfile", secret, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        self._run("initdb", *options)

    @property
    def url(self) -> str:
        return f"postgresql://ann:{QUOTED}@127.0.0.1:{self.port}/postgres"

    def start(self, *, is_safe: bool = False) -> None:
        """Start it; unless it has to be safe from power cuts, it does not wait for the disk."""
        settings = f"-p {self.port} -h 127.0.0.1 -k '{self.home}'" + ("" if is_safe else " -F")
        log = self.home / "log"
        self._run("pg_ctl", "start", "-w", "-D", self.home / "data", "-l", log, "-o", settings)

    def stop(self) -> None:
        """Stop as a power cut does."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self.home / "data")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.home)

    def _run(self, program: str, *arguments: object) -> None:
        who = {} if os.geteuid() else {"user": self._user, "group": self._group}
        command = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(command, check=True, cwd=self.home, capture_output=True, **who)

    @property
    def _group(self) -> int:
        return pwd.getpwnam(self._user).pw_gid


_SHARED = []
_SCHEMAS = count()


def shared_server(request):
    """Return a server that all tests of a session share; it runs, when a test begins."""
    folder = programs()
    if folder is None:
        reason = "PostgreSQL is not installed (Debian: apt-get install postgresql)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    if not _SHARED:
        server = Server(folder)
        server.start()
        _SHARED.append(server)
        request.config.add_cleanup(server.remove)
    return _SHARED[0]


def ask(url, statement, *values):
    """Return what a statement gives."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []


def own_schema(server):
    """Return the URL of a schema of a test's own."""
    name = f"test{next(_SCHEMAS)}"
    ask(server.url, f"CREATE SCHEMA {name}")
    return f"{server.url}?options=-csearch_path%3D{name}"

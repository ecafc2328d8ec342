"""``citemark demo``: it says where the page is, and ends when it is told to."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import httpx
import pytest

WAIT = 20


@pytest.fixture
def demo():
    """The command on a free port, with the address that it prints."""
    command = [sys.executable, "-m", "citemark", "demo", "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    with process:
        yield process, process.stdout.readline().strip()
        process.kill()


def test_page_is_served_until_an_interrupt(demo):
    """An open stream does not keep the server, and nothing is said that would frighten."""
    process, address = demo
    assert httpx.get(address).status_code == 200
    path = f"{address}answers/01-support-answer/events?speed=slow"
    with httpx.stream("GET", path, timeout=WAIT) as response:
        assert next(response.iter_lines()) == "id: 1"
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT) == 0
    assert process.stdout.read() == ""
    assert process.stderr.read() == "Ctrl-C ends it.\n"


def test_port_that_is_taken(citemark):
    """It is said what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = citemark("demo", "--port", str(port))
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        f"Error: --port {port}: cannot be used: Address already in use; give another one, "
        "or 0 for any\n"
    )


def test_without_the_extra(citemark, monkeypatch):
    """It is said what to install."""
    for name in [name for name in sys.modules if name.startswith("citemark.demo")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    result = citemark("demo")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "Error: demo: needs starlette.applications; run: pip install 'citemark[demo]', "
        "in a checkout '.[demo]'\n"
    )


def test_browser_is_opened_on_request(citemark, monkeypatch):
    """With the address that is served."""
    opened = []
    monkeypatch.setattr("click.launch", opened.append)
    monkeypatch.setattr("citemark.demo.serve", lambda port, said: said(f"http://x:{port}/"))
    assert citemark("demo", "--open", "--port", "1").out == "http://x:1/\n"
    assert opened == ["http://x:1/"]

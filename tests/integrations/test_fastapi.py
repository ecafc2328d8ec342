"""The example for FastAPI, in a real uvicorn, read by a real client."""

from __future__ import annotations

import importlib.util
import json
import threading
from pathlib import Path

import pytest
from server_kit import WAIT, client_of, wait_until

EXAMPLE = Path(__file__).parents[2] / "examples" / "fastapi_stream.py"
TEXT = "The last ferry leaves at 21:40 [1]. A return is 18 [2]."


@pytest.fixture(scope="module")
def example():
    """The module of the example."""
    spec = importlib.util.spec_from_file_location("fastapi_stream", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def client(example):
    """A client of a server that runs the example."""
    with client_of(example.app) as client:
        yield client


def parsed(lines):
    """Yield id, name and data of the events in lines, as a browser reads them."""
    fields = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield int(fields["id"]), fields["event"], json.loads(fields["data"])
            fields = {}


def read(client, name, last=None, count=None):
    """Read an answer, to its end or a number of events; return the events."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    with client.stream("GET", f"/answers/{name}", headers=headers) as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert response.headers["cache-control"] == "no-store"
        got = []
        for event in parsed(response.iter_lines()):
            got.append(event)
            if len(got) == count:
                break
        return got


def raw(event):
    _, name, data = event
    return data.get("content", "") if name == "text" else data.get("raw", "")


def test_whole_answer(client):
    """Text and citations in order are what the model wrote; the end has the HTML."""
    got = read(client, "whole")
    assert [number for number, _, _ in got] == list(range(1, len(got) + 1))
    assert "".join(map(raw, got)) == TEXT
    assert [data["title"] for _, name, data in got if name == "source"] == [
        "Ferry timetable",
        "Fares",
    ]
    _, name, data = got[-1]
    assert (name, data["status"]) == ("done", "complete")
    assert 'role="doc-endnotes"' in data["html"]


def test_reader_who_comes_back(client, example):
    """After a break the rest follows, of an answer that has gone on meanwhile."""
    first = read(client, "broken", count=2)
    wait_until(lambda: example.answer("broken").is_closed)
    rest = read(client, "broken", last=first[-1][0])
    assert first + rest == read(client, "broken")
    assert [name for _, name, _ in rest][-1] == "done"


def test_two_readers_at_once(client):
    """Both get all of the same answer, though the model is asked once."""
    both = {}
    threads = [
        threading.Thread(target=lambda n=n: both.update({n: read(client, "shared")}))
        for n in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert both[0] == both[1] == read(client, "shared")

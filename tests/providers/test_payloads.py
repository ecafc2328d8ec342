"""Every recorded shape of every provider gives what is expected of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from by_design import BY_DESIGN
from neutral import differences

from citemark import providers

CORPUS = Path(__file__).resolve().parents[1] / "corpora" / "providers"
EXPECTED = sorted(path.name.removesuffix(".json") for path in (CORPUS / "expected").iterdir())


def events_of(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def request_of(expected: dict[str, object]) -> object:
    name = expected.get("request")
    return json.loads((CORPUS / "payloads" / str(name)).read_text("utf-8")) if name else None


@pytest.mark.parametrize("name", EXPECTED)
def test_payload_gives_what_is_expected(name: str) -> None:
    """Texts, places, sources and quotes, from a response or from the events of a stream."""
    expected = json.loads((CORPUS / "expected" / f"{name}.json").read_text("utf-8"))
    request = request_of(expected)
    path = CORPUS / "payloads" / expected["payload"]
    if path.suffix == ".jsonl":
        events = events_of(path)
        stream = providers.adapter(providers.recognise(events[0])).StreamAdapter(
            request=request
        )
        for event in events:
            stream.feed(event)
        stream.close()
        answer = stream.answer
    else:
        answer = providers.parse(json.loads(path.read_text("utf-8")), request=request)

    assert bool(differences(answer, expected)) == (name in BY_DESIGN)

"""Payloads with pieces missing, null, of another type, or out of all measure."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

__all__ = ["answer_of_events", "chunked", "damaged", "payload", "unclosed"]

PAYLOADS = Path(__file__).resolve().parents[1] / "corpora" / "providers" / "payloads"
JUNK = (
    None, True, 0, -1, 1, 7, 2**70, -(2**70), 1.5, float("inf"), float("nan"), "", "x", "1",
    "9" * 5_000, "\ud83d", "[1]", [], {}, [None], [[]], ["x", 3], {"type": "text"}, {"x": {}},
)  # fmt: skip
MISSING = object()


def payload(name: str) -> Any:
    """Return a recorded response, or the events of a stream."""
    text = (PAYLOADS / name).read_text("utf-8")
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return json.loads(text)


def answer_of_events(adapter: Any, events: list[Any], **options: Any) -> Any:
    """Return the answer of events; what was given out must add up to it."""
    stream = adapter.StreamAdapter(**options)
    for event in events:
        stream.feed(event)
    stream.close()
    return stream.answer


def unclosed(answer: Any) -> dict[str, Any]:
    """Return the answer of a stream without its last event, less the issue that says so."""
    told: dict[str, Any] = answer.to_dict()
    [missing] = [issue for issue in told["issues"] if issue["code"] == "incomplete"]
    told["issues"].remove(missing)
    return told


def chunked(text: str, size: int = 3) -> list[str]:
    """Return a text in pieces."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all values in a payload."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    return [path, *(found for key, item in items for found in paths(item, (*path, key)))]


@st.composite
def damaged(draw: Any, value: Any) -> Any:
    """Draw a payload with one to four places damaged."""
    whole = [copy.deepcopy(value)]
    for _ in range(draw(st.integers(1, 4))):
        found = [path for path in paths(whole[0]) if path] or [()]
        path = draw(st.sampled_from(found))
        junk = draw(st.sampled_from((MISSING, *JUNK)))
        at: Any = whole
        for key in (0, *path)[:-1]:
            at = at[key]
        key = (0, *path)[-1]
        if junk is not MISSING:
            at[key] = copy.deepcopy(junk)
        elif path:
            del at[key]
    return whole[0]

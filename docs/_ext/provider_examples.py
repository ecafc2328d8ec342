"""The examples of providers, run on recorded responses in place of the providers' clients.

``python docs/_ext/provider_examples.py`` writes below each example what it prints; a test says
when that is due.
"""

from __future__ import annotations

import builtins
import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from citemark import render

__all__ = ["PAGE", "Example", "Run", "examples", "page_with_output", "run"]

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "provider_examples.md"
PAYLOADS: Final = ROOT / "tests" / "corpora" / "providers" / "payloads"

_EXAMPLE: Final = re.compile(
    r"""^<!--[ ](?P<files>[^>\n]+)[ ]-->\n```python\n(?P<code>.*?)^```\n
        (?:\n```text\n(?P<shown>.*?)^```\n)?""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_ADAPTER: Final = re.compile(r"^from citemark\.providers import (\w+)$", re.MULTILINE)


class Example(NamedTuple):
    """An example of the page."""

    provider: str
    """The adapter that it is about."""

    files: tuple[str, ...]
    """Names of what the provider sent: a response, events, the request; in any order."""

    code: str
    """What is run."""

    shown: str
    """What it prints, as the page has it."""


class Run(NamedTuple):
    """What became of an example."""

    printed: str
    """What it printed."""

    names: dict[str, Any]
    """The values of its names."""

    has_events: bool
    """Whether the events of a stream of it were recorded."""


class _Events(list[Any]):
    """Events, also as Amazon's library gives them: below a name."""

    def __getitem__(self, name: Any) -> Any:  # noqa: ANN401  a name, or an index
        return self if isinstance(name, str) else super().__getitem__(name)


class _Called:
    """Whatever an example names and does not define: called, it answers as the provider did."""

    def __init__(self, response: object, events: _Events, path: str) -> None:
        self._response, self._events, self._path = response, events, path

    def __getattr__(self, name: str) -> _Called:
        return _Called(self._response, self._events, f"{self._path}.{name}")

    def __call__(self, *_: object, **options: object) -> object:
        is_stream = re.search("stream|events|sse", self._path) or options.get("stream")
        if self._path == "chat.stream":  # xAI: all so far, and what is new
            return [(self._response, event) for event in self._events]
        return self._events if is_stream else self._response


class _Names(dict[str, Any]):
    """Names of an example; those that nobody defined stand for what a user has."""

    def __init__(self, response: object, events: _Events) -> None:
        super().__init__(render=render, messages=[], documents=[], messages_with_documents=[])
        self._given = response, events

    def __missing__(self, name: str) -> _Called:
        if hasattr(builtins, name):
            raise KeyError(name)
        return _Called(*self._given, name)


def examples() -> list[Example]:
    """Return the examples of the page, in its order."""
    return [_example(found) for found in _EXAMPLE.finditer(PAGE.read_text("utf-8"))]


def run(example: Example) -> Run:
    """Run an example on what the provider sent."""
    names = {_kind(name): _read(name) for name in example.files}
    response = names.get("response", _Events(names.get("events", ())))
    events = _Events(names.get("events", [response]))
    found = _Names(response, events)
    if "request" in names:
        found["request"] = names["request"]
    out = StringIO()
    with redirect_stdout(out):
        exec(example.code, found)  # noqa: S102  the page is ours
    return Run(out.getvalue(), found, "events" in names)


def page_with_output() -> str:
    """Return the page with what its examples print now."""

    def written(found: re.Match[str]) -> str:
        head = found[0].partition("\n```text\n")[0]
        return f"{head}\n```text\n{run(_example(found)).printed}```\n"

    return _EXAMPLE.sub(written, PAGE.read_text("utf-8"))


def _example(found: re.Match[str]) -> Example:
    [provider] = _ADAPTER.findall(found["code"])
    return Example(provider, tuple(found["files"].split()), found["code"], found["shown"] or "")


def _kind(file: str) -> str:
    if file.endswith(".jsonl"):
        return "events"
    return "request" if file.endswith(".request.json") else "response"


def _read(name: str) -> Any:  # noqa: ANN401  whatever the provider sent
    text = (PAYLOADS / name).read_text("utf-8")
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return json.loads(text)


if __name__ == "__main__":
    PAGE.write_text(page_with_output(), "utf-8")

"""Run all benchmarks, keep the figures, and write their tables.

All rows are in the README beside this script, a few in that of the project.

    python benchmarks/run.py [EFFORT]

EFFORT, 1 if not given, scales the number of rounds and the length of the texts; figures of any
other are printed only.  Each subject runs in a process of its own.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Any

from bench_peers import PEERS
from measure import Row

HERE = Path(__file__).resolve().parent
README = HERE.parent / "README.md"
PAGE = HERE / "README.md"
RESULTS = HERE / "results"
SUBJECTS = (
    "markers",
    "stream",
    "growth",
    "memory",
    "html",
    "import",
    "offsets",
    "providers",
    "checks",
    "quotes",
    "batch",
    "arrow",
    "sql",
    "peers",
)
LIBRARIES = ("citemark", "markdown-it-py", "jinja2", "regex")
RIVALS = {"haystack-ai", "cohere_melody"}

START, END = "<!-- benchmarks -->\n", "<!-- /benchmarks -->"
HEAD = "| What | citemark | Rival | Ratio | Target | Met |\n|---|--:|--:|--:|---|---|\n"
HEADLINES = (
    "Find markers, 3 kB slices of the examples",
    "`AnswerStream.feed`, one chunk of 4",
    "HTML of an example answer",
    "`import citemark`; loads no library",
    "`cite` a 3 kB answer, `[1]` only",
)
"""What the README of the project shows; the rest is a click away."""

TARGETS = {
    "ratio": "≤ {limit:g} × rival",
    "ours": "≤ {limit:g} {unit}",
    "difference": "≤ {limit:g} {unit} more",
}


def main() -> None:
    """Run, print, and keep what was a full run."""
    effort = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    result = {**_circumstances(), "rows": {name: _run(name, effort) for name in SUBJECTS}}
    print(table(result))
    if effort == 1:
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{version('citemark')}.json"
        path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
        for path, text in ((README, headlines(result)), (PAGE, table(result))):
            path.write_text(between_marks(path.read_text("utf-8"), text), "utf-8")


def newest_result() -> dict[str, Any]:
    """Return the stored result that is the youngest."""
    results = (json.loads(path.read_text("utf-8")) for path in RESULTS.glob("*.json"))
    newest: dict[str, Any] = max(results, key=lambda result: result["date"])
    return newest


def between_marks(page: str, text: str) -> str:
    """Return a page with a text between its two comments."""
    before, _, rest = page.partition(START)
    return before + START + "\n" + text + "\n" + END + rest.partition(END)[2]


def table(result: dict[str, Any]) -> str:
    """Return a result in Markdown: what it was measured with, and a line for each row."""
    return f"{_measured(result)}\n\n{HEAD}{''.join(map(_line, _rows(result)))}"


def headlines(result: dict[str, Any]) -> str:
    """Return the rows that tell most, and how many targets are missed."""
    rows = _rows(result)
    judged = [row for row in rows if row.is_met is not None]
    missed = sum(not row.is_met for row in judged)
    shown = [row for row in rows if row.what in HEADLINES]
    return (
        f"{_measured(result)} {missed} of {len(judged)} targets are missed: "
        "[all figures, and how they are measured](benchmarks/README.md).\n\n"
        f"{HEAD}{''.join(map(_line, shown))}"
    )


def _rows(result: dict[str, Any]) -> list[Row]:
    return [Row(**row) for rows in result["rows"].values() for row in rows]


def _measured(result: dict[str, Any]) -> str:
    machine = result["machine"]
    return (
        f"Least times of `make bench` on {result['date']}: {machine['python']}, "
        f"{machine['cpus']} CPUs ({machine['architecture']})."
    )


def _line(row: Row) -> str:
    rival = "–" if row.rival is None else f"{_figure(row.rival)} {row.unit}, {row.against}"
    ratio = "–" if row.ratio is None else f"{row.ratio:.2f}"
    target = (
        "–" if row.limit is None else TARGETS[row.judged].format(limit=row.limit, unit=row.unit)
    )
    met = {True: "yes", False: "**no**", None: "–"}[row.is_met]
    ours = f"{_figure(row.ours)} {row.unit}"
    return f"| {row.what} | {ours} | {rival} | {ratio} | {target} | {met} |\n"


def _figure(value: float) -> str:
    """Return a number with three digits, never as a power of ten."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}".rstrip(".")  # noqa: PLR2004  three digits


def _run(subject: str, effort: float) -> list[dict[str, Any]]:
    print(f"{subject} ...", file=sys.stderr, flush=True)
    command = [sys.executable, str(HERE / f"bench_{subject}.py"), str(effort)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout  # noqa: S603  our own script
    rows: list[dict[str, Any]] = json.loads(output)
    return rows


def _circumstances() -> dict[str, Any]:
    """Return what the figures depend on, without anything that tells whose machine it is."""
    peers = distributions(path=[str(PEERS)])
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            "system": platform.system(),
            "architecture": platform.machine(),
            "cpus": os.cpu_count(),
        },
        "versions": {name: version(name) for name in LIBRARIES}
        | {peer.name: peer.version for peer in peers if peer.name in RIVALS},
    }


if __name__ == "__main__":
    main()

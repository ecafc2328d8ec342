"""Run all benchmarks, keep the figures, and write the table of the README.

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
RESULTS = HERE / "results"
SUBJECTS = ("markers", "stream", "growth", "memory", "html", "import", "offsets", "peers")
LIBRARIES = ("citemark", "markdown-it-py", "jinja2", "regex")
RIVALS = {"haystack-ai", "cohere_melody"}

START, END = "<!-- benchmarks -->\n", "<!-- /benchmarks -->"
HEAD = "| What | citemark | Rival | Ratio | Target | Met |\n|---|--:|--:|--:|---|---|\n"
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
        README.write_text(readme_with_table(README.read_text("utf-8"), result), "utf-8")


def newest_result() -> dict[str, Any]:
    """Return the stored result that is the youngest."""
    results = (json.loads(path.read_text("utf-8")) for path in RESULTS.glob("*.json"))
    newest: dict[str, Any] = max(results, key=lambda result: result["date"])
    return newest


def readme_with_table(readme: str, result: dict[str, Any]) -> str:
    """Return the README with the table of a result between its two comments."""
    before, _, rest = readme.partition(START)
    return before + START + "\n" + table(result) + "\n" + END + rest.partition(END)[2]


def table(result: dict[str, Any]) -> str:
    """Return a result in Markdown: what it was measured with, and a line for each row."""
    rows = (Row(**row) for rows in result["rows"].values() for row in rows)
    machine = result["machine"]
    return (
        f"Least times of `make bench` on {result['date']}: {machine['python']}, "
        f"{machine['cpus']} CPUs ({machine['architecture']}). "
        "What is measured, and how: [benchmarks](benchmarks/README.md).\n\n"
        + HEAD
        + "".join(map(_line, rows))
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

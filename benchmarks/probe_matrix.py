"""What citemark and its rivals find in the probes of ``tests/corpora/probes.jsonl``.

    make build/peers && .venv/bin/python benchmarks/probe_matrix.py

writes the tables of ``docs/probes.md``.  A rival that is not installed is left out, and that
is said.  How each is asked: ``probe_systems.py``.
"""

from __future__ import annotations

import platform
import re
import sys
from importlib.metadata import version
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench_peers import PEERS
from probe_systems import SYSTEMS, Probe, System, found, read_probes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "probes.md"
START, END = "<!-- probes -->\n", "<!-- /probes -->"

RIGHT, NOTHING = "✓", "–"


def cell(system: System, probe: Probe) -> str:
    """Return a tick, or what was found in its place."""
    ids = found(system, probe)
    return RIGHT if set(ids) == set(probe.expected) else _names(ids)


def _names(ids: Iterable[str]) -> str:
    return ", ".join(map(code, ids)) or NOTHING


def code(text: str) -> str:
    """Return a text as a code span for a table: what is invisible is shown, pipes are kept."""
    text = re.sub(r"[\ue000-\uf8ff]", lambda sign: f"‹U+{ord(sign[0]):04X}›", text.rstrip("\n"))
    text = re.sub(r"\n", " ⏎ ", re.sub(r" {2,}", lambda run: "␣" * len(run[0]), text))
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}".replace("|", r"\|")


def row_start(probe: Probe) -> str:
    """Return the cells of a row that need no rival: text and who writes so, sources, ours."""
    chosen = [f"`{name}`" for name in probe.formats] + ["lenient"] * probe.lenient
    setting = f" ({', '.join(chosen)})" if chosen else ""
    text = f"{code(probe.text)} *{probe.form}*{setting}"
    return f"| {text} | {_names(probe.expected)} | {cell(SYSTEMS[0], probe)} |"


def tables(probes: Sequence[Probe], systems: Sequence[System]) -> str:
    """Return what stands between the comments of the page."""
    groups = {name: list(group) for name, group in groupby(probes, lambda probe: probe.group)}
    cells = {(s.name, p.id): cell(s, p) for s in systems for p in probes}
    parts = [_versions(systems), _totals(groups, systems, cells)]
    parts += ["".join(f"- **{system.name}**: {system.about}\n" for system in systems)]
    for name, group in groups.items():
        head = _line(["Answer, and *who writes so*", "Cites", *(s.name for s in systems)])
        lines = (
            f"{row_start(p)} {' | '.join(cells[s.name, p.id] for s in systems[1:])} |\n"
            for p in group
        )
        parts.append(f"## {name}\n\n{head}{_rule(systems)}" + "".join(lines))
    return "\n".join(parts)


def _versions(systems: Sequence[System]) -> str:
    packages = dict.fromkeys(system.package for system in systems)
    missing = dict.fromkeys(s.package for s in SYSTEMS if s.package not in packages)
    left_out = f" Not installed, and so left out: {', '.join(missing)}." if missing else ""
    measured = ", ".join(f"{package} {version(package)}" for package in packages)
    return f"Run with {measured}; Python {platform.python_version()}.{left_out}\n"


def _totals(
    groups: dict[str, list[Probe]],
    systems: Sequence[System],
    cells: dict[tuple[str, str], str],
) -> str:
    everything = {**groups, "**All**": [probe for group in groups.values() for probe in group]}
    lines = [_line(["Right", "of", *(s.name for s in systems)]), _rule(systems)]
    for name, group in everything.items():
        right = [sum(cells[s.name, p.id] == RIGHT for p in group) for s in systems]
        lines.append(_line([name, str(len(group)), *map(str, right)]))
    return "".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _rule(systems: Sequence[System]) -> str:
    return _line(["---", "---", *(":-:" for _ in systems)])


def main() -> None:
    """Write the tables into the page."""
    sys.path.append(str(PEERS))  # last: what both need is ours
    systems = [system for system in SYSTEMS if find_spec(system.module)]
    for package in dict.fromkeys(s.package for s in SYSTEMS if s not in systems):
        print(f"{package} is not installed: left out", file=sys.stderr)
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    text = tables(read_probes(), systems)
    PAGE.write_text(f"{before}{START}\n{text}\n{END}{rest.partition(END)[2]}", "utf-8")


if __name__ == "__main__":
    main()

"""``import citemark`` in a fresh interpreter against a bare one."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from measure import Row, best, main

HEAVY = {"click", "jinja2", "markdown_it", "pydantic", "regex"}
"""Libraries that wait until they are used."""

LIST = "import citemark, sys; print(*{name.partition('.')[0] for name in sys.modules})"


def rows(effort: float) -> list[Row]:
    """Time both, and look at what was loaded."""
    rounds = max(1, round(60 * effort))
    ours, bare = best([partial(_run, "import citemark"), partial(_run, "pass")], rounds)
    loaded = sorted(HEAVY & set(_run(LIST).split()))
    return [
        Row(
            f"`import citemark`; loads {', '.join(loaded) or 'no library'}",
            ours * 1e3,
            "ms",
            bare * 1e3,
            "bare interpreter",
            50.0,
            "difference",
            {"loaded": loaded},
        )
    ]


def _run(code: str) -> str:
    command = [sys.executable, "-I", "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603  our own code


if __name__ == "__main__":
    main(rows)

"""Rows that older versions wrote, and how what is rendered of them is renewed.

    python tests/history_kit.py "why renderers now write something else"

renders all of them again, and notes why.  What is stored of an answer is never written again.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from citemark.batch._strict import encode
from citemark.batch.history import rerender_row

FOLDER = Path(__file__).resolve().parent / "corpora" / "history"
README = FOLDER / "README.md"


def files():
    """Return the files of rows by their schema."""
    found = {int(re.sub(r"\D", "", path.stem)): path for path in FOLDER.glob("rows-*.jsonl")}
    return dict(sorted(found.items()))


def rows_of(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def noted():
    """Return the digests that the page notes last, by the name of the file."""
    lines = re.findall(
        r"^\| [\d-]+ \| `(.+?)` \| `(\w+)` \| \S.* \|$", README.read_text("utf-8"), re.MULTILINE
    )
    return dict(lines)


def renew(reason):
    """Render all rows again; rows that do so as before stay as they are, byte for byte."""
    today = datetime.now(UTC).date().isoformat()
    for path in files().values():
        before = path.read_bytes()
        lines = [
            encode(row | {"rendered": rerender_row(row)["rendered"]}) for row in rows_of(path)
        ]
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        if path.read_bytes() != before:
            line = f"| {today} | `{path.name}` | `{digest(path)}` | {reason} |\n"
            README.write_text(README.read_text("utf-8") + line, "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].strip():
        sys.exit(__doc__)
    renew(" ".join(sys.argv[1].split()))

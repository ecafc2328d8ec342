"""The command ``citemark``: data on stdout, talk on stderr.

Exit codes: 0 fine, 1 findings (only if they were asked for), 2 wrong usage or input, 130
interrupted, 141 the reader of a pipe went away.  Each command imports what it needs itself,
so that ``--help`` and ``--version`` stay fast.
"""

from __future__ import annotations

try:
    from citemark.cli._main import main
except KeyboardInterrupt:  # the first half second of a command is spent on importing
    raise SystemExit(130) from None

__all__ = ["main"]

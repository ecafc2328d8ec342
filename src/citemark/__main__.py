"""``python -m citemark`` is the command ``citemark``."""

from __future__ import annotations

from citemark.cli import main

if __name__ == "__main__":
    main(prog_name="citemark")

"""A run in a process that a test kills; the server of forks imports this once, and is warm."""

from __future__ import annotations

import time

from sql_kit import OPTIONS, RANGE, run

from citemark.batch import annotate_row
from citemark.batch.sql import _plan

annotate_row({"id": 1, "answer": "It is [1].", "sources": '[{"id": "a"}]'}, OPTIONS)


def go_on(url, workers):
    """Go on where another run ended, slowly."""
    _plan.RANGE = RANGE
    run(url, workers=workers, resume=True, report=lambda _: time.sleep(0.02)).go()

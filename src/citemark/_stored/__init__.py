"""The stored form of an answer: plain ``dict`` and ``list``, as JSON has them.

It is read from a file or a database, so each field is checked against a table, and what is
wrong is told with its path.
"""

from __future__ import annotations

from citemark._stored._read import (
    read_asides,
    read_consulted,
    read_fingerprint,
    read_issues,
    read_listed,
    read_segments,
    read_sources,
    read_unresolved,
    require_answer,
)
from citemark._stored._shapes import SOURCE, VERSION, wrong_field
from citemark._stored._steps import upgraded
from citemark._stored._write import (
    write_asides,
    write_consulted,
    write_fingerprint,
    write_issue,
    write_listed,
    write_segment,
    write_source,
)

__all__ = [
    "SOURCE",
    "VERSION",
    "read_asides",
    "read_consulted",
    "read_fingerprint",
    "read_issues",
    "read_listed",
    "read_segments",
    "read_sources",
    "read_unresolved",
    "require_answer",
    "upgraded",
    "write_asides",
    "write_consulted",
    "write_fingerprint",
    "write_issue",
    "write_listed",
    "write_segment",
    "write_source",
    "wrong_field",
]

"""What the tests of the command start from."""

from __future__ import annotations

from typing import NamedTuple

ANSWER = "Refunds take five days [1]. See <<faq>> and [2].\n"
RECORDS = [
    {"id": "pol", "title": "Refund policy", "url": "https://example.org/refunds", "page": 3},
    {"id": "faq", "title": "Questions", "text": "All of them."},
]


class Result(NamedTuple):
    """What a run of the command left."""

    code: int
    out: str
    err: str

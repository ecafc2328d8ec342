"""Rows, files and jobs that the tests of batches share."""

from __future__ import annotations

import json
import os
import signal
import time
from typing import Any, NamedTuple

from citemark.batch._record import RecordError

SOURCES = [{"id": "s1", "title": "Refund policy"}, {"id": "s2", "title": "Questions"}]


def row(number: int, **more: Any) -> dict[str, Any]:
    """A row with two citations, and a key that names nothing."""
    answer = f"Order {number} takes five days [1]. The label is in the box [doc:s2] [9]."
    return {"id": number, "answer": answer, "sources": SOURCES, **more}


def jsonl(rows: Any) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in rows)


def loaded(data: bytes) -> list[Any]:
    """Rows of JSON Lines; NaN is refused."""
    return [json.loads(line, parse_constant=_refuse) for line in data.split(b"\n") if line]


def row_or_reason(one: Any) -> Any:
    """A row, or the message why it is none."""
    return str(one) if isinstance(one, RecordError) else one


def _refuse(name: str) -> None:
    raise AssertionError(name)


class Unsent(str):
    """A result that cannot be pickled."""

    __slots__ = ()

    def __reduce__(self) -> Any:
        raise TypeError(str(self))


NOTHING: dict[int, str] = {}
SIGNALS = {"kill": signal.SIGKILL, "fault": signal.SIGSEGV, "interrupt": signal.SIGINT}
RAISED = {"raise": ValueError(7), "leave": SystemExit(5), "break": KeyboardInterrupt()}
TIMES = {"once": 1, "thrice": 3}


class Numbers(NamedTuple):
    """A job over lists of numbers: what they are doubled; some end who does them."""

    ends: dict[int, str] = NOTHING
    """What happens at a number: see ``_one``; "once" and "thrice" name a file."""

    def run(self, task: list[int]) -> list[str]:
        return [self._one(number) for number in task]

    def split(self, task: list[int]) -> list[list[int]]:
        return [[number] for number in task]

    def join(self, results: list[list[str]]) -> list[str]:
        return [one for result in results for one in result]

    def failed(self, task: list[int], reason: str) -> list[str]:
        return [f"{number}: {reason}" for number in task]

    def weight(self, task: list[int]) -> int:
        return len(task)

    def _one(self, number: int) -> str:
        end, _, what = self.ends.get(number, "").partition(" ")
        if end in SIGNALS:
            os.kill(os.getpid(), SIGNALS[end])
            time.sleep(60)  # some come a little later
        elif end == "exit":
            os._exit(7)
        elif end in RAISED:
            raise RAISED[end]
        elif end == "unsent":
            return Unsent("a result that cannot be sent")
        elif end == "print":
            print("a renderer prints")  # noqa: T201  what it must not break
        elif end in TIMES:
            for count in range(TIMES[end]):
                self._once(f"{what}.{count}")
        elif end == "sleep":
            time.sleep(float(what))
        return str(2 * number)

    @staticmethod
    def _once(name: str) -> None:
        """Die, but for the second time."""
        try:
            os.close(os.open(name, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

"""One server-sent event, and how it is written (HTML Living Standard, 9.2)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from citemark.errors import CitemarkError, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "HEADERS",
    "KEEP_ALIVE",
    "MEDIA_TYPE",
    "Event",
    "EventDataError",
    "encodable",
    "last_event_id",
]

MEDIA_TYPE: Final = "text/event-stream"
"""What the response is; always UTF-8."""

HEADERS: Final[Mapping[str, str]] = MappingProxyType(
    {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
)
"""Headers that keep caches and proxies from holding events back."""

KEEP_ALIVE: Final = ": keep-alive\n\n"
"""A comment: nobody sees it, and no proxy thinks the connection dead."""

MAX_ID_DIGITS: Final = 9
"""A ``Last-Event-ID`` of more digits was not ours."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")

# No line ends to the standard, but some clients cut lines as ``str.splitlines`` does.
_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


class EventDataError(CitemarkError, ValueError):
    """An event cannot be sent: JSON has no form for its data."""

    def __init__(self, name: str, reason: str) -> None:
        """Keep the name of the event, and what was wrong."""
        self.name = name
        self.reason = reason
        super().__init__(f"data of the event {name!r}: {shortened(reason)}")


@dataclass(frozen=True, slots=True)
class Event:
    r"""Something that happened to an answer, to be sent to a browser.

    Raises:
        CitemarkError: The id is not from 1, or the name is not made of letters, digits, ``_``
            and ``-``: it could end its line and begin another field.

    >>> Event(7, "text", {"content": "Five days\n"}).encode()
    'id: 7\nevent: text\ndata: {"content":"Five days\\n"}\n\n'
    """

    id: int
    """Position in the answer, from 1: what ``Last-Event-ID`` says when a client comes back."""

    name: str
    """``"text"``, ``"source"``, ``"citation"``, ``"error"`` or ``"done"``."""

    data: Mapping[str, Any]
    """What is told, ready for JSON; its fields depend on the name."""

    def __post_init__(self) -> None:
        """Check what stands outside the JSON."""
        if type(self.id) is not int or self.id < 1:
            message = f"the id of an event is an integer from 1, not {shortened(str(self.id))}"
            raise CitemarkError(message)
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            message = f"no name for an event: {shortened(str(self.name))!r}"
            raise CitemarkError(message)

    def encode(self, *, retry: int | None = None) -> str:
        """Return the event as it is sent: its JSON in one line, and an empty line at the end.

        Args:
            retry: Milliseconds after which a client that lost the connection comes back.

        Raises:
            EventDataError: JSON has no form for the data.
        """
        wait = "" if retry is None else f"retry: {retry:d}\n"
        try:
            data = json.dumps(
                dict(self.data), ensure_ascii=False, separators=(",", ":"), allow_nan=False
            )
        except (TypeError, ValueError, RecursionError) as error:
            raise EventDataError(self.name, str(error)) from error
        line = encodable(data).translate(_LINE_ENDS)
        return f"{wait}id: {self.id}\nevent: {self.name}\ndata: {line}\n\n"


def encodable(text: str) -> str:
    """Return a text that UTF-8 can hold: half of a surrogate pair becomes U+FFFD."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def last_event_id(header: int | str | None) -> int:
    """Return the id in a header ``Last-Event-ID``; 0, the start, for what is no id.

    >>> last_event_id("7"), last_event_id(None), last_event_id("x")
    (7, 0, 0)
    """
    digits = str(header)
    is_id = digits.isascii() and digits.isdigit() and len(digits) <= MAX_ID_DIGITS
    return int(digits) if is_id else 0

"""The fields of a form, read without trust in their number or size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException

from citemark.demo._pasted import Pasted

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["MAX_BODY", "read_form"]

MAX_BODY: Final = 512 * 1024
"""Bytes of a form: an answer and its sources with their passages, or most of them."""

MAX_FIELDS: Final = 20

_FORM: Final = "application/x-www-form-urlencoded"


async def read_form(request: Request) -> tuple[Pasted, str]:
    """Return what was pasted, and the speed that was chosen.

    Raises:
        HTTPException: It is too large (413), or no form (415, 400).
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HTTPException(415, "Send the form of the page.")
    body = await _body(request)
    try:
        text = body.decode("ascii")
        fields = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError:
        raise HTTPException(400, "This is not the form of the page.") from None
    answer, sources = (_lines(fields.get(name, "")) for name in ("answer", "sources"))
    pasted = Pasted(answer, sources, fields.get("unresolved", ""), fields.get("label", ""))
    return pasted, fields.get("speed", "")


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            size = f"{MAX_BODY // 1024} kB"
            raise HTTPException(413, f"That is more than {size}. Paste a part of it.")
    return body


def _lines(text: str) -> str:
    """Return a text as it was before the browser gave its lines the ends that forms have."""
    return text.replace("\r\n", "\n")

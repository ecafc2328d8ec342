"""What the browser tests are made of: the policy and the frame of every page."""

from __future__ import annotations

import json
from itertools import count

from citemark import assets

CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The strictest policy under which a page with live answers works."""


def document(body: str) -> str:
    """Return a page that loads all assets, with their integrity."""
    head = assets.tags(names=assets.NAMES)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Test</title>{head}</head>"
        f'<body class="cite-page"><main>{body}</main></body></html>'
    )


def server_sent(*events: tuple[str, object], first_id: int = 1) -> str:
    """Return server-sent events with ids in order, and a short wait before a reconnect."""
    ids = count(first_id)
    lines = (
        f"id: {next(ids)}\nevent: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events
    )
    return "retry: 10\n\n" + "".join(lines)

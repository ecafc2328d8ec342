"""What a server is told of a session, whatever its own settings are.

A pooler may give a session to others, so that little is set for longer than a transaction.
"""

from __future__ import annotations

from typing import Final

__all__ = ["BEGIN", "NO_END", "NO_LIMITS"]

BEGIN: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED; "
    "SET LOCAL extra_float_digits = 3; SET LOCAL datestyle = ISO"
)
"""A server may have other defaults.  Then two runs could not share the ranges; and the text of
an id might be that of another one, after which a page would begin: numbers would be rounded,
and times have abbreviations of zones that are also those of others."""

NO_LIMITS: Final = """
    SELECT set_config(name, '0', true) FROM pg_settings
    WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')
"""
"""For a transaction that lives as long as a run; the second one came with PostgreSQL 17."""

NO_END: Final = """
    SELECT set_config(name, '0', false) FROM pg_settings
    WHERE name = 'idle_session_timeout' AND setting <> '0'
"""
"""For a session of a run, which waits for its processes as long as they have ranges to do."""

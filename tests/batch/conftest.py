"""What tests over PostgreSQL share; those over SQLite have a ``url`` of their own."""

from __future__ import annotations

import pytest


@pytest.fixture
def server(request):
    """A server that all tests share; it runs, when a test begins."""
    from postgres_kit import shared_server  # it skips where psycopg is not installed

    return shared_server(request)


@pytest.fixture
def url(server):
    """The URL of a schema of its own."""
    from postgres_kit import own_schema

    return own_schema(server)

"""Answers that a model writes as JSON, with its citations in fields.

The forms are in ``citemark.integrations.pydantic``; nothing here needs pydantic.
"""

from __future__ import annotations

from citemark.structured._read import from_structured
from citemark.structured._schema import Form, response_schema

__all__ = ["Form", "from_structured", "response_schema"]

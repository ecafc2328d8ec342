"""Types of what citemark writes as JSON, with the JSON Schema and ``.d.ts`` made from them.

``answer`` is the stored form (``Answer.to_dict``), ``segments`` the output of the renderer
``json``.  The files are shipped; ``python -m citemark.schema`` makes them anew from the types
and needs the extra ``schema``.
"""

from __future__ import annotations

from citemark.schema._build import (
    Which,
    build_files,
    build_json_schema,
    build_typescript,
    json_schema,
)
from citemark.schema._segments import (
    CitationData,
    CitationPart,
    LocationData,
    SegmentsDocument,
    SourceData,
    TextPart,
)
from citemark.schema._stored import (
    StoredAnswer,
    StoredAside,
    StoredCitation,
    StoredCitationSegment,
    StoredIssue,
    StoredLocation,
    StoredMarker,
    StoredSource,
    StoredTextSegment,
)

__all__ = [
    "CitationData",
    "CitationPart",
    "LocationData",
    "SegmentsDocument",
    "SourceData",
    "StoredAnswer",
    "StoredAside",
    "StoredCitation",
    "StoredCitationSegment",
    "StoredIssue",
    "StoredLocation",
    "StoredMarker",
    "StoredSource",
    "StoredTextSegment",
    "TextPart",
    "Which",
    "build_files",
    "build_json_schema",
    "build_typescript",
    "json_schema",
]

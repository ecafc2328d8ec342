"""Between a provider and a client: the citations of Gemini's stream, as OpenAI sends them."""

from __future__ import annotations

import json

from citemark import TextSegment, providers, render
from citemark.providers import Placement, gemini

# What `client.models.generate_content_stream(...)` yields, as JSON: offsets are bytes.
CHUNKS = [
    '{"candidates": [{"content": {"parts": [{"text": "Le café ouvre à 8 h. "}]}}]}',
    '{"candidates": [{"content": {"parts": [{"text": "Il ferme à 18 h."}]}}]}',
    """{"candidates": [{"content": {"parts": []}, "groundingMetadata": {
        "groundingChunks": [
            {"web": {"uri": "https://example.org/horaires", "title": "Horaires"}},
            {"web": {"uri": "https://example.org/ville", "title": "La ville"}}],
        "groundingSupports": [
            {"segment": {"endIndex": 22, "text": "Le café ouvre à 8 h."},
             "groundingChunkIndices": [0]},
            {"segment": {"startIndex": 23, "endIndex": 40, "text": "Il ferme à 18 h."},
             "groundingChunkIndices": [0, 1]}]}}]}""",
]

stream = gemini.StreamAdapter()
for chunk in CHUNKS:
    for update in stream.feed(json.loads(chunk)):
        print(repr(update.text) if isinstance(update, TextSegment) else update)
for update in stream.close():
    if isinstance(update, Placement):
        numbers = [citation.number for citation in update.segment.citations]
        print(f"citations {numbers} go to code point {update.start}")

answer = stream.answer
print()
print(render(answer, "text"))

sent = providers.to_openai_annotations(answer)
for annotation in sent.annotations:
    print(json.dumps(annotation, ensure_ascii=False))

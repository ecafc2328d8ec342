"""Stream an answer to a browser: uvicorn --app-dir examples fastapi_stream:app."""

import asyncio
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Annotated

from fastapi import FastAPI, Header
from fastapi.responses import StreamingResponse

from citemark import AnswerStream
from citemark.integrations.sse import HEADERS, MEDIA_TYPE, EventLog, aevents, frames
from citemark.renderers.html import HtmlRenderer

SOURCES = [{"id": "timetable", "title": "Ferry timetable"}, {"id": "fares", "title": "Fares"}]

app = FastAPI()


async def ask_model() -> AsyncIterator[str]:
    """Yield what a model would write."""
    for chunk in ("The last ferry ", "leaves at 21:40 [", "1]. A return ", "is 18 [2", "]."):
        await asyncio.sleep(0.1)
        yield chunk


@lru_cache(maxsize=100)  # so many answers can be read again, or read on after a break
def answer(_name: str) -> EventLog:
    """Begin to write an answer, whoever reads it."""
    return EventLog.recording(aevents(AnswerStream(SOURCES), ask_model(), html=HtmlRenderer()))


@app.get("/answers/{name}")
async def stream(
    name: str, last_event_id: Annotated[str | None, Header()] = None
) -> StreamingResponse:
    """Send the events of an answer after the last one that the reader has."""
    text = frames(answer(name).aread(after=last_event_id))
    return StreamingResponse(text, media_type=MEDIA_TYPE, headers=HEADERS)

"""Responses, completions and messages of OpenAI's form, and the events that build them up."""

from __future__ import annotations

from typing import Any

from damaged import chunked

__all__ = ["chat", "chat_chunks", "page", "response", "response_events", "thread_events"]


def page(url: str, start: int | None = None, end: int | None = None, **more: Any) -> dict:
    """Return an annotation about a page."""
    span = {"start_index": start, "end_index": end} if end is not None else {}
    return {"type": "url_citation", "url": url, "title": "", **span, **more}


def chat(content: Any, annotations: Any = (), **more: Any) -> dict:
    """Return a chat completion; annotations are nested as OpenAI nests them."""
    nested = []
    for note in annotations:
        is_flat = note["type"] == "url_citation" and "url_citation" not in note
        body = {key: value for key, value in note.items() if key != "type"}
        nested += [{"type": "url_citation", "url_citation": body} if is_flat else note]
    message = {
        "role": "assistant",
        "content": content,
        "annotations": nested,
        **more.pop("message", {}),
    }
    choice = {"index": 0, "message": message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m",
        "choices": [choice],
        **more,
    }


def chat_chunks(whole: dict, size: int = 5) -> list[dict]:
    """Return the chunks of a chat completion: text first, then the rest of the message."""
    message = whole["choices"][0]["message"]
    rest = {name: value for name, value in message.items() if name != "content"}
    head = {**whole, "object": whole["object"] + ".chunk"}
    deltas = [*({"content": piece} for piece in chunked(message["content"], size)), rest]
    return [{**head, "choices": [{"index": 0, "delta": delta}]} for delta in deltas]


def response(text: str, annotations: Any = (), *before: dict, **more: Any) -> dict:
    """Return a response with one message, after other items."""
    part = {"type": "output_text", "text": text, "annotations": [*annotations]}
    message = {"id": "m", "type": "message", "role": "assistant", "content": [part]}
    return {
        "id": "r",
        "object": "response",
        "model": "gpt",
        "output": [*before, message],
        **more,
    }


def response_events(
    whole: dict, *, size: int = 7, late: int = 0, closing: bool = True
) -> list[dict]:
    """Return the events of a response: annotations as soon as their text is there.

    Args:
        whole: The response.
        size: Code points of a delta.
        late: Code points after its end that an annotation comes.
        closing: Whether the events that repeat everything are sent.
    """
    events: list[dict] = [{"type": "response.created", "response": {**whole, "output": []}}]
    for at, item in enumerate(whole["output"]):
        events.append(
            {
                "type": "response.output_item.added",
                "output_index": at,
                "item": {**item, "content": []},
            }
        )
        for index, part in enumerate(item.get("content", ())):
            where = {"output_index": at, "content_index": index, "item_id": item["id"]}
            left, sent = [*enumerate(part["annotations"])], 0
            for piece in chunked(part["text"], size):
                sent += len(piece)
                events.append({"type": "response.output_text.delta", "delta": piece, **where})
                while (
                    left
                    and sent >= left[0][1].get("end_index", left[0][1].get("index", 0)) + late
                ):
                    number, note = left.pop(0)
                    events.append(
                        {
                            "type": "response.output_text.annotation.added",
                            "annotation_index": number,
                            "annotation": note,
                            **where,
                        }
                    )
            for number, note in left:
                events.append(
                    {
                        "type": "response.output_text.annotation.added",
                        "annotation_index": number,
                        "annotation": note,
                        **where,
                    }
                )
            if closing:
                events.append(
                    {"type": "response.output_text.done", "text": part["text"], **where}
                )
                events.append({"type": "response.content_part.done", "part": part, **where})
        if closing or item["type"] != "message":
            events.append(
                {"type": "response.output_item.done", "output_index": at, "item": item}
            )
    return [*events, {"type": "response.completed", "response": whole}] if closing else events


def thread_events(message: dict, *, closing: bool = True) -> list[dict]:
    """Return the events of a message of a thread: the text, then its annotations."""

    def event(delta: dict) -> dict:
        data = {
            "id": message["id"],
            "object": "thread.message.delta",
            "delta": {"content": [delta]},
        }
        return {"event": "thread.message.delta", "data": data}

    events: list[dict] = []
    for index, block in enumerate(message["content"]):
        text = block["text"]
        events += (
            event({"index": index, "type": "text", "text": {"value": piece}})
            for piece in chunked(text["value"], 6)
        )
        for number, note in enumerate(text["annotations"]):
            noted = {"annotations": [{"index": number, **note}]}
            events.append(event({"index": index, "type": "text", "text": noted}))
    if closing:
        events.append({"event": "thread.message.completed", "data": message})
    return events

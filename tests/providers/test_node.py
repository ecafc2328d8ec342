"""Objects of all kinds are kept as JSON would have them, and come back equal from it."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json

import pytest

from citemark import Answer, providers
from citemark.providers._node import plain


class Colour(enum.Enum):
    RED = 1


class Name(enum.StrEnum):
    ONE = "one"


class Plain:
    def __init__(self):
        self.shown, self._hidden = 1, 2


ODD = [b"x\xff", dt.date(2031, 5, 1), decimal.Decimal("1.5"), Colour.RED, Name.ONE, float("nan"),
       float("inf"), Plain(), {1: (2, {3})}, "\ud83d", 10**400, object()]  # fmt: skip


@pytest.mark.parametrize("value", ODD, ids=lambda value: type(value).__name__)
def test_plain_is_json(value):
    """Whatever an SDK has in its objects."""
    found = plain({"a": value})
    assert plain(found) == found
    if value != 10**400:
        assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("value", ODD[:-2], ids=lambda value: type(value).__name__)
def test_a_stored_answer_is_the_same(value):
    """What the provider sent is kept with each citation."""
    citation = {"type": "web_search_result_location", "url": "https://a.e", "odd": value}
    block = {"type": "text", "text": "Hi.", "citations": [citation]}
    answer = providers.parse({"type": "message", "role": "assistant", "content": [block]})
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


def test_protocol_buffers_are_objects():
    """Their fields are found, not the description of their type."""
    chat_pb2 = pytest.importorskip("xai_sdk.proto").chat_pb2
    json_format = pytest.importorskip("google.protobuf.json_format")
    text = "Hi there [[1]](https://a.e)"
    told = {
        "id": "1",
        "start_index": 9,
        "end_index": 27,
        "web_citation": {"url": "https://a.e"},
    }
    output = {"message": {"content": text, "role": "ROLE_ASSISTANT", "citations": [told]}}
    sent = json_format.ParseDict({"outputs": [output]}, chat_pb2.GetChatCompletionResponse())
    answer = providers.parse(sent, provider="xai")
    [citation] = answer.citations
    assert citation.raw == told
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer

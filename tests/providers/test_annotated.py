"""Spans of pages: a marker, words, or a link gone astray; what stands in the text decides."""

from __future__ import annotations

import pytest

from citemark import providers, render


def message(text, *spans):
    """Return a chat completion with annotations: start, end and URL."""
    notes = [
        {
            "type": "url_citation",
            "url_citation": {"url": url, "title": "T", "start_index": start, "end_index": end},
        }
        for start, end, url in spans
    ]
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, "annotations": notes},
    }
    return {"object": "chat.completion", "model": "gpt", "choices": [choice]}


A, B = "https://a.e", "https://b.e"


@pytest.mark.parametrize(
    ("text", "spans", "shown", "codes"),
    [
        (f"Fares rose [1].\n\n[1]: {A}", [(11, 14, A)], f"Fares rose [1].\n\n[1]: {A}", []),
        (f"Fares rose [1]. See {A} too.", [(11, 14, A)], f"Fares rose [1]. See {A} too.", []),
        (f"Fares 【7】 rose. See {A} too.", [(6, 9, A)], f"Fares [1] rose. See {A} too.", []),
        (f"Fares [[1]]({A}) rose.", [(6, 11, A)], "Fares [1] rose.", ["span_shifted"]),
        (f"Fares [the x]({A}) rose.", [(6, 13, A)], "Fares the x[1] rose.", ["span_shifted"]),
        (f"Rose by 3%. List: [a]({A})", [(0, 10, A)], "Rose by 3%[1]. List: a[1]", []),
        (f"Rose by 3%. List: [a]({A})", [(0, 11, A)], "Rose by 3%.[1] List: a[1]", []),
        ("Rose [1]. B[2].", [(5, 8, A), (10, 13, B)], "Rose [1]. B[2].", ["span_shifted"]),
        ("Rose [1][2] so.", [(6, 9, A)], "Rose [1][2][1] so.", ["span_shifted"]),
        ("A [1][2] b", [(3, 6, A), (6, 9, B)], "A [1][2] b", ["span_shifted"] * 2),
        ("A [1][2] b", [(1, 4, A), (4, 7, B)], "A [1][2] b", ["span_shifted"] * 2),
        ("A [2][1] b", [(1, 4, A), (4, 7, B)], "A [1][2] b", ["span_shifted"] * 2),
        ("Zażółć [1] b", [(8, 11, A)], "Zażółć [1] b", ["span_shifted"]),
        ("A 【4:0†source】 b", [(1, 13, A)], "A [1] b", ["span_shifted"]),
        ("A [1][2][3] b", [(4, 7, A)], "A [1][2][1][3] b", ["span_shifted"]),
        ("żółć [1][2] b", [(9, 12, A)], "żółć [1][2][1] b", ["span_shifted"]),
        ("Rose so. And so.", [(0, 8, A)], "Rose so.[1] And so.", []),
    ],
)  # fmt: skip
def test_what_a_span_is(text, spans, shown, codes):
    """A marker that the span is exactly wins over a link that stands elsewhere."""
    answer = providers.parse(message(text, *spans))
    assert render(answer, "text", sources=False) == shown
    assert [issue.code for issue in answer.issues if issue.code != "moved"] == codes


NOTE = {
    "type": "url_citation",
    "url": A,
    "title": "T",
    "start_index": 0,
    "end_index": 2,
    "odd": 1,
}
FIELDS = {
    "openai_responses": {"object": "response", "output": [{"type": "message", "content": [{"type": "output_text", "text": "Hi", "annotations": [NOTE]}]}]},
    "azure_oyd": {"object": "extensions.chat.completion", "choices": [{"message": {"content": "A [doc1]", "context": {"citations": [{"content": "c", "odd": 1}]}}}]},
    "groq": {"object": "chat.completion", "choices": [{"message": {"content": "A", "annotations": [{"type": "document_citation", "document_citation": {"document_id": "d", "odd": 1}}]}}]},
    "xai": {"outputs": [{"message": {"content": "A", "citations": [{"web_citation": {"url": A, "odd": 1}}]}}]},
    "copilot_studio": {"type": "message", "text": "A [1]", "entities": [{"citation": [{"position": 1, "appearance": {"name": "N", "odd": 1}}]}]},
    "llama_index": {"role": "assistant", "blocks": [{"block_type": "citation", "source": "s", "odd": 1}]},
    "vercel": {"role": "assistant", "parts": [{"type": "source-url", "sourceId": "a", "url": A, "odd": 1}]},
    "openai_chat": {"object": "chat.completion.chunk", "choices": [{"delta": {"content": "A"}, "odd": 1}]},
    "openrouter": {"object": "chat.completion.chunk", "odd": 1, "choices": []},
    "mistral": {"object": "chat.completion", "choices": [{"message": {"content": "A", "odd": 1}}]},
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_unknown_fields_are_counted(name):
    """Wherever they stand: in a citation, what it holds, a message, a choice, a response."""
    issues = providers.parse(FIELDS[name], provider=name).issues
    assert [issue.key for issue in issues if issue.code == "unknown_field"] == ["odd"]


def test_context_that_nobody_reads_is_told():
    """It is of Azure's extension, which a chunk alone may not show."""
    chunk = {
        "object": "chat.completion.chunk",
        "choices": [{"delta": {"content": "A [doc1]", "context": {}}}],
    }
    assert [issue.key for issue in providers.parse(chunk, provider="openai_chat").issues] == [
        "context"
    ]

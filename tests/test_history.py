"""Earlier messages on their way back to the model."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import MARKERS, PLAIN, TEXTS

from citemark import Registry, Sources, cite, clean_history
from citemark.errors import CitemarkError

FOUND = Sources([{"id": "a", "title": "A"}, {"id": "b", "title": "B"}])

MESSAGES = [
    {"role": "system", "content": "Cite as [1]."},
    {"role": "user", "content": "Is it [1]?"},
    {"role": "assistant", "content": "Yes [1].", "id": "m1"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "[1]"}]},
    {"role": "tool", "content": "[1] found"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "So [1]", "signature": "x"},
            {"type": "text", "text": "So [2]."},
            {"type": "text", "text": "So."},
            {"type": "tool_use", "input": {"text": "[1]"}},
        ],
    },
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Yes [1].", "annotations": [{"index": 4}]}],
    },
    {"role": "model", "parts": [{"text": "Yes [1]."}, {"text": "So [1]", "thought": True}]},
    {"role": "ai", "content": ["Yes [1].", "no"]},
    "[1]",
]


def test_messages_of_every_shape():
    """Texts of the model's own answers are changed, and nothing else."""
    before = copy.deepcopy(MESSAGES)

    cleaned = clean_history(MESSAGES, FOUND)

    assert before == MESSAGES
    for at in (0, 1, 3, 4, 9):
        assert cleaned[at] is MESSAGES[at]
    assert cleaned[2] == {"role": "assistant", "content": "Yes.", "id": "m1"}
    assert cleaned[5]["content"] == [
        MESSAGES[5]["content"][0],
        {"type": "text", "text": "So."},
        *MESSAGES[5]["content"][2:],
    ]
    assert cleaned[6]["content"] == [{"type": "output_text", "text": "Yes.", "annotations": []}]
    assert cleaned[7]["parts"] == [{"text": "Yes."}, {"text": "So [1]", "thought": True}]
    assert cleaned[8]["content"] == ["Yes.", "no"]


def test_message_without_markers_is_the_same_object():
    """Nothing is copied that does not change."""
    messages = [
        {"role": "assistant", "content": "Yes, in `a[1]`."},
        {"role": "assistant", "content": [{"type": "text", "text": "No.", "annotations": [7]}]},
    ]

    cleaned = clean_history(messages, FOUND)
    assert all(new is old for new, old in zip(cleaned, messages, strict=True))


def test_labels_of_today():
    """Each turn had a list of its own; now all sources have one label each."""
    turns = {"m1": Sources([{"id": "b", "title": "B"}, {"id": "c"}]), "m2": FOUND}
    registry = Registry()
    registry.add(FOUND)
    messages = [
        {"role": "assistant", "content": "B says so [1], C too [2].", "id": "m1"},
        {"role": "assistant", "content": "A says so [1], B too [2].", "id": "m2"},
    ]

    def list_of(message):
        return turns[message["id"]]

    for labels in (registry, registry.sources):
        cleaned = clean_history(messages, list_of, markers="label", labels=labels)
        assert [message["content"] for message in cleaned] == [
            "B says so [2], C too.",
            "A says so [1], B too [2].",
        ]


def test_labels_that_are_ids():
    """Are written with a tag."""
    by_id = Sources(FOUND, label="id")
    said = {"role": "assistant", "content": "A [1], B [2][1]."}

    [cleaned] = clean_history([said], FOUND, markers="label", labels=by_id)

    assert cleaned["content"] == "A [doc:a], B [doc:b][doc:a]."


@given(TEXTS, st.sampled_from((PLAIN, FOUND)))
def test_nothing_that_resolves_is_left(text, sources):
    """After that the model sees no label of a source; cleaning again changes nothing."""
    [once] = clean_history([{"role": "assistant", "content": text}], sources)
    [twice] = clean_history([once], sources)

    assert list(cite(once["content"], sources, unresolved="keep").citations) == []
    assert twice is once


def cited(text, sources):
    return {c.source for c in cite(text, sources).citations if c.source}


@given(TEXTS, st.sampled_from((PLAIN, FOUND)))
def test_relabelled_cites_no_other(text, sources):
    """However odd the text is: what looks like a label then was a citation before."""
    [said] = clean_history([{"role": "assistant", "content": text}], sources, markers="label")

    assert cited(said["content"], sources) <= cited(text, sources)


@given(st.lists(st.sampled_from(MARKERS), max_size=4), st.sampled_from((PLAIN, FOUND)))
def test_relabelled_cites_the_same(markers, sources):
    """Markers between words cite what they cited."""
    text = "".join(f"Word {marker}, " for marker in markers)
    [said] = clean_history([{"role": "assistant", "content": text}], sources, markers="label")

    assert cited(said["content"], sources) == cited(text, sources)


TODAY = Sources([*reversed(tuple(FOUND)), {"id": "c", "title": "C"}, {"id": "d"}, {"id": "e"}])


def relabelled(text, **options):
    said = [{"role": "assistant", "content": text}]
    options = {"markers": "label", "labels": TODAY, **options}
    return clean_history(said, lambda _: FOUND, **options)[0]["content"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Six [1]. In 2020 [3].", "Six [2]. In 2020."),
        ("Six [1][3], two.", "Six [2], two."),
        ("Six [3][1] or [3, 7] two.", "Six [2] or two."),
        ("Six [1-3] or [1, 3].", "Six or [2]."),
        ("[3] Six.\n[4] Two [4]:", "Six.\nTwo:"),
        ("- [3] six", "- six"),
        ("Six [c], two [^3].", "Six, two."),
        ("Six [7], `a[3]`, \\[3], a[3].", "Six [7], `a[3]`, \\[3], a[3]."),
    ],
)
def test_what_named_nothing_gets_no_source(text, expected):
    """A number that no source had would be a citation of today's list, of another one."""
    assert relabelled(text) == expected
    registry = Registry()
    registry.add(TODAY)
    assert relabelled(text.replace("[c]", "[3]"), labels=registry) == expected


def test_own_list_goes_with_its_numbers():
    """They are those of another turn; unless it is to be kept."""
    text = "Six [2].\n\nSources:\n[1] A\n[2] B"
    assert relabelled(text) == "Six [1]."
    assert relabelled(text, source_list="keep") == text.replace("Six [2]", "Six [1]")


@given(TEXTS)
def test_another_list_cites_no_other(text):
    """However odd the text is: what it cites today, it cited when it was written."""
    assert cited(relabelled(text), TODAY) <= cited(text, FOUND)


def test_runs_that_are_read_one_by_one():
    """They take no more readings the longer they are, and nothing of them is left."""
    assert relabelled("Six [1] " + "[1-4]" * 500 + " two.") == "Six [2] two."
    said = [{"role": "assistant", "content": "Six [1] " + "[1-2]" * 500 + " two."}]
    assert clean_history(said, FOUND)[0]["content"] == "Six two."


@given(st.lists(st.sampled_from((*MARKERS, "[3]", "[1-4]", "[4][2]", "[^5]")), max_size=5))
def test_markers_in_a_row_cite_no_other(markers):
    """The same for markers that stand together."""
    text = "".join(markers)
    assert cited(relabelled(text), TODAY) <= cited(text, FOUND)


@pytest.mark.parametrize("options", [{"markers": "keep"}, {"source_list": "parse"}])
def test_unknown_options(options):
    """A mistake of the caller is told."""
    with pytest.raises(CitemarkError, match=r": choose one of "):
        clean_history([], [], **options)


def test_objects_of_client_libraries():
    """Copies with other words; tool calls, images and thoughts are those that were there."""
    openai = pytest.importorskip("openai.types.chat")
    anthropic = pytest.importorskip("anthropic.types")
    langchain = pytest.importorskip("langchain_core.messages")
    call = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "[1]"}}
    said = openai.ChatCompletionMessage(role="assistant", content="Yes [1].", tool_calls=[call])
    blocks = [
        anthropic.TextBlock(type="text", text="Yes [1]."),
        anthropic.ToolUseBlock(type="tool_use", id="t", name="f", input={"q": "[1]"}),
    ]
    kept = langchain.AIMessage("No.")
    given = [
        said,
        {"role": "assistant", "content": blocks},
        langchain.AIMessage("Yes [1]."),
        kept,
    ]
    cleaned = clean_history([*given, langchain.HumanMessage("Is it [1]?")], FOUND)
    assert cleaned[0] == said.model_copy(update={"content": "Yes."})
    assert cleaned[1]["content"] == [blocks[0].model_copy(update={"text": "Yes."}), blocks[1]]
    assert cleaned[2].content == "Yes."
    assert cleaned[3] is kept
    assert cleaned[4].content == "Is it [1]?"
    assert (said.content, blocks[0].text) == ("Yes [1].", "Yes [1].")


@dataclass
class Said:
    """A message of somebody's own."""

    role: str
    content: str


def test_objects_of_your_own():
    """Data classes are copied; what cannot be copied is told, if it would change."""
    assert clean_history([Said("assistant", "Yes [1].")], FOUND) == [Said("assistant", "Yes.")]
    same = SimpleNamespace(role="assistant", content="Yes.")
    assert clean_history([same], FOUND) == [same]
    with pytest.raises(CitemarkError, match=r"^messages\[1\]: expected a mapping"):
        clean_history([same, SimpleNamespace(role="assistant", content="Yes [1].")], FOUND)


def test_texts_of_markers_alone():
    """Providers refuse empty texts: the block goes, or an ellipsis stays for the message."""
    image = {"type": "image", "source": {}}
    alone = {"type": "text", "text": " [1]"}

    def cleaned(content):
        return clean_history([{"role": "assistant", "content": content}], FOUND)[0]["content"]

    assert cleaned([alone, image]) == [image]
    assert cleaned([alone]) == [{"type": "text", "text": "…"}]
    assert cleaned("[1]") == "…"
    assert cleaned("") == ""


def test_annotations_of_a_message():
    """They go with the words that they were of."""
    said = {"role": "assistant", "content": "Yes [1].", "annotations": [{"start_index": 4}]}
    assert clean_history([said], FOUND)[0]["annotations"] == []
    other = said | {"content": "Yes."}
    assert clean_history([other], FOUND)[0] is other

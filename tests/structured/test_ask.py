"""The whole way with a model that is a function: prompts, attempts, options, streams."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from citemark import (
    CitemarkError,
    Sources,
    answer_with_citations,
    answer_with_citations_async,
    build_context,
    cite,
    instructions,
    stream_with_citations,
    stream_with_citations_async,
)
from citemark.errors import (
    ArgumentTypeError,
    BudgetError,
    TextTypeError,
    UnknownArgumentError,
    UnresolvedError,
)
from citemark.integrations.pydantic import ClaimList

SOURCES = Sources(
    [
        {"id": "pol-12", "title": "Refunds", "text": "Refunds take five working days."},
        {"id": "faq", "title": "Questions", "text": "Express is not refunded."},
    ]
)
TEXT = "Refunds take five working days [1]. Express is not refunded [2]."
GOOD = json.dumps({"claims": [{"text": "Five days.", "citations": ["1"]}]})
BAD = json.dumps({"claims": [{"text": "Five days.", "citations": ["7"]}]})


class Model:
    """Says what it is told to, and notes what it was sent."""

    def __init__(self, *replies):
        self.replies, self.sent = [*replies], []

    def __call__(self, messages):
        self.sent.append([dict(message) for message in messages])
        messages.clear()  # what a caller does with them is its own affair
        return self.replies.pop(0)


def test_prompt():
    """Instructions are the system's, sources and question the user's."""
    model = Model(TEXT)
    reply = answer_with_citations("How long?", SOURCES, model, lang="de", style="xml")
    assert model.sent == [
        [
            {"role": "system", "content": instructions("de", sources=SOURCES)},
            {"role": "user", "content": f"{build_context(SOURCES, style='xml')}\n\nHow long?"},
        ]
    ]
    assert [*reply.messages] == [*model.sent[0], {"role": "assistant", "content": TEXT}]
    assert reply.answer.fingerprint == SOURCES.fingerprint
    assert reply.report.answer is reply.answer


def test_labels_that_are_ids():
    """The prompt asks for them, and they name their sources."""
    sources = Sources(SOURCES, label="id")
    model = Model("Five days [doc:pol-12].")
    reply = answer_with_citations("How long?", sources, model)
    assert "[doc:pol-12]" in model.sent[0][0]["content"]
    assert [source.id for source in reply.answer.sources] == ["pol-12"]


def test_budget():
    """What is not in the prompt cannot be cited."""
    model = Model(TEXT)
    block = build_context(SOURCES.select([*SOURCES][:1]))
    reply = answer_with_citations("How long?", SOURCES, model, budget=len(block))
    assert model.sent[0][1]["content"] == f"{block}\n\nHow long?"
    assert [source.id for source in reply.sources] == ["pol-12"]
    assert reply.answer.unresolved == ("2",)
    assert reply.answer.fingerprint == reply.sources.fingerprint
    words = answer_with_citations(
        "?", SOURCES, Model(TEXT), budget=7, count=lambda text: len(text.split())
    )
    assert (len(words.sources), words.answer.unresolved) == (1, ("2",))


def test_budget_that_is_too_small():
    """It is told in every form before the model is called, not by an answer without sources."""
    model = Model()
    for ask in (answer_with_citations, stream_with_citations, stream_with_citations_async):
        with pytest.raises(BudgetError, match="needs 25 at least"):
            ask("?", SOURCES, model, budget=20)
    with pytest.raises(BudgetError, match="needs 25 at least"):
        asyncio.run(answer_with_citations_async("?", SOURCES, model, budget=20))
    assert model.sent == []


def test_attempts():
    """One by default more than none for JSON; as many as are asked for; no more."""
    for attempts, replies, issues in (
        (1, [BAD], 1),
        (2, [BAD, BAD], 1),
        (3, [BAD, "", GOOD], 0),
    ):
        model = Model(*replies)
        reply = answer_with_citations(
            "How long?", SOURCES, model, form=ClaimList, attempts=attempts
        )
        assert (model.replies, len(reply.answer.issues)) == ([], issues)
        roles = [message["role"] for message in reply.messages]
        # Nobody answers an empty reply in chat: it is not repeated.
        assert roles.count("assistant") == len([one for one in replies if one])
    model = Model(BAD, GOOD)
    answer_with_citations("How long?", SOURCES, model, form=ClaimList)
    assert model.replies == []
    for wrong in (0, -1):
        with pytest.raises(CitemarkError, match="attempts"):
            answer_with_citations("?", SOURCES, Model(), attempts=wrong)


@pytest.mark.parametrize(
    "words",
    ["Sorry, I cannot.", "I’m sorry, but I can’t.", "I can't do that.", "Das kann ich nicht.",
     "Lo siento, no puedo.", "Beklager, det kan jeg ikke.", "抱歉，我不能。"],
)  # fmt: skip
def test_a_refusal_in_plain_words_is_not_sent_back(words):
    """Asking again would change nothing."""
    model = Model(words, GOOD)
    reply = answer_with_citations("Why?", SOURCES, model, form=ClaimList, attempts=3)
    assert (reply.answer.text, len(model.sent)) == (words, 1)


@pytest.mark.parametrize("words", ["I cannot overstate it.", "It is five days."])
def test_plain_words_that_say_something_are_sent_back(words):
    """They are an answer, and not in the form that was asked for."""
    model = Model(words, GOOD)
    reply = answer_with_citations("Why?", SOURCES, model, form=ClaimList, attempts=3)
    assert (reply.answer.text, len(model.sent)) == ("Five days.", 2)


def test_text_is_asked_for_once():
    """Without a form there is nothing that a reply must fit."""
    model = Model("Five days [7].", "never")
    reply = answer_with_citations("How long?", SOURCES, model, attempts=5)
    assert (model.replies, reply.answer.unresolved) == (["never"], ("7",))


def test_options_of_answer_and_report():
    """Unknown keys raise if asked, a judge is heard, a later citation counts."""
    with pytest.raises(UnresolvedError):
        answer_with_citations("?", SOURCES, Model("A [7]."), unresolved="raise")
    text = "Refunds take days. Refunds take five [1]."
    strict = answer_with_citations("?", SOURCES, Model(text)).report
    loose = answer_with_citations("?", SOURCES, Model(text), scope="paragraph").report
    assert (strict.coverage.coverage, loose.coverage.coverage) == (0.5, 1)

    class Judge:
        name = "strict"

        def judge(self, pairs):
            return [None for _ in pairs]

    report = answer_with_citations("?", SOURCES, Model(TEXT), judge=Judge()).report
    assert (report.judge, {check.verdict for check in report.support}) == ("strict", {"unsure"})


def test_mistakes_of_the_caller():
    """A reply or question that is no text, an option that is not known."""
    with pytest.raises(TextTypeError):
        answer_with_citations("?", SOURCES, Model(None))
    with pytest.raises(TextTypeError):
        answer_with_citations(None, SOURCES, Model(TEXT))
    with pytest.raises(TypeError, match="colour"):
        answer_with_citations("?", SOURCES, Model(TEXT), colour="red")
    for attempts in (0, -1, 1.5, "2", True, None):
        with pytest.raises(
            CitemarkError, match=r"^attempts=.*: expected a whole number from 1$"
        ):
            answer_with_citations("?", SOURCES, Model(TEXT), attempts=attempts)
    with pytest.raises(CitemarkError, match="lang"):
        stream_with_citations("?", SOURCES, Model(), lang="xx")


def test_options_that_there_are_not():
    """The message names the function, the options, and where another one is."""
    for ask in (answer_with_citations, stream_with_citations, stream_with_citations_async):
        with pytest.raises(UnknownArgumentError, match=rf"^{ask.__name__} has no option 'x'"):
            ask("?", SOURCES, Model(TEXT), x=1)
    with pytest.raises(UnknownArgumentError, match="did you mean lang"):
        answer_with_citations("?", SOURCES, Model(TEXT), language="de")
    with pytest.raises(UnknownArgumentError, match=r'Sources\(records, label="id"\)'):
        answer_with_citations("?", SOURCES, Model(TEXT), labels="id")


@pytest.mark.parametrize(
    "option",
    [
        {"sources": None},
        {"sources": SOURCES.labelled},
        {"llm": "gpt-5"},
        {"form": dict},
        {"form": "ClaimList"},
        {"count": 5},
        {"budget": "20"},
        {"style": ["plain"]},
        {"unresolved": "maybe"},
        {"scope": "loose"},
        {"judge": "strict"},
    ],
)
def test_wrong_options_are_told_before_the_model_is_called(option):
    """A call costs money, and the reply would be lost."""
    model = Model(TEXT)
    given = {"question": "?", "sources": SOURCES, "llm": model} | option
    with pytest.raises(CitemarkError, match=next(iter(option))):
        answer_with_citations(**given)
    assert model.sent == []
    given.pop("form", None)
    if "form" not in option:
        with pytest.raises(CitemarkError):
            stream_with_citations(**given)


def test_one_record_is_no_list():
    """It is said what to do."""
    with pytest.raises(ArgumentTypeError, match=r"not dict: put the record into a list"):
        answer_with_citations("?", {"id": "a"}, Model(TEXT))


def test_what_the_model_raises_comes_through():
    """It is nobody's to hide."""

    def broken(_):
        raise ConnectionError

    with pytest.raises(ConnectionError):
        answer_with_citations("?", SOURCES, broken)
    with pytest.raises(ConnectionError):
        list(stream_with_citations("?", SOURCES, broken))


@pytest.mark.parametrize("size", [1, 3, 200])
def test_stream_is_the_whole(size):
    """Answer, report and messages are the same, thoughts beside the answer included."""
    text = f"<think>Let me see [2].</think>\n{TEXT}"
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    stream = stream_with_citations("How long?", SOURCES, Model(chunks))
    segments = list(stream)
    assert "".join(segment.raw for segment in segments) == TEXT
    whole = answer_with_citations("How long?", SOURCES, Model(text))
    assert stream.reply == whole
    assert whole.answer.asides[0].segments[0].raw == "Let me see [2]."
    assert whole.answer.segments == cite(TEXT, SOURCES).segments
    assert list(stream) == []


def test_stream_that_has_not_ended():
    """There is an answer so far, and no report; the model is called when it is needed."""
    model = Model(["Refunds take five working days [1", "]. Ex"])
    stream = stream_with_citations("How long?", SOURCES, model)
    assert model.sent == []
    segments = iter(stream)
    assert next(segments).raw == "Refunds take five working days "
    assert stream.answer.text == "Refunds take five working days "
    with pytest.raises(CitemarkError, match="take all of its segments"):
        _ = stream.reply
    assert [segment.raw for segment in segments] == ["[1]", ". Ex"]
    assert stream.reply.answer.text == "Refunds take five working days [1]. Ex"


def test_thoughts_that_do_not_end():
    """Whoever only thinks has not answered."""
    stream = stream_with_citations("?", SOURCES, Model(["<think>Well</th"]))
    assert list(stream) == []
    assert stream.reply.answer.text == ""
    assert stream.reply.answer.asides[0].segments[0].raw == "Well</th"


def test_what_only_looks_like_the_start_of_a_thought():
    """It is held back, and is text at the end."""
    stream = stream_with_citations("?", SOURCES, Model(["<thi"]))
    assert [segment.raw for segment in stream] == ["<thi"]


def test_asynchronous():
    """A coroutine, an asynchronous generator, and a coroutine that returns one."""

    async def llm(_):
        return TEXT

    async def chunks(_messages):
        for at in range(0, len(TEXT), 4):
            yield TEXT[at : at + 4]

    async def later(messages):
        return chunks(messages)

    async def run():
        replies = [await answer_with_citations_async("?", SOURCES, llm)]
        for model in (chunks, later):
            stream = stream_with_citations_async("?", SOURCES, model)
            text = "".join([segment.raw async for segment in stream])
            assert text == stream.reply.answer.text == stream.answer.text
            replies.append(stream.reply)
        return replies

    async def held():
        async def half(_messages):
            yield "Five [1"

        stream = stream_with_citations_async("?", SOURCES, half)
        return [segment.raw async for segment in stream]

    assert asyncio.run(held()) == ["Five ", "[1"]  # the last one ends in what was held back
    whole = answer_with_citations("?", SOURCES, Model(TEXT))
    assert asyncio.run(run()) == [whole] * 3


class Sdk:
    """What a client library returns."""


async def coroutine(_messages):
    return TEXT


async def generator(_messages):
    yield TEXT


@pytest.mark.parametrize(
    ("llm", "said"),
    [
        (lambda _: Sdk(), "not Sdk: return its text"),
        (lambda _: None, "not NoneType: return its text"),
        (coroutine, "not coroutine: .* ends in _async"),
        (generator, "not async_generator: .* ends in _async"),
    ],
)
def test_what_llm_returns(llm, said):
    """It is said what to do, also if the wrong function was called; nothing is left open."""
    with pytest.raises(TextTypeError, match=f"expected llm to return text as str, {said}"):
        answer_with_citations("?", SOURCES, llm)
    said = said.replace("its text", "its chunks")
    with pytest.raises(TextTypeError, match=f"to return an iterable of texts, {said}"):
        list(stream_with_citations("?", SOURCES, llm))


def test_what_llm_returns_later():
    """The same for what is awaited."""

    async def asked(llm):
        await answer_with_citations_async("?", SOURCES, llm)

    async def streamed(llm):
        async for _ in stream_with_citations_async("?", SOURCES, llm):
            pass

    for function, llm, said in (
        (asked, lambda _: TEXT, "an awaitable, not str: .* without _async"),
        (streamed, lambda _: TEXT, "an asynchronous iterable of texts, not str"),
        (streamed, coroutine, "an asynchronous iterable of texts, not str"),
    ):
        with pytest.raises(TextTypeError, match=said):
            asyncio.run(function(llm))


def test_reply_is_shown_as_counts():
    """In a debugger or a log, not as all that it holds."""
    reply = answer_with_citations("How long?", SOURCES, Model(TEXT * 20))
    shown = repr(reply)
    assert shown.startswith("<CitedReply: 'Refunds take five working days [1]. Express")
    assert "2 sources, <Report: " in shown
    assert len(shown) < 250


def half(_messages):
    yield "Refunds take five working days [1"
    raise ConnectionError


async def half_later(_messages):
    for chunk in half(_messages):
        yield chunk


def test_stream_that_breaks_off():
    """The answer has all that came, what was held back too; there is no report."""
    stream = stream_with_citations("?", SOURCES, half)
    with pytest.raises(ConnectionError):
        list(stream)
    assert stream.answer.text == "Refunds take five working days [1"
    with pytest.raises(CitemarkError, match="answer has what came until it broke off"):
        _ = stream.reply
    assert list(stream) == []


def test_asynchronous_stream_that_breaks_off():
    """The same, and if it is cancelled; the model's generator is closed in any case."""
    closed, started = [], asyncio.Event()

    async def slow(_messages):
        try:
            yield "Refunds take five working days [1"
            started.set()
            await asyncio.sleep(60)
        finally:
            closed.append(True)

    async def take(stream):
        async for _ in stream:
            pass

    async def broken():
        stream = stream_with_citations_async("?", SOURCES, half_later)
        with pytest.raises(ConnectionError):
            await take(stream)
        return stream.answer.text

    async def cancelled():
        stream = stream_with_citations_async("?", SOURCES, slow)
        task = asyncio.create_task(take(stream))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return stream.answer.text

    async def left():
        stream = stream_with_citations_async("?", SOURCES, slow)
        async for _ in stream:
            break
        await stream.aclose()
        return stream.answer.text

    for way in (broken, cancelled, left):
        assert asyncio.run(way()) == "Refunds take five working days [1"
    assert closed == [True, True]


def test_stream_that_is_left():
    """The model's generator is closed, and the answer has what came."""
    closed = []

    def model(_messages):
        try:
            yield "Refunds take five working days [1]. Ex"
            yield "press"
        finally:
            closed.append(True)

    stream = stream_with_citations("?", SOURCES, model)
    next(iter(stream))
    stream.close()
    assert closed == [True]
    assert stream.answer.text == "Refunds take five working days [1]. Ex"


@pytest.mark.parametrize("reply", [b"Five", {"content": "Five"}])
def test_what_are_no_chunks(reply):
    """Bytes would give numbers, and a mapping names."""
    with pytest.raises(TextTypeError, match="an iterable of texts, not"):
        list(stream_with_citations("?", SOURCES, lambda _: reply))


def test_questions_from_several_threads():
    """Each has its own messages, answer and numbers."""

    def asked(number):
        return answer_with_citations(
            f"{number}?", SOURCES, lambda m: f"{m[-1]['content'][-3:]} [1]."
        )

    with ThreadPoolExecutor(8) as pool:
        replies = [*pool.map(asked, range(10, 60))]
    assert [reply.answer.text for reply in replies] == [f"{n}? [1]." for n in range(10, 60)]

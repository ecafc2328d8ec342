"""Built-in citations of providers, as the same ``Answer`` as that of markers in a text.

Each provider has a module with ``parse(response, *, request=None)`` and ``StreamAdapter``,
whose ``feed(event)`` and ``close()`` give the same answer from the events of a stream.
Responses are mappings or objects of the provider's SDK, which is never imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from citemark.errors import UnknownProviderError
from citemark.model import Issue
from citemark.providers._node import Node
from citemark.providers._stream import Placement, StreamBase, Update
from citemark.providers.out import (
    OpenAIAnnotations,
    OpenAIApi,
    OutUnit,
    to_langchain,
    to_openai_annotations,
    to_teams,
    to_vercel_chunks,
    to_vercel_parts,
)

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._doc import Provided

__all__ = [
    "PROVIDERS",
    "Adapter",
    "OpenAIAnnotations",
    "OpenAIApi",
    "OutUnit",
    "Placement",
    "StreamBase",
    "Update",
    "adapter",
    "parse",
    "parse_events",
    "recognise",
    "to_langchain",
    "to_openai_annotations",
    "to_teams",
    "to_vercel_chunks",
    "to_vercel_parts",
]

PROVIDERS: Final = (
    "pydantic_ai",
    "llama_index",
    "langchain",
    "vercel",
    "anthropic",
    "mistral_conversations",
    "github_copilot",
    "copilot_studio",
    "contextual",
    "snowflake",
    "hunyuan",
    "qwen",
    "amazon_q",
    "amazon_q_connect",
    "bedrock_converse",
    "bedrock_agent",
    "bedrock_agentic",
    "bedrock_rag",
    "gemini_interactions",
    "gemini",
    "discovery_engine",
    "cohere",
    "cohere_v1",
    "cohere_raw",
    "azure_oyd",
    "openai_assistants",
    "xai",
    "groq",
    "openrouter",
    "perplexity",
    "perplexity_agent",
    "zhipu",
    "mistral",
    "openai_responses",
    "openai_chat",
)
"""Names of the modules, in the order in which a response is tried: the most telling first."""

OF_FORM: Final = ("field", "unknown_")
"""How the codes of issues begin that tell of the form alone, not of what was said in it."""

COMMON_FORMS: Final = {
    "openai_chat": {"choices": [{"message": {"content": "A"}}]},
    "openai_responses": {
        "object": "response",
        "output": [{"type": "message", "content": [{"type": "output_text", "text": "A"}]}],
    },
}
"""The least of what others send as well as those who made it up."""

MAX_TRIED: Final = 20
"""Events of a stream that are looked at to find out whose they are."""


class Adapter(Protocol):
    """What the module of a provider has."""

    PROVIDER: str
    SIGNS: frozenset[str]
    DOC: Provided

    def matches(self, response: Node) -> bool:
        """Whether a response, or an event of a stream, is of this provider."""

    def parse(self, response: object, *, request: object = None) -> Answer:
        """Return the answer of a response."""


def parse(response: object, *, provider: str = "auto", request: object = None) -> Answer:
    """Return the answer of a provider's response.

    Args:
        response: A mapping, or an object of the provider's SDK.
        provider: One of ``PROVIDERS``, or ``"auto"`` to find out.
        request: What was asked, where the response alone does not hold the sources.

    Raises:
        UnknownProviderError: No provider has that name, or sends such a response; the message
            says which one it resembles.
    """
    module = None if provider == "auto" else adapter(provider)
    events = _events_in(response, module)
    if events is not None:
        return parse_events(events, provider=provider, request=request)
    module = module or adapter(recognise(response))
    return _told_if_unknown(module, module.parse(response, request=request), [response])


def parse_events(
    events: Iterable[object], *, provider: str = "auto", request: object = None
) -> Answer:
    """Return the answer of the events of a stream, which is that of the whole response.

    Args:
        events: All events, in their order.
        provider: One of ``PROVIDERS``, or ``"auto"`` to find out by the first that tells.
        request: As for ``parse``.

    Raises:
        UnknownProviderError: No provider has that name, has a stream, or sends such events.
    """
    events = list(events)
    name = _recognise_any(events) if provider == "auto" else provider
    make = getattr(adapter(name), "StreamAdapter", None)
    if make is None:
        what = f"{name} as a stream"
        raise UnknownProviderError(what, PROVIDERS)
    stream: StreamBase = make(request=request)
    for event in events:
        stream.feed(event)
    stream.close()
    return _told_if_unknown(adapter(name), stream.answer, events[:MAX_TRIED])


def _events_in(response: object, module: Adapter | None) -> Iterable[object] | None:
    """Return the events of what is a list of events, or a response that holds a stream."""
    if isinstance(response, Mapping):
        held = response.get("stream")
        is_held = isinstance(held, Iterable) and not isinstance(held, str | bytes | Mapping)
        return held if is_held else None
    if not isinstance(response, list | tuple | Iterator):
        return None
    # A list may also be one of messages, of which the last is read.
    known = [module] if module else map(adapter, PROVIDERS)
    node = _quiet(response)
    return None if any(one.matches(node) for one in known) else response


def _told_if_unknown(module: Adapter, answer: Answer, given: Iterable[object]) -> Answer:
    """Return an answer with an issue if it is empty and nothing was of its provider."""
    is_empty = not (answer.segments or answer.asides or answer.consulted)
    is_odd = all(issue.code.startswith(OF_FORM) for issue in answer.issues)
    if not (is_empty and is_odd) or any(module.matches(_quiet(one)) for one in given):
        return answer
    other = _first_known(given)
    if other in COMMON_FORMS and module.parse(COMMON_FORMS[other]).segments:
        return answer  # an empty answer has no more than the form
    if not other and answer.issues and any(map(partial(_shared, module), given)):
        return answer
    like = f"; it looks like one of {other}" if other else ""
    message = f"{module.PROVIDER}: nothing in the response is known{like}"
    told = Issue("nothing_known", message, 0, 0, other)
    return replace(answer, issues=(told, *answer.issues))


def _first_known(given: Iterable[object]) -> str:
    """Return whose the first response or event is that is known; "" if none is."""
    for one in given:
        with suppress(UnknownProviderError):
            return recognise(one)
    return ""


def _shared(module: Adapter, response: object) -> int:
    """Return how many fields of a response are usual for a provider."""
    return len(module.SIGNS.intersection(_quiet(response).fields()))


def _quiet(response: object) -> Node:
    return Node(response, lambda name, expected: None)  # noqa: ARG005  it may be of another one


def _recognise_any(events: list[object]) -> str:
    for event in events[:MAX_TRIED]:
        with suppress(UnknownProviderError):
            return recognise(event)
    return recognise(events[0] if events else None)


def adapter(provider: str) -> Adapter:
    """Return the module of a provider.

    Raises:
        UnknownProviderError: There is none of that name.
    """
    if provider not in PROVIDERS:
        raise UnknownProviderError(provider, PROVIDERS)
    return cast("Adapter", import_module(f"citemark.providers.{provider}"))


def recognise(response: object) -> str:
    """Return the name of the provider that sends such responses, or such events of a stream.

    Args:
        response: A response, an event, or a list of events, bare or held by a response.  No
            event is taken from a stream that can be read only once.

    Raises:
        UnknownProviderError: None does.
    """
    for one in _told_by(response):
        node = _quiet(one)
        for name in PROVIDERS:
            if adapter(name).matches(node):
                return name
    node = _quiet(response)
    fields = frozenset(node.fields())
    shared = {name: _shared(adapter(name), response) for name in PROVIDERS}
    resembled = max(PROVIDERS, key=shared.__getitem__) if any(shared.values()) else ""
    sent = "" if fields or isinstance(response, Mapping) else _kind(response)
    raise UnknownProviderError(None, PROVIDERS, fields, resembled, sent)


def _told_by(response: object) -> Iterator[object]:
    """Yield what may tell whose a response is, in the order in which ``parse`` looks at it."""
    if not isinstance(response, Mapping):
        yield response
    events = response.get("stream") if isinstance(response, Mapping) else response
    if isinstance(events, list | tuple):
        yield from events[:MAX_TRIED]
    if isinstance(response, Mapping):
        yield response


def _kind(response: object) -> str:
    """Return what is no response, in words, and what to do about it."""
    is_text = isinstance(response, str | bytes)
    mend = " (a mapping is expected: json.loads makes it of a text)" if is_text else ""
    return f"a {type(response).__name__}{mend}"

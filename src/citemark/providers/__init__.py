"""Built-in citations of providers, as the same ``Answer`` as that of markers in a text.

Each provider has a module with ``parse(response, *, request=None)`` and ``StreamAdapter``,
whose ``feed(event)`` and ``close()`` give the same answer from the events of a stream.
Responses are mappings or objects of the provider's SDK, which is never imported.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from citemark.errors import UnknownProviderError
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
    from collections.abc import Iterable

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
    name = recognise(response) if provider == "auto" else provider
    return adapter(name).parse(response, request=request)


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
    return stream.answer


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

    Raises:
        UnknownProviderError: None does.
    """
    node = Node(response, lambda name, expected: None)  # noqa: ARG005  it may be of another one
    for name in PROVIDERS:
        if adapter(name).matches(node):
            return name
    fields = frozenset(node.fields())
    resembled = max(PROVIDERS, key=lambda name: len(fields & adapter(name).SIGNS))
    raise UnknownProviderError(None, PROVIDERS, fields, resembled)

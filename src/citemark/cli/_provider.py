"""Answers of providers as the command reads them: a response, or the events of a stream."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from citemark.cli._file_names import FILE
from citemark.cli._io import STDIO, BadInputError, caller_mistakes, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citemark.answer import Answer

__all__ = ["cite_response", "provider_options", "refuse_markers_options"]

_SSE_FIELDS: Final = ("event:", "id:", "retry:", ":")
"""Lines of server-sent events that hold no data (WHATWG HTML, 9.2.6)."""

_FOR_MARKERS: Final = ("sources", "label", "formats", "lenient", "unresolved", "source_list")
"""Options that a response has no use for."""

_END: Final = "[DONE]"
"""What some providers send after the last event."""


def provider_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options for responses of providers to a command."""
    provider = click.option(
        "--provider",
        metavar="NAME",
        help="ANSWER is a response of this provider as JSON, or its stream as JSON Lines; "
        "auto finds out which.  Its sources are in it.",
    )
    request = click.option(
        "--request",
        metavar="FILE",
        type=FILE,
        help="--provider: what was asked, as JSON, where only that holds the sources.",
    )
    return provider(request(command))


def refuse_markers_options() -> None:
    """Refuse options that say how markers are read: the provider's own way is known.

    Raises:
        UsageError: One of them was given.
    """
    context = click.get_current_context()
    for name in _FOR_MARKERS:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} is for answers with markers, not for --provider")


def cite_response(name: str, provider: str, request: str | None) -> Answer:
    """Return the answer of a file that a provider sent.

    Args:
        name: The file, or ``-`` for stdin.
        provider: Name of the provider, or ``auto``.
        request: File of the request, if there is one.

    Raises:
        UsageError: Both are stdin.
        BadInputError: A file cannot be read, or is no JSON, or no provider is known to send it,
            or not the one that was named.
    """
    from citemark import providers

    if name == request == STDIO:
        reason = "ANSWER and --request cannot both be stdin; name a file for one of them"
        raise click.UsageError(reason)
    asked = None if request is None else _json(read_text(request), request)
    text = read_text(name)
    where = "stdin" if name == STDIO else name
    with caller_mistakes(where):
        whole = _whole(text)
        if whole is not None:
            answer = providers.parse(whole, provider=provider, request=asked)
        else:
            events = [*_events(text, where)]
            if not events:
                raise BadInputError(where, "is empty")
            answer = providers.parse_events(events, provider=provider, request=asked)
    _refuse_unknown(answer, where)
    return answer


def _refuse_unknown(answer: Answer, where: str) -> None:
    """Refuse what is nothing of the provider that was named: an empty page would hide it."""
    for issue in answer.issues:
        if issue.code == "nothing_known":
            mend = f": give --provider {issue.key}" if issue.key else ""
            raise BadInputError(where, f"{issue.message}{mend}")


def _whole(text: str) -> Any:  # noqa: ANN401  whatever was sent
    """Return the one JSON value that a text is; None if it is none, or one of many lines."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _events(text: str, where: str) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), 1):
        data = line.strip().removeprefix("data:").strip()
        if data and data != _END and not line.startswith(_SSE_FIELDS):
            yield _json(data, f"{where}, line {number}")


def _json(text: str, where: str) -> Any:  # noqa: ANN401  whatever was sent
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInputError(where, f"is no JSON: {error}") from None

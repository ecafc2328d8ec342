"""Earlier messages as they go back to the model: without markers, or with those of today.

Models copy what they see.  A number of an earlier turn, whose list is gone or has other
sources now, would come back as a citation of the wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark._arguments import require_iterable
from citemark._rewritten import How, relabelled, stripped
from citemark.catalogue import DEFAULT, FormatSet
from citemark.errors import ArgumentTypeError, CitemarkError, shortened
from citemark.registry import Registry
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.catalogue import Format
    from citemark.model import Source

__all__ = ["Markers", "clean_history"]

Markers: TypeAlias = Literal["strip", "label"]
"""What becomes of markers: they are removed, or written anew with the labels of today."""

Known: TypeAlias = "Sources | Iterable[Source | Mapping[str, Any]]"

ROLES: Final = frozenset({"assistant", "model", "ai"})
"""Who wrote a message whose markers are changed, as providers call it."""

NOTHING: Final = "…"
"""What is left of a text that was nothing but markers: providers refuse an empty one."""

TEXT_TYPES: Final = frozenset({"text", "output_text"})
"""Types of the blocks that hold what readers see: neither thinking nor what tools are given."""


def clean_history(  # noqa: PLR0913  options, all by keyword
    messages: Iterable[Any],
    sources: Known | Callable[[Mapping[str, Any]], Known],
    *,
    markers: Markers = "strip",
    labels: Sources | Registry | None = None,
    formats: Iterable[Format] = DEFAULT,
    source_list: Literal["keep", "drop"] | None = None,
) -> list[Any]:
    """Return the messages with the markers of the model's own answers removed, or relabelled.

    A marker is changed if it names a source, or if nobody writes such a one by accident: an
    unknown ``[9]`` stays, ``[doc:x]`` and the 9 of ``[1, 9]`` do not.  Words inside a tag stay,
    and so do code and what is escaped.  The messages are never changed: what differs is a
    copy, and the rest are the same objects.

    Args:
        messages: As OpenAI, Anthropic, Google or LangChain have them: mappings, or objects of
            their libraries, with ``role``, and ``content`` (a text, or blocks with ``text``) or
            ``parts``.  All else stays.  A text of markers alone becomes an ellipsis, or its
            block goes: providers refuse empty ones.
        sources: What the messages could cite; or a function that returns it for a message, if
            each turn had a list of its own.
        markers: ``"strip"`` removes them, with the blank before each; ``"label"`` writes
            ``[1]``, or ``[doc:id]`` for labels that are ids, and removes those whose source has
            no label any more, and what named nothing but would be a label today.
        labels: The labels of today; by default those of ``sources``.
        formats: See ``cite``.
        source_list: What becomes of a list of sources that the model wrote itself:
            ``"drop"`` removes it.  ``"keep"`` leaves it as it is, with the numbers that it
            had.  By default it is kept with ``"strip"``, and dropped with ``"label"``.

    Raises:
        ArgumentTypeError: The messages are no list, or one with markers cannot be copied.
        CitemarkError: An option has a value that is not known.
        SourceError: The sources cannot be used: see ``Sources``.

    >>> asked = {"role": "user", "content": "When?"}
    >>> said = {"role": "assistant", "content": "In five days [1]. Really [9]."}
    >>> clean_history([asked, said], [{"id": "faq"}])[1]["content"]
    'In five days. Really [9].'
    """
    _require_options(markers, source_list, labels)
    listed = require_iterable("messages", messages, "a list of messages")
    known = sources if callable(sources) else Sources.of(sources)
    how = How(FormatSet.of(formats), source_list or ("keep" if markers == "strip" else "drop"))

    def rewritten(message: Mapping[str, Any]) -> Callable[[str], str]:
        own = Sources.of(known(message)) if callable(known) else known
        today = own if labels is None else labels
        if markers == "strip":
            return lambda text: stripped(text, own, how)
        return lambda text: relabelled(text, own, today, how)

    return [
        _message(message, rewritten(message), f"messages[{at}]")
        if _is_answer(message)
        else message
        for at, message in enumerate(listed)
    ]


def _require_options(markers: object, source_list: object, labels: object) -> None:
    for name, value, choices in (
        ("markers", markers, get_args(Markers)),
        ("source_list", source_list, ("keep", "drop", None)),
    ):
        if value not in choices:
            shown = ", ".join(choice for choice in choices if choice)
            message = f"{name}={shortened(repr(value))}: choose one of {shown}"
            raise CitemarkError(message)
    if not isinstance(labels, Sources | Registry | None):
        raise ArgumentTypeError(labels, "labels", "Sources or a Registry")


def _get(value: Any, name: str, default: Any = None) -> Any:  # noqa: ANN401  of any provider
    """Return a field of a mapping, or of an object of a client library."""
    is_mapping = isinstance(value, Mapping)
    return value.get(name, default) if is_mapping else getattr(value, name, default)


def _is_answer(message: object) -> bool:
    role = _get(message, "role") or _get(message, "type")  # LangChain has the second alone
    return isinstance(role, str) and role in ROLES


def _message(message: Any, rewrite: Callable[[str], str], where: str) -> Any:  # noqa: ANN401
    changed: dict[str, Any] = {}
    for name in ("content", "parts"):
        old = _get(message, name)
        new = _content(old, rewrite, f"{where}.{name}")
        if new is not old:
            changed[name] = new
    if changed and _get(message, "annotations"):
        changed["annotations"] = []  # their offsets are of the text as it was
    return _changed(message, changed, where)


def _content(content: Any, rewrite: Callable[[str], str], where: str) -> Any:  # noqa: ANN401
    if isinstance(content, str):
        return _rewritten(content, rewrite)
    if not isinstance(content, list | tuple):
        return content
    blocks = [_block(block, rewrite, f"{where}[{at}]") for at, block in enumerate(content)]
    pairs = [*zip(blocks, content, strict=True)]
    if all(new is old for new, old in pairs):
        return content
    return [new for new, old in pairs if new is old or not _is_empty(new)] or blocks[:1]


def _is_empty(block: Any) -> bool:  # noqa: ANN401  of any provider
    """Whether nothing is left of a block: providers refuse one without words."""
    return bool((block if isinstance(block, str) else _get(block, "text")) == NOTHING)


def _block(block: Any, rewrite: Callable[[str], str], where: str) -> Any:  # noqa: ANN401
    if isinstance(block, str):
        return _rewritten(block, rewrite)
    if _get(block, "type", "text") not in TEXT_TYPES:
        return block
    text = _get(block, "text")
    if not isinstance(text, str) or _get(block, "thought"):
        return block
    new = _rewritten(text, rewrite)
    if new is text:
        return block
    changed: dict[str, Any] = {"text": new}
    if _get(block, "annotations") is not None:
        changed["annotations"] = []  # as above
    return _changed(block, changed, where)


def _rewritten(text: str, rewrite: Callable[[str], str]) -> str:
    """Return the same object if nothing changes, and a sign if nothing would be left."""
    new = rewrite(text)
    if new == text:
        return text
    return new if new.strip() else NOTHING


def _changed(old: Any, new: Mapping[str, Any], where: str) -> Any:  # noqa: ANN401
    """Return a copy with other fields.

    Raises:
        ArgumentTypeError: It is an object that cannot be copied so.
    """
    if not new:
        return old
    if isinstance(old, Mapping):
        return {**old, **new}
    if callable(getattr(old, "model_copy", None)):
        return old.model_copy(update=dict(new))
    if is_dataclass(old) and not isinstance(old, type):
        return replace(old, **new)
    raise ArgumentTypeError(old, where, "a mapping, a pydantic model or a dataclass")

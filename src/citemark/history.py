"""Earlier messages as they go back to the model: without markers, or with those of today.

Models copy what they see.  A number of an earlier turn, whose list is gone or has other
sources now, would come back as a citation of the wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark._rewritten import How, relabelled, stripped
from citemark.catalogue import DEFAULT, FormatSet
from citemark.errors import CitemarkError
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.catalogue import Format
    from citemark.model import Source
    from citemark.registry import Registry

__all__ = ["Markers", "clean_history"]

Markers: TypeAlias = Literal["strip", "label"]
"""What becomes of markers: they are removed, or written anew with the labels of today."""

Known: TypeAlias = "Sources | Iterable[Source | Mapping[str, Any]]"

ROLES: Final = frozenset({"assistant", "model", "ai"})
"""Who wrote a message whose markers are changed, as providers call it."""

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
        messages: As OpenAI, Anthropic or Google have them: mappings with ``role``, and
            ``content`` (a text, or blocks with ``text``) or ``parts``.  All else stays.
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
        CitemarkError: An option has a value that is not known.
        SourceError: The sources cannot be used: see ``Sources``.

    >>> asked = {"role": "user", "content": "When?"}
    >>> said = {"role": "assistant", "content": "In five days [1]. Really [9]."}
    >>> clean_history([asked, said], [{"id": "faq"}])[1]["content"]
    'In five days. Really [9].'
    """
    if markers not in get_args(Markers) or source_list not in {"keep", "drop", None}:
        message = f"markers={markers!r}, source_list={source_list!r}: not known"
        raise CitemarkError(message)
    known = sources if callable(sources) else Sources.of(sources)
    how = How(FormatSet.of(formats), source_list or ("keep" if markers == "strip" else "drop"))

    def rewritten(message: Mapping[str, Any]) -> Callable[[str], str]:
        own = Sources.of(known(message)) if callable(known) else known
        today = own if labels is None else labels
        if markers == "strip":
            return lambda text: stripped(text, own, how)
        return lambda text: relabelled(text, own, today, how)

    return [
        _message(message, rewritten(message)) if _is_answer(message) else message
        for message in messages
    ]


def _is_answer(message: object) -> bool:
    return isinstance(message, Mapping) and message.get("role") in ROLES


def _message(message: Mapping[str, Any], rewrite: Callable[[str], str]) -> Mapping[str, Any]:
    changed = {
        name: _content(message[name], rewrite)
        for name in ("content", "parts")
        if name in message
    }
    return _changed(message, changed)


def _content(content: Any, rewrite: Callable[[str], str]) -> Any:  # noqa: ANN401  of any provider
    if isinstance(content, str):
        return rewrite(content)
    if not isinstance(content, list | tuple):
        return content
    blocks = [_block(block, rewrite) for block in content]
    if all(new is old for new, old in zip(blocks, content, strict=True)):
        return content
    return blocks


def _block(block: Any, rewrite: Callable[[str], str]) -> Any:  # noqa: ANN401  of any provider
    if isinstance(block, str):
        new = rewrite(block)
        return block if new == block else new
    if not isinstance(block, Mapping) or block.get("type", "text") not in TEXT_TYPES:
        return block
    text = block.get("text")
    if not isinstance(text, str) or block.get("thought"):
        return block
    new = rewrite(text)
    changed: dict[str, Any] = {"text": new}
    if new != text and "annotations" in block:
        changed["annotations"] = []  # their offsets are of the text as it was
    return _changed(block, changed)


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> Mapping[str, Any]:
    if all(old[name] is value or old[name] == value for name, value in new.items()):
        return old
    return {**old, **new}

"""Checks for authors of a renderer or a marker format, to be called from their own tests.

What is checked holds for all that citemark brings: it is what callers of ``render`` and
``find_markers`` rely on.
"""

from __future__ import annotations

import json
import time
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from citemark.answer import Answer
from citemark.api import cite
from citemark.errors import CitemarkError
from citemark.parser import Scanner, find_markers
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citemark.catalogue import Format
    from citemark.model import Token
    from citemark.renderers import Renderer

__all__ = [
    "PRIVATE",
    "SAMPLE_ANSWERS",
    "CheckFailedError",
    "check_format",
    "check_renderer",
]

PRIVATE: Final = "PRIVATE-METADATA"
"""Stands in the metadata and the local paths of the sample sources: no output may hold it."""

_UNITS: Final = 2_000
"""Repetitions in the shorter of the two texts that are timed."""

_SECONDS: Final = 0.2
"""Time below which growth is not judged, since it says more about the machine."""


class CheckFailedError(CitemarkError, AssertionError):
    """A renderer or a format does not do what it has to."""

    def __init__(self, name: str, reason: str) -> None:
        """Keep the name of what was checked, and what is wrong with it."""
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


def _read_samples() -> tuple[Answer, ...]:
    stored = json.loads(files("citemark").joinpath("testing_samples.json").read_text("utf-8"))
    return tuple(cite(sample["text"], stored["sources"]) for sample in stored["texts"])


SAMPLE_ANSWERS: Final[tuple[Answer, ...]] = _read_samples()
"""Answers as models write them, and some that nobody should: hostile, broken, empty."""


def check_renderer(renderer: Renderer, answers: Iterable[Answer] = SAMPLE_ANSWERS) -> None:
    """Check that a renderer copes with any answer.

    It has a name and returns a string that is valid UTF-8, the same each time and for an
    answer that was stored, without raising and without what nobody should see.

    Raises:
        CheckFailedError: It does not.

    >>> from citemark.renderers.text import TextRenderer
    >>> check_renderer(TextRenderer())
    """
    name = getattr(renderer, "name", None)
    if not isinstance(name, str) or not name:
        raise CheckFailedError(repr(renderer), f"its name is {name!r}, not a string")
    for answer in answers:
        output = _rendered(renderer, answer)
        stored = Answer.from_dict(json.loads(json.dumps(answer.to_dict())))
        for other, what in ((answer, "twice"), (stored, "after it was stored")):
            if _rendered(renderer, other) != output:
                raise CheckFailedError(name, f"differs if rendered {what}: {answer.text!r}")
        if PRIVATE in output:
            reason = f"shows metadata or a path of a source: {output!r}"
            raise CheckFailedError(name, reason)


def _rendered(renderer: Renderer, answer: Answer) -> str:
    try:
        output: object = renderer.render(answer)
        if isinstance(output, str):
            output.encode("utf-8")
            return output
    except Exception as error:
        reason = f"{type(error).__name__} for {answer.text!r}: {error}"
        raise CheckFailedError(renderer.name, reason) from error
    raise CheckFailedError(renderer.name, f"returns {type(output).__name__}, not str")


def check_format(
    format_: Format,
    *,
    examples: Sequence[str] = (),
    not_examples: Sequence[str] = (),
    known: Sources | Iterable[str] = (),
) -> None:
    r"""Check that a format finds what it should, in whole texts and streams, in linear time.

    Args:
        format_: A format of your own.
        examples: Markers, besides the format's own example: each must be found as a whole.
        not_examples: Texts in which the format must find nothing.
        known: Sources, or keys that name some.  The tier ``"candidate"`` needs them.

    Raises:
        FormatError: The format cannot be compiled.
        CheckFailedError: It finds too little or too much, loses text, depends on how a stream
            is cut, or takes more than linear time.

    >>> from citemark.formats import Format
    >>> paper = Format(
    ...     name="paper",
    ...     opening="(",
    ...     pattern=r"pqac- (?P<key> [0-9a-f]{1,16}+ ) \)",
    ...     example="(pqac-a020507f)",
    ... )
    >>> check_format(paper, not_examples=["(pqac-)", "pqac-1"])
    """
    sources = known if isinstance(known, Sources) else Sources.from_keys(known)
    for example in (format_.example, *examples):
        for before, after in (("", ""), ("Shown before ", ". More."), ("**a** ", "\n\nb")):
            _check_found(format_, before, example, after, sources)
        _check_growth(format_, example, sources)
    for text in not_examples:
        _check_chunks(format_, text, sources)
        if found := find_markers(text, formats=(format_,), known=sources):
            raise CheckFailedError(format_.name, f"finds {found[0].raw!r} in {text!r}")


def _check_found(
    format_: Format, before: str, example: str, after: str, known: Sources
) -> None:
    text = before + example + after
    found = find_markers(text, formats=(format_,), known=known)
    if [marker.raw for marker in found] != [example]:
        raws = [marker.raw for marker in found]
        reason = f"finds {raws} in {text!r}, not {example!r}"
        raise CheckFailedError(format_.name, reason)
    _check_chunks(format_, text, known)


def _check_chunks(format_: Format, text: str, known: Sources) -> None:
    whole = _scanned(format_, [text], known)
    if "".join(token if isinstance(token, str) else token.raw for token in whole) != text:
        raise CheckFailedError(format_.name, f"loses text of {text!r}")
    cuts = [[text[:at], text[at:]] for at in range(1, len(text))]
    for chunks in (*cuts, list(text)):
        if _scanned(format_, chunks, known) != whole:
            raise CheckFailedError(format_.name, f"depends on chunks: {chunks}")


def _scanned(format_: Format, chunks: Iterable[str], known: Sources) -> list[Token]:
    """Return the tokens of a stream, with neighbouring text joined."""
    scanner = Scanner((format_,), known=known)
    tokens = [token for chunk in chunks for token in scanner.feed(chunk)]
    merged: list[Token] = []
    for token in tokens + scanner.close():
        last = merged[-1] if merged else None
        if isinstance(token, str) and isinstance(last, str):
            merged[-1] = last + token
        else:
            merged.append(token)
    return merged


def _check_growth(format_: Format, example: str, known: Sources) -> None:
    for unit in (example, example[:-1], example[:1], example[: len(example) // 2 + 1]):
        for prefix in ("", example[:-1]):
            short, long = (
                min(_seconds(format_, prefix + unit * times, known) for _ in range(2))
                for times in (_UNITS, 10 * _UNITS)
            )
            if long > _SECONDS and long > 30 * short:
                reason = f"takes {long / short:.0f} times as long for 10 times {unit!r}"
                raise CheckFailedError(format_.name, reason)


def _seconds(format_: Format, text: str, known: Sources) -> float:
    start = time.process_time()
    find_markers(text, formats=(format_,), known=known)
    return time.process_time() - start

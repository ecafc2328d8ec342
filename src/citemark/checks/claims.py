"""Sentences of an answer with what is cited for each, and which of them are claims.

Blocks of Markdown come first, then sentences: no sentence goes over two list items, or from a
heading into its paragraph.  Markers are taken out before, so that ``text [1].``, ``text. [1]``
and ``text.[1]`` are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.answer import as_answer
from citemark.checks._blocks import Masked
from citemark.checks._cited import Found, settled
from citemark.checks._roles import is_name, role_of
from citemark.checks._splitters import checked
from citemark.checks._words import Words

if TYPE_CHECKING:
    from collections.abc import Collection

    from citemark.answer import Answer
    from citemark.checks._blocks import Block
    from citemark.checks._marks import Mark
    from citemark.checks._splitters import Ranges
    from citemark.checks.model import Sentence
    from citemark.checks.splitting import Splitter

__all__ = ["claims", "sentences"]

_NAME: Final = lazy_re(r"[^\W_]")


def claims(answer: Answer, *, splitter: Splitter | None = None) -> tuple[Sentence, ...]:
    r"""Return the sentences that state something; see ``sentences``.

    >>> from citemark import cite
    >>> answer = cite("# Tides\n\nThe moon pulls [1]. Why? Spring tides rise.", [{"id": "a"}])
    >>> [(claim.text, len(claim.citations)) for claim in claims(answer)]
    [('The moon pulls.', 1), ('Spring tides rise.', 0)]
    """
    found = sentences(answer, splitter=splitter)
    return tuple(sentence for sentence in found if sentence.role == "claim")


def sentences(answer: Answer, *, splitter: Splitter | None = None) -> tuple[Sentence, ...]:
    """Return the sentences of an answer, in order: what each does and what is cited for it.

    Code, formulas on lines of their own, footnotes and source lists are none.  A marker is for
    the sentence that ends before it; one that names what it is for is for those words.  What is
    cited for the answer as a whole is cited for no sentence.

    Args:
        answer: Its text may be any Markdown.
        splitter: Takes the words of a paragraph, markers taken out, and returns where its
            sentences are: half-open ranges of code points, in order, which hold all words.

    Raises:
        NotAnAnswerError: The answer is none, but a text, say.
        SplitterError: The splitter gave ranges that are none, or left words out.
    """
    split = checked(splitter)
    masked = Masked(as_answer(answer))
    cursor = _Cursor(masked.marks)
    found: list[Found] = []
    number = -1
    for block in masked.blocks():
        number += number < 0 or not block.is_more
        marks = cursor.within(block)
        own = _sentences(masked, block, number, marks, split)
        if found and not own:  # a paragraph of markers is for the one before it
            found[-1].marks.extend(marks)
        is_below_greeting = block.is_more and found and found[-1].role == "greeting"
        if is_below_greeting and own and own[0].role == "claim" and is_name(own[0].text):
            own[0] = own[0]._replace(role="greeting")
        found += own
    return settled(found, masked.marks)


def _sentences(
    masked: Masked, block: Block, number: int, marks: Collection[Mark], split: Ranges
) -> list[Found]:
    """Return the sentences of a block, each with the markers that follow its words."""
    words = Words(masked, block, marks)
    text, at = words.text, 0
    is_one = block.unit in {"row", "heading"}
    ranges = [(0, len(text))] if is_one else split(text)
    found: list[Found] = []
    early: list[Mark] = []
    for index, (start, end) in enumerate(ranges):
        last = index + 1 == len(ranges)
        stop = len(text) if last else max(end, ranges[index + 1][0])
        first = at
        while at < len(words.marks) and words.marks[at][0] <= stop:
            at += 1
        own = [mark for _, mark in words.marks[first:at]]
        if _NAME.search(text, start, end):
            line = words.written(start, end)
            role = role_of(line, block.unit)
            span = words.origin(start), words.origin(end - 1) + 1
            found.append(Found(*span, line, role, block.unit, number, early + own))
            early = []
        else:  # "Tides rise. 👍 [1]": no words of their own
            (found[-1].marks if found else early).extend(own)
    return found


class _Cursor:
    """Goes over the markers of an answer once, block by block."""

    def __init__(self, marks: list[Mark]) -> None:
        self._marks = marks
        self._at = 0

    def within(self, block: Block) -> list[Mark]:
        """Return the markers in a block, and those at its end."""
        marks, at = self._marks, self._at
        while (
            at < len(marks) and marks[at].end <= block.start and marks[at].start < block.start
        ):
            at += 1
        first = at
        while at < len(marks) and marks[at].start <= block.reach:
            at += 1
        self._at = at
        return marks[first:at]

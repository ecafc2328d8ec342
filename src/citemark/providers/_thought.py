"""Reasoning that a model writes before its answer, in tags: ``<think>...</think>``."""

from __future__ import annotations

from typing import Final, Literal

__all__ = ["Split"]

START: Final = "<think>"
END: Final = "</think>"

MAX_BLANK: Final = 100
"""White space before the first tag, at most."""


class Split:
    """Splits a text that comes in pieces into reasoning and answer.

    The tags count at the very start only; an answer may be about them.

    >>> split = Split()
    >>> split.feed("<think>2 + 2</thi"), split.feed("nk> 4")
    (('2 + 2', ''), ('', '4'))
    """

    def __init__(self) -> None:
        """Start before the first piece."""
        self._state: Literal["start", "thought", "blank", "answer"] = "start"
        self._held = ""

    @property
    def rest(self) -> tuple[str, str]:
        """Reasoning and answer of what is held back, if no more text comes."""
        return (self._held, "") if self._state == "thought" else ("", self._held)

    def feed(self, text: str) -> tuple[str, str]:
        """Return what a piece adds to the reasoning, and to the answer."""
        if self._state == "answer":
            return "", text
        text, self._held = self._held + text, ""
        if self._state == "start":
            bare = text.lstrip()
            if START.startswith(bare) and len(text) < MAX_BLANK and bare != START:
                self._held = text
                return "", ""
            if not bare.startswith(START):
                self._state = "answer"
                return "", text
            self._state, text = "thought", bare.removeprefix(START)
        thought = ""
        if self._state == "thought":
            thought, tag, text = text.partition(END)
            if not tag:
                thought, self._held = _without_start(thought)
                return thought, ""
            self._state = "blank"
        answer = text.lstrip()
        self._state = "answer" if answer else "blank"
        return thought, answer


def _without_start(text: str) -> tuple[str, str]:
    """Return a text less the start of a closing tag at its end, and that start."""
    for length in range(min(len(END) - 1, len(text)), 0, -1):
        if text.endswith(END[:length]):
            return text[:-length], text[-length:]
    return text, ""

"""Whether a number in brackets belongs to prose, mathematics or code, and cites nothing.

The answer is a function of the code points close by and of the brackets before that were none,
so streams and whole texts agree.  In doubt a bracket is a citation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._prose._labels import Labels
from citemark._prose._rules import LABELLING, OPERATORS, is_list, judge_apart
from citemark._prose._subscript import AFTER, BEFORE, FEW, GLUE, is_index, is_subscript
from citemark._prose._words import CLUE, RISKY

if TYPE_CHECKING:
    from citemark._prose._rules import Kind

__all__ = ["CLUE", "RISKY", "ROWS", "Prose", "guarded"]

ROWS: Final = frozenset({"number", "wide", "footnote", "double", "angle"})
"""Formats that are judged, besides those that are ``like_index``."""

_GAP: Final = 5
"""Longest text between two brackets of which the second is what the first is."""

_GAPS: Final = frozenset({",", ", ", "-", "–", " – ", " - ", " · ", " + ", " → ", "; ", " ; "})
_SCALE_GAPS: Final = frozenset({" and ", " to "})
_NAMES: Final = lazy_re(r"(?<![\w.])(?:arr|args?|argv|buf|list)\Z")
_QUANTIFIED: Final = lazy_re(r"""\+["'$/)]""")
_SHIFT: Final = lazy_re(r"[A-Za-z0-9_)]<<[0-9]{1,3}>>\Z")
_OPERATED: Final = lazy_re(rf"(?<![=<>!])[{OPERATORS}][ ]?\Z")


class Prose:
    """Judges the brackets of a text, in order."""

    __slots__ = ("_end", "_kind", "_labels", "near")

    def __init__(self) -> None:
        """Begin before the first line."""
        self._end = -_GAP - 1
        self._kind: Kind = ""
        self._labels = Labels()
        self.near = -1
        """A bracket that starts no further on may be what the last one was."""

    def cut(self, length: int) -> None:
        """Take account of a text that lost its first code points."""
        self._end -= length
        self.near -= length

    def judge(self, name: str, text: str, start: int, end: int, *, final: bool) -> bool | None:
        """Whether a bracket cites nothing; None if more text will tell.

        Args:
            name: Its format.
            text: The text as far as it has come, with a line end before its first line.
            start: Where the bracket starts.
            end: Where it ends.
            final: Whether no more text will come.
        """
        kind: Kind = ""
        if start <= self.near:
            kind = self._continued(text[self._end : start], text[start:end])
        elif _is_quiet(name, text, start, end, final=final):
            return False
        if not kind:
            found = self._look(name, text, start, end, final=final)
            if not found:
                return None if found is None else False
            kind = found
        self._end, self._kind, self.near = end, kind, end + _GAP
        return True

    def _continued(self, gap: str, raw: str) -> Kind:
        """Return what a bracket is for the sake of the last one, close before it."""
        if not gap:
            return "code" if self._kind == "code" else ""
        if self._kind == "scale":
            return "other" if gap in _SCALE_GAPS else ""
        is_same = self._kind == ("list" if is_list(raw) else "one")
        return self._kind if is_same and gap in _GAPS else ""

    def _look(self, name: str, text: str, start: int, end: int, *, final: bool) -> Kind | None:
        before, raw = text[max(0, start - BEFORE) : start], text[start:end]
        after = text[end : end + AFTER]
        if name in {"number", "wide"}:
            is_label = self._labels.take(text, start, end, after, final=final)
            if is_label is not False:
                return is_label and "other"
        if name == "number":
            return _judge_number(before, raw, after, final=final)
        if name == "angle":
            return "other" if _OPERATED.search(before) or _SHIFT.search(before + raw) else ""
        if name == "footnote":
            return _judge_footnote(before, after, final=final)
        is_glued = name != "wide" and before[-1] in GLUE
        return _judge_glued(before, after, final=final) if is_glued else ""


def _is_quiet(name: str, text: str, start: int, end: int, *, final: bool) -> bool:
    """Whether nothing around a bracket asks for a closer look."""
    if name != "number":
        return name not in ROWS and text[start - 1] not in GLUE
    return (
        (final or len(text) - end >= AFTER)
        and text[start - CLUE : start] not in RISKY
        and _QUIET.match(text, start) is not None
        and "(?" not in text[max(0, start - BEFORE) : start]
    )


def _judge_number(before: str, raw: str, after: str, *, final: bool) -> Kind | None:
    last = before[-1]
    if last not in GLUE:
        return judge_apart(before, raw, after, final=final)
    if last in "=&":  # of an address, or an operator
        found = _judge_glued(before, after, final=final)
        return found if found != "" else judge_apart(before, raw, after, final=final)
    is_code = is_index(before, raw, after, final=final)
    return is_code and "code" if is_code is not False else ""


def _judge_glued(before: str, after: str, *, final: bool) -> Kind | None:
    if not final and len(after) < FEW:
        return None
    return "code" if is_subscript(before, after[:FEW]) else ""


def _judge_footnote(before: str, after: str, *, final: bool) -> Kind | None:
    if _NAMES.search(before):
        return "code"
    if not final and after in {"", "+"}:
        return None
    return "other" if _QUANTIFIED.match(after) else ""


def guarded(name: str, shortcut: str, *, is_glued: bool) -> str:
    """Return the short form of a format, where nothing around it asks for a closer look.

    ``CLUE`` code points before it may (see ``RISKY``): they are not looked at here.

    Args:
        name: The format.
        shortcut: Its short form, as matched after its first character.
        is_glued: Whether it is no marker where it sticks to a name.
    """
    before, after = _GUARDS.get(name, (_NOT_GLUED if is_glued else "", ""))
    return f"{_FIRST.get(name, '')} {before} {shortcut} {after}"


def _not_after(characters: str) -> str:
    return rf"(?<= [^{''.join(sorted(map(re.escape, characters)))}] . ) "


_NOT_GLUED: Final = _not_after("".join(GLUE))
_GUARDS: Final = {
    "number": (
        _not_after("".join(GLUE) + OPERATORS + LABELLING + "\n:&+^%“„«间間간")
        + rf"""(?<! (?: [\n #] [-*+>#] | \.\. | :, ) [ ] . )
            (?<! (?: [{OPERATORS}&:\n ] [ ] | ['"] \] | [A-Za-z0-9_] \( | [间間간][ ] ) . )"""
        "(?! [0-9]+ , (?: [ ]? [0-9]+ , | [0-9]{3} ) )",
        rf"""(?! [A-Za-z0-9_{{+$/\-({OPERATORS}键鍵キ번:] | \.[a-z]
              | [ ] (?: [-+·→−–*{OPERATORS}] | tuş | दबा | aral | out[ ]of | stars
                      | hydr | sigma | alkyl | methyl | proton | H[ -] ) )""",
    ),
    "wide": (_not_after("\n“„«") + r"(?<! [-*+>#.\n ] [ ] . )", ""),
    "footnote": (r"(?<! (?: arr|arg|rgs|rgv|buf|ist ) . )", r"(?! \+ )"),
    "double": (_NOT_GLUED, ""),
    "angle": (
        _not_after("".join(GLUE) + OPERATORS) + f"(?<! [{OPERATORS}] [ ] . )",
        "",
    ),
}
"""What must not be before and after the short form of a format."""

_FIRST: Final = {"number": "(?= [1-9] )", "footnote": r"(?= \^ )", "double": r"(?= \[ )"}
"""What a short form begins with: asked first, since it seldom is there."""

_MEMBER: Final = r"[^\[\]\n\\,;،，、；]{1,20}"
_QUIET: Final = lazy_re(
    rf"""\[ {_GUARDS["number"][0]} {_MEMBER} (?: [,;،，、；] {_MEMBER} )? \]
         (?! \[[0-9]- | \\ ) {_GUARDS["number"][1]}""",
    re.VERBOSE,
)
"""A bracket around which nothing asks for a closer look."""

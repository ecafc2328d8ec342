"""Text that any output may hold: no controls, no invisible instructions, no open directions.

Nothing vanishes that could have kept two visible characters apart: a control becomes a blank
if it is white space, U+FFFD otherwise.  Only characters made to be unseen are taken out.
"""

from __future__ import annotations

import re
from typing import Final

import regex

__all__ = ["balance_bidi", "clean", "has_bidi", "without_hidden_starts", "without_invisible"]

_BLANKS: Final = "\x0b\x0c\x1c-\x1e\x85"
_TAGS: Final = "\U000e0000-\U000e007f"
_NEVER: Final = "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef" + "".join(
    chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF)
)
"""Controls, surrogates and non-characters, as parts of a character class."""

_ODD: Final = re.compile(f"[\r{_BLANKS}{_TAGS}{_NEVER}]")
_REPLACED: Final = re.compile(
    f"(?P<line>\r\n?)|(?P<blank>[{_BLANKS}])|(?P<tag>[{_TAGS}])|(?P<never>[{_NEVER}])"
)
_REPLACEMENTS: Final = {"line": "\n", "blank": " ", "tag": "", "never": "\ufffd"}

_HIDDEN_STARTS: Final = {0xFEFF: None, 0x2028: " ", 0x2029: " "}

_CLOSED_BY: Final = {
    **dict.fromkeys("\u202a\u202b\u202d\u202e", "\u202c"),
    **dict.fromkeys("\u2066\u2067\u2068", "\u2069"),
}
"""Bidirectional controls that open something, and the one that closes it (UAX #9, 2)."""

_BIDI: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069]")

_JOINERS: Final = r"(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Mn}\p{Mc}])"

_INVISIBLE: Final = regex.compile(
    # Two joiners that change how letters look, where letters do; emoji joined to one picture.
    rf"{_JOINERS}[\u200c\u200d](?=\p{{L}})(*SKIP)(*FAIL)"
    r"|(?<=[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f])[\u200d\ufe0f\ufe0e](*SKIP)(*FAIL)"
    r"|[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)


def clean(text: str) -> str:
    r"""Return the text without what no output should hold.

    Lines end with a line feed.  Controls of C0 and C1 but tab and line feed become a blank
    (those that are white space) or U+FFFD, and so do lone surrogates and non-characters; tag
    characters (U+E0000 to U+E007F), which spell text that nobody sees, are removed.

    >>> clean("a\x00b\r\nc\x0cd")
    'a�b\nc d'
    """
    # Most text is printable but for its lines, which is asked ten times faster.
    if text.replace("\n", "").isprintable() or not _ODD.search(text):
        return text
    return _REPLACED.sub(lambda found: _REPLACEMENTS[found.lastgroup or "never"], text)


def balance_bidi(text: str) -> str:
    r"""Return the text with no direction left open at the end of a line, and none closed twice.

    >>> balance_bidi("a \u202eb\nc\u2069") == "a \u202eb\u202c\nc"
    True
    """
    if text.isascii() or not has_bidi(text):
        return text
    return "\n".join(map(_balance_line, text.split("\n")))


def has_bidi(text: str) -> bool:
    """Tell whether a text holds a control of directions that opens or closes."""
    return _BIDI.search(text) is not None


def without_hidden_starts(text: str) -> str:
    """Return the text without U+FEFF, and with blanks for U+2028 and U+2029.

    Some Markdown libraries skip the first, and take the others for line ends: what follows
    would be text to us and the start of a line, with the meaning it has there, to them.
    """
    return text if text.isascii() else text.translate(_HIDDEN_STARTS)


def without_invisible(text: str) -> str:
    """Return the text without characters that are not seen: for titles, links and labels.

    Joiners stay where they shape Arabic or Indic letters, or join emoji.
    """
    return text if text.isascii() else _INVISIBLE.sub("", text)


def _balance_line(line: str) -> str:
    kept: list[str] = []
    awaited: list[str] = []
    isolates = 0  # among the awaited: to look for one takes time
    for character in line:
        if character in _CLOSED_BY:
            awaited.append(_CLOSED_BY[character])
            isolates += awaited[-1] == "\u2069"
        elif character == "\u202c":
            # An isolate hides what was opened before it: only the innermost can be popped.
            if not awaited or awaited[-1] != character:
                continue
            awaited.pop()
        elif character == "\u2069":
            if not isolates:
                continue
            isolates -= 1
            while awaited.pop() != character:
                pass
        kept.append(character)
    return "".join(kept) + "".join(reversed(awaited))

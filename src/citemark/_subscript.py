"""Whether a bracket glued to a word is an index of code (``argv[1]``) or a citation.

Models glue citations to words (``residents[1]``), and write code outside code spans.  What
looks like an identifier counts against a citation; in doubt the characters stay as they are.
"""

from __future__ import annotations

import re
import string
from typing import Final

__all__ = ["AFTER", "BEFORE", "GLUE", "is_subscript"]

BEFORE: Final = 64
"""Code points before a bracket that are looked at."""

AFTER: Final = 4
"""Code points after it: enough for `` += x``."""

GLUE: Final = frozenset(string.ascii_letters + string.digits + "_$)\"'/=&?")
"""Characters before a bracket that may make it a subscript."""

_WORD: Final = re.compile(r"[\w.$]+")
_CALL: Final = re.compile(
    # f(a), readAll(x); then call(), call(1).
    r"""(?<![A-Za-z0-9_.])
        (?: (?: [a-z]{1,3} | [a-z][a-z0-9]*[A-Z_.][A-Za-z0-9_.]* ) \( [^()\n]* \)
          | [a-z_][A-Za-z0-9_]* \( (?: | [^()\n]*[0-9"'=,*/+][^()\n]* ) \) ) \Z""",
    re.VERBOSE,
)
"""A call; but ``auteur(e)`` and ``HDI(2022)`` are prose."""

_QUOTED_NAME: Final = re.compile(r"""(?<![\w.,!?])(["'])[a-z_][a-z0-9_]*\1\Z""")
_NAMED_LETTER: Final = re.compile(
    r"(?:annex|appendix|category|choice|class|exhibit|figure|form|grade|group|hepatitis|level|option"
    r"|part|phase|plan|point|schedule|section|step|table|team|type|version|vitamin) [a-z]\Z",
    re.IGNORECASE,
)
"""A single letter is a variable, unless it names one of several things."""

_ADDRESS: Final = re.compile(r"://[^\s<>()\[\]]*\Z")
_ASSIGNED: Final = re.compile(r"[ ]?(?:[-+*/|&^%]|//|\*\*|<<|>>)?=(?!=)")
_IDENTIFIER: Final = re.compile(
    r"""  .*_.* | \$[A-Za-z_].*             # snake_case, $shell
        | [a-z]{2,} (?: [A-Z][a-z0-9]+ )+  # lowerCamel, but iPhone and macOS are prose
        | [a-z][0-9]                       # x1
        | [a-z][A-Za-z0-9]* (?: \.[a-z][A-Za-z0-9]* )+  # sys.argv
        | (?: args? | argv | arr | buf | dict | df | elems? | idx | len | lst | mat | nums | obj
            | ptr | str | tmp | vec )
    """,
    re.VERBOSE,
)
_LAST: Final = {
    **dict.fromkeys("/=&?", _ADDRESS),
    **dict.fromkeys("\"'", _QUOTED_NAME),
    ")": _CALL,
}
"""What a bracket follows that is no name, by its last character."""

_NAME_ENDINGS: Final = frozenset(
    "ai app au br ca ch cn co com csv de dev doc docx edu es eu fr gov html in info int io it "  # noqa: SIM905  a list of words
    "jp js json md me net nl org pdf ppt pptx py ru se ts tv txt uk us xls xlsx xml yml".split()
)
"""Last parts of names that prose holds: hosts and files (``example.org[1]``)."""


def is_subscript(before: str, after: str) -> bool:
    """Whether a bracket is an index rather than a citation.

    Args:
        before: Up to ``BEFORE`` code points before the bracket, not empty.
        after: Up to ``AFTER`` code points after it.

    >>> is_subscript("according to residents", "."), is_subscript("use sys.argv", ".")
    (False, True)
    """
    pattern = _LAST.get(before[-1])
    return _follows_name(before, after) if pattern is None else bool(pattern.search(before))


def _follows_name(before: str, after: str) -> bool:
    backwards = _WORD.match(before[::-1])
    word = backwards[0][::-1] if backwards else ""
    if not word.isascii() or before.removesuffix(word).endswith(("/", "@", "-", "#")):
        return False
    # Underscores at the ends are emphasis: _word_[1] is a citation.
    if _ASSIGNED.match(after) or _is_identifier(word.strip("_")):
        return True
    if len(word) != 1 or not word.islower():
        return False
    return before[-2:-1] != " " or _NAMED_LETTER.search(before) is None


def _is_identifier(word: str) -> bool:
    return bool(_IDENTIFIER.fullmatch(word)) and word.rpartition(".")[2] not in (
        _NAME_ENDINGS if "." in word else ()
    )

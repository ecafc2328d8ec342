"""Whether a bracket glued to a word is an index of code (``argv[1]``) or a citation.

Models glue citations to words (``residents[1]``), and write code outside code spans.  What
looks like an identifier counts against a citation; in doubt the characters stay as they are.
"""

from __future__ import annotations

import re
import string
from functools import cache
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._prose._words import FUNCTION_WORDS

if TYPE_CHECKING:
    import regex

__all__ = [
    "AFTER",
    "BEFORE",
    "CODE",
    "FEW",
    "GLUE",
    "GROUP",
    "REGULAR",
    "is_index",
    "is_subscript",
    "may_match",
]

BEFORE: Final = 64
"""Code points before a bracket that are looked at."""

AFTER: Final = 12
"""Code points after it, if the first of them give a reason."""

FEW: Final = 4
"""Code points after it that always are: enough for `` += x``."""

GLUE: Final = frozenset(string.ascii_letters + string.digits + "_$)\"'/=&?")
"""Characters before a bracket that may make it a subscript."""

_WORD: Final = lazy_re(r"[\w.$]+")
_CALL: Final = lazy_re(
    # f(a), readAll(x); then call(), call(1).
    r"""(?<![A-Za-z0-9_.])
        (?: (?: [a-z]{1,3} | [a-z][a-z0-9]*[A-Z_.][A-Za-z0-9_.]* ) \( [^()\n]* \)
          | [a-z_][A-Za-z0-9_]* \( (?: | [^()\n]*[0-9"'=,*/+][^()\n]* ) \) ) \Z""",
    re.VERBOSE,
)
"""A call; but ``auteur(e)`` and ``HDI(2022)`` are prose."""

_QUOTED_NAME: Final = lazy_re(r"""(?<![\w.,!?])(["'])[a-z_][a-z0-9_]*\1\Z""")
_NAMED_BY_LETTERS: Final = tuple(
    "annex appendix category choice class exhibit figure form grade group hepatitis level "  # noqa: SIM905  a list of words
    "option part phase plan point schedule section step table team type version vitamin".split()
)
"""A single letter is a variable, unless it names one of several such things."""

_ADDRESS: Final = lazy_re(r"://[^\s<>()\[\]]*\Z")
_ASSIGNED: Final = lazy_re(r"[ ]?(?:[-+*/|&^%]|//|\*\*|<<|>>)?=(?!=)")
_IDENTIFIER: Final = lazy_re(
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

CODE: Final = r"""\{ [0-9\\] | \+ (?: ["'$/)] | [ ]{2} )"""
"""What comes after a bracket of code: pattern that does not look ahead."""

REGULAR: Final = r"\[[0-9]-[0-9] | \\[dws.]"
"""The same, if the bracket is a range: a regular expression."""

_AFTER_ONE: Final = lazy_re(
    rf"""{CODE} | \[['\"] | \[[0-9]{{1,4}}\] (?: [ ][-+*/]?=[ ] | \.[a-z] )""", re.VERBOSE
)
_AFTER_RANGE: Final = lazy_re(rf"""{CODE} | {REGULAR} | \$["' ,.;)/]""", re.VERBOSE)
_RANGE: Final = lazy_re(r"\[[0-9]{1,4}-[0-9]{1,4}\]")
_NAMED: Final = lazy_re(r"\.([a-z][A-Za-z]{0,11})|[0-9]|_[b-hj-z0-9][ .,;:)=+^]")

GROUP: Final = lazy_re(r"\(\?(?:P?<|[:=!])[^()\n]{0,40}\Z")
"""A group of a regular expression that is open."""

_CODE_BEFORE: Final = (
    (r"\(\?", GROUP),
    ("SELECT ", lazy_re(r"\bSELECT [^.;\n]{0,50}\Z")),
    (r"\(", lazy_re(r"\b(?:len|max|min|print|sum)\(\w{1,30}\Z")),
    ("ARRAY", lazy_re(r"\bARRAY\Z")),
    ("Literal", lazy_re(r"\bLiteral\Z")),
    ("char ", lazy_re(r"\bchar \w{1,30}\Z")),
    ("int ", lazy_re(r"\bint \w{1,30}\Z")),
    # The names of a path of XPath, and a name that was indexed by a letter before.
    ("//", lazy_re(r"""[\s"'(]//(?:[\w.-]{1,30}(?:\[[0-9]{1,4}\])?/){0,4}\w{1,30}\Z""")),
    (r"\[[a-z]\]", lazy_re(r"(?<!\w)([A-Za-z])\[[a-z]\][^\n]{0,60}(?<!\w)\1\Z")),
)
"""What code has before a bracket, after a sign that is quickly looked for."""

_SIGNS: Final = lazy_re("|".join(sign for sign, _ in _CODE_BEFORE))

_ASSIGNED_NAME: Final = lazy_re(r"[)\w] = [@$]?\w{1,30}\Z")
_AROUND: Final = {
    '"': ('"', lazy_re(r'="[^"\n]{0,40}\Z')),
    ";": (";", _ASSIGNED_NAME),
    "!": ("!;", _ASSIGNED_NAME),
    ":": (": ", lazy_re(r"[0-9]:[0-9]{2} [^\s]{1,30} [\w-]{1,30}\Z|\nOut\Z")),
}
"""What code has after a bracket, and before it, by the first character after it."""

_NAME_ENDINGS: Final = frozenset(
    "ai app au br ca ch cn co com csv de dev doc docx edu es eu fr gov html in info int io it "  # noqa: SIM905  a list of words
    "jp js json md me net nl org pdf ppt pptx py ru se ts tv txt uk us xls xlsx xml yml".split()
)
"""Last parts of names that prose holds: hosts and files (``example.org[1]``)."""


def is_subscript(before: str, after: str) -> bool:
    """Whether a bracket is an index rather than a citation.

    Args:
        before: Up to ``BEFORE`` code points before the bracket, not empty.
        after: Up to four code points after it.

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
    return len(word) == 1 and word.islower() and not _is_named_letter(before)


def _is_named_letter(before: str) -> bool:
    """Whether what comes before ends in ``plan a``, ``Vitamin C``."""
    is_letter = before[-2:-1] == " " and before[-1].isascii() and before[-1].isalpha()
    return is_letter and before[:-2].lower().endswith(_NAMED_BY_LETTERS)


def _is_identifier(word: str) -> bool:
    return bool(_IDENTIFIER.fullmatch(word)) and word.rpartition(".")[2] not in (
        _NAME_ENDINGS if "." in word else ()
    )


def is_index(before: str, raw: str, after: str, *, final: bool) -> bool | None:
    """Whether numbers in a bracket that is glued to what is before are code.

    Args:
        before: Up to ``BEFORE`` code points before the bracket, not empty.
        raw: The bracket.
        after: Up to ``AFTER`` code points after it.
        final: Whether no more text will come.

    Returns:
        None if more text will tell.

    >>> is_index("The files room", "[1-5]", ".tex are long", final=True)
    True
    """
    if not final and len(after) < FEW:
        return None
    few = after[:FEW]
    if is_subscript(before, few) or _is_in_code(before) or _is_science(before, raw, few):
        return True
    around = _AROUND.get(after[:1])
    if around and after.startswith(around[0]) and around[1].search(before):
        return True
    pattern = _AFTER_RANGE if _RANGE.fullmatch(raw) else _AFTER_ONE
    if pattern.match(after):
        return True
    found = _is_named(after, final=final)
    return None if not found and not final and may_match(pattern, after) else found


_FORMULA: Final = lazy_re(
    r"""(?<![A-Za-z0-9]) (?: CO\[2 | (?:SO|NO)\[[23] | CH\[[34] | NH\[[34] | [HN]\[2 | O\[[23]
        | Cl\[2 | (?:Ti|Si|Mn|Ir|Zr)O\[2 ) \]\Z""",
    re.VERBOSE,
)
_SMALL: Final = frozenset({"[2]", "[3]", "[4]"})
_PART_OF_FORMULA: Final = lazy_re(r"(?<![A-Za-z0-9])(?:Ag|Al|C|Ca|Cr|Cu|Fe|H|K|Li|N|Na|P|Pb)\Z")
_ELEMENTS: Final = lazy_re(r"(?:O|S|SO|CO|CrO|H|N|Cl|F)(?:[^A-Za-z]|\Z)")
_LOGARITHM: Final = lazy_re(r"(?<!\w)log\Z")
_OF_LOGARITHM: Final = lazy_re(r"\(|[ ]?[b-hj-np-z](?:[^A-Za-z]|\Z)")


def _is_science(before: str, raw: str, after: str) -> bool:
    """Whether a bracket is the index of a formula, or the base of a logarithm.

    >>> _is_science("of CO", "[2]", " and"), _is_science("the UN", "[2]", " and")
    (True, False)
    """
    if raw in _SMALL and _FORMULA.search(before[-5:] + raw):
        return not _is_named_letter(before)
    if _ELEMENTS.match(after) and _PART_OF_FORMULA.search(before):
        return True
    return bool(
        before.endswith("log") and _LOGARITHM.search(before) and _OF_LOGARITHM.match(after)
    )


def _is_named(after: str, *, final: bool) -> bool | None:
    """Whether a bracket ends in what makes it a name: ``report[1].pdf``, ``x[3]_q``."""
    match = _NAMED.match(after)
    if match is None:
        return False
    word, end = match[1], match.end()
    if not word:
        return True
    if not final and end == len(after) < AFTER:
        return None
    return not after[end : end + 1].isalpha() and word not in FUNCTION_WORDS


def may_match(pattern: re.Pattern[str], after: str) -> bool:
    """Whether more text may make a pattern match, of ``AFTER`` code points at most."""
    return len(after) < AFTER and bool(_in_part(pattern).fullmatch(after, partial=True))


@cache
def _in_part(pattern: re.Pattern[str]) -> regex.Pattern[str]:
    import regex  # noqa: PLC0415  only streams need it, and it takes 30 ms to import

    return regex.compile(pattern.pattern, regex.VERBOSE)


def _is_in_code(before: str) -> bool:
    """Whether what comes before is code, whatever follows."""
    if not _SIGNS.search(before):
        return False
    return any(pattern.search(before) for _, pattern in _CODE_BEFORE)

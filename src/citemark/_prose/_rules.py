"""What counts against a citation, around a bracket that holds numbers and stands apart.

Patterns of what comes before end at the bracket.  Those of what comes after do not look ahead:
a stream asks what may still match.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from citemark._lazy import lazy_re
from citemark._prose._subscript import AFTER, CODE, GROUP, REGULAR, may_match
from citemark._prose._words import ARTICLES, CLUE, FUNCTION_WORDS, RISKY, asks, is_interval

__all__ = ["GREEK", "LABELLING", "OPERATORS", "Kind", "is_list", "judge_apart"]

Kind: TypeAlias = Literal["", "code", "one", "list", "scale", "other"]
"""What a bracket is.  "": a citation.  What "one" and "list" are, the next one may be too, and
after the first end of a "scale" there is the last one."""

OPERATORS: Final = "=≠≈≡∈∉∪∩⊂⊆⊇≤≥×"
GREEK: Final = "".join(map(chr, [*range(0x391, 0x3CA)]))

_TELLING: Final = frozenset(f"{OPERATORS}&]+!:")
"""Last characters of what the next pattern finds."""

_BEFORE: Final = lazy_re(
    rf"""(?: (?<![=<>!]) [{OPERATORS}] [ ]? | [ ]==[ ] | (?:&|[(,][ ]?)& [ ]? | ['"]\]
           | (?<![^ \n(&])vec!
           | \[[A-Z][A-Za-z]{{0,12}}\]\+ | [{{,][ ]?"[\w-]{{1,30}}":[ ]? ) \Z""",
    re.VERBOSE,
)
_OF_SOURCE: Final = lazy_re(r"(?i:source|ref|cite|citation|see)s?\W{0,2}=[ ]?\Z")
_ANCHOR: Final = lazy_re(r"""[\s"'/(|]\^\Z""")
_CALL: Final = lazy_re(
    r"""(?:[a-z]\w{0,30}\.[A-Za-z]\w{0,30}|[a-z]+_\w{1,30}
        |\b(?:append|extend|len|list|max|min|print|set|sorted|sum|tuple))\(\Z|\w\(:,[ ]\Z""",
    re.VERBOSE,
)
_VARIABLE: Final = lazy_re(
    r"""(?<![^\s(]) (?: [b-df-np-z][ ]in | [fgkmnpqrstx][ ](?:on|aus|dans|sur|en|em) | [a-z]: )
        [ ]? \Z""",
    re.VERBOSE,
)
_SETTING: Final = lazy_re(
    r"""\n [ ]{0,12} (?! source | ref | cit | see | quell | fuent | font | bron | note )
        (?: [a-z][a-z_-]{0,30} | Input | Output ) : [ ] \Z""",
    re.VERBOSE,
)
_OUTPUT: Final = lazy_re(r"\n[ ]{0,12}(?:Input|Output):[ ]\Z")
_RETURN: Final = lazy_re(r"\n[ ]{0,16}return \Z")
LABELLING: Final = "第見见參参表図图圖列组組"
"""Last characters of what numbers something else, in scripts that write no blank."""

_LABELLED: Final = lazy_re(
    r"""第\Z | (?: (?<!\w) | (?<=[如見见在參参]) ) [表図图圖]\Z
        | (?<!\w)(?:配列|数组|數組|陣列)\Z""",
    re.VERBOSE,
)
"""Not where the word goes on before: a map (``地図``), a sequence of genes (``遺伝子配列``)."""

_JOB: Final = lazy_re(r"(?<![^\s(])(?:kill|fg|bg|disown|wait)[ ]%\Z")
_PERCENT: Final = lazy_re(r"(?:[\w)\]]|[0-9]\s)%\Z")
_VERBS: Final = frozenset("bcdefgopqstuvxEFGTUX*")
_POWER: Final = lazy_re(r"(?<![\w.,^])(?:10|2|[a-z])\^\Z")
_LITERAL: Final = lazy_re(
    r"""\b (?: (?:array|list|tuple|vector)s?[ ](?:like|such[ ]as)
            | (?:has|have|of|tensor|with)[ ]shape ) [ ] \Z | \n[Ss]hape[ ]\Z""",
    re.VERBOSE,
)
_MANY: Final = lazy_re(r"\[[0-9]+,[ ]?[0-9]+,")
_VECTOR: Final = lazy_re(r"(?<![\w-])(?:[Tt]he|[Aa]n?)[ ](?:array|tuple|vector)[ ]\Z")
_CLAUSE: Final = lazy_re("[ ][a-z]")
"""At the end of a clause a citation may follow: ``spread by the vector [1, 2, 3].``"""

_SCALE: Final = lazy_re(
    r"""\b (?:answer|choose|digit|enter|grade|integer|number|pick|rank|rate|rated|rating|scale
            |score|select|value) \b [^.;:!?\n\[]{0,30} \b (?:between|from) [ ] \Z""",
    re.VERBOSE | re.IGNORECASE,
)
_TO_SCALE: Final = lazy_re(r"[ ](?:and|to)[ ]\[[0-9]{1,3}\]")
_NUMBER: Final = lazy_re("[0-9]+")
_SEVERAL: Final = lazy_re("[0-9][ ]?[,;،，、；]")
_RANGE: Final = lazy_re("[0-9][ ]?[-–]")
_THOUSANDS: Final = lazy_re(r"\[[1-9][0-9]{0,2}(?:,[0-9]{3}){1,3}\]")
_FIGURES: Final = lazy_re(r"[=+×{}]|[0-9A-Z]/")
"""Where figures are, they may go on."""

_KEY: Final = "键 | 鍵 | キー | 번 (?: [,.] | 을 | 를 | 키 )"
_SUM: Final = r"[ ] (?: [-+−*·×] [ ] \[[0-9]{1,2}\] [ ] )? = [ ]? [\[{]"
_ONE: Final = rf"{_KEY} | {CODE} | /[0-9]"
_AFTER_ONE: Final = lazy_re(_ONE, re.VERBOSE)
_AFTER_FIGURE: Final = lazy_re(f"{_ONE} | {_SUM}", re.VERBOSE)
_AFTER_LIST: Final = lazy_re(
    rf"""{CODE} | [ ]? [{OPERATORS}] | [ ] (?: → | -> | – ) [ ] \[[0-9]
       | [ ] [-+−*·×] [ ] [0-9.]{{1,4}} [ ] = | [ ]aral | -[A-Z] | [ ]sigmatropi
       | [ ](?:alkyl|hydride|hydrogen|methyl|proton|H)[ ]sh""",
    re.VERBOSE,
)
_AFTER_RANGE: Final = lazy_re(rf"{CODE} | {REGULAR} | \+", re.VERBOSE)

_GRADED: Final = (
    r"\b(?i:gave|gives?|got|it|grade|graded|rated?|rating|score[ds]?|them)(?::| is| of)? "
)
_POINTING: Final = r"\b(?i:and|as|at|by|from|in|on|or|per|see|to|under) |[\n(]|[.,;:] "
_NUMBERED: Final = "[Cc]lause|[Cc]olumn|[Ll]ine|[Pp]age|[Pp]aragraph|[Rr]ow"
_AROUND: Final = {
    first: tuple((lazy_re(rf"(?:{before})\Z"), lazy_re(after)) for before, after in pairs)
    for first, pairs in {
        **dict.fromkeys("頁页章節节", (("[见見參参]", "[頁页章節节]"),)),
        ".": (("['\"]\\.|\n {0,9}", r"\.[a-z]"),),
        ":": ((r"\nIn ", ":[ ]"),),
        "=": ((f"[²³{GREEK}]", "=[ ]?[-−0-9]"),),
        " ": (
            (r"(?:\biçin|\bveya|\bve|,|लिए|या) ", "[ ](?:tuş|दबा)"),
            (r"\bthe ", "[ ](?:key|button)"),
            (r"[0-9] [-−–] ", "[ ]="),
            (_GRADED, r"[ ](?:stars|out[ ]of[ ][0-9\[])"),
            (f"(?:{_POINTING})(?:{_NUMBERED}) ", "[ ]of[ ]the"),
            (f"[²³{GREEK}]", "[ ]=[ ]?[-−0-9]"),
        ),
    }.items()
}
"""By the first character after a bracket: what is before, and what must follow then."""

_NEAR: Final = 20
"""Code points before that such a pattern finds."""

_ENDINGS: Final = frozenset("间間간")
"""How words for an interval end in scripts that write no blank."""

_OPENS: Final = frozenset(" \n(\u201c\u201e\u00ab")
"""Characters before a bracket that begins a word."""

_GLUED: Final = lazy_re("-?([a-z][A-Za-z0-9]{0,11})|[0-9]|_[b-hj-z0-9][ .,;:)=+^]")


def judge_apart(before: str, raw: str, after: str, *, final: bool) -> Kind | None:
    """Return what a bracket is that no ASCII letter or digit touches from before.

    Args:
        before: Up to ``BEFORE`` code points before it, not empty.
        raw: The bracket.
        after: Up to ``AFTER`` code points after it.
        final: Whether no more text will come.

    Returns:
        None if more text will tell.
    """
    several = is_list(raw)
    if before[-1] in "%^" and not several:
        found = _is_formatted(before, after, final=final)
        if found is not False:
            return found and "other"
    if _is_sure(before, raw, several=several):
        return "list" if several else "other"
    if _is_asked_for(before, raw, several=several):
        return "list" if several else "one"
    if not several and before[-CLUE:] in RISKY and _SCALE.search(before):
        scale = _begins_scale(after, final=final)
        if scale != "":
            return scale
    found = _goes_on(before, raw, after, several=several, final=final)
    return found and ("list" if several else "other") if found is not False else ""


def _is_formatted(before: str, after: str, *, final: bool) -> bool | None:
    """Whether a bracket is of a format string, a job or a power: ``%[1]d``, ``10^[3]``.

    But a citation may be raised: ``10^[3]^``.
    """
    if _JOB.search(before):
        return True
    is_power = _POWER.search(before) is not None
    if not is_power and (before[-1] == "^" or _PERCENT.search(before)):
        return False
    if not final and len(after) < 2:  # noqa: PLR2004  a letter, and what is no letter
        return None
    if is_power:
        return not after.startswith("^")
    return after[:1] in _VERBS and not after[1:2].isalpha()


def _begins_scale(after: str, *, final: bool) -> Kind | None:
    """Return "scale" if the other end of one follows: ``[1] to [5]``."""
    if _TO_SCALE.match(after):
        return "scale"
    return "" if final or not may_match(_TO_SCALE, after) else None


def is_list(raw: str) -> bool:
    """Whether a bracket holds several numbers, not one or a range."""
    return _SEVERAL.search(raw) is not None


def _is_sure(before: str, raw: str, *, several: bool) -> bool:
    """Whether a bracket is part of a formula or code, whatever follows."""
    near = before.rstrip(" ")[-1:]
    if near in _TELLING and _BEFORE.search(before, max(0, len(before) - 40)):
        return not _OF_SOURCE.search(before)
    if ("(" in before[-4:] and _CALL.search(before)) or (
        near in LABELLING and _LABELLED.search(before)
    ):
        return True
    if several:
        start = max(0, len(before) - _NEAR)
        patterns = (_VARIABLE, _RETURN, _LITERAL)
        return _is_odd(raw) or any(pattern.search(before, start) for pattern in patterns)
    if not _RANGE.search(raw):
        return False
    return bool(
        (near == "^" and _ANCHOR.search(before)) or ("(?" in before and GROUP.search(before))
    )


def _is_odd(raw: str) -> bool:
    """Whether a list is of other things than sources: one comes twice, or it is one number."""
    numbers = _NUMBER.findall(raw)
    return (len(numbers) > 2 and len(set(numbers)) < len(numbers)) or bool(  # noqa: PLR2004
        _THOUSANDS.fullmatch(raw)
    )


def _is_asked_for(before: str, raw: str, *, several: bool) -> bool:
    """Whether the words before ask for an interval, a key, or a number of something else."""
    if before[-CLUE:] not in RISKY and before.rstrip(" ")[-1:] not in _ENDINGS:
        return False
    ends = [int(number) for number in _NUMBER.findall(raw)]
    if len(ends) == 2 and ends[0] <= ends[1] and is_interval(before):  # noqa: PLR2004
        return True
    return not several and asks(before)


def _goes_on(before: str, raw: str, after: str, *, several: bool, final: bool) -> bool | None:
    """Whether what follows makes a bracket part of a formula, of code or of a word."""
    patterns = [_pattern_after(before, raw, several=several)]
    patterns += [
        pattern
        for start, pattern in _AROUND.get(after[:1], ())
        if start.search(before, max(0, len(before) - _NEAR))
    ]
    if _MANY.match(raw) and _VECTOR.search(before):
        patterns.append(_CLAUSE)
    if any(pattern.match(after) for pattern in patterns):
        return True
    setting = _SETTING if several else _OUTPUT
    if after[:1] in {"", "\n"} and before[-2:] == ": " and setting.search(before):
        return True if after or final else None
    is_glued = before[-1] in _OPENS and _is_glued(before, after, several=several, final=final)
    if is_glued or final:
        return is_glued
    if is_glued is None or any(may_match(pattern, after) for pattern in patterns):
        return None
    return False


def _pattern_after(before: str, raw: str, *, several: bool) -> re.Pattern[str]:
    if several:
        return _AFTER_LIST
    if _RANGE.search(raw):
        return _AFTER_RANGE
    return _AFTER_FIGURE if _FIGURES.search(before) else _AFTER_ONE


def _is_glued(before: str, after: str, *, several: bool, final: bool) -> bool | None:
    """Whether a bracket and what follows it make one word: ``a [2]catenane``, ``in [1]745``.

    A blank may be missing after a citation, but none follows an article.
    """
    match = _GLUED.match(after)
    if match is None:
        return None if not final and may_match(_GLUED, after) else False
    word, end = match[1], match.end()
    before = before[-_NEAR:].casefold()
    if word is None or (before.split() or [""])[-1] in ARTICLES:
        return True
    if not final and end == len(after) < AFTER:
        return None
    if after[end : end + 1].isalpha():
        return False
    return word not in FUNCTION_WORDS if several else not word.islower() or not word.isalpha()

"""Words by which the prose around a bracket tells that it is no citation.

A citation follows what it supports.  After words that ask for more (``the closed interval``,
``please press``, ``Eqs.``) a bracket is part of the sentence.  All words are in lower case, and
a blank within is written ``_``.
"""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import Final

from citemark._lazy import lazy_re

__all__ = ["ARTICLES", "CLUE", "FUNCTION_WORDS", "REPORTS", "RISKY", "asks", "is_interval"]


def _set(words: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in words.split())


_MEASURED: Final = _set("interval intervalo intervall intervallo intervalle intervalu")
"""An interval, if a word of ``_OF_IT`` comes before: a QT interval is one of a heart."""

_OF_IT: Final = _set(
    "the an a any each every on over closed open half-open unit bounded compact "
    "confidence credible im vom das dem ein einem jedem el un cada del al o "
    "no do um ao het een elk na"
)
_INTERVALS: Final = _set(
    "l'intervalle l’intervalle nell'intervallo nell’intervallo l'intervallo l’intervallo "
    "sull'intervallo sull’intervallo intervallet przedziale przedział przedziału отрезке "
    "отрезок отрезка интервале промежутке відрізку відрізок інтервалі проміжку الفترة المجال "
    "בקטע הקטע अंतराल διάστημα đoạn in_the_range from_the_range over_the_range has_the_range "
    "with_the_range version_range scale_of scale_from skala_von échelle_de escala_de scala_da "
    "of_type defined_on continuous_on differentiable_on increasing_on decreasing_on "
    "integrable_on values_in lies_in lies_within werte_in définie_sur continue_sur valores_en "
    "valores_em "
    "valori_in stetig_auf definiert_auf определена_на непрерывна_на within"
)
"""What the two ends of an interval follow."""

_GLUED_INTERVALS: Final = ("区间", "區間", "区間", "구간")
"""The same, in scripts that write no blank, or may write none."""

_BOUNDS: Final = "CI CrI KI IC BI GA ДИ ДІ IQR"
"""A confidence interval, next to a percentage."""

_SURE_ORDERS: Final = _set(
    "tapez appuyez_sur drücken_sie drücken_sie_die wählen_sie naciśnij wciśnij wybierz нажмите "
    "нажми наберите натисніть оберіть اضغط واضغط اضغطوا הקישו הקש לחצו stiskněte zmáčkněte "
    "druk_op tryck_på trykk_på tryk_på "
    "press_key press_button sur_la_touche die_taste la_tecla"
)
"""What asks for a key to be pressed."""

_PRESS: Final = _set("press marque tecle digite digita digitare premere toets kies")
"""The same at the start of a sentence, or after one of ``_ORDERS_FOLLOW``; else other words."""

_TYPE: Final = _set("hit type dial pulse")
"""The same at the start of a sentence."""

_ORDERS_FOLLOW: Final = _set("and or then please und oder y o e et ou of en i")

_LABELS: Final = _set(
    "fig. figs. eq. eqs. eqn. eqns. at_para at_para. at_paras paras paras. "
    "at_paragraph at_paragraphs"
)
"""What the number of an equation or paragraph follows."""

_PART: Final = lazy_re(
    r"""(?: \b(?P<word>[^\W\d_]+)[ ] | [\n("“] | [.,;:!?)–-][ ] ) [*_]{0,2}
        (?:Corollary|Equation|Figure|Lemma|Proposition|Step|Table|Theorem)s?[ ] \Z""",
    re.VERBOSE,
)
"""A numbered part of a text, but not the periodic table or the theorem of Bayes."""

_POINTERS: Final = _set("this that these those its our their his her any each every")
_PART_FOLLOWS: Final = _set("See In From By As And Or Using Recall Apply Then If When")

FUNCTION_WORDS: Final = _set(
    "and or but so as at by in is it of on to the a an that this which who while with was were "
    "are be has have had can may will would should must for from also then than when where "
    "because however if not its their they he she we you there these those only both all most "
    "some more since after before during under over per see says said states stated shows "
    "showed reports reported notes found finds according therefore thus although though yet "
    "und oder aber der die das ist sind mit von für auf im zu dass sowie wird werden wurde "
    "nicht auch ein eine et ou mais le la les de des du dans par pour que qui est sont avec "
    "sur un une au aux ce cette il elle y o e pero el los las del para con es son se su lo una "
    "al como os do da dos das no na em com um uma ma gli i di della che si nel en of maar het "
    "een van met voor op zijn dat ook bij och og eller men som att av på är ett den det oraz "
    "lub ale w z jest nie po od ve veya ama ile bir bu için nebo je"
)
"""Words that go on with a sentence: a blank is missing between a citation and them."""

ARTICLES: Final = _set(
    "a an the ein eine einen einem einer der die das den dem des un une le la les el los las "
    "il lo gli os as um uma het een"
)
"""No citation follows one of these."""

REPORTS: Final = (
    *"指表认认说称显提中的和与及所报介述对在是也则還还将"
    "曾给明里，、認說稱顯與報對則將給裡はがをにでともへや",
    *_set("يشير يذكر يقول يوضح يؤكد أن و מציין אומר קובע מראה ו के में ने का की से और"),
    *_set("에_ 에서_ 은_ 는_ 의_ 와_ 과_ 을_ 를_ 에_따"),
)
"""How sentences go on that have a citation for their subject, where no letter is small."""


_CONFIDENCE: Final = lazy_re(
    rf"""[0-9][ ]?-?%[ -]{{0,2}}(?:{_BOUNDS.replace(" ", "|")})[:,]?[ ]\Z
       | (?:{_BOUNDS.replace(" ", "|")})[ ](?:[a-zà]{{1,3}}[ ])?[0-9]{{2}}[ ]?%[:,]?[ ]\Z
       | %[0-9]{{2}}[ ](?:GA)[:,]?[ ]\Z
       | \((?:range|IQR):?[ ]\Z""",
    re.VERBOSE,
)
_BREAK: Final = ".,;:!?،؛。，；"
_LONGEST: Final = 4
"""Words of the longest phrase."""


def is_interval(before: str) -> bool:
    """Whether the ends of an interval follow.

    >>> is_interval("on the closed interval "), is_interval("of the QT interval ")
    (True, False)
    """
    words = _words(before)
    if not words:
        return False
    if words[-1] in _MEASURED and words[-2:-1] and words[-2] in _OF_IT:
        return True
    return (
        words[-1].endswith(_GLUED_INTERVALS)
        or not _INTERVALS.isdisjoint(_phrases(words))
        or _CONFIDENCE.search(before, max(0, len(before) - 16)) is not None
    )


def asks(before: str) -> bool:
    """Whether a key to press follows, or the number of an equation or paragraph.

    >>> asks("To order, press "), asks("Read it in the press ")
    (True, False)
    """
    if _is_part(before):
        return True
    words = _words(before)
    phrases = _phrases(words)
    if not (_SURE_ORDERS.isdisjoint(phrases) and _LABELS.isdisjoint(phrases)):
        return True
    if not words or words[-1] not in _PRESS | _TYPE:
        return False
    if words[-2:-1] == [] or words[-2][-1:] in _BREAK:
        return True
    return words[-1] in _PRESS and words[-2] in _ORDERS_FOLLOW


def _is_part(before: str) -> bool:
    """Whether the number of a figure, table or step follows.

    >>> _is_part("shown in Figure "), _is_part("on the Periodic Table ")
    (True, False)
    """
    match = _PART.search(before)
    word = match and match["word"]
    if not word:
        return match is not None
    return word in _PART_FOLLOWS or (word.islower() and word not in ARTICLES | _POINTERS)


def _words(before: str) -> list[str]:
    """Return the last words of a line."""
    line = before.rpartition("\n")[2].rstrip(" ").casefold()
    return [word.lstrip("(\"'¿¡“„«") for word in line.split(" ")[-_LONGEST:] if word]


def _phrases(words: list[str]) -> list[str]:
    """Return the last word, the last two, and so on."""
    return [" ".join(words[-count:]) for count in range(1, len(words) + 1)]


CLUE: Final = 5
"""Code points before a bracket of which ``RISKY`` tells whether they ask for a closer look."""


def _risky() -> frozenset[str]:
    sets = (_MEASURED, _INTERVALS, _SURE_ORDERS, _PRESS, _TYPE, _LABELS)
    phrases = {phrase for phrases in sets for phrase in phrases}
    phrases |= {"aus", "dans", "the", "range", "return", "between", "from", "shape", "like"}
    phrases |= {
        "such as",
        "clause",
        "column",
        "line",
        "page",
        "paragraph",
        "row",
        "gave",
        "give",
        "gives",
    }
    parts = _set("corollary equation figure lemma proposition step table theorem")
    phrases |= parts | {f"{part}s" for part in parts}
    phrases |= {f"{x} {word}" for x in ascii_lowercase for word in ("in", "on", "en", "em")}
    phrases |= {f"{sign}{word}" for sign in ("% ", "%-", "%") for word in _BOUNDS.split()}
    phrases |= {f"{digit} GA" for digit in range(10)}
    phrases |= {f"{share}{sign}" for share in range(68, 100) for sign in ("%", " %")}
    ends = {
        f"{before}{written} "
        for phrase in phrases
        for written in (phrase, phrase.capitalize())
        for before in ' \n("-'
    }
    clues = {end[-CLUE:] for end in ends} | {f"{before}vec!" for before in " \n(&"}
    return frozenset(clue for clue in clues if len(clue) == CLUE)


RISKY: Final = _risky()
"""What asks for a closer look."""

"""Whether a place stands within a figure: between groups of digits, its sign, or its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes._characters import CURRENCIES
from citemark._quotes._numerals import is_one_figure
from citemark._quotes._signs import is_minus

if TYPE_CHECKING:
    from citemark._quotes._fold import Folded

__all__ = ["is_in_figure", "is_in_numeral"]

_INNER: Final = lazy_re("[.,:/'_~*\u066b\u066c\u00b7\u00f7\u02d9\u2044\u2215\u22c5\u301c-]")
"""What may stand between the digits of one figure."""

REACH: Final = 30
"""Code points before and after a place that are looked at."""

_GROUPS_BEFORE: Final = lazy_re(r"(?<![\d.,])\d{1,3}(?: \d{3}){0,6} \Z")
_GROUPS_AFTER: Final = lazy_re(r"(?: \d{3}){1,6}(?!\d)")
_GROUP: Final = lazy_re(r"\d{3}(?!\d)")
_FIRST_GROUP: Final = lazy_re(r"(?<![\d.,])\d{1,3}(?: \d{3}){0,6}\Z")
_MEASURE: Final = lazy_re(
    rf"[ ]?(?:[%‰٪°±∓]|\+/?-|\+(?!\w)|[{CURRENCIES}](?![ ]?\d)|[x⋅·*][ ]?10[\^⁰¹²³⁴-⁹⁻])|[\^⁺⁻]"
)
"""Behind a figure: how much of what, how sure, times a power of ten."""
_COMPARED: Final = lazy_re(
    rf"(?:[±∓~∼≈≃≅≪≫≮≯<>√∛∜]|[<>!]=|\+/?-)[ ]?\Z|[+{CURRENCIES}][ ]?\Z"
    r"|[⁻⁺₋₊¬^]\Z|(?<=\d)(?:[ ]?[x⋅][ ]?|[·*])\Z"
    r"|(?:(?<![\w])(?:minus|moins|menos|meno|минус|мінус|eksi|ناقص|ऋण|영하)[ ]"
    r"|マイナス|零下|负|負)\Z"
)
_MARKUP: Final = lazy_re(r"(?:\A|\n)[ \t]*>[> \t]*\Z|<[^<>\s][^<>]*>\s?\Z")
"""A quoted line, or a tag: no "more than"."""

_TIED: Final = lazy_re(r"[\w\]}]\Z")

_HAN: Final = "〇零一二三四五六七八九十百千万萬億亿兆两兩半廿卅壹贰叁肆伍陆柒捌玖拾佰仟"
_KOREAN: Final = "일이삼사오육칠팔구영공"
_KOREAN_TENS: Final = "십백천만억조"
_THAI: Final = "ศูนย์|หนึ่ง|เอ็ด|สอง|ยี่|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ|ร้อย|พัน|หมื่น|แสน|ล้าน"
_LAO: Final = "ໜຶ່ງ|ສອງ|ສາມ|ສີ່|ຫ້າ|ຫົກ|ເຈັດ|ແປດ|ເກົ້າ|ສິບ|ຊາວ|ຮ້ອຍ|ພັນ|ໝື່ນ|ແສນ|ລ້ານ"
_BURMESE: Final = "တစ်|နှစ်|သုံး|လေး|ငါး|ခြောက်|ခုနစ်|ရှစ်|ကိုး|ဆယ်|ရာ|ထောင်|သောင်း|သိန်း|သန်း"
_KHMER: Final = "មួយ|ពីរ|បី|បួន|ប្រាំ|ដប់|ម្ភៃ|សិប|រយ|ពាន់|ម៉ឺន|សែន|លាន"
_WITHIN: Final = (
    (lazy_re(rf"(?:[{_HAN}]|[\d{_HAN}][点點・]|分之|第)\Z"), lazy_re(rf"[\d{_HAN}]")),
    (lazy_re(rf"[\d{_HAN}]\Z"), lazy_re(rf"[{_HAN}]|[点點・][\d{_HAN}]|分之")),
    (lazy_re(rf"[{_KOREAN_TENS}]\Z"), lazy_re(f"[{_KOREAN}{_KOREAN_TENS}]")),
    (lazy_re(rf"[{_KOREAN}]\Z"), lazy_re(f"[{_KOREAN_TENS}]")),
    (lazy_re(r"\d[ ]?\Z"), lazy_re(rf"[{_KOREAN_TENS}]")),
    *(
        (lazy_re(rf"(?:\d[ ]?|{words})\Z"), lazy_re(words))
        for words in (_THAI, _LAO, _BURMESE, _KHMER)
    ),
)
"""What a figure in words has before a place within it, and after it.  Korean digits are common
syllables: one of the two is a ten, a hundred, ..."""


def is_in_numeral(words: str, at: int) -> bool:
    """Whether a place in folded words of a script without blanks is within a figure in words.

    >>> is_in_numeral("二十五人", 1), is_in_numeral("二十五人", 3)
    (True, False)
    """
    if words[at - 1].isascii() and words[at].isascii():
        return False
    before = words[max(at - REACH, 0) : at]
    return any(
        left.search(before) is not None and right.match(words, at) is not None
        for left, right in _WITHIN
    )


def is_within_groups(words: str, at: int) -> bool:
    """Whether a place beside a blank is between two groups of three digits: ``12 500``.

    >>> is_within_groups("costs 12 500 euros", 9), is_within_groups("in 1980 350 came", 8)
    (True, False)
    """
    if words[at : at + 1].isdigit():
        before = words[max(at - REACH, 0) : at]
        return bool(_GROUP.match(words, at)) and bool(_GROUPS_BEFORE.search(before))
    before = words[max(at - REACH, 0) : at]
    return bool(_GROUPS_AFTER.match(words, at)) and bool(_FIRST_GROUP.search(before))


def is_in_figure(folded: Folded, at: int) -> bool:
    """Whether a place, which is within no word, is within a figure.

    >>> from citemark._quotes._fold import Folded
    >>> folded = Folded("12 500 men")
    >>> is_in_figure(folded, 3), is_in_figure(folded, 7)
    (True, False)
    """
    words = folded.words
    last, first = words[at - 1], words[at]
    if first.isdigit():
        if _has_more_before(folded, at):
            return True
    elif first in ".," and last == "-" and words[at + 1 : at + 2].isdigit():
        return is_minus(folded, at - 1)
    elif last.isdigit() and _has_more_after(folded, at):
        return True
    if " " not in last + first and "-" not in last + first:
        return False
    return is_one_figure(_words(words[max(at - REACH, 0) : at]), _words(words[at : at + REACH]))


def _has_more_before(folded: Folded, at: int) -> bool:
    """Whether the figure that seems to begin at a place begins before it."""
    words = folded.words
    last = words[at - 1]
    if _INNER.match(last):
        further = words[at - 2 : at - 1] if at > 1 else ""
        if further.isdigit() or (last in ".," and _is_point(words, at - 1)):
            return True
    return is_within_groups(words, at) or _is_signed(folded, at)


def _has_more_after(folded: Folded, at: int) -> bool:
    """Whether the figure that seems to end at a place goes on behind it."""
    words = folded.words
    is_longer = _INNER.match(words[at]) and words[at + 1 : at + 2].isdigit()
    if is_longer or _MEASURE.match(words, at) or is_within_groups(words, at):
        return True
    return words[at] in "'\"" and folded.text[folded.span(at, at + 1)[0]] in "′″"


def _is_point(words: str, at: int) -> bool:
    """Whether a stop or comma right before a figure is its point: ``.5``, ``-.5``, ``(.5``."""
    before = words[at - 1 : at] if at else ""
    if before in {"'", '"'}:  # it closes a quote, or opens one
        before = words[at - 2 : at - 1] if at > 1 else ""
    return not (before.isalnum() or (before and before in ".,!?)]}…"))


def _words(text: str) -> list[str]:
    return text.replace("-", " ").split()


def _is_signed(folded: Folded, start: int) -> bool:
    """Whether a sign before a figure is a part of it: ``-5``, ``±5``, ``€5``; not ``3-5``."""
    at = folded.span(start, start + 1)[0]
    before = folded.text[max(at - REACH, 0) : at]
    if folded.words[start - 1] == "-":
        return not before[-1:].isspace() and not _TIED.search(before[:-1])
    if _MARKUP.search(before):
        return False
    return _COMPARED.search(folded.words[max(start - REACH, 0) : start]) is not None

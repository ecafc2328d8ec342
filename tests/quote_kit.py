"""Quotes made by machine from passages in twelve languages, and what should be said of them.

    python tests/quote_kit.py     prints the rates

A quote is a run of whole words of a passage, changed in one way: in how it is printed (it
still stands there), by a slip of spelling (it may pass as that), or in what it says (it must
not pass).
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from citemark._quotes import is_figure, is_negation
from citemark.checks.quotes import verify_quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PASSAGES: dict[str, str] = json.loads(
    (Path(__file__).parent / "corpora" / "quoted_passages.json").read_text("utf-8")
)
NOT = {
    "en": "not", "de": "nicht", "fr": "pas", "es": "no", "it": "non", "pt": "não", "nl": "niet",
    "ru": "не", "zh": "不", "ja": "ない", "ar": "لا", "hi": "नहीं",
}  # fmt: skip
OTHERS = {
    "en": "garden", "de": "garten", "fr": "jardin", "es": "jardín", "it": "giardino",
    "pt": "jardim", "nl": "tuin", "ru": "сад", "zh": "花园", "ja": "庭園", "ar": "حديقة",
    "hi": "बगीचा",
}  # fmt: skip
UNSPACED = {"zh", "ja"}
FIGURES = frozenset("0123456789一二三四五六七八九十百千万億亿两零点第分之")
"""Where no blank parts the words: what figures are made of, and of the words beside them."""

DENIED = re.compile(
    r"\b(?:not|cannot|never|nobody|\w+n’t|nicht|kein\w*|nie|niemand|ne|pas|jamais|no|nadie|nunca|non|mai"
    r"|nessuno|não|ninguém|niet|geen|niemand|nooit|не|никто|никогда|لا|لم)\b|नहीं|不|没|从未|ない|なかっ|ず"
)
"""What an ellipsis may not hide."""


class Made(NamedTuple):
    """A quote made from a passage."""

    lang: str
    change: str
    """Name of the change."""

    kind: str
    """"print", "slip" or "meaning"."""

    quote: str
    passage: str
    start: int
    end: int


def slices(lang: str, passage: str, chance: random.Random) -> tuple[int, int]:
    """Return a run of 5 to 14 whole words, or 8 to 30 characters where no blank parts them."""
    if lang in UNSPACED:
        size = chance.randint(8, 30)
        start = chance.randrange(len(passage) - size)
        end = start + size
        while start and passage[start] in FIGURES and passage[start - 1] in FIGURES:
            start -= 1
        while end < len(passage) and passage[end] in FIGURES and passage[end - 1] in FIGURES:
            end += 1
        return start, end
    words = [match.span() for match in re.finditer(r"\S+", passage)]
    size = chance.randint(5, 13)
    first = chance.randrange(len(words) - size)
    start, end = words[first][0], words[first + size - 1][1]
    if passage[start : start + 3].isdigit() and passage[start - 3 : start - 1].isdigit():
        start = words[first - 1][0]  # 48 | 500
    if passage[end - 1].isdigit() and re.match(r"\s\d{3}(?!\d)", passage[end:]):
        end = words[first + size][1]
    return start, end


def core(passage: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without the signs at its ends."""
    edges = " .,;:—-\"'“”„«»‘’「」。、，："
    while start < end and passage[start] in edges:
        start += 1
    while end > start and passage[end - 1] in edges:
        end -= 1
    return start, end


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _straight(text: str) -> str:
    return text.translate(str.maketrans("“”„«»‘’—–", '"""""\'\'--'))


def _broken(text: str) -> str:
    """Divide the longest word at the end of a line."""
    words = re.findall(r"[^\W\d_]{6,}", text)
    if not words:
        return text.replace(" ", "\n", 1)
    word = max(words, key=len)
    return text.replace(word, f"{word[:3]}-\n{word[3:]}", 1)


PRINTED: dict[str, Callable[[str], str]] = {
    "same": str,
    "capitals": str.upper,
    "small": str.lower,
    "line break": lambda text: text.replace(" ", "\n", 2).replace("\n", " \r\n ", 1),
    "straight": _straight,
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "full width": _full_width,
    "divided": _broken,
    "bold": lambda text: f"**{text}**",
    "bold word": lambda text: re.sub(r"(?<!\S)([^\W\d_]{3,})(?!\S)", r"*\1*", text, count=1),
    "no-break": lambda text: text.replace(" ", "\u00a0"),
    "zero width": lambda text: text.replace(" ", " \u200b", 1),
    "stop": lambda text: text + ".",
    "marks": lambda text: f"„{text}“",
    "ellipsis after": lambda text: text + " …",
}
"""How a quote may be printed otherwise.  ``upper`` is left out for scripts without case."""


def _digit(text: str, chance: random.Random, _: str) -> str:
    places = [at for at, c in enumerate(text) if c.isdigit()]
    if not places:
        return text
    at = chance.choice(places)
    return text[:at] + str((int(text[at]) + chance.randint(1, 9)) % 10) + text[at + 1 :]


def _negated(text: str, chance: random.Random, lang: str) -> str:
    if lang in UNSPACED:
        at = chance.randrange(2, len(text) - 2)
        return text[:at] + NOT[lang] + text[at:]
    words = text.split(" ")
    at = chance.randrange(1, len(words) - 1)
    return " ".join([*words[:at], NOT[lang], *words[at:]])


def _affirmed(text: str, chance: random.Random, lang: str) -> str:
    """Leave a negation within the words out."""
    word = NOT[lang]
    pattern = word if lang in UNSPACED else rf"(?<=\w ){word} (?=\w)"
    places = [m.span() for m in re.finditer(pattern, text) if 2 <= m.start() < len(text) - 6]
    if not places:
        return text
    start, end = chance.choice(places)
    return text[:start] + text[end:]


def _replaced(text: str, chance: random.Random, lang: str) -> str:
    if lang in UNSPACED:
        at = chance.randrange(2, len(text) - 4)
        return text[:at] + OTHERS[lang] + text[at + 2 :]
    words = text.split(" ")
    words[chance.randrange(1, len(words) - 1)] = OTHERS[lang]
    return " ".join(words)


def _swapped(text: str, chance: random.Random, lang: str) -> str:
    words = [*text] if lang in UNSPACED else text.split(" ")
    one, other = chance.sample(range(len(words)), 2)
    words[one], words[other] = words[other], words[one]
    return ("" if lang in UNSPACED else " ").join(words)


def _tailed(text: str, _: random.Random, lang: str) -> str:
    return text.rstrip(".,;。") + ("" if lang in UNSPACED else " ") + OTHERS[lang]


SAID: dict[str, Callable[[str, random.Random, str], str]] = {
    "digit": _digit,
    "negation added": _negated,
    "negation left out": _affirmed,
    "word replaced": _replaced,
    "words swapped": _swapped,
    "tail invented": _tailed,
}


def _slip(text: str, chance: random.Random) -> str:
    """Misspell one small word of five letters or more."""
    words = [
        word
        for word in re.finditer(r"(?<=\s)[^\W\d_]{5,}", text)
        if word[0].islower() and not (is_figure(word[0]) or is_negation(word[0]))
    ]
    if not words:
        return text
    word = chance.choice(words)
    at = chance.randrange(word.start() + 1, word.end() - 1)
    kind = chance.randrange(3)
    if kind == 0:
        return text[:at] + text[at + 1 :]
    if kind == 1:
        return text[:at] + text[at] + text[at:]
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def same_words(one: str, other: str) -> bool:
    """Whether a change changed nothing but signs."""
    return re.sub(r"[\W_]", "", one).casefold() == re.sub(r"[\W_]", "", other).casefold()


def made(seed: int, rounds: int) -> Iterator[Made]:
    """Yield quotes of all languages, in all changes that change something."""
    chance = random.Random(seed)  # noqa: S311  a test that can be repeated
    for lang, passage in PASSAGES.items():
        for _ in range(rounds):
            start, end = slices(lang, passage, chance)
            text = passage[start:end]
            place = lang, passage, *core(passage, start, end)
            hides = DENIED.search(re.split("[.。]", passage[end:])[0])
            for name, printed in PRINTED.items():
                if name == "ellipsis after" and hides and passage[end - 1] not in ".。":
                    continue
                yield _made(place, name, "print", printed(text))
            slip = _slip(text, chance)
            if slip != text and lang not in {*UNSPACED, "ar", "hi"}:
                yield _made(place, "slip", "slip", slip)
            for name, said in SAID.items():
                changed = said(text, chance, lang)
                if not same_words(changed, text) and not holds(passage, changed):
                    yield _made(place, name, "meaning", changed)


def holds(passage: str, words: str) -> bool:
    return re.sub(r"[\W_]", "", words) in re.sub(r"[\W_]", "", passage)


def _made(place: tuple[str, str, int, int], change: str, kind: str, quote: str) -> Made:
    lang, passage, start, end = place
    return Made(lang, change, kind, quote, passage, start, end)


def is_right(one: Made) -> bool:
    """Whether the right is said of a quote: its place, or that it does not stand there."""
    check = verify_quote(one.quote, one.passage)
    if one.kind == "meaning":
        return check.verdict not in {"verified", "fuzzy"}
    if check.verdict != ("verified" if one.kind == "print" else "fuzzy"):
        return False
    (start, end), *more = check.spans
    return not more and core(one.passage, start, end) == (one.start, one.end)


def rates(seed: int, rounds: int) -> dict[str, tuple[int, int]]:
    """Return for each kind, and each change, how many are right, of how many."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for one in made(seed, rounds):
        for name in (one.kind, f"{one.kind}: {one.change}"):
            total[name] += 1
            right[name] += is_right(one)
    return {name: (right[name], total[name]) for name in sorted(total)}


if __name__ == "__main__":
    for name, (right, total) in rates(20_261_130, 40).items():
        print(f"{name:28} {right:5} of {total:5}  {right / total:.4f}")  # noqa: T201

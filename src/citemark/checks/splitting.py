"""Where sentences end: a small rule of our own, for all scripts, linear.

It knows the marks that end sentences in most scripts, abbreviations of the big European
languages, initials, ordinal numbers and quotation marks.  It is made for words from which
markers, code and formulas are taken out; ``citemark.checks.claims`` does that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from citemark._lazy import lazy_re
from citemark._texts import as_text
from citemark.checks._vocabulary import words_of

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    Splitter: TypeAlias = Callable[[str], Iterable[tuple[int, int]]]

__all__ = ["Splitter", "split_sentences"]

MAX_WORD: Final = 40
"""Code points that are looked at before and after a stop."""

MAX_ASIDE: Final = 200
"""Code points of a sentence that are looked at for parentheses, to each side of a stop."""

MAX_ORDINAL: Final = 3
"""Digits of a number that may be an ordinal."""

# The first character is one class, by which ``re`` skips fast to where a sentence may end.
_STOPS: Final = ".!?…‽。！？｡．؟۔।॥։።፧᠃၊။"
_END: Final = lazy_re(
    rf"(?P<stops>[{_STOPS};\u037e](?:(?<![;\u037e])[{_STOPS}]*+|(?<=[\u0370-\u03ff\u1f00-\u1fff][;\u037e])))"
    r"(?P<closing>(?:[\"'”’»›)\]}」』】〉》）*_~`]|“(?!\w))*+)\s*+"
)
_BLANK: Final = lazy_re(r"\s*")
_BEFORE: Final = lazy_re(r"[^\s(\[{\"'“„«‘’]*\Z")
_WORD: Final = lazy_re(r"[\W_]*([^\W_]*(?:['’][^\W_]+)*)")
_OPENING: Final = lazy_re(r"[\"'“„«‘‚(\[{*_~`¿¡「『（《〈-]*")
_MIXED: Final = lazy_re(r"[\"'“„«‘(\[{*_~`]*[^\W\d_A-Z]{1,2}[A-Z]")
"""A name that begins in lower case: ``iPhone``, ``eBay``, ``mRNA``."""

_SURE: Final = frozenset("。！？｡．؟۔।॥։።፧᠃။")
"""Marks that mean nothing but the end of a sentence."""

_SPEECH_MARKS: Final = frozenset("“「『")
"""Who says it follows in the same sentence if speech comes first."""

_CLOSING_SPEECH: Final = frozenset("」』”")
_GOES_ON: Final = frozenset(",;:)")
"""What no sentence starts with."""

_AFTER_SPEECH: Final = lazy_re(r"[とってはがをにもの、，,]")
"""What goes on with a Japanese sentence after speech in it."""

_WORD_BEFORE: Final = lazy_re(r"(?:^|\s)[^\W\d_][\w.’'-]*\s+[^\W\d_]\Z")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of one paragraph are, without the blanks around them.

    Raises:
        TextTypeError: It is no ``str``.

    >>> text = "Dr. Okafor led 3.5 trials. They ended early."
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['Dr. Okafor led 3.5 trials.', 'They ended early.']
    """
    return [*_sentences(as_text(text))]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    blank = _BLANK.match(text)
    start = blank.end() if blank else 0
    for match in _END.finditer(text):
        if _ends(text, match, start):
            yield start, match.end("closing")
            start = match.end()
    end = len(text.rstrip())
    if start < end:
        yield start, end


def _ends(text: str, match: re.Match[str], start: int) -> bool:
    """Whether a sentence that starts somewhere ends with some stops."""
    end, after = match.end("closing"), match.end()
    if after == len(text):
        return True
    has_blank = after > end
    stops, closing = match["stops"], match["closing"]
    if stops[-1] in _SURE:
        in_speech = closing[:1] in _CLOSING_SPEECH and not has_blank
        is_led = text[start] in _SPEECH_MARKS or _AFTER_SPEECH.match(text, after)
        return not (in_speech and is_led)
    if not has_blank:
        return False
    opening = _OPENING.match(text, after)
    first = text[opening.end() : opening.end() + 1] if opening else ""
    is_small = first.islower() and not _MIXED.match(text, after)
    if is_small or first in _GOES_ON or _is_aside(text, match.start(), end, start):
        return False
    if stops != ".":
        return True
    return closing.strip("*_~`)") != "" or not _is_short(text, match.start(), after)


def _is_aside(text: str, stop: int, end: int, start: int) -> bool:
    """Whether stops stand in parentheses that end later, within a sentence."""
    if text[start] in "(（":
        return False
    opening = text.rfind("(", max(start, stop - MAX_ASIDE), end)
    if opening < 0 or text.find(")", opening, end) >= 0:
        return False
    closing = text.find(")", end, end + MAX_ASIDE)
    return closing >= 0 and text.find("(", end, closing) < 0


def _is_short(text: str, stop: int, after: int) -> bool:
    """Whether the word before a stop is an abbreviation, an initial or an ordinal."""
    before = text[max(0, stop - MAX_WORD) : stop]
    found = _BEFORE.search(before)
    written = found[0].strip("*_~`") if found else ""
    following = _WORD.match(text, after, after + MAX_WORD)
    follower = following[1] if following else ""
    if len(follower) == 1 and following and text.startswith(".", following.end()):
        follower += "."  # another initial
    return (
        _is_abbreviation(written, follower)
        or (written.isdigit() and _is_ordinal(before, written, follower))
        or (len(written) == 1 and _is_initial(before, follower))
    )


def _is_abbreviation(written: str, follower: str) -> bool:
    """Whether a word is one that is written with a stop, and goes on."""
    word, following = written.casefold(), follower.casefold()
    if word in words_of("never_last"):
        return True
    is_starter = following in words_of("starters")
    if word in words_of("titles", "capital_titles") and _is_title(written, word):
        return len(word) > 1 or not is_starter or following in words_of("particles")
    if word in words_of("before_figures", "short_dates") and _is_figure(follower):
        return True
    if word in words_of("often_last"):
        return following in words_of("months", "short_dates")
    is_seldom_last = word in words_of("seldom_last") or _has_inner_stop(word)
    if is_seldom_last or (word in words_of("short_dates") and written[0].isupper()):
        return not (is_starter or follower[:1].isdigit())
    is_name = bool(follower) and not (is_starter or follower[0].islower())
    return word in words_of("titles") and is_name


def _is_title(written: str, word: str) -> bool:
    """Whether a word is written like a title: ``Mr``, ``M``, ``EE``, not ``mr`` or ``MS``."""
    is_capital = len(set(word)) > 1 and written[1].isupper()
    return written[0].isupper() and not is_capital


def _is_figure(word: str) -> bool:
    """Whether a word is a number, be it a Roman one."""
    return word[:1].isdigit() or (bool(word) and not word.strip("IVXLC"))


def _has_inner_stop(word: str) -> bool:
    """Whether a word is letters with stops between: ``u.s``, ``e.g``."""
    parts = word.split(".")
    return len(parts) > 1 and all(len(part) == 1 and part.isalpha() for part in parts)


def _is_name(word: str) -> bool:
    """Whether a word may stand before a name: ``Ann``, ``Dr.``, ``by``, not ``vitamin``."""
    is_small = word.casefold() in words_of("stop_words", "starters")
    return word[0].isupper() or word.endswith(".") or is_small


def _is_ordinal(before: str, number: str, follower: str) -> bool:
    """Whether a number with a stop is that of a day, a volume, ...: ``am 3. Oktober``."""
    if len(number) > MAX_ORDINAL:
        return False
    if follower.casefold() in words_of("months", "short_dates"):
        return True
    words = before.casefold().split()
    if len(words) == 1:
        return False
    is_label = len(words) == 2 and len(before) < MAX_WORD  # noqa: PLR2004  a word and a number
    lists = ("before_ordinals", "captions") if is_label else ("before_ordinals",)
    return words[-2].strip("*_") in words_of(*lists)


def _is_initial(before: str, follower: str) -> bool:
    """Whether a letter stands for a word: ``J. Smith``, ``т. е.``, not ``vitamin C``."""
    if not before[-1].isalpha():
        return False
    if follower.endswith("."):
        return True
    if not (before[-1].isupper() and follower[:1].isupper()):
        return False
    name = _WORD_BEFORE.search(before)
    is_after_name = name is None or _is_name(name[0].split()[0])
    return is_after_name and follower.casefold() not in words_of("starters")

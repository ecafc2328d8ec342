"""The files of words by language: every phrase can be read, and does what it is for."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from citemark.checks._phrases import phrase_of
from citemark.checks._roles import role_of
from citemark.checks._vocabulary import languages, words_of

PHRASES = (
    "openers", "before_more", "salutations", "offers", "requests", "notes", "sources",
    "refusals", "bare_refusals", "lead_ins",
)  # fmt: skip
WORDS = (
    "answers", "asks", "before_figures", "before_ordinals", "capital_titles", "captions",
    "contrasts", "joins", "months", "negations", "never_last", "often_last", "particles",
    "pronouns", "reasons", "relatives", "seldom_last", "short_dates", "starters", "stop_words",
    "titles", "verbs",
)  # fmt: skip
PHRASE = re.compile(r"(?:(?:\[[^\[\]()…]+\]|\([^\[\]()]+\)|…|[^\s\[\]()…|]+)(?:\s+|\Z))+")
EVERY = [
    (name, phrase)
    for language in languages()
    for name in PHRASES
    for phrase in language.get(name, ())
]


def test_keys():
    """A key that nobody reads is a slip of the pen; each is told in the README."""
    readme = files("citemark.checks").joinpath("words", "README.md").read_text("utf-8")
    known = {*PHRASES, *WORDS, "blanks"}
    assert {key for language in languages() for key in language} == known
    assert [key for key in known if f"`{key}" not in readme] == []


@pytest.mark.parametrize(("name", "phrase"), EVERY)
def test_phrases_are_well_formed(name, phrase):
    """Brackets are closed and not within each other, and lists that are named are there."""
    assert PHRASE.fullmatch(phrase), name
    assert set(re.findall("<(.*?)>", phrase)) <= {"sources"}


def first_words(phrase):
    """Return the shortest sentence that a phrase is for; None where that takes more."""
    words = re.sub(r"\([^)]*\)\s*", "", phrase)
    words = re.sub(r"\[([^\]|]*)[^\]]*\]", r"\1", words).replace("*", "")
    return None if "<" in words else re.sub(r"\s*…\s*", " ", words).strip()


@pytest.mark.parametrize(
    "name", ["refusals", "bare_refusals", "offers", "lead_ins", "salutations"]
)
def test_phrases_are_found(name):
    """The first choice of each phrase is found, as a phrase of some kind."""
    missed = []
    for language in languages():
        has_blanks = language.get("blanks", True)
        for phrase in language.get(name, ()):
            words = first_words(phrase)
            if words is not None:
                said = words if has_blanks else words.replace(" ", "")
                if role_of(said, "sentence") == "claim":
                    missed.append(said)
    assert missed == []


def test_twelve_languages():
    """Refusals, greetings, offers, lead-ins and openers are known in at least twelve."""
    complete = [
        language for language in languages() if all(language.get(name) for name in PHRASES)
    ]
    assert len(complete) >= 12


@pytest.mark.parametrize(
    "claim",
    [
        "scientists could not find water",
        "the source of the nile is not in egypt",
        "they do not know who built it",
        "there is no evidence of life",
        "information is not matter",
        "der autor kann keine quellen nennen",
        "le maire n'a pas signé",
        "no existe ningún tratamiento",
        "non piove da maggio",
        "учёные не нашли следов",
        "科学家没有发现水",
        "i cannot overstate how large the flood was",
        "we can't stop the tide",
        "we will not do that again, said rowe in 1931",
        "das kann niemand",
        "できません",
        "不能",
    ],
)
def test_claims_are_no_phrases(claim):
    """What is about the world, and not about the writer or the sources, is a claim."""
    assert phrase_of(claim) == ""


def test_words_do_not_end_sentences_by_chance():
    """No list that joins sentences holds a word that often ends one in another language."""
    joining = words_of("never_last", "titles")
    common = "no so is it me in we us go do up on by mm cm km kg kb mb ms ok old ill sun sat"
    assert joining.isdisjoint(common.split())

"""The judge that compares words: figures, windows, pairs, time; see ``cases/support.md``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from growth_kit import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from citemark.checks import LexicalJudge, Pair
from citemark.checks._figures import figures_in
from citemark.checks._passages import forget_passages

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "corpora" / "support.jsonl")
    .read_text("utf-8")
    .splitlines()
]


def judged(premise, claim):
    [found] = LexicalJudge().judge([Pair(premise, claim)])
    return found


def readings(text):
    return [
        " = ".join(f"{one.value} {one.scale} {one.unit}".strip() for one in figure.readings)
        for figure in figures_in(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,204 or 1.204", ["1204 = 1.204", "1204 = 1.204"]),
        ("62 000, 62’000, 1 234,50", ["62000", "62000", "1234.5"]),
        ("٤٢ and ４２", ["42", "42"]),
        ("in 1980 350 came", ["1980", "350"]),
        ("1.2.3.4", ["1.2.3.4"]),
        ("007 and 1.50", ["7", "1.5"]),
        ("£5 or 5 €", ["5  pound", "5  euro"]),
        ("12 millions d'euros", ["12 1000000 euro = 12000000  euro"]),
        ("a ten-year plan", ["10  year"]),
        ("1.5 million", ["1.5 1000000 = 1500000"]),
        ("4.6亿元", ["4.6 100000000 yuan = 460000000  yuan"]),
        ("五か月, 三百二十米, 一部", ["5  month", "320  metre"]),
        ("Zwölf Tage, twenty-five men", ["12  day", "25"]),
        ("7 May, May 7th, 7. Mai, 7 de mayo", ["7  day of month 5"] * 4),
        ("until 7 May, ab dem 7. Mai, vanaf 7 mei", ["7  day of month 5"] * 3),
        ("2019-05-07; 7.5.2019", ["7  day of month 5", "2019"] * 2),
        ("2019年5月7日", ["7  day of month 5", "2019"]),
        ("12 may apply, 45 May, in May 2019", ["12", "45", "2019"]),
        ("2019-13-07", ["2019", "13", "7"]),
        ("12,000 or 12.500", ["12000 = 12.000", "12500 = 12.500"]),
        (".5 kg, end.5, (.25)", ["0.5  kilogram", "5", "0.25"]),
        (
            "10⁶, 10⁻², 5², 1e6, 2.5E-3",
            ["1000000 = 10^6", "0.01 = 10^-2", "5^2", "1000000", "0.0025"],
        ),
        ("½, 2½, 1⅓", ["0.5", "2.5", "4/3"]),
        (
            "$5K, 70B, 5 M",
            ["5 1000 dollar = 5000  dollar", "70 1000000000 = 70000000000", "5  metre"],
        ),
        ("3(a), v2, CO2, 3rd", ["3", "3(a)", "2", "3 = nth 3"]),
    ],
)
def test_figures(text, expected):
    """Digits and words of many languages, with scale, unit and month."""
    assert [" ".join(one.split()) for one in readings(text)] == [
        " ".join(one.split()) for one in expected
    ]


def test_window_is_the_evidence():
    """The sentences that have most of the words, three of them at most."""
    premise = "Bread is baked. The quay is wet. It rains. Boats rot there. The end."
    found = judged(premise, "The wet quay rots boats.")
    assert premise[slice(*found.window)] == "The quay is wet. It rains. Boats rot there."


def test_accents_and_composition_do_not_matter():
    """A word is the same if its letters are composed, or not."""
    assert judged("Le cafe\u0301 est ferme\u0301.", "Le café est fermé.").score == 1


def auc(rows):
    """Return how often a supported claim has the higher score of two."""
    found = LexicalJudge().judge([Pair(row["source"], row["claim"]) for row in rows])
    scores = [(row["supported"], one.score or 0) for row, one in zip(rows, found, strict=True)]
    good = [score for supported, score in scores if supported]
    bad = [score for supported, score in scores if not supported]
    wins = sum((one > other) + (one == other) / 2 for one in good for other in bad)
    return wins / len(good) / len(bad)


@pytest.mark.parametrize("half", ["tuned", "held_out"])
def test_minimal_pairs(half):
    """Swapped words pass as supported nowhere, swapped figures and units are found."""
    rows = [row for row in ROWS if row["half"] == half]
    found = LexicalJudge().judge([Pair(row["source"], row["claim"]) for row in rows])
    told = [(row["kind"], one.verdict) for row, one in zip(rows, found, strict=True)]
    assert len(rows) == 100
    good = {"verbatim", "close", "paraphrase"}
    assert [kind for kind, verdict in told if verdict == "supported" and kind not in good] == []
    assert {verdict for kind, verdict in told if kind == "verbatim"} == {"supported"}
    assert {verdict for kind, verdict in told if kind in {"number", "unit"}} == {"unsupported"}
    assert {verdict for kind, verdict in told if kind == "close"} == {"supported", "unsure"}
    assert auc(rows) > 0.75


FLOODS = ("aaa. ", "1", "1 ", "123 ", "1,", "水银", "一",
          "May 7 ", "Aa ", "five-", "\u0301", "$",
          "not ", "a'", "\ud800", " ")  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", FLOODS)
def test_time_grows_with_the_length(unit):
    """Of passage and claim, whatever they are full of."""

    def run(size):
        forget_passages()
        text = unit * (size // len(unit))
        LexicalJudge().judge([Pair(text, text[: size // 10])])

    assert_linear(lambda: run(20_000), lambda: run(200_000))


@pytest.mark.slow
def test_many_claims_on_a_long_passage():
    """It is read once, and sentences that are all alike are not all looked at for each."""
    premise = "the quay was wet. " * 20_000

    def run(count):
        forget_passages()
        pairs = [Pair(premise, f"The quay was wet {n}.") for n in range(count)]
        return LexicalJudge().judge(pairs)

    assert_linear(lambda: run(20), lambda: run(200))


def test_a_word_that_is_everywhere_and_one_that_is_rare():
    """The window is where the rare one is."""
    premise = (
        "The quay was wet. " * 12_000 + "The quay was yellow. " + "The quay was wet. " * 100
    )
    found = judged(premise, "The yellow quay.")
    assert (found.score, "yellow" in premise[slice(*found.window)]) == (1, True)


TEXT = st.text(alphabet="ab1, .£%不ない年月日May7\u0301\ud800\n'", max_size=40)


@given(TEXT, TEXT)
def test_holds_for_any_text(premise, claim):
    """Nothing raises; scores and windows are in range; a text supports itself."""
    found = judged(premise, claim)
    assert found.score is None or 0 <= found.score <= 1
    if found.window:
        assert 0 <= found.window[0] < found.window[1] <= len(premise)
    if found.verdict == "supported":
        assert found.reasons == ()
    assert judged(claim, claim).verdict != "unsupported"


@pytest.mark.slow
def test_a_long_claim_with_many_passages():
    """It is read once, and not once for each of them."""

    def run(count):
        forget_passages()
        claim = "The quay was wet in 1931 and in May. " * count
        return LexicalJudge().judge(
            [Pair(f"The quay {n} was dry.", claim) for n in range(count)]
        )

    assert_linear(lambda: run(40), lambda: run(400), margin=4)

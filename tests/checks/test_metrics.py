"""Figures over answers: recall and precision, ours and those of ALCE, and what is undefined."""

from __future__ import annotations

import gc
import json
import tracemalloc
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import cite
from citemark.checks import Budget, Hearing, Judgement, Mean, ScoreJudge, metrics

SOURCES = [
    {"id": "moon", "text": "The moon causes the tides."},
    {"id": "larger", "text": "Spring tides are larger than others."},
    {"id": "bread", "text": "Bread is baked at night."},
]
MOON, LARGER = "Tides come from the moon", "Spring tides are larger"


def knows(pairs):
    """Support a claim if the words stand in the passage that matter."""
    return [
        float(all(word in premise for word in ("moon", "larger") if word in claim))
        for premise, claim in pairs
    ]


PERFECT = ScoreJudge("perfect", knows)


def figures(text, **options):
    """Return recall and precision: ours, then those of ALCE, rounded."""
    found = metrics(cite(text, SOURCES), judge=PERFECT, **options)
    values = (
        *(found.recall.micro, found.precision.micro),
        *(found.alce_recall, found.alce_precision),
    )
    return tuple(None if value is None else round(value, 2) for value in values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{MOON} [1]. {LARGER} [2].", (1, 1, 1, 1)),
        (f"{MOON}. [1] {LARGER}. [2]", (1, 1, 1, 1)),
        (f"{MOON}.[1] {LARGER}.[2]", (1, 1, 1, 1)),
        (f"{MOON}. {LARGER} [1][2].", (0.5, 0.5, 0.5, 0.5)),
        (f"{MOON} [1, 3]. {LARGER} [2].", (1, 0.67, 1, 0.67)),
        (f"{MOON} [1][3]. {LARGER} [2].", (1, 0.67, 1, 0.67)),
        ("The moon makes spring tides larger [1-2].", (1, 1, 1, 1)),
        (f"{MOON} [0].", (0, 0, 0, 0)),
        (f"{MOON} [1]. {LARGER} [9].", (0.5, 0.5, 0.5, 1)),
        (f"{MOON} [9].", (0, 0, 0, 0)),
        (f"# Tides\n\nHere is a summary.\n\n{MOON} [1]. {LARGER} [2].", (1, 1, 0.67, 1)),
        (f"{MOON} [1]. {LARGER}, see arr[3].", (0.5, 1, 0.5, 1)),
        (f"{MOON} [1, 1][1].", (1, 1, 1, 1)),
        (f"{MOON} [2].", (0, 0, 0, 0)),
        (f"{MOON} [2, 3].", (0, 0, 0, 0)),
        (f"{MOON} [1, 9].", (1, 0.5, 0, 0)),
        ("", (None, None, None, None)),
        ("# Tides", (None, None, None, None)),
        ("Why do tides rise?", (None, None, 0, 0)),
        (f"{MOON}.", (0, None, 0, 0)),
    ],
)
def test_recall_and_precision(text, expected):
    """Placement of the stop, lists and ranges do not matter; unknown keys and idle ones do."""
    assert figures(text) == expected


def test_citations_at_the_end_of_a_paragraph():
    """In that scope they count for the claims before, and each that one of these needs."""
    text = f"{MOON}. {LARGER} [1][2].\n\n{MOON}."
    assert figures(text) == (0.33, 0.5, 0.33, 0.5)
    assert figures(text, scope="paragraph") == (0.67, 1, 0.33, 0.5)


def test_either_of_two_will_do():
    """Two passages that say the same are both needed by none alone, and both count."""
    sources = [SOURCES[0], {"id": "again", "text": "It is the moon."}]
    found = metrics(cite(f"{MOON} [1][2].", sources), judge=PERFECT)
    assert found.precision == Mean(1.0, 1.0)


def test_micro_and_macro():
    """Micro weighs claims and citations, macro answers; those without a share are left out."""
    texts = [f"{MOON} [1]. {MOON} [1]. {MOON} [1].", f"{MOON}. ", "", "How are you?"]
    found = metrics((cite(text, SOURCES) for text in texts), judge=PERFECT)
    assert (found.answers, found.sentences, found.claims, found.citations) == (4, 5, 4, 3)
    assert found.coverage == Mean(0.75, 0.5)
    assert found.recall == Mean(0.75, 0.5)
    assert found.precision == Mean(1.0, 1.0)
    assert found.f1 == Mean(2 * 0.75 / 1.75, 2 * 0.5 / 1.5)
    assert found.unresolved_rate == Mean(0.0, 0.0)
    assert found.quote_rate == Mean(None, None)
    assert found.judge == "perfect, supported from 0.5"


def test_quotes_are_counted():
    """What stands in its source, of what could be told."""
    text = 'He said "the moon causes the tides" [1] and "the sun makes all the bread" [3].'
    assert metrics(cite(text, SOURCES), judge=PERFECT).quote_rate == Mean(0.5, 0.5)


def test_as_json():
    """All figures are numbers, text or null."""
    found = metrics(cite(f"{MOON} [1].", SOURCES), judge=PERFECT)
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["recall"] == {"micro": 1.0, "macro": 1.0}
    assert (data["judge"], data["claims"], data["alce_f1"]) == (found.judge, 1, 1.0)
    assert metrics([]).to_dict()["f1"] == {"micro": None, "macro": None}


def test_what_was_not_judged_is_counted():
    """Claims count as not supported when the budget is spent; their number is told."""
    answers = [cite(f"{MOON} [{n}]. {LARGER} [2].", SOURCES) for n in (1, 3, 1)]
    hearing = Hearing(batch=1, budget=Budget(calls=3))
    found = metrics(answers, judge=PERFECT, hearing=hearing)
    assert (found.pairs, found.unjudged) == (6, 3)
    assert found.recall.micro == 2 / 6


def test_each_pair_is_asked_once_an_answer():
    """Alone and without the others are the same pairs for two citations."""
    asked = []

    def score(pairs):
        asked.extend(pairs)
        return knows(pairs)

    metrics(cite(f"{MOON} [1][3]. {MOON} [3][1].", SOURCES), judge=ScoreJudge("j", score))
    assert len(asked) == len(set(asked)) == 4


def test_a_cache_of_the_caller_spares_calls():
    """Over runs, too."""
    answer, kept = cite(f"{MOON} [1][3].", SOURCES), {}
    first = metrics(answer, judge=PERFECT, hearing=Hearing(cache=kept))
    assert len(kept) == first.pairs == 3
    budget = Budget(calls=0)
    assert metrics(answer, judge=PERFECT, hearing=Hearing(cache=kept, budget=budget)) == first


@pytest.mark.slow
def test_memory_does_not_grow():
    """Of an answer nothing is kept but its counts."""

    def answers():
        number = 0
        while True:
            number += 1
            sources = [{"id": "a", "text": f"Quay {number} is wet. " * 20}]
            yield cite(f"Quay {number} is wet [1]. Boat {number} is dry [1][9].", sources)

    def peak(count):
        gc.collect()
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        found = metrics(islice(answers(), count), judge=PERFECT)
        assert found.answers == count
        return tracemalloc.get_traced_memory()[1] - before

    metrics(islice(answers(), 3_000), judge=PERFECT)  # caches of bounded size fill
    tracemalloc.start()
    try:
        few, many = peak(100), peak(2_000)
    finally:
        tracemalloc.stop()
    assert many < 4 * few + 1_000_000


@given(st.lists(st.text(alphabet="Tides moon. [1][2]9,-\n\ud800", max_size=60), max_size=4))
def test_shares_are_shares(texts):
    """From 0 to 1 or None; macro and micro of one answer agree; one by one gives the counts."""
    answers = [cite(text, SOURCES) for text in texts]
    found = metrics(answers)
    means = [value for value in found.to_dict().values() if isinstance(value, dict)]
    values = [value for mean in means for value in mean.values()]
    assert all(value is None or 0 <= value <= 1 for value in values)
    alone = [metrics(answer) for answer in answers]
    assert sum(one.claims for one in alone) == found.claims
    assert sum(one.citations for one in alone) == found.citations
    for one in alone:
        assert one.recall.micro == one.recall.macro
        assert one.precision.micro == one.precision.macro


def test_a_judge_that_talks_nonsense():
    """Gives figures, and they say that nothing was judged."""

    class Nonsense:
        name = "nonsense"

        def judge(self, pairs):
            return [Judgement("perhaps") for _ in pairs]

    found = metrics(cite(f"{MOON} [1].", SOURCES), judge=Nonsense())
    assert (found.recall.micro, found.pairs, found.unjudged) == (0.0, 1, 1)

"""How judges are asked: batches, attempts, waiting, budget, cache; the same sync and async."""

from __future__ import annotations

import asyncio
import json
import shelve

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark.checks import Budget, Hearing, Judgement, LexicalJudge, Pair
from citemark.errors import CitemarkError

PAIRS = [Pair(f"Quay {number} is wet.", f"Quay {number} is wet.") for number in range(5)]


class Scripted:
    """Answers what it is told to, call by call; then "supported" to everything."""

    name = "scripted"

    def __init__(self, *script):
        self.script, self.calls = [*script], []

    def judge(self, pairs):
        self.calls.append([*pairs])
        answer = self.script.pop(0) if self.script else None
        if isinstance(answer, Exception):
            raise answer
        return [Judgement("supported", 1.0) for _ in pairs] if answer is None else answer


class Later(Scripted):
    """The same, later; knows how many calls run at a time."""

    running = most = 0

    async def judge(self, pairs):
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        return super().judge(pairs)


def both(hearing, *script):
    """Return what two judges with a script say, sync and async, one call at a time."""
    now, later = Scripted(*script), Later(*script)
    found = hearing.ask(now, PAIRS)
    assert asyncio.run(hearing.ask_later(later, PAIRS)) == found
    assert later.calls == now.calls
    return found, now.calls


def verdicts(found):
    return [(one.verdict, *one.reasons) for one in found]


def test_each_pair_is_asked_once():
    """In batches, in order; pairs that are asked twice get the same judgement."""
    judge = Scripted()
    found = Hearing(batch=2).ask(judge, [*PAIRS, PAIRS[0], PAIRS[0]])
    assert judge.calls == [PAIRS[:2], PAIRS[2:4], PAIRS[4:]]
    assert len(found) == 7
    assert found[0] is found[5]


def test_a_judge_says_how_many_it_wants():
    """Unless the caller says it; nonsense is 32."""
    judge = Scripted()
    judge.batch = 3
    Hearing().ask(judge, PAIRS)
    Hearing(batch=5).ask(judge, PAIRS)
    judge.batch = "many"
    Hearing().ask(judge, PAIRS)
    assert [len(call) for call in judge.calls] == [3, 2, 5, 5]


class MuteError(Exception):
    """Has no words: its ``__str__`` fails."""

    def __str__(self):
        raise ValueError


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (OSError("no\x1b[31m net\nwork"), "the judge failed: OSError: no\ufffd[31m net work"),
        (ValueError("x" * 5_000), "the judge failed: ValueError: " + "x" * 67 + "…"),
        (MuteError(), "the judge failed: MuteError"),
        (dict.fromkeys(map(Judgement, "abcde")), "the judge did not answer each of 5 pairs"),
        ({*map(Judgement, "abcde")}, "the judge did not answer each of 5 pairs"),
        ("yes", "the judge did not answer each of 5 pairs"),
        (7, "the judge did not answer each of 5 pairs"),
        ([Judgement("supported")] * 4, "the judge did not answer each of 5 pairs"),
        (iter(lambda: Judgement("supported"), 0), "the judge did not answer each of 5 pairs"),
        ((1 / 0 for _ in range(5)), "the judge did not answer each of 5 pairs"),
        ([0.5] * 5, "the judge answered nonsense"),
        ([Judgement("maybe")] * 5, "the judge answered nonsense"),
        ([Judgement(["supported"])] * 5, "the judge answered nonsense"),
        ([Judgement("supported", 1.5)] * 5, "the judge answered nonsense"),
        ([Judgement("supported", float("nan"))] * 5, "the judge answered nonsense"),
        ([Judgement("supported", 10**400)] * 5, "the judge answered nonsense"),
        ([Judgement("supported", "1")] * 5, "the judge answered nonsense"),
        ([Judgement("supported", 1, (0, 900))] * 5, "the judge answered nonsense"),
        ([Judgement("supported", 1, (3, 1))] * 5, "the judge answered nonsense"),
        ([Judgement("supported", 1, (0, 1, 2))] * 5, "the judge answered nonsense"),
        ([Judgement("supported", 1, None, "why")] * 5, "the judge answered nonsense"),
        ([Judgement("supported", 1, None, (1,))] * 5, "the judge answered nonsense"),
    ],
)  # fmt: skip
def test_a_judge_that_fails_makes_unsure(answer, reason):
    """Whatever it does; the reason is one line that a terminal can show."""
    found = Hearing(attempts=1).ask(Scripted(answer), PAIRS)
    assert verdicts(found) == [("unsure", reason)] * 5
    assert all(one.failed for one in found)


def test_what_failed_is_asked_again():
    """And only that: a good judgement is not lost to a later failure."""
    good = Judgement("unsupported", 0.1)
    script = [good, None, good, "?", good], RuntimeError("down"), [good, None]
    found, calls = both(Hearing(attempts=3, concurrent=1), *script)
    assert calls == [PAIRS, [PAIRS[1], PAIRS[3]], [PAIRS[1], PAIRS[3]]]
    assert [one.verdict for one in found] == [good.verdict] * 3 + ["unsure", good.verdict]
    assert found[3].reasons == ("the judge answered nonsense",)


def test_budget_of_calls_and_pairs():
    """Repeated calls count; what is over gets no judgement, what was said before stays."""
    spent = ("unsure", "the judge is out of budget")
    for budget, asked in (({"calls": 2}, 4), ({"pairs": 3}, 3), ({"calls": 9, "pairs": 0}, 0)):
        judge = Scripted()
        found = Hearing(batch=2, budget=Budget(**budget)).ask(judge, PAIRS)
        assert verdicts(found) == [("supported",)] * asked + [spent] * (5 - asked)
    judge = Scripted(RuntimeError("down"))
    found = Hearing(attempts=5, budget=Budget(calls=1)).ask(judge, PAIRS)
    assert found[0].reasons == ("the judge failed: RuntimeError: down",)


def test_budget_is_shared():
    """By all that have it: over answers, say."""
    budget = Budget(calls=3)
    hearing = Hearing(batch=2, budget=budget)
    judge = Scripted()
    assert [one.verdict for one in hearing.ask(judge, PAIRS)] == ["supported"] * 5
    assert hearing.ask(judge, PAIRS[:1])[0].failed
    assert budget.calls == 0


def test_waiting_is_asked_for(monkeypatch):
    """The hook gets the number of calls and the error, and may give up; else nothing waits."""
    slept, told = [], []
    monkeypatch.setattr("time.sleep", slept.append)
    down = RuntimeError("down")

    def backoff(attempt, error):
        told.append((attempt, error))
        return {1: 2, 2: 0}.get(attempt)

    judge = Scripted(down, [None] * 5, down, down)
    found = Hearing(attempts=9, backoff=backoff).ask(judge, PAIRS)
    assert (slept, len(judge.calls)) == ([2.0], 3)
    assert told == [(1, down), (2, None), (3, down)]
    assert all(one.failed for one in found)
    Hearing(attempts=3).ask(Scripted(down, down), PAIRS)
    assert slept == [2.0]


def test_waiting_later():
    """The same hook, without holding up what else runs."""
    judge = Later(RuntimeError("busy"))
    hearing = Hearing(backoff=lambda attempt, _: attempt / 1_000)
    found = asyncio.run(hearing.ask_later(judge, PAIRS))
    assert verdicts(found) == [("supported",)] * 5


@pytest.mark.parametrize("concurrent", [1, 2, 3, 100])
def test_calls_at_a_time_are_bounded(concurrent):
    """By what is asked for, and by the number of batches."""
    judge = Later()
    hearing = Hearing(batch=1, concurrent=concurrent)
    assert len(asyncio.run(hearing.ask_later(judge, PAIRS))) == 5
    assert judge.most == min(concurrent, 5)


def test_cancelling_stops_all_calls():
    """No call goes on behind the back of who gave up."""
    started, done = [], []

    class Slow(Later):
        async def judge(self, pairs):
            started.append(pairs)
            await asyncio.sleep(60)
            done.append(pairs)

    async def run():
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(Hearing(batch=1).ask_later(Slow(), PAIRS), 0.05)
        return len(asyncio.all_tasks())

    assert asyncio.run(run()) == 1
    assert (len(started), done) == (4, [])


def test_wrong_kind_of_judge():
    """One that answers at once can be awaited; one that answers later says what to call."""
    found = asyncio.run(Hearing().ask_later(Scripted(), PAIRS))
    assert found == Hearing().ask(Scripted(), PAIRS)
    why = ("the judge failed: TypeError: it answers later: await support_later",)
    assert Hearing().ask(Later(), PAIRS)[0].reasons == why

    class Promise:
        def __await__(self):
            yield

    assert Hearing().ask(Scripted(Promise(), Promise()), PAIRS)[0].reasons == why


def test_what_is_in_the_cache_is_not_asked():
    """By name of the judge, passage and claim; failures are not kept."""
    cache = {}
    odd = Judgement("unsure", 0.5, (0, 4), ("wet",))
    judge = Scripted([odd, "?", odd, odd, odd], ["?"])
    first = Hearing(cache=cache).ask(judge, PAIRS)
    assert len(cache) == 4
    second = Hearing(cache=cache).ask(judge, PAIRS)
    assert second[0] == first[0] == odd
    assert [len(call) for call in judge.calls] == [5, 1, 1]
    other = Scripted()
    other.name = "other"
    assert len(Hearing(cache=cache).ask(other, PAIRS)) == len(other.calls[0])


def test_cache_over_runs(tmp_path):
    """Text under text: shelve and JSON keep it."""
    judge = LexicalJudge()
    with shelve.open(tmp_path / "judged") as cache:  # noqa: S301  our own file
        first = Hearing(cache=cache).ask(judge, PAIRS)
    with shelve.open(tmp_path / "judged") as cache:  # noqa: S301  as above
        again = Scripted()
        again.name = judge.name
        assert Hearing(cache=cache).ask(again, PAIRS) == first
        kept = json.loads(json.dumps(dict(cache)))
    assert again.calls == []
    assert Hearing(cache=kept).ask(again, PAIRS) == first
    assert again.calls == []
    assert all(len(key) == 64 for key in kept)


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", "null", b"\xff", 7, '{"verdict": "supported"}', "[" * 100_000,
     '{"verdict": "yes", "score": 1, "window": null, "reasons": []}',
     '{"verdict": "supported", "score": 2, "window": null, "reasons": []}',
     '{"verdict": "supported", "score": NaN, "window": null, "reasons": []}',
     '{"verdict": "supported", "score": 1, "window": [0, 999], "reasons": []}',
     '{"verdict": "supported", "score": 1, "window": 5, "reasons": 5}'],
)  # fmt: skip
def test_damage_in_the_cache_is_asked_again(damage):
    """And mended."""
    cache = {}
    first = Hearing(cache=cache).ask(Scripted(), PAIRS)
    cache.update(dict.fromkeys(cache, damage))
    judge = Scripted()
    assert Hearing(cache=cache).ask(judge, PAIRS) == first
    assert judge.calls == [PAIRS]
    assert set(cache.values()) != {damage}


class Broken(dict):
    """A cache that fails when it is read, written, or both."""

    def __init__(self, *ways):
        self.ways, self.tried = ways, []

    def get(self, key, default=None):
        return self.try_(super().get, "read", key, default)

    def __setitem__(self, key, value):
        self.try_(super().__setitem__, "write", key, value)

    def try_(self, method, way, *args):
        self.tried.append(way)
        if way in self.ways:
            raise OSError
        return method(*args)


@pytest.mark.parametrize(
    ("ways", "tried"),
    [
        (["read"], ["read"]),
        (["write"], ["read"] * 5 + ["write"]),
        (["read", "write"], ["read"]),
    ],
)
def test_a_cache_that_fails_loses_nothing(ways, tried):
    """A full disk, say: it is not used any further, and all is judged."""
    cache = Broken(*ways)
    assert Hearing(cache=cache).ask(LexicalJudge(), PAIRS) == Hearing().ask(
        LexicalJudge(), PAIRS
    )
    assert cache.tried == tried
    found = asyncio.run(Hearing(cache=Broken(*ways)).ask_later(Later(), PAIRS))
    assert verdicts(found) == [("supported",)] * 5


@pytest.mark.parametrize("number", [-1, 1.5, "2", True, float("nan")])
def test_numbers_that_are_none(number):
    """Are the caller's mistake, and told before anything is asked."""
    for name in ("calls", "pairs"):
        with pytest.raises(CitemarkError, match=f"^{name}=.*: expected a whole number from 0$"):
            Budget(**{name: number})
    for name in ("batch", "attempts", "concurrent"):
        for wrong in (number, 0):
            with pytest.raises(
                CitemarkError, match=f"^{name}=.*expected a whole number from 1"
            ):
                Hearing(**{name: wrong})


TEXTS = st.text(alphabet="ab 1.é\ud800不", max_size=6)


@given(st.lists(st.builds(Pair, TEXTS, TEXTS), max_size=8), st.randoms(), st.integers(1, 4))
def test_order_cache_and_time_do_not_matter(pairs, random, batch):
    """Permuted, cached, in batches, async: each pair gets the same judgement."""
    judge, cache = LexicalJudge(), {}
    found = dict(zip(pairs, Hearing().ask(judge, pairs), strict=True))
    for hearing in (Hearing(batch=batch), Hearing(cache=cache), Hearing(cache=cache)):
        random.shuffle(pairs)
        assert hearing.ask(judge, pairs) == [found[pair] for pair in pairs]
        assert asyncio.run(hearing.ask_later(judge, pairs)) == [found[pair] for pair in pairs]

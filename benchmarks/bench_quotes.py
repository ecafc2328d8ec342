"""Quotes: those of a 3 kB answer with ten sources of 2 kB, and passages of 1 MB."""

from __future__ import annotations

import time
from functools import partial

from measure import Row, best, main

from citemark import Answer, Source, cite
from citemark._quotes import forget_passages
from citemark.checks.quotes import verify_quote, verify_quotes

ROUNDS = 30
LIMIT = 3.0
"""Most ms for an answer whose passages were not seen before."""

LONG_LIMIT = 1.0
"""Most seconds for a quote from a passage of 1 MB."""

SIZE = 1_000_000

MINUTES = (
    "The harbour board met on {n} March 1931. After two days of debate it voted, by nine to "
    "four, to dredge channel {n} to a depth of 9.{n} metres. “The silt will return,” warned "
    "engineer Müller, “and we shall pay {n} times.” Work began in the autumn — {n} months late "
    "— and cost £41{n},000. The main-\ntenance crew counted 1,2{n} barges in winter {n}. "
)
SENTENCES = (
    "The board “voted, by nine to four, to dredge channel {n}” in the end [{n}]. ",
    "The chief engineer warned that it would not last, and he was right about that [{n}]. ",
    'Work "began in the autumn - {n} months late - and cost £41{n},000" in all [{n}]. ',
    "Nobody knows what it cost in the years after, nor who paid for it [{n}].\n\n",
    "“The maintenance crew counted ... barges in winter {n}”, the minutes say [{n}]. ",
    "The channel was dredged again, and again it was the town that paid for the works [{n}]. ",
)
"""Half of them quote."""

HOSTILE = {
    "blanks": " \n",
    "accents": "e\u0301",
    "dashes": "- ",
    "ellipses": "it …",
    "stops": ". ",
    "one word": "the board ",
    "Han": "港口委员会于一九三一年三月开会。",
    "Devanagari": "बंदरगाह बोर्ड की बैठक हुई। ",
}


def rows(effort: float) -> list[Row]:
    """Time answers with passages that are new, and seen; then passages of 1 MB."""
    answer, false = _answer(""), _answer("not ")
    quotes = {
        "ten sources, new": partial(_cold, answer),
        "ten sources, seen": partial(verify_quotes, answer),
        "ten sources, new, no quote stands there": partial(_cold, false),
    }
    times = best(list(quotes.values()), round(ROUNDS * effort) or 1, time.process_time)
    limits = (LIMIT, LIMIT, None)
    found = [
        Row(f"quotes of 3 kB: {name}", least * 1e3, "ms", limit=limit, judged="ours")
        for name, least, limit in zip(quotes, times, limits, strict=True)
    ]
    size = round(SIZE * effort)
    for name, text in {"prose": MINUTES.format(n=4), **HOSTILE}.items():
        passage = (text * (size // len(text) + 1))[:size]
        work = partial(_cold_quote, passage)
        (least,) = best([work], 2, time.process_time)
        what = f"a quote that a passage of 1 MB does not hold: {name}"
        found.append(Row(what, least, "s", limit=LONG_LIMIT if name == "prose" else None))
    return found


def _answer(slip: str) -> Answer:
    """Return an answer of 3 kB, with a word more in each quote if asked for."""
    sources = [Source(f"s{n}", text=(MINUTES.format(n=n) * 6)[:2_000]) for n in range(1, 11)]
    text = ""
    n = 0
    while len(text) < 3_000:  # noqa: PLR2004  the size that is promised
        sentence = SENTENCES[n % len(SENTENCES)].format(n=n % 10 + 1)
        text += sentence.replace("voted,", f"{slip}voted,").replace("began", f"{slip}began")
        n += 1
    return cite(text, sources)


def _cold(answer: Answer) -> None:
    forget_passages()
    verify_quotes(answer)


def _cold_quote(passage: str) -> None:
    forget_passages()
    verify_quote("the crew then counted 1,207 barges … in the winter of 1931", passage)


if __name__ == "__main__":
    main(rows)

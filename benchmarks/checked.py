"""What the checks are timed on: answers of 3 kB, each with ten sources of 2 kB of its own."""

from __future__ import annotations

from random import Random
from typing import Final

from citemark import Answer, Source, cite

__all__ = ["answer_of", "prose_of"]

SIZE: Final = 3_000
SOURCE_SIZE: Final = 2_000
SOURCES: Final = 10

PARAGRAPHS: Final = """\
The harbour board met on {n} March 1931 and voted, by nine to four, to dredge the main channel \
to 9.{n} metres [{n}]. Work began in the autumn, three years late, and cost £41{n},000 [{m}]. \
Nobody asked why.
%
## Findings of year {n}
%
- The **main** channel is 9.{n} metres deep [{n}].
- Dr. Rowe of St. Ives measured it twice, in winter and in May [{m}].
- See `depth[{n}]` in the code.
%
| Year | Barges | Cost |
|---|---|---|
| 193{n} | 1,20{n} | £4{n} million [{n}] |
%
The minutes say that “the silt will return” and that the crew "counted 1,2{n}4 barges in \
winter {n}" [{n}]. The engineer was “not convinced by the new plan” [{m}].
%
I could not find who paid for channel {n} in the provided sources. However, the town did pay \
for the works of 1932 [{n}][{m}].
%
Der Hafenrat beschloss am {n}. Oktober 1931, die Rinne auf 9,{n} Meter zu vertiefen [{n}]. \
Leider wurde nicht erwähnt, wer das bezahlte.
%
Le conseil a voté « à neuf voix contre quatre » le dragage du chenal {n} [{n}].
""".split("%\n")  # noqa: SIM905  they are easier to read
"""Prose, lists, tables, quotes, refusals, in three languages; half of the quotes are false."""

MINUTES: Final = (
    "The harbour board met on {n} March 1931. After two days of debate it voted, by nine to "
    "four, to dredge channel {n}. “The silt will return,” warned engineer Müller. The main-\n"
    "tenance crew counted 1,2{n}4 barges in winter {n}. "
)
WORDS: Final = """
harbour town river engineer council winter depth vote barge crew channel silt autumn money
report minute paper ship boat trade wool coal iron stone bridge road tower of and by in
""".split()  # noqa: SIM905  as above


PROSE: Final = (
    "The harbour board met in March 1931, after a winter of storms, and the town spoke of "
    "little else for weeks [{m}]. Its members had read three reports on the silt that came "
    "down the river every autumn [{m}]. Two of them had been engineers, and both wanted a "
    "new channel. Trade in wool and coal had fallen by a third since the war [{m}]."
)
"""A paragraph without any quote."""

QUOTES: Final = (
    "It was voted, “by nine to four, to dredge channel {n}” [{n}].",
    "The chief engineer told them that “the silt will return” [{n}].",
    'The crew "counted 1,2{n}4 barges in winter {n}" [{n}].',
)
"""What the sources say."""


def answer_of(seed: int) -> Answer:
    """Return the answer with sources that no other seed gives."""
    random = Random(seed)  # noqa: S311  no secret
    text, n = "", seed
    while len(text) < SIZE:
        paragraph = PARAGRAPHS[n % len(PARAGRAPHS)]
        text += paragraph.format(n=n % 9 + 1, m=random.randint(1, SOURCES)) + "\n"
        n += 1
    return cite(text[:SIZE], _sources(random))


def prose_of(seed: int) -> Answer:
    """Return the same of plain prose, with three quotes, all of them true."""
    random = Random(seed)  # noqa: S311  as above
    text, n = "", 0
    while len(text) < SIZE:
        quote = QUOTES[n].format(n=random.randint(1, SOURCES)) if n < len(QUOTES) else ""
        text += f"{PROSE.format(m=random.randint(1, SOURCES))} {quote}\n\n"
        n += 1
    return cite(text[:SIZE], _sources(random))


def _sources(random: Random) -> list[Source]:
    return [Source(f"s{n}", text=_source(n, random)) for n in range(1, SOURCES + 1)]


def _source(n: int, random: Random) -> str:
    text = MINUTES.format(n=n)
    while len(text) < SOURCE_SIZE:
        words = " ".join(random.choices(WORDS, k=random.randint(6, 18)))
        text += f"{words.capitalize()}, {random.randint(2, 900)} tons. "
    return text[:SOURCE_SIZE]

"""Asks a local cross-encoder what supports what: needs sentence-transformers.

python judge_cross_encoder.py cross-encoder/nli-deberta-v3-base
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from citemark import cite
from citemark.checks import Pair, ScoreJudge, split_sentences, support

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SOURCES = [{"id": "minutes", "text": "The board met on 12 March. The quay cost £412,000."}]
ANSWER = "The quay cost £412,000 [1]. The board met in May [1]."

WORDS = 200
"""Words of a part of a passage: most such models cut what is longer, and do not say so."""


def parts_of(passage: str) -> list[str]:
    """Return whole sentences of a passage, about as many words at a time as a model reads."""
    parts: list[list[str]] = [[]]
    for start, end in split_sentences(passage):
        words = passage[start:end].split()
        if parts[-1] and len(parts[-1]) + len(words) > WORDS:
            parts.append([])
        parts[-1] += words
    return [" ".join(part) for part in parts]


def scorer(model: Any) -> Callable[[Sequence[Pair]], list[float]]:  # noqa: ANN401  may be missing
    """Return a function that gives each pair the score of the part that supports it best."""
    labels = {name.lower(): number for number, name in model.config.id2label.items()}
    entails = labels.get("entailment")

    def score(pairs: Sequence[Pair]) -> list[float]:
        rows = [(part, claim) for premise, claim in pairs for part in parts_of(premise)]
        found = model.predict(rows, apply_softmax=entails is not None)
        values = iter(float(one if entails is None else one[entails]) for one in found)
        return [max(next(values) for _ in parts_of(premise)) for premise, _ in pairs]

    return score


def main() -> None:
    """Judge an answer, and show what was found."""
    if len(sys.argv) < 2:  # noqa: PLR2004  its own name and one more
        print("give the name of a model, such as cross-encoder/nli-deberta-v3-base")
        return
    from sentence_transformers import CrossEncoder  # noqa: PLC0415  slow, and not always there

    score = scorer(CrossEncoder(sys.argv[1]))
    judge = ScoreJudge(sys.argv[1], score, supported=0.7, unsupported=0.3)
    for check in support(cite(ANSWER, SOURCES), judge=judge):
        print(check.verdict, check.score, check.claim.text)


if __name__ == "__main__":
    main()

"""Quotes that begin or end within a word or a figure, or hide what denies: never verified."""

from __future__ import annotations

import pytest
from growth_kit import assert_linear

from citemark.checks import verify_quote

NIGHT = "5 degrees at night in winter"
SIGNS = ("-", "−", "±", "<", "< ", "≠", "≥", "~")


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("500 euros for each household", "The works cost 12 500 euros for each household."),
        ("500 euros for each household", "It cost 12\u00a0500 euros for each household."),
        ("The works cost 12", "The works cost 12\u202f500 euros."),
        ("30 men came to the quay", "At 10:30 men came to the quay"),
        ("500 euros per year per head", "1'500 euros per year per head"),
        ("it was up by 9", "it was up by 9٪ then"),
        ("it was up by 9", "it was up by 9^5 then"),
        ("it was up by 9", "it was up by 9⁵ then"),
        ("it was up by 9", "it was up by 9° then"),
        ("٥ في المئة من السكان", "٩٫٥ في المئة من السكان"),
        ("5 of the people here", "9·5 of the people here"),
        ("in 1990 the board voted", "in 19[3]90 the board voted"),
        ("十五人参加了会议", "二十五人参加了会议"),
        ("五十人参加了会议", "一百五十人参加了会议"),
        ("价格现在是三", "价格现在是三百元每公斤"),
        ("십오 명이 회의에 참석했다", "이십오 명이 회의에 참석했다"),
        ("สิบคนเข้าร่วมประชุม", "ยี่สิบคนเข้าร่วมประชุม"),
        *((NIGHT, f"It was {sign}{NIGHT}") for sign in SIGNS),
        (NIGHT, f"It was (-{NIGHT})."),
        (NIGHT, f'It was "-{NIGHT}".'),
        (NIGHT, f"It was $-{NIGHT}"),
        (NIGHT, f"It was 10/-{NIGHT}"),
        ("able to do it by now", "the board is un-\nable to do it by now"),
        ("national law applies to all here", "inter-\nnational law applies to all here"),
        ("national law applies to all here", "inter\u00ad\nnational law applies to all here"),
    ],
)  # fmt: skip
def test_what_cuts_a_word_or_a_figure_is_not_verified(quote, passage):
    """In any script, at either end, however the passage is printed."""
    assert verify_quote(quote, passage).verdict in {"altered", "rejected"}
    assert verify_quote(passage, passage).verdict == "verified"


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("350 people came here", "In 1980 350 people came here."),
        ("5 men came to the quay", "> 5 men came to the quay"),
        ("12 May the board met", "On the 12 May the board met"),
        ("12 500 euros each", "They cost 12 500 euros each."),
        ("on page 12", "See on page 12. 500 men came."),
        ("5 degrees at night", "from 3 to 5 degrees at night"),
        ("30 men came to", "At noon: 30 men came to the quay"),
        ("一般人参加了会议", "统计一般人参加了会议"),
        ("의사 이야기를 했다", "그 의사 이야기를 했다"),
        ("barges were counted twice", "The barges were counted twice [3]"),
    ],
)
def test_whole_figures_are_verified(quote, passage):
    """Figures beside other figures, quotation signs of lines, and common words."""
    assert verify_quote(quote, passage).verdict == "verified"


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("Hyresgästen ska … betala hyran nu", "Hyresgästen ska aldrig betala hyran nu"),
        ("Vuokralainen … maksa vuokraa nyt", "Vuokralainen ei maksa vuokraa nyt"),
        ("Ο ενοικιαστής … πληρώνει το ενοίκιο", "Ο ενοικιαστής δεν πληρώνει το ενοίκιο"),
        ("הדייר … משלם את השכירות", "הדייר לא משלם את השכירות"),
        ("Nájemce … platí nájem včas", "Nájemce nikdy platí nájem včas"),
        ("Der Mieter haftet … für den Schaden", "Der Mieter haftet keineswegs für den Schaden"),
        ("the tenant pays for damage ...", "the tenant pays for damage in no case at all"),
        ("he paid [nine million] pounds for it", "he paid ten pounds for it"),
    ],
)
def test_what_is_left_out_may_not_deny(quote, passage):
    """In more languages, and neither may a figure be put in for another."""
    assert verify_quote(quote, passage).verdict == "rejected"


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["ab ", "1 2 3 ", "a-b-"])
def test_text_that_is_like_itself_everywhere_does_not_stall(unit):
    """Letters are compared no longer than a fixed amount of work."""

    def verify(size):
        verify_quote(unit * (size // len(unit)) + "zz zz", unit * (2 * size // len(unit)))

    assert_linear(lambda: verify(1_000), lambda: verify(15_000), ratio=15, margin=4)

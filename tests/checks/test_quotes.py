"""What is said of single quotes, of those in an answer, and of odd ones."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest

from citemark import Answer, Citation, CitationSegment, Marker, Source, cite
from citemark._quotes import find_quotations
from citemark.checks import _fuzzy
from citemark.checks.quotes import verify_quote, verify_quotes
from citemark.model import Location

MINUTES = (
    "The harbour board met on 12 March 1931. After two days it voted, by nine to four, to\n"
    "dredge the state-of-the-art channel to 9.5 metres. The cost was £412,000 at -5 °C. "
    "Müller’s report [3] calls the work “a costly success”. The main-\ntenance crew of the "
    "three-\nyear plan can’t rest. A non-refundable fee of 5% is due."
)


def quoted(words, **options):
    check = verify_quote(words, MINUTES, **options)
    return check.verdict, [MINUTES[start:end] for start, end in check.spans]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("voted, by nine to four, to dredge", "voted, by nine to four, to\ndredge"),
        ("to dredge the state-of-the-art channel", "to\ndredge the state-of-the-art channel"),
        ("calls the work 'a costly success'", "calls the work “a costly success”"),
        ("Müller's report calls the work", "Müller’s report [3] calls the work"),
        ("Müller's report [3] calls the work", "Müller’s report [3] calls the work"),
        (
            "maintenance crew of the three-year plan",
            "main-\ntenance crew of the three-\nyear plan",
        ),
        ("The cost was £412,000, ", "The cost was £412,000"),
        ("“The cost was £412,000”", "The cost was £412,000"),
        ("[T]he cost was £412,000", "The cost was £412,000"),
    ],
)
def test_printed_otherwise(words, found):
    """Quotes stand where they stand, whatever marks, breaks and brackets either side has."""
    assert quoted(words) == ("verified", [found])


@pytest.mark.parametrize(
    "words",
    [
        "and the cost was £412",
        "the cost was £41",
        "metres. The cost was £412,00",
        "board met on 12 March 193",
        "the main tenance crew",
        "crew of the three-year plan can",
        "refundable fee of 5% is due",
        "A non-refundable fee of 5",
        "5 °C. Müller’s report",
        "report [4] calls the work",
        "dredge the state-of-the-art channel to 9.5 m",
        "dredge the stateoftheart channel to 9.5",
        "the cost was $412,000 at",
        "the cost was £412,000 at 5 °C",
    ],
)
def test_cut_or_changed(words):
    """A word or number cut in two, another figure, sign or currency does not stand there."""
    assert quoted(words)[0] in {"altered", "rejected"}


@pytest.mark.parametrize(
    ("words", "verdict", "reason"),
    [
        ("voted, by ten to four, to dredge", "altered", "“ten” in the quote, “nine” in the"),
        ("The cost was never £412,000", "altered", "Negation differs: the quote adds “never”."),
        ("at -5 °C. Miller’s report calls the work", "rejected", "The nearest words are"),
        ("The board met for several hours", "rejected", ""),
        ("The cost was [not] £412,000", "rejected", "The words put in hold “not”."),
        ("... rest. A non-refundable fee", "rejected", "has “can't” before these words."),
        ("the ... board ... it ... to", "rejected", "The pieces between"),
        ("", "insufficient", "It is empty."),
        ("“…”", "insufficient", "It is empty."),
        ("harbour board", "insufficient", "It is too short"),
    ],
)
def test_verdict_has_a_reason(words, verdict, reason):
    """What is wrong is said in words."""
    check = verify_quote(words, MINUTES)
    assert (check.verdict, reason in check.reason) == (verdict, True), check


def test_denied_outside_of_a_quote():
    """A negation right before the words is told, though they do stand there."""
    check = verify_quote(
        "permitted to leave the port", "He is not permitted to leave the port."
    )
    assert check.verdict == "verified"
    assert check.reason == "The passage has “not” before these words."


def test_slips_need_the_library(monkeypatch):
    """Without rapidfuzz a misspelt quote does not pass, and what is nearest is said."""
    words = "voted, by nine to four, to dredge the state-of-the-art chanel"
    assert quoted(words)[0] == "fuzzy"
    monkeypatch.setattr(_fuzzy, "_rapidfuzz", lambda: None)
    check = verify_quote(words, MINUTES)
    assert (check.verdict, check.spans) == ("rejected", ())
    assert check.reason.startswith("The nearest words are “voted, by nine to four, to dredge")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("seven tables stood in the hall", "seven cables stood in the hall"),
        (
            "the nurse saw the cart and the card there",
            "the nurse saw the card and the cart there",
        ),
        ("he said it is in the old house", "he said it is on the old house"),
        ("we paid three farmers for the hay", "we paid there farmers for the hay"),
        ("this product is kullanılır every day", "this product is kullanılmaz every day"),
        ("the trial of Mr Hansen was short", "the trial of Mr Hanson was short"),
    ],
)
def test_near_spellings_that_are_other_words(right, wrong):
    """Likeness alone lets nothing pass."""
    assert verify_quote(wrong, f"As told, {right}.").verdict in {"altered", "rejected"}


def test_wrong_source():
    """A quote that stands in another source is told with it, and where."""
    one, other = Source("a", text="Parking costs four euros."), Source("b", text=MINUTES)
    check = verify_quote("board met on 12 March 1931", one, others=[one, other])
    assert (check.verdict, check.source) == ("misattributed", other)
    assert [MINUTES[slice(*span)] for span in check.spans] == ["board met on 12 March 1931"]


def test_others_of_an_answer():
    """Cited and given sources are looked at; a source without passage tells nothing."""
    text = "It “met on 12 March 1931” [1] and “cost four hundred euros” [2]."
    answer = cite(text, [{"id": "a", "text": "Parking."}, {"id": "b"}])
    assert [check.verdict for check in verify_quotes(answer)] == ["rejected", "unverifiable"]
    checks = verify_quotes(answer, sources=[Source("c", text=MINUTES)])
    assert [check.verdict for check in checks] == ["misattributed", "unverifiable"]
    assert checks[0].citation == next(answer.citations)


def test_place_told_by_a_provider():
    """Of two places the one that the provider means counts."""
    text = "The board met. It closed. The board met."
    citation = Citation(
        "a", Source("a", text=text), 1, 1, (Location("char", 26, 39),), "The board met"
    )
    marker = Marker(5, 5, "", "point", ("a",))
    answer = Answer((CitationSegment(marker, (citation,)),), (citation.source,))
    assert [check.spans for check in verify_quotes(answer)] == [((26, 39),)]


def test_several_citations():
    """A quote that stands in one of the sources cited for it is verified with that one."""
    answer = cite(
        "It “met on 12 March 1931” [1][2].",
        [{"id": "a", "text": "No."}, {"id": "b", "text": MINUTES}],
    )
    (check,) = verify_quotes(answer)
    assert (check.verdict, check.citation.key) == ("verified", "2")


def test_one_of_several_without_passage():
    """What is not in one source may be in another one that has no passage."""
    sources = [{"id": "a", "text": MINUTES}, {"id": "b"}]
    answer = cite("It “rained on the day of the vote” [1][2].", sources)
    assert [check.verdict for check in verify_quotes(answer)] == ["unverifiable"]


@pytest.mark.parametrize("text", [None, 7, b"bytes", " \n "])
def test_passages_that_are_none(text):
    """A source that holds no text has no passage."""
    check = verify_quote(
        "four words of it", Source("a", text=text), others=[Source("b", text=text)]
    )
    assert check.verdict == "unverifiable"


@pytest.mark.parametrize(
    "text",
    [
        '```\n"four words in code" [1]\n```\n',
        '`"four words in code"` [1]',
        '    "four words in code" [1]\n',
        'A 5" pipe and a 6" pipe were laid [1].',
        "It ‘isn’t done and nobody’s there [1].",
        '"this quote is not cited". That is [1].',
        '"an open quote is none [1].\n\n"',
    ],
)
def test_no_quotes(text):
    """Code, inches, apostrophes, open marks and quotes without citation are left out."""
    assert verify_quotes(cite(text, [{"id": "a", "text": MINUTES}])) == ()


MARKS = [
    *('"{}"', "“{}”", "”{}”", "„{}“", "„{}”", "«{}»", "«\u00a0{}\u00a0»", "»{}«"),
    *("‹{}›", "›{}‹", "‘{}’", "‚{}‘", "「{}」", "『{}』", "＂{}＂"),
]


@pytest.mark.parametrize("marks", MARKS)
def test_quotation_marks(marks):
    """Marks of all languages hold quotes, beside the citation or in its sentence."""
    for text in (
        f"He says {marks} [1].",
        f"{marks}, he says, and more [1].",
        f"According to [1], {marks}",
    ):
        answer = cite(text.format("the harbour board met on"), [{"id": "a", "text": MINUTES}])
        assert [check.verdict for check in verify_quotes(answer)] == ["verified"], text


@pytest.mark.parametrize(
    "words",
    [
        "", " ", "\n", '"', "...", "[", "[...]", "\ud800", "\udfff\ud800 a b", "\0\0", "- - -",
        "\u0301" * 5_000, "a" * 100_000, "a b " * 50_000, "… " * 20_000, "[x] " * 20_000,
        "'\" " * 20_000, "un-" * 30_000, "1.2," * 30_000, "\u00ad\n" * 30_000, "港" * 50_000,
    ],
)  # fmt: skip
def test_nothing_raises(words):
    """Odd quotes and passages get a verdict."""
    for passage in (MINUTES, words, words + MINUTES, ""):
        assert verify_quote(words, passage).verdict
        assert verify_quote(MINUTES, passage).verdict
    answer = cite(
        f"He “{words}” [1] and {words} [1]\n> {words} [1]", [{"id": "a", "text": MINUTES}]
    )
    for check in verify_quotes(answer):
        assert check.start <= check.end <= len(answer.text)


def test_positions_in_the_answer():
    """Positions are those of the words without their marks; markers among them are no words."""
    text = "Say “the harbour [1] board met on 12 March”.\n\n> After two days\n> it voted, [1]\n"
    answer = cite(text, [{"id": "a", "text": MINUTES}])
    checks = verify_quotes(answer)
    assert [check.quote for check in checks] == [
        "the harbour board met on 12 March",
        "After two days\nit voted,",
    ]
    assert [text[check.start : check.end] for check in checks] == [
        "the harbour [1] board met on 12 March",
        "After two days\n> it voted, [1]",
    ]


def test_threads_share_what_is_kept():
    """Passages kept for the next quote serve several threads."""
    passages = [f"{MINUTES} Number {number} of many was said." for number in range(50)]
    wrong = []

    def run():
        for number, passage in enumerate(passages):
            if verify_quote(f"number {number} OF many was said", passage).verdict != "verified":
                wrong.append(number)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_quotations_do_not_overlap():
    """Each character is in one quotation at most."""
    text = "> “a b c” and d\n> « e »\n\n“x „y“ z” [1] \"p 'q' r\"\n> ‘s’"
    found = find_quotations(text)
    assert all(one.end <= other.start for one, other in pairwise(found))

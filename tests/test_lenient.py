"""Lenient look-up: what each step overlooks, and what none of them ever does."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark import AnswerStream, CitemarkError, Issue, Source, Sources, cite, find_markers
from citemark.sources import LOOKUPS

NAMES = (
    "pol-12", "Refund policy.pdf", "Layout (1).pdf", "FAQ", "report-2021.pdf",
    "report-2022.pdf", "Water board", "Appendix B", "1.pdf", "Plan", "stra\u00dfe",
)  # fmt: skip
STEPS = ("zero-width", "dashes", "blanks", "case", "stem", "edit", "and-list", "half-thought")


def by_id(*names: str, lenient: Any = True) -> Sources:
    return Sources([{"id": name} for name in names], lenient=lenient, label="number")


def found(sources: Sources, key: str, lookup: Any = "id", **options: Any) -> Any:
    near = sources.near(key, lookup, **options)
    return near and ([source.id for source in near.sources], near.steps)


@pytest.mark.parametrize(
    ("step", "key", "name"),
    [
        ("zero-width", "pol\u200b-12", "pol-12"),
        ("zero-width", "\ufeffpol-\u00ad12\u2060", "pol-12"),
        ("dashes", "pol\u201112", "pol-12"),
        ("dashes", "pol\u221212", "pol-12"),
        ("dashes", "pol\uff0d12", "pol-12"),
        ("blanks", "pol- 12", "pol-12"),
        ("blanks", "Layout(1).pdf", "Layout (1).pdf"),
        ("blanks", "Layout ( 1 ) .pdf", "Layout (1).pdf"),
        ("blanks", "Waterboard", "Water board"),
        ("case", "POL-12", "pol-12"),
        ("case", "faq", "FAQ"),
        ("case", "STRASSE", "stra\u00dfe"),
        ("stem", "Refund policy", "Refund policy.pdf"),
        ("stem", "FAQ.docx", "FAQ"),
        ("stem", "report-2021", "report-2021.pdf"),
        ("stem", "Plan.mp3", "Plan"),
        ("edit", "Refund polcy.pdf", "Refund policy.pdf"),
        ("edit", "Refund pollicy.pdf", "Refund policy.pdf"),
        ("edit", "Refund poljcy.pdf", "Refund policy.pdf"),
        ("edit", "pol_12", "pol-12"),
        ("edit", "pol12", "pol-12"),
        ("edit", "Appenddix B", "Appendix B"),
    ],
)
def test_a_step(step: str, key: str, name: str) -> None:
    """A step finds what it is for, alone or with all others, and is named; without it: none."""
    expected = ([name], (step,))
    others = [other for other in STEPS if other != step]

    assert found(by_id(*NAMES, lenient=[step]), key) == expected
    assert found(by_id(*NAMES), key) == expected
    assert found(by_id(*NAMES, lenient=()), key) is None
    if step not in ("dashes", "blanks"):  # one letter more or less may bridge these too
        assert found(by_id(*NAMES, lenient=others), key) is None


@pytest.mark.parametrize(
    ("key", "steps"),
    [
        ("refund  POLICY", ("blanks", "case", "stem")),
        ("POL\u201112", ("dashes", "case")),
        ("p\u200bol_12", ("zero-width", "edit")),
        ("appenddix b", ("case", "edit")),
    ],
)
def test_several_steps(key: str, steps: tuple[str, ...]) -> None:
    """Just the steps that were needed are named, in their order."""
    near = by_id(*NAMES).near(key, "id")

    assert near is not None
    assert near.steps == steps


@pytest.mark.parametrize("key", [*NAMES, "report", "xyz", "", " ", "\u200b", "-", "."])
def test_what_is_not_near(key: str) -> None:
    """A key that is a name is not asked for; one that is near to none, or to two, is none."""
    assert found(by_id(*NAMES), key) is None


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("employee", "employer"),
        ("intent", "intend"),
        ("legal", "regal"),
        ("legal", "legall"),
        ("legal", "lega"),
        ("annual legal report", "annual regal report"),
        ("annual legal report", "annual egal report"),
    ],
)
def test_another_word_is_no_misspelling(name: str, key: str) -> None:
    """A letter of a short name is not changed, nor the first one of any word."""
    assert found(by_id(name), key) is None


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("intent", "intet"),
        ("intent", "intentt"),
        ("employees-1", "emplojees-1"),
        ("annual legal report", "annual legel report"),
    ],
)
def test_a_longer_name_may_be_misspelt(name: str, key: str) -> None:
    """A letter may be missing or extra in six characters, and another one in ten."""
    assert found(by_id(name), key) is not None


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (("pol-12", "POL-12"), "Pol-12"),
        (("pol-12", "pol\u201312"), "pol\u201412"),
        (("ab c", "a bc"), "abc"),
        (("plan.pdf", "plan.docx"), "plan"),
        (("plan", "plan.docx"), "PLAN"),
        (("Refund policy", "Refund police"), "Refund polic"),
        (("Water tables", "Water tablet", "Other"), "Water tablex"),
    ],
)
def test_not_if_there_are_two(names: tuple[str, ...], key: str) -> None:
    """What could be either of two sources is neither; with one of them gone it is the other."""
    assert found(by_id(*names), key) is None
    assert found(by_id(names[0]), key) is not None


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("report-2021.pdf", "report-2022.pdf"),
        ("report-2021.pdf", "report-201.pdf"),
        ("report-2021.pdf", "report-20221.pdf"),
        ("report 1 2", "report 12"),
        ("report-1-2", "report-12"),
        ("report-1.2", "report-12"),
        ("version 1.2", "version 1"),
        ("version 1", "version 1.2"),
        ("Section 1.a", "Section 1"),
        ("Article 2.iv", "Article 2"),
        ("U.S.A", "U.S"),
        ("Smith v. Jones", "Smith v"),
        ("Plan.v2", "Plan"),
        ("report.pdf", "report.docx"),
        ("3.pdf", "3"),
        ("17", "17.pdf"),
        ("Appendix B", "Appendix C"),
        ("Appendix B", "AppendixC"),
        ("Appendix B", "AppendixBC"),
        ("Appendix B", "Appendix BC"),
        ("Part II of the act", "Part III of the act"),
        ("pqac-a020507f", "pqac-a020507e"),
        ("deadbeefcafe", "deadbeefcaff"),
        (
            "\u8d28\u91cf\u624b\u518c\u7b2c\u4e00\u7ae0",
            "\u8d28\u91cf\u624b\u518c\u7b2c\u4e8c\u7ae0",
        ),
        ("\u5e74\u5ea6\u62a5\u544a\u7532", "\u5e74\u5ea6\u62a5\u544a\u4e59"),
        ("Annex \u2163 to it", "Annex \u2164 to it"),
        ("file", "fle"),
        ("policy", "ploicy"),
        ("policy", "polcyi"),
        ("policy", "plcy"),
        ("polic\u0000", "polic\u0001"),
        ("x" * 201, "X" * 201),
    ],
)
def test_other_names(name: str, key: str) -> None:
    """Another number, another letter that counts, another file: another source."""
    for one, other in ((name, key), (key, name)):
        assert found(by_id(one), other) is None
        assert found(Sources([{"id": "s", "title": one}], lenient=True), other, "title") is None


def test_titles() -> None:
    """Titles have no case and one kind of blank anyway; the other steps help them too."""
    sources = Sources([{"id": "s", "title": "Refund  \u2013 policy.PDF"}], lenient=True)

    assert found(sources, "refund-policy", "title") == (["s"], ("dashes", "blanks", "stem"))
    assert found(sources, "REFUND \u2013 POLICY.pdf", "title") is None  # it is that title


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("https://exa\u200bmple.org/Pa\u00adth", (["s"], ("zero-width",))),
        ("https://example.org/path", None),
        ("https://example.org/Pat", None),
        ("https://example.org/Path.pdf", None),
        ("https://example.org/Pa th", None),
        ("https://example.org/Path", None),
    ],
)
def test_urls_are_strict(key: str, expected: Any) -> None:
    """Of a URL only what nobody can see does not count."""
    sources = Sources([{"id": "s", "url": "https://example.org/Path"}], lenient=True)

    assert found(sources, key, "url") == expected


@pytest.mark.parametrize(
    ("key", "base", "expected"),
    [
        ("\u200b2", 1, (["b"], ("zero-width",))),
        ("0\u200b2", 1, (["b"], ("zero-width",))),
        ("\u200b2", 0, (["c"], ("zero-width",))),
        ("0 : 2\u200b", 0, (["c"], ("zero-width",))),
        ("\u200b2", None, None),
        ("1 2", 1, None),
        ("2.pdf", 1, None),
        ("-2", 1, None),
        ("\u200b4", 1, None),
        ("2a", 1, None),
        ("22222", 1, None),
    ],
)
def test_labels_that_are_numbers(key: str, base: Any, expected: Any) -> None:
    """A number may hold what has no width; it has no case, no extension and no typing error."""
    assert found(by_id("a", "b", "c"), key, "label", base=base) == expected


def test_ids_that_are_labels() -> None:
    """What holds for ids holds for labels that are ids."""
    sources = Sources([{"id": "Pol-12"}, {"id": "17"}], label="id", lenient=True)

    assert found(sources, "pol-12", "label") == (["Pol-12"], ("case",))
    assert found(sources, "1\u200b7", "label") == (["17"], ("zero-width",))
    assert found(sources, "1 7", "label") is None


def test_sources_with_one_title() -> None:
    """A title that an exact key would find twice is found twice by this one too."""
    records = [{"id": "a", "title": "Policy"}, {"id": "b", "title": "policy"}]

    assert found(Sources(records, lenient=True), "policy.pdf", "title") == (
        ["a", "b"],
        ("stem",),
    )


@pytest.mark.parametrize(
    ("lenient", "steps"),
    [
        (False, ()),
        ((), ()),
        (True, STEPS),
        (["edit", "case"], ("case", "edit")),
        (frozenset(STEPS), STEPS),
        ("case", ("case",)),
    ],
)
def test_the_option(lenient: Any, steps: tuple[str, ...]) -> None:
    """All, none, or those that are named; kept by all ways to make sources of sources."""
    sources = Sources([{"id": "Pol"}], lenient=lenient)

    assert sources.lenient == steps
    assert (sources + [{"id": "b"}]).lenient == steps  # noqa: RUF005  adding is what is tested
    assert Sources.of(sources).lenient == steps
    assert Sources.from_keys(["Pol"], lenient=lenient).lenient == steps
    assert Sources.from_keys(["Pol", Source("b")], lenient=lenient).lenient == steps
    assert (
        repr(sources) == f"Sources(1: 'Pol'{'; lenient: ' if steps else ''}{', '.join(steps)})"
    )


@pytest.mark.parametrize("lenient", ["fuzzy", ["case", "fuzzy"], [1], 1, None])
def test_no_such_step(lenient: Any) -> None:
    """What is no name of a step is the caller's mistake."""
    with pytest.raises(CitemarkError, match="lenient"):
        Sources([], lenient=lenient)


def test_what_a_stream_waits_for() -> None:
    """Every start may become a near key, if there is anything to name."""
    sources = by_id("pol-12")

    assert sources.may_begin("2024 rep", "id")
    assert not sources.may_begin("2024 rep", "title")
    assert not by_id("pol-12", lenient=False).may_begin("2024 rep", "id")


def test_an_answer() -> None:
    """A citation that was found so is said to be, with its steps; off by default."""
    records = [{"id": "pol-12.pdf", "title": "Refunds"}, {"id": "faq"}]
    text = "Five days [doc:POL\u201112], see [Faq] and [doc:lost]."
    answer = cite(text, Sources(records, lenient=True))

    assert [(c.key, c.source and c.source.id, c.number) for c in answer.citations] == [
        ("POL\u201112", "pol-12.pdf", 1),
        ("Faq", "faq", 2),
        ("lost", None, None),
    ]
    assert answer.issues == (
        Issue(
            "lenient",
            "'POL\u201112' is taken for source 'pol-12.pdf': dashes, case, stem",
            10,
            22,
            "POL\u201112",
        ),
        Issue("lenient", "'Faq' is taken for source 'faq': case", 28, 33, "Faq"),
        Issue("unresolved", "'lost' names no source", 38, 48, "lost"),
    )
    assert cite(text, records).sources == ()


@pytest.mark.parametrize(
    ("text", "keys", "step"),
    [
        ("Up [1 and 2].", ["1", "2"], "and-list"),
        ("Up [1, see also 3].", ["1", "3"], "half-thought"),
    ],
)
def test_steps_of_the_grammar(text: str, keys: list[str], step: str) -> None:
    """Lists that are read leniently are named too, once; without their step they are text."""
    for lenient in (True, [step]):
        answer = cite(text, by_id("a", "b", "c", lenient=lenient))
        assert [citation.key for citation in answer.citations] == keys
        assert [(issue.code, issue.start) for issue in answer.issues] == [("lenient", 3)]
        assert answer.issues[0].message.endswith(f": {step}")
    for lenient in (False, [other for other in STEPS if other != step]):
        answer = cite(text, by_id("a", "b", "c", lenient=lenient))
        assert (list(answer.citations), answer.issues) == ([], ())


def test_exact_before_lenient() -> None:
    """An exact title comes before an id that is only near."""
    sources = Sources([{"id": "metals"}, {"id": "b", "title": "Metals"}], lenient=True)

    assert [source.id for source in cite("[[Metals]]", sources).sources] == ["b"]
    assert cite("[[Metals]]", sources).issues == ()


def test_near_to_two_kinds_of_names() -> None:
    """A key that is near to the id of one source and the title of another is neither's."""
    sources = Sources([{"id": "refunds"}, {"id": "b", "title": "Refunds.pdf"}], lenient=True)
    answer = cite("[[Re\u200bfunds]]", sources)

    assert answer.sources == ()
    assert [issue.code for issue in answer.issues] == ["ambiguous", "unresolved"]


def test_late_sources() -> None:
    """While an exact name may still come, a near one does not count; at the end it does."""
    first = Sources([{"id": "faq"}, {"id": "plan.pdf"}], lenient=True)
    stream = AnswerStream(first, late_sources=True)
    stream.feed("See [doc:FAQ] and [doc:PLAN]. ")
    assert stream.add_sources([{"id": "FAQ"}])[0].source == Source("FAQ")
    stream.close()

    assert [(c.key, c.source and c.source.id, c.number) for c in stream.answer.citations] == [
        ("FAQ", "FAQ", 1),
        ("PLAN", "plan.pdf", 2),
    ]
    assert [(issue.code, issue.key) for issue in stream.answer.issues] == [("lenient", "PLAN")]


WORDS = st.sampled_from(
    (
        "report", "Report", "refund policy", "plan", "annex", "A", "b", "I", "v", "x",
        "1", "2", "12", "21", "2021", "\u00b2", "\u0661", "\u4e00", "\u2163", "-", "\u2013",
        " ", "  ", ".", "_", "(", ")", ".pdf", ".docx", ".a", "\u200b", "\u00ad", "e\u0301",
        "\u00e9", "\u00df", "SS",
    )
)  # fmt: skip
KEYS = st.lists(WORDS, min_size=1, max_size=5).map("".join)
LENIENT = st.sampled_from((True, *((step,) for step in STEPS[:6]), STEPS[:4], STEPS[4:]))


@st.composite
def sources_and_key(draw: st.DrawFn) -> tuple[list[str], str]:
    """A few names, and a key that is often one of them with something changed."""
    names = draw(st.lists(KEYS.filter(str.strip), min_size=1, max_size=4, unique_by=str.strip))
    key = draw(st.sampled_from(names) | KEYS)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(key)))
        cut = draw(st.integers(0, 1))
        key = key[:at] + draw(WORDS | st.just("") | st.characters()) + key[at + cut :]
    return names, key if draw(st.booleans()) else key.swapcase()


def digits(text: str) -> list[str]:
    return [c for c in unicodedata.normalize("NFKC", text) if c.isnumeric()]


def without_extension(text: str) -> str:
    before, dot, after = text.rstrip().rpartition(".")
    return before if dot and 0 < len(after) < 6 else text


@given(sources_and_key(), LENIENT)
def test_it_never_changes_what_is_exact(case: tuple[list[str], str], lenient: Any) -> None:
    """What is found without steps is found with them, and is not near to anything."""
    names, key = case
    records = [
        {"id": name, "title": f"{name} ", "url": f"https://e.org/{name}"} for name in names
    ]
    strict, sources = (Sources(records, label="id", lenient=how) for how in (False, lenient))
    for lookup in LOOKUPS:
        exact = strict.find(key, lookup)
        assert sources.find(key, lookup) == exact
        assert strict.near(key, lookup) is None
        assert not (exact and sources.near(key, lookup))


@given(sources_and_key(), LENIENT)
def test_digits_are_never_others(case: tuple[list[str], str], lenient: Any) -> None:
    """A source that is near has the digits of the key, but for those of an extension."""
    names, key = case
    records = [{"id": str(n), "title": name} for n, name in enumerate(names)]
    sources = Sources(records, lenient=lenient, label="number")
    near = sources.near(key, "title")
    for source in near.sources if near else ():
        assert digits(key) in (
            digits(source.title),
            digits(without_extension(source.title)),
        ) or digits(without_extension(key)) == digits(source.title)


@given(sources_and_key(), LENIENT)
def test_it_takes_a_source_only_if_it_is_the_only_one(
    case: tuple[list[str], str], lenient: Any
) -> None:
    """With the source that was taken gone, no other one is taken for the same steps."""
    names, key = case
    near = Sources.from_keys(names, lenient=lenient).near(key, "id")
    if near is None:
        return
    (taken,) = near.sources
    steps = near.steps
    assert steps
    assert set(steps) <= set(Sources(lenient=lenient).lenient)
    assert Sources.from_keys([taken.id], lenient=steps).near(key, "id") == near
    for step in steps:
        fewer = [other for other in steps if other != step]
        assert Sources.from_keys([taken.id], lenient=fewer).near(key, "id") is None
    others = [name for name in names if name != taken.id]
    if "edit" not in steps and "stem" not in steps:
        assert Sources.from_keys(others, lenient=steps).near(key, "id") is None


def test_candidates_of_a_stream() -> None:
    """Whole texts and streams take the same brackets for near names."""
    sources = by_id(*NAMES)
    text = "See [faq], [Layout(1).pdf] and [the refund]; [Water  Board] [report 2021 pdf]."
    stream = AnswerStream(sources)
    for character in text:
        stream.feed(character)
    stream.close()

    assert stream.answer == cite(text, sources)
    assert [c.key for c in stream.answer.citations] == ["faq", "Layout(1).pdf", "Water  Board"]
    assert [marker.keys for marker in find_markers(text, known=sources)] == [
        ("faq",),
        ("Layout(1).pdf",),
        ("Water  Board",),
    ]

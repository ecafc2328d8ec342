"""Lists of sources that a model wrote itself: found, kept, dropped, parsed, and compared.

What is found in which text is in ``cases/source_lists.md``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from case_kinds import CUT, EXAMPLE, SOURCES, WRITTEN
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import CODE, FIVE, MARKERS, PIECES, PLAIN, chunked

from citemark import (
    Answer,
    AnswerStream,
    CitationSegment,
    Sources,
    TextSegment,
    cite,
    find_markers,
    formats,
    render,
)
from citemark._chunks import with_whole_characters
from citemark.errors import CitemarkError
from citemark.model import Listing
from citemark.parser import Scanner

METALS = {"id": "metals", "title": "Metals", "url": "https://example.org/metals"}
REFUNDS = {"id": "refund.pdf", "title": "Refund policy"}
FAQ = {"id": "faq", "title": "Questions", "url": "https://example.org/faq"}
GIVEN = Sources([METALS, REFUNDS, FAQ])
MODES = ("keep", "drop", "parse")

LIST = "\n\n## Sources\n[1] Metals\n[2] Refund policy\n"
TEXT = f"Iron melts [1]. Money comes back [2].{LIST}\nHope this helps [1]!"

HEADINGS = {
    "ar": "المصادر والمراجع", "bn": "তথ্যসূত্র", "cs": "Zdroje", "da": "Kilder",
    "de": "Quellenangaben",
    "el": "Πηγές", "en": "Works Cited", "es": "Referencias", "fa": "منابع", "fi": "LÄHTEET",
    "fr": "Références bibliographiques", "he": "מקורות", "hi": "संदर्भ सूची", "hu": "Források",
    "id": "Daftar Pustaka", "it": "Fonti consultate", "ja": "参考文献", "ko": "참고 문헌",
    "nl": "Bronvermelding", "no": "Referanser", "pl": "Bibliografia", "pt": "Fontes",
    "ro": "Referințe", "ru": "Список литературы", "sv": "Källor", "th": "แหล่งที่มา",
    "tr": "Kaynaklar", "uk": "Джерела", "ur": "حوالہ جات", "vi": "Tài liệu tham khảo",
    "zh": "参考文献", "sharp s": "Fußnoten", "capitals": "REFERENCES AND SOURCES",
}  # fmt: skip

FRAGMENTS = (
    "\n## Sources\n", "\n\nSources:\n", "\n**References:**\n", "\nSources\n---\n", "\n\n---\n",
    "\n> Sources:\n", "\n***\n", "\n参考资料：\n", "\nSources: ", "\n**Sources:** ",
    "\n\nSource: ", "\nSources (web):\n", "\n1. Sources\n", "\n<sources>\n",
    "<citations> * ", "</citations>", "\n</sources>", "\nQuellen & Literatur\n", "Sources",
    "\nSources and", "\n📚 Citations:\n\n",
    "[1] Policy.pdf\n", "[2] text [3]\n", "1. [A](https://a.example)\n", "- text\n",
    "* [T](https://x.example/z)\n", "- [1] a\n", "[^1]: note\n", "【1】 t\n",
    "<https://a.example>\n", '<co>1</co> Document 2: "x"\n', "[1]: https://a.example 't'\n",
    "[1]: he said\n", "   https://x.example\n", "  more\n", "\n", "\n\n", "[1], [2]", "[1]\n",
    "- rent [1]\n", "[1] Title https://a.example/c\n", "[2] " + "x" * 310 + "\n", "- `code`\n",
    "[1] says so.\n", "[2] It fell in Q4, as [3] has it.\n", "\n---\n[1] ", "Metals\n",
    "\n\n\n\n", "and </sources> more\n", "- ```\n", "> [1] q\n",
    "Prose [1] goes.\n", "[guide][1] ", "\r\n", "policy.pdf, ",
)  # fmt: skip
LISTS = st.lists(
    st.sampled_from(FRAGMENTS)
    | st.sampled_from(FRAGMENTS)
    | st.sampled_from((*MARKERS, *CODE, *PIECES)),
    max_size=9,
).map("".join)


def case_texts() -> list[str]:
    """The texts of all examples of the case file."""
    path = Path(__file__).parent / "cases" / "source_lists.md"
    found = EXAMPLE.finditer(path.read_text(encoding="utf-8"))
    return [found_["input"].translate(WRITTEN).replace(CUT, "") for found_ in found]


def answered(chunks: list[str], sources: Sources, **options: str) -> Answer:
    stream = AnswerStream(sources, **options)
    for chunk in chunks:
        stream.feed(chunk)
    stream.close()
    return stream.answer


def tokens(chunks: list[str], **options) -> list:
    """Tokens of a text in chunks, with neighbouring texts joined."""
    scanner = Scanner(**options)
    joined: list = []
    for token in [t for chunk in chunks for t in scanner.feed(chunk)] + scanner.close():
        if joined and isinstance(token, str) and isinstance(joined[-1], str):
            joined[-1] += token
        else:
            joined.append(token)
    return joined


def listing(text: str, known: Sources | None = None) -> str:
    return "".join(t.raw for t in Scanner(known=known).close(text) if isinstance(t, Listing))


def issues(text: str, sources: Sources = GIVEN) -> list[tuple[str, str]]:
    """Key of each entry that contradicts, and its line."""
    found = cite(text, sources).issues
    return [(i.key, text[i.start : i.end]) for i in found if i.code == "source_list"]


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS)
@pytest.mark.parametrize("form", ["{}\n", "## {}\n", "**{}:**\n\n", "{}：\n"])
def test_headings_of_many_languages(heading: str, form: str) -> None:
    """Each heading, in each form, begins a list of which nothing is cited."""
    text = f"Iron [1].\n\n{form.format(heading)}[1] Metals\n[2] Alloys"

    assert listing(text) == text.removeprefix("Iron [1].")
    assert [marker.start for marker in find_markers(text)] == [5]


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS)
def test_a_heading_is_nothing_but_such_words(heading: str) -> None:
    """With another word on its line it is none."""
    assert listing(f"Iron.\n\n{heading} xyz\n[1] Metals") == ""
    assert listing(f"Iron.\n\nxyz {heading}\n[1] Metals") == ""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", case_texts())
def test_every_cut_of_every_case(text: str, mode: str) -> None:
    """Two chunks give the answer of the whole text, and so do single characters."""
    for sources in (SOURCES["five"], Sources()):
        whole = cite(text, sources, source_list=mode)
        assert answered(list(text), sources, source_list=mode) == whole
        for cut in range(0, len(text), 1 if mode == "drop" else 3):
            chunks = [text[:cut], text[cut:]]
            assert answered(chunks, sources, source_list=mode) == whole, chunks


@settings(max_examples=150)
@given(chunked(LISTS), st.sampled_from((None, PLAIN, Sources(FIVE), Sources())))
@example(["- ```\n", "[1]://"], None)
@example(["\nSources:\r", "\n[1] a\r", "\n\r\nb"], None)
@example(["A [1]\n---", "\n[1]: https://a.example"], None)
def test_chunks_do_not_matter_for_tokens(chunks: list[str], known: Sources | None) -> None:
    """The pieces of a list are those of the whole text, however it is cut."""
    whole = "".join(chunks)

    assert tokens(chunks, known=known) == tokens([whole], known=known)


@settings(max_examples=60)
@given(chunked(LISTS))
def test_chunks_do_not_matter_with_all_formats(chunks: list[str]) -> None:
    """The same with every format on."""
    whole = "".join(chunks)
    options = {"known": Sources(FIVE), "formats": formats.ALL}

    assert tokens(chunks, **options) == tokens([whole], **options)


@settings(max_examples=150)
@given(chunked(LISTS), st.sampled_from(MODES), st.sampled_from(("keep", "drop", None)))
def test_chunks_do_not_matter_for_answers(
    chunks: list[str], mode: str, policy: str | None
) -> None:
    """Segments, numbers, sources, issues: all is that of the whole, and nothing is lost."""
    whole = "".join(chunks)
    for sources in (Sources(), Sources(FIVE)):
        options = {"source_list": mode, "unresolved": policy}
        answer = cite(whole, sources, **options)
        assert answered(chunks, sources, **options) == answer
        assert answer.text == with_whole_characters(whole)
        assert Answer.from_dict(answer.to_dict()) == answer


@given(LISTS)
def test_every_piece_is_where_it_says(text: str) -> None:
    """Offsets of pieces are those of the text; no marker lies in one."""
    for token in Scanner(known=Sources(FIVE)).close(text):
        if not isinstance(token, str):
            assert text[token.start : token.end] == token.raw
    lists = [t for t in Scanner().close(text) if isinstance(t, Listing)]
    for marker in find_markers(text):
        assert not any(t.start < marker.end and marker.start < t.end for t in lists)


def test_kept_by_default() -> None:
    """The text is as it is written, and the markers of the list are no citations."""
    answer = cite(TEXT, GIVEN)

    assert answer.text == TEXT
    assert [c.key for c in answer.citations] == ["1", "2", "1"]
    assert answer == cite(TEXT, GIVEN, source_list="keep")
    assert "## Sources\n[1] Metals" in render(answer, "text")


def test_dropped() -> None:
    """One segment stands for all of the list; nothing of it is shown, and the text is whole."""
    answer = cite(TEXT, GIVEN, source_list="drop")
    hidden = [
        s for s in answer.segments if isinstance(s, CitationSegment) and not s.marker.keys
    ]

    assert [(s.raw, s.citations, s.marker.format) for s in hidden] == [
        (LIST.removesuffix("\n"), (), "source_list")
    ]
    assert answer.text == TEXT
    for name in ("text", "markdown", "html", "json"):
        assert "## Sources" not in render(answer, name)
    assert render(answer, "text").startswith(
        "Iron melts [1]. Money comes back [2].\n\nHope this helps [1]!\n\n[1] Metals"
    )


def test_a_rule_before_it_goes_too() -> None:
    """In the plain text of a dropped list nothing is left of it (``C183``)."""
    text = "Seed is easy [^1].\n\n---\n[^1]: [[Seed note]]\n[^2]: [[Soil note]]"
    sources = Sources([{"id": "Seed note"}, {"id": "Soil note"}])
    answer = cite(text, sources, source_list="drop")

    assert [s.raw for s in answer.segments] == [
        "Seed is easy ", "[^1]", ".", text.removeprefix("Seed is easy [^1]."),
    ]  # fmt: skip
    assert [source.id for source in answer.sources] == ["Seed note"]
    assert [source.id for source in answer.listed] == ["Seed note", "Soil note"]
    assert answer.issues == ()


def test_a_word_in_prose_is_no_list() -> None:
    """A sentence may begin with the word (``C184``)."""
    answer = cite("Sources say it is simple [1]. References differ.", GIVEN)

    assert [c.key for c in answer.citations] == ["1"]
    assert answer.listed == ()


def test_tags_are_not_shown() -> None:
    """A list in tags at the end is sources, not prose (``C014``)."""
    text = (
        "Call the endpoint for search.\n<citations> * [API](https://example.org/api) "
        "* [Start](https://example.org/start) </citations>"
    )
    answer = cite(text, [], source_list="parse")

    assert find_markers(text) == []
    assert render(answer, "text") == "Call the endpoint for search."
    assert [(source.title, source.url) for source in answer.listed] == [
        ("API", "https://example.org/api"),
        ("Start", "https://example.org/start"),
    ]


def test_a_list_of_files_is_no_text_with_citations() -> None:
    """The usual list, with a heading and labels, at the very end (``C182``)."""
    text = "Rent is due on the first [1].\n\nSources:\n[1] Lease.pdf\n[2] Rules.pdf"

    assert [marker.start for marker in find_markers(text)] == [text.index("[1]")]
    assert render(cite(text, [], source_list="parse"), "text") == (
        "Rent is due on the first [1].\n\n[1] Lease.pdf"
    )


def test_parsed_entries_are_sources() -> None:
    """Ids are the labels, or running numbers; who wrote them is said."""
    text = "Iron [2]. Gold [1].\n\nSources:\n[1] Gold\n[2] [Iron](https://example.org/i)"
    answer = cite(text, (), source_list="parse")

    assert [(s.id, s.title, s.url) for s in answer.sources] == [
        ("2", "Iron", "https://example.org/i"),
        ("1", "Gold", None),
    ]
    assert [dict(s.metadata) for s in answer.listed] == [{"written_by": "model"}] * 2
    assert [c.number for c in answer.citations] == [1, 2]
    assert answer.unresolved == ()
    plain = cite("Iron [1].\n\nSources:\n- a.pdf\n- b.pdf", (), source_list="parse")
    assert [source.id for source in plain.listed] == ["1", "2"]


def test_only_web_addresses_become_addresses() -> None:
    """What the model writes is not trusted further than that."""
    text = "Iron [1].\n\nSources:\n[1] [Iron](javascript:alert(1))\n[2] [b](data:x)"
    answer = cite(text, (), source_list="parse")

    assert [(s.title, s.url) for s in answer.listed] == [("Iron", None), ("b", None)]


def test_parsing_adds_nothing_to_given_sources() -> None:
    """A label that no source has stays unresolved."""
    answer = cite("Iron [1], [9].\n\nSources:\n[1] Metals\n[9] X", GIVEN, source_list="parse")

    assert [source.id for source in answer.sources] == ["metals"]
    assert answer.unresolved == ("9",)
    assert [issue.code for issue in answer.issues] == ["unresolved", "source_list"]


def test_parsing_a_text_without_a_list() -> None:
    """Keys name no source then, as ever."""
    answer = cite("Iron [1].", (), source_list="parse")

    assert answer.segments == (TextSegment("Iron [1]."),)
    assert answer.unresolved == ("1",)


def test_parsing_in_a_stream() -> None:
    """A citation is pending until the list comes; what follows the list is resolved at once."""
    stream = AnswerStream((), source_list="parse")
    first = stream.feed("Iron [1]. ")
    stream.feed("\n\nSources:\n[1] Iron\n")
    last = stream.feed("\nBye [1].")
    stream.close()

    assert [c.source for s in first if isinstance(s, CitationSegment) for c in s.citations] == [
        None
    ]
    assert [(c.number, c.occurrence) for c in stream.answer.citations] == [(1, 1), (1, 2)]
    assert {c.source.title for c in stream.answer.citations if c.source} == {"Iron"}
    assert [s.raw for s in last][-2:] == ["[1]", "."]


def test_sources_that_come_late_are_compared_at_the_end() -> None:
    """What the list names is told by the sources that there are in the end."""
    stream = AnswerStream((), late_sources=True)
    stream.feed("Iron [1].\n\nSources:\n[1] Metals\n[2] Questions\n\nBye")
    stream.add_sources([METALS, REFUNDS, FAQ])
    stream.close()

    assert [source.id for source in stream.answer.listed] == ["metals", "refund.pdf"]
    assert [issue.key for issue in stream.answer.issues] == ["2"]


@pytest.mark.parametrize(
    ("entry", "listed"),
    [
        ("[1] Metals", "metals"),
        ("[2] refund POLICY (2020)", "refund.pdf"),
        ("[2] Refund.pdf, page 3", "refund.pdf"),
        ("- refund", "refund.pdf"),
        ("- [Anything](https://EXAMPLE.org/faq/)", "faq"),
        ("3. Questions", "faq"),
        ("[^3]: Questions", "faq"),
        ('<co>9</co> Document 3: "Some words"', "faq"),
        ("[refund.pdf] Policy", "refund.pdf"),
        ("- [metals]", "metals"),
        ("[8] Metals", "metals"),
        ("[1]", "metals"),
    ],
)  # fmt: skip
def test_listed(entry: str, listed: str) -> None:
    """An entry names a source by label, else by address, title or id, written loosely."""
    answer = cite(f"Iron [1].\n\nSources:\n- https://example.org/metals\n{entry}", GIVEN)

    assert [source.id for source in answer.listed] == list(dict.fromkeys(["metals", listed]))
    assert [issue for issue in answer.issues if issue.code == "source_list"] == []


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        ("[1] Questions", "1"),
        ("[2] Metals", "2"),
        ("[1] [Metals](https://evil.example/metals)", "1"),
        ("[1] https://example.org/faq", "1"),
        ("[2] https://example.org/metals", "2"),
        ("[3] A long story of something else", "3"),
        ("[9] Nothing known", "9"),
        ("- https://evil.example/", "https://evil.example/"),
        ("2. Metals", "2"),
    ],
)
def test_contradictions_are_issues(entry: str, key: str) -> None:
    """Another title or address than the source has is said, with the line; nothing changes."""
    text = f"Iron [1].\n\nSources:\n- https://example.org/metals\n{entry}\n\nBye"

    assert issues(text) == [(key, entry)]
    assert [source.id for source in cite(text, GIVEN).sources] == ["metals"]


def test_a_quote_or_a_translation_is_no_contradiction() -> None:
    """An entry may quote the passage, or name the source in another script."""
    sources = Sources([{"id": "a", "title": "Metals", "text": "Iron melts at 1538 degrees."}])

    assert issues('A [1].\n\nSources:\n[1] "Iron melts at 1538 degrees"', sources) == []
    assert issues("A [1].\n\nИсточники:\n[1] Металлы", sources) == []
    assert issues("A [1].\n\nSources:\n[1] Iron melts at 2000 degrees", sources) != []


def test_a_kept_list_with_other_numbers_is_an_issue() -> None:
    """Readers see the model's labels beside the numbers of the text; a hidden list is none."""
    text = "One [2]. Two [1].\n\nSources:\n[1] Metals\n[2] Refund policy"

    kept = cite(text, GIVEN)
    dropped = cite(text, GIVEN, source_list="drop")

    assert [(i.code, i.key) for i in kept.issues] == [
        ("source_list_number", "1"),
        ("source_list_number", "2"),
    ]
    assert dropped.issues == ()
    assert dropped.listed == kept.listed


def test_labels_count_as_the_markers_do() -> None:
    """If numbers count from 0, the labels of the list do too."""
    text = "Iron [0].\n\nSources:\n[0] Metals\n[1] Refund policy"
    answer = cite(text, GIVEN, formats=formats.DEFAULT.with_base(0))

    assert [source.id for source in answer.listed] == ["metals", "refund.pdf"]
    assert {issue.code for issue in answer.issues} == {"source_list_number"}


def test_a_definition_of_a_link_is_no_source() -> None:
    """A list that links need stays, and is not compared, in every mode."""
    text = "See the [guide][1].\n\n[1]: https://evil.example/guide\n"
    for mode in MODES:
        for sources in (GIVEN, Sources()):
            answer = cite(text, sources, source_list=mode)
            assert answer.segments == (TextSegment(text),)
            assert answer.issues == ()


def test_released_line_by_line() -> None:
    """Kept lines come out as soon as their ends have come, and the prose after them at once."""
    stream = AnswerStream(GIVEN)
    stream.feed("Iron [1].\n\nSources:\n[1] Metals")

    assert "".join(s.raw for s in stream.feed("\n[2] Ref")) == "\n\nSources:\n[1] Metals"
    assert "".join(s.raw for s in stream.feed("und\n\nJ")) == "\n[2] Refund\n\nJ"


@pytest.mark.parametrize(
    "unit",
    [
        "\nSources:\n", "\nSources: [1], ", "\nSources:\n- a", "\n[1] word ", "\n[1]: a",
        "\n\n---\n", "\nSources\n\n\n", "<sources>\n", "\n> ", "[1] Metals\n", "\nReferences ",
    ],
)  # fmt: skip
def test_what_is_held_is_bounded(unit: str) -> None:
    """Whatever comes, a stream holds back little, in a list and before one."""
    text = "Iron.\n\nSources:\n[1] Metals\n" + unit * (9_000 // len(unit))
    scanner = Scanner(known=GIVEN)
    held = 0
    for start in range(0, len(text), 61):
        chunk = text[start : start + 61]
        held += len(chunk)
        held -= sum(len(t if isinstance(t, str) else t.raw) for t in scanner.feed(chunk))
        assert held < 1_200


def test_a_long_list_is_one_segment() -> None:
    """A list of many lines, one of them very long, is hidden as one."""
    entries = "".join(f"[{n}] File {n}.pdf\n" for n in range(1, 3_000)) + "[1] " + "x" * 20_000
    text = f"Iron [1].\n\nSources:\n{entries}"
    whole = cite(text, GIVEN, source_list="drop")
    chunks = [text[at : at + 1_000] for at in range(0, len(text), 1_000)]

    assert len(whole.segments) == 4
    assert answered(chunks, GIVEN, source_list="drop") == whole


@pytest.mark.parametrize("length", [*range(280, 320), 600, 601])
def test_a_long_line_in_the_middle(length: int) -> None:
    """An entry may be longer than what is looked at; the next line is an entry all the same."""
    text = f"Iron [1].\n\nSources:\n[1] {'x' * length}\n[2] y [1]\n\nBye [1]."

    assert listing(text).endswith("\n[2] y [1]")
    assert tokens(list(text)) == tokens([text])


@pytest.mark.parametrize("length", range(265, 300))
def test_a_closing_tag_is_not_cut(length: int) -> None:
    """Wherever a long line is cut, the tag that ends the list is found."""
    text = f"Iron [1]. <sources>\n[1] {'x' * length}</sources> Bye [1]."

    assert listing(text).endswith("x</sources>")


@pytest.mark.parametrize("mode", MODES)
def test_line_ends_stay_whole(mode: str) -> None:
    """A list in a text with other line ends begins and ends beside them, never within one."""
    text = "Iron [1].\r\n\r\nSources:\r\n[1] Metals\r\n[2] Refund\r\n\r\nBye."
    pieces = [t if isinstance(t, str) else t.raw for t in tokens(list(text))]

    assert pieces[2:] == [
        ".", "\r\n\r\nSources:", "\r\n[1] Metals", "\r\n[2] Refund", "\r\n\r\nBye.",
    ]  # fmt: skip
    assert answered(list(text), GIVEN, source_list=mode) == cite(text, GIVEN, source_list=mode)


@pytest.mark.parametrize(
    "line",
    [
        "[1] reports this (see https://example.org/a).",
        "[1] As [2] has it: https://example.org/a",
        "[1] The report (https://example.org/a) is long.",
        "[1]: as he said",
        "[note]: https://example.org/a",
        "1. https://example.org/a",
        "- [1] https://example.org/a",
    ],
)
def test_without_a_heading_prose_is_no_list(line: str) -> None:
    """A sentence after a citation, and a list of any kind, are not taken for sources."""
    assert listing(f"Iron.\n\n{line}\n\nBye.") == ""


@pytest.mark.parametrize(
    "line",
    [
        "[2] says ten.",
        "[2] disagrees!",
        "- [2] says so.",
        "[2] Costs fell in Q4, which [3] explains at length.",
        "[2] Revenue rose again [1, 3].",
        "【2】 收入再次增长了很多【3】。",
    ],
)
def test_a_claim_ends_a_list(line: str) -> None:
    """A labelled line that says something is none of a list, nor does one begin with it."""
    assert listing(f"A.\n\nSources:\n[1] Metals\n{line}") == "\n\nSources:\n[1] Metals"
    assert listing(f"A.\n\nSources:\n{line}") == ""


@pytest.mark.parametrize(
    "line",
    [
        "[2] van der Berg, J. Ores.",
        "[2] see https://example.org/a for more.",
        "[2] refund policy.pdf.",
        "[2] metals and ores",
        "[2] ibid.",
        "[2] Metals [3].",
        "[2] Metals. [3] Alloys.",
        "[^2]: as is said there.",
        '[2] "it melts [3]."',
        "[2] the refund policy.",
    ],
)
def test_what_is_no_claim(line: str) -> None:
    """Names, addresses, known titles and definitions are entries, whatever ends them."""
    known = Sources([{"id": "a", "title": "The refund policy"}])

    assert listing(f"A.\n\nSources:\n{line}", known) == f"\n\nSources:\n{line}"


@pytest.mark.parametrize("mode", ["drop", "parse"])
@pytest.mark.parametrize("before", ["", " \n\n", "\t\n"])
def test_an_answer_of_nothing_but_a_list_is_shown(mode: str, before: str) -> None:
    """What would leave nothing to read is kept, and read all the same."""
    text = f"{before}Sources:\n- Refund policy\n- Metals"
    answer = cite(text, GIVEN, source_list=mode)

    assert "".join(s.text for s in answer.segments if isinstance(s, TextSegment)) == text
    assert [source.id for source in answer.listed] == ["refund.pdf", "metals"]
    assert answered(list(text), GIVEN, source_list=mode) == answer


def test_without_a_closing_tag() -> None:
    """Prose after a blank line is no list, though its tag is open."""
    text = "So:\n\n<sources>\n[1] Refund\n\nIt is five days [2].\n\nMore [3]."
    stream = AnswerStream(GIVEN)
    stream.feed(text.removesuffix("\n\nMore [3]."))
    citations = [c.key for c in cite(text, GIVEN).citations]

    assert listing(text) == "\n\n<sources>\n[1] Refund"
    assert citations == ["2", "3"]
    assert [s.raw for s in stream.feed("\n")][-2:] == ["[2]", "."]


def test_known_names_after_a_rule() -> None:
    """Labels with names of sources below a rule are a list; without sources none."""
    text = "Refunds [2].\n\n---\n[2] Refund policy\n[1] metals"

    assert listing(text, GIVEN) == text.removeprefix("Refunds [2].")
    assert listing(text) == ""
    assert render(cite(text, GIVEN, source_list="drop"), "text").startswith(
        "Refunds [1].\n\n[1]"
    )


def test_too_long_for_one_line() -> None:
    """After the heading on its own line only so much is a list: then they are citations."""
    text = "Iron.\n\nSources: " + "[1] " * 200

    assert listing(text) == ""
    assert len(find_markers(text)) == 200


def test_tags_that_describe_sources() -> None:
    """In tags, attributes may say what a source is."""
    text = (
        "Iron [a].\n\n<sources>\n"
        '<source id="a" url="https://example.org/i">Iron &amp; steel</source>\n'
        "<source id='b' title='Gold'/>\n"
        "<li>Plain.pdf</li>\n"
        "[4] Four\n   in two lines\n</sources>"
    )
    answer = cite(text, (), source_list="parse")

    assert [(s.id, s.title, s.url) for s in answer.listed] == [
        ("a", "Iron &amp; steel", "https://example.org/i"),
        ("b", "Gold", None),
        ("3", "Plain.pdf", None),
        ("4", "Four", None),
        ("5", "in two lines", None),
    ]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("[1] Title - https://example.org/a.", ("1", "Title", "https://example.org/a")),
        ("[1] https://example.org/a - Title", ("1", "Title", "https://example.org/a")),
        (
            "1. *The book*, p. 3 (https://example.org/b).",
            ("1", "The book, p. 3", "https://example.org/b"),
        ),
        ('2) "Title," journal, 2020', ("2", 'Title," journal, 2020', "")),
        ("- [1](https://example.org/a) Title", ("1", "Title", "https://example.org/a")),
        ("[1]: <https://example.org/a> 'Title'", ("1", "Title", "https://example.org/a")),
        ("[x y](https://example.org/a_(b))", ("2", "x y", "https://example.org/a_(b)")),
        ("[https://example.org](https://example.org)", ("2", "", "https://example.org")),
        ("Source 3: Title", ("3", "Title", "")),
        ("- Source 3: Title", ("3", "Title", "")),
        ("- [a.pdf] Title", ("a.pdf", "Title", "")),
        ("[^2]: [[Note]]", ("2", "Note", "")),
        (r"[1] A\_b \[draft\]", ("1", "A_b [draft]", "")),
        ("[1] Title [2]", ("1", "Title", "")),
        ("² Title", ("2", "Title", "")),
    ],
)
def test_what_an_entry_says(entry: str, expected: tuple[str, str, str]) -> None:
    """Label, title and address of an entry, without the marks around them."""
    answer = cite(f"Iron.\n\nSources:\n[99] z.pdf\n{entry}", (), source_list="parse")

    source = answer.listed[1]
    assert (source.id, source.title, source.url or "") == expected


@pytest.mark.parametrize(
    ("title", "listed", "is_same"),
    [
        ("Annual report 2023", "Annual report 2022", False),
        ("Annual report 2023", "The annual report", True),
        ("Annual report 2023", "Report, annual", True),
        ("退款政策", "公司的退款政策", True),
        ("退款政策", "钓鱼入门", False),
        ("handbook.docx", "Handbook, section 2", True),
        ("", "Anything", True),
    ],
)
def test_titles_compare_loosely(title: str, listed: str, is_same: bool) -> None:  # noqa: FBT001
    """What holds the other is the same; another year or other words are not."""
    text = f"A [1].\n\nSources:\n[1] {listed}"

    assert (issues(text, Sources([{"id": "x1", "title": title}])) == []) == is_same


def test_many_lists_are_read_up_to_a_limit() -> None:
    """A text of nothing but lists is still an answer; the first of them are read."""
    text = "".join(f"\n[{n}]: https://example.org/{n}\n\nword\n" for n in range(1, 200))
    answer = cite(text, (), source_list="parse")

    assert 0 < len(answer.listed) < 199
    assert answer.text == text


@pytest.mark.parametrize("start", [cite, AnswerStream])
def test_a_mode_that_is_not_known(start) -> None:
    """The caller is told what there is."""
    arguments = ("x", []) if start is cite else ([],)
    with pytest.raises(CitemarkError, match="source_list='hide': choose one of keep, drop"):
        start(*arguments, source_list="hide")


def test_every_list_of_the_cases_is_read() -> None:
    """Each example in which a list is shown has entries that can be parsed, or bare labels."""
    for text in case_texts():
        raw = listing(text, SOURCES["five"])
        if raw and not re.search(r"sources?: +\[1\]|- \[1\]\n", raw, re.IGNORECASE):
            answer = cite(text, (), source_list="parse")
            is_link = "][1]" in text
            needs_known = not listing(text, Sources())
            assert answer.listed or is_link or needs_known, text

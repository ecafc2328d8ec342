"""Answers in the forms of other programs, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark import Numbering, cite, providers
from citemark.catalogue import DEFAULT
from citemark.errors import RendererOptionError
from citemark.model import CitationSegment, Location
from citemark.providers import (
    to_langchain,
    to_openai_annotations,
    to_teams,
    to_vercel_chunks,
    to_vercel_parts,
)
from citemark.providers._answer import answer_of
from citemark.providers._draft import Draft, Ref
from citemark.providers._out_sources import cut_units, units

if TYPE_CHECKING:
    from citemark import Answer

SOURCES = [
    {"id": "a", "title": "Alder", "url": "https://a.example/x"},
    {"id": "b", "title": "Birch", "url": "https://b.example/"},
    {"id": "c", "title": "Cedar", "url": "https://c.example/"},
]


def shape(answer: Answer) -> list[Any]:
    """Return what each citation stands after, without all markers, and its sources."""
    found: list[Any] = []
    clean = ""
    for segment in answer.segments:
        if not isinstance(segment, CitationSegment):
            clean += segment.text
            continue
        clean += segment.marker.words
        if segment.citations and segment.marker.anchor != "message":
            named = [one.source.title for one in segment.citations if one.source]
            if found and found[-1][0] == clean:
                found[-1][1].extend(named)
            else:
                found.append((clean, named))
    return [(text, list(dict.fromkeys(named))) for text, named in found]


def shape_of_text(answer: Answer) -> list[Any]:
    """Return the same for a text in which escapes and blanks do not count."""
    return [("".join(text.replace("\\", "").split()), named) for text, named in shape(answer)]


def back_from_langchain(answer: Answer) -> Answer:
    return providers.parse({"type": "ai", "content": sent(to_langchain(answer))})


def back_from_vercel(answer: Answer) -> Answer:
    return providers.parse({"role": "assistant", "parts": sent(to_vercel_parts(answer))})


def back_from_vercel_stream(answer: Answer) -> Answer:
    chunks = sent(to_vercel_chunks(answer))
    stream = providers.adapter("vercel").StreamAdapter()
    for chunk in chunks:
        stream.feed(chunk)
    stream.close()
    return stream.answer


def back_from_teams(answer: Answer) -> Answer:
    return providers.parse(sent(to_teams(answer)))


def back_from_chat(answer: Answer) -> Answer:
    text, annotations = to_openai_annotations(answer, api="chat")
    message = {"role": "assistant", "content": text, "annotations": sent(annotations)}
    completion = {
        "id": "c", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }  # fmt: skip
    return providers.parse(completion, provider="openai_chat")


WAYS = {
    "langchain": back_from_langchain,
    "vercel": back_from_vercel,
    "vercel stream": back_from_vercel_stream,
    "copilot studio": back_from_teams,
    "openai chat": back_from_chat,
}


def sent(value: Any) -> Any:
    """Return a value as it arrives elsewhere: through strict JSON."""
    return json.loads(json.dumps(value, allow_nan=False, ensure_ascii=False).encode().decode())


def told(text: str, *spans: tuple[int, int, tuple[str, ...]], anchor: Any = "claim") -> Answer:
    """Return an answer of a provider: spans of a text, with the ids of their sources."""
    draft = Draft("test")
    for record in SOURCES:
        draft.source(record["id"], **{k: v for k, v in record.items() if k != "id"}, kind="web")
    draft.add(text)
    for start, end, ids in spans:
        draft.cite(start, end, [Ref(id_) for id_ in ids], anchor=anchor)
    return answer_of(draft, formats=DEFAULT, label="id")


# What is written


def test_text_has_display_numbers_and_offsets_are_of_it():
    """Other forms of markers become ``[1]`` too; positions count as the caller says."""
    answer = cite("🚢 Boats [doc:b]. Trams【1】and 🚋[2, 1].", SOURCES)

    for unit in ("code point", "utf16"):
        text, annotations = to_openai_annotations(answer, unit=unit)
        assert text == "🚢 Boats [1]. Trams[2]and 🚋[1][2]."
        encoded = text.encode("utf-16-le") if unit == "utf16" else text.encode("utf-32-le")
        width = 2 if unit == "utf16" else 4
        places = [(one["start_index"], one["end_index"], one["title"]) for one in annotations]
        cut = [
            (
                encoded[width * a : width * b].decode(
                    "utf-16-le" if width == 2 else "utf-32-le"
                ),
                t,
            )
            for a, b, t in places
        ]
        assert cut == [("[1]", "Birch"), ("[2]", "Alder"), ("[1]", "Birch"), ("[2]", "Alder")]


def test_claims_of_providers_get_a_number_after_their_words():
    """Those of the whole answer have no place: they are in no text."""
    answer = told("Boats go. Trams stay.", (0, 9, ("a", "b")), (10, 21, ("a",)))

    assert to_openai_annotations(answer).text == "Boats go.[1][2] Trams stay.[1]"
    assert to_langchain(answer)[0]["text"] == "Boats go. Trams stay."
    assert to_openai_annotations(told("Boats.", (0, 6, ("a",)), anchor="message")) == (
        "Boats.",
        [],
    )


def test_what_looks_like_our_marker_is_escaped():
    """A definition would make links of the numbers; a number of the model would be a citation."""
    text = "A [2]. \\[1] `[1]` [9]\n\n[1]: https://evil.example/\n\n> [1]:x"
    [block] = to_langchain(cite(text, SOURCES[1:], unresolved="keep"))

    assert block["text"] == (
        "A [1]. \\[1] `[1]` [9]\n\n\\[1]: https://evil.example/\n\n> \\[1]:x"
    )


def test_our_own_marker_before_a_colon_defines_nothing():
    """At the start of a line it would."""
    answer = cite("Boats.\n\n【1】: so it is.", SOURCES)

    text, annotations = to_openai_annotations(answer)
    assert text == "Boats.\n\n[1]\\: so it is."
    assert annotations[0]["end_index"] == 11


def test_our_own_marker_is_not_read_as_a_subscript():
    """A blank parts it from what would make a term of it."""
    text, annotations = to_openai_annotations(told("f is x.", (0, 6, ("a",))))

    assert text == "f is x [1]."
    assert (annotations[0]["start_index"], annotations[0]["end_index"]) == (7, 10)
    text, annotations = to_openai_annotations(told("So 1977. Yes.", (2, 3, ("a",))))
    assert text == "So [1] 1977. Yes."
    assert (annotations[0]["start_index"], annotations[0]["end_index"]) == (3, 6)


def test_keys_that_name_no_source_are_left_out():
    """With the blank before them; what the policy keeps is text."""
    answer = cite("Boats [doc:zz]. Trams [7] [1].", SOURCES)

    assert to_openai_annotations(answer).text == "Boats. Trams [7] [1]."


def test_halves_of_surrogate_pairs_do_not_go_out():
    """No strict reader takes them; places stay."""
    answer = cite(
        "A\ud83d [1] \udc00.", [{"id": "a", "title": "T\ud800", "url": "https://a.example/"}]
    )

    for form in (to_openai_annotations, to_langchain, to_vercel_parts, to_teams):
        assert sent(form(answer))
    assert to_openai_annotations(answer).annotations[0]["start_index"] == 3


# What each form has


def test_only_safe_urls_go_out():
    """A source with another one is a file, or a document."""
    urls = ["javascript:alert(1)", "https://ok.example/", "https://good\\@evil/", "/srv/x.pdf"]
    sources = [{"id": f"s{n}", "title": f"T{n}", "url": url} for n, url in enumerate(urls)]
    answer = cite("A [1][2][3][4].", sources)
    shown = json.dumps(
        [
            to_openai_annotations(answer),
            to_langchain(answer),
            to_vercel_parts(answer),
            to_teams(answer),
        ]
    )

    assert all(url not in shown for url in ("javascript", "evil", "/srv"))
    assert shown.count("https://ok.example/") == 4
    kinds = [one["type"] for one in to_openai_annotations(answer).annotations]
    assert kinds == ["file_citation", "url_citation", "file_citation", "file_citation"]
    chat = to_openai_annotations(answer, api="chat").annotations
    assert [one["url_citation"]["title"] for one in chat] == ["T1"]


def test_metadata_stays_inside():
    """It may hold paths and internal notes."""
    answer = cite("A [1].", [{"id": "a", "title": "T", "metadata": {"note": "secret"}}])

    for form in (to_openai_annotations, to_langchain, to_vercel_parts, to_teams):
        assert "secret" not in json.dumps(form(answer))


def test_file_citation_stands_after_its_marker():
    """As with OpenAI, the index is where the marker ends."""
    answer = cite("See 🚢 [1].", [{"id": "file-1", "title": "guide.pdf"}])

    assert to_openai_annotations(answer, unit="utf16").annotations == [
        {"type": "file_citation", "file_id": "file-1", "filename": "guide.pdf", "index": 10}
    ]


@pytest.mark.parametrize("option", [{"unit": "byte"}, {"api": "threads"}, {"unit": None}])
def test_an_option_that_there_is_not_is_told_at_once(option):
    """It is a mistake of the caller."""
    with pytest.raises(RendererOptionError):
        to_openai_annotations(cite("", ()), **option)


def test_c137_langchain_keeps_what_the_provider_sent():
    """For who has to send it back, and only if asked for (report C137)."""
    located = {"type": "web_search_result_location", "url": "https://a.example/", "title": "A",
               "cited_text": "x", "encrypted_index": "EqQB"}  # fmt: skip
    message = {"type": "message", "role": "assistant", "content": [
        {"type": "text", "text": "So it is.", "citations": [located]}]}  # fmt: skip
    answer = providers.parse(message)

    [block] = sent(to_langchain(answer, raw=True))
    assert block["annotations"][0]["extras"]["citemark"]["raw"] == located
    again = providers.parse({"type": "ai", "content": [block]})
    assert dict(next(again.citations).raw) == located
    assert next(again.citations).quote == "x"
    assert "EqQB" not in json.dumps(to_langchain(answer))


def test_langchain_keeps_anchors_places_and_proofs():
    """Each kind of anchor, quotes with their locations, and sources that are not cited."""
    draft = Draft("test")
    for name in ("p", "q", "r"):
        draft.source(name, title=name.upper(), kind="pdf", page=4)
    draft.add("Boats 🚢 go, [see](sandbox:/x) them.")
    ref = Ref("p", "boats go", (Location("page", 3, 5), Location("char", 0, 8)), 0.5)
    draft.cite(0, 10, [ref, Ref("q")], anchor="claim")
    draft.cite(18, 28, [Ref("q")], anchor="link")
    draft.cite(35, 35, [Ref("p")], anchor="point")
    draft.cite(0, draft.length, [Ref("q", "all")], anchor="message")
    answer = answer_of(draft, label="id")
    again = back_from_langchain(answer)

    assert neutral(again) == neutral(answer)
    assert [one.locations for one in again.citations] == [
        one.locations for one in answer.citations
    ]
    assert [one.confidence for one in again.citations] == [
        one.confidence for one in answer.citations
    ]
    assert again.sources == answer.sources
    assert [source.id for source in again.consulted] == ["r"]


def test_vercel_counts_grouped_and_carried_numbers_by_place():
    """Where the numbers do not start at 1, or several sources share one, the places tell."""
    numbering = Numbering()
    cite("Old [1][2].", SOURCES, numbering=numbering)
    answer = cite("New [2], then [3].", SOURCES, numbering=numbering)

    assert to_vercel_parts(answer)[0]["text"] == "New [2], then [3]."
    assert shape(back_from_vercel(answer)) == shape(answer)
    same = [{**record, "url": f"https://one.example/#{record['id']}"} for record in SOURCES]
    grouped = cite("A [1]. B [2][3].", [*same[:2], SOURCES[2]], group_by="document")
    assert [cited for _, cited in shape(back_from_vercel(grouped))] == [
        cited for _, cited in shape(grouped)
    ]


def test_vercel_parts_hold_what_a_card_shows():
    """Places in units of UTF-16, number, page and quote."""
    source = {"id": "a", "title": "T", "kind": "pdf", "page": 3, "text": "Passage."}
    parts = to_vercel_parts(cite("🚢 [1].", [source, {"id": "b", "title": "U"}]))

    assert parts[1] == {
        "type": "source-document", "sourceId": "a", "title": "T", "mediaType": "application/pdf",
        "providerMetadata": {"citemark": {
            "number": 1, "kind": "pdf", "page": 3, "citedText": "Passage.",
            "places": [{"start": 3, "end": 6}]}},
    }  # fmt: skip


def test_teams_limits_hold():
    """Twenty citations, titles of 80 and quotes of 160 characters, as JavaScript counts."""
    sources = [
        {"id": f"s{n}", "title": f"{n} " + "🚢 boat " * 40, "text": "🚋" * 500}
        for n in range(30)
    ]
    activity = to_teams(cite("".join(f"A [{n}]. " for n in range(1, 31)), sources))
    [entity] = activity["entities"]

    assert [one["position"] for one in entity["citation"]] == list(range(1, 21))
    for one in entity["citation"]:
        assert 60 < units(one["appearance"]["name"]) <= 80
        assert 150 < units(one["appearance"]["abstract"]) <= 160
    assert "[30]" in activity["text"]


def test_teams_text_loads_and_links_nothing_of_the_model():
    """Teams shows Markdown: images would be loaded, and links followed."""
    text = "A [1] ![x](https://evil.example/?q=1) [y](https://evil.example/) [z](https://a.example/x)."
    shown = to_teams(
        cite(text, SOURCES, formats=[row for row in DEFAULT if row.name == "number"])
    )["text"]

    assert "](https://evil" not in shown.replace("\\", "\0")
    assert "[z](https://a.example/x)" in shown
    assert "A [1] " in shown


def test_teams_activity_is_one_of_the_bot_framework():
    """The type of its SDK takes it."""
    activity_type = pytest.importorskip("microsoft_agents.activity").Activity
    answer = told("Boats go.", (0, 9, ("a", "b")))
    activity = activity_type.model_validate(sent(to_teams(answer)))

    assert activity.text == "Boats go.[1][2]"
    [entity] = activity.entities
    assert entity.type == "https://schema.org/Message"


def test_vercel_parts_are_those_of_its_types():
    """Message and chunks, by the types of the package that speaks this protocol."""
    requests = pytest.importorskip("pydantic_ai.ui.vercel_ai.request_types")
    chunks = pytest.importorskip("pydantic_ai.ui.vercel_ai.response_types")
    answer = cite("A [1][2].", [*SOURCES[:1], {"id": "d", "title": "Doc"}])
    message = {"id": "m", "role": "assistant", "parts": sent(to_vercel_parts(answer))}
    parts = requests.UIMessage.model_validate(message).parts

    assert [part.type for part in parts] == ["text", "source-url", "source-document"]
    types = {"source-url": chunks.SourceUrlChunk, "source-document": chunks.SourceDocumentChunk,
             "text-delta": chunks.TextDeltaChunk, "start": chunks.StartChunk}  # fmt: skip
    for chunk in sent(to_vercel_chunks(answer)):
        if chunk["type"] in types:
            types[chunk["type"]].model_validate(chunk)


def test_langchain_blocks_are_those_of_its_type():
    """The message hands them out unchanged."""
    messages = pytest.importorskip("langchain_core.messages")
    blocks = to_langchain(told("Boats go.", (0, 9, ("a",))))
    message = messages.AIMessage(content_blocks=blocks)

    assert message.content_blocks == blocks
    assert neutral(providers.parse(message)) == neutral(told("Boats go.", (0, 9, ("a",))))


def test_openai_annotations_are_those_of_its_types():
    """Both interfaces."""
    responses = pytest.importorskip("openai.types.responses.response_output_text")
    chat = pytest.importorskip("openai.types.chat.chat_completion_message")
    answer = cite("A [1][2].", [*SOURCES[:1], {"id": "d", "title": "Doc"}])
    text, annotations = to_openai_annotations(answer)

    responses.ResponseOutputText.model_validate(
        {"type": "output_text", "text": text, "annotations": annotations}
    )
    text, annotations = to_openai_annotations(answer, api="chat")
    chat.ChatCompletionMessage.model_validate(
        {"role": "assistant", "content": text, "annotations": annotations}
    )


# There and back

WORDS = ("boats", "go", "é", "橋は九つ", "🌉", "👩‍👩‍👧", "**bold**", "`[1]`", "x.", "\n\nSo",
         "- item", "\\[1]", "a\u0301", "[9]", "1977.")  # fmt: skip
MARKERS = ("[1]", "[2]", "[3]", "[1, 2]", "[doc:c]", "【2】", "[1][3]")


def _started(words: list[str]) -> str:
    """Return a text that begins with a word: ``[1] x`` may be a list of sources."""
    return " ".join(["So", *words])


TEXTS = st.lists(st.sampled_from((*WORDS, *MARKERS)), max_size=14).map(_started)


@pytest.mark.parametrize("way", WAYS)
@given(text=TEXTS)
@example(text="boats [1] [9] **bold** [1, 2]")
@settings(deadline=None, max_examples=40)
def test_written_markers_come_back(way, text):
    """The same sources after the same words, whatever form the markers had."""
    answer = cite(text, SOURCES)
    again = WAYS[way](answer)

    assert shape_of_text(again) == shape_of_text(answer)
    assert {source.url for source in again.sources} == {source.url for source in answer.sources}


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_claims_of_providers_come_back(way, data):
    """Spans of any place: exact where the form holds spans, else as a number after the words."""
    text = data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(_started))
    ids = st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True).map(tuple)
    place = st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text)), ids)
    spans = data.draw(st.lists(place.filter(lambda span: span[0] < span[1]), max_size=4))
    answer = told(text, *spans)
    again = WAYS[way](answer)

    if way == "langchain":
        assert neutral(again) == neutral(answer)
    assert shape_of_text(again) == shape_of_text(answer)


@given(text=st.text(max_size=60), length=st.integers(2, 50))
def test_cut_text_has_at_most_so_many_units(text, length):
    """Never more than JavaScript counts."""
    assert units(cut_units(text, length)) <= length


@pytest.mark.parametrize(
    "text", ["The value is x[1]", "See [the list]", "So [1]", "[a][b]", "x[1][2]"]
)
def test_a_number_after_a_bracket_is_read_again(text):
    """It is parted from one that is none of ours."""
    block = {
        "type": "text",
        "text": text,
        "citations": [{"type": "web_search_result_location", "url": "https://a.e"}],
    }
    answer = providers.parse({"type": "message", "role": "assistant", "content": [block]})
    back = providers.parse(to_teams(answer), provider="copilot_studio")
    assert [citation.number for citation in back.citations if citation.source] == [1]

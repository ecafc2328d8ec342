"""What an example of a case file compares: one function a kind, that dumps its result.

Add a kind by adding a function to ``KINDS``: it gets the text and the options of the example.
In examples a tab is written ``→``, control characters ``␀``, ``␍``, ``␛``, ``␡``, and a cut
between two chunks ``‖``.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from citemark import (
    AnswerStream,
    CitationSegment,
    Sources,
    build_context,
    cite,
    clean_history,
    find_markers,
    formats,
    render,
)
from citemark._outline import Outline
from citemark.batch import BatchOptions, SourcesTable, annotate_row
from citemark.checks.coverage import coverage
from citemark.checks.judging import pair_of
from citemark.checks.lexical import LexicalJudge
from citemark.checks.quotes import verify_quote, verify_quotes
from citemark.errors import StructuredReplyError
from citemark.model import Listing
from citemark.parser import Scanner
from citemark.structured import from_structured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from citemark import Answer, Citation, Source, TextSegment

FENCE = "`" * 32
EXAMPLE = re.compile(
    rf"^{FENCE} example (?P<kind>\w+)(?P<options>[^\n]*)\n"
    rf"(?P<input>.*?)^\.\n(?P<expected>.*?)^{FENCE}$",
    re.MULTILINE | re.DOTALL,
)

CUT = "‖"

WRITTEN = str.maketrans({"→": "\t", "␀": "\0", "␍": "\r", "␛": "\x1b", "␡": "\x7f"})

SOURCES: dict[str, Sources] = {
    # Labels 1 to 5; every way a source can be named occurs.
    "five": Sources(
        [
            {"id": "metals", "title": "Metals", "url": "https://example.org/metals"},
            {"id": "alloys", "title": "Alloys & more", "url": "https://example.org/a?id=2"},
            {"id": "ore-3", "title": "Ore report"},
            {"id": "policy.pdf", "title": "Refund policy", "metadata": {"file": "p"}},
            {"id": "6c", "title": "Water board minutes", "url": "https://example.org/water/"},
        ]
    ),
    # Nothing but numbers can name these.
    "plain": Sources([{"id": "a"}, {"id": "b"}, {"id": "c"}]),
    "zero": Sources([{"id": "0"}, {"id": "1"}, {"id": "2"}], label="id"),
    "years": Sources([{"id": "2020"}, {"id": "2021"}, {"id": "2"}], label="id"),
    "ten": Sources([{"id": f"s{number}"} for number in range(1, 11)]),
    "sparse": Sources([{"id": "1"}, {"id": "3"}, {"id": "12"}], label="id"),
    "files": Sources(
        [
            {"id": "Site Plan.pptx"},
            {"id": "Layout (1).pdf"},
            {"id": "årsrapport.pdf"},
            {"id": "/logs/run:42"},
        ]
    ),
    "chunks": Sources(
        [
            {"id": "f1#1", "document": "f1"},
            {"id": "f1#2", "document": "f1"},
            {"id": "f2#1", "document": "f2"},
        ]
    ),
    "none": Sources(),
    "turns": Sources(
        [{"id": f"turn0{kind}"} for kind in ("search0", "search1", "news0", "news1")]
    ),
    "named": Sources(
        [{"id": "chunk_0"}, {"id": "chunk_1"}, {"id": "x", "title": "Document 7"}]
    ),
    "calls": Sources([{"id": "s1/1"}, {"id": "s1/2"}, {"id": "tc/1"}]),
    "quoted": Sources(
        [
            {
                "id": "minutes",
                "text": "The harbour board met on 12 March 1931. It voted, by nine to four, to "
                "dredge the main channel. The silt will not return before 1940.",
            },
            {
                "id": "report",
                "text": "Müller’s report calls the work “a costly success”. The barges were "
                "counted twice [3] in winter.",
            },
            {"id": "empty"},
        ]
    ),
    "lenient": Sources(
        [
            {"id": "Annual-Report.pdf", "title": "Annual report"},
            {"id": "policy-12", "title": "Refund policy"},
            {"id": "minutes"},
        ],
        lenient=True,
    ),
}


def dump_markers(text: str, sources: str = "", **options: Any) -> str:
    """One line a marker: raw text and keys.  Nothing is known unless ``sources`` is given."""
    known = SOURCES[sources] if sources else None
    return "".join(
        f"{marker.raw!r} -> {' | '.join(marker.keys)}\n"
        for marker in find_markers(text, known=known, **options)
    )


def dump_spans(text: str, sources: str = "", **options: Any) -> str:
    """As ``dump_markers``, with the half-open span in code points first."""
    known = SOURCES[sources] if sources else None
    markers = find_markers(text, known=known, **options)
    lines = dump_markers(text, sources, **options).splitlines(keepends=True)
    spans = [f"{marker.start}:{marker.end}" for marker in markers]
    return "".join(f"{span} {line}" for span, line in zip(spans, lines, strict=True))


def dump_segments(text: str, sources: str = "five", **options: Any) -> str:
    """One line a segment; then the unresolved keys, if any."""
    return dump_answer(cite(text, SOURCES[sources], **options))


def dump_stream(text: str, sources: str = "five", **options: Any) -> str:
    """For each chunk the segments that it released; then those of ``close``."""
    stream = AnswerStream(SOURCES[sources], **options)
    lines = ""
    for chunk in text.split(CUT):
        lines += f"feed {chunk!r}\n" + dump(stream.feed(chunk), "  ")
    return lines + "close\n" + dump(stream.close(), "  ")


def dump_answer(answer: Answer) -> str:
    missing = f"unresolved: {' | '.join(answer.unresolved)}\n" if answer.unresolved else ""
    issues = "".join(
        f"{issue.start}:{issue.end} {issue.code}: {issue.message}\n"
        for issue in answer.issues
        if issue.code not in {"unresolved", "ambiguous"}
    )
    return dump(answer.segments) + missing + issues


def dump(segments: Iterable[TextSegment | CitationSegment], indent: str = "") -> str:
    """One line a segment: text quoted, or a marker with number and source of its citations."""
    lines: list[str] = []
    text = ""
    for segment in segments:
        if isinstance(segment, CitationSegment):
            lines += [repr(text)] if text else []
            text = ""
            lines.append(_dump_citation(segment))
        else:
            text += segment.text
    lines += [repr(text)] if text else []
    return "".join(f"{indent}{line}\n" for line in lines)


def _dump_citation(segment: CitationSegment) -> str:
    shown = "; ".join(
        f"? {citation.key}"
        if citation.source is None
        else f"{citation.number} {citation.source.id}{_dump_places(citation)}"
        for citation in segment.citations
    )
    blank = f"{segment.blank!r} " if segment.blank else ""
    return f"{blank}{segment.marker.raw!r} -> {shown or 'nothing'}"


def _dump_places(citation: Citation) -> str:
    return "".join(f" ({p.unit} {p.start} to {p.end})" for p in citation.locations)


def dump_lists(text: str, sources: str = "five") -> str:
    """Each list of sources as it is written, and each marker, in order."""
    lines: list[str] = []
    pieces: list[str] = []
    for token in [*Scanner(known=SOURCES[sources]).close(text), ""]:
        if isinstance(token, Listing):
            pieces.append(token.raw)
            continue
        if pieces:
            lines.append(f"list {''.join(pieces)!r}\n")
            pieces.clear()
        if not isinstance(token, str):
            lines.append(f"{token.raw!r}\n")
    return "".join(lines)


def dump_listed(text: str, sources: str = "five", **options: Any) -> str:
    """The sources that the model's list names, those that the answer cites, and the issues."""
    answer = cite(text, SOURCES[sources], **options)
    lines = [f"listed {_described(source)}\n" for source in answer.listed]
    lines += [f"cited {_described(source)}\n" for source in answer.sources]
    lines += [f"{issue.code}: {issue.message}\n" for issue in answer.issues]
    return "".join(lines)


def _described(source: Source) -> str:
    return " | ".join(filter(None, (source.id, source.title, source.url)))


def dump_rendered(name: str) -> Callable[..., str]:
    """Return a kind that renders the answer."""

    def dump_render(text: str, sources: str = "five", **options: Any) -> str:
        return str(render(cite(text, SOURCES[sources], **options), name)).rstrip("\n") + "\n"

    return dump_render


def dump_body(
    text: str, sources: str = "five", links: str = "sources", shift: str = "0", math: str = ""
) -> str:
    """HTML of the text alone: ``⟦1⟧`` for a citation, ``⟦? x⟧`` for one without source."""
    options = {"links": links, "heading_shift": int(shift), "math": bool(math)}
    html = str(render(cite(text, SOURCES[sources]), "html", notes="none", **options))
    html = re.sub(r'<span class="cite-hidden"> \([^<]*</span>', "", html)
    html = re.sub(r'<sup class="cite">(.*?)</sup>', lambda found: _badges(found[1]), html)
    body = html.removeprefix('<div class="cite-body" dir="auto">\n').removesuffix("</div>\n")
    return re.sub(r'<(table|pre) tabindex="0">', r"<\1>", body)


def _badges(html: str) -> str:
    """Return the references of a marker as ``⟦1⟧``."""
    shown = re.sub(
        r'<span class="cite-ref cite-ref--missing">\[(.*?)\]</span>', r"⟦? \1⟧", html
    )
    return re.sub(r"<(a|span) class=.*?>\[(.*?)\]</\1>", r"⟦\2⟧", shown)


def dump_place(text: str) -> str:
    """The text with ``①`` where a citation of the words between ``⟦`` and ``⟧`` is put."""
    start, end = text.index("⟦"), text.index("⟧") - 1
    text = text.replace("⟦", "").replace("⟧", "")
    position, is_moved = Outline(text).after(start, end)
    return f"{text[:position]}①{text[position:]}\n" + "moved\n" * is_moved


def dump_context(text: str, style: Any = "plain", label: Any = "number") -> str:
    """The block of a source ``faq`` with this passage, and of one ``pol-12`` after it."""
    records = [
        {"id": "faq", "title": "Questions", "page": 3, "url": "https://example.org/faq"},
        {"id": "pol-12", "title": "Refunds", "text": "Five days."},
    ]
    records[0]["text"] = text.rstrip("\n")
    return build_context(Sources(records, label=label), style=style) + "\n"


def dump_history(text: str, sources: str = "five", **options: Any) -> str:
    """An earlier answer as it goes back to the model."""
    said = {"role": "assistant", "content": text}
    return str(clean_history([said], SOURCES[sources], **options)[0]["content"]).rstrip() + "\n"


def dump_quotes(text: str) -> str:
    """For each quote its verdict, its words, where they stand, and why not."""
    lines: list[str] = []
    for check in verify_quotes(cite(text, SOURCES["quoted"]), sources=SOURCES["quoted"]):
        lines.append(f"{check.verdict} {check.quote!r}\n")
        if check.source is not None:
            words = [check.source.text[start:end] for start, end in check.spans]
            lines.append(f"  {check.source.id}: {' + '.join(map(repr, words))}\n")
        lines += [f"  {check.reason}\n"] if check.reason else []
    return "".join(lines)


def dump_quote(text: str) -> str:
    r"""For each line, a quote and its passage with ``\n`` and ``\u202f``: the verdict on it."""
    lines: list[str] = []
    for line in text.splitlines():
        quote, passage = (
            re.sub(r"\\n|\\u(....)", lambda m: chr(int(m[1] or "a", 16)), side)
            for side in line.split(" <- ")
        )
        check = verify_quote(quote, passage)
        lines.append(": ".join(filter(None, [check.verdict, check.reason])) + "\n")
    return "".join(lines)


def dump_support(text: str) -> str:
    """For each claim, a line after ``---``, the verdict and the reasons."""
    premise, _, claims = text.partition("\n---\n")
    found = LexicalJudge().judge([pair_of(premise, claim) for claim in claims.splitlines()])
    lines = [": ".join([one.verdict, *filter(None, ["; ".join(one.reasons)])]) for one in found]
    return "".join(f"{line}\n" for line in lines)


def dump_claims(text: str, sources: str = "five", scope: Any = "strict") -> str:
    """For each sentence what it does and is, whether it is cited, and by which keys."""
    found = coverage(cite(text, SOURCES[sources]), scope=scope)
    states = {"cited": found.cited, "uncited": found.uncited, "unresolved": found.unresolved}
    state = {one: name for name, ones in states.items() for one in ones}
    lines = []
    for one in found.sentences:
        keys = [*(c.key for c in one.citations), *(f"?{key}" for key in one.unresolved)]
        said = f"{state.get(one, one.role)} {one.unit} {one.text!r} {' '.join(keys)}"
        lines.append(said.rstrip() + "\n")
    return "".join(lines)


def dump_structured(text: str, sources: str = "five", repair: str = "yes", **how: Any) -> str:
    """The answer of a reply: segments, what is put in with its words, quotes, issues."""
    try:
        answer = from_structured(text, SOURCES[sources], repair=repair == "yes", **how)
    except StructuredReplyError as error:
        return f"{error}\n"
    lines = dump(answer.segments).splitlines()
    for at, segment in enumerate(answer.segments):
        if isinstance(segment, CitationSegment):
            span = segment.marker.span
            if span is not None:
                lines[at] += f" for {answer.text[slice(*span)]!r}, {segment.marker.anchor}"
            lines[at] += "".join(f"\n  “{c.quote}”" for c in segment.citations if c.quote)
    issues = (f"{one.start}:{one.end} {one.code}: {one.message}" for one in answer.issues)
    return "".join(f"{line}\n" for line in (*lines, *issues))


def dump_row(text: str, **options: str) -> str:
    """What becomes of a row, given as JSON: each column that is not null, but the digests."""
    named_set = [{"id": "faq", "set": "may"}, {"id": "pol", "set": "may"}]
    table = SourcesTable([*named_set, {"id": "x"}])
    named: dict[str, Any] = dict(options)
    if "to" in named:
        named["to"] = tuple(named["to"].split(","))
    found = annotate_row(json.loads(text), BatchOptions(**named), table)
    hidden = {"cited", "version", "schema", "options_digest", "content_digest"}
    shown = {
        name: value for name, value in found.items() if name not in hidden and value is not None
    }
    return "".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in shown.items()
    )


KINDS: dict[str, Callable[..., str]] = {
    "body": dump_body,
    "claims": dump_claims,
    "context": dump_context,
    "history": dump_history,
    "markers": dump_markers,
    "place": dump_place,
    "row": dump_row,
    "quote": dump_quote,
    "quotes": dump_quotes,
    "spans": dump_spans,
    "segments": dump_segments,
    "stream": dump_stream,
    "structured": dump_structured,
    "support": dump_support,
    "lists": dump_lists,
    "listed": dump_listed,
    "html": dump_rendered("html"),
    "markdown": dump_rendered("markdown"),
    "text": dump_rendered("text"),
}


def run_case(kind: str, options: str, text: str) -> str:
    """Return the dump of one example.  ``options`` are words like ``unresolved=drop``."""
    named: dict[str, Any] = dict(word.split("=", 1) for word in options.split())
    if "formats" in named:
        named["formats"] = formats.DEFAULT | getattr(formats, named["formats"])
    return KINDS[kind](text.translate(WRITTEN), **named)

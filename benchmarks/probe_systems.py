"""The probes, and the systems that are shown them: citemark and packages that read markers too.

A system is right on a probe if it names the sources that the probe expects and no other; keys
that name no source count for nobody.  Each has the best of its settings where something is
cited, and the first of them where nothing is.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citemark import CitationSegment, Sources, cite, formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Find = Callable[["Probe"], Iterable[str]]

__all__ = ["SYSTEMS", "Probe", "System", "found", "marked", "read_probes"]

ROOT: Final = Path(__file__).resolve().parents[1]
CORPUS: Final = ROOT / "tests" / "corpora" / "probes.jsonl"


@dataclass(frozen=True, slots=True)
class Probe:
    """A short answer, its sources, and what it cites."""

    id: str
    group: str
    form: str
    """Who writes it."""
    text: str
    sources: list[dict[str, str]]
    """In the order of the prompt, where they are called 1, 2, 3, ..."""
    cites: list[tuple[str, list[str]]]
    """Each marker as written, with the ids that it names."""
    formats: list[str] = field(default_factory=list)
    """Sets of ``citemark.formats`` that are joined to the default."""
    lenient: bool = False

    @property
    def expected(self) -> list[str]:
        """Ids of the cited sources, each once."""
        return list(dict.fromkeys(id_ for _, ids in self.cites for id_ in ids))

    def ids(self, positions: Iterable[int], base: int = 1) -> list[str]:
        """Return the ids at these positions; those that there are not are left out."""
        ids = [source["id"] for source in self.sources]
        return [ids[n - base] for n in positions if 0 <= n - base < len(ids)]


@dataclass(frozen=True, slots=True)
class System:
    """A package with its settings, each a function from probe to ids."""

    name: str
    """As the head of a column, with places for a hyphen."""
    package: str
    module: str
    about: str
    settings: Sequence[Find]


def read_probes() -> list[Probe]:
    """Return the probes in order."""
    with CORPUS.open(encoding="utf-8") as lines:
        return [Probe(**json.loads(line)) for line in lines]


def marked(probe: Probe) -> list[tuple[str, list[str]]]:
    """Return each marker in which citemark finds a source, with the ids."""
    chosen = formats.DEFAULT
    for name in probe.formats:
        chosen |= getattr(formats, name)
    answer = cite(probe.text, Sources(probe.sources, lenient=probe.lenient), formats=chosen)
    found = (
        (segment.marker.raw, [c.source.id for c in segment.citations if c.source])
        for segment in answer.segments
        if isinstance(segment, CitationSegment)
    )
    return [(raw, ids) for raw, ids in found if ids]


def _citemark(probe: Probe) -> Iterator[str]:
    for _, ids in marked(probe):
        yield from ids


HAYSTACK: Final = r"\[(\d+)\]"
HAYSTACK_WIDE: Final = (
    r"[\[【［]+\s*(?:\^|[A-Za-z]+[ _:]{0,2}\s*)?(\d+(?:\s*[,-]\s*\d+)*)\s*[\]】］]"
)
"""The widest that one group of numbers allows: other brackets, blanks, a word before."""


@cache
def _answer_builder(pattern: str, *, ranges: bool) -> tuple[Any, Any]:
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    builders = import_module("haystack.components.builders")
    logging.getLogger("haystack").setLevel(logging.ERROR)
    builder = builders.AnswerBuilder(reference_pattern=pattern, expand_reference_ranges=ranges)
    return builder, import_module("haystack").Document


def _haystack(pattern: str, probe: Probe, *, ranges: bool) -> Iterator[str]:
    builder, document = _answer_builder(pattern, ranges=ranges)
    documents = [document(id=source["id"], content="x") for source in probe.sources]
    answers = builder.run(query="", replies=[probe.text], documents=documents)["answers"]
    return (found.id for found in answers[0].documents)


def _citesure(probe: Probe) -> Iterator[str]:
    """Return the sources of the URLs that it finds; each source has one, if only for it."""
    urls = [
        source.get("url", f"https://sources.example/{n}")
        for n, source in enumerate(probe.sources, 1)
    ]
    by_url = {url: source["id"] for url, source in zip(urls, probe.sources, strict=True)}
    extract = import_module("citesure.citations").extract_citations
    found = extract(probe.text, {str(n): url for n, url in enumerate(urls, 1)})
    return (by_url[citation.url] for citation in found if citation.url in by_url)


GROUNDCITE_WIDE: Final = (
    r"[\[【［,;，]\s*(?:\^|[A-Za-z]+[ _:]{0,2}\s*)?(?P<ref>\d+)(?=\s*[\],;，】］])",
    r"[\[({<【]+(?:[A-Za-z]+: ?)?(?P<ref>[^\[\]{}<>【】]+?)[\])}>】]+",
)
"""Numbers, one by one, with all that may stand around them; anything in any brackets."""


def _groundcite(preset: str, probe: Probe) -> Iterator[str]:
    """Return what a pattern finds; the sources have all names that a prompt may give them."""
    names: dict[str, str] = {}
    for n, source in enumerate(probe.sources, 1):
        id_, title = source["id"], source["title"]
        called = [str(n), f"doc{n}", f"ref_{n}", f"s{n}", f"citation:{n}", f"cite:{n}"]
        called += [f"id:{n - 1}", f"reference:{n - 1}", id_, f"doc:{id_}", title]
        names |= {key: id_ for name in called for key in (name, name.lower())}
    library = import_module("groundcite")
    pattern = getattr(library, preset, None) or library.custom(preset)
    return (
        names[ref] for ref in library.extract_citations(probe.text, pattern) if ref in names
    )


def _integrity(probe: Probe) -> Iterator[str]:
    """Return what the claims cite: all are listed, as no source has a text to support them."""
    sources = [{"id": source["id"], "text": ""} for source in probe.sources]
    claims = import_module("citation_integrity_check").verify(probe.text, sources).unsupported
    ids = {source["id"] for source in probe.sources}
    for key in (key for claim in claims for key in claim.citations):
        yield from [key] if key in ids else probe.ids([int(key)] if key.isdigit() else [])


def _melody(mode: str, probe: Probe) -> Iterator[str]:
    library = import_module("cohere_melody")
    options = getattr(library.PyFilterOptions(), mode)().start_in_answer()
    found = library.PyFilter(options).process_full_text(probe.text).citations
    for source in (source for citation in found for source in citation.sources):
        yield from probe.ids(source.tool_result_indices, base=0)


SYSTEMS: Final = (
    System(
        "cite&shy;mark",
        "citemark",
        "citemark",
        "this library. The default; or the default with the sets named at the probe, and "
        "lenient look-up where it says so.",
        [_citemark],
    ),
    System(
        "hay&shy;stack",
        "haystack-ai",
        "haystack",
        "the `AnswerBuilder` of a framework for pipelines: it adds the documents to an answer "
        f"that the caller's pattern finds there. With that of its docs, `{HAYSTACK}`.",
        [partial(_haystack, HAYSTACK, ranges=False)],
    ),
    System(
        "hay&shy;stack, best",
        "haystack-ai",
        "haystack",
        "the best of three: as before; with `expand_reference_ranges`; with that and "
        f"the widest pattern that we could write for it, `{HAYSTACK_WIDE}`.",
        [
            partial(_haystack, HAYSTACK, ranges=False),
            partial(_haystack, HAYSTACK, ranges=True),
            partial(_haystack, HAYSTACK_WIDE, ranges=True),
        ],
    ),
    System(
        "cite&shy;sure",
        "citesure",
        "citesure",
        "checks whether cited pages say what is claimed. Its `extract_citations` reads `[1]`, "
        "by a map of URLs, and links; it has no settings.",
        [_citesure],
    ),
    System(
        "ground&shy;cite",
        "groundcite",
        "groundcite",
        "rejects answers that cite what was not given. It is told all names that a prompt may "
        "have used for the sources. The best of `NUMERIC`, `SOURCE_N`, `BRACKET_ID` and two "
        f"wide patterns of ours, `{GROUNDCITE_WIDE[0]}` and `{GROUNDCITE_WIDE[1]}`.",
        [
            partial(_groundcite, pattern)
            for pattern in ("NUMERIC", "SOURCE_N", "BRACKET_ID", *GROUNDCITE_WIDE)
        ],
    ),
    System(
        "integ&shy;rity check",
        "citation-integrity-check",
        "citation_integrity_check",
        "checks that what is cited exists and shares words with the claim. It reads `[1]` "
        "and `[id:x]`, and has no settings for that.",
        [_integrity],
    ),
    System(
        "mel&shy;ody",
        "cohere_melody",
        "cohere_melody",
        "parses what Cohere's own models write, and is not meant to read anything else. The "
        "best of `cmd4`, and `rag` for older models.",
        [partial(_melody, mode) for mode in ("cmd4", "rag")],
    ),
)


def found(system: System, probe: Probe) -> list[str]:
    """Return what a system names, with the setting that does best if anything is cited."""
    settings = system.settings if probe.cites else system.settings[:1]
    results = [list(dict.fromkeys(find(probe))) for find in settings]
    right = [ids for ids in results if set(ids) == set(probe.expected)]
    return (right or [ids for ids in results if ids] or [[]])[0]

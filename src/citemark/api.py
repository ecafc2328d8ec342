"""From a model's text to an answer with resolved citations, in one call."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from citemark._texts import as_text
from citemark.catalogue import DEFAULT, FormatSet
from citemark.parser import Scanner
from citemark.resolve import Resolver
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.answer import Answer
    from citemark.catalogue import Format
    from citemark.model import Source
    from citemark.numbering import GroupBy, Numbering
    from citemark.resolve import SourceList, Unresolved

__all__ = ["cite"]


def cite(  # noqa: PLR0913  options, all by keyword
    text: str,
    sources: Sources | Iterable[Source | Mapping[str, Any]],
    *,
    formats: Iterable[Format] = DEFAULT,
    unresolved: Unresolved | None = None,
    group_by: GroupBy = "source",
    numbering: Numbering | None = None,
    source_list: SourceList = "keep",
    consulted: bool = False,
    fingerprint: str | None = None,
) -> Answer:
    """Return the answer that a text and its sources make.

    Args:
        text: Model output, usually Markdown.  Halves of a surrogate pair become one character,
            as in a stream.
        sources: What may be cited, in the order of the prompt.
        formats: Marker formats to look for.
        unresolved: What becomes of a key that names no source: ``"keep"``, ``"mark"``,
            ``"drop"`` or ``"raise"``.  By default markers that prose uses too (``[9]``) are
            kept, others (``[doc:x]``) are marked.
        group_by: What shares a number: ``"source"``, ``"document"``, ``"url"`` or a function.
        numbering: Numbers to go on from, over the turns of a conversation.
        source_list: What becomes of a list of sources that the model wrote itself: ``"keep"``
            leaves it as text, ``"drop"`` hides it, and ``"parse"`` hides it and, if no sources
            are given, takes its entries for the sources.  Nothing in it is a citation.
        consulted: Whether the answer keeps the sources that it does not cite, to be shown.
        fingerprint: ``Sources.fingerprint`` of the list that the prompt had, to be sure that
            this is the same one.  The answer keeps it.

    Raises:
        SourceError: The sources cannot be used: see ``Sources``.
        SourcesChangedError: The sources are not those of the fingerprint.
        TextTypeError: The text is no ``str``.
        UnresolvedError: A key names no source, and ``unresolved="raise"``.
        CitemarkError: An option has a value that is not known.

    >>> answer = cite("Five days [2]. Ever [7]?", [{"id": "a"}, {"id": "b", "title": "FAQ"}])
    >>> [source.title for source in answer.sources], answer.unresolved
    (['FAQ'], ('7',))
    """
    text = as_text(text)
    sources, rows = Sources.of(sources).require(fingerprint), FormatSet.of(formats)
    late = source_list == "parse" and not len(sources)  # they come with the list
    resolver = Resolver(
        sources,
        rows,
        unresolved=unresolved,
        group_by=group_by,
        numbering=numbering,
        late=late,
        source_list=source_list,
        consulted=consulted,
    )
    resolver.resolve(Scanner(rows, known=sources, late=late).close(text))
    resolver.close()
    answer = resolver.answer
    return answer if fingerprint is None else replace(answer, fingerprint=fingerprint)

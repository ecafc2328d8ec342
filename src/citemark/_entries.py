"""The entries of a list of sources that a model wrote: label, title and address of each.

The scanner has told what belongs to the list; here its lines are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from citemark import listing
from citemark._chunks import with_line_feeds
from citemark._headings import is_heading
from citemark._lazy import lazy_re
from citemark._list_lines import is_only_markers, read_entry
from citemark.listing import HEADING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.model import Listing

__all__ = ["MAX_ENTRIES", "Entry", "ListReader"]

MAX_LINE: Final = 4_096
"""Code points of a line that are read."""

MAX_TITLE: Final = 200
"""Longest title, as in the grammar."""

MAX_ENTRIES: Final = 1_000
"""Most entries of one list, and of one answer, that are read."""

MAX_ITEMS: Final = 100
"""Most entries on one line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One source as the model lists it.  Offsets are in code points of the answer."""

    label: str
    """What the answer cites it by; "" if it has no label."""

    title: str = ""
    """Its name; "" if it has none."""

    url: str = ""
    """Its address, as written; "" if it has none."""

    document: str = ""
    """Number of the document of the prompt that it is said to be; "" if that is the label."""

    start: int = 0
    """First code point of its line."""

    end: int = 0
    """Code point after its line."""

    @property
    def key(self) -> str:
        """What to call it."""
        return self.label or self.url or self.title


class ListReader:
    """Reads the entries of one list from its pieces, which follow each other."""

    def __init__(self) -> None:
        """Start before the first piece."""
        self.entries: list[Entry] = []
        self.end = -1
        """Position after the last piece."""
        self._line = ""
        self._start = 0
        self._in_tag = False

    def take(self, piece: Listing) -> None:
        """Take in the next piece."""
        if self.end < 0:
            self._start = piece.start
        self.end = piece.end
        first, *others = with_line_feeds(piece.raw).split("\n")
        self._line = (self._line + first)[:MAX_LINE]
        at = piece.start + len(first)
        for line in others:
            self._read(at)
            self._line, self._start = line[:MAX_LINE], at + 1
            at += 1 + len(line)

    def close(self) -> list[Entry]:
        """Return the entries.  The list ends here."""
        self._read(self.end)
        self._line = ""
        return self.entries

    def _read(self, end: int) -> None:
        """Read the line that ends at a position."""
        line = _QUOTES.sub("", self._line)
        if not line.strip() or len(self.entries) >= MAX_ENTRIES:
            return
        tag = _OPENING_TAG.match(line)
        if tag is not None:
            self._in_tag = True
            line = line[tag.end() :]
        found = self._in_line(line, is_inline=tag is not None)
        if found and self.entries and not found[0].label and self._continues(line, found[0]):
            last = self.entries[-1]
            url = last.url or found[0].url
            self.entries[-1] = replace(last, url=url, end=end)
        else:
            self.entries += (replace(entry, start=self._start, end=end) for entry in found)

    def _in_line(self, line: str, *, is_inline: bool) -> list[Entry]:
        """Return the entries on one line."""
        title = HEADING.match(line.lstrip(" "))
        if title is not None and is_heading(title["words"]):
            after = _AFTER_HEADING.fullmatch(line.lstrip(" "), title.end())
            if after is not None:
                return _read_items(after["items"].strip()) if after["items"] else []
        if _RULE.fullmatch(line):
            return []
        if self._in_tag:
            line, described = _without_tags(line)
            if described:
                return described
        if is_inline or line.count("](") > 1 or is_only_markers(line):
            return _read_items(line)
        entry = _read_whole(line.lstrip(" \t"))
        return [entry] if entry is not None else []

    def _continues(self, line: str, entry: Entry) -> bool:
        """Whether a line is a part of the entry before it."""
        if line.startswith(("  ", "\t")) and not self._in_tag:
            return read_entry(line.lstrip(" \t")) is None or not entry.title
        is_address = _URL.match(line.lstrip(" <")) is not None
        return is_address and not (entry.title or self.entries[-1].url)


_QUOTES: Final = lazy_re(rf"^{listing.QUOTES}", re.VERBOSE)
_OPENING_TAG: Final = lazy_re(rf"[ \t]*+ < {listing.TAG_NAMES} {listing.TAG_END}", re.VERBOSE)
_RULE: Final = lazy_re(rf"[ ]{{0,3}}+ (?: {listing.RULE} | [=\-]++ ) [ \t]*+", re.VERBOSE)
_LABEL: Final = lazy_re(listing.LABEL, re.VERBOSE)
_URL: Final = lazy_re(rf"{listing.URL_START} [^ \t<>\"]*+", re.VERBOSE)
_PAIR: Final = lazy_re(
    r"\[ (?P<words> [^\[\]\n]{0,200}+ ) \] \( [ ]* <? (?P<url> [^ <>()\n]{0,2048}+"
    r" (?: \( [^ <>()\n]{0,200}+ \) [^ <>()\n]{0,200}+ )?+ ) >? (?: [ ] [^()\n]{0,200}+ )? \)",
    re.VERBOSE,
)
_DESTINATION: Final = lazy_re(
    r""": [ \t]*+ <?+ (?P<url> [^ \t<>]++ ) >?+
    (?: [ \t]++ (?: "(?P<title> [^"]*+ )" | '(?P<quoted> [^']*+ )' ) )?+ [ \t]*+""",
    re.VERBOSE,
)
_ITEM: Final = lazy_re(
    rf"""(?P<before> {listing.LABEL} )?+ [:.)\-]?+ [ ]{{0,3}}+ (?P<link> {listing.LINK} )
      | \[{{1,2}}+ (?P<key> [^\[\]\n]{{1,120}}+ ) \]{{1,2}}+
      | [\u3010\uff3b] (?P<wide> [^\u3010\u3011\uff3b\uff3d\n]{{1,60}}+ ) [\u3011\uff3d]
      | << (?P<angle> [^<>\n]{{1,100}}+ ) >> | (?P<url> {listing.URL_START} [^ \t<>,;\[\]]*+ )
      | (?P<file> (?<! {listing.NAME_LETTER} ) {listing.FILE} ) (?! [^\W_] )""",
    re.VERBOSE,
)
_PARTS: Final = lazy_re(rf"(?:^|(?<=[ \t;]))(?= {listing.LABEL} | [*\u2022] [ ] )", re.VERBOSE)
_KEY: Final = lazy_re(r"\[{1,2}([^\[\]\n]{1,100})\]{1,2}(?=[ \t:]|$)")
_DOCUMENT: Final = lazy_re(
    r"(?P<name>(?:Document|Source|Doc)[ ](?P<number>[0-9]{1,4}))[ ]?[:.]", re.IGNORECASE
)
_TAG: Final = lazy_re(r"</?[A-Za-z][A-Za-z_]{0,30}(?P<attributes>[^<>]{0,2500})>")
_ATTRIBUTE: Final = lazy_re(r"([A-Za-z_]{1,20})[ ]?=[ ]?[\"']([^\"'<>]{0,2048})[\"']")
_ESCAPED: Final = lazy_re(r"\\([!-/:-@\[-`{-~])")
_TAGGED: Final = lazy_re(
    r"(?:doc(?:ument)?|source|ref(?:erence)?|cite|citation|id)[ _:#-]{1,2}(?=.)|\^",
    re.IGNORECASE,
)
_AFTER_HEADING: Final = lazy_re(
    r"(?:\([^()]*\))?[ *_\u3011\u300d]*(?:[:\uff1a][ *_]*(?P<items>.*)|[#= \t]*)"
)
_NUMBER_AT_END: Final = lazy_re(
    r"(?:\[\^?[0-9][0-9,; \u2013-]{0,30}\]|[\u3010\uff3b][^\u3011\uff3d]{1,30}[\u3011\uff3d])"
    r"[.!?\u3002*_ \t]*$"
)
_RANGE: Final = lazy_re("([0-9]{1,4})[ ]?[-\u2013][ ]?([0-9]{1,4})")
_EDGES: Final = " \t*_`\"'“”‘’«»「」『』,;:.–—-|<>"
_BRACKETS: Final = {"(": ")", "[": "]"}


def _read_whole(line: str) -> Entry | None:
    """Return the one entry that a line is."""
    entry = read_entry(line)
    if entry is None:
        title, url = _read_content(line)
        return Entry("", title, url) if title or url else None
    label = "" if entry.number is None else str(entry.number)
    content = entry.content.strip()
    key = None if label else _KEY.match(content)
    document = _DOCUMENT.match(content)
    if document is not None and label and entry.kind != "named":
        return Entry(label, document["name"], document=document["number"])
    if document is not None and not label:
        label, content = document["number"], content[document.end() :]
    elif key is not None:
        label, content = _key(key[1]), content[key.end() :]
    title, url = _read_content(content)
    return Entry(label, title, url)


def _read_content(content: str) -> tuple[str, str]:
    """Return title and URL of what follows a label."""
    definition = _DESTINATION.fullmatch(content)
    if definition is not None and re.search("[/#]", definition["url"]):
        return _title(definition["title"] or definition["quoted"] or ""), definition["url"]
    if content.startswith("("):  # [1](url) Title
        content = f"[]{content}"
    pair = _PAIR.search(content)
    if pair is not None:
        words, url = pair["words"], pair["url"]
        if words.strip("^ ").isdecimal() or not words or _URL.match(words):
            words = content[pair.end() :]
        return _title(words), url
    found = _URL.search(content)
    if found is None:
        return _title(content), ""
    before, after = content[: found.start()], content[found.end() :]
    return _title(before) or _title(after), found[0].rstrip(".,;:!?)]}\"'*_")


def _read_items(text: str) -> list[Entry]:
    """Return the entries that stand in one line, one after the other."""
    links = _PAIR.search(text) is not None
    if not (links or is_only_markers(text)) and (parts := _parts(text)):
        return [entry for part in parts if (entry := _read_whole(part)) is not None]
    entries: list[Entry] = []
    for item in _ITEM.finditer(text):
        if item["link"]:
            title, url = _read_content(item["link"])
            label = _LABEL.match(item[0])
            number = re.search("[0-9]{1,4}", label[0]) if item["before"] and label else None
            entries.append(Entry(number[0] if number else "", title, url))
        elif key := item["key"] or item["wide"] or item["angle"]:
            entries += (Entry(name) for part in re.split("[,;]", key) for name in _keys(part))
        else:
            entries.append(
                Entry("", _title(item["file"] or ""), (item["url"] or "").rstrip("."))
            )
        if len(entries) >= MAX_ITEMS:
            break
    if not entries and (whole := _read_whole(text.strip(" \t:："))) is not None:
        entries.append(whole)
    return entries


def _parts(text: str) -> list[str]:
    """Return the parts of a line that begin with labels or bullets and say more than these."""
    starts = [match.start() for match in _PARTS.finditer(text)][:MAX_ITEMS]
    parts = [text[a:b].strip(" \t,;") for a, b in pairwise((*starts, len(text)))]
    is_said = any((entry := read_entry(part)) and _title(entry.content) for part in parts)
    return parts if is_said else []


def _without_tags(line: str) -> tuple[str, list[Entry]]:
    """Return a line without tags, and the entries that these describe by attributes."""
    entries: list[Entry] = []
    for tag in list(_TAG.finditer(line))[:MAX_ITEMS]:
        named = {name.lower(): value for name, value in _ATTRIBUTE.findall(tag["attributes"])}
        label = named.get("id") or named.get("index") or named.get("number") or ""
        url = named.get("url") or named.get("href") or ""
        if label or url:
            title = named.get("title") or named.get("name") or ""
            words = line[tag.end() :].partition("<")[0]
            entries.append(Entry(label.strip(), _title(title or words), url.strip()))
    return _TAG.sub(" ", line), entries


def _keys(text: str) -> Iterable[str]:
    """Return the keys that a member of a list of keys is: one, or those of a range."""
    key = _key(text)
    ends = _RANGE.fullmatch(key)
    if ends is not None and int(ends[1]) < int(ends[2]) <= int(ends[1]) + MAX_ITEMS:
        return map(str, range(int(ends[1]), int(ends[2]) + 1))
    return [key] if key else []


def _key(text: str) -> str:
    """Return what a marker names, without the tag before it."""
    return _TAGGED.sub("", text.strip(), count=1).strip()


def _title(text: str) -> str:
    """Return a title without the marks around it, and without a marker after it."""
    text = text[: 2 * MAX_TITLE].replace("*", "").replace("`", "")
    text = _NUMBER_AT_END.sub("", text) or text
    text = text.strip(_EDGES).rstrip("([").lstrip(")]").strip(_EDGES)
    while text and _BRACKETS.get(text[0]) == text[-1]:
        text = text[1:-1].strip(_EDGES)
    return _ESCAPED.sub(r"\1", text)[:MAX_TITLE].strip()

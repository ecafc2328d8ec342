r"""Marker formats: the ways in which models write a citation, one row each.

A row is an opening character and a regular expression for what follows it, in verbose mode.
Rows are tried in order.  Repetition is bounded, and possessive where nothing is to be given
back: that keeps matching linear, and bounds what a stream must hold back.  Patterns are read by
two engines (``re`` matches, ``regex`` asks what a stream's tail may become), so they hold only
what both share: no ``\d`` or ``\s``, which differ, and no nested quantifier without bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from citemark.errors import UnknownFormatError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.sources import Lookup

__all__ = ["DEFAULT", "Format", "FormatSet", "KeyForm", "Tier"]

Tier: TypeAlias = Literal["explicit", "usual", "candidate"]
"""How sure a marker is: nobody writes it by accident; prose uses the form too; it is a marker
only if its key names a source, and otherwise plain text that is never reported."""

KeyForm: TypeAlias = Literal["one", "list", "numbers"]
"""How the text of ``key`` is read: as it is; as a list, unless the whole of it is a known key;
or as a list of numbers and ranges."""


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the grammar."""

    name: str
    """Name of the group in the combined pattern, and ``Marker.format`` of what it finds."""

    opening: str
    """Characters with one of which a marker starts."""

    pattern: str
    """Verbose expression for what follows the opening character.

    Its last group is ``key``; one before it, ``words``, may hold words of the answer that stay.
    """

    example: str
    """A marker of this format, for documentation and tests."""

    tier: Tier = "usual"
    """How sure a marker of this format is."""

    lookup: tuple[Lookup, ...] = ("id", "label")
    """What a key is compared with, in this order, until something is found."""

    keys: KeyForm = "one"
    """How the text of ``key`` is read."""

    limit: int = 256
    """Longest marker in code points.  What is longer is text, in whole texts and streams."""

    over_links: bool = False
    """Whether it is tried before an ordinary Markdown link, which it looks like."""

    like_index: bool = False
    """Whether an index of code looks the same: it is text where it sticks to an identifier."""

    shortcut: str = ""
    """A form so common that it is tried before all else, if what follows leaves no doubt.

    As ``pattern``, for one key, or a list of numbers.  It changes the speed, not the result.
    """

    about: str = ""
    """Who writes it, or what is special about it, in one sentence."""

    def __hash__(self) -> int:
        """Hash the name alone: sets of formats are looked up for each text."""
        return hash(self.name)


class FormatSet(tuple[Format, ...]):
    """Formats in order of precedence.  ``a | b`` adds those of b whose names a has not."""

    __slots__ = ()

    def __or__(self, other: Format | Iterable[Format]) -> FormatSet:
        """Return the union, in order: of two rows with one name, the first stays."""
        more = (other,) if isinstance(other, Format) else tuple(other)
        rows = {row.name: row for row in (*more, *self)}
        ordered = dict.fromkeys(row.name for row in (*self, *more))
        return FormatSet(rows[name] for name in ordered)

    def without(self, *names: str) -> FormatSet:
        """Return the set less the rows of these names.

        Raises:
            UnknownFormatError: The set has no row of that name.
        """
        known = tuple(row.name for row in self)
        for name in names:
            if name not in known:
                raise UnknownFormatError(name, known)
        return FormatSet(row for row in self if row.name not in names)


ZEROS: Final = (
    "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66"
    "\u0e50\u0ed0\u0f20\u1040\u17e0\u1810\uff10"
)
"""The digit nought of every script whose digits are read, besides ASCII (Unicode 15, Nd).

Spelled out, because ``regex`` and ``re`` take other characters for a digit than ``int`` does.
"""

DIGIT: Final = "[0-9" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in ZEROS) + "]"
NUMBER: Final = DIGIT + "{1,6}+"
RANGE: Final = rf"{NUMBER} (?: [ ]?+ [-\u2010-\u2015\u2212\uff0d] [ ]?+ {NUMBER} )?+"
SEPARATOR: Final = "[,;\u060c\u061b\uff0c\u3001\uff1b]"
"""What stands between the members of a list, in the scripts whose digits are read."""

NUMBERS: Final = rf"{RANGE} (?: [ ]{{0,2}}+ {SEPARATOR} [ ]{{0,2}}+ {RANGE} ){{0,49}}+"

SIMPLE: Final = r"[1-9][0-9]{0,2}+ (?: , [ ]?+ [1-9][0-9]{0,2}+ ){0,9}+"
"""The common case of ``NUMBERS``: neither ranges nor years nor nought."""

# Text of a link (CommonMark 0.31.2, 6.3): escapes and code spans as wholes, brackets once.
LINK_WORDS: Final = r"(?: [^\[\]\\`\n]{1,500}+ | \\[^\n] | `[^`\n]{1,500}+` ){0,50}+"
LINK_TEXT: Final = rf"{LINK_WORDS} (?: \[ {LINK_WORDS} \] {LINK_WORDS} ){{0,5}}+"
# Its destination, parentheses nested once, and its title.
URL: Final = r"""(?: [^\x00-\x20\x7f()<>\\]{1,2048}+ | \\[^\x00-\x20]
                     | \( [^\x00-\x20\x7f()<>]{0,2048}+ \) ){1,50}+"""
LINK_TITLE: Final = (
    r"""(?: [ ]{1,9}+ (?: "[^"\n]{0,200}+" | '[^'\n]{0,200}+' | \([^()\n]{0,200}+\) ) )?+"""
)
KEYED_TARGET: Final = rf"\( [ ]?+ <?+ (?P<key> {URL} ) >?+ {LINK_TITLE} [ ]{{0,9}}+ \)"

LINK_LIMIT: Final = 2_900

TAG: Final = r"(?i: doc | cite | citation ) [ ]?+ [:\uff1a] [ ]?+"

DEFAULT: Final = FormatSet(
    (
        Format(
            "double_link",
            "[",
            rf"\[ [ ]?+ (?: {NUMBERS} ) [ ]?+ \]\] (?! \( [ ]?+ [#] ) {KEYED_TARGET}",
            "[[1]](https://example.org/a)",
            tier="explicit",
            lookup=("url",),
            limit=LINK_LIMIT,
            over_links=True,
            about="A number that is a link: the URL names the source.",
        ),
        Format(
            "double",
            "[",
            rf"""\[ [ ]{{0,3}}+ (?P<key> {NUMBERS} ) [ ]{{0,3}}+ \]\]
                (?: \( [ ]?+ (?: \# [^\x00-\x20()<>]{{0,200}}+ )?+ \) )?+""",
            "[[1]]",
            tier="explicit",
            lookup=("label",),
            keys="numbers",
            limit=1_500,
            over_links=True,
            shortcut=rf"\[ (?P<key> {SIMPLE} ) \]\] (?! \( )",
            about="Numbers in double brackets.",
        ),
        Format(
            "link",
            "[",
            rf"(?P<words> {LINK_TEXT} ) \] {KEYED_TARGET}",
            "[Refund policy](https://example.org/a)",
            tier="candidate",
            lookup=("url",),
            limit=LINK_LIMIT,
            over_links=True,
            shortcut=r"""(?P<words> [^\[\]\\`\n0-9] [^\[\]\\`\n]{0,200}+ ) \]\(
                         (?P<key> https?://[^\x00-\x20\x7f()<>\\]{1,500}+ ) \)""",
            about="A Markdown link, if its URL is that of a source; its words stay.",
        ),
        Format(
            "number",
            "[",
            rf"[ ]{{0,3}}+ (?P<key> {NUMBERS} ) [ ]{{0,3}}+ \]",
            "[1, 3-5]",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            like_index=True,
            shortcut=rf"(?P<key> {SIMPLE} ) \] (?! [(:] )",
            about="The common form: a label, a list of labels, a range.",
        ),
        Format(
            "wide",
            "\u3010\uff3b",
            rf"""[\u3010\uff3b]?+ [ ]{{0,3}}+ (?P<key> {NUMBERS} ) [ ]{{0,3}}+
                 [\u3011\uff3d]{{1,2}}+""",
            "\u30101\u3011",
            tier="explicit",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            shortcut=rf"(?P<key> {SIMPLE} ) [\u3011\uff3d] (?! [\u3011\uff3d] )",
            about="Numbers in full-width brackets.",
        ),
        Format(
            "tagged",
            "[",
            rf"{TAG} (?P<key> [^\[\]\n`]{{1,2000}}+ ) \]",
            "[doc:pol-12, doc:faq]",
            tier="explicit",
            keys="list",
            limit=2_016,
            shortcut=r"""(?: doc | cite | citation ) : (?P<key> [A-Za-z0-9_./-]{1,200}+ ) \]
                         (?! [(:] )""",
            about="Ids after a tag (doc, cite, citation).",
        ),
        Format(
            "double_tagged",
            "[",
            rf"\[ {TAG} (?P<key> [^\[\]\n`]{{1,2000}}+ ) \]{{1,2}}+",
            "[[citation:1]]",
            tier="explicit",
            keys="list",
            limit=2_020,
            about="The same in double brackets, of which models forget the last.",
        ),
        Format(
            "wide_tagged",
            "\u3010\uff3b",
            rf"{TAG} (?P<key> [^\[\]\n`\u3010\u3011\uff3b\uff3d]{{1,2000}}+ ) [\u3011\uff3d]",
            "\u3010citation:1\u3011",
            tier="explicit",
            keys="list",
            limit=2_016,
            about="The same in full-width brackets.",
        ),
        Format(
            "footnote",
            "[",
            rf"\^ (?P<key> {NUMBERS} ) \^?+ \]",
            "[^1]",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            shortcut=rf"\^ (?P<key> {SIMPLE} ) \] (?! [(:] )",
            about="A Markdown footnote reference; its definition is no citation.",
        ),
        Format(
            "named_footnote",
            "[",
            r"\^ (?P<key> [^\x00-\x20\[\]^`]{1,200}+ ) \^?+ \]",
            "[^pol-12]",
            tier="candidate",
            lookup=("id", "label"),
            about="A footnote reference by name, if a source has that id.",
        ),
        Format(
            "title",
            "[",
            r"""\[ (?P<key> (?: [^\x00-\x20\[\]|`] | [ ]{1,3}+ [^\x00-\x2f:-@\[-`{-\x7f] )
                        [^\[\]\n|`]{0,199}+ )
                (?: \| [^\[\]\n`]{0,200}+ )?+ \]\]""",
            "[[Refund policy]]",
            tier="explicit",
            lookup=("title", "id", "label"),
            limit=410,
            shortcut=r"""\[ (?P<key> [A-Za-z] [A-Za-z0-9 ,.'&-]{0,150}+ ) (?<! [ ] ) \]\]
                         (?! \( )""",
            about="The title of a source, as a wiki link.",
        ),
        Format(
            "angle",
            "<",
            r"(?<!<<) (?<![0-9]<) < (?P<key> [^\x00-\x20<>] [^<>\n]{0,1999}+ ) >> (?!>)",
            "<<pol-12>>",
            tier="explicit",
            keys="list",
            limit=2_004,
            shortcut=r"(?<![0-9]<) < (?<!<<<) (?P<key> [A-Za-z0-9_./:-]{1,200}+ ) >> (?!>)",
            about="An id in double angle brackets.",
        ),
        Format(
            "known",
            "[",
            r"[ ]{0,3}+ (?P<key> [^\x00-\x20\[\]`] [^\[\]\n`]{0,199}+ ) \]",
            "[policy.pdf]",
            tier="candidate",
            lookup=("id", "title"),
            keys="list",
            like_index=True,
            about="Any id or title in brackets, if a source has it.",
        ),
    )
)
"""The formats that are on by default."""

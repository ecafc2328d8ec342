"""Chat completions whose text cites by number what a list beside it holds.

Such providers send no places: the markers in the text are the citations, and a number is either
a position in the list or a name that an entry of it has.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from citemark.providers._ends import tell_error, tell_finish
from citemark.providers._events import data_of
from citemark.providers._reader import Reader
from citemark.providers._thought import Split

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.catalogue import FormatSet
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node
    from citemark.sources import Label

__all__ = ["LabelledReader", "ListedReader", "content_of", "longer", "register"]


class ListedReader(Reader):
    """Reads the first choice of a completion, or of the chunks of one.

    Args:
        provider: Name of the provider.
        formats: Markers that its models write.
        label: What numbers in them are.
    """

    def __init__(self, provider: str, formats: FormatSet, label: Label = "id") -> None:
        """Begin with nothing."""
        super().__init__(provider, formats, label)
        self._said = ""  # as it came
        self._pieces: list[str] = []  # of what was said, to be joined
        self._split = Split()
        self._answer: list[str] = []
        self._thoughts: list[str] = []
        self._reasoning: list[str] = []

    @abstractmethod
    def take_list(self, response: Node) -> None:
        """Keep the list of sources, if a response or chunk has it."""

    @abstractmethod
    def fill_list(self, draft: Draft) -> None:
        """Take note of the sources."""

    def take(self, response: Node) -> None:
        """Keep a response, or a chunk."""
        response = data_of(response, self.draft)
        self.take_list(response)
        if response.has("error"):
            tell_error(self.draft, response)
        for choice in self.choices(response):
            if choice.whole("index"):
                self.draft.further("choices")
            else:
                tell_finish(self.draft, choice)
                self.take_choice(choice)

    def choices(self, response: Node) -> Iterable[Node]:
        """Return the answers of a response."""
        return response.nodes("choices")

    def take_choice(self, choice: Node) -> None:
        """Keep what a choice adds; what is whole counts more than what came before it."""
        delta, message = choice.node("delta"), choice.node("message")
        added, whole = content_of(delta), content_of(message)
        self.say(added)
        if whole != added:
            self.say_whole(whole)
        self._reasoning.append(delta.text("reasoning_content", "reasoning"))
        thought = message.text("reasoning_content", "reasoning")
        if thought:
            self._reasoning[:] = [thought]

    def say(self, text: str) -> None:
        """Add to the text."""
        if not text:
            return
        self._pieces.append(text)
        thought, answer = self._split.feed(text)
        self._thoughts.append(thought)
        self._answer.append(answer)
        self.draft.add(answer)

    def say_whole(self, text: str) -> None:
        """Put in the whole text, of which pieces may have come."""
        if not text:
            return  # to join what was said for each piece would be quadratic
        said = self.said
        if text.startswith(said):
            self.say(text[len(said) :])
        else:
            self._split, self._said = Split(), ""
            self._answer.clear()
            self._thoughts.clear()
            self.draft.replace("")
            self.say(text)

    @property
    def said(self) -> str:
        """The text so far, as it came."""
        if self._pieces:
            self._said += "".join(self._pieces)
            self._pieces.clear()
        return self._said

    def fill(self, draft: Draft) -> None:
        """Read what came."""
        self.fill_list(draft)
        thought, answer = self._split.rest
        thoughts = "".join([*self._reasoning, *self._thoughts, thought])
        if thoughts:
            draft.aside("thinking").add(thoughts)
        draft.add("".join([*self._answer, answer]))


class LabelledReader(ListedReader):
    """Reads completions with a list whose entries have labels of their own."""

    def __init__(self, provider: str, formats: FormatSet) -> None:
        """Begin with nothing."""
        super().__init__(provider, formats)
        self._entries: list[Any] = []

    @abstractmethod
    def entries(self, response: Node) -> list[Any]:
        """Return the list of a response or chunk; an empty one if it has none."""

    @abstractmethod
    def entry(self, draft: Draft, found: Node, position: str) -> tuple[str, dict[str, Any]]:
        """Return the label of an entry, its position if it has none, and a source's fields."""

    def take_list(self, response: Node) -> None:
        """Keep the list, if a response or chunk has it."""
        self._entries = longer(self._entries, self.entries(response))

    def fill_list(self, draft: Draft) -> None:
        """Take note of the sources, by their labels."""
        found = enumerate(self._entries, 1)
        register(draft, (self.entry(draft, draft.node(one), str(at)) for at, one in found))


def content_of(message: Node) -> str:
    """Return the text of a message, whose content may come in parts."""
    if isinstance(message.get("content"), list | tuple):
        return "".join(part.text("text") for part in message.nodes("content"))
    return message.text("content")


def register(draft: Draft, entries: Iterable[tuple[str, dict[str, Any]]]) -> None:
    """Take note of sources by the labels that a list gives them.

    A label that two of them have names neither: a wrong source would be worse than none.

    Args:
        draft: The answer.
        entries: Labels, with the fields of a source.
    """
    by_label: dict[str, dict[object, dict[str, Any]]] = {}
    for label, fields in entries:
        if not label:
            draft.issue("no_source", f"{draft.provider}: a source has neither name nor URL")
            continue
        page = fields.get("url") or fields.get("title")
        by_label.setdefault(label, {}).setdefault(page, fields)
    for label, pages in by_label.items():
        if len(pages) == 1:
            draft.source(label, **next(iter(pages.values())))
            continue
        message = f"{draft.provider}: {len(pages)} sources have the label {label!r}"
        draft.issue("ambiguous_label", message, key=label)
        for page, fields in pages.items():
            draft.source(f"{label} {page}", **fields)


def longer(known: list[Any], found: list[Any]) -> list[Any]:
    """Return a list as it is known: a chunk with a shorter one has not all of it."""
    return found if len(found) >= len(known) else known

"""What is said to a model, and what is made of its replies: for every way of calling one."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, get_args

from citemark._arguments import require_callable
from citemark._instructions import instructions, json_request
from citemark._replied import as_reply
from citemark._texts import as_text
from citemark._whole import require_whole
from citemark.api import cite
from citemark.checks.claims import sentences
from citemark.checks.model import Scope
from citemark.checks.report import check
from citemark.context import build_context, fit_context
from citemark.errors import (
    ArgumentTypeError,
    CitemarkError,
    StructuredReplyError,
    shortened,
)
from citemark.model import Aside, TextSegment
from citemark.providers._thought import Split
from citemark.sources import Sources
from citemark.structured import from_structured, response_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.answer import Answer
    from citemark.checks.judging import Judge
    from citemark.checks.report import Report
    from citemark.context import Count, Style
    from citemark.model import Source
    from citemark.resolve import Unresolved
    from citemark.structured import Form

__all__ = ["AskOptions", "Asking", "CitedReply", "How", "Message"]

Message: TypeAlias = dict[str, str]
"""``role`` (``"system"``, ``"user"`` or ``"assistant"``) and ``content``, as chat APIs have."""


class AskOptions(TypedDict, total=False):
    """Options of all ways of asking; each may be left out."""

    lang: str
    """Language of the instructions; see ``instructions``.  ``"en"`` by default."""

    style: Style
    """How the sources are written; see ``build_context``."""

    budget: int
    """Most that the sources may measure in the prompt; see ``fit_context``."""

    count: Count
    """How a text is measured; by default in code points."""

    unresolved: Unresolved
    """What becomes of keys that name no source; see ``cite``."""

    scope: Scope
    """Whether a later citation of its paragraph covers a claim; see ``checks.coverage``."""

    judge: Judge
    """Who decides what supports what; see ``checks.check``."""


@dataclass(frozen=True, slots=True, repr=False)
class CitedReply:
    """An answer, and what the checks say of it."""

    answer: Answer
    """Resolved by the sources that the prompt had, whose fingerprint it keeps."""

    report: Report
    """See ``checks.check``."""

    sources: Sources
    """Those that the prompt had: with a budget, maybe not all."""

    messages: tuple[Message, ...]
    """All that was said, in order; the last one is the reply."""

    def __repr__(self) -> str:
        """Return the start of the answer, and counts: all that is held would fill screens."""
        text, more = shortened(self.answer.text), len(self.sources)
        return f"<CitedReply: {text!r}, {more} sources, {self.report!r}>"


class Asking:
    """One question: what to send, and when a reply will do.

    Args:
        question: Of the user.
        sources: What may be cited.
        form: Form of the reply, if it is to be JSON.
        attempts: How often a model is asked at most, if its JSON does not fit.

    Raises:
        BudgetError: Not even the start of the first source fits.
        CitemarkError: An option has a value that cannot be used.
        SourceError: The sources cannot be used: see ``Sources``.
        TextTypeError: The question is no ``str``.
    """

    def __init__(  # noqa: PLR0913  options, all by keyword
        self,
        question: str,
        sources: Sources | Iterable[Source | Mapping[str, Any]],
        *,
        form: type[Form] | None = None,
        attempts: int = 1,
        lang: str = "en",
        style: Style = "plain",
        budget: int | None = None,
        count: Count = len,
        unresolved: Unresolved | None = None,
        scope: Scope = "strict",
        judge: Judge | None = None,
    ) -> None:
        """Write the prompt."""
        question = as_text(question, "the question as str")
        require_whole("attempts", attempts, 1)
        _require_checks(scope, judge)
        self.sources, block = _block(Sources.of(sources), style, budget, count)
        asked = instructions(lang, sources=self.sources, form=form)
        wanted = "" if form is None else _wanted(form, lang, self.sources)
        self._messages = [
            *_message("system", asked, wanted),
            *_message("user", block, question),
        ]
        self._form, self._attempts = form, attempts
        self._unresolved, self._scope, self._judge = unresolved, scope, judge
        cite("", self.sources, **self.how)  # a wrong option is told before the model is paid

    @property
    def messages(self) -> list[Message]:
        """What to send: a copy, to do with as one likes."""
        return [dict(message) for message in self._messages]

    def take(self, text: str) -> CitedReply | None:
        """Return what a reply comes to; None if the model is to be asked again.

        Raises:
            TextTypeError: The text is no ``str``.
            UnresolvedError: A key names no source, and the options say ``"raise"``.
        """
        text = as_reply(text)
        self._attempts -= 1
        if self._form is None:
            thought, words = thought_and_words(text)
            answer = cite(words, self.sources, **self.how)
            return self.reply(answer, text, thought)
        is_last = self._attempts < 1 or self._is_refusal(text)
        try:
            answer = from_structured(
                text, self.sources, repair=is_last, form=self._form, **self.how
            )
        except StructuredReplyError as error:
            self._messages += [*_message("assistant", text), *_message("user", str(error))]
            return None
        return self.reply(answer, text)

    def reply(self, answer: Answer, text: str, thought: str = "") -> CitedReply:
        """Return an answer with its report.

        Args:
            answer: Resolved.
            text: What the model wrote, with its thoughts.
            thought: What it thought, if the answer does not have it.
        """
        if thought:
            aside = Aside("thinking", (TextSegment(thought),))
            answer = replace(answer, asides=(*answer.asides, aside))
        report = check(answer, sources=self.sources, scope=self._scope, judge=self._judge)
        said = (*self._messages, {"role": "assistant", "content": text})
        return CitedReply(answer, report, self.sources, said)

    @property
    def how(self) -> How:
        """How a reply is resolved."""
        return {"unresolved": self._unresolved, "fingerprint": self.sources.fingerprint}

    def _is_refusal(self, text: str) -> bool:
        """Whether a model says that it cannot answer: asking again would change nothing."""
        found = sentences(cite(thought_and_words(text)[1], self.sources))
        return bool(found) and all(one.role in {"refusal", "greeting"} for one in found)


class How(TypedDict):
    """Options of ``cite`` and its like."""

    unresolved: Unresolved | None
    fingerprint: str


def thought_and_words(text: str) -> tuple[str, str]:
    """Return what a model thought, in tags before its answer, and the answer."""
    split = Split()
    (thought, words), (held, rest) = split.feed(text), split.rest
    return thought + held, words + rest


def _block(
    sources: Sources, style: Style, budget: int | None, count: Count
) -> tuple[Sources, str]:
    require_callable("count", count, "a function from a text to a number")
    if budget is None:
        return sources, build_context(sources, style=style)
    context = fit_context(sources, budget=budget, count=count, style=style)
    return context.sources, context.text


def _wanted(form: type[Form], lang: str, sources: Sources) -> str:
    """Return the request for JSON, with its schema."""
    schema = json.dumps(response_schema(form, sources), ensure_ascii=False)
    return f"{json_request(lang)}\n{schema}"


def _require_checks(scope: object, judge: object) -> None:
    """Refuse options of the report that cannot be used."""
    if scope not in get_args(Scope):
        known = ", ".join(get_args(Scope))
        message = f"scope={shortened(repr(scope))}: choose one of {known}"
        raise CitemarkError(message)
    if judge is not None and not callable(getattr(judge, "judge", None)):
        raise ArgumentTypeError(judge, "judge", "an object with a method judge(pairs)")


def _message(role: str, *parts: str) -> list[Message]:
    """Return a message of those parts that say anything; none if none does."""
    content = "\n\n".join(part for part in parts if part)
    return [{"role": role, "content": content}] if content else []

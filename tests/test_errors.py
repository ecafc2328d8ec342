"""Exceptions: all can be copied and pickled, and their messages stay short."""

from __future__ import annotations

import copy
import importlib
import pickle
import pkgutil
from typing import TYPE_CHECKING, Any

import pytest

import citemark
from citemark import CitemarkError
from citemark.errors import AmbiguousLabelError, UnresolvedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "AmbiguousLabelError": (2, "7"),
    "ArgumentTypeError": (5, "sources", "a list"),
    "BadPasteError": ("sources", "why"),
    "BatchFileError": ("a.jsonl", "missing", "why"),
    "BatchOptionError": ("to", "why"),
    "BudgetError": (20, 27),
    "CheckFailedError": ("html", "why"),
    "CitemarkError": ("why",),
    "EventDataError": ("text", "why"),
    "FormatError": ("number", "why"),
    "MissingExtraError": ("demo", "starlette"),
    "NotAnAnswerError": (5,),
    "ProcessDiedError": ("why",),
    "ProcessStartError": ("why",),
    "RecordError": ("why",),
    "RendererLoadError": ("slides", "a:b", ImportError("no a")),
    "RendererOptionError": ("links", "why"),
    "RequirementError": (("coverage is 50 %",), (), ()),
    "RowRefusedError": ("why",),
    "RowSchemaError": ("why",),
    "RowSourcesError": ("why",),
    "SourceError": (2, "why"),
    "SourcesChangedError": ("why", "1:a:b", "1:c:d"),
    "SplitterError": ("no range holds these words", "It rains."),
    "SqlError": ("sqlite:///a.db", "missing", "why"),
    "StoredAnswerError": ("segments[2]", "why"),
    "StoredRegistryError": ("sources[2]", "why"),
    "StructuredReplyError": (("claims[0].text is empty",), ("1", "2")),
    "TextTypeError": (5,),
    "UnknownArgumentError": ("cite", "lable", ("label",)),
    "UnknownAssetError": ("cite.css",),
    "UnknownFormatError": ("none", ("number", "link")),
    "UnknownOptionError": ("links", "why"),
    "UnknownProviderError": ("none", ("openai", "cohere")),
    "UnknownRendererError": ("none", ("html", "text")),
    "UnresolvedError": ("k", 1, 2),
}
"""What each exception is made of."""


def pickled(error: CitemarkError) -> CitemarkError:
    read = pickle.loads(pickle.dumps(error))  # noqa: S301  what we wrote
    assert isinstance(read, CitemarkError)
    return read


def subclasses(class_: type[CitemarkError]) -> Iterator[type[CitemarkError]]:
    yield class_
    for child in class_.__subclasses__():
        yield from subclasses(child)


def all_errors() -> list[type[CitemarkError]]:
    for module in pkgutil.walk_packages(citemark.__path__, "citemark."):
        if not module.name.endswith("__main__") and "batch.spark" not in module.name:  # pyspark
            importlib.import_module(module.name)
    ours = {e for e in subclasses(CitemarkError) if e.__module__.startswith("citemark.")}
    return sorted(ours, key=lambda error: error.__name__)


def facts(error: CitemarkError) -> tuple[Any, ...]:
    return (type(error), str(error), error.args, vars(error), getattr(error, "msg", None))


@pytest.mark.parametrize("way", [pickled, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("class_", all_errors(), ids=lambda class_: class_.__name__)
def test_errors_can_be_copied(
    class_: type[CitemarkError], way: Callable[[CitemarkError], CitemarkError]
) -> None:
    """A copy, or what comes from another process, says the same and keeps the same facts."""
    error = class_(*ARGUMENTS[class_.__name__])
    error.add_note("while storing")

    assert facts(way(error)) == facts(error)


@pytest.mark.parametrize(
    "error", [UnresolvedError("k" * 9_999, 1, 2), AmbiguousLabelError(1, "7" * 9_999)]
)
def test_long_keys_are_cut(error: CitemarkError) -> None:
    """A message stays readable whatever a key is; the attribute has the whole of it."""
    assert len(str(error)) < 400
    assert len(getattr(error, "key", getattr(error, "id", ""))) == 9_999

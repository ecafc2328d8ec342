"""Marker formats, to choose from by name: the default, and one set for each dialect.

>>> from citemark import formats
>>> chosen = formats.DEFAULT | formats.RAGFLOW  # where both have a row, that of RAGFlow's
>>> formats.detect("Yes [ID:0]. No [ID:2] [1].")["RAGFLOW"]
2
"""

from __future__ import annotations

from typing import Final

from citemark._detect import detect
from citemark.catalogue import (
    ALL,
    DEFAULT,
    DIALECTS,
    LENIENT,
    LOOSE,
    Base,
    Format,
    FormatSet,
    Key,
    KeyForm,
    KeyReader,
    Tier,
)

ANTHROPIC: Final = DIALECTS["ANTHROPIC"]
AZURE: Final = DIALECTS["AZURE"]
COHERE: Final = DIALECTS["COHERE"]
COPILOT: Final = DIALECTS["COPILOT"]
DEEPSEEK: Final = DIALECTS["DEEPSEEK"]
FASTGPT: Final = DIALECTS["FASTGPT"]
GEMINI: Final = DIALECTS["GEMINI"]
GPT_OSS: Final = DIALECTS["GPT_OSS"]
GRANITE: Final = DIALECTS["GRANITE"]
HUNYUAN: Final = DIALECTS["HUNYUAN"]
LANGCHAIN: Final = DIALECTS["LANGCHAIN"]
LLAMAINDEX: Final = DIALECTS["LLAMAINDEX"]
LLAMA_STACK: Final = DIALECTS["LLAMA_STACK"]
LONGCITE: Final = DIALECTS["LONGCITE"]
MORPHIC: Final = DIALECTS["MORPHIC"]
OPENAI: Final = DIALECTS["OPENAI"]
PAPERQA: Final = DIALECTS["PAPERQA"]
PERPLEXITY: Final = DIALECTS["PERPLEXITY"]
QWEN: Final = DIALECTS["QWEN"]
RAGFLOW: Final = DIALECTS["RAGFLOW"]
SNOWFLAKE: Final = DIALECTS["SNOWFLAKE"]
UIPATH: Final = DIALECTS["UIPATH"]
WEKNORA: Final = DIALECTS["WEKNORA"]
XAI: Final = DIALECTS["XAI"]
ZHIPU: Final = DIALECTS["ZHIPU"]

__all__ = [
    "ALL",
    "ANTHROPIC",
    "AZURE",
    "COHERE",
    "COPILOT",
    "DEEPSEEK",
    "DEFAULT",
    "DIALECTS",
    "FASTGPT",
    "GEMINI",
    "GPT_OSS",
    "GRANITE",
    "HUNYUAN",
    "LANGCHAIN",
    "LENIENT",
    "LLAMAINDEX",
    "LLAMA_STACK",
    "LONGCITE",
    "LOOSE",
    "MORPHIC",
    "OPENAI",
    "PAPERQA",
    "PERPLEXITY",
    "QWEN",
    "RAGFLOW",
    "SNOWFLAKE",
    "UIPATH",
    "WEKNORA",
    "XAI",
    "ZHIPU",
    "Base",
    "Format",
    "FormatSet",
    "Key",
    "KeyForm",
    "KeyReader",
    "Tier",
    "detect",
]

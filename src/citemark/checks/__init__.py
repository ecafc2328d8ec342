"""Checks of an answer: is it cited, is it quoted, is it supported."""

from __future__ import annotations

from citemark.checks._splitters import SplitterError
from citemark.checks.budget import Budget
from citemark.checks.chatting import AsyncChatJudge, ChatJudge
from citemark.checks.claims import claims, sentences
from citemark.checks.codes import CODES, Kind
from citemark.checks.coverage import coverage
from citemark.checks.gate import Requirements
from citemark.checks.hearing import Hearing
from citemark.checks.judging import AsyncJudge, Judge, Judgement, Pair
from citemark.checks.lexical import LexicalJudge
from citemark.checks.metrics import Mean, Metrics, metrics
from citemark.checks.model import (
    ClaimCheck,
    Coverage,
    Finding,
    QuoteCheck,
    Sentence,
    SupportCheck,
)
from citemark.checks.quotes import verify_quote, verify_quotes
from citemark.checks.report import Report, check
from citemark.checks.reports import Summary, as_github, as_html, as_text
from citemark.checks.scoring import AsyncScoreJudge, ScoreJudge
from citemark.checks.splitting import split_sentences
from citemark.checks.support import support, support_later

__all__ = [
    "CODES",
    "AsyncChatJudge",
    "AsyncJudge",
    "AsyncScoreJudge",
    "Budget",
    "ChatJudge",
    "ClaimCheck",
    "Coverage",
    "Finding",
    "Hearing",
    "Judge",
    "Judgement",
    "Kind",
    "LexicalJudge",
    "Mean",
    "Metrics",
    "Pair",
    "QuoteCheck",
    "Report",
    "Requirements",
    "ScoreJudge",
    "Sentence",
    "SplitterError",
    "Summary",
    "SupportCheck",
    "as_github",
    "as_html",
    "as_text",
    "check",
    "claims",
    "coverage",
    "metrics",
    "sentences",
    "split_sentences",
    "support",
    "support_later",
    "verify_quote",
    "verify_quotes",
]

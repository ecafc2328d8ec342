"""Reports for people and programs: data, text, annotations, and a page."""

from __future__ import annotations

from citemark.checks.reports._data import as_dict, figures_of
from citemark.checks.reports._github import annotation, as_github
from citemark.checks.reports._page import as_html
from citemark.checks.reports._text import as_text, percent, severities
from citemark.checks.reports._wrap import plain
from citemark.checks.reports.summary import Summary

__all__ = [
    "Summary",
    "annotation",
    "as_dict",
    "as_github",
    "as_html",
    "as_text",
    "figures_of",
    "percent",
    "plain",
    "severities",
]

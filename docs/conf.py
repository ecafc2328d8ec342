"""Sphinx configuration: ``sphinx-build -nW docs build/docs``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "citemark"
author = "The citemark authors"
project_copyright = author
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "format_table_directive",
    "provider_table_directive",
    "plain_attributes",
]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "citemark"

# Nothing is loaded from other hosts, and no source is shipped beside the pages.
html_copy_source = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True  # DEFAULT by its name, not by its rows
napoleon_google_docstring = True
napoleon_numpy_docstring = False

nitpicky = True
nitpick_ignore_regex = [
    # Names of other projects, whose pages are not read when these are built.
    (r"py:.*", r"(collections\.abc|os|pathlib|typing|regex|re|markupsafe|jinja2)\..*"),
    # Aliases, which Sphinx takes for classes: they are below "Types" in api.md.
    (
        r"py:class",
        r"(Backoff|Base|Cache|Group(By)?|InstructionStyle|Key(Form|Reader)|Known|Label|LinkPolicy|Lookup|Notes?|Previews|QuoteVerdict|Repeats|Role|Scope|Scores|Segment|Severity|SourceList|Splitter|Step|SupportVerdict|Tier|Unit|Unresolved)",
    ),
    # Names that are imported for annotations only.
    (r"py:class", r"(Iterable|Iterator|Mapping|Mapping\[str|Callable|Markup|BaseLoader|Any)"),
    (r"py:.*", r"citemark\._.*"),
]

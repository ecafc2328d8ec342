"""Renderers: an ``Answer`` in, a string out.

Each is found by its name.  Packages add their own as entry points of ``citemark.renderers``.
"""

from __future__ import annotations

from citemark.renderers._registry import (
    Renderer,
    RendererLoadError,
    UnknownOptionError,
    get_renderer,
    render,
    renderer_names,
)

__all__ = [
    "Renderer",
    "RendererLoadError",
    "UnknownOptionError",
    "get_renderer",
    "render",
    "renderer_names",
]

"""The live page: paste an answer and its sources, and watch it as a reader would.

It is for one person on their own machine, needs the extra ``demo`` and keeps nothing on disk.
"""

from __future__ import annotations

from citemark._extras import extra

with extra("demo"):
    from citemark.demo._app import create_app
    from citemark.demo._serve import serve

__all__ = ["create_app", "serve"]

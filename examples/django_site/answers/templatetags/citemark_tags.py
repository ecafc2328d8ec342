"""Filters and tags for answers with citations: {% load citemark_tags %}."""

from functools import partial

from django import template

from citemark import assets
from citemark.integrations.filters import FILTERS

OPTIONS = {"previews": "hint"}  # what all pages start from

register = template.Library()
register.simple_tag(assets.tags, name="cite_assets")
for name, function in FILTERS.items():
    with_options = partial(function, **OPTIONS)
    register.filter(name, with_options)
    register.simple_tag(with_options, name=name)

"""Filters for Jinja, and so for Flask and all else whose templates are Jinja's.

``environment.add_extension("citemark.integrations.jinja.CitemarkExtension")`` adds the filters
``cite``, ``cite_body``, ``cite_notes`` and ``cite_parts``, and the function ``cite_assets``.
What they return is ``Markup``: it is shown as it is, whether or not a template escapes.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Final

from jinja2 import BaseLoader, TemplateNotFound, Undefined, pass_environment
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension
from jinja2.sandbox import SandboxedEnvironment

from citemark import assets
from citemark._templates import ByIdentity
from citemark._templates import environment as our_environment
from citemark.integrations.filters import CITE_OPTIONS, FILTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2 import Environment

__all__ = ["FOLDER", "POLICY", "CitemarkExtension"]

POLICY: Final = "citemark.options"
"""Key of ``Environment.policies``: options that all uses of the filters start from."""

FOLDER: Final = "citemark"
"""Where templates of the environment lie that take the place of ours."""


class CitemarkExtension(Extension):
    """Adds the filters to an environment.

    Templates that its loader finds as ``citemark/html/...`` take the place of ours, unless the
    environment is a sandbox: there they are not to be trusted, and ours run outside of it.
    """

    def __init__(self, environment: Environment) -> None:
        """Register filters, function and policy."""
        super().__init__(environment)
        environment.filters.update({name: _filter(FILTERS[name]) for name in FILTERS})
        environment.globals["cite_assets"] = assets.tags
        environment.policies.setdefault(POLICY, {})


def _filter(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return one of ``FILTERS`` with the options of the environment in which it is used."""

    @pass_environment
    @wraps(function)
    def filtered(
        environment: Environment,
        value: Any,  # noqa: ANN401  checked by the function
        sources: Any = None,  # noqa: ANN401  as value
        /,
        **options: Any,  # noqa: ANN401  as value
    ) -> Any:  # noqa: ANN401  what the function returns
        for given in (value, sources, *options.values()):
            if isinstance(given, Undefined):
                given._fail_with_undefined_error()  # noqa: SLF001  for filters, says its class
        if isinstance(environment, SandboxedEnvironment):
            _require_safe(environment, options)
        return function(value, sources, **{**_defaults(environment, value), **options})

    return filtered


def _require_safe(environment: SandboxedEnvironment, options: Mapping[str, Any]) -> None:
    """Refuse options by which a template would leave its sandbox.

    Raises:
        SecurityError: Templates, which would run outside, or a function that it may not call.
    """
    for name, value in options.items():
        if name == "templates" or (callable(value) and not environment.is_safe_callable(value)):
            message = f"a template in a sandbox cannot give {name}={value!r}"
            raise SecurityError(message)


def _defaults(environment: Environment, value: object) -> dict[str, Any]:
    """Return the options to start from, less those for a text if the value is none."""
    defaults: dict[str, Any] = {"templates": _own_templates(environment)}
    defaults.update(environment.policies[POLICY])
    if not isinstance(value, str):
        for name in CITE_OPTIONS:
            defaults.pop(name, None)
    return defaults


def _own_templates(environment: Environment) -> BaseLoader | None:
    if environment.loader is None or isinstance(environment, SandboxedEnvironment):
        return None
    return _in_folder(ByIdentity(environment.loader), changes=environment.auto_reload)


@lru_cache(maxsize=16)
def _in_folder(key: ByIdentity, *, changes: bool) -> BaseLoader | None:
    """Return the loader of the templates that take the place of ours.

    It is one and the same for a loader, so that what is compiled is kept.  None if it has none
    and they cannot change: without any of the caller's own, ours are filled faster.
    """
    inner, ours = _InFolder(key.loader, changes=changes), our_environment()
    return inner if changes or any(map(inner.has, ours.list_templates())) else None


class _InFolder(BaseLoader):
    """Templates that another loader finds in ``FOLDER``, by their names in there."""

    def __init__(self, loader: BaseLoader, *, changes: bool) -> None:
        self._loader = loader
        self._changes = changes  # whether the environment looks for templates that changed

    def has(self, template: str) -> bool:
        try:
            self.get_source(our_environment(), template)
        except TemplateNotFound:
            return False
        return True

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        if not self._loader.has_source_access:  # compiled for another environment
            raise TemplateNotFound(template)
        source, path, is_fresh = self._loader.get_source(environment, f"{FOLDER}/{template}")
        return source, path, is_fresh if self._changes else None

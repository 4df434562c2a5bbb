"""Things of the site that have a name and no number: options, constants, functions, the theme, widgets.

Not here: things with numbers (connector/sync/objects.py, connector/sync/shop_objects.py). Only what is named here ever
leaves: no key, no password.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select

from vetrina import __version__
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import widget
from vetrina.connector.connection import state as connection_state
from vetrina.core.options import DEFAULTS
from vetrina.core.unit_of_work import Frame, Work
from vetrina.shop.settings import rules as settings

__all__ = ["constants", "functions", "option", "option_names", "options", "theme", "updates", "widgets"]

_OF_SITE: Final = ("title", "description", "timezone", *DEFAULTS)
_GROUPS: Final = ("general", "products", "tax", "account")  # of the shop's settings; none of them is a secret
_ACTIVE: Final = "shop_active_modules"  # the plugins that are switched on
# What clients call options that the site has another word for.
_CALLED: Final[Mapping[str, str]] = {
    "blogname": "title", "blogdescription": "description", "timezone_string": "timezone", "admin_email": "email",
}  # fmt: skip

_WIDGETS = Statement(
    select(widget.c.id, widget.c.id_base, widget.c.sidebar, widget.c.position, widget.c.settings).where(
        widget.c.id == bindparam("id")
    )
)


@lru_cache(maxsize=8)
def option_names(frame: Frame) -> frozenset[str]:
    """Return the options that the service may know."""
    if "shop" not in frame.profile.modules:
        return frozenset(_OF_SITE)
    groups = settings.groups()
    return frozenset((*_OF_SITE, _ACTIVE, *(id for name in _GROUPS if name in groups for id in groups[name].settings)))


def options(work: Work, names: Iterable[str]) -> dict[str, Any]:
    """Return options that the service may know, by the names that it asks for."""
    known = option_names(work.frame)
    return {name: option(work, _CALLED.get(name, name)) for name in names if _CALLED.get(name, name) in known}


def option(work: Work, name: str) -> Any:
    """Return what is in force for an option that the service may know: stored, or what a site begins with."""
    of_shop = name != _ACTIVE and name not in _OF_SITE
    return settings.shop_option(work, name) if of_shop else work.stored_option(name)


def constants(work: Work) -> dict[str, Any]:
    """Return what is fixed for a site while it runs."""
    profile = work.frame.profile
    return {
        "CMS_VERSION": __version__, "CMS_DEBUG": False, "EMPTY_TRASH_DAYS": 30, "CMS_POST_REVISIONS": True,
        "UPLOAD_BYTES": profile.limits.upload_bytes, "CMS_PROFILE": profile.name,
    }  # fmt: skip


_FUNCTIONS: Final[dict[str, Callable[[Work], Any]]] = {
    "home_url": lambda work: connection_state.home(work),
    "site_url": lambda work: connection_state.home(work),
    "cms_version": lambda work: __version__,
    "locale": lambda work: work.stored_option("language"),
    "timezone": lambda work: work.stored_option("timezone"),
    "post_types": lambda work: sorted(work.frame.types),
    "taxonomies": lambda work: sorted(work.frame.taxonomies),
    "modules": lambda work: list(work.frame.profile.modules),
    "languages": lambda work: list(work.frame.profile.languages),
    "roles": lambda work: list(work.frame.profile.roles),
}


def functions(work: Work, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return what the site works out about itself; names that are unknown are dropped."""
    wanted = _FUNCTIONS if names is None else [name for name in names if name in _FUNCTIONS]
    return {name: _FUNCTIONS[name](work) for name in wanted}


def theme(work: Work) -> dict[str, Any]:
    """Return what the site's theme is."""
    return {"name": work.frame.profile.theme, "slug": work.frame.profile.theme, "version": __version__, "__o": 1}


def updates(work: Work) -> dict[str, Any]:
    """Return what waits to be updated: nothing, for a site is updated from outside."""
    return {"core": [], "plugins": [], "themes": []}


def widgets(work: Work, id: str) -> dict[str, Any] | None:
    """Return a widget."""
    row = work.tx.first(_WIDGETS, id=id)
    if row is None:
        return None
    return {"id": row[0], "id_base": row[1], "sidebar": row[2], "position": row[3],
            "settings": orjson.loads(row[4])}  # fmt: skip

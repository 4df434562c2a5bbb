"""Objects with a name instead of an id: options, constants, functions, the theme, widgets.

Not here: objects with ids (connector/sync/objects.py, connector/sync/shop_objects.py). Only what is listed here is ever
sent: no keys, no passwords.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select

from vetrina import __version__
from vetrina.access.roles.role_rights import list_role_names
from vetrina.backends.database import Statement
from vetrina.backends.tables.options import widget
from vetrina.connector import stored_values
from vetrina.core.options import DEFAULTS
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.settings import rules as settings

_OF_SITE: Final = ("title", "description", "timezone", *DEFAULTS)
_ACTIVE: Final = "shop_active_modules"  # the active plugins
# Names that clients use for options with another name here.
_OPTION_ALIASES: Final[Mapping[str, str]] = {
    "blogname": "title", "blogdescription": "description", "timezone_string": "timezone", "admin_email": "email",
}  # fmt: skip

_WIDGETS = Statement(
    select(widget.c.id, widget.c.id_base, widget.c.sidebar, widget.c.position, widget.c.settings).where(
        widget.c.id == bindparam("id")
    )
)


@lru_cache(maxsize=8)
def list_option_names(site: SiteContext) -> frozenset[str]:
    """Return the names of options that may be sent to the service."""
    return frozenset(_OF_SITE).union(*(module.load_synced_objects().options for module in site.modules))


def load_options(work: UnitOfWork, names: Iterable[str]) -> dict[str, Any]:
    """Return those of some options that may be sent to the service, by the names requested."""
    known = list_option_names(work.site)
    return {
        name: get_option(work, _OPTION_ALIASES.get(name, name))
        for name in names
        if _OPTION_ALIASES.get(name, name) in known
    }


def get_option(work: UnitOfWork, name: str) -> Any:
    """Return the value of an option: the stored one, or its default."""
    of_shop = name != _ACTIVE and name not in _OF_SITE
    return settings.get_shop_option(work, name) if of_shop else work.stored_option(name)


def build_constants(work: UnitOfWork) -> dict[str, Any]:
    """Return values that do not change while the site runs."""
    profile = work.site.profile
    return {
        "CMS_VERSION": __version__, "CMS_DEBUG": False, "EMPTY_TRASH_DAYS": 30, "CMS_POST_REVISIONS": True,
        "UPLOAD_BYTES": profile.limits.upload_bytes, "CMS_PROFILE": profile.name,
    }  # fmt: skip


_FUNCTIONS: Final[dict[str, Callable[[UnitOfWork], Any]]] = {
    "home_url": lambda work: stored_values.build_home_address(work),
    "site_url": lambda work: stored_values.build_home_address(work),
    "cms_version": lambda work: __version__,
    "locale": lambda work: work.stored_option("language"),
    "timezone": lambda work: work.stored_option("timezone"),
    "post_types": lambda work: sorted(work.site.types),
    "taxonomies": lambda work: sorted(work.site.taxonomies),
    "modules": lambda work: list(work.site.profile.modules),
    "languages": lambda work: list(work.site.profile.languages),
    "roles": lambda work: list(list_role_names(work)),
}


def compute_functions(work: UnitOfWork, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return values that the site computes about itself; unknown names are dropped."""
    wanted = _FUNCTIONS if names is None else [name for name in names if name in _FUNCTIONS]
    return {name: _FUNCTIONS[name](work) for name in wanted}


def build_theme(work: UnitOfWork) -> dict[str, Any]:
    """Return the site's theme."""
    return {"name": work.site.profile.theme, "slug": work.site.profile.theme, "version": __version__, "__o": 1}


def build_updates(work: UnitOfWork) -> dict[str, Any]:
    """Return pending updates: none, because a site is updated from outside."""
    return {"core": [], "plugins": [], "themes": []}


def find_widget(work: UnitOfWork, id: str) -> dict[str, Any] | None:
    """Return a widget by its id."""
    row = work.tx.first(_WIDGETS, id=id)
    if row is None:
        return None
    return {"id": row[0], "id_base": row[1], "sidebar": row[2], "position": row[3],
            "settings": orjson.loads(row[4])}  # fmt: skip

"""The modules of sync: to which of them each kind of the change log belongs, and which load objects by their ids.

Rules: docs/rules/connector_sync.md, 7.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from vetrina.connector.connection import state as connection_state
from vetrina.connector.sync import objects as sync_objects, shop_objects, site_values
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError

POSTS, TERMS, COMMENTS, USERS, OPTIONS = "posts", "terms", "comments", "users", "options"
ORDERS, THEMES, WIDGETS = "shop_orders", "themes", "widgets"
COUPONS, RATES, ATTRIBUTES = "shop_coupons", "shop_tax_rates", "shop_attributes"

_FIXED: Final = {
    "comment": COMMENTS, "user": USERS, "option": OPTIONS, "theme": THEMES, "widget": WIDGETS,
    site_values.CONSTANT: "constants", site_values.FUNCTION: "functions",
}  # fmt: skip


ObjectLoader = Callable[[UnitOfWork, Sequence[int]], dict[str, dict[str, Any]]]


LOADERS: Final[dict[str, ObjectLoader]] = {
    POSTS: sync_objects.load_posts,
    TERMS: sync_objects.load_terms,
    COMMENTS: sync_objects.load_comments,
    USERS: sync_objects.load_users,
    ORDERS: shop_objects.load_orders,
    COUPONS: shop_objects.load_coupons,
    RATES: shop_objects.load_tax_rates,
    ATTRIBUTES: shop_objects.load_attributes,
}


class InvalidSyncModule(ApiError):
    """No module of this name is synced."""

    code = "invalid_module"
    message = "No module is called {name!r}, or it is not in use."


@lru_cache(maxsize=8)
def map_modules(site: SiteContext) -> dict[str, str]:
    """Return the module of each synced kind of the change log."""
    found = {**dict.fromkeys(site.types, POSTS), **dict.fromkeys(site.taxonomies, TERMS), **_FIXED}
    for module in site.modules:
        found.update(module.load_synced_objects().kinds)
    return found


def list_synced_kinds(site: SiteContext) -> list[str]:
    """Return the kinds of the change log that are synced."""
    return list(map_modules(site))


def get_module_loaders(site: SiteContext) -> dict[str, ObjectLoader]:
    """Return the loader of each module whose objects have ids."""
    known = set(map_modules(site).values())
    return {name: load for name, load in LOADERS.items() if name in known}


def has_all_modules(work: UnitOfWork) -> bool:
    """Say whether all modules are in use: those other than posts need a connection."""
    return connection_state.is_registered(work)

"""Items of the queues: which change of the site makes which action with which arguments.

A change is one item. One whose object is gone by now makes none: a later change says that it was removed.
Not here: the objects themselves (connector/sync/objects.py). Rules: facts of the connector, 13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.backends.database import Row
from vetrina.connector.connection import accounts as connection_accounts
from vetrina.connector.connection import authorization
from vetrina.connector.sync import named_objects, shop_objects, site_values
from vetrina.connector.sync import objects as sync_objects
from vetrina.core.unit_of_work import Frame, Work
from vetrina.shop.products import product_types

__all__ = ["ORDERS", "Loader", "item", "kinds", "loaders", "module_of", "of_changes"]

POSTS, TERMS, COMMENTS, USERS, OPTIONS = "posts", "terms", "comments", "users", "options"
ORDERS, THEMES, WIDGETS = "shop_orders", "themes", "widgets"
COUPONS, RATES, ATTRIBUTES = "shop_coupons", "shop_tax_rates", "shop_attributes"

_FIXED: Final = {
    "comment": COMMENTS, "user": USERS, "option": OPTIONS, "theme": THEMES, "widget": WIDGETS,
    site_values.CONSTANT: "constants", site_values.FUNCTION: "functions",
}  # fmt: skip
_OF_SHOP: Final = {
    "order": ORDERS, "coupon": COUPONS, "tax_rate": RATES, "product_attribute": ATTRIBUTES,
    product_types.PRODUCT.name: POSTS, product_types.VARIATION.name: POSTS,
}  # fmt: skip

_MANY: Final = "0"  # what the log writes for many things of a kind that changed at once

# What the log does not say: in which way something was changed.
_WAY: Final[dict[str, Any]] = {
    "is_cron": False, "is_rest": True, "is_xmlrpc": False, "is_cms_rest": True, "is_ajax": False,
    "is_cms_admin": False, "is_cli": False, "from_url": "",
}  # fmt: skip
_NOBODY: Final[dict[str, Any]] = {
    "wpcom_user_id": None, "external_user_id": None, "display_name": "", "user_email": "", "user_roles": [],
    "translated_role": None, **_WAY,
}  # fmt: skip

_SINGULAR: Final = {ORDERS: "order", COUPONS: "coupon", RATES: "tax_rate", ATTRIBUTES: "attribute"}

Loader = Callable[[Work, Sequence[int]], dict[str, dict[str, Any]]]
_LOADERS: Final[dict[str, Loader]] = {
    POSTS: sync_objects.posts, TERMS: sync_objects.terms, COMMENTS: sync_objects.comments, USERS: sync_objects.users_of,
    ORDERS: shop_objects.orders, COUPONS: shop_objects.coupons, RATES: shop_objects.tax_rates,
    ATTRIBUTES: shop_objects.attributes,
}  # fmt: skip


@lru_cache(maxsize=8)
def _modules(frame: Frame) -> dict[str, str]:
    found = {**dict.fromkeys(frame.types, POSTS), **dict.fromkeys(frame.taxonomies, TERMS), **_FIXED}
    return {**found, **_OF_SHOP} if "shop" in frame.profile.modules else found


def kinds(frame: Frame) -> list[str]:
    """Return the kinds of the change log that are synced."""
    return list(_modules(frame))


def module_of(frame: Frame, kind: str) -> str:
    """Return the module that syncs a kind."""
    return _modules(frame)[kind]


def loaders(frame: Frame) -> dict[str, Loader]:
    """Return what loads the things of each module that has numbers."""
    known = set(_modules(frame).values())
    return {name: load for name, load in _LOADERS.items() if name in known}


def item(action: str, arguments: Sequence[Any], at: float, by: int = 0, actor: dict[str, Any] = _NOBODY) -> list[Any]:
    """Return an item as it is packed: action, arguments, account, time, whether it is imported, actor."""
    return [action, list(arguments), by, at, False, actor]


def of_changes(work: Work, rows: Sequence[Row]) -> list[list[Any] | None]:
    """Return the item of each change (sequence, kind, number or name, action, time, by); None for what is gone."""
    modules = _modules(work.frame)
    wanted: dict[str, set[int]] = {}
    for _, kind, name, action, _, _ in rows:
        module = modules[kind]
        if module in _LOADERS and action != "removed" and name.isdecimal():
            wanted.setdefault(module, set()).add(int(name))
    found = {module: _LOADERS[module](work, sorted(ids)) for module, ids in wanted.items()}
    actors = _actors(work, {int(row[5]) for row in rows})
    out: list[list[Any] | None] = []
    for row in rows:
        made = _of(work, modules[row[1]], found, row)
        out.append(None if made is None else item(*made, float(row[4]), int(row[5]), actors[int(row[5])]))
    return out


def _actors(work: Work, ids: set[int]) -> dict[int, dict[str, Any]]:
    """Return who changed things, by the account; one that is gone is its number only."""
    shop, out = users.has_shop(work.frame), {0: _NOBODY}
    for id in ids - {0}:
        user = users.by_id(work.tx, id, shop)
        told = connection_accounts.shown(work, user).get("ID") if user else None
        out[id] = {**_NOBODY, "external_user_id": id} if user is None else {
            "wpcom_user_id": told, "external_user_id": id, "display_name": user.name, "user_email": user.email,
            "user_roles": list(user.roles), "translated_role": authorization.role(user) or None, **_WAY,
        }  # fmt: skip
    return out


def _of(
    work: Work, module: str, found: dict[str, dict[str, dict[str, Any]]], row: Row
) -> tuple[str, list[Any]] | None:  # fmt: skip
    _, kind, name, action, _, _ = row
    if module in _LOADERS:
        if name == _MANY:
            return "connector_many_changed", [module]
        if action == "removed":
            return _removed(module, kind, int(name) if name.isdecimal() else 0)
        thing = found.get(module, {}).get(name)
        return None if thing is None else _saved(module, thing, action == "created")
    if module == OPTIONS:
        if name not in named_objects.option_names(work.frame):
            return None
        return "updated_option", [name, None, named_objects.option(work, name)]
    if module == THEMES:
        return "connector_sync_current_theme", [named_objects.theme(work)]
    if kind == site_values.CONSTANT:
        return "connector_sync_constant", [name, named_objects.constants(work).get(name)]
    if kind == site_values.FUNCTION:
        return "connector_sync_callable", [name, named_objects.functions(work).get(name)]
    if action == "removed":
        return "connector_widget_removed", [name]
    return "connector_widget_edited", [name, named_objects.widgets(work, name)]


def _saved(module: str, thing: dict[str, Any], new: bool) -> tuple[str, list[Any]]:
    if module == POSTS:
        shown = thing["post_status"] == "publish"
        flags = {
            "is_auto_save": False, "previous_status": "new" if new else thing["post_status"],
            "just_published": new and shown, "is_gutenberg_meta_box_update": False,
        }  # fmt: skip
        return "connector_sync_save_post", [int(thing["ID"]), thing, not new, flags]
    if module == TERMS:
        return ("connector_sync_add_term" if new else "connector_sync_save_term"), [thing]
    if module == COMMENTS:
        action = "cms_insert_comment" if new else "connector_modified_comment_contents"
        return action, [int(thing["comment_ID"]), thing]
    if module == USERS:
        return ("connector_sync_register_user" if new else "connector_sync_save_user"), [thing, []]
    return f"connector_sync_save_{_SINGULAR[module]}", [thing["id"], thing]


def _removed(module: str, kind: str, number: int) -> tuple[str, list[Any]]:
    if module == POSTS:
        return "deleted_post", [number]
    if module == TERMS:
        return "delete_term", [number, number, kind]
    if module == COMMENTS:
        return "deleted_comment", [number]
    if module == USERS:
        return "connector_deleted_user", [number, None]
    return f"deleted_{_SINGULAR[module]}", [number]

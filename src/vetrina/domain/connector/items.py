"""Items of the queues: which change of the site makes which action with which arguments.

A change is one item. One whose object is gone by now makes none: a later change says that it was removed.
Not here: the objects themselves (objects.py). Rules: facts of the connector, 13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from vetrina.backends.database import Row
from vetrina.domain.shop import kinds as shop_kinds
from vetrina.domain.work import Frame, Work

from . import objects

__all__ = ["ACTOR", "item", "kinds", "module_of", "of_changes"]

POSTS, TERMS, COMMENTS, USERS, OPTIONS = "posts", "terms", "comments", "users", "options"
ORDERS, THEMES, WIDGETS = "shop_orders", "themes", "widgets"

_FIXED: Final = {
    "comment": COMMENTS, "user": USERS, "option": OPTIONS, "order": ORDERS, "theme": THEMES, "widget": WIDGETS,
}  # fmt: skip

_MANY: Final = "0"  # what the log writes for many things of a kind that changed at once

# The log does not say who changed something, so every item has the same actor: the site.
ACTOR: Final[dict[str, Any]] = {
    "wpcom_user_id": None, "external_user_id": None, "display_name": "", "user_email": "", "user_roles": [],
    "translated_role": None, "is_cron": False, "is_rest": True, "is_xmlrpc": False, "is_cms_rest": True,
    "is_ajax": False, "is_cms_admin": False, "is_cli": False, "from_url": "",
}  # fmt: skip

Loader = Callable[[Work, Sequence[int]], dict[str, dict[str, Any]]]
_LOADERS: Final[dict[str, Loader]] = {
    POSTS: objects.posts, TERMS: objects.terms, COMMENTS: objects.comments, USERS: objects.users_of,
    ORDERS: objects.orders,
}  # fmt: skip


@lru_cache(maxsize=8)
def _modules(frame: Frame) -> dict[str, str]:
    found = {**dict.fromkeys(frame.types, POSTS), **dict.fromkeys(frame.taxonomies, TERMS), **_FIXED}
    if "shop" in frame.profile.modules:
        found |= dict.fromkeys((shop_kinds.PRODUCT.name, shop_kinds.VARIATION.name), POSTS)
    return found


def kinds(frame: Frame) -> list[str]:
    """Return the kinds of the change log that are synced."""
    return list(_modules(frame))


def module_of(frame: Frame, kind: str) -> str:
    """Return the module that syncs a kind."""
    return _modules(frame)[kind]


def item(action: str, arguments: Sequence[Any], at: float) -> list[Any]:
    """Return an item as it is packed: action, arguments, account, time, whether it is imported, actor."""
    return [action, list(arguments), 0, at, False, ACTOR]


def of_changes(work: Work, rows: Sequence[Row]) -> list[list[Any] | None]:
    """Return the item of each change (sequence, kind, number or name, action, time); None for what is gone."""
    modules = _modules(work.frame)
    wanted: dict[str, set[int]] = {}
    for _, kind, name, action, _ in rows:
        module = modules[kind]
        if module in _LOADERS and action != "removed" and name.isdecimal():
            wanted.setdefault(module, set()).add(int(name))
    found = {module: _LOADERS[module](work, sorted(ids)) for module, ids in wanted.items()}
    return [_of(work, modules[row[1]], found, row) for row in rows]


def _of(work: Work, module: str, found: dict[str, dict[str, dict[str, Any]]], row: Row) -> list[Any] | None:
    _, kind, name, action, at = row
    if module in _LOADERS:
        if name == _MANY:
            return item("connector_many_changed", [module], at)
        if action == "removed":
            return item(*_removed(module, kind, int(name) if name.isdecimal() else 0), at)
        thing = found.get(module, {}).get(name)
        return None if thing is None else item(*_saved(module, thing, action == "created"), at)
    if module == OPTIONS:
        if name not in objects.OPTION_NAMES:
            return None
        return item("updated_option", [name, None, work.stored_option(name)], at)
    if module == THEMES:
        return item("connector_sync_current_theme", [objects.theme(work)], at)
    return item("connector_widget_edited", [name, objects.widgets(work, name)], at)


def _saved(module: str, thing: dict[str, Any], new: bool) -> tuple[str, list[Any]]:
    if module == POSTS:
        shown = thing["post_status"] == "publish"
        flags = {
            "is_auto_save": False, "previous_status": "new" if new else thing["post_status"],
            "just_published": new and shown, "is_gutenberg_meta_box_update": False,
        }  # fmt: skip
        return "connector_sync_save_post", [thing["ID"], thing, not new, flags]
    if module == TERMS:
        return ("connector_sync_add_term" if new else "connector_sync_save_term"), [thing]
    if module == COMMENTS:
        action = "cms_insert_comment" if new else "connector_modified_comment_contents"
        return action, [int(thing["comment_ID"]), thing]
    if module == USERS:
        return ("connector_sync_register_user" if new else "connector_sync_save_user"), [thing, []]
    return "connector_sync_save_order", [thing["id"], thing]


def _removed(module: str, kind: str, number: int) -> tuple[str, list[Any]]:
    if module == POSTS:
        return "deleted_post", [number]
    if module == TERMS:
        return "delete_term", [number, number, kind]
    if module == COMMENTS:
        return "deleted_comment", [number]
    if module == USERS:
        return "connector_deleted_user", [number, None]
    return "deleted_order", [number]

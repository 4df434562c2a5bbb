"""Items of the queues: the action and arguments that each change of the site becomes.

A change is one item. Where its object has been deleted since, it has none: a later change reports the deletion.
Not here: the objects (connector/sync/objects.py), the modules (connector/sync/modules.py).
Rules: docs/rules/connector_sync.md, 2, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.backends.database import Row
from vetrina.connector.connection import account_details, authorization
from vetrina.connector.sync import named_objects, site_values
from vetrina.connector.sync.modules import (
    ATTRIBUTES,
    COMMENTS,
    COUPONS,
    LOADERS,
    OPTIONS,
    ORDERS,
    POSTS,
    RATES,
    TERMS,
    THEMES,
    USERS,
    map_modules,
)
from vetrina.core.unit_of_work import UnitOfWork

_MANY_CHANGED: Final = "0"  # in the change log, for many objects of a kind that changed at once

# The origin of a change, which the log does not record.
_ORIGIN_FLAGS: Final[dict[str, Any]] = {
    "is_cron": False, "is_rest": True, "is_xmlrpc": False, "is_cms_rest": True, "is_ajax": False,
    "is_cms_admin": False, "is_cli": False, "from_url": "",
}  # fmt: skip
_NOBODY: Final[dict[str, Any]] = {
    "wpcom_user_id": None, "external_user_id": None, "display_name": "", "user_email": "", "user_roles": [],
    "translated_role": None, **_ORIGIN_FLAGS,
}  # fmt: skip

_SINGULAR: Final = {ORDERS: "order", COUPONS: "coupon", RATES: "tax_rate", ATTRIBUTES: "attribute"}


def build_item(
    action: str, arguments: Sequence[Any], at: float, by: int = 0, actor: dict[str, Any] = _NOBODY
) -> list[Any]:
    """Return an item as it is encoded: action, arguments, account, time, whether it is imported, actor."""
    return [action, list(arguments), by, at, False, actor]


def build_change_items(work: UnitOfWork, rows: Sequence[Row]) -> list[list[Any] | None]:
    """Return the item of each change (sequence, kind, id or name, action, time, account); None for deleted objects."""
    modules = map_modules(work.site)
    wanted: dict[str, set[int]] = {}
    for _, kind, name, action, _, _ in rows:
        module = modules[kind]
        if module in LOADERS and action != "removed" and name.isdecimal():
            wanted.setdefault(module, set()).add(int(name))
    found = {module: LOADERS[module](work, sorted(ids)) for module, ids in wanted.items()}
    actors = _load_actors(work, {int(row[5]) for row in rows})
    out: list[list[Any] | None] = []
    for row in rows:
        made = _build_action(work, modules[row[1]], found, row)
        out.append(None if made is None else build_item(*made, float(row[4]), int(row[5]), actors[int(row[5])]))
    return out


def _load_actors(work: UnitOfWork, ids: set[int]) -> dict[int, dict[str, Any]]:
    """Return the actors of changes by account id; a deleted account has its id only."""
    roles, out = work.site.roles, {0: _NOBODY}
    for id in ids - {0}:
        user = users.find_user(work.tx, id, roles)
        service_id = account_details.serialize_connected_account(work, user).get("ID") if user else None
        out[id] = (
            {**_NOBODY, "external_user_id": id}
            if user is None
            else {
                "wpcom_user_id": service_id,
                "external_user_id": id,
                "display_name": user.name,
                "user_email": user.email,
                "user_roles": list(user.roles),
                "translated_role": authorization.get_account_role(user) or None,
                **_ORIGIN_FLAGS,
            }
        )
    return out


def _build_action(
    work: UnitOfWork, module: str, objects: dict[str, dict[str, dict[str, Any]]], row: Row
) -> tuple[str, list[Any]] | None:  # fmt: skip
    _, kind, name, action, _, _ = row
    if module in LOADERS:
        if name == _MANY_CHANGED:
            return "connector_many_changed", [module]
        if action == "removed":
            return _build_removed_action(module, kind, int(name) if name.isdecimal() else 0)
        thing = objects.get(module, {}).get(name)
        return None if thing is None else _build_saved_action(module, thing, action == "created")
    if module == OPTIONS:
        if name not in named_objects.list_option_names(work.site):
            return None
        return "updated_option", [name, None, named_objects.get_option(work, name)]
    if module == THEMES:
        return "connector_sync_current_theme", [named_objects.build_theme(work)]
    if kind == site_values.CONSTANT:
        return "connector_sync_constant", [name, named_objects.build_constants(work).get(name)]
    if kind == site_values.FUNCTION:
        return "connector_sync_callable", [name, named_objects.compute_functions(work).get(name)]
    if action == "removed":
        return "connector_widget_removed", [name]
    return "connector_widget_edited", [name, named_objects.find_widget(work, name)]


def _build_saved_action(module: str, post: dict[str, Any], new: bool) -> tuple[str, list[Any]]:
    if module == POSTS:
        published = post["post_status"] == "publish"
        flags = {
            "is_auto_save": False, "previous_status": "new" if new else post["post_status"],
            "just_published": new and published, "is_gutenberg_meta_box_update": False,
        }  # fmt: skip
        return "connector_sync_save_post", [int(post["ID"]), post, not new, flags]
    if module == TERMS:
        return ("connector_sync_add_term" if new else "connector_sync_save_term"), [post]
    if module == COMMENTS:
        action = "cms_insert_comment" if new else "connector_modified_comment_contents"
        return action, [int(post["comment_ID"]), post]
    if module == USERS:
        return ("connector_sync_register_user" if new else "connector_sync_save_user"), [post, []]
    return f"connector_sync_save_{_SINGULAR[module]}", [post["id"], post]


def _build_removed_action(module: str, kind: str, number: int) -> tuple[str, list[Any]]:
    if module == POSTS:
        return "deleted_post", [number]
    if module == TERMS:
        return "delete_term", [number, number, kind]
    if module == COMMENTS:
        return "deleted_comment", [number]
    if module == USERS:
        return "connector_deleted_user", [number, None]
    return f"deleted_{_SINGULAR[module]}", [number]

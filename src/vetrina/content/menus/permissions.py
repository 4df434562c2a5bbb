"""Who may see and change menus, their locations and their items.

Not here: which menus and items are public (content/menus/public_menus.py). Rules: docs/rules/menus.md, 2 and 3.
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import (
    may_create_record,
    may_delete_record,
    may_edit_record,
    may_edit_records,
    may_read_record,
)
from vetrina.content.menus import public_menus
from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.permissions import (
    CannotCreateRecord,
    CannotDeleteRecord,
    CannotEditRecord,
    CannotReadRecord,
    ForbiddenRecordContext,
    RecordExists,
)
from vetrina.content.types.registry import MENU_ITEM
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.fields import EDIT


class CannotViewMenus(PermissionDenied):
    """Menus are for those who write content."""

    code = "rest_cannot_view"
    message = "You may not see menus."


def may_view_all_menus(work: UnitOfWork) -> bool:
    """Return whether the caller designs the site or writes records of any type; others see public menus only."""
    user = work.user
    if user.can("edit_theme_options") or user.can_somewhere("edit_posts"):
        return True
    return any(may_edit_records(user, type) for type in work.site.types.values())


def require_menu_view_permission(work: UnitOfWork, public: bool = False) -> None:
    """Raise CannotViewMenus for a caller who may not view all menus, unless what is asked for is public."""
    if not public and not may_view_all_menus(work):
        raise CannotViewMenus(bool(work.user))


def list_hidden_kinds(call: Call) -> frozenset[str]:
    """Return the types and taxonomies that are closed to the caller."""
    gate = call.work.site.gate
    return gate.list_hidden_types(call.work, call.work.user, call.request) if gate is not None else frozenset()


def require_location_permission(call: Call) -> None:
    """Those who write records of any type or design the site; everybody for the public ones."""
    public = public_menus.list_public_locations(call.work)
    require_menu_view_permission(
        call.work, call.args["location"] in public if "location" in call.args else bool(public)
    )


# -- items


def get_item_record(call: Call) -> Record:
    """Return the record of the item that the call addresses. Raises RecordNotFound."""
    kept: Record | None = call.lookups.get("item")
    id = call.args.get("id")
    if kept is None or kept.id != id:
        kept = records.get_record(call.work, MENU_ITEM, id if isinstance(id, int) else 0)
        call.lookups["item"] = kept
    return kept


def require_item_list_permission(call: Call) -> None:
    """Those who write records of any type or design the site, everybody for public menus; editing: designers."""
    user = call.work.user
    if call.args.get("context") == EDIT and not may_edit_records(user, MENU_ITEM):
        raise ForbiddenRecordContext(bool(user))
    require_menu_view_permission(call.work, public=bool(public_menus.list_public_locations(call.work)))


def require_item_read_permission(call: Call) -> None:
    """Those who write records of any type or design the site, everybody for public menus; editing: designers."""
    found, user = get_item_record(call), call.work.user
    if call.args.get("context") == EDIT and not may_edit_record(user, MENU_ITEM, found):
        raise ForbiddenRecordContext(bool(user))
    if not may_read_record(user, MENU_ITEM, found):
        raise CannotReadRecord(bool(user))
    if not may_view_all_menus(call.work):
        require_menu_view_permission(call.work, found.id in list_public_item_ids(call))


def list_public_item_ids(call: Call) -> list[int]:
    """Return the ids of the items that visitors see."""
    work, hidden = call.work, list_hidden_kinds(call)
    found = (public_menus.list_public_items(work, id, hidden) for id in sorted(public_menus.list_public_menu_ids(work)))
    return [item.record.id for items in found for item, _ in items]


def require_item_create_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if call.raw.get("id"):
        raise RecordExists
    if not may_create_record(user, MENU_ITEM):
        raise CannotCreateRecord(bool(user))


def require_item_update_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found, user = get_item_record(call), call.work.user
    if not may_edit_record(user, MENU_ITEM, found):
        raise CannotEditRecord(bool(user))


def require_item_delete_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found, user = get_item_record(call), call.work.user
    if not may_delete_record(user, MENU_ITEM, found):
        raise CannotDeleteRecord(bool(user))

"""Routes of menu items: the collection, the item, its autosaves.

Not here: members and arguments (content/menus/item_schema.py), what an item takes from its original
(content/menus/item_rules.py), menus (content/menus/routes.py). Rules: docs/rules/menus.md, 2, 9 and 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from vetrina.access.roles.capabilities import (
    may_create_record,
    may_delete_record,
    may_edit_record,
    may_edit_records,
    may_read_record,
)
from vetrina.content.menus import item_links, item_model, item_rules, item_schema, public_menus
from vetrina.content.menus.item_schema import (
    MenuItemRecordView,
    build_menu_item_links,
    build_menu_item_serializer,
    build_menu_item_view,
)
from vetrina.content.menus.routes import (
    CannotViewMenus,
    list_hidden_kinds,
    may_view_all_menus,
    require_menu_view_permission,
)
from vetrina.content.records import listing as record_listing, rules as records
from vetrina.content.records.list_arguments import build_record_query
from vetrina.content.records.model import Record
from vetrina.content.records.permissions import (
    CannotCreateRecord,
    CannotDeleteRecord,
    CannotEditRecord,
    CannotReadRecord,
    ForbiddenRecordContext,
    RecordExists,
)
from vetrina.content.revisions import routes as revision_routes
from vetrina.content.translations.language_schema import remove_language_arguments
from vetrina.content.types.registry import MENU_ITEM
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.fields import EDIT, VIEW, Integer
from vetrina.rest.resource import ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import Route

# Its autosaves hold the title only: an item has no other text that takes long to write.
_AUTOSAVED_TYPE = replace(MENU_ITEM, supports=frozenset({"title"}))


class _AutosavedItems:
    """What the autosaves of items need to know of the items."""

    def require_update_permission(self, call: Call) -> None:
        _require_update_permission(call)

    def get_record(self, call: Call) -> Record:
        return _get_item_record(call)

    def extract_written_members(self, call: Call) -> dict[str, Any]:
        return {name: call.args[name] for name in ("title",) if name in call.args.given_names}


# -- permissions


def _get_item_record(call: Call) -> Record:
    """Return the record of the item that the call addresses. Raises RecordNotFound."""
    kept: Record | None = call.lookups.get("item")
    id = call.args.get("id")
    if kept is None or kept.id != id:
        kept = records.get_record(call.work, MENU_ITEM, id if isinstance(id, int) else 0)
        call.lookups["item"] = kept
    return kept


def _require_list_permission(call: Call) -> None:
    """Those who write records of any type or design the site, everybody for public menus; editing: designers."""
    user = call.work.user
    if call.args.get("context") == EDIT and not may_edit_records(user, MENU_ITEM):
        raise ForbiddenRecordContext(bool(user))
    require_menu_view_permission(call.work, public=bool(public_menus.list_public_locations(call.work)))


def _require_read_permission(call: Call) -> None:
    """Those who write records of any type or design the site, everybody for public menus; editing: designers."""
    found, user = _get_item_record(call), call.work.user
    if call.args.get("context") == EDIT and not may_edit_record(user, MENU_ITEM, found):
        raise ForbiddenRecordContext(bool(user))
    if not may_read_record(user, MENU_ITEM, found):
        raise CannotReadRecord(bool(user))
    if not may_view_all_menus(call.work):
        require_menu_view_permission(call.work, found.id in _list_public_item_ids(call))


def _list_public_item_ids(call: Call) -> list[int]:
    """Return the ids of the items that visitors see."""
    work, hidden = call.work, list_hidden_kinds(call)
    found = (public_menus.list_public_items(work, id, hidden) for id in sorted(public_menus.list_public_menu_ids(work)))
    return [item.record.id for items in found for item, _ in items]


def _require_create_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if call.raw.get("id"):
        raise RecordExists
    if not may_create_record(user, MENU_ITEM):
        raise CannotCreateRecord(bool(user))


def _require_update_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found, user = _get_item_record(call), call.work.user
    if not may_edit_record(user, MENU_ITEM, found):
        raise CannotEditRecord(bool(user))


def _require_delete_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found, user = _get_item_record(call), call.work.user
    if not may_delete_record(user, MENU_ITEM, found):
        raise CannotDeleteRecord(bool(user))


# -- what the routes do


def _load_view(call: Call, found: Sequence[Record]) -> MenuItemRecordView:
    return build_menu_item_view(call.work, found, call.args.get("context") or EDIT)


def _remove_empty_menus(call: Call, found: Sequence[Record], bodies: Sequence[dict[str, Any]]) -> None:
    for body in bodies:
        if body.get("menus", 0) is None:
            del body["menus"]


def _list_menu_items(call: Call) -> ListPage[Record]:
    work = call.work
    query = build_record_query(call, MENU_ITEM)
    if query.orderby == "parent":
        # The parent of an item is an item; the parent of its record is always 0.
        query = structs.replace(query, orderby="item_parent")
    if not may_view_all_menus(work):
        public = _list_public_item_ids(call)
        # No item has the number 0, and an empty filter would ask for all.
        query = structs.replace(query, include=tuple(id for id in query.include or public if id in public) or (0,))
    found, total = record_listing.list_records(work, query)
    may = may_edit_record if call.args["context"] == EDIT else may_read_record
    view = _load_view(call, [one for one in found if may(work.user, MENU_ITEM, one)])
    return ListPage([one for one in found if one.id in view.items], total, query.page, query.per_page, view)


def _create_menu_item(call: Call) -> Record:
    # An item has a status and a position even where none is sent, so defaults count as written.
    args = {name: value for name, value in call.args.items() if name != "mlang_language"}
    return item_rules.create_menu_item(call.work, args).record


def _update_menu_item(call: Call, found: Record) -> Record:
    work = call.work
    given = {name: call.args[name] for name in call.args.given_names if name not in ("id", "mlang_language")}
    new = item_rules.update_menu_item(work, item_model.load_menu_items(work, [found])[found.id], given)
    call.lookups["item"] = new.record
    return new.record


def _find_item_to_delete(call: Call) -> Record:
    # A deleted item cannot be edited, so it is shown as readers saw it.
    call.args["context"] = VIEW
    return _get_item_record(call)


def _delete_menu_item(call: Call, found: Record) -> None:
    item_links.delete_menu_item(call.work, found.id)
    call.lookups.clear()


def build_resource(site: SiteContext) -> Resource[Record]:
    """Return the menu items of a site as a resource."""
    invalid = (
        item_rules.MenuItemTitleRequired, item_rules.MenuItemUrlRequired, item_rules.InvalidMenu,
        item_rules.InvalidMenuArchive,
    )  # fmt: skip
    return Resource(
        title=MENU_ITEM.name,
        path=MENU_ITEM.path,
        key={"id": Integer("Number of the item.", early=True, null="keep")},
        serializer=build_menu_item_serializer(site),
        load_view=_load_view,
        finish=_remove_empty_menus,
        find=_get_item_record,
        trash_unsupported=TrashUnsupported,
        deleted="previous",
        batch=True,
        build_view_links=build_menu_item_links,
        list=Operation(
            _list_menu_items, _require_list_permission, item_schema.build_list_arguments(site),
            (ForbiddenRecordContext, CannotViewMenus),
        ),
        create=Operation(
            _create_menu_item, _require_create_permission, item_schema.build_write_arguments(site, creating=True),
            (
                RecordExists, CannotCreateRecord, *invalid, item_rules.MenuOriginalNotFound,
                item_rules.MenuTermNotFound,
            ),
        ),
        read=Operation(
            _get_item_record, _require_read_permission,
            errors=(records.RecordNotFound, ForbiddenRecordContext, CannotReadRecord, CannotViewMenus),
        ),
        update=Operation(
            _update_menu_item, _require_update_permission, item_schema.build_write_arguments(site),
            (records.RecordNotFound, CannotEditRecord, *invalid),
        ),
        delete=Operation(
            _delete_menu_item, _require_delete_permission, errors=(records.RecordNotFound, CannotDeleteRecord),
            find=_find_item_to_delete,
        ),
    )  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of menu items."""
    writes = remove_language_arguments(item_schema.build_write_arguments(site))
    autosaves = revision_routes.build_routes(site, _AUTOSAVED_TYPE, writes, _AutosavedItems())
    return (*build_resource(site).build_routes(), *autosaves)

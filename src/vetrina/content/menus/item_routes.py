"""Routes of menu items: the collection, the item.

Not here: its autosaves (content/menus/item_autosave_routes.py), members and arguments (content/menus/item_schema.py),
what an item takes from its original (content/menus/item_rules.py), menus (content/menus/routes.py). Rules:
docs/rules/menus.md, 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from vetrina.access.roles.capabilities import (
    may_edit_record,
    may_read_record,
)
from vetrina.content.menus import (
    item_autosave_routes,
    item_links,
    item_model,
    item_rules,
    item_schema,
)
from vetrina.content.menus.item_schema import (
    MenuItemRecordView,
    build_menu_item_links,
    build_menu_item_serializer,
    build_menu_item_view,
)
from vetrina.content.menus.permissions import (
    CannotViewMenus,
    get_item_record,
    list_public_item_ids,
    may_view_all_menus,
    require_item_create_permission,
    require_item_delete_permission,
    require_item_list_permission,
    require_item_read_permission,
    require_item_update_permission,
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
from vetrina.content.types.registry import MENU_ITEM
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.fields import EDIT, VIEW, Integer
from vetrina.rest.resource import ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import Route

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
        public = list_public_item_ids(call)
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
    return get_item_record(call)


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
        find=get_item_record,
        trash_unsupported=TrashUnsupported,
        deleted="previous",
        batch=True,
        build_view_links=build_menu_item_links,
        list=Operation(
            _list_menu_items, require_item_list_permission, item_schema.build_list_arguments(site),
            (ForbiddenRecordContext, CannotViewMenus),
        ),
        create=Operation(
            _create_menu_item, require_item_create_permission, item_schema.build_write_arguments(site, creating=True),
            (
                RecordExists, CannotCreateRecord, *invalid, item_rules.MenuOriginalNotFound,
                item_rules.MenuTermNotFound,
            ),
        ),
        read=Operation(
            get_item_record, require_item_read_permission,
            errors=(records.RecordNotFound, ForbiddenRecordContext, CannotReadRecord, CannotViewMenus),
        ),
        update=Operation(
            _update_menu_item, require_item_update_permission, item_schema.build_write_arguments(site),
            (records.RecordNotFound, CannotEditRecord, *invalid),
        ),
        delete=Operation(
            _delete_menu_item, require_item_delete_permission, errors=(records.RecordNotFound, CannotDeleteRecord),
            find=_find_item_to_delete,
        ),
    )  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of menu items."""
    return (*build_resource(site).build_routes(), *item_autosave_routes.build_routes(site))

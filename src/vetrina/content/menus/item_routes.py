"""Routes of menu items: the collection, the item, its autosaves.

Not here: members and arguments (content/menus/item_schema.py), what an item takes from its original
(content/menus/item_rules.py), menus (content/menus/routes.py). Rules: docs/rules/menus.md, 2, 9 and 10.
"""

from __future__ import annotations

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
from vetrina.content.menus import item_links, item_model, item_rules, item_schema
from vetrina.content.menus.item_schema import (
    MENU_ITEM_SERIALIZER,
    MenuItemRecordView,
    build_menu_item_links,
    build_menu_item_view,
)
from vetrina.content.menus.routes import CannotViewMenus, require_menu_view_permission
from vetrina.content.records import listing as record_listing, rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.query_arguments import build_record_query
from vetrina.content.records.routes import (
    CannotCreateRecord,
    CannotDeleteRecord,
    CannotEditRecord,
    CannotReadRecord,
    ForbiddenRecordContext,
    RecordExists,
    RecordRoutes,
)
from vetrina.content.revisions import routes as revision_routes
from vetrina.content.translations.language_schema import remove_language_arguments
from vetrina.content.types.registry import MENU_ITEM
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest import common_arguments
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, Integer
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import parse_field_selection

__all__ = ["build_routes"]

_PATH = MENU_ITEM.path

# Its autosaves hold the title only: an item has no other text that takes long to write.
_AUTOSAVED_TYPE = replace(MENU_ITEM, supports=frozenset({"title"}))


class MenuItemTrashUnsupported(ApiError):
    """Items can only be removed for good."""

    failure, code = Failure.NOT_IMPLEMENTED, "rest_trash_not_supported"
    message = "Menu items have no trash. Send force=true to remove this one for good."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of menu items."""
    item = f"{_PATH}/{{id}}"
    id = {"id": Integer("Number of the item.", early=True, null="keep")}
    writes, schema = item_schema.build_write_arguments(), item_schema.build_menu_item_schema
    return (
        Route(
            READ,
            _PATH,
            _list_menu_items,
            item_schema.build_list_arguments(frame),
            _require_list_permission,
            schema,
            batch=True,
            errors=(ForbiddenRecordContext, CannotViewMenus),
        ),
        Route(
            WRITE,
            _PATH,
            _create_menu_item,
            item_schema.build_write_arguments(creating=True),
            _require_create_permission,
            schema,
            batch=True,
            errors=(
                RecordExists,
                CannotCreateRecord,
                item_rules.MenuItemTitleRequired,
                item_rules.MenuItemUrlRequired,
                item_rules.InvalidMenu,
                item_rules.InvalidMenuArchive,
                item_rules.MenuOriginalNotFound,
                item_rules.MenuTermNotFound,
            ),
        ),
        Route(
            READ,
            item,
            _read_menu_item,
            {**id, "context": common_arguments.build_context_argument()},
            _require_read_permission,
            schema,
            batch=True,
            errors=(records.RecordNotFound, ForbiddenRecordContext, CannotReadRecord, CannotViewMenus),
        ),
        Route(
            CHANGE,
            item,
            _update_menu_item,
            {**id, **writes},
            _require_update_permission,
            schema,
            batch=True,
            errors=(
                records.RecordNotFound,
                CannotEditRecord,
                item_rules.MenuItemTitleRequired,
                item_rules.MenuItemUrlRequired,
                item_rules.InvalidMenu,
                item_rules.InvalidMenuArchive,
            ),
        ),
        Route(
            REMOVE,
            item,
            _delete_menu_item,
            {**id, "force": common_arguments.build_force_argument()},
            _require_delete_permission,
            schema,
            batch=True,
            errors=(records.RecordNotFound, CannotDeleteRecord, MenuItemTrashUnsupported),
        ),
        *revision_routes.build_routes(
            frame, _AUTOSAVED_TYPE, remove_language_arguments(writes), _MenuItemAutosaveRoutes(frame, _AUTOSAVED_TYPE)
        ),
    )


class _MenuItemAutosaveRoutes(RecordRoutes):
    """What the autosaves of items need of the routes of records."""

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
    """Those who write records of any type or design the site; the editing view is for designers."""
    user = call.work.user
    if call.args.get("context") == EDIT and not may_edit_records(user, MENU_ITEM):
        raise ForbiddenRecordContext(bool(user))
    require_menu_view_permission(call.work)


def _require_read_permission(call: Call) -> None:
    """Those who write records of any type or design the site; the editing view is for designers."""
    found, user = _get_item_record(call), call.work.user
    if call.args.get("context") == EDIT and not may_edit_record(user, MENU_ITEM, found):
        raise ForbiddenRecordContext(bool(user))
    if not may_read_record(user, MENU_ITEM, found):
        raise CannotReadRecord(bool(user))
    require_menu_view_permission(call.work)


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


# -- handlers


def _list_menu_items(call: Call) -> Result:
    work = call.work
    context = call.args["context"]
    query = build_record_query(call, MENU_ITEM)
    if query.orderby == "parent":
        # The parent of an item is an item; the parent of its record is always 0.
        query = structs.replace(query, orderby="item_parent")
    found, total = record_listing.list_records(work, query)
    may = may_edit_record if context == EDIT else may_read_record
    view = build_menu_item_view(work, [one for one in found if may(work.user, MENU_ITEM, one)], context)
    wanted = parse_field_selection(call.request.raw("_fields"))
    with_links = wanted is None or wanted.has_links()
    body = []
    for one in found:
        if one.id not in view.items:
            continue
        members = _serialize_menu_item(view, one, wanted)
        if with_links:
            members["_links"] = build_menu_item_links(view, one)
        body.append(members)
    headers, pages = build_page_headers(call, total, query.per_page, query.page)
    return Result(body, headers=headers, links=pages)


def _serialize_menu_item(view: MenuItemRecordView, of: Record, wanted: Any = None) -> dict[str, Any]:
    members = MENU_ITEM_SERIALIZER.serialize(of, view, view.context, wanted)
    if members.get("menus", 0) is None:
        del members["menus"]
    return members


def _read_menu_item(call: Call) -> Result:
    return _build_menu_item_result(call, _get_item_record(call), call.args["context"])


def _create_menu_item(call: Call) -> Result:
    work = call.work
    # An item has a status and a position even where none is sent, so defaults count as written.
    args = {name: value for name, value in call.args.items() if name != "mlang_language"}
    new = item_rules.create_menu_item(work, args)
    result = _build_menu_item_result(call, new.record, EDIT)
    result.status = 201
    result.headers["Location"] = work.api(f"{_PATH}/{new.record.id}")
    return result


def _update_menu_item(call: Call) -> Result:
    work = call.work
    found = _get_item_record(call)
    given = {name: call.args[name] for name in call.args.given_names if name not in ("id", "mlang_language")}
    new = item_rules.update_menu_item(work, item_model.load_menu_items(work, [found])[found.id], given)
    call.lookups["item"] = new.record
    return _build_menu_item_result(call, new.record, EDIT)


def _delete_menu_item(call: Call) -> Result:
    work = call.work
    found = _get_item_record(call)
    if not call.args["force"]:
        raise MenuItemTrashUnsupported
    # A deleted item cannot be edited, so it is shown as readers saw it.
    previous = _serialize_menu_item(build_menu_item_view(work, [found], "view"), found)
    item_links.delete_menu_item(work, found.id)
    call.lookups.clear()
    return Result({"deleted": True, "previous": previous})


def _build_menu_item_result(call: Call, of: Record, context: str) -> Result:
    view = build_menu_item_view(call.work, [of], context)
    wanted = parse_field_selection(call.request.raw("_fields"))
    return Result(_serialize_menu_item(view, of, wanted), rels=build_menu_item_links(view, of))

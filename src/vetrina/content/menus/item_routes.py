"""Items of menus: the collection, the item, its autosaves.

Not here: members and arguments (content/menus/item_schema.py), what an item takes from its original
(content/menus/item_rules.py), menus (content/menus/routes.py). Rules: facts, "Menu items".
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import structs

from vetrina.access.roles.capabilities import may_create, may_delete, may_edit, may_edit_type, may_read
from vetrina.content.menus import item_links, item_model, item_rules, item_schema
from vetrina.content.menus.item_schema import SHAPE, View, links, view_of
from vetrina.content.menus.routes import CannotView, check_view
from vetrina.content.records import listing as record_listing
from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.query_arguments import query_of
from vetrina.content.records.routes import (
    CannotCreate,
    CannotDelete,
    CannotEdit,
    Forbidden,
    ForbiddenContext,
    RecordExists,
    RecordRoutes,
)
from vetrina.content.revisions import routes as revision_routes
from vetrina.content.translations.language_schema import without_languages
from vetrina.content.types.registry import MENU_ITEM
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.rest import common_arguments
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, Integer
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import choice

__all__ = ["routes"]

_PATH = MENU_ITEM.path

# Its autosaves hold the title: an item has no other text that somebody writes for long.
_SAVED = replace(MENU_ITEM, supports=frozenset({"title"}))


class NoTrash(ApiError):
    """Items are removed for good only."""

    status, code = 501, "rest_trash_not_supported"
    message = "Menu items have no trash. Send force=true to remove this one for good."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of menu items."""
    item = f"{_PATH}/{{id}}"
    id = {"id": Integer("Number of the item.", early=True, null="keep")}
    writes, schema = item_schema.write_arguments(), item_schema.schema
    return (
        Route(READ, _PATH, _listed, item_schema.list_arguments(frame), _may_list, schema, batch=True,
              errors=(ForbiddenContext, CannotView)),
        Route(WRITE, _PATH, _created, item_schema.write_arguments(creating=True), _may_create, schema, batch=True,
              errors=(RecordExists, CannotCreate, item_rules.TitleRequired, item_rules.UrlRequired,
                      item_rules.InvalidMenu, item_rules.InvalidArchive, item_rules.OriginalUnknown,
                      item_rules.TermUnknown)),
        Route(READ, item, _read, {**id, "context": common_arguments.context()}, _may_see, schema, batch=True,
              errors=(records.RecordUnknown, ForbiddenContext, Forbidden, CannotView)),
        Route(CHANGE, item, _changed, {**id, **writes}, _may_change, schema, batch=True,
              errors=(records.RecordUnknown, CannotEdit, item_rules.TitleRequired, item_rules.UrlRequired,
                      item_rules.InvalidMenu, item_rules.InvalidArchive)),
        Route(REMOVE, item, _removed, {**id, "force": common_arguments.force()}, _may_remove, schema, batch=True,
              errors=(records.RecordUnknown, CannotDelete, NoTrash)),
        *revision_routes.routes(frame, _SAVED, without_languages(writes), _Autosaved(frame, _SAVED)),
    )  # fmt: skip


class _Autosaved(RecordRoutes):
    """What the autosaves of items ask of their routes."""

    def may_change(self, call: Call) -> None:
        _may_change(call)

    def record_of(self, call: Call) -> Record:
        return _found(call)

    def given(self, call: Call) -> dict[str, Any]:
        return {name: call.args[name] for name in ("title",) if name in call.args.given}


# -- rights


def _found(call: Call) -> Record:
    """Return the record of the item that the call names. Raises RecordUnknown."""
    kept: Record | None = call.kept.get("item")
    id = call.args.get("id")
    if kept is None or kept.id != id:
        kept = records.existing(call.work, MENU_ITEM, id if isinstance(id, int) else 0)
        call.kept["item"] = kept
    return kept


def _may_list(call: Call) -> None:
    """Those who write records of any type or design the site; the editing view is for designers."""
    user = call.work.user
    if call.args.get("context") == EDIT and not may_edit_type(user, MENU_ITEM):
        raise ForbiddenContext(bool(user))
    check_view(call.work)


def _may_see(call: Call) -> None:
    """Those who write records of any type or design the site; the editing view is for designers."""
    found, user = _found(call), call.work.user
    if call.args.get("context") == EDIT and not may_edit(user, MENU_ITEM, found):
        raise ForbiddenContext(bool(user))
    if not may_read(user, MENU_ITEM, found):
        raise Forbidden(bool(user))
    check_view(call.work)


def _may_create(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if call.raw.get("id"):
        raise RecordExists
    if not may_create(user, MENU_ITEM):
        raise CannotCreate(bool(user))


def _may_change(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found, user = _found(call), call.work.user
    if not may_edit(user, MENU_ITEM, found):
        raise CannotEdit(bool(user))


def _may_remove(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found, user = _found(call), call.work.user
    if not may_delete(user, MENU_ITEM, found):
        raise CannotDelete(bool(user))


# -- handlers


def _listed(call: Call) -> Result:
    work: Work = call.work
    context = call.args["context"]
    query = query_of(call, MENU_ITEM)
    if query.orderby == "parent":
        # What is above an item is an item; above its record there is nothing.
        query = structs.replace(query, orderby="item_parent")
    found, total = record_listing.listed_page(work, query)
    may = may_edit if context == EDIT else may_read
    view = view_of(work, [one for one in found if may(work.user, MENU_ITEM, one)], context)
    wanted = choice(call.request.raw("_fields"))
    with_links = wanted is None or wanted.names_links()
    body = []
    for one in found:
        if one.id not in view.items:
            continue
        members = _members(view, one, wanted)
        if with_links:
            members["_links"] = links(view, one)
        body.append(members)
    headers, pages = page_headers(call, total, query.per_page, query.page)
    return Result(body, headers=headers, links=pages)


def _members(view: View, of: Record, wanted: Any = None) -> dict[str, Any]:
    members = SHAPE.members(of, view, view.context, wanted)
    if members.get("menus", 0) is None:
        del members["menus"]
    return members


def _read(call: Call) -> Result:
    return _item(call, _found(call), call.args["context"])


def _created(call: Call) -> Result:
    work: Work = call.work
    # An item has a status and a place even where nobody names them, so defaults count as written.
    args = {name: value for name, value in call.args.items() if name != "mlang_language"}
    new = item_rules.create(work, args)
    result = _item(call, new.record, EDIT)
    result.status = 201
    result.headers["Location"] = work.api(f"{_PATH}/{new.record.id}")
    return result


def _changed(call: Call) -> Result:
    work: Work = call.work
    found = _found(call)
    given = {name: call.args[name] for name in call.args.given if name not in ("id", "mlang_language")}
    new = item_rules.change(work, item_model.of_records(work, [found])[found.id], given)
    call.kept["item"] = new.record
    return _item(call, new.record, EDIT)


def _removed(call: Call) -> Result:
    work: Work = call.work
    found = _found(call)
    if not call.args["force"]:
        raise NoTrash
    # Nobody edits what is gone, so it is shown as readers saw it.
    previous = _members(view_of(work, [found], "view"), found)
    item_links.drop(work, found.id)
    call.kept.clear()
    return Result({"deleted": True, "previous": previous})


def _item(call: Call, of: Record, context: str) -> Result:
    view = view_of(call.work, [of], context)
    wanted = choice(call.request.raw("_fields"))
    return Result(_members(view, of, wanted), rels=links(view, of))

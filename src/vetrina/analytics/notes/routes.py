"""Routes of the notes to the shop's managers: list, read, act on, delete, restore.

Not here: when notes are written (analytics/notes/rules.py). Rules: docs/rules/analytics_exports.md, 5; the members of a
note and of its actions are those that clients of this interface know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from vetrina.analytics.notes import rules as notes
from vetrina.analytics.notes.rules import ORDERS, STATUSES, TYPES, AdminNote, AdminNoteAction, AdminNoteNotFound
from vetrina.analytics.reports.arguments import PATH
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest import coercion
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import ABSENT, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.response_fields import Free, Nothing, RecordOf, build_text_fields
from vetrina.rest.route import CHANGE, READ, REMOVE, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import permissions as shop_permissions

_BASE: Final = f"{PATH}/admin/notes"


class PromotionNotFound(ApiError):
    failure, code = Failure.UNPROCESSABLE, "shop_note_invalid_promo_note_name"
    message = "There is no promotion of this name."


_CHANGES: Final[Mapping[str, Field]] = {
    "status": String("What became of it.", enum=STATUSES, null="keep"),
    "date_reminder": String("When to show it again.", format="date-time", null="keep", unset=(None,)),
    "is_deleted": Boolean("Whether it is gone.", null="keep"),
    "is_read": Boolean("Whether somebody has read it.", null="keep"),
}


_RESPONSE_FIELDS: Final[dict[str, Field]] = {
    **build_text_fields("name", "locale", "source", "layout", "image", "date_created", "date_created_gmt"),
    "date_reminder_gmt": String(nullable=True),
    "is_snoozable": Boolean(),
    "content_data": Free("What the text is made of; nothing yet."),
    "actions": Array(
        "What can be done about it.",
        items=Object(
            properties={
                "id": Integer(),
                **build_text_fields("name", "label", "query", "status", "actioned_text", "url"),
                "primary": Boolean(),
                "nonce_action": Nothing(),
                "nonce_name": Nothing(),
            }
        ),
    ),
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of notes."""
    id = {"id": Integer("Number of the note.")}
    action = {"note_id": Integer("Number of the note."), "action_id": Integer("Number of the action.")}
    promo = {"promo_note_name": String("Name of the promotion.")}
    statuses = Array("Only of these statuses.", items=String(enum=STATUSES), null="keep")
    listing: dict[str, Field] = {
        "context": String("Scope of the answer.", enum=("view", "edit"), default="view", null="keep"),
        "order": String("Order of the notes.", enum=("asc", "desc"), default="desc", null="keep"),
        "orderby": String("Sort by this.", enum=tuple(ORDERS), default="date", null="keep"),
        "page": Integer("Page of the list.", default=1, minimum=1, null="keep"),
        "per_page": Integer("Most items of a page.", default=10, minimum=1, maximum=100, null="keep"),
        "type": Array("Only of these types.", items=String(enum=TYPES), null="keep"),
        "status": statuses,
        "source": Array("Only from these sources.", items=String(), null="keep"),
    }
    several = {"noteIds": Array("Numbers of notes.", items=Integer(), null="keep"), **_CHANGES}
    number, gone = r"{id:[\d-]+}", (AdminNoteNotFound,)
    acted = rf"{_BASE}/{{note_id:[\d-]+}}/action/{{action_id:[\d-]+}}"
    return (
        Route(
            READ,
            _BASE,
            _list_notes,
            listing,
            shop_permissions.require_view_permission,
            _build_note_schema,
            answers="many",
            response_fields=_RESPONSE_FIELDS,
        ),
        Route(
            READ,
            f"{_BASE}/{number}",
            _read_note,
            id,
            shop_permissions.require_view_permission,
            _build_note_schema,
            errors=gone,
            response_fields=_RESPONSE_FIELDS,
        ),
        Route(
            CHANGE,
            f"{_BASE}/{number}",
            _update_note,
            {**id, **_CHANGES},
            shop_permissions.require_edit_permission,
            _build_note_schema,
            errors=gone,
            response_fields=_RESPONSE_FIELDS,
        ),
        Route(
            REMOVE,
            f"{_BASE}/delete/{number}",
            _delete_note,
            id,
            shop_permissions.require_edit_permission,
            errors=gone,
            answers=RecordOf(record=_build_note_schema, response_fields=_RESPONSE_FIELDS),
        ),
        Route(
            REMOVE,
            f"{_BASE}/delete/all",
            _delete_all_notes,
            {"status": statuses},
            shop_permissions.require_edit_permission,
            answers=Array(items=RecordOf(record=_build_note_schema, response_fields=_RESPONSE_FIELDS)),
        ),
        Route(
            CHANGE,
            f"{_BASE}/update",
            _update_notes,
            several,
            shop_permissions.require_edit_permission,
            errors=gone,
            answers=Array(items=RecordOf(record=_build_note_schema, response_fields=_RESPONSE_FIELDS)),
        ),
        Route(
            CHANGE,
            acted,
            _run_note_action,
            action,
            shop_permissions.require_edit_permission,
            errors=gone,
            answers=RecordOf(record=_build_note_schema, response_fields=_RESPONSE_FIELDS),
        ),
        Route(
            CHANGE,
            f"{_BASE}/experimental-activate-promo/{{promo_note_name:[\\w-]+}}",
            _activate_promotion,
            promo,
            shop_permissions.require_edit_permission,
            errors=(PromotionNotFound,),
            answers=Nothing(),
        ),
    )


def _list_notes(call: Call) -> Result:
    args = call.args

    def wanted(name: str) -> Sequence[str]:
        return tuple(coercion.coerce_array(args[name]) or ()) if args.get(name) not in (None, ABSENT) else ()

    found, total = notes.list_admin_notes(
        call.work, types=wanted("type"), statuses=wanted("status"), sources=wanted("source"),
        orderby=args["orderby"], order=args["order"], page=args["page"], per_page=args["per_page"],
    )  # fmt: skip
    headers, links = build_page_headers(call, total, args["per_page"], args["page"])
    return Result(_serialize_notes(call, found), headers=headers, links=links)


def _read_note(call: Call) -> Result:
    return _build_note_result(call, notes.get_admin_note(call.work, call.args["id"]))


def _update_note(call: Call) -> Result:
    return _build_note_result(call, notes.update_admin_note(call.work, call.args["id"], _parse_note_changes(call)))


def _delete_note(call: Call) -> Result:
    """Delete a note."""
    return _build_note_result(call, notes.update_admin_note(call.work, call.args["id"], {"deleted": True}))


def _delete_all_notes(call: Call) -> Result:
    """Delete every note, or those of some statuses."""
    statuses = call.args.get("status")
    found = notes.delete_admin_notes(call.work, tuple(statuses) if statuses not in (None, ABSENT) else ())
    return Result(_serialize_notes(call, found))


def _update_notes(call: Call) -> Result:
    """Change several notes in one request."""
    given, ids = _parse_note_changes(call), call.args.get("noteIds")
    numbers = ids if isinstance(ids, list) else []
    return Result(
        _serialize_notes(call, [notes.update_admin_note(call.work, id, given) for id in dict.fromkeys(numbers)])
    )


def _run_note_action(call: Call) -> Result:
    """Run an action of a note, and mark the note as actioned."""
    return _build_note_result(call, notes.apply_note_action(call.work, call.args["note_id"], call.args["action_id"]))


def _activate_promotion(call: Call) -> Result:
    """Report that there is no promotion of this name."""
    raise PromotionNotFound


def _parse_note_changes(call: Call) -> dict[str, Any]:
    """Return the changes of a write, by the names of a note's members."""
    args, out = call.args, {}
    for name, member in (("status", "status"), ("is_deleted", "deleted"), ("is_read", "read")):
        if args.get(name) not in (None, ABSENT):
            out[member] = args[name]
    if args.get("date_reminder"):
        out["reminder"] = call.work.zone.parse_nearest(args["date_reminder"])[1]
    return out


# -- serialization


def _build_note_result(call: Call, one: AdminNote) -> Result:
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = _serialize_note(call, one)
    return Result(
        body if wanted is None else select_fields(body, wanted.tree), rels=_build_links(call, one), keeps_links=True
    )


def _serialize_notes(call: Call, notes: Sequence[AdminNote]) -> list[dict[str, Any]]:
    wanted = parse_field_selection(call.request.raw("_fields"))
    shown = [{**_serialize_note(call, one), "_links": _build_links(call, one)} for one in notes]
    return shown if wanted is None else [select_fields(one, wanted.tree) for one in shown]


def _build_links(call: Call, one: AdminNote) -> dict[str, Any]:
    base = call.work.api(_BASE)
    return {"self": [{"href": f"{base}/{one.id}"}], "collection": [{"href": base}]}


_GETTERS: Final[dict[str, Callable[[Call, AdminNote], Any]]] = {
    "id": lambda call, one: one.id,
    "name": lambda call, one: f"{one.name}-{one.subject}" if one.subject else one.name,
    "type": lambda call, one: one.type,
    "locale": lambda call, one: "en_US",
    "title": lambda call, one: one.title,
    "content": lambda call, one: one.content,
    "content_data": lambda call, one: {},
    "status": lambda call, one: one.status,
    "source": lambda call, one: one.source,
    "date_created": lambda call, one: times.format_iso(call.work.zone.to_local(one.created)),
    "date_reminder": lambda call, one: _format_local_time(call, one.reminder),
    "is_snoozable": lambda call, one: one.snoozable,
    "actions": lambda call, one: [_serialize_action(call, each) for each in one.actions],
    "layout": lambda call, one: "plain",
    "image": lambda call, one: "",
    "is_deleted": lambda call, one: one.deleted,
    "is_read": lambda call, one: one.read,
    "date_created_gmt": lambda call, one: times.format_iso(one.created),
    "date_reminder_gmt": lambda call, one: None if one.reminder is None else times.format_iso(one.reminder),
}


def _serialize_note(call: Call, one: AdminNote) -> dict[str, Any]:
    return {name: getter(call, one) for name, getter in _GETTERS.items()}


def _format_local_time(call: Call, instant: int | None) -> str | None:
    return None if instant is None else times.format_iso(call.work.zone.to_local(instant))


def _serialize_action(call: Call, one: AdminNoteAction) -> dict[str, Any]:
    url = f"{call.work.origin}/admin/{one.url}"
    return {
        "id": one.id, "name": one.name, "label": one.label, "query": one.url, "status": one.status, "primary": False,
        "actioned_text": "", "nonce_action": None, "nonce_name": None, "url": url,
    }  # fmt: skip


def _build_note_schema() -> dict[str, Any]:
    members: dict[str, Field] = {
        "id": Integer("Number of the note.", readonly=True), "type": String("Its type.", readonly=True),
        "title": String("Its title.", readonly=True), "content": String("Its text.", readonly=True),
        **_RESPONSE_FIELDS, **_CHANGES,
    }  # fmt: skip
    return Serializer(members, {}).schema("note")

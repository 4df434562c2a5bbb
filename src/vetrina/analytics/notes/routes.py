"""Notes to whoever runs the shop: listed, read, dealt with, deleted and taken back.

Not here: when they are written (analytics/notes/rules.py). Rules: facts, "Settings, notes, data, mirrors"; the
members of a note and of its actions are those that clients of this interface know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from vetrina.analytics.notes import rules as notes
from vetrina.analytics.notes.rules import ORDERS, STATUSES, TYPES, Action, Note, NoteUnknown
from vetrina.analytics.reports.arguments import PATH
from vetrina.core.unit_of_work import Frame
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.rest import coercion
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import ABSENT, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.response_fields import Free, Nothing, RecordOf, texts
from vetrina.rest.route import CHANGE, READ, REMOVE, Route
from vetrina.rest.serializer import Shape, choice, chosen
from vetrina.shop import permissions as shop_permissions

__all__ = ["routes"]

_BASE: Final = f"{PATH}/admin/notes"


class PromotionUnknown(ApiError):
    status, code = 422, "shop_note_invalid_promo_note_name"
    message = "There is no promotion of this name."


_CHANGES: Final[Mapping[str, Field]] = {
    "status": String("What became of it.", enum=STATUSES, null="keep"),
    "date_reminder": String("When to show it again.", format="date-time", null="keep"),
    "is_deleted": Boolean("Whether it is gone.", null="keep"),
    "is_read": Boolean("Whether somebody has read it.", null="keep"),
}


_SHOWS: Final[dict[str, Field]] = {
    **texts("name", "locale", "source", "layout", "image", "date_created", "date_created_gmt"),
    "date_reminder_gmt": String(nullable=True), "is_snoozable": Boolean(),
    "content_data": Free("What the text is made of; nothing yet."),
    "actions": Array("What can be done about it.", items=Object(properties={
        "id": Integer(), **texts("name", "label", "query", "status", "actioned_text", "url"), "primary": Boolean(),
        "nonce_action": Nothing(), "nonce_name": Nothing(),
    })),
}  # fmt: skip


def routes(frame: Frame) -> tuple[Route, ...]:
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
    number, gone = r"{id:[\d-]+}", (NoteUnknown,)
    acted = rf"{_BASE}/{{note_id:[\d-]+}}/action/{{action_id:[\d-]+}}"
    return (
        Route(READ, _BASE, _listed, listing, shop_permissions.viewing, _schema, answers="many", shows=_SHOWS),
        Route(READ, f"{_BASE}/{number}", _read, id, shop_permissions.viewing, _schema, errors=gone, shows=_SHOWS),
        Route(CHANGE, f"{_BASE}/{number}", _changed, {**id, **_CHANGES}, shop_permissions.editing, _schema, errors=gone,
              shows=_SHOWS),
        Route(REMOVE, f"{_BASE}/delete/{number}", _removed, id, shop_permissions.editing, errors=gone,
              answers=RecordOf(record=_schema, shows=_SHOWS)),
        Route(REMOVE, f"{_BASE}/delete/all", _all_removed, {"status": statuses}, shop_permissions.editing,
              answers=Array(items=RecordOf(record=_schema, shows=_SHOWS))),
        Route(CHANGE, f"{_BASE}/update", _several_changed, several, shop_permissions.editing, errors=gone,
              answers=Array(items=RecordOf(record=_schema, shows=_SHOWS))),
        Route(CHANGE, acted, _acted, action, shop_permissions.editing, errors=gone,
              answers=RecordOf(record=_schema, shows=_SHOWS)),
        Route(CHANGE, f"{_BASE}/experimental-activate-promo/{{promo_note_name:[\\w-]+}}", _no_promotion, promo,
              shop_permissions.editing, errors=(PromotionUnknown,), answers=Nothing()),
    )  # fmt: skip


def _listed(call: Call) -> Result:
    args = call.args

    def wanted(name: str) -> Sequence[str]:
        return tuple(coercion.array(args[name]) or ()) if args.get(name) not in (None, ABSENT) else ()

    found, total = notes.page(
        call.work, types=wanted("type"), statuses=wanted("status"), sources=wanted("source"),
        orderby=args["orderby"], order=args["order"], page=args["page"], per_page=args["per_page"],
    )  # fmt: skip
    headers, links = page_headers(call, total, args["per_page"], args["page"])
    return Result(_many(call, found), headers=headers, links=links)


def _read(call: Call) -> Result:
    return _one(call, notes.existing(call.work, call.args["id"]))


def _changed(call: Call) -> Result:
    return _one(call, notes.change(call.work, call.args["id"], _given(call)))


def _removed(call: Call) -> Result:
    """Delete a note."""
    return _one(call, notes.change(call.work, call.args["id"], {"deleted": True}))


def _all_removed(call: Call) -> Result:
    """Delete every note, or those of some statuses."""
    statuses = call.args.get("status")
    found = notes.remove_all(call.work, tuple(statuses) if statuses not in (None, ABSENT) else ())
    return Result(_many(call, found))


def _several_changed(call: Call) -> Result:
    """Change several notes in one call."""
    given, ids = _given(call), call.args.get("noteIds")
    numbers = ids if isinstance(ids, list) else []
    return Result(_many(call, [notes.change(call.work, id, given) for id in dict.fromkeys(numbers)]))


def _acted(call: Call) -> Result:
    """Do what a note offers, and mark the note as dealt with."""
    return _one(call, notes.act(call.work, call.args["note_id"], call.args["action_id"]))


def _no_promotion(call: Call) -> Result:
    """Answer that there is no promotion of this name."""
    raise PromotionUnknown


def _given(call: Call) -> dict[str, Any]:
    """Return what a write changes, by the names of a note's members."""
    args, out = call.args, {}
    for name, member in (("status", "status"), ("is_deleted", "deleted"), ("is_read", "read")):
        if args.get(name) not in (None, ABSENT):
            out[member] = args[name]
    if args.get("date_reminder"):
        out["reminder"] = call.work.zone.nearest(args["date_reminder"])[1]
    return out


# -- how they are shown


def _one(call: Call, one: Note) -> Result:
    wanted = choice(call.request.raw("_fields"))
    body = _shown(call, one)
    return Result(body if wanted is None else chosen(body, wanted.tree), rels=_links(call, one), keeps_links=True)


def _many(call: Call, found: Sequence[Note]) -> list[dict[str, Any]]:
    wanted = choice(call.request.raw("_fields"))
    shown = [{**_shown(call, one), "_links": _links(call, one)} for one in found]
    return shown if wanted is None else [chosen(one, wanted.tree) for one in shown]


def _links(call: Call, one: Note) -> dict[str, Any]:
    base = call.work.api(_BASE)
    return {"self": [{"href": f"{base}/{one.id}"}], "collection": [{"href": base}]}


_GETTERS: Final[dict[str, Callable[[Call, Note], Any]]] = {
    "id": lambda call, one: one.id,
    "name": lambda call, one: f"{one.name}-{one.subject}" if one.subject else one.name,
    "type": lambda call, one: one.type,
    "locale": lambda call, one: "en_US",
    "title": lambda call, one: one.title,
    "content": lambda call, one: one.content,
    "content_data": lambda call, one: {},
    "status": lambda call, one: one.status,
    "source": lambda call, one: one.source,
    "date_created": lambda call, one: times.iso(call.work.zone.to_local(one.created)),
    "date_reminder": lambda call, one: _local(call, one.reminder),
    "is_snoozable": lambda call, one: one.snoozable,
    "actions": lambda call, one: [_action(call, each) for each in one.actions],
    "layout": lambda call, one: "plain",
    "image": lambda call, one: "",
    "is_deleted": lambda call, one: one.deleted,
    "is_read": lambda call, one: one.read,
    "date_created_gmt": lambda call, one: times.iso(one.created),
    "date_reminder_gmt": lambda call, one: None if one.reminder is None else times.iso(one.reminder),
}


def _shown(call: Call, one: Note) -> dict[str, Any]:
    return {name: getter(call, one) for name, getter in _GETTERS.items()}


def _local(call: Call, instant: int | None) -> str | None:
    return None if instant is None else times.iso(call.work.zone.to_local(instant))


def _action(call: Call, one: Action) -> dict[str, Any]:
    url = f"{call.work.origin}/admin/{one.url}"
    return {
        "id": one.id, "name": one.name, "label": one.label, "query": one.url, "status": one.status, "primary": False,
        "actioned_text": "", "nonce_action": None, "nonce_name": None, "url": url,
    }  # fmt: skip


def _schema() -> dict[str, Any]:
    members: dict[str, Field] = {
        "id": Integer("Number of the note.", readonly=True), "type": String("Its type.", readonly=True),
        "title": String("Its title.", readonly=True), "content": String("Its text.", readonly=True),
        **_SHOWS, **_CHANGES,
    }  # fmt: skip
    return Shape(members, {}).schema("note")

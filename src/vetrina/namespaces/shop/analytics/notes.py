"""Notes to whoever runs the shop. This server writes none of its own, so there are none; the routes say so.

Rules: facts, "Settings, notes, data, mirrors".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Array, Boolean, Field, Integer, String
from vetrina.declare.listing import page_headers
from vetrina.declare.present import Shape
from vetrina.declare.route import CHANGE, READ, REMOVE, Route
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.namespaces.shop import access

from .arguments import PATH

__all__ = ["routes"]

_BASE: Final = f"{PATH}/admin/notes"
_STATUSES: Final = ("pending", "unactioned", "actioned", "snoozed", "sent")
_TYPES: Final = ("error", "warning", "update", "info", "marketing", "survey", "email")


class NoteUnknown(ApiError):
    status, code = 404, "shop_note_invalid_id"
    message = "There is no note with this number."


class PromotionUnknown(ApiError):
    status, code = 422, "shop_note_invalid_promo_note_name"
    message = "There is no promotion of this name."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of notes."""
    id = {"id": Integer("Number of the note.")}
    action = {"note_id": Integer("Number of the note."), "action_id": Integer("Number of the action.")}
    promo = {"promo_note_name": String("Name of the promotion.")}
    change: dict[str, Field] = {
        "status": String("What became of it.", enum=_STATUSES, null="keep"),
        "date_reminder": String("When to show it again.", null="keep"),
        "is_deleted": Boolean("Whether it is gone.", null="keep"),
        "is_read": Boolean("Whether somebody has read it.", null="keep"),
    }
    listing: dict[str, Field] = {
        "context": String("Scope of the answer.", enum=("view", "edit"), default="view", null="keep"),
        "order": String("Order of the notes.", enum=("asc", "desc"), default="desc", null="keep"),
        "orderby": String("Sort by this.", enum=("note_id", "date", "type", "title", "status"), default="date",
                          null="keep"),
        "page": Integer("Page of the list.", default=1, minimum=1, null="keep"),
        "per_page": Integer("Most items of a page.", default=10, minimum=1, maximum=100, null="keep"),
        "type": Array("Only of these types.", items=String(enum=_TYPES), null="keep"),
        "status": Array("Only of these statuses.", items=String(enum=_STATUSES), null="keep"),
        "source": Array("Only from these sources.", items=String(), null="keep"),
    }  # fmt: skip
    gone = (NoteUnknown,)
    return (
        Route(READ, _BASE, _listed, listing, access.viewing, _schema, answers="many"),
        Route(READ, f"{_BASE}/{{id}}", _unknown, id, access.viewing, _schema, errors=gone),
        Route(CHANGE, f"{_BASE}/{{id}}", _unknown, {**id, **change}, access.editing, _schema, errors=gone),
        Route(REMOVE, f"{_BASE}/delete/{{id}}", _unknown, id, access.editing, errors=gone),
        Route(REMOVE, f"{_BASE}/delete/all", _none, {}, access.editing, answers="many"),
        Route(CHANGE, f"{_BASE}/update", _none, {"noteIds": Array("Numbers of notes.", items=Integer(), null="keep")},
              access.editing, answers="many"),
        Route(CHANGE, f"{_BASE}/{{note_id}}/action/{{action_id}}", _unknown, action, access.editing, errors=gone),
        Route(CHANGE, f"{_BASE}/experimental-activate-promo/{{promo_note_name:[\\w-]+}}", _no_promotion, promo,
              access.editing, errors=(PromotionUnknown,)),
    )  # fmt: skip


def _listed(call: Call) -> Result:
    headers, links = page_headers(call, 0, call.args.get("per_page", 10))
    return Result([], headers=headers, links=links)


def _none(call: Call) -> Result:
    return Result([])


def _unknown(call: Call) -> Result:
    raise NoteUnknown


def _no_promotion(call: Call) -> Result:
    raise PromotionUnknown


def _schema() -> dict[str, Any]:
    members: dict[str, Field] = {
        "id": Integer("Number of the note.", readonly=True), "type": String("Its type.", readonly=True),
        "title": String("Its title.", readonly=True), "content": String("Its text.", readonly=True),
        "status": String("What became of it.", enum=_STATUSES),
    }  # fmt: skip
    return Shape(members, {}).schema("note")

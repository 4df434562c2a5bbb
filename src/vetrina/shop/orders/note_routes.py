"""Routes of the notes of an order.

Not here: the notes themselves (shop/orders/notes.py). Rules: docs/rules/orders.md, 5.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String
from vetrina.rest.resource import Links, ListPage, Operation
from vetrina.rest.route import READ, REMOVE, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.orders import model as order_model, notes as order_notes
from vetrina.shop.orders.notes import OrderNote
from vetrina.shop.orders.schema import (
    ORDERS_PATH,
)
from vetrina.shop.resource import ShopResource, ShopTrashUnsupported

_BOTH: Final = (VIEW, EDIT)
_ORDER_ID: Final = {"order_id": Integer("Number of the order.")}
_NOTE_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the note.", context=_BOTH, readonly=True),
    "author": String("Who wrote it.", context=_BOTH, readonly=True),
    "date_created": String("When, in the site's time.", context=_BOTH, readonly=True),
    "date_created_gmt": String("When, in GMT.", context=_BOTH, readonly=True),
    "note": String("What it says.", context=_BOTH),
    "customer_note": Boolean("Whether the customer may read it.", default=False, context=_BOTH),
}
_NOTE_SERIALIZER: Final = Serializer(
    _NOTE_FIELDS,
    {
        **read_attributes("id", "author", "note", customer_note="for_customer"),
        "date_created": lambda note, work: times.format_iso(work.zone.to_local(note.created)),
        "date_created_gmt": lambda note, work: times.format_iso(note.created),
    },
)


def _get_order_id(call: Call) -> int:
    """Return the id of the order whose notes are meant. Raises OrderNotFound."""
    return order_model.get_order(call.work, call.args["order_id"]).id


def _get_note(call: Call) -> OrderNote:
    return order_notes.get_order_note(call.work, _get_order_id(call), call.args["id"])


def _list_notes(call: Call) -> ListPage[OrderNote]:
    wanted = call.args["type"]
    found = order_notes.list_order_notes(call.work, _get_order_id(call))
    return ListPage([note for note in found if wanted == "any" or note.for_customer == (wanted == "customer")])


def _create_note(call: Call) -> OrderNote:
    author = call.work.user.login if call.args.get("added_by_user") else order_notes.SHOP_AUTHOR
    return order_notes.create_order_note(
        call.work, _get_order_id(call), call.args["note"],
        author=author, for_customer=bool(call.args.get("customer_note")),
    )  # fmt: skip


def _delete_note(call: Call, old: OrderNote) -> None:
    order_notes.delete_order_note(call.work, old)


def _build_note_links(call: Call, note: OrderNote) -> Links:
    order = call.work.api(f"{ORDERS_PATH}/{note.order}")
    return {**_NOTES.build_usual_links(call, note), "up": [build_link(order)]}


_UNKNOWN_NOTE: Final = (order_model.OrderNotFound, order_notes.OrderNoteNotFound)
_NOTES: Final = ShopResource(
    title="order_note",
    path=f"{ORDERS_PATH}/{{order_id}}/notes",
    above=_ORDER_ID,
    key={**_ORDER_ID, "id": Integer("Number of the note.")},
    serializer=_NOTE_SERIALIZER,
    build_links=_build_note_links,
    methods=(*READ, *REMOVE),
    find=_get_note,
    list=Operation(
        _list_notes, shop_permissions.require_view_permission,
        {
            "context": list_arguments.build_context_argument(),
            "type": String("Which notes.", default="any", enum=("any", "customer", "internal"), null="keep"),
        },
        _UNKNOWN_NOTE[:1],
    ),
    create=Operation(
        _create_note, shop_permissions.require_create_permission,
        {
            "note": String("What it says.", required=True),
            "customer_note": Boolean("Whether the customer may read it.", default=False, null="keep"),
            "added_by_user": Boolean("Whether the caller is named as its author.", default=False, null="keep"),
        },
        _UNKNOWN_NOTE[:1],
        summary="Add a note to an order, for the customer or for the shop alone.",
    ),
    read=Operation(_get_note, shop_permissions.require_view_permission, errors=_UNKNOWN_NOTE),
    delete=Operation(_delete_note, shop_permissions.require_delete_permission, errors=_UNKNOWN_NOTE),
    force=list_arguments.build_force_argument(trash=False),
    trash_unsupported=ShopTrashUnsupported,
    written_context=VIEW,
    build_batch_route=None,
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of notes."""
    return _NOTES.build_routes()

"""What can be done about an order: mails that are sent by hand, and a receipt that can be fetched for a while.

Not here: what a mail says (shop/mail/outbox.py), receipts themselves (shop/orders/receipts.py).
Rules: facts, "Lists and actions".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Shape
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.mail import mails, outbox
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders import receipts
from vetrina.shop.orders import rules as orders
from vetrina.shop.orders.link_views import ORDERS
from vetrina.shop.orders.model import Order
from vetrina.shop.orders.receipts import Receipt
from vetrina.shop.rights import CannotCreate

__all__ = ["routes"]

_ACTIONS: Final = f"{ORDERS}/{{id}}/actions"
_TEMPLATES: Final = tuple(mail.id for mail in mails.MAILS if not mail.to_shop)
_DETAILS: Final = "customer_invoice"
_MOST_DAYS: Final = 36_525  # a receipt is for a customer, not for his heirs
_SAID: Final = Object(properties={"message": String("What was sent, and to whom.")})


class OrderOfActionUnknown(ApiError):
    status, code = 404, "shop_rest_not_found"
    message = "There is no order with the number {id}."


class ReceiptUnknown(ApiError):
    status, code = 404, "shop_rest_not_found"
    message = "The order has no receipt; POST makes one."


class InvalidTemplate(ApiError):
    code = "shop_rest_invalid_email_template"
    message = "The mail {template!r} does not fit an order that is {status!r}."


class EmailExists(ApiError):
    code = "shop_rest_order_billing_email_exists"
    message = "The order has another address; send `force_email_update` as true to replace it."


class MissingEmail(ApiError):
    code = "shop_rest_missing_email"
    message = "The order has no mail address; send `email`."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of actions and receipts."""
    id = {"id": Integer("Number of the order.")}
    told = {
        "email": String("Where to send it.", format="email", null="keep"),
        "force_email_update": Boolean("Whether that becomes the order's address.", default=False, null="keep"),
    }
    unknown = (OrderOfActionUnknown,)
    template = String("Which mail.", required=True, enum=_TEMPLATES)
    receipt = {
        "expiration_date": String("Day on which it ends, as YYYY-MM-DD.", null="keep"),
        "expiration_days": Integer("Days after which it ends.", default=1, minimum=0, maximum=_MOST_DAYS, null="keep"),
        "force_new": Boolean("Whether an earlier one is replaced.", default=False, null="keep"),
    }
    return (
        Route(
            READ,
            f"{_ACTIONS}/email_templates",
            _templates,
            id,
            shop_permissions.viewing,
            _schema,
            errors=unknown,
            answers="many",
        ),
        Route(
            WRITE,
            f"{_ACTIONS}/send_email",
            _send,
            {**id, **told, "template_id": template},
            shop_permissions.creating,
            errors=(*unknown, InvalidTemplate, EmailExists, MissingEmail),
            status=200,
            answers=_SAID,
        ),
        Route(
            WRITE,
            f"{_ACTIONS}/send_order_details",
            _send_details,
            {**id, **told},
            shop_permissions.creating,
            errors=(*unknown, EmailExists, MissingEmail),
            status=200,
            answers=_SAID,
        ),
        Route(
            READ,
            f"{ORDERS}/{{id}}/receipt",
            _receipt,
            id,
            shop_permissions.viewing,
            _receipt_schema,
            errors=(ReceiptUnknown,),
        ),
        Route(
            WRITE, f"{ORDERS}/{{id}}/receipt", _make_receipt, {**id, **receipt}, _may_make, _receipt_schema, status=200
        ),
    )


def _schema() -> dict[str, Any]:
    members = {name: String(help, readonly=True) for name, help in (
        ("id", "Name of the mail."), ("title", "What it is called."), ("description", "What it tells."))}  # fmt: skip
    return Shape(members, {}).schema("email_template")


def _receipt_schema() -> dict[str, Any]:
    members = {name: String(help, readonly=True) for name, help in (
        ("receipt_url", "Where it can be read."), ("expiration_date", "Day on which it ends."))}  # fmt: skip
    return Shape(members, {}).schema("order_receipt")


def _order(call: Call) -> Order:
    found = order_model.by_id(call.work, call.args["id"])
    if found is None:
        raise OrderOfActionUnknown(id=call.args["id"])
    return found


def _may_make(call: Call) -> None:
    """Those who run the shop (`manage_shop`); an order that is not there is refused, not told."""
    shop_permissions.creating(call)
    id = call.args.get("id")
    if not isinstance(id, int) or order_model.by_id(call.work, id) is None:
        raise CannotCreate(bool(call.work.user))


# -- mails


def _templates(call: Call) -> Result:
    """List the mails that fit an order."""
    fitting = outbox.fits(_order(call))
    return Result([{"id": mail.id, "title": mail.title, "description": mail.description} for mail in fitting])


def _send(call: Call) -> Result:
    """Send one of an order's mails."""
    one, template = _order(call), call.args["template_id"]
    if mails.BY_ID[template] not in outbox.fits(one):
        raise InvalidTemplate(template=template, status=one.status)
    return _sent(call, one, template)


def _send_details(call: Call) -> Result:
    """Mail the details of an order to its customer."""
    return _sent(call, _order(call), _DETAILS)


def _sent(call: Call, one: Order, template: str) -> Result:
    work: Work = call.work
    given, own = call.args.get("email") or "", one.billing.get("email", "")
    if given and given != own:
        if own and not call.args.get("force_email_update"):
            raise EmailExists
        one = orders.change(work, one, {"billing": {"email": given}})
    elif not own:
        raise MissingEmail
    to = one.billing["email"]
    outbox.write(work, mails.BY_ID[template], one, to)
    said = f"The mail “{mails.BY_ID[template].title}” was sent to {to}."
    order_notes.add(work, one.id, said, author=work.user.login or order_notes.SHOP)
    return Result({"message": said})


# -- receipts


def _body(receipt: Receipt) -> dict[str, Any]:
    return {"receipt_url": receipt.url, "expiration_date": times.iso(receipt.expires)[:10]}


def _receipt(call: Call) -> Result:
    """Tell the address of an order's receipt."""
    found = receipts.of_order(call.work, call.args["id"])
    if found is None:
        raise ReceiptUnknown
    return Result(_body(found))


def _make_receipt(call: Call) -> Result:
    """Make a receipt of an order that its customer can open without an account."""
    args = call.args
    made = receipts.make(
        call.work, _order(call), str(args.get("expiration_date") or ""), int(args.get("expiration_days") or 0),
        new=bool(args.get("force_new")),
    )  # fmt: skip
    return Result(_body(made))

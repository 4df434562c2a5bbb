"""Actions on an order: sending mails by hand, and receipts.

Not here: which mail may be sent, and to whom (shop/orders/order_mails.py), receipts themselves
(shop/orders/receipts.py). Rules: docs/rules/orders.md, 7 and 8.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.mail import mails, outbox
from vetrina.shop.orders import model as order_model, order_mails, receipts
from vetrina.shop.orders.model import Order
from vetrina.shop.orders.order_mails import BillingEmailExists, BillingEmailMissing, OrderMailTemplateInvalid
from vetrina.shop.orders.receipts import Receipt
from vetrina.shop.orders.schema import ORDERS_PATH
from vetrina.shop.rights import CannotCreateShopItem

_ACTIONS: Final = f"{ORDERS_PATH}/{{id}}/actions"
_TEMPLATES: Final = tuple(mail.id for mail in mails.MAIL_TYPES if not mail.to_shop)
_DETAILS_TEMPLATE: Final = "customer_invoice"
_MAX_RECEIPT_DAYS: Final = 36_525  # a hundred years: a receipt needs to last no longer than its customer
_MESSAGE: Final = Object(properties={"message": String("What was sent, and to whom.")})


class ActionOrderNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_not_found"
    message = "There is no order with the number {id}."


class ReceiptNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_not_found"
    message = "The order has no receipt; POST makes one."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of order actions and receipts."""
    id = {"id": Integer("Number of the order.")}
    email_args = {
        "email": String("Where to send it.", format="email", null="keep"),
        "force_email_update": Boolean("Whether that becomes the order's address.", default=False, null="keep"),
    }
    unknown = (ActionOrderNotFound,)
    template = String("Which mail.", required=True, enum=_TEMPLATES)
    receipt = {
        "expiration_date": String("Day on which it ends, as YYYY-MM-DD.", null="keep"),
        "expiration_days": Integer(
            "Days after which it ends.", default=1, minimum=0, maximum=_MAX_RECEIPT_DAYS, null="keep"
        ),
        "force_new": Boolean("Whether an earlier one is replaced.", default=False, null="keep"),
    }
    return (
        Route(
            READ,
            f"{_ACTIONS}/email_templates",
            _list_mail_templates,
            id,
            shop_permissions.require_view_permission,
            _build_mail_template_schema,
            errors=unknown,
            answers="many",
        ),
        Route(
            WRITE,
            f"{_ACTIONS}/send_email",
            _send_chosen_mail,
            {**id, **email_args, "template_id": template},
            shop_permissions.require_create_permission,
            errors=(*unknown, OrderMailTemplateInvalid, BillingEmailExists, BillingEmailMissing),
            status=200,
            answers=_MESSAGE,
        ),
        Route(
            WRITE,
            f"{_ACTIONS}/send_order_details",
            _send_order_details,
            {**id, **email_args},
            shop_permissions.require_create_permission,
            errors=(*unknown, BillingEmailExists, BillingEmailMissing),
            status=200,
            answers=_MESSAGE,
        ),
        Route(
            READ,
            f"{ORDERS_PATH}/{{id}}/receipt",
            _read_receipt,
            id,
            shop_permissions.require_view_permission,
            _build_receipt_schema,
            errors=(ReceiptNotFound,),
        ),
        Route(
            WRITE,
            f"{ORDERS_PATH}/{{id}}/receipt",
            _create_receipt,
            {**id, **receipt},
            _require_receipt_create_permission,
            _build_receipt_schema,
            status=200,
        ),
    )


def _build_mail_template_schema() -> dict[str, Any]:
    members = {name: String(help, readonly=True) for name, help in (
        ("id", "Name of the mail."), ("title", "What it is called."), ("description", "What it tells."))}  # fmt: skip
    return Serializer(members, {}).schema("email_template")


def _build_receipt_schema() -> dict[str, Any]:
    members = {name: String(help, readonly=True) for name, help in (
        ("receipt_url", "Where it can be read."), ("expiration_date", "Day on which it ends."))}  # fmt: skip
    return Serializer(members, {}).schema("order_receipt")


def _get_order(call: Call) -> Order:
    found = order_model.find_order(call.work, call.args["id"])
    if found is None:
        raise ActionOrderNotFound(id=call.args["id"])
    return found


def _require_receipt_create_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`); a missing order is refused as well."""
    shop_permissions.require_create_permission(call)
    id = call.args.get("id")
    if not isinstance(id, int) or order_model.find_order(call.work, id) is None:
        raise CannotCreateShopItem(bool(call.work.user))


# -- mails


def _list_mail_templates(call: Call) -> Result:
    """List the mails that fit an order."""
    fitting = outbox.list_sendable_mails(_get_order(call))
    return Result([{"id": mail.id, "title": mail.title, "description": mail.description} for mail in fitting])


def _send_chosen_mail(call: Call) -> Result:
    """Send one of an order's mails."""
    one, template = _get_order(call), call.args["template_id"]
    order_mails.check_mail_fits(one, template)
    return _send_order_mail(call, one, template)


def _send_order_details(call: Call) -> Result:
    """Mail the details of an order to its customer."""
    return _send_order_mail(call, _get_order(call), _DETAILS_TEMPLATE)


def _send_order_mail(call: Call, order: Order, template: str) -> Result:
    said = order_mails.send_order_mail(
        call.work, order, template, call.args.get("email") or "", replace=bool(call.args.get("force_email_update"))
    )
    return Result({"message": said})


# -- receipts


def _serialize_receipt(receipt: Receipt) -> dict[str, Any]:
    return {"receipt_url": receipt.url, "expiration_date": times.format_iso(receipt.expires)[:10]}


def _read_receipt(call: Call) -> Result:
    """Return the URL of an order's receipt."""
    found = receipts.find_order_receipt(call.work, call.args["id"])
    if found is None:
        raise ReceiptNotFound
    return Result(_serialize_receipt(found))


def _create_receipt(call: Call) -> Result:
    """Create a receipt of an order that its customer can open without an account."""
    args = call.args
    made = receipts.create_receipt(
        call.work, _get_order(call), str(args.get("expiration_date") or ""), int(args.get("expiration_days") or 0),
        new=bool(args.get("force_new")),
    )  # fmt: skip
    return Result(_serialize_receipt(made))

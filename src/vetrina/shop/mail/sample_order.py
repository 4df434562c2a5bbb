"""An order that is made up, for previews of mails: nobody's, and never stored."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.access.users.model import NOBODY, User
from vetrina.core.unit_of_work import Work
from vetrina.shop import meta_data
from vetrina.shop.mail.order_data import Parts
from vetrina.shop.orders.model import LINE, SHIPPING, Item, Order
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.settings import rules as settings

__all__ = ["account", "data", "parts"]

_NUMBER: Final = 12345
_ADDRESS: Final = {
    "first_name": "John", "last_name": "Doe", "company": "Company", "address_1": "123 Fake Street", "address_2": "",
    "city": "Faketown", "state": "CA", "postcode": "12345", "country": "US", "phone": "5555555555",
}  # fmt: skip
_EMAIL: Final = "john@company.com"


def parts(work: Work) -> Parts:
    """Return the order, with two lines and what it costs to send them."""
    lines = [
        Item(1, _NUMBER, LINE, "Dummy Product", quantity=2, subtotal=Decimal(50), total=Decimal(50)),
        Item(2, _NUMBER, LINE, "Dummy Product Variation", quantity=1, subtotal=Decimal(20), total=Decimal(20)),
    ]
    sent = Item(3, _NUMBER, SHIPPING, "Flat rate", total=Decimal(5))
    one = Order(
        _NUMBER, status="processing", currency=str(settings.shop_option(work, "shop_currency")), created=work.now,
        modified=work.now, paid=work.now, shipping=Decimal(5), total=Decimal(75), payment_method="bacs",
        payment_method_title="Direct bank transfer", billing={**_ADDRESS, "email": _EMAIL}, shipping_address=_ADDRESS,
        order_key="shop_order_preview",
    )  # fmt: skip
    chosen = [meta_data.Meta(1, "Color", "Red"), meta_data.Meta(2, "Size", "Small")]
    return Parts(one, [*lines, sent], {2: chosen})


def data(work: Work, of: Parts) -> dict[str, Any]:
    """Return what mails are given beside an order: the last refund that it has, a note, what is left of a product."""
    last: Refund | None = of.refunds[0] if of.refunds else None
    return {
        "refund": last.id if last is not None else 0,
        "whole": last is None or last.whole,
        "note": "This is a customer note.",
        "product": "Dummy Product", "name": "Dummy Product", "left": 2, "pieces": 1, "order": of.order.id,
        "address": work.home(),
    }  # fmt: skip


def account(of: Parts) -> User:
    """Return the account of the customer, which is none."""
    billing = of.order.billing
    login = billing.get("first_name", "").lower() or "customer"
    return msgspec.structs.replace(
        NOBODY, login=login, email=billing.get("email", ""), first_name=billing.get("first_name", "")
    )

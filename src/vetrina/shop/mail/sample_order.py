"""A sample order for previews of mails; it is never stored."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY, User
from vetrina.shop import meta_data
from vetrina.shop.mail.order_data import OrderMailContext
from vetrina.shop.orders.model import LINE, SHIPPING, Order, OrderItem
from vetrina.shop.refunds.rules import Refund
from vetrina.shop.settings import rules as settings

_NUMBER: Final = 12345
_ADDRESS: Final = {
    "first_name": "John", "last_name": "Doe", "company": "Company", "address_1": "123 Fake Street", "address_2": "",
    "city": "Faketown", "state": "CA", "postcode": "12345", "country": "US", "phone": "5555555555",
}  # fmt: skip
_EMAIL: Final = "john@company.com"


def build_sample_order(work: UnitOfWork) -> OrderMailContext:
    """Return the sample order, with two lines and shipping."""
    lines = [
        OrderItem(1, _NUMBER, LINE, "Dummy Product", quantity=2, subtotal=Decimal(50), total=Decimal(50)),
        OrderItem(2, _NUMBER, LINE, "Dummy Product Variation", quantity=1, subtotal=Decimal(20), total=Decimal(20)),
    ]
    sent = OrderItem(3, _NUMBER, SHIPPING, "Flat rate", total=Decimal(5))
    one = Order(
        _NUMBER, status="processing", currency=str(settings.get_shop_option(work, "shop_currency")), created=work.now,
        modified=work.now, paid=work.now, shipping=Decimal(5), total=Decimal(75), payment_method="bacs",
        payment_method_title="Direct bank transfer", billing={**_ADDRESS, "email": _EMAIL}, shipping_address=_ADDRESS,
        order_key="shop_order_preview",
    )  # fmt: skip
    chosen = [meta_data.MetaField(1, "Color", "Red"), meta_data.MetaField(2, "Size", "Small")]
    return OrderMailContext(one, [*lines, sent], {2: chosen})


def build_sample_data(work: UnitOfWork, context: OrderMailContext) -> dict[str, Any]:
    """Return the template data beside the order: its last refund, a note, the stock left of a product."""
    last: Refund | None = context.refunds[0] if context.refunds else None
    return {
        "refund": last.id if last is not None else 0,
        "whole": last is None or last.whole,
        "note": "This is a customer note.",
        "product": "Dummy Product", "name": "Dummy Product", "left": 2, "pieces": 1, "order": context.order.id,
        "address": work.home(),
    }  # fmt: skip


def build_sample_account(context: OrderMailContext) -> User:
    """Return an account of the sample customer, which does not exist."""
    billing = context.order.billing
    login = billing.get("first_name", "").lower() or "customer"
    return msgspec.structs.replace(
        NOBODY, login=login, email=billing.get("email", ""), first_name=billing.get("first_name", "")
    )

"""What identifies the state of a record of the shop, for those who write to the state that they have read.

Records of the shop count no saves, so the word is made of what is stored: it changes with all that a write could
overwrite. Left out is what follows from other records, or counts by itself: what was sold, ratings, prices computed
from variations, times of a change. Rules: docs/rules/shop_requests.md, 9.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from vetrina.rest.preconditions import build_state_word
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.coupons.views import CouponView
from vetrina.shop.customers.rules import Customer
from vetrina.shop.customers.views import CustomerView
from vetrina.shop.meta_data import MetaField
from vetrina.shop.orders.model import Order
from vetrina.shop.orders.views import OrderView
from vetrina.shop.products.model import Product
from vetrina.shop.products.views import ShopProductView

# Renderings follow from the texts, and are made again without a write.
_UNCOUNTED_RECORD: Final = {
    "modified": 0, "modified_gmt": 0, "version": 0, "revisions": 0, "last_revision": 0, "renderer": 0,
    "title_html": "", "content_html": "", "excerpt_html": "",
}  # fmt: skip
_UNCOUNTED_PRODUCT: Final = {
    "price": "", "price_from": None, "price_to": None, "regular_from": None, "regular_to": None, "on_sale": False,
    "total_sales": 0, "rating": 0, "rating_count": 0,
}  # fmt: skip


def compute_order_state(order: Order, view: OrderView) -> str:
    """Return the state of an order: its members, its items, its public extra fields, which refunds it has."""
    items = view.items[order.id]
    return build_state_word(
        order.id,
        msgspec.structs.replace(order, modified=0),
        items,
        [view.item_metas[item.id] for item in items],
        _select_public_meta(view.metas[order.id]),
        [refund.id for refund in view.refunds[order.id]],
    )


def compute_product_state(product: Product, view: ShopProductView) -> str:
    """Return the state of a product or a variation: its members, groups, links and extra fields; not its variations."""
    record = msgspec.structs.replace(product.record, **_UNCOUNTED_RECORD)
    return build_state_word(
        product.id,
        msgspec.structs.replace(product, record=record, **_UNCOUNTED_PRODUCT),
        [(term.taxonomy, term.id) for term in view.terms[product.id]],
        view.linked_ids.get(product.id, {}),
        view.metas[product.id],
    )


def compute_coupon_state(coupon: Coupon, view: CouponView) -> str:
    """Return the state of a coupon: its members and its public extra fields; not how often it was used."""
    members = msgspec.structs.replace(coupon, modified=0, usage_count=0)
    return build_state_word(coupon.id, members, _select_public_meta(view.metas[coupon.id]))


def compute_customer_state(customer: Customer, view: CustomerView) -> str:
    """Return the state of a customer: account, addresses and public extra fields."""
    user = customer.user
    return build_state_word(
        customer.id,
        (user.email, user.login, user.first_name, user.last_name, user.roles),
        (customer.billing, customer.shipping, customer.paying),
        _select_public_meta(view.metas[customer.id]),
    )


def _select_public_meta(fields: Iterable[MetaField]) -> list[MetaField]:
    return [one for one in fields if not one.key.startswith("_")]

"""What identifies the state of a record of the shop, for those who write to the state that they have read.

Records of the shop count no saves, so the word is made of what is stored: it changes with all that a write could
overwrite. Left out is what follows from other records, or counts by itself: what was sold, ratings, prices computed
from variations, times of a change. Rules: docs/rules/shop_requests.md, 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import msgspec

from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop import meta_data
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.customers import rules as customers
from vetrina.shop.customers.rules import Customer
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import Order
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.refunds import rules as refunds

_DIGEST_BYTES: Final = 8
# Renderings follow from the texts, and are made again without a write.
_UNCOUNTED_RECORD: Final = {
    "modified": 0, "modified_gmt": 0, "version": 0, "revisions": 0, "last_revision": 0, "renderer": 0,
    "title_html": "", "content_html": "", "excerpt_html": "",
}  # fmt: skip
_UNCOUNTED_PRODUCT: Final = {
    "price": "", "price_from": None, "price_to": None, "regular_from": None, "regular_to": None, "on_sale": False,
    "total_sales": 0, "rating": 0, "rating_count": 0,
}  # fmt: skip


def load_order_state(work: UnitOfWork, order: Order) -> str:
    """Return the state of an order: its members, its items, its public extra fields, which refunds it has."""
    stored = order_model.get_order(work, order.id)
    items = order_model.load_items_by_owner(work, (order.id,))[order.id]
    item_metas = meta_data.load_meta_by_owner(work, "order_item", [item.id for item in items])
    return _build_state(
        order.id,
        msgspec.structs.replace(stored, modified=0),
        items,
        list(item_metas.values()),
        _list_public_meta(work, "order", order.id),
        [refund.id for refund in refunds.list_order_refunds(work, (order.id,))[order.id]],
    )


def load_product_state(work: UnitOfWork, product: Product) -> str:
    """Return the state of a product or a variation: its members, groups, links and extra fields; not its variations."""
    stored = product_model.get_product(work, product.id)
    return _build_state(
        product.id,
        msgspec.structs.replace(
            stored, record=msgspec.structs.replace(stored.record, **_UNCOUNTED_RECORD), **_UNCOUNTED_PRODUCT
        ),
        [(term.taxonomy, term.id) for term in term_store.list_terms_by_record(work.tx, [product.id])[product.id]],
        product_model.list_product_links(work, [product.id]).get(product.id, {}),
        meta_data.list_meta(work, "product", product.id),
    )


def load_coupon_state(work: UnitOfWork, coupon: Coupon) -> str:
    """Return the state of a coupon: its members and its public extra fields; not how often it was used."""
    stored = coupon_store.get_coupon(work, coupon.id)
    return _build_state(
        coupon.id,
        msgspec.structs.replace(stored, modified=0, usage_count=0),
        _list_public_meta(work, "coupon", coupon.id),
    )


def load_customer_state(work: UnitOfWork, customer: Customer) -> str:
    """Return the state of a customer: account, addresses and public extra fields."""
    stored = customers.get_customer(work, customer.id)
    user = stored.user
    return _build_state(
        customer.id,
        (user.email, user.login, user.first_name, user.last_name, user.roles),
        (stored.billing, stored.shipping, stored.paying),
        _list_public_meta(work, customers.CUSTOMER_ROLE, customer.id),
    )


def _list_public_meta(work: UnitOfWork, kind: str, owner: int) -> Sequence[meta_data.MetaField]:
    return [one for one in meta_data.list_meta(work, kind, owner) if not one.key.startswith("_")]


def _build_state(id: int, *parts: object) -> str:
    digest = blake2b(msgspec.msgpack.encode(parts), digest_size=_DIGEST_BYTES).digest()
    return f"{id}-{int.from_bytes(digest)}"

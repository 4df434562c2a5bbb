"""Storage of carts: lines, coupons, addresses, the chosen shipping rate, the draft order.

A cart that was never written to has no row; expired carts are deleted with their draft order. Carts are not in the
change log, since no cached response contains them. Not here: which products may be added (shop/cart/lines.py), totals
(shop/cart/totals.py), placing the order (shop/checkout/rules.py), who owns it (shop/cart/tokens.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.carts import shop_cart as table
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.cart import tokens
from vetrina.shop.customers import rules as customers
from vetrina.shop.orders import model as order_model, statuses as order_statuses
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS
from vetrina.shop.settings import rules as settings

CREATED_VIA: Final = "store-api"  # `created_via` of orders of the checkout
_CART_LIFETIME: Final = (
    tokens.TOKEN_LIFETIME + 24 * 3600
)  # seconds without a write, after which no token is valid for the cart any more
_DRAFT_LIFETIME: Final = 24 * 3600  # seconds without a write, after which a draft order without a cart is deleted
_SWEEP_LIMIT: Final = 200  # carts deleted in one run, so that other writers do not wait long
_KEY: Final = 32  # characters of a line's key
_TO_PAYER: Final = "billing_only"
_RATE_SEPARATOR: Final = " "  # separates the chosen shipping rate and those that were on offer


class CartLine(msgspec.Struct, frozen=True):
    """A quantity of one product. goods: id of the product or variation. choices: values by attribute key."""

    key: str
    goods: int
    quantity: int
    choices: dict[str, str] = {}


class Cart(msgspec.Struct, frozen=True):
    """One cart.

    rate: the chosen shipping rate, as `flat_rate:3`. draft: id of its draft order, 0 for none. offered: the shipping
    rates that were on offer when it was chosen.
    """

    key: str
    lines: tuple[CartLine, ...] = ()
    coupons: tuple[str, ...] = ()
    billing: dict[str, str] = {}
    shipping: dict[str, str] = {}
    rate: str = ""
    draft: int = 0
    offered: tuple[str, ...] = ()

    def find_line(self, key: str) -> CartLine | None:
        """Return the line with a key."""
        return next((line for line in self.lines if line.key == key), None)


_JSON: Final = ("lines", "coupons", "billing", "shipping")
_CHANGES: Final[dict[str, Any]] = {column.name: bindparam(column.name) for column in table.c if column.name != "key"}
_LINES = msgspec.json.Decoder(tuple[CartLine, ...])
_TEXTS = msgspec.json.Decoder(tuple[str, ...])

_SELECT = Statement(select(*table.c).where(table.c.key == bindparam("key")))
_UPSERT = Statement(build_upsert(table, keys=("key",), values={"key": bindparam("key"), **_CHANGES}, changes=_CHANGES))
_DELETE = Statement(delete(table).where(table.c.key == bindparam("key")))
_IS_KEPT = Statement(select(table.c.key).where(table.c.key == bindparam("key")))
_EXPIRED_CARTS = Statement(
    select(table.c.key, table.c.draft)
    .where(table.c.modified < bindparam("before"))
    .order_by(table.c.modified)
    .limit(_SWEEP_LIMIT)
)
_LOST_DRAFTS = Statement(
    select(shop_order.c.id)
    .where(
        shop_order.c.status == order_statuses.DRAFT,
        shop_order.c.created_via == bindparam("via"),
        shop_order.c.modified < bindparam("before"),
        shop_order.c.id.not_in(select(table.c.draft).where(table.c.draft > 0)),
    )
    .limit(_SWEEP_LIMIT)
)


def load_cart(work: UnitOfWork, key: str) -> Cart:
    """Return the cart with a key; an empty one where none is stored."""
    row = work.tx.first(_SELECT, key=key)
    if row is None:
        return _build_empty_cart(work, key)
    _, lines, coupons, billing, shipping, rates, draft, _ = row
    rate, *offered = rates.split(_RATE_SEPARATOR)
    billing_address = orjson.loads(billing)
    if not billing_address.get("state") and billing_address.get("country"):
        # Without a state, the shop's own is used as far as the country allows it (shop/customers/addresses.py).
        billing_address["state"] = _get_shop_location(work)[1]
    cart = Cart(
        key,
        _LINES.decode(lines),
        _TEXTS.decode(coupons),
        billing_address,
        orjson.loads(shipping),
        rate,
        draft,
        tuple(offered),
    )
    return apply_ship_to_destination(work, cart)


def apply_ship_to_destination(work: UnitOfWork, cart: Cart) -> Cart:
    """Return the cart with the billing address as shipping address, where the shop ships nowhere else."""
    if settings.get_shop_option(work, "shop_ship_to_destination") != _TO_PAYER:
        return cart
    return msgspec.structs.replace(cart, shipping={name: cart.billing.get(name, "") for name in SHIPPING_FIELDS})


def has_stored_cart(work: UnitOfWork, key: str) -> bool:
    """Return whether a cart with the key is stored."""
    return work.tx.first(_IS_KEPT, key=key) is not None


def save_cart(work: UnitOfWork, cart: Cart) -> Cart:
    """Store a cart."""
    cart = apply_ship_to_destination(work, cart)
    values = {name: msgspec.json.encode(getattr(cart, name)).decode() for name in _JSON}
    rates = _RATE_SEPARATOR.join((cart.rate, *cart.offered))
    work.tx.run(_UPSERT, key=cart.key, rate=rates, draft=cart.draft, modified=work.now, **values)
    return cart


def delete_cart(work: UnitOfWork, cart: Cart) -> None:
    """Delete a cart."""
    work.tx.run(_DELETE, key=cart.key)


def delete_expired_carts(work: UnitOfWork) -> None:
    """Delete expired carts, and abandoned draft orders of the checkout."""
    lost = work.tx.all(_LOST_DRAFTS, via=CREATED_VIA, before=work.now - _DRAFT_LIFETIME)
    for one in order_model.load_orders_by_id(work, [id for (id,) in lost]).values() if lost else ():
        _delete_if_draft(work, one)
    old = work.tx.all(_EXPIRED_CARTS, before=work.now - _CART_LIFETIME)
    drafts = order_model.load_orders_by_id(work, [draft for _, draft in old if draft]) if old else {}
    for key, draft in old:
        _delete_if_draft(work, drafts.get(draft))
        work.tx.run(_DELETE, key=key)


def delete_draft_order(work: UnitOfWork, draft: int) -> None:
    """Delete the draft order of a cart if it was never placed."""
    _delete_if_draft(work, order_model.find_order(work, draft))


def _delete_if_draft(work: UnitOfWork, begun: order_model.Order | None) -> None:
    if begun is not None and begun.status == order_statuses.DRAFT:
        order_model.delete_order_with_items(work, begun)


def compute_line_key(goods: int, choices: Mapping[str, str]) -> str:
    """Return the key of a line: equal for the same product with the same choices."""
    text = orjson.dumps([goods, sorted(choices.items())])
    return hashlib.sha256(text).hexdigest()[:_KEY]


def compute_cart_hash(cart: Cart) -> str:
    """Return a hash that changes with the contents of the order: lines, coupons, shipping and its destination."""
    parts = [cart.lines, cart.coupons, cart.rate, cart.billing, cart.shipping]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:_KEY]


def _build_empty_cart(work: UnitOfWork, key: str) -> Cart:
    """Return an empty cart, with the addresses of the account or else the default location."""
    country, state = _get_default_location(work)
    billing: dict[str, str] = dict.fromkeys(BILLING_FIELDS, "")
    shipping: dict[str, str] = dict.fromkeys(SHIPPING_FIELDS, "")
    buyer = (
        customers.load_customers(work, [work.user])[0] if work.user.id and key == _build_own_cart_key(work) else None
    )
    if buyer is not None:
        billing, shipping = {**billing, **buyer.billing}, {**shipping, **buyer.shipping}
        billing["email"] = billing["email"] or buyer.user.email
    for address in (billing, shipping):
        if not address["country"]:
            address.update(country=country, state=state)
    return apply_ship_to_destination(work, Cart(key, billing=billing, shipping=shipping))


def _get_default_location(work: UnitOfWork) -> tuple[str, str]:
    """Return country and state of the default customer location; empty where the shop assumes none."""
    return _get_shop_location(work) if settings.get_shop_option(work, "shop_default_customer_address") else ("", "")


def _get_shop_location(work: UnitOfWork) -> tuple[str, str]:
    """Return country and state of the shop."""
    country, _, state = str(settings.get_shop_option(work, "shop_default_country")).partition(":")
    return country, state


def _build_own_cart_key(work: UnitOfWork) -> str:
    return tokens.build_account_cart_key(work.user.id)

"""A visitor's cart as it is kept: lines, coupons, addresses, the chosen way of shipping, the order that it began.

A cart that nobody wrote to has no row; one that was not written to for long is swept up with the order that it began.
The change log knows no carts: no kept answer is made from one. Not here: what may be put in (shop/cart/lines.py), what
it comes to (shop/cart/totals.py), how it becomes an order (shop/checkout/rules.py), whose it is (shop/cart/tokens.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.carts import shop_cart as table
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import Work
from vetrina.shop.cart import tokens
from vetrina.shop.customers import rules as customers
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.model import BILLING, SHIPPING_ADDRESS
from vetrina.shop.settings import rules as settings

__all__ = ["VIA", "Cart", "Line", "forget_draft", "hash_of", "is_kept", "line_key", "of_key", "remove", "save", "sweep",
           "with_destination"]  # fmt: skip

VIA: Final = "store-api"  # what made the orders of the checkout
_SWEPT: Final = tokens.LIFE + 24 * 3600  # seconds without a write, after which no token names the cart any more
_LOST: Final = 24 * 3600  # seconds without a write, after which an order that no cart names is placed by nobody
_AT_ONCE: Final = 200  # carts that one sweep removes, so that no writer waits long
_KEY: Final = 32  # signs of a line's key
_TO_PAYER: Final = "billing_only"
_BETWEEN: Final = " "  # what parts the chosen way of shipping and those that it was chosen from


class Line(msgspec.Struct, frozen=True):
    """Pieces of one thing. goods: the product, or the variation. choices: what was chosen, by the attribute's key."""

    key: str
    goods: int
    quantity: int
    choices: dict[str, str] = {}


class Cart(msgspec.Struct, frozen=True):
    """One cart. rate: the way of shipping that it is sent by, as `flat_rate:3`; offered: those that there were to
    choose from. draft: the order that it began, 0 for none."""

    key: str
    lines: tuple[Line, ...] = ()
    coupons: tuple[str, ...] = ()
    billing: dict[str, str] = {}
    shipping: dict[str, str] = {}
    rate: str = ""
    draft: int = 0
    offered: tuple[str, ...] = ()

    def line(self, key: str) -> Line | None:
        """Return the line with a key."""
        return next((line for line in self.lines if line.key == key), None)


_JSON: Final = ("lines", "coupons", "billing", "shipping")
_CHANGES: Final[dict[str, Any]] = {column.name: bindparam(column.name) for column in table.c if column.name != "key"}
_LINES = msgspec.json.Decoder(tuple[Line, ...])
_TEXTS = msgspec.json.Decoder(tuple[str, ...])

_OF = Statement(select(*table.c).where(table.c.key == bindparam("key")))
_PUT = Statement(upsert(table, keys=("key",), values={"key": bindparam("key"), **_CHANGES}, changes=_CHANGES))
_REMOVE = Statement(delete(table).where(table.c.key == bindparam("key")))
_IS_KEPT = Statement(select(table.c.key).where(table.c.key == bindparam("key")))
_OLD = Statement(
    select(table.c.key, table.c.draft)
    .where(table.c.modified < bindparam("before"))
    .order_by(table.c.modified)
    .limit(_AT_ONCE)
)
_LOST_DRAFTS = Statement(
    select(shop_order.c.id)
    .where(
        shop_order.c.status == order_statuses.DRAFT,
        shop_order.c.created_via == bindparam("via"),
        shop_order.c.modified < bindparam("before"),
        shop_order.c.id.not_in(select(table.c.draft).where(table.c.draft > 0)),
    )
    .limit(_AT_ONCE)
)


def of_key(work: Work, key: str) -> Cart:
    """Return the cart with a key; an empty one for who has none yet."""
    row = work.tx.first(_OF, key=key)
    if row is None:
        return _new(work, key)
    _, lines, coupons, billing, shipping, rates, draft, _ = row
    rate, *offered = rates.split(_BETWEEN)
    kept = orjson.loads(billing)
    if not kept.get("state") and kept.get("country"):
        # Who left out a state pays where the shop is, as far as the country of the address allows
        # (shop/orders/addresses.py).
        kept["state"] = _shop_place(work)[1]
    found = Cart(
        key, _LINES.decode(lines), _TEXTS.decode(coupons), kept, orjson.loads(shipping), rate, draft, tuple(offered)
    )
    return with_destination(work, found)


def with_destination(work: Work, one: Cart) -> Cart:
    """Return a cart that is sent to who pays, where the shop sends things nowhere else."""
    if settings.shop_option(work, "shop_ship_to_destination") != _TO_PAYER:
        return one
    return msgspec.structs.replace(one, shipping={name: one.billing.get(name, "") for name in SHIPPING_ADDRESS})


def is_kept(work: Work, key: str) -> bool:
    """Say whether anybody wrote to the cart with a key."""
    return work.tx.first(_IS_KEPT, key=key) is not None


def save(work: Work, one: Cart) -> Cart:
    """Write a cart."""
    one = with_destination(work, one)
    values = {name: msgspec.json.encode(getattr(one, name)).decode() for name in _JSON}
    rates = _BETWEEN.join((one.rate, *one.offered))
    work.tx.run(_PUT, key=one.key, rate=rates, draft=one.draft, modified=work.now, **values)
    return one


def remove(work: Work, one: Cart) -> None:
    """Remove a cart."""
    work.tx.run(_REMOVE, key=one.key)


def sweep(work: Work) -> None:
    """Remove carts that nobody wrote to for long, and the orders that were begun at the checkout and never placed."""
    if "shop" not in work.frame.profile.modules:
        return
    lost = work.tx.all(_LOST_DRAFTS, via=VIA, before=work.now - _LOST)
    for one in order_model.by_ids(work, [id for (id,) in lost]).values() if lost else ():
        _forget(work, one)
    old = work.tx.all(_OLD, before=work.now - _SWEPT)
    drafts = order_model.by_ids(work, [draft for _, draft in old if draft]) if old else {}
    for key, draft in old:
        _forget(work, drafts.get(draft))
        work.tx.run(_REMOVE, key=key)


def forget_draft(work: Work, draft: int) -> None:
    """Remove the order that a cart began and that was never placed."""
    _forget(work, order_model.by_id(work, draft))


def _forget(work: Work, begun: order_model.Order | None) -> None:
    if begun is not None and begun.status == order_statuses.DRAFT:
        order_model.remove(work, begun)


def line_key(goods: int, choices: Mapping[str, str]) -> str:
    """Return the key of a line: the same goods with the same choices have the same."""
    text = orjson.dumps([goods, sorted(choices.items())])
    return hashlib.sha256(text).hexdigest()[:_KEY]


def hash_of(one: Cart) -> str:
    """Return what changes whenever what is bought changes: goods, coupons, shipping and where it goes."""
    told = [one.lines, one.coupons, one.rate, one.billing, one.shipping]
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()[:_KEY]


def _new(work: Work, key: str) -> Cart:
    """Return an empty cart: with the addresses of the account, or else of somebody where the shop is."""
    country, state = _supposed_place(work)
    billing: dict[str, str] = dict.fromkeys(BILLING, "")
    shipping: dict[str, str] = dict.fromkeys(SHIPPING_ADDRESS, "")
    buyer = customers.of_users(work, [work.user])[0] if work.user.id and key == _own(work) else None
    if buyer is not None:
        billing, shipping = {**billing, **buyer.billing}, {**shipping, **buyer.shipping}
        billing["email"] = billing["email"] or buyer.user.email
    for address in (billing, shipping):
        if not address["country"]:
            address.update(country=country, state=state)
    return with_destination(work, Cart(key, billing=billing, shipping=shipping))


def _supposed_place(work: Work) -> tuple[str, str]:
    """Return country and state where somebody is supposed to be who did not say so; empty where nothing is supposed."""
    return _shop_place(work) if settings.shop_option(work, "shop_default_customer_address") else ("", "")


def _shop_place(work: Work) -> tuple[str, str]:
    """Return country and state of the shop."""
    country, _, state = str(settings.shop_option(work, "shop_default_country")).partition(":")
    return country, state


def _own(work: Work) -> str:
    return tokens.of_account(work.user.id)

"""What becomes of a visitor's cart when its owner signs in: it is poured into the cart that the account kept.

What was put in last counts: a line that both have gets the visitor's quantity, and an address that the visitor wrote
goes before the account's. Coupons are judged anew, for some may not stand beside others. Not here: whose cart a request
is about (shop/storefront/visit_permissions.py). What no longer fits, as pieces that are sold out, is told at the next
look at the cart, as of every cart (shop/cart/totals.py).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.shop.cart import coupons as cart_coupons
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.cart import store as cart_store
from vetrina.shop.cart.coupons import CouponError
from vetrina.shop.cart.store import Cart, Line
from vetrina.shop.checkout import rules as checkout

__all__ = ["merged"]


def merged(work: Work, kept: Cart, brought: Cart) -> Cart:
    """Return the account's cart with what a visitor's had, stored; the visitor's is gone.

    kept: of the account that calls. brought: of the visitor that it was before.
    """
    new = msgspec.structs.replace(
        kept,
        lines=_lines(work, kept, brought),
        billing=_address(kept.billing, brought.billing),
        shipping=_address(kept.shipping, brought.shipping),
        rate=brought.rate or kept.rate,
        draft=kept.draft or brought.draft,
    )
    for code in brought.coupons:
        try:
            new = cart_coupons.put_on(work, new, code)
        except CouponError:
            continue
    cart_store.remove(work, brought)
    if kept.draft and brought.draft:
        cart_store.forget_draft(work, brought.draft)
    return cart_store.save(work, new)


def _lines(work: Work, kept: Cart, brought: Cart) -> tuple[Line, ...]:
    """Return the account's lines in their places, then what is new; of some goods there may be one line alone."""
    last = {line.key: line for line in brought.lines}
    found = cart_lines.goods_of(work, [line.goods for line in brought.lines])
    alone = {id for id, goods in found.items() if goods.alone}
    old = [last.get(line.key, line) for line in kept.lines if line.key in last or line.goods not in alone]
    held = {line.key for line in old}
    return (*old, *(line for line in brought.lines if line.key not in held))[: cart_lines.MOST_LINES]


def _address(kept: Mapping[str, str], brought: Mapping[str, str]) -> dict[str, str]:
    """Return an address: the visitor's where more of it is known than where the shop supposes everybody to be."""
    if not checkout.is_told(brought):
        return dict(kept)
    return {**kept, **{name: part for name, part in brought.items() if part}}

"""Merging a guest's cart into the account's cart at sign-in.

The later input wins: a line in both carts gets the guest's quantity, and an address that the guest entered replaces the
account's. Coupons are validated again, since some exclude others. Lines that no longer fit, as when sold out, are
reported when the cart is next read (shop/cart/totals.py). Not here: whose cart a request is about
(shop/storefront/cart_session.py).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.cart import coupons as cart_coupons, lines as cart_lines, store as cart_store
from vetrina.shop.cart.store import Cart, CartLine
from vetrina.shop.checkout import draft_orders
from vetrina.shop.coupons.eligibility import CartCouponRefused


def merge_carts(work: UnitOfWork, account_cart: Cart, guest_cart: Cart) -> Cart:
    """Merge a guest's cart into the account's, store the result and return it; the guest's cart is deleted.

    account_cart: the cart of the calling account. guest_cart: the cart from before it signed in.
    """
    new = msgspec.structs.replace(
        account_cart,
        lines=_merge_lines(work, account_cart, guest_cart),
        billing=_merge_address(account_cart.billing, guest_cart.billing),
        shipping=_merge_address(account_cart.shipping, guest_cart.shipping),
        rate=guest_cart.rate or account_cart.rate,
        draft=account_cart.draft or guest_cart.draft,
    )
    for code in guest_cart.coupons:
        try:
            new = cart_coupons.add_coupon(work, new, code)
        except CartCouponRefused:
            continue
    cart_store.delete_cart(work, guest_cart)
    if account_cart.draft and guest_cart.draft:
        cart_store.delete_draft_order(work, guest_cart.draft)
    return cart_store.save_cart(work, new)


def _merge_lines(work: UnitOfWork, account_cart: Cart, guest_cart: Cart) -> tuple[CartLine, ...]:
    """Return the account's lines in their order, then the new ones; some products may have one line only."""
    last = {line.key: line for line in guest_cart.lines}
    sellables = cart_lines.load_sellables(work, [line.goods for line in guest_cart.lines])
    alone = {id for id, goods in sellables.items() if goods.is_sold_individually}
    old = [last.get(line.key, line) for line in account_cart.lines if line.key in last or line.goods not in alone]
    held = {line.key for line in old}
    return (*old, *(line for line in guest_cart.lines if line.key not in held))[: cart_lines.MAX_LINES]


def _merge_address(account_address: Mapping[str, str], guest_address: Mapping[str, str]) -> dict[str, str]:
    """Return the guest's address where it has more than the default location, else the account's."""
    if not draft_orders.has_address_details(guest_address):
        return dict(account_address)
    return {**account_address, **{name: part for name, part in guest_address.items() if part}}

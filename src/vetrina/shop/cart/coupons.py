"""Coupons of a cart: which ones a visitor has put on it. What they take off: shop/cart/totals.py.

Rules: facts, "Visitors' interface": every refusal has one code; a coupon for use by itself drives the others out. How
often an address may use a coupon is asked when it is known whose order it is: at the checkout.
"""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.access.users import rules as users
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.cart import totals as cart_totals
from vetrina.shop.cart.store import Cart
from vetrina.shop.cart.totals import Counted
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.coupons.rules import CouponError, CouponRefused
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.settings import rules as settings

__all__ = ["CouponError", "NotApplied", "UsedUp", "apply", "judge", "list_used_up", "put_on", "remove"]

_MOST: Final = 20  # on one cart


class NotApplied(ApiError):
    """409 in operations, 404 for its own address: `answer_status` says which."""

    status, code = 409, "shop_rest_cart_coupon_invalid_code"
    statuses = (404, 409)
    message = "The coupon “{code}” is not on this cart."


class UsedUp(ApiError):
    """Coupons of a cart that is about to be bought, which its buyer used as often as they may be."""

    status, code = 409, "shop_rest_cart_coupon_errors"
    message = "You used these coupons as often as you may, so they were taken off the cart: {codes}."


def apply(work: Work, old: Cart, code: str) -> Cart:
    """Return a cart with one more coupon, of a code that a visitor sends. Raises CouponError, TooManyGuesses."""
    key = coupon_store.key_of(code)
    if key:
        # A coupon that is there but may not be used here is no wrong guess.
        guess_limiter.is_right(work, Secret.COUPON, None, key, lambda: coupon_store.by_code(work, key) is not None)
    return put_on(work, old, code)


def put_on(work: Work, old: Cart, code: str) -> Cart:
    """Return a cart with one more coupon, of a code that is no guess. Raises CouponError."""
    if not settings.is_on(work, "shop_enable_coupons"):
        raise CouponError(why="This shop takes no coupons.")
    key = coupon_store.key_of(code)
    if not key:
        raise CouponError(why="Send the `code` of a coupon.")
    if key in old.coupons:
        raise CouponError(why=f"The coupon “{key}” is on this cart already.")
    if len(old.coupons) >= _MOST:
        raise CouponError(why=f"A cart takes {_MOST} coupons at most.")
    found = judge(work, old, key)
    if found.individual_use:
        return msgspec.structs.replace(old, coupons=(key,))
    others = (coupon_store.by_code(work, other) for other in old.coupons)
    alone = next((one for one in others if one is not None and one.individual_use), None)
    if alone is not None:
        raise CouponError(why=f"The coupon “{alone.code}” cannot be used together with others.")
    return msgspec.structs.replace(old, coupons=(*old.coupons, key))


def judge(work: Work, one: Cart, code: str) -> Coupon:
    """Return the coupon that a code names, which a cart may have. Raises CouponError."""
    try:
        return cart_totals.judged(work, one, coupon_store.key_of(code))
    except CouponRefused as refused:
        raise CouponError(why=refused.text) from None


def list_used_up(work: Work, counted: Counted) -> list[str]:
    """Return the codes on a cart that its buyer, by account or by address, used as often as they may be."""
    email = counted.cart.billing.get("email", "").strip().lower()
    account = work.user if work.user.id else users.by_login_or_email(work.tx, email) if email else None
    names = {email, *((str(account.id), account.email.lower()) if account is not None else ())} - {""}
    return [
        one.coupon.code
        for one in counted.coupons
        if one.coupon.usage_limit_per_user
        and coupon_store.uses_of(work, one.coupon, names) >= one.coupon.usage_limit_per_user
    ]


def remove(old: Cart, code: str) -> Cart:
    """Return a cart without a coupon. Raises NotApplied."""
    key = coupon_store.key_of(code)
    if key not in old.coupons:
        raise NotApplied(code=key)
    return msgspec.structs.replace(old, coupons=tuple(one for one in old.coupons if one != key))

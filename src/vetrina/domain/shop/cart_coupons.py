"""Coupons of a cart: which ones a visitor has put on it. What they take off: cart_totals.py.

Rules: facts, "Visitors' interface": every refusal has one code; a coupon for use by itself drives the others out.
"""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

from . import cart_totals, coupons, settings
from .cart import Cart
from .coupon_rules import CouponRefused

__all__ = ["CouponError", "NotApplied", "apply", "remove"]

_MOST: Final = 20  # on one cart


class CouponError(ApiError):
    code = "shop_rest_cart_coupon_error"
    message = "{why}"


class NotApplied(ApiError):
    """409 in operations, 404 for its own address: `answer_status` says which."""

    status, code = 409, "shop_rest_cart_coupon_invalid_code"
    statuses = (404, 409)
    message = "The coupon “{code}” is not on this cart."


def apply(work: Work, old: Cart, code: str) -> Cart:
    """Return a cart with one more coupon. Raises CouponError."""
    if not settings.is_on(work, "shop_enable_coupons"):
        raise CouponError(why="This shop takes no coupons.")
    key = coupons.key_of(code)
    if not key:
        raise CouponError(why="Send the `code` of a coupon.")
    if key in old.coupons:
        raise CouponError(why=f"The coupon “{key}” is on this cart already.")
    if len(old.coupons) >= _MOST:
        raise CouponError(why=f"A cart takes {_MOST} coupons at most.")
    try:
        found = cart_totals.judged(work, old, key)
    except CouponRefused as refused:
        raise CouponError(why=refused.text) from None
    if found.individual_use:
        return msgspec.structs.replace(old, coupons=(key,))
    others = (coupons.by_code(work, other) for other in old.coupons)
    alone = next((one for one in others if one is not None and one.individual_use), None)
    if alone is not None:
        raise CouponError(why=f"The coupon “{alone.code}” cannot be used together with others.")
    return msgspec.structs.replace(old, coupons=(*old.coupons, key))


def remove(old: Cart, code: str) -> Cart:
    """Return a cart without a coupon. Raises NotApplied."""
    key = coupons.key_of(code)
    if key not in old.coupons:
        raise NotApplied(code=key)
    return msgspec.structs.replace(old, coupons=tuple(one for one in old.coupons if one != key))

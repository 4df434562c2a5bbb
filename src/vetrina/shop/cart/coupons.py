"""Coupons applied to a cart. Their discounts: shop/cart/totals.py.

Rules: docs/rules/cart.md, 6: every refusal has one code; an individual-use coupon removes the others. The usage limit
per mail address, and for whose address a coupon is, are checked at the checkout, when the buyer is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.users import rules as users
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.cart import totals as cart_totals
from vetrina.shop.cart.store import Cart
from vetrina.shop.cart.totals import CartTotals
from vetrina.shop.coupons import store as coupon_store, uses as coupon_uses
from vetrina.shop.coupons.eligibility import CartCouponRefused, CouponRefused, is_for_buyer
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.settings import rules as settings

_MAX_COUPONS: Final = 20  # per cart


class CouponNotInCart(ApiError):
    """A conflict in operations; at the coupon's own URL there is nothing."""

    failure, code = Failure.CONFLICT, "shop_rest_cart_coupon_invalid_code"
    failures = (Failure.NOT_FOUND, Failure.CONFLICT)
    message = "The coupon “{code}” is not on this cart."


class CouponsRefusedAtCheckout(ApiError):
    """Coupons of a cart that its buyer, who is known at the checkout, may not use."""

    failure, code = Failure.CONFLICT, "shop_rest_cart_coupon_errors"
    message = "Coupons were taken off the cart. {why}"

    def __init__(self, refused: Mapping[str, str]) -> None:
        """Keep why each coupon was refused, by its code."""
        super().__init__(why=" ".join(refused.values()))
        self.data["removed_coupons"] = dict(refused)


def apply_coupon_code(work: UnitOfWork, old: Cart, code: str) -> Cart:
    """Return the cart with a coupon added, by a code that a visitor sent. Raises CartCouponRefused, TooManyGuesses."""
    key = coupon_store.normalize_coupon_code(code)
    if key:
        # A coupon that exists but may not be used here does not count as a wrong guess.
        guess_limiter.is_right_guess(
            work, SecretKind.COUPON, None, key, lambda: coupon_store.find_coupon_by_code(work, key) is not None
        )
    return add_coupon(work, old, code)


def add_coupon(work: UnitOfWork, old: Cart, code: str) -> Cart:
    """Return the cart with a coupon added, by a code that is not a guess. Raises CartCouponRefused."""
    if not settings.is_setting_on(work, "shop_enable_coupons"):
        raise CartCouponRefused(why="This shop takes no coupons.")
    key = coupon_store.normalize_coupon_code(code)
    if not key:
        raise CartCouponRefused(why="Send the `code` of a coupon.")
    if key in old.coupons:
        raise CartCouponRefused(why=f"The coupon “{key}” is on this cart already.")
    if len(old.coupons) >= _MAX_COUPONS:
        raise CartCouponRefused(why=f"A cart takes {_MAX_COUPONS} coupons at most.")
    found = get_applicable_coupon(work, old, key)
    if found.individual_use:
        return msgspec.structs.replace(old, coupons=(key,))
    others = (coupon_store.find_coupon_by_code(work, other) for other in old.coupons)
    alone = next((one for one in others if one is not None and one.individual_use), None)
    if alone is not None:
        raise CartCouponRefused(why=f"The coupon “{alone.code}” cannot be used together with others.")
    return msgspec.structs.replace(old, coupons=(*old.coupons, key))


def get_applicable_coupon(work: UnitOfWork, cart: Cart, code: str) -> Coupon:
    """Return the coupon with a code, if it may be applied to a cart. Raises CartCouponRefused."""
    try:
        return cart_totals.get_usable_coupon(work, cart, coupon_store.normalize_coupon_code(code))
    except CouponRefused as refused:
        raise CartCouponRefused(why=refused.text) from None


def find_used_up_coupons(work: UnitOfWork, counted: CartTotals) -> dict[str, str]:
    """Return why coupons are refused whose usage limit the buyer, by account or mail address, has reached; by code."""
    email = counted.cart.billing.get("email", "").strip().lower()
    account = work.user if work.user.id else users.find_user_by_login(work.tx, email) if email else None
    names = {email, *((str(account.id), account.email.lower()) if account is not None else ())} - {""}
    return {
        one.coupon.code: f"You used the coupon “{one.coupon.code}” as often as you may."
        for one in counted.coupons
        if one.coupon.usage_limit_per_user
        and coupon_uses.count_coupon_uses(work, one.coupon, names) >= one.coupon.usage_limit_per_user
    }


def find_misaddressed_coupons(work: UnitOfWork, cart: Cart, billing: Mapping[str, str] | None) -> dict[str, str]:
    """Return why coupons are refused that are for the address of the cart, and not for the one of the checkout."""
    email = (billing or {}).get("email", "")
    if not email or email == cart.billing.get("email", ""):
        return {}
    before = cart_totals.build_buyer(work, cart)
    buyer = cart_totals.build_buyer(work, msgspec.structs.replace(cart, billing={**cart.billing, "email": email}))
    found = (coupon_store.find_coupon_by_code(work, code) for code in cart.coupons)
    return {
        one.code: f"The coupon “{one.code}” is for other addresses than the order's."
        for one in found
        if one is not None and is_for_buyer(one, before) and not is_for_buyer(one, buyer)
    }


def remove_coupon(old: Cart, code: str) -> Cart:
    """Return the cart without a coupon. Raises CouponNotInCart."""
    key = coupon_store.normalize_coupon_code(code)
    if key not in old.coupons:
        raise CouponNotInCart(code=key)
    return msgspec.structs.replace(old, coupons=tuple(one for one in old.coupons if one != key))

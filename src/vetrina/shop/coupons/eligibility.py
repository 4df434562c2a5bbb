"""Whether a coupon may be used for an order or a cart.

Not here: its discount (shop/coupons/discounts.py). Rules: docs/rules/coupons.md, 4: every refusal has the same code,
and a message that says which rule failed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.coupons import uses as coupon_uses
from vetrina.shop.coupons.discounts import FIXED_CART, DiscountLine
from vetrina.shop.coupons.store import Coupon


class CouponRefused(ApiError):
    """The coupon may not be used here; the message says why."""

    code = "shop_rest_invalid_coupon"
    message = "{why}"


class CartCouponRefused(ApiError):
    """The cart cannot have the coupon, or not any more; the message says why."""

    code = "shop_rest_cart_coupon_error"
    message = "{why}"


class CouponBuyer(msgspec.Struct, frozen=True):
    """The buyer. customer: account id, 0 for a guest. emails: mail addresses whose earlier uses of a coupon count.

    addresses: further mail addresses, which only count for coupons restricted to some mail addresses.
    """

    customer: int = 0
    emails: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name under which a use of a coupon is recorded."""
        return str(self.customer) if self.customer else next(iter(self.emails), "")

    @property
    def names(self) -> tuple[str, ...]:
        """Return every name under which an earlier use may be recorded."""
        return (*((str(self.customer),) if self.customer else ()), *self.emails)


def validate_coupon(
    work: UnitOfWork,
    coupon: Coupon | None,
    code: str,
    goods: Sequence[DiscountLine],
    subtotal: Decimal,
    buyer: CouponBuyer,
    own_uses: int = 0,
) -> Coupon:
    """Return the coupon if it may be used, else raise CouponRefused.

    coupon: the coupon with the code, None for none. subtotal: of the lines before discounts, as displayed. own_uses:
    how many recorded uses are by the order itself.
    """
    if coupon is None:
        raise CouponRefused(why=f"There is no coupon “{code}”.")
    if coupon.expires is not None and coupon.expires < work.now:
        raise CouponRefused(why=f"The coupon “{coupon.code}” has expired.")
    if coupon.usage_limit and coupon.usage_count - own_uses >= coupon.usage_limit:
        raise CouponRefused(why=f"The coupon “{coupon.code}” was used as often as it may be.")
    _check_buyer(work, coupon, buyer, own_uses)
    if coupon.minimum and subtotal < coupon.minimum:
        raise CouponRefused(
            why=f"The coupon “{coupon.code}” is for orders from {money.format_amount(coupon.minimum, 2)} on."
        )
    if coupon.maximum and subtotal > coupon.maximum:
        raise CouponRefused(
            why=f"The coupon “{coupon.code}” is for orders up to {money.format_amount(coupon.maximum, 2)}."
        )
    _check_lines(coupon, goods)
    return coupon


def is_for_buyer(coupon: Coupon, buyer: CouponBuyer) -> bool:
    """Return whether a coupon is for everybody, or for one of the buyer's mail addresses."""
    return not coupon.emails or any(
        _is_email_allowed(email, coupon.emails) for email in (*buyer.emails, *buyer.addresses)
    )


def _check_buyer(work: UnitOfWork, coupon: Coupon, buyer: CouponBuyer, own_uses: int) -> None:
    if coupon.usage_limit_per_user and buyer.names:
        used = coupon_uses.count_coupon_uses(work, coupon, buyer.names)
        if used - own_uses >= coupon.usage_limit_per_user:
            raise CouponRefused(why=f"You used the coupon “{coupon.code}” as often as you may.")
    if not is_for_buyer(coupon, buyer):
        raise CouponRefused(why=f"The coupon “{coupon.code}” is for other addresses than the order's.")


def _check_lines(coupon: Coupon, goods: Sequence[DiscountLine]) -> None:
    rules = coupon.to_discount()
    if not goods:
        if coupon.products or coupon.categories:
            raise CouponRefused(why=f"The coupon “{coupon.code}” is for other goods.")
        return
    if not _has_eligible_lines(coupon, goods):
        raise CouponRefused(why=f"The coupon “{coupon.code}” is for other goods.")
    if coupon.kind == FIXED_CART:
        # A discount on the whole cart must not be used with what it excludes.
        if any(
            line.products & rules.excluded_products or line.categories & rules.excluded_categories for line in goods
        ):
            raise CouponRefused(why=f"The coupon “{coupon.code}” may not be used with some of these goods.")
        if coupon.exclude_sale_items and any(line.on_sale for line in goods):
            raise CouponRefused(why=f"The coupon “{coupon.code}” may not be used with goods on sale.")
    elif not any(rules.is_eligible(line) for line in goods):
        raise CouponRefused(why=f"The coupon “{coupon.code}” is for other goods.")


def _has_eligible_lines(coupon: Coupon, goods: Sequence[DiscountLine]) -> bool:
    """Return whether there are products for each list that a coupon names; no single line has to be in all of them.

    Excluded products on sale count for the product lists, not for the category lists.
    """
    products, categories = frozenset(coupon.products), frozenset(coupon.categories)
    counted = [line for line in goods if not (coupon.exclude_sale_items and line.on_sale)]
    return (not products or any(line.products & products for line in goods)) and (
        not categories or any(line.categories & categories for line in counted)
    )


def _is_email_allowed(email: str, patterns: Sequence[str]) -> bool:
    email = email.strip().lower()
    return any(re.fullmatch(re.escape(one.lower()).replace(r"\*", ".*"), email) for one in patterns)

"""Whether a coupon may be used for an order or a cart.

Not here: what it takes off (shop/coupons/discounts.py). Rules: facts, "Rules when used in an order"; every refusal of
the interface has one code, and a sentence that says which rule it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.coupons.discounts import FIXED_CART, Goods
from vetrina.shop.coupons.store import Coupon

__all__ = ["Buyer", "CouponError", "CouponRefused", "judge"]


class CouponRefused(ApiError):
    """A coupon may not be used here; the message says why."""

    code = "shop_rest_invalid_coupon"
    message = "{why}"


class CouponError(ApiError):
    """A cart cannot have a coupon, or not any more; the message says why."""

    code = "shop_rest_cart_coupon_error"
    message = "{why}"


class Buyer(msgspec.Struct, frozen=True):
    """Who buys: the number of the customer, 0 for a guest, and the addresses whose earlier uses of a coupon count.

    addresses: further ones, which only say whether a coupon for some addresses may be used.
    """

    customer: int = 0
    emails: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return what a use of a coupon is noted under."""
        return str(self.customer) if self.customer else next(iter(self.emails), "")

    @property
    def names(self) -> tuple[str, ...]:
        """Return everything that an earlier use may be noted under."""
        return (*((str(self.customer),) if self.customer else ()), *self.emails)


def judge(
    work: Work,
    one: Coupon | None,
    code: str,
    goods: Sequence[Goods],
    subtotal: Decimal,
    buyer: Buyer,
    own_uses: int = 0,
) -> Coupon:
    """Return the coupon that may be used, or raise CouponRefused.

    one: the coupon that the code names, None for none. subtotal: of the goods before discounts, as the customer sees
    it. own_uses: how often what it is for counts as a use already.
    """
    if one is None:
        raise CouponRefused(why=f"There is no coupon “{code}”.")
    if one.expires is not None and one.expires < work.now:
        raise CouponRefused(why=f"The coupon “{one.code}” has expired.")
    if one.usage_limit and one.usage_count - own_uses >= one.usage_limit:
        raise CouponRefused(why=f"The coupon “{one.code}” was used as often as it may be.")
    _judge_buyer(work, one, buyer, own_uses)
    if one.minimum and subtotal < one.minimum:
        raise CouponRefused(why=f"The coupon “{one.code}” is for orders from {money.text(one.minimum, 2)} on.")
    if one.maximum and subtotal > one.maximum:
        raise CouponRefused(why=f"The coupon “{one.code}” is for orders up to {money.text(one.maximum, 2)}.")
    _judge_goods(one, goods)
    return one


def _judge_buyer(work: Work, one: Coupon, buyer: Buyer, own_uses: int) -> None:
    if one.usage_limit_per_user and buyer.names:
        used = coupon_store.uses_of(work, one, buyer.names)
        if used - own_uses >= one.usage_limit_per_user:
            raise CouponRefused(why=f"You used the coupon “{one.code}” as often as you may.")
    if one.emails and not any(_allowed(email, one.emails) for email in (*buyer.emails, *buyer.addresses)):
        raise CouponRefused(why=f"The coupon “{one.code}” is for other addresses than the order's.")


def _judge_goods(one: Coupon, goods: Sequence[Goods]) -> None:
    rules = one.counted()
    if not goods:
        if one.products or one.categories:
            raise CouponRefused(why=f"The coupon “{one.code}” is for other goods.")
        return
    if not _is_for_some(one, goods):
        raise CouponRefused(why=f"The coupon “{one.code}” is for other goods.")
    if one.kind == FIXED_CART:
        # What is taken off everything must not be used with what it excludes.
        if any(
            line.products & rules.excluded_products or line.categories & rules.excluded_categories for line in goods
        ):
            raise CouponRefused(why=f"The coupon “{one.code}” may not be used with some of these goods.")
        if one.exclude_sale_items and any(line.on_sale for line in goods):
            raise CouponRefused(why=f"The coupon “{one.code}” may not be used with goods on sale.")
    elif not any(rules.names(line) for line in goods):
        raise CouponRefused(why=f"The coupon “{one.code}” is for other goods.")


def _is_for_some(one: Coupon, goods: Sequence[Goods]) -> bool:
    """Say whether goods are there for each list that a coupon names; no single line has to be in all of them.

    Goods on sale that it leaves out stand for no category, though for their product.
    """
    products, categories = frozenset(one.products), frozenset(one.categories)
    counted = [line for line in goods if not (one.exclude_sale_items and line.on_sale)]
    return (not products or any(line.products & products for line in goods)) and (
        not categories or any(line.categories & categories for line in counted)
    )


def _allowed(email: str, patterns: Sequence[str]) -> bool:
    email = email.strip().lower()
    return any(re.fullmatch(re.escape(one.lower()).replace(r"\*", ".*"), email) for one in patterns)

"""Discounts of coupons on the lines of an order or a cart.

Pure arithmetic, in cents (the smallest unit of the currency) of the displayed price; of what is taken off a price with
tax, a part is tax. Not here: whether a coupon may be
used (shop/coupons/eligibility.py).

Rules: docs/rules/coupons.md, 5, 6, 7 and 8: a coupon applies to the undiscounted line unless the shop applies coupons
sequentially; lines are taken by descending piece price; a percentage is cut to whole cents a line, leftover cents go
one to a piece, and no line goes below zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, Decimal
from math import floor
from typing import Final, Literal

import msgspec

from vetrina.kernel import money
from vetrina.shop.taxes.rounding import PricingRules
from vetrina.shop.taxes.rules import EffectiveTaxRate, compute_added_taxes, compute_included_taxes

PERCENT: Final = "percent"
FIXED_CART: Final = "fixed_cart"
FIXED_PRODUCT: Final = "fixed_product"

_HUNDRED: Final = Decimal(100)
_ROUNDS: Final = 1000  # more are needed only where one piece among thousands bears the whole amount
_EXACT: Final = 6  # decimals of an amount: a line may have fractions of a cent where taxes were taken out of its price
_BINARY: Final = 10**12  # cents below which binary floats tell them apart


class DiscountLine(msgspec.Struct, frozen=True):
    """A line that coupons may discount.

    key: identifies the line. cents: the whole line before any discount, with its tax where prices include it.
    products: ids of its product and of that product's parent. categories: of the product, with all their ancestors.
    """

    key: int
    quantity: int
    cents: Decimal
    products: frozenset[int] = frozenset()
    categories: frozenset[int] = frozenset()
    on_sale: bool = False


class CouponDiscount(msgspec.Struct, frozen=True):
    """The amount of a coupon and what it applies to.

    amount: a percentage, or an amount in the currency. most_pieces: how many pieces it applies to; None for all.
    """

    code: str
    kind: Literal["percent", "fixed_cart", "fixed_product"]
    amount: Decimal
    products: frozenset[int] = frozenset()
    excluded_products: frozenset[int] = frozenset()
    categories: frozenset[int] = frozenset()
    excluded_categories: frozenset[int] = frozenset()
    exclude_sale_items: bool = False
    most_pieces: int | None = None

    def is_eligible(self, goods: DiscountLine) -> bool:
        """Return whether a line is eligible for the coupon."""
        if self.exclude_sale_items and goods.on_sale:
            return False
        if goods.products & self.excluded_products or goods.categories & self.excluded_categories:
            return False
        if not self.products and not self.categories:
            return True
        return bool(goods.products & self.products or goods.categories & self.categories)

    def may_discount(self, goods: DiscountLine) -> bool:
        """Return whether it may discount a line: a coupon for the whole order is shared by every line."""
        return self.kind == FIXED_CART or self.is_eligible(goods)


class _RemainingAmounts:
    """What remains of each line while coupons are applied, and what the current one took."""

    def __init__(self, lines: Iterable[DiscountLine]) -> None:
        self.lines = {line.key: line for line in lines}
        self.gone = dict.fromkeys(self.lines, money.ZERO)
        self.taken: dict[int, Decimal] = {}

    def compute_remaining(self, key: int) -> Decimal:
        """Return what remains of a line in whole cents; half a cent counts as one, which is then taken off whole."""
        return max(money.ZERO, money.round_amount(self.lines[key].cents - self.gone[key], 0))

    def take(self, key: int, cents: Decimal) -> Decimal:
        """Take cents off a line, no more than remain of it; return how many were taken."""
        cents = min(cents, self.compute_remaining(key))
        self.gone[key] += cents
        self.taken[key] = self.taken.get(key, money.ZERO) + cents
        return cents


def compute_discounts(
    goods: Iterable[DiscountLine], coupons: Iterable[CouponDiscount], places: int, *, sequentially: bool = False
) -> dict[str, dict[int, Decimal]]:
    """Return the cents that each coupon, by code, takes off each line, by key; lines without a discount are left out.

    places: decimals of the currency, which define the cents. sequentially: each coupon applies to what the one before
    left.
    """
    lines = sorted(goods, key=lambda line: line.cents / line.quantity if line.quantity else line.cents, reverse=True)
    rest = _RemainingAmounts(lines)
    out: dict[str, dict[int, Decimal]] = {}
    for coupon in coupons:
        rest.taken = {}
        chosen = [
            line
            for line in lines
            if line.quantity > 0 and rest.compute_remaining(line.key) and coupon.may_discount(line)
        ]
        _apply_coupon(coupon, chosen, rest, places, sequentially=sequentially)
        out[coupon.code] = {key: cents for key, cents in rest.taken.items() if cents}
    return out


def _apply_coupon(
    coupon: CouponDiscount, lines: Sequence[DiscountLine], rest: _RemainingAmounts, places: int, *, sequentially: bool
) -> None:
    match coupon.kind:
        case "percent":
            _apply_percent(coupon, lines, rest, sequentially=sequentially)
        case "fixed_product":
            _take_per_piece(_convert_to_cents(coupon.amount, places), lines, coupon.most_pieces, rest)
        case "fixed_cart":
            _take_from_cart(_convert_to_cents(coupon.amount, places), lines, coupon.most_pieces, rest)


def _count_eligible_pieces(lines: Iterable[DiscountLine], most: int | None) -> dict[int, int]:
    """Return how many pieces of each line a coupon applies to; most: how many in all, None or 0 for every piece."""
    if not most:
        return {line.key: line.quantity for line in lines}
    out, left = {}, most
    for line in lines:
        out[line.key] = min(line.quantity, left)
        left -= out[line.key]
    return out


def _apply_percent(
    coupon: CouponDiscount, lines: Sequence[DiscountLine], rest: _RemainingAmounts, *, sequentially: bool
) -> None:
    pieces = _count_eligible_pieces(lines, coupon.most_pieces)
    whole = by_line = money.ZERO
    for line in lines:
        price = rest.compute_remaining(line.key) if sequentially else money.round_amount(line.cents, 0)
        by_line += rest.take(line.key, _compute_percent_share(price, line.quantity, pieces[line.key], coupon.amount))
        whole += price * pieces[line.key] / line.quantity
    due = money.round_amount(whole * coupon.amount / _HUNDRED, 0, money.HALF_DOWN)
    if by_line < due:
        _spread_cents(due - by_line, lines, rest)


def _compute_percent_share(price: Decimal, quantity: int, pieces: int, percent: Decimal) -> Decimal:
    """Return a percentage of the price of some pieces of a line, cut to whole cents.

    Clients expect it cut as binary floats are: 0.99 % of 100.00 is slightly less than 0.99 there, so that the last cent
    is spread as a leftover cent. Exact where binary floats do not hold the price.
    """
    if price >= _BINARY:
        return price * pieces * percent // (quantity * _HUNDRED)
    return Decimal(floor(float(price) / quantity * pieces * (float(percent) / 100)))


def _take_per_piece(
    cents: Decimal, lines: Sequence[DiscountLine], most: int | None, rest: _RemainingAmounts
) -> Decimal:
    """Take an amount off each piece; return what was taken. With a limit of pieces, none gives more than it costs."""
    pieces = _count_eligible_pieces(lines, most)
    taken = money.ZERO
    for line in lines:
        each = min(cents, line.cents / line.quantity) if most else cents
        taken += rest.take(line.key, each * pieces[line.key])
    return taken


def _take_from_cart(cents: Decimal, lines: Sequence[DiscountLine], most: int | None, rest: _RemainingAmounts) -> None:
    """Take an amount off all lines, spread as evenly over pieces as whole cents allow."""
    for _ in range(_ROUNDS):
        lines = [line for line in lines if rest.compute_remaining(line.key) > 0]
        if not lines:
            return
        each = cents // sum(line.quantity for line in lines)
        if each == 0:
            break
        taken = _take_per_piece(each, lines, most, rest)
        if taken == 0:
            return
        cents -= taken
    _spread_cents(cents, lines, rest)


def _spread_cents(cents: Decimal, lines: Sequence[DiscountLine], rest: _RemainingAmounts) -> None:
    """Take cents off, one a piece, from the first line on; a fraction of a cent counts as a whole one."""
    for line in lines:
        if cents <= 0:
            return
        cents -= rest.take(line.key, min(Decimal(line.quantity), cents.to_integral_value(ROUND_CEILING)))


def split_discount(
    discount: Decimal, rates: Sequence[EffectiveTaxRate], rules: PricingRules
) -> tuple[Decimal, Decimal]:
    """Return the net part and the tax part of a discount.

    discount: of the displayed price, with tax where prices include it.
    """
    if rules.inclusive:
        tax = sum(compute_included_taxes(discount, rates).values(), money.ZERO)
        return discount - tax, tax
    return discount, sum(compute_added_taxes(discount, rates).values(), money.ZERO)


def compute_cent_decimals(places: int) -> int:
    """Return the decimals of an amount in cents; places: decimals of the currency."""
    return max(places + 2, _EXACT) - places


def _convert_to_cents(amount: Decimal, places: int) -> Decimal:
    return money.round_amount(amount.scaleb(places), compute_cent_decimals(places))

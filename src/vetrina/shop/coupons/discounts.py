"""What coupons take off the lines of an order or a cart.

What is in: the arithmetic, in cents (the smallest unit of the currency) of what the customer sees. Not here: whether a
coupon may be used (shop/coupons/rules.py), what of a discount is tax (shop/taxes/line_totals.py).
Rules: facts, "Rules when used in an order": every coupon works on the undiscounted line unless the shop lets each work
on what the one before left; the lines of the dearest pieces come first; a percentage is cut to whole cents a line,
cents that are left over go one a piece, and no line falls below nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, Decimal
from math import floor
from typing import Final, Literal

import msgspec

from vetrina.kernel import money

__all__ = ["FIXED_CART", "FIXED_PRODUCT", "PERCENT", "Coupon", "Goods", "parts_of_cents", "taken_off"]

PERCENT: Final = "percent"
FIXED_CART: Final = "fixed_cart"
FIXED_PRODUCT: Final = "fixed_product"

_HUNDRED: Final = Decimal(100)
_ROUNDS: Final = 1000  # more of them are needed only where one piece of thousands bears the whole amount
_EXACT: Final = 6  # decimals of an amount: a line may cost parts of a cent where taxes were taken out of its price
_BINARY: Final = 10**12  # cents below which a binary fraction tells them apart


class Goods(msgspec.Struct, frozen=True):
    """A line that coupons may work on.

    key: names the line. cents: the whole line before any discount, with its tax where prices include it.
    products: the numbers of its product and of that one's parent. categories: of the product and all above them.
    """

    key: int
    quantity: int
    cents: Decimal
    products: frozenset[int] = frozenset()
    categories: frozenset[int] = frozenset()
    on_sale: bool = False


class Coupon(msgspec.Struct, frozen=True):
    """What a coupon gives, and on what.

    amount: a percentage, or an amount in the currency. most_pieces: it works on so many pieces only; None for all.
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

    def names(self, goods: Goods) -> bool:
        """Say whether a line is among the goods that it is for."""
        if self.exclude_sale_items and goods.on_sale:
            return False
        if goods.products & self.excluded_products or goods.categories & self.excluded_categories:
            return False
        if not self.products and not self.categories:
            return True
        return bool(goods.products & self.products or goods.categories & self.categories)

    def works_on(self, goods: Goods) -> bool:
        """Say whether it may take something off a line: one for the whole order is shared by every line of it."""
        return self.kind == FIXED_CART or self.names(goods)


class _Rest:
    """What is left of each line while coupons are worked out, and what the one at hand took."""

    def __init__(self, lines: Iterable[Goods]) -> None:
        self.lines = {line.key: line for line in lines}
        self.gone = dict.fromkeys(self.lines, money.ZERO)
        self.taken: dict[int, Decimal] = {}

    def left(self, key: int) -> Decimal:
        """Return what a line still costs, in whole cents: half of one counts as one, which is then taken off whole."""
        return max(money.ZERO, money.rounded(self.lines[key].cents - self.gone[key], 0))

    def take(self, key: int, cents: Decimal) -> Decimal:
        """Take cents off a line, no more than are left of it; return how many were taken."""
        cents = min(cents, self.left(key))
        self.gone[key] += cents
        self.taken[key] = self.taken.get(key, money.ZERO) + cents
        return cents


def taken_off(
    goods: Iterable[Goods], coupons: Iterable[Coupon], places: int, *, sequentially: bool = False
) -> dict[str, dict[int, Decimal]]:
    """Return the cents that each coupon, by code, takes off each line, by key; lines without a discount are left out.

    places: decimals of the currency, which make the cents. sequentially: each coupon works on what the one before left.
    """
    lines = sorted(goods, key=lambda line: line.cents / line.quantity if line.quantity else line.cents, reverse=True)
    rest = _Rest(lines)
    out: dict[str, dict[int, Decimal]] = {}
    for coupon in coupons:
        rest.taken = {}
        chosen = [line for line in lines if line.quantity > 0 and rest.left(line.key) and coupon.works_on(line)]
        _apply(coupon, chosen, rest, places, sequentially=sequentially)
        out[coupon.code] = {key: cents for key, cents in rest.taken.items() if cents}
    return out


def _apply(coupon: Coupon, lines: Sequence[Goods], rest: _Rest, places: int, *, sequentially: bool) -> None:
    match coupon.kind:
        case "percent":
            _apply_percent(coupon, lines, rest, sequentially=sequentially)
        case "fixed_product":
            _apply_each(_cents(coupon.amount, places), lines, coupon.most_pieces, rest)
        case "fixed_cart":
            _apply_whole(_cents(coupon.amount, places), lines, coupon.most_pieces, rest)


def _pieces(lines: Iterable[Goods], most: int | None) -> dict[int, int]:
    """Return how many pieces of each line a coupon works on; most: how many in all, None or 0 for every piece."""
    if not most:
        return {line.key: line.quantity for line in lines}
    out, left = {}, most
    for line in lines:
        out[line.key] = min(line.quantity, left)
        left -= out[line.key]
    return out


def _apply_percent(coupon: Coupon, lines: Sequence[Goods], rest: _Rest, *, sequentially: bool) -> None:
    pieces = _pieces(lines, coupon.most_pieces)
    whole = by_line = money.ZERO
    for line in lines:
        price = rest.left(line.key) if sequentially else money.rounded(line.cents, 0)
        by_line += rest.take(line.key, _share(price, line.quantity, pieces[line.key], coupon.amount))
        whole += price * pieces[line.key] / line.quantity
    due = money.rounded(whole * coupon.amount / _HUNDRED, 0, money.HALF_DOWN)
    if by_line < due:
        _spread(due - by_line, lines, rest)


def _share(price: Decimal, quantity: int, pieces: int, percent: Decimal) -> Decimal:
    """Return a percentage of what some pieces of a line cost, cut to whole cents.

    Clients of the interface know it cut as binary fractions are: 0.99 % of 100.00 is a hair less than 0.99 there, so
    that the last cent goes where left-over cents go. Exact where binary fractions do not hold the price.
    """
    if price >= _BINARY:
        return price * pieces * percent // (quantity * _HUNDRED)
    return Decimal(floor(float(price) / quantity * pieces * (float(percent) / 100)))


def _apply_each(cents: Decimal, lines: Sequence[Goods], most: int | None, rest: _Rest) -> Decimal:
    """Take an amount off each piece; return what was taken. Where pieces are counted, none gives more than it costs."""
    pieces = _pieces(lines, most)
    taken = money.ZERO
    for line in lines:
        each = min(cents, line.cents / line.quantity) if most else cents
        taken += rest.take(line.key, each * pieces[line.key])
    return taken


def _apply_whole(cents: Decimal, lines: Sequence[Goods], most: int | None, rest: _Rest) -> None:
    """Take an amount off all lines, as evenly by pieces as whole cents allow."""
    for _ in range(_ROUNDS):
        lines = [line for line in lines if rest.left(line.key) > 0]
        if not lines:
            return
        each = cents // sum(line.quantity for line in lines)
        if each == 0:
            break
        taken = _apply_each(each, lines, most, rest)
        if taken == 0:
            return
        cents -= taken
    _spread(cents, lines, rest)


def _spread(cents: Decimal, lines: Sequence[Goods], rest: _Rest) -> None:
    """Take cents off one a piece, from the first line on; part of a cent is a whole one."""
    for line in lines:
        if cents <= 0:
            return
        cents -= rest.take(line.key, min(Decimal(line.quantity), cents.to_integral_value(ROUND_CEILING)))


def parts_of_cents(places: int) -> int:
    """Return the decimals of an amount in cents; places: decimals of the currency."""
    return max(places + 2, _EXACT) - places


def _cents(amount: Decimal, places: int) -> Decimal:
    return money.rounded(amount.scaleb(places), parts_of_cents(places))

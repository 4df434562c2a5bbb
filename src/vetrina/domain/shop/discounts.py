"""What coupons take off the lines of an order or a cart.

What is in: the arithmetic, in whole cents (the smallest unit of the currency) of what the customer sees. Not here:
whether a coupon may be used (coupon_rules.py), what of a discount is tax (totals.py).
Rules: facts, "Rules when used in an order": every coupon works on the undiscounted line, a percentage is cut to whole
cents a line, cents that are left over go one a piece to the first lines, and no line falls below nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Literal

import msgspec

from vetrina.kernel import money

__all__ = ["FIXED_CART", "FIXED_PRODUCT", "PERCENT", "Coupon", "Goods", "taken_off"]

PERCENT: Final = "percent"
FIXED_CART: Final = "fixed_cart"
FIXED_PRODUCT: Final = "fixed_product"

_HUNDRED: Final = Decimal(100)


class Goods(msgspec.Struct, frozen=True):
    """A line that coupons may work on.

    key: names the line. cents: the whole line before any discount, with its tax where prices include it.
    products: the numbers of its product and of that one's parent. categories: of the product and all above them.
    """

    key: int
    quantity: int
    cents: int
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

    def works_on(self, goods: Goods) -> bool:
        """Say whether it may take something off a line."""
        if self.exclude_sale_items and goods.on_sale:
            return False
        if goods.products & self.excluded_products or goods.categories & self.excluded_categories:
            return False
        if not self.products and not self.categories:
            return True
        return bool(goods.products & self.products or goods.categories & self.categories)


@dataclass(slots=True)
class _Rest:
    """What is left of each line while coupons are worked out."""

    left: dict[int, int]
    taken: dict[int, int] = field(default_factory=dict)

    def take(self, key: int, cents: int) -> int:
        cents = max(0, min(cents, self.left[key]))
        self.left[key] -= cents
        self.taken[key] = self.taken.get(key, 0) + cents
        return cents


def taken_off(goods: Iterable[Goods], coupons: Iterable[Coupon], places: int) -> dict[str, dict[int, int]]:
    """Return the cents that each coupon, by code, takes off each line, by key; lines without a discount are left out.

    places: decimals of the currency, which make the cents.
    """
    lines = tuple(goods)
    left = {line.key: line.cents for line in lines}
    out: dict[str, dict[int, int]] = {}
    for coupon in coupons:
        rest = _Rest(left)
        _apply(coupon, [line for line in lines if line.quantity > 0 and coupon.works_on(line)], rest, places)
        out[coupon.code] = {key: cents for key, cents in rest.taken.items() if cents}
    return out


def _apply(coupon: Coupon, lines: Sequence[Goods], rest: _Rest, places: int) -> None:
    pieces = _pieces(coupon, lines)
    match coupon.kind:
        case "percent":
            _apply_percent(coupon.amount, lines, pieces, rest)
        case "fixed_product":
            _apply_each(_cents(coupon.amount, places), lines, pieces, rest)
        case "fixed_cart":
            _apply_whole(_cents(coupon.amount, places), lines, pieces, rest)


def _pieces(coupon: Coupon, lines: Iterable[Goods]) -> dict[int, int]:
    """Return how many pieces of each line a coupon works on."""
    if coupon.most_pieces is None:
        return {line.key: line.quantity for line in lines}
    out, left = {}, coupon.most_pieces
    for line in lines:
        out[line.key] = min(line.quantity, left)
        left -= out[line.key]
    return out


def _apply_percent(percent: Decimal, lines: Sequence[Goods], pieces: Mapping[int, int], rest: _Rest) -> None:
    whole = by_line = 0
    for line in lines:
        price = line.cents * pieces[line.key] // line.quantity
        share = int(money.floored(price * percent / _HUNDRED))
        rest.take(line.key, share)
        whole += price
        by_line += share
    due = int(money.rounded(whole * percent / _HUNDRED, 0, money.HALF_DOWN))
    _spread(due - by_line, lines, pieces, rest)


def _apply_each(cents: int, lines: Sequence[Goods], pieces: Mapping[int, int], rest: _Rest) -> int:
    return sum(rest.take(line.key, cents * pieces[line.key]) for line in lines)


def _apply_whole(cents: int, lines: Sequence[Goods], pieces: Mapping[int, int], rest: _Rest) -> None:
    """Take an amount off all lines, as evenly by pieces as whole cents allow."""
    while cents > 0:
        open_lines = [line for line in lines if rest.left[line.key] > 0 and pieces[line.key] > 0]
        each = cents // max(1, sum(pieces[line.key] for line in open_lines))
        if not open_lines or each == 0:
            break
        cents -= _apply_each(each, open_lines, pieces, rest)
    _spread(cents, lines, pieces, rest)


def _spread(cents: int, lines: Sequence[Goods], pieces: Mapping[int, int], rest: _Rest) -> None:
    """Take cents off one a piece, from the first line on, and again as long as there is something to take them of."""
    while cents > 0:
        before = cents
        for line in lines:
            cents -= rest.take(line.key, min(pieces[line.key], cents))
        if cents == before:
            break


def _cents(amount: Decimal, places: int) -> int:
    return int(money.rounded(amount.scaleb(places), 0))

"""What shipping a parcel costs, by the settings of a method: amounts, formulas, shipping classes.

A formula is made of numbers, `+ - * / ( )`, `[qty]`, `[cost]` and `[fee percent="10" min_fee="2" max_fee="9"]`. Not
here: which methods there are (shop/shipping/methods.py), when free shipping is to be had
(shop/shipping/free_shipping.py), which rate a cart takes (shop/cart/shipping.py). Rules: docs/rules/shipping.md, 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, DivisionByZero, InvalidOperation
from functools import lru_cache
from typing import Any, Final

import msgspec

from vetrina.kernel import money
from vetrina.shop.shipping.methods import CLASS_COST_PREFIX, FLAT_RATE, FREE_SHIPPING, NO_CLASS_COST_ID

_FEE_PATTERN = re.compile(r"\[fee((?:\s+\w+=(?:\"[^\"]*\"|'[^']*'|\S+?))*)\s*/?\]")
_FEE_ARGUMENT_PATTERN = re.compile(r"(\w+)=[\"']?([0-9.]+)")
_TOKEN_PATTERN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+|[-+*/()])")
_NOT_AMOUNT_CHARACTER = re.compile(r"[^0-9.,-]")
_MAX_FORMULA_LENGTH: Final = 500  # characters of a formula


class ShippingParcel(msgspec.Struct, frozen=True):
    """What is shipped.

    pieces: how many need shipping. cost: their cost after discounts, without tax. classes: pieces and cost by shipping
    class id, 0 for none. before, after: the customer's total, before and after discounts. coupon: whether one gives
    free shipping.
    """

    pieces: int
    cost: Decimal
    classes: Mapping[int, tuple[int, Decimal]]
    before: Decimal = money.ZERO
    after: Decimal = money.ZERO
    coupon: bool = False


def compute_shipping_cost(kind: str, values: Mapping[str, Any], parcel: ShippingParcel) -> Decimal | None:
    """Return the cost of shipping a parcel, unrounded; None where the method does not ship it.

    values: the method's settings. A flat rate without any cost that fits the parcel is not available.
    """
    if kind == FREE_SHIPPING:
        return money.ZERO
    written = str(values.get("cost") or "")
    if kind != FLAT_RATE:
        return money.parse_amount(_NOT_AMOUNT_CHARACTER.sub("", written)) or money.ZERO
    costs = [evaluate_cost_formula(written, parcel.pieces, parcel.cost)] if written else []
    by_class = [
        evaluate_cost_formula(own, pieces, cost)
        for id, (pieces, cost) in parcel.classes.items()
        if (own := str(values.get(f"{CLASS_COST_PREFIX}{id}" if id else NO_CLASS_COST_ID) or ""))
    ]
    if not costs and not by_class:
        return None
    if values.get("type") == "order":
        return sum(costs, money.ZERO) + max(money.ZERO, *by_class, money.ZERO)
    return sum((*costs, *by_class), money.ZERO)


def evaluate_cost_formula(formula: str, pieces: int, cost: Decimal) -> Decimal:
    """Return the value of a formula; zero for an invalid one."""
    known = _evaluate_formula if len(formula) <= _MAX_FORMULA_LENGTH else _evaluate_formula.__wrapped__
    return known(formula, pieces, cost)


@lru_cache(maxsize=1024)
def _evaluate_formula(formula: str, pieces: int, cost: Decimal) -> Decimal:
    text = formula.replace("[qty]", str(pieces)).replace("[cost]", f"{cost:f}")
    text = _FEE_PATTERN.sub(lambda found: f"{_compute_fee(found[1], cost):f}", text)
    tokens = _TOKEN_PATTERN.findall(text)
    if len(text) > _MAX_FORMULA_LENGTH or "".join(tokens) != "".join(text.split()):
        return money.ZERO
    try:
        value, rest = _evaluate_sum(tokens)
    except (IndexError, InvalidOperation, DivisionByZero, ValueError):
        return money.ZERO
    return money.round_amount(value, 6) if not rest and abs(value) < money.MAX_AMOUNT else money.ZERO


def _compute_fee(attributes: str, cost: Decimal) -> Decimal:
    arguments = {
        name: money.parse_amount(value) or money.ZERO for name, value in _FEE_ARGUMENT_PATTERN.findall(attributes)
    }
    fee = cost * arguments.get("percent", money.ZERO) / 100
    if arguments.get("min_fee"):
        fee = max(fee, arguments["min_fee"])
    if arguments.get("max_fee"):
        fee = min(fee, arguments["max_fee"])
    return fee


def _evaluate_sum(tokens: list[str]) -> tuple[Decimal, list[str]]:
    value, tokens = _evaluate_product(tokens)
    while tokens and tokens[0] in "+-":
        sign, (other, rest) = tokens[0], _evaluate_product(tokens[1:])
        value, tokens = (value + other if sign == "+" else value - other), rest
    return value, tokens


def _evaluate_product(tokens: list[str]) -> tuple[Decimal, list[str]]:
    value, tokens = _evaluate_factor(tokens)
    while tokens and tokens[0] in "*/":
        sign, (other, rest) = tokens[0], _evaluate_factor(tokens[1:])
        value, tokens = (value * other if sign == "*" else value / other), rest
    return value, tokens


def _evaluate_factor(tokens: list[str]) -> tuple[Decimal, list[str]]:
    first, rest = tokens[0], tokens[1:]
    if first == "-":
        value, rest = _evaluate_factor(rest)
        return -value, rest
    if first == "(":
        value, rest = _evaluate_sum(rest)
        if rest[0] != ")":
            raise ValueError(first)
        return value, rest[1:]
    return Decimal(first), rest

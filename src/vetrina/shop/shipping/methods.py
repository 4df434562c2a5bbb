"""Shipping methods: the types there are, their settings, and the cost of shipping a parcel.

Not here: zones and their methods (shop/shipping/zones.py), taxes (shop/orders/totals.py). Rules:
docs/rules/shipping.md, 3, 4 and 5; costs may be formulas with `[qty]`, `[cost]` and `[fee]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from functools import lru_cache
from typing import Any, Final

import msgspec

from vetrina.kernel import money
from vetrina.shop.settings.rules import ShopSetting

FREE_SHIPPING: Final = "free_shipping"
FLAT_RATE: Final = "flat_rate"
LOCAL_PICKUP: Final = "local_pickup"
_TAX_STATUS_SETTING: Final = ShopSetting(
    "tax_status", "Tax status", "select", "taxable", tip="", options={"taxable": "Taxable", "none": "None"}
)


_COST_HELP: Final = 'An amount, or a sum with [qty] for the pieces, [cost] for what they cost and [fee percent="10"].'
_PICKUP_HELP: Final = "What fetching the goods costs: an amount, no sum."
_CLASS_COST_PREFIX: Final = "class_cost_"
_NO_CLASS_COST_ID: Final = "no_class_cost"


def _build_title_setting(name: str, example: str) -> ShopSetting:
    description = "Customers see this name at the checkout."
    return ShopSetting("title", "Name", "text", name, description=description, tip=description, placeholder=example)


def _build_class_cost_setting(id: str, label: str, name: str = "") -> ShopSetting:
    return ShopSetting(id, label, "text", "", description=_COST_HELP, tip=_COST_HELP, placeholder="N/A", named=name)


def build_class_cost_settings(classes: Sequence[tuple[int, str]]) -> dict[str, ShopSetting]:
    """Return the settings of a flat rate for shipping classes; empty where the shop has none.

    classes: id and name of each class, in the order of the settings.
    """
    if not classes:
        return {}
    description = "What goods of a shipping class cost in addition."
    kind = "Whether every class that is sent costs something, or only the dearest one of them."
    every = (
        ShopSetting("class_costs", "Shipping class costs", "title", "", description=description, tip=description),
        *(
            _build_class_cost_setting(f"{_CLASS_COST_PREFIX}{id}", '"{name}" shipping class cost', name)
            for id, name in classes
        ),
        _build_class_cost_setting(_NO_CLASS_COST_ID, "No shipping class cost"),
        ShopSetting(
            "type",
            "Calculation type",
            "select",
            "class",
            description=kind,
            tip=kind,
            options={"class": "Per class: each class costs", "order": "Per order: the dearest class costs"},
        ),
    )
    return {one.id: one for one in every}


@dataclass(frozen=True, slots=True)
class ShippingMethodType:
    """A type of shipping method. is_addable: whether it can be added to a zone."""

    id: str
    title: str
    description: str
    settings: Mapping[str, ShopSetting]


def _build_method_type(
    id: str, title: str, description: str, *settings: ShopSetting, example: str = ""
) -> ShippingMethodType:
    every = (_build_title_setting(title, f"e.g. {example or title}"), *settings)
    return ShippingMethodType(id, title, description, {one.id: one for one in every})


SHIPPING_METHOD_TYPES: Final[Mapping[str, ShippingMethodType]] = {
    kind.id: kind
    for kind in (
        _build_method_type(
            FLAT_RATE,
            "Flat rate",
            "One price for an order, or a sum made of its pieces and shipping classes.",
            _TAX_STATUS_SETTING,
            ShopSetting("cost", "Cost", "text", "", first="0", description=_COST_HELP, tip=_COST_HELP),
            example="Standard national",
        ),
        _build_method_type(
            FREE_SHIPPING,
            "Free shipping",
            "Costs nothing, for everybody or from a sum or with a coupon on.",
            ShopSetting(
                "requires",
                "Free shipping requires",
                "select",
                "",
                tip="",
                options={
                    "": "No requirement",
                    "coupon": "A valid free shipping coupon",
                    "min_amount": "A minimum order amount",
                    "either": "A minimum order amount or a coupon",
                    "both": "A minimum order amount and a coupon",
                },
            ),
            ShopSetting(
                "min_amount",
                "Minimum order amount",
                "text",
                "",
                first="0",
                description="From this sum on it is free.",
                tip="From this sum on it is free.",
            ),
            ShopSetting(
                "ignore_discounts",
                "Coupons discounts",
                "checkbox",
                "no",
                description="Whether the sum is that before discounts.",
                tip="Whether the sum is that before discounts.",
            ),
        ),
        _build_method_type(
            LOCAL_PICKUP,
            "Local pickup",
            "Customers fetch their goods, and pay the taxes of the shop's own place.",
            _TAX_STATUS_SETTING,
            ShopSetting("cost", "Cost", "text", "", description=_PICKUP_HELP, tip=_PICKUP_HELP),
        ),
        _build_method_type("pickup_location", "Local pickup", "Customers fetch their goods at one of your places."),
    )
}


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


def is_free_shipping_available(values: Mapping[str, Any], parcel: ShippingParcel) -> bool:
    """Return whether free shipping is available; values: the method's settings."""
    requires = values.get("requires") or ""
    spent = parcel.before if values.get("ignore_discounts") == "yes" else parcel.after
    reached = spent >= (money.parse_amount(str(values.get("min_amount") or "0")) or money.ZERO)
    match requires:
        case "coupon":
            return parcel.coupon
        case "min_amount":
            return reached
        case "either":
            return reached or parcel.coupon
        case "both":
            return reached and parcel.coupon
        case _:
            return True


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
        if (own := str(values.get(f"{_CLASS_COST_PREFIX}{id}" if id else _NO_CLASS_COST_ID) or ""))
    ]
    if not costs and not by_class:
        return None
    if values.get("type") == "order":
        return sum(costs, money.ZERO) + max(money.ZERO, *by_class, money.ZERO)
    return sum((*costs, *by_class), money.ZERO)


# -- formulas: numbers, + - * / ( ), [qty], [cost], and [fee percent="10" min_fee="2" max_fee="9"]

_FEE_PATTERN = re.compile(r"\[fee((?:\s+\w+=(?:\"[^\"]*\"|'[^']*'|\S+?))*)\s*/?\]")
_FEE_ARGUMENT_PATTERN = re.compile(r"(\w+)=[\"']?([0-9.]+)")
_TOKEN_PATTERN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+|[-+*/()])")
_NOT_AMOUNT_CHARACTER = re.compile(r"[^0-9.,-]")
_MAX_FORMULA_LENGTH: Final = 500  # characters of a formula


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

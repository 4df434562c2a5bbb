"""Ways of shipping: which kinds there are, what may be set about each, what sending something by one costs.

Not here: zones and the methods that they have (shipping_zones.py), taxes (order_totals.py).
Rules: facts, "Taxes, settings, shipping, gateways, data"; costs may be sums with `[qty]`, `[cost]` and `[fee]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from functools import lru_cache
from typing import Any, Final

import msgspec

from vetrina.kernel import money

from .settings import Setting

__all__ = ["FREE", "KINDS", "Kind", "Parcel", "cost_of", "is_free_for", "worked_out"]

FREE: Final = "free_shipping"
_TAX_STATUS: Final = Setting(
    "tax_status", "Tax status", "select", "taxable", tip="", options={"taxable": "Taxable", "none": "None"}
)


def _title(name: str) -> Setting:
    said = "What customers see at the checkout."
    return Setting("title", "Name", "text", name, description=said, tip=said)


def _cost() -> Setting:
    said = 'An amount, or a sum with [qty] for the pieces, [cost] for what they cost and [fee percent="10"].'
    return Setting("cost", "Cost", "text", "", description=said, tip=said)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of shipping. listed: whether it is offered to be added to a zone."""

    id: str
    title: str
    description: str
    settings: Mapping[str, Setting]
    listed: bool = True


def _kind(id: str, title: str, description: str, *settings: Setting, listed: bool = True) -> Kind:
    return Kind(id, title, description, {one.id: one for one in (_title(title), *settings)}, listed)


KINDS: Final[Mapping[str, Kind]] = {
    kind.id: kind
    for kind in (
        _kind("flat_rate", "Flat rate", "One price for an order, or a sum made of its pieces.", _TAX_STATUS, _cost(),
              Setting("class_costs", "Shipping class costs", "title", "", tip=""),
              Setting("no_class_cost", "No shipping class cost", "text", "", tip=""),
              Setting("type", "Calculation type", "select", "class", tip="",
                      options={"class": "Per class: each class costs", "order": "Per order: the dearest class costs"})),
        _kind(FREE, "Free shipping", "Costs nothing, for everybody or from a sum or with a coupon on.",
              Setting("requires", "Free shipping requires", "select", "", tip="", options={
                  "": "No requirement", "coupon": "A valid free shipping coupon",
                  "min_amount": "A minimum order amount", "either": "A minimum order amount or a coupon",
                  "both": "A minimum order amount and a coupon"}),
              Setting("min_amount", "Minimum order amount", "text", "", first="0",
                      description="From this sum on it is free.",
                      tip="From this sum on it is free."),
              Setting("ignore_discounts", "Coupons discounts", "checkbox", "no",
                      description="Whether the sum is that before discounts.",
                      tip="Whether the sum is that before discounts.")),
        _kind("local_pickup", "Local pickup", "Customers fetch their goods.", _TAX_STATUS, _cost()),
        _kind("pickup_location", "Local pickup", "Customers fetch their goods at one of your places."),
    )
}  # fmt: skip


class Parcel(msgspec.Struct, frozen=True):
    """What is sent. pieces: how many need shipping. cost: what they cost after discounts; before: before them.
    classes: what each shipping class, by its number, 0 for none, has in pieces and cost. coupon: whether one gives
    free shipping."""

    pieces: int
    cost: Decimal
    before: Decimal
    classes: Mapping[int, tuple[int, Decimal]]
    coupon: bool = False


def is_free_for(values: Mapping[str, Any], parcel: Parcel) -> bool:
    """Say whether free shipping is to be had; values: what is set of the method."""
    requires = values.get("requires") or ""
    sum = parcel.before if values.get("ignore_discounts") == "yes" else parcel.cost
    reached = sum >= (money.parsed(str(values.get("min_amount") or "0")) or money.ZERO)
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


def cost_of(kind: str, values: Mapping[str, Any], parcel: Parcel) -> Decimal:
    """Return what sending a parcel costs; values: what is set of the method."""
    if kind == FREE:
        return money.ZERO
    own = worked_out(str(values.get("cost") or ""), parcel.pieces, parcel.cost)
    if kind != "flat_rate":
        return own
    by_class = [
        worked_out(str(values.get(f"class_cost_{id}" if id else "no_class_cost") or ""), pieces, cost)
        for id, (pieces, cost) in parcel.classes.items()
    ]
    if values.get("type") == "order":
        return own + max(by_class, default=money.ZERO)
    return own + sum(by_class, money.ZERO)


# -- sums: numbers, + - * / ( ), [qty], [cost], and [fee percent="10" min_fee="2" max_fee="9"]

_FEE = re.compile(r"\[fee((?:\s+\w+=(?:\"[^\"]*\"|'[^']*'|\S+?))*)\s*/?\]")
_FEE_PART = re.compile(r"(\w+)=[\"']?([0-9.]+)")
_TOKEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+|[-+*/()])")
_LONGEST: Final = 500  # letters of a sum


@lru_cache(maxsize=1024)
def worked_out(written: str, pieces: int, cost: Decimal) -> Decimal:
    """Return what a sum comes to; nothing where it is none."""
    text = written.replace("[qty]", str(pieces)).replace("[cost]", f"{cost:f}")
    text = _FEE.sub(lambda found: f"{_fee(found[1], cost):f}", text)
    tokens = _TOKEN.findall(text)
    if len(text) > _LONGEST or "".join(tokens) != "".join(text.split()):
        return money.ZERO
    try:
        value, rest = _sum(tokens)
    except (IndexError, InvalidOperation, DivisionByZero, ValueError):
        return money.ZERO
    return money.rounded(value, 6) if not rest and abs(value) < money.LARGEST else money.ZERO


def _fee(written: str, cost: Decimal) -> Decimal:
    told = {name: money.parsed(value) or money.ZERO for name, value in _FEE_PART.findall(written)}
    fee = cost * told.get("percent", money.ZERO) / 100
    if told.get("min_fee"):
        fee = max(fee, told["min_fee"])
    if told.get("max_fee"):
        fee = min(fee, told["max_fee"])
    return fee


def _sum(tokens: list[str]) -> tuple[Decimal, list[str]]:
    value, tokens = _product(tokens)
    while tokens and tokens[0] in "+-":
        sign, (other, rest) = tokens[0], _product(tokens[1:])
        value, tokens = (value + other if sign == "+" else value - other), rest
    return value, tokens


def _product(tokens: list[str]) -> tuple[Decimal, list[str]]:
    value, tokens = _factor(tokens)
    while tokens and tokens[0] in "*/":
        sign, (other, rest) = tokens[0], _factor(tokens[1:])
        value, tokens = (value * other if sign == "*" else value / other), rest
    return value, tokens


def _factor(tokens: list[str]) -> tuple[Decimal, list[str]]:
    first, rest = tokens[0], tokens[1:]
    if first == "-":
        value, rest = _factor(rest)
        return -value, rest
    if first == "(":
        value, rest = _sum(rest)
        if rest[0] != ")":
            raise ValueError(first)
        return value, rest[1:]
    return Decimal(first), rest

"""Ways of shipping: which kinds there are, what may be set about each, what sending something by one costs.

Not here: zones and the methods that they have (shop/shipping/zones.py), taxes (shop/orders/totals.py).
Rules: facts, "Taxes, settings, shipping, gateways, data"; costs may be sums with `[qty]`, `[cost]` and `[fee]`.
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
from vetrina.shop.settings.rules import Setting

__all__ = [
    "FLAT", "FREE", "KINDS", "PICKUP", "Kind", "Parcel", "class_costs", "cost_of", "is_free_for", "worked_out",
]  # fmt: skip

FREE: Final = "free_shipping"
FLAT: Final = "flat_rate"
PICKUP: Final = "local_pickup"
_TAX_STATUS: Final = Setting(
    "tax_status", "Tax status", "select", "taxable", tip="", options={"taxable": "Taxable", "none": "None"}
)


_COST_HELP: Final = 'An amount, or a sum with [qty] for the pieces, [cost] for what they cost and [fee percent="10"].'
_PICKUP_HELP: Final = "What fetching the goods costs: an amount, no sum."
_CLASS_COST: Final = "class_cost_"
_NO_CLASS_COST: Final = "no_class_cost"


def _title(name: str, example: str) -> Setting:
    said = "Customers see this name at the checkout."
    return Setting("title", "Name", "text", name, description=said, tip=said, placeholder=example)


def _class_cost(id: str, label: str) -> Setting:
    return Setting(id, label, "text", "", description=_COST_HELP, tip=_COST_HELP, placeholder="N/A")


def class_costs(classes: Sequence[tuple[int, str]]) -> dict[str, Setting]:
    """Return what a flat rate asks about shipping classes; nothing where the shop has none.

    classes: number and name of each class, in the order that they are asked for.
    """
    if not classes:
        return {}
    said = "What goods of a shipping class cost in addition."
    kind = "Whether every class that is sent costs something, or only the dearest one of them."
    every = (
        Setting("class_costs", "Shipping class costs", "title", "", description=said, tip=said),
        *(_class_cost(f"{_CLASS_COST}{id}", f'"{name}" shipping class cost') for id, name in classes),
        _class_cost(_NO_CLASS_COST, "No shipping class cost"),
        Setting("type", "Calculation type", "select", "class", description=kind, tip=kind,
                options={"class": "Per class: each class costs", "order": "Per order: the dearest class costs"}),
    )  # fmt: skip
    return {one.id: one for one in every}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of shipping. listed: whether it is offered to be added to a zone."""

    id: str
    title: str
    description: str
    settings: Mapping[str, Setting]
    listed: bool = True


def _kind(id: str, title: str, description: str, *settings: Setting, example: str = "", listed: bool = True) -> Kind:
    every = (_title(title, f"e.g. {example or title}"), *settings)
    return Kind(id, title, description, {one.id: one for one in every}, listed)


KINDS: Final[Mapping[str, Kind]] = {
    kind.id: kind
    for kind in (
        _kind(FLAT, "Flat rate", "One price for an order, or a sum made of its pieces and shipping classes.",
              _TAX_STATUS, Setting("cost", "Cost", "text", "", first="0", description=_COST_HELP, tip=_COST_HELP),
              example="Standard national"),
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
        _kind(PICKUP, "Local pickup", "Customers fetch their goods, and pay the taxes of the shop's own place.",
              _TAX_STATUS, Setting("cost", "Cost", "text", "", description=_PICKUP_HELP, tip=_PICKUP_HELP)),
        _kind("pickup_location", "Local pickup", "Customers fetch their goods at one of your places."),
    )
}  # fmt: skip


class Parcel(msgspec.Struct, frozen=True):
    """What is sent. pieces: how many need shipping. cost: what they cost after discounts, without tax. classes: what
    each shipping class, by its number, 0 for none, has in pieces and cost. before, after: what the customer spends on
    everything, before and after discounts. coupon: whether one gives free shipping."""

    pieces: int
    cost: Decimal
    classes: Mapping[int, tuple[int, Decimal]]
    before: Decimal = money.ZERO
    after: Decimal = money.ZERO
    coupon: bool = False


def is_free_for(values: Mapping[str, Any], parcel: Parcel) -> bool:
    """Say whether free shipping is to be had; values: what is set of the method."""
    requires = values.get("requires") or ""
    spent = parcel.before if values.get("ignore_discounts") == "yes" else parcel.after
    reached = spent >= (money.parsed(str(values.get("min_amount") or "0")) or money.ZERO)
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


def cost_of(kind: str, values: Mapping[str, Any], parcel: Parcel) -> Decimal | None:
    """Return what sending a parcel costs, unrounded; None where this way does not send it.

    values: what is set of the method. A flat rate without any cost that fits the parcel is not to be had.
    """
    if kind == FREE:
        return money.ZERO
    written = str(values.get("cost") or "")
    if kind != FLAT:
        return money.parsed(_NO_AMOUNT.sub("", written)) or money.ZERO
    costs = [worked_out(written, parcel.pieces, parcel.cost)] if written else []
    by_class = [
        worked_out(own, pieces, cost)
        for id, (pieces, cost) in parcel.classes.items()
        if (own := str(values.get(f"{_CLASS_COST}{id}" if id else _NO_CLASS_COST) or ""))
    ]
    if not costs and not by_class:
        return None
    if values.get("type") == "order":
        return sum(costs, money.ZERO) + max(money.ZERO, *by_class, money.ZERO)
    return sum((*costs, *by_class), money.ZERO)


# -- sums: numbers, + - * / ( ), [qty], [cost], and [fee percent="10" min_fee="2" max_fee="9"]

_FEE = re.compile(r"\[fee((?:\s+\w+=(?:\"[^\"]*\"|'[^']*'|\S+?))*)\s*/?\]")
_FEE_PART = re.compile(r"(\w+)=[\"']?([0-9.]+)")
_TOKEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+|[-+*/()])")
_NO_AMOUNT = re.compile(r"[^0-9.,-]")
_LONGEST: Final = 500  # letters of a sum


def worked_out(written: str, pieces: int, cost: Decimal) -> Decimal:
    """Return what a sum comes to; nothing where it is none."""
    known = _worked_out if len(written) <= _LONGEST else _worked_out.__wrapped__
    return known(written, pieces, cost)


@lru_cache(maxsize=1024)
def _worked_out(written: str, pieces: int, cost: Decimal) -> Decimal:
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

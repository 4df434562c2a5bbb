"""Serializes the cost of goods: members that exist only while the shop tracks costs.

Not here: the costs themselves (shop/products/costs.py). In `cost_of_goods_sold` costs are numbers, not texts as amounts
are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.kernel import money
from vetrina.rest.field_selection import FieldSelection
from vetrina.rest.fields import Array, Boolean, Field, Number, Object
from vetrina.shop.orders.model import OrderItem
from vetrina.shop.orders.schema import ORDER_FIELDS
from vetrina.shop.products.costs import MEMBER, CostOfGoods
from vetrina.shop.products.model import Product

CostsByOwner = Mapping[int, Mapping[int, Decimal]]

PRODUCT_COST_FIELDS: Final[Mapping[str, Field]] = {
    MEMBER: Object(
        "What a piece costs the shop itself, where the shop wants to know.",
        {
            "values": Array(
                "Its parts.",
                items=Object(
                    properties={
                        "defined_value": Number("What was said.", extra={"type": ["number", "null"]}),
                        "effective_value": Number("What that comes to."),
                    }
                ),
            ),
            "defined_value_is_additive": Boolean(
                "Of a variation: whether it comes beside what its product costs.", optional=True
            ),
            "total_value": Number("What a piece costs."),
        },
        optional=True,
    )
}
_LINE_COST_FIELD: Final = Object(
    "What its pieces cost the shop itself.", {"value": Number("What all of them cost.")}, optional=True
)


def _build_line_items_field() -> Array:
    """Return the line items of an order with their costs."""
    lines = ORDER_FIELDS["line_items"]
    assert isinstance(lines, Array)
    assert isinstance(lines.items, Object)
    told: Array = lines.replace(
        items=lines.items.replace(properties={**lines.items.properties, MEMBER: _LINE_COST_FIELD})
    )
    return told


ORDER_COST_FIELDS: Final[Mapping[str, Field]] = {
    "line_items": _build_line_items_field(),
    MEMBER: Object(
        "What the goods cost the shop itself, where the shop wants to know.",
        {"total_value": Number("What all of them cost, without those that came back.")},
        optional=True,
    ),
}


def serialize_product_cost(one: Product, cost: CostOfGoods) -> dict[str, Any]:
    """Return the serialized cost of a product or a variation."""
    own = None if cost.own is None else _serialize_number(cost.own)
    out: dict[str, Any] = {
        "values": [{"defined_value": own, "effective_value": _serialize_number(cost.effective)}],
        "total_value": _serialize_number(cost.total),
    }
    return {**out, "defined_value_is_additive": cost.is_additive} if one.is_variation else out


def serialize_line_cost(costs: CostsByOwner | None, item: OrderItem) -> dict[str, Any]:
    """Return the cost member of a line by name; empty where the shop does not track costs."""
    if costs is None:
        return {}
    return {MEMBER: {"value": _serialize_number(costs[item.owner].get(item.id, money.ZERO))}}


def serialize_order_cost(
    costs: CostsByOwner | None, owners: Iterable[int], wanted: FieldSelection | None
) -> dict[str, Any]:
    """Return the cost member of an order or a refund by name; empty where it is not requested.

    owners: the ids of the order and its refunds.
    """
    if costs is None or not (wanted is None or MEMBER in wanted.tree):
        return {}
    total = sum((cost for owner in owners for cost in costs[owner].values()), money.ZERO)
    return {MEMBER: {"total_value": _serialize_number(total)}}


def _serialize_number(cost: Decimal) -> float | int:
    """Return a cost as a JSON number."""
    return int(cost) if cost == cost.to_integral_value() else float(cost)

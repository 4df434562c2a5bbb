"""How answers tell what goods cost the shop itself: members that are there only while the shop wants that.

Not here: what it costs (shop/products/costs.py). Rules: the members `cost_of_goods_sold` of the interface, whose costs
are numbers, not texts as amounts are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.kernel import money
from vetrina.rest.fields import Array, Boolean, Field, Number, Object
from vetrina.rest.route import Route
from vetrina.rest.serializer import Choice
from vetrina.shop.orders.model import Item
from vetrina.shop.orders.schema import ORDER
from vetrina.shop.products.costs import MEMBER, Cost
from vetrina.shop.products.model import Product

__all__ = ["OF_ORDER", "OF_PRODUCT", "Costs", "of_line", "of_order", "of_product", "showing"]

Costs = Mapping[int, Mapping[int, Decimal]]

OF_PRODUCT: Final[Mapping[str, Field]] = {
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
            "defined_value_is_additive": Boolean("Of a variation: whether it comes beside what its product costs."),
            "total_value": Number("What a piece costs."),
        },
    )
}
_OF_LINE: Final = Object("What its pieces cost the shop itself.", {"value": Number("What all of them cost.")})


def _lines() -> Array:
    """Return the goods of an order with what they cost."""
    lines = ORDER["line_items"]
    assert isinstance(lines, Array)
    assert isinstance(lines.items, Object)
    told: Array = lines.but(items=lines.items.but(properties={**lines.items.properties, MEMBER: _OF_LINE}))
    return told


OF_ORDER: Final[Mapping[str, Field]] = {
    "line_items": _lines(),
    MEMBER: Object(
        "What the goods cost the shop itself, where the shop wants to know.",
        {"total_value": Number("What all of them cost, without those that came back.")},
    ),
}


def showing(routes: Iterable[Route], schema: Callable[[], Any], member: Mapping[str, Field]) -> tuple[Route, ...]:
    """Return routes of which those that answer records of a schema say that these may have the member."""
    return tuple(route.but(shows=member) if route.schema is schema else route for route in routes)


def of_product(one: Product, cost: Cost) -> dict[str, Any]:
    """Return the member of a product or a variation."""
    own = None if cost.own is None else _number(cost.own)
    out: dict[str, Any] = {
        "values": [{"defined_value": own, "effective_value": _number(cost.effective)}],
        "total_value": _number(cost.total),
    }
    return {**out, "defined_value_is_additive": cost.is_additive} if one.is_variation else out


def of_line(costs: Costs | None, item: Item) -> dict[str, Any]:
    """Return the member of a line, by its name; none where the shop does without."""
    if costs is None:
        return {}
    return {MEMBER: {"value": _number(costs[item.owner].get(item.id, money.ZERO))}}


def of_order(costs: Costs | None, owners: Iterable[int], wanted: Choice | None) -> dict[str, Any]:
    """Return the member of an order or a refund, by its name; none where nobody wants it.

    owners: the numbers of the order and its refunds.
    """
    if costs is None or not (wanted is None or MEMBER in wanted.tree):
        return {}
    total = sum((cost for owner in owners for cost in costs[owner].values()), money.ZERO)
    return {MEMBER: {"total_value": _number(total)}}


def _number(cost: Decimal) -> float | int:
    """Return a cost as JSON writes numbers."""
    return int(cost) if cost == cost.to_integral_value() else float(cost)

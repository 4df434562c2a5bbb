"""Expected figures of reports, computed the slow way from orders as the interface returns them.

Nothing here knows the tables of reports: it reads orders and refunds over HTTP and sums in Decimal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from conftest import Client

LEFT_OUT = {"pending", "cancelled", "failed", "trash", "auto-draft"}
D = Decimal
CENT = D("0.01")


@dataclass
class Line:
    product: int
    quantity: int
    net: Decimal
    gross: Decimal
    tax: Decimal
    shipping: Decimal
    variation: int = 0
    discount: Decimal = Decimal(0)


@dataclass
class Tax:
    """The total of a tax rate in an order or a refund."""

    rate: int
    code: str
    order_tax: Decimal
    shipping_tax: Decimal


@dataclass
class Row:
    """An order, or a refund of one (parent)."""

    id: int
    parent: int
    status: str
    buyer: str
    created: str
    paid: str | None
    items: int
    total: Decimal
    tax: Decimal
    shipping: Decimal
    lines: list[Line] = field(default_factory=list)
    coupons: dict[str, Decimal] = field(default_factory=dict)
    taxes: list[Tax] = field(default_factory=list)
    account: int = 0
    told: list[dict[str, Any]] = field(default_factory=list)  # the items of a refund as the interface returns them

    @property
    def net(self) -> Decimal:
        return self.total - self.tax - self.shipping


def rows(client: Client) -> list[Row]:
    """Return all orders and refunds."""
    out: list[Row] = []
    page = 1
    while found := client.get(
        "/shop/v3/orders", query={"status": ["any", "trash"], "per_page": 100, "page": page, "dp": 6}
    ).json:
        for one in found:
            out.append(_order(one))
            earlier: list[Row] = []
            for refund in sorted(
                client.get(f"/shop/v3/orders/{one['id']}/refunds", query={"per_page": 100, "dp": 6}).json,
                key=lambda told: told["id"],
            ):
                given = sum((-row.total for row in earlier), D(refund["amount"]))
                whole = given == D(one["total"]) and not _keeps_gifts(one, earlier, refund)
                earlier.append(_refund(out[-1 - len(earlier)], refund, earlier, whole))
                out.append(earlier[-1])
        page += 1
    return out


def _keeps_gifts(one: dict[str, Any], earlier: list[Row], refund: dict[str, Any]) -> bool:
    """Return whether free items of an order stay with the customer after a refund."""
    by_status = refund["reason"] == "Order fully refunded."
    if by_status or all(D(line["total"]) for line in one["line_items"]):
        return False
    pieces = sum(line["quantity"] for line in one["line_items"])
    back = sum(line["quantity"] for row in earlier for line in row.told) + sum(
        line["quantity"] for line in refund["line_items"]
    )
    return bool(pieces + back > 0)


def _order(one: dict[str, Any]) -> Row:
    pieces = sum(line["quantity"] for line in one["line_items"])
    shipping, shipping_tax = D(one["shipping_total"]), D(one["shipping_tax"])
    lines = [_line(line, pieces, shipping, shipping_tax) for line in one["line_items"]]
    return Row(
        one["id"], 0, one["status"], one["billing"]["email"], one["date_created"], one["date_paid"], pieces,
        D(one["total"]), D(one["total_tax"]), shipping, lines,
        {line["code"]: D(line["discount"]) for line in one["coupon_lines"]},
        [Tax(line["rate_id"], line["rate_code"], D(line["tax_total"]), D(line["shipping_tax_total"]))
         for line in one["tax_lines"]],
        one["customer_id"],
    )  # fmt: skip


def _line(line: dict[str, Any], pieces: int, shipping: Decimal, shipping_tax: Decimal) -> Line:
    net = D(line["total"]).quantize(CENT, ROUND_HALF_UP)
    # The shop rounds each item: once for all its rates here, each of them in the item itself.
    tax = sum((D(one["total"] or 0) for one in line["taxes"]), D(0)).quantize(CENT, ROUND_HALF_UP)
    part = (shipping / pieces * line["quantity"]) if pieces else D(0)
    part_tax = (shipping_tax / pieces * line["quantity"]) if pieces else D(0)
    return Line(
        line["product_id"], line["quantity"], net, net + tax + part + part_tax, tax, part, line["variation_id"],
        D(line["subtotal"]) - D(line["total"]),
    )  # fmt: skip


def _refund(order: Row, one: dict[str, Any], earlier: list[Row], whole: bool) -> Row:
    pieces = sum(line["quantity"] for line in one["line_items"])
    shipping = sum((D(line["total"]) for line in one["shipping_lines"]), D(0))
    shipping_tax = sum((D(line["total_tax"]) for line in one["shipping_lines"]), D(0))
    tax = sum((D(line["total_tax"]) for line in one["line_items"]), D(0)) + shipping_tax
    lines = [_line(line, pieces, shipping, shipping_tax) for line in one["line_items"]]
    created = one["date_created"]
    if whole:
        pieces = -order.items - sum(row.items for row in earlier)
        shipping = -order.shipping - sum(row.shipping for row in earlier)
        tax = -order.tax - sum(row.tax for row in earlier)
        if not lines:
            lines = [Line(line.product, -line.quantity, -line.net, -line.gross, -line.tax, -line.shipping,
                          line.variation) for line in order.lines]  # fmt: skip
            for line in lines:
                for back in (back for row in earlier for back in row.lines):
                    if (back.product, back.variation) == (line.product, line.variation):
                        line.quantity -= back.quantity
                        line.net -= back.net
                        line.gross -= back.gross
                        line.tax -= back.tax
                        line.shipping -= back.shipping
    return Row(
        one["id"], order.id, order.status, order.buyer, created, created, pieces, -D(one["amount"]), tax, shipping,
        [line for line in lines if not whole or line.net],
        taxes=[Tax(line["rate_id"], line["rate_code"], D(line["tax_total"]), D(line["shipping_tax_total"]))
               for line in one.get("tax_lines", ())],
        account=order.account, told=one["line_items"],
    )  # fmt: skip


def orders_stats(found: list[Row]) -> dict[str, Any]:
    """Return the measures of orders/stats over rows that match."""
    orders = [row for row in found if not row.parent]
    net = sum((row.net for row in orders), D(0))
    pieces = sum(row.items for row in orders)
    codes = {code for row in orders for code in row.coupons}
    coupons = sum((amount for row in orders for amount in row.coupons.values()), D(0))
    back = sum((row.total for row in found if row.net < 0), D(0))
    return {
        "orders_count": len(orders),
        "num_items_sold": sum(row.items for row in found),
        "gross_sales": net + coupons,
        "total_sales": sum((row.total for row in found), D(0)),
        "coupons": coupons,
        "coupons_count": len(codes),
        "refunds": abs(back),
        "taxes": sum((row.tax for row in found), D(0)),
        "shipping": sum((row.shipping for row in found), D(0)),
        "net_revenue": sum((row.net for row in found), D(0)),
        "avg_items_per_order": (D(pieces) / len(orders)).quantize(D("0.0001"), ROUND_HALF_UP) if orders else D(0),
        "avg_order_value": net / len(orders) if orders else D(0),
        "total_customers": len({row.buyer for row in found}),
        "products": len({line.product for row in found for line in row.lines}),
    }


def segment(found: list[Row], product: int) -> dict[str, Any]:
    """Return the measures of a product's segment: its items, and the whole orders that contain it.

    An item counts once for each coupon of its order, and a refund is an order of its own.
    """
    once = [(row, line) for row in found for line in row.lines if line.product == product]
    lines = [(row, line) for row, line in once for _ in range(max(1, len(row.coupons)))]
    holders = {row.id: row for row, _ in lines}
    orders = list(holders.values())
    pieces, net = sum(row.items for row in orders), sum((row.net for row in orders), D(0))
    return {
        "num_items_sold": sum(line.quantity for _, line in lines),
        "total_sales": sum((line.gross for _, line in lines), D(0)),
        "coupons": sum((amount for row, _ in once for amount in row.coupons.values()), D(0)),
        "coupons_count": len({code for row, _ in lines for code in row.coupons}),
        "refunds": sum((line.gross for _, line in lines if line.gross < 0), D(0)),
        "taxes": sum((line.tax for _, line in lines), D(0)),
        "net_revenue": sum((line.net for _, line in lines), D(0)),
        "orders_count": len(orders),
        "avg_items_per_order": (D(pieces) / len(orders)).quantize(D("0.0001"), ROUND_HALF_UP) if orders else D(0),
        "avg_order_value": net / len(orders) if orders else D(0),
        "total_customers": len({row.buyer for row in holders.values()}),
    }


def sold(found: list[Row]) -> dict[int, tuple[int, Decimal, int]]:
    """Return items, net and orders by product."""
    out: dict[int, tuple[int, Decimal, set[int]]] = {}
    for row in found:
        for line in row.lines:
            pieces, net, orders = out.get(line.product, (0, D(0), set()))
            if line.gross >= 0:
                orders = orders | {row.id}
            out[line.product] = (pieces + line.quantity, net + line.net, orders)
    return {id: (pieces, net, len(orders)) for id, (pieces, net, orders) in out.items()}


def repeats(found: list[Row]) -> dict[int, bool]:
    """Return for each order id whether its customer has an earlier order that counts."""
    first: dict[str, tuple[str, int]] = {}
    for row in found:
        if not row.parent and row.status not in LEFT_OUT:
            key = (row.created, row.id)
            first[row.buyer] = min(first.get(row.buyer, key), key)
    return {row.id: row.buyer in first and first[row.buyer] < (row.created, row.id) for row in found if not row.parent}

"""The report that lists orders and refunds.

Not here: how it is found (analytics/reports/orders.py). Rules: interface.md, "Shop analytics"; facts, "The reports".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.analytics.facts import reportable_orders
from vetrina.analytics.reports import arguments as report_arguments
from vetrina.analytics.reports import orders as report_orders
from vetrina.analytics.reports.arguments import PATH
from vetrina.analytics.reports.definitions import amount
from vetrina.analytics.reports.intervals import span_of
from vetrina.analytics.reports.list_routes import Rows, answered
from vetrina.analytics.reports.orders import OrderRow, Totals, Within
from vetrina.analytics.reports.row_schema import ROWS
from vetrina.analytics.reports.schema import describe_row
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Field, String
from vetrina.rest.route import READ, Route
from vetrina.shop import permissions as shop_permissions

__all__ = ["ARGS", "page", "routes"]

ARGS: Final[Mapping[str, Field]] = {
    **report_arguments.common(("date", "num_items_sold", "net_total"), "date", least=0),
    **report_arguments.order_filters(),
    **report_arguments.statuses(),
    "customer_type": String("First orders or later ones.", enum=("", "returning", "new"), default="", null="keep"),
    "extended_info": report_arguments.extended(),
}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the route of the report."""
    return (
        Route(READ, f"{PATH}/reports/orders", _listed, dict(ARGS), shop_permissions.viewing, describe_row("orders"),
              answers="many", shows=ROWS["orders"]),
    )  # fmt: skip


def _listed(call: Call) -> Result:
    args = {**report_arguments.values(call.args, ARGS), "per_page": call.args.get("per_page", 10)}
    found = page(call, args)
    result = answered(call, found, {**args, "per_page": args["per_page"] or None})
    if not found[0]:
        # An empty page has no pages beside it, whatever the total is.
        result.headers["X-CMS-TotalPages"] = 0
        result.links.clear()
    return result


def page(call: Call, args: Mapping[str, Any]) -> Rows:
    """Return a page of the report as answers show it, and the number of all."""
    work: Work = call.work
    dates = reportable_orders.date_setting(work)
    rows, total = report_orders.page(work, span_of(work, args.get("after"), args.get("before")), dates, args)
    totals = report_orders.totals_of(work, [row.order for row in rows])
    held = report_orders.within(work, rows) if args.get("extended_info") else None
    return [_shown(call, row, totals.get(row.order), held) for row in rows], total


def _shown(call: Call, row: OrderRow, totals: Totals | None, held: Within | None) -> dict[str, Any]:
    out: dict[str, Any] = {
        "order_id": row.id, "parent_id": row.parent, "date": _written(row.date), "date_created": _written(row.created),
        "date_created_gmt": _written(row.created_gmt), "status": row.status, "customer_id": row.customer,
        "net_total": amount(row.net), "total_sales": amount(row.total), "num_items_sold": row.items,
        "customer_type": "new" if row.repeat == 0 else "returning",
    }  # fmt: skip
    if held is not None:
        out["extended_info"] = {
            "products": [
                {"id": str(id), "name": name, "quantity": str(quantity)}
                for id, name, quantity in held.lines.get(row.id, [])
            ],
            "coupons": [{"id": str(id), "code": code} for id, code in held.coupons.get(row.id, [])],
            "customer": _customer(call.work, held.customers.get(row.customer)),
            "attribution": {"origin": held.origins[row.id]},
        }
    out["order_number"] = row.order
    out["total_formatted"] = report_orders.formatted(call.work, totals)
    out["_links"] = {"order": [{"href": call.work.api(f"{PATH}/orders/{row.id}")}]}
    return out


def _customer(work: Work, one: Mapping[str, Any] | None) -> dict[str, Any]:
    if one is None or one["gone"] is not None:
        return {}
    registered = one["registered"]
    return {
        "customer_id": one["id"], "user_id": one["account"] or None, "username": one["username"],
        "first_name": one["first_name"], "last_name": one["last_name"], "email": one["email"],
        "date_last_active": None if one["last_active"] is None else _written(one["last_active"]),
        "date_registered": None if registered is None else _written(registered),
        "country": one["country"], "postcode": one["postcode"], "city": one["city"], "state": one["state"],
    }  # fmt: skip


def _written(seconds: int) -> str:
    return times.iso(seconds).replace("T", " ")

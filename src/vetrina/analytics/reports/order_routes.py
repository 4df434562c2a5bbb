"""The report that lists orders and refunds.

Not here: the query (analytics/reports/orders.py). Rules: docs/rules/analytics_arguments.md, 1;
docs/rules/analytics_reports.md, 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.analytics.facts import reportable_orders
from vetrina.analytics.reports import arguments as report_arguments, orders as report_orders
from vetrina.analytics.reports.arguments import PATH
from vetrina.analytics.reports.intervals import parse_span
from vetrina.analytics.reports.list_routes import ReportRows, build_page_result
from vetrina.analytics.reports.measures import serialize_amount
from vetrina.analytics.reports.orders import OrderRow, OrderRowContents, OrderRowTotals
from vetrina.analytics.reports.row_schema import ROW_FIELDS
from vetrina.analytics.reports.schema import describe_row
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.rest.call import Result
from vetrina.rest.fields import Field, String
from vetrina.rest.route import READ, Route
from vetrina.shop import permissions as shop_permissions

ARGS: Final[Mapping[str, Field]] = {
    **report_arguments.build_report_arguments(("date", "num_items_sold", "net_total"), "date", least=0),
    **report_arguments.build_order_filters(),
    **report_arguments.build_status_filters(),
    "customer_type": String("First orders or later ones.", enum=("", "returning", "new"), default="", null="keep"),
    "extended_info": report_arguments.build_extended_info_argument(),
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the report."""
    return (
        Route(
            READ,
            f"{PATH}/reports/orders",
            _list_orders,
            dict(ARGS),
            shop_permissions.require_view_permission,
            describe_row("orders"),
            answers="many",
            response_fields=ROW_FIELDS["orders"],
        ),
    )


def _list_orders(call: Call) -> Result:
    args = {**report_arguments.parse_report_arguments(call.args, ARGS), "per_page": call.args.get("per_page", 10)}
    found = list_order_rows(call, args)
    result = build_page_result(call, found, {**args, "per_page": args["per_page"] or None})
    if not found[0]:
        # An empty page has no previous or next page, whatever the total is.
        result.headers["X-CMS-TotalPages"] = 0
        result.links.clear()
    return result


def list_order_rows(call: Call, args: Mapping[str, Any]) -> ReportRows:
    """Return a page of the report, serialized, and the total."""
    work = call.work
    dates = reportable_orders.get_date_setting(work)
    rows, total = report_orders.list_order_rows(
        work, parse_span(work, args.get("after"), args.get("before")), dates, args
    )
    totals = report_orders.load_totals(work, [row.order for row in rows])
    contents = report_orders.load_contents(work, rows) if args.get("extended_info") else None
    return [_serialize_row(call, row, totals.get(row.order), contents) for row in rows], total


def _serialize_row(
    call: Call, row: OrderRow, totals: OrderRowTotals | None, contents: OrderRowContents | None
) -> dict[str, Any]:
    out: dict[str, Any] = {
        "order_id": row.id,
        "parent_id": row.parent,
        "date": _format_time(row.date),
        "date_created": _format_time(row.created),
        "date_created_gmt": _format_time(row.created_gmt),
        "status": row.status,
        "customer_id": row.customer,
        "net_total": serialize_amount(row.net),
        "total_sales": serialize_amount(row.total),
        "num_items_sold": row.items,
        "customer_type": "new" if row.repeat == 0 else "returning",
    }
    if contents is not None:
        out["extended_info"] = {
            "products": [
                {"id": str(id), "name": name, "quantity": str(quantity)}
                for id, name, quantity in contents.lines.get(row.id, [])
            ],
            "coupons": [{"id": str(id), "code": code} for id, code in contents.coupons.get(row.id, [])],
            "customer": _serialize_customer(call.work, contents.customers.get(row.customer)),
            "attribution": {"origin": contents.origins[row.id]},
        }
    out["order_number"] = row.order
    out["total_formatted"] = report_orders.format_totals(call.work, totals)
    out["_links"] = {"order": [{"href": call.work.api(f"{PATH}/orders/{row.id}")}]}
    return out


def _serialize_customer(work: UnitOfWork, one: Mapping[str, Any] | None) -> dict[str, Any]:
    if one is None or one["gone"] is not None:
        return {}
    registered = one["registered"]
    return {
        "customer_id": one["id"], "user_id": one["account"] or None, "username": one["username"],
        "first_name": one["first_name"], "last_name": one["last_name"], "email": one["email"],
        "date_last_active": None if one["last_active"] is None else _format_time(one["last_active"]),
        "date_registered": None if registered is None else _format_time(registered),
        "country": one["country"], "postcode": one["postcode"], "city": one["city"], "state": one["state"],
    }  # fmt: skip


def _format_time(seconds: int) -> str:
    return times.format_iso(seconds).replace("T", " ")

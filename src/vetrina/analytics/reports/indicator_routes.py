"""The list of reports, and the performance indicators: single figures of the reports with intervals.

Rules: docs/rules/analytics_reports.md, 14 and 15: unknown indicators are dropped, the response has the order of the
allowed ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from vetrina.analytics.reports import arguments as report_arguments, stats_routes
from vetrina.analytics.reports.arguments import PATH
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.rest import coercion
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Number, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import permissions as shop_permissions


class EmptyIndicatorQuery(ApiError):
    code = "shop_analytics_performance_indicators_empty_query"
    message = "Name the indicators that you want in `stats`, as `revenue/total_sales`."


@dataclass(frozen=True)
class PerformanceIndicator:
    """One indicator: a measure of a report."""

    report: str
    measure: str
    label: str

    @property
    def stat(self) -> str:
        return f"{self.report}/{self.measure}"

    @property
    def format(self) -> str:
        return "number" if self.measure.endswith(("_count", "items_sold")) else "currency"


INDICATORS: Final = tuple(
    PerformanceIndicator(stat.partition("/")[0], stat.partition("/")[2], label)
    for stat, label in (
        ("revenue/total_sales", "Total sales"), ("revenue/net_revenue", "Net sales"), ("orders/orders_count", "Orders"),
        ("orders/avg_order_value", "Average order value"), ("products/items_sold", "Products sold"),
        ("revenue/refunds", "Returns"), ("coupons/orders_count", "Discounted orders"),
        ("coupons/amount", "Net discount amount"), ("taxes/total_tax", "Total tax"), ("taxes/order_tax", "Order tax"),
        ("taxes/shipping_tax", "Shipping tax"), ("revenue/shipping", "Shipping"),
        ("downloads/download_count", "Downloads"), ("revenue/gross_sales", "Gross sales"),
        ("variations/items_sold", "Variations Sold"),
    )
)  # fmt: skip

_REPORTS: Final = {
    "performance-indicators": "Single figures of other reports.",
    "revenue/stats": "Revenue, in all and by interval.",
    "orders/stats": "Orders, in all and by interval.",
    "products": "What was sold of each product.",
    "products/stats": "Products, in all and by interval.",
    "variations": "What was sold of each variation.",
    "variations/stats": "Variations, in all and by interval.",
    "categories": "What was sold of each category.",
    "categories/stats": "Categories, in all and by interval.",
    "coupons": "What each coupon took off.",
    "coupons/stats": "Coupons, in all and by interval.",
    "taxes": "What each tax rate came to.",
    "taxes/stats": "Taxes, in all and by interval.",
    "downloads": "Files that customers fetched.",
    "downloads/files": "Files that customers may fetch.",
    "downloads/stats": "Fetched files, in all and by interval.",
    "customers": "Who bought what.",
    "customers/stats": "Averages over the customers.",
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the list of reports and of the indicators."""
    only = {"context": String("Scope of the answer.", enum=("view",), default="view", null="keep")}
    args: dict[str, Field] = {
        "context": String("Scope of the answer.", enum=("view", "edit"), default="view", null="keep"),
        "stats": Array("The indicators that are wanted.", items=String(), lenient=True, null="keep"),
        **report_arguments.build_span_arguments(),
    }
    base = f"{PATH}/reports/performance-indicators"
    return (
        Route(
            READ,
            f"{PATH}/reports",
            _list_reports,
            only,
            shop_permissions.require_view_permission,
            _build_report_list_schema,
            answers="many",
        ),
        Route(
            READ,
            base,
            _list_indicators,
            args,
            shop_permissions.require_view_permission,
            _build_indicator_schema,
            errors=(EmptyIndicatorQuery,),
            answers="many",
            slow=True,
        ),
        Route(
            READ,
            f"{base}/allowed",
            _list_allowed_indicators,
            args,
            shop_permissions.require_view_permission,
            _build_heading_schema,
            answers="many",
        ),
    )


def _list_reports(call: Call) -> Result:
    """List the available reports."""
    base = call.work.api(f"{PATH}/reports")
    body = [
        {
            "slug": slug, "description": description, "path": f"{PATH}/reports/{slug}",
            "_links": {"self": [{"href": f"{base}/{slug}"}], "collection": [{"href": base}]},
        }
        for slug, description in _REPORTS.items()
    ]  # fmt: skip
    return Result(body)


def _list_allowed_indicators(call: Call) -> Result:
    """List the performance indicators that a dashboard may request."""
    body = [{**_serialize_heading(one), "_links": _build_links(call, one)} for one in INDICATORS]
    headers, links = build_page_headers(call, len(body), None)
    return Result(body, headers=headers, links=links)


def _serialize_heading(one: PerformanceIndicator) -> dict[str, Any]:
    return {"stat": one.stat, "chart": one.measure, "label": one.label}


def _build_links(call: Call, one: PerformanceIndicator) -> dict[str, Any]:
    report = f"/analytics/{one.report}?chart={one.measure}"
    return {
        "api": [{"href": call.work.api(f"{PATH}/reports/{one.report}/stats")}],
        "report": [{"href": f"{call.work.origin}/admin/admin.php?page=shop-admin&path={report}"}],
    }


def _list_indicators(call: Call) -> Result:
    """List the requested performance indicators with their values."""
    given = coercion.coerce_array(call.args.get("stats")) if call.args.get("stats") else None
    wanted = {one for one in given or () if isinstance(one, str)}
    if not wanted:
        raise EmptyIndicatorQuery
    kinds = {kind.path: kind for kind in stats_routes.STATS_ENDPOINTS}
    args = {name: call.args[name] for name in ("after", "before") if call.args.get(name)}
    totals: dict[str, dict[str, Any]] = {}
    body = []
    # Without both ends of a span there is no figure; the reports themselves would use the last week.
    has_span = len(args) == len(("after", "before"))
    for one in INDICATORS:
        if one.stat not in wanted:
            continue
        if has_span and one.report not in totals:
            found, _ = stats_routes.build_stats_body(
                call, kinds[one.report], {**args, "interval": "year", "per_page": 1}
            )
            totals[one.report] = found["totals"] or {}
        body.append(
            {
                **_serialize_heading(one), "format": one.format,
                "value": totals[one.report].get(one.measure, 0) if has_span else None,
                # Beside a figure the report is named by its page in the administration.
                "_links": {**_build_links(call, one), "report": [{"href": f"/analytics/{one.report}"}]},
            }
        )  # fmt: skip
    headers, links = build_page_headers(call, len(body), None)
    return Result(body, headers=headers, links=links)


def _build_report_list_schema() -> dict[str, Any]:
    members: dict[str, Field] = {
        name: String(help, readonly=True)
        for name, help in (("slug", "Name."), ("description", "What it says."), ("path", "Where it is."))
    }
    return Serializer(members, {}).schema("report")


def _build_heading_fields() -> dict[str, Field]:
    return {
        "stat": String("Report and measure.", readonly=True), "chart": String("The measure.", readonly=True),
        "label": String("What it is called.", readonly=True),
    }  # fmt: skip


def _build_heading_schema() -> dict[str, Any]:
    return Serializer(_build_heading_fields(), {}).schema("report_performance_indicator")


def _build_indicator_schema() -> dict[str, Any]:
    members: dict[str, Field] = {
        **_build_heading_fields(),
        "format": String("What kind of number it is.", enum=("number", "currency"), readonly=True),
        "value": Number("The figure; null without both ends of a span.", readonly=True),
    }
    return Serializer(members, {}).schema("report_performance_indicator")

"""The reports with intervals: revenue, orders, products, variations, coupons, taxes, downloads.

Not here: the computation (analytics/reports/stats.py). Rules: docs/rules/analytics_arguments.md, 1 and 2;
docs/rules/analytics_measures.md, 1, 3 and 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from vetrina.analytics.facts import reportable_orders
from vetrina.analytics.facts.reportable_orders import DATES
from vetrina.analytics.reports import (
    arguments as report_arguments,
    downloads as report_downloads,
    filters,
    measures as report_measures,
    segments as report_segments,
)
from vetrina.analytics.reports.arguments import PATH, build_id_filter
from vetrina.analytics.reports.conditions import ReportFilters
from vetrina.analytics.reports.intervals import ReportInterval, TooManyIntervals
from vetrina.analytics.reports.measures import StatsReport
from vetrina.analytics.reports.schema import describe_measures
from vetrina.analytics.reports.segments import DividedReport
from vetrina.analytics.reports.stats import compute_report
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, Route
from vetrina.shop import permissions as shop_permissions

_SEGMENTS: Final = ("product", "category", "variation", "coupon", "customer_type")


@dataclass(frozen=True)
class StatsEndpoint:
    """The routes of one report. product_argument: the parameter that names the product for segments by variation."""

    path: str
    report: StatsReport
    filters: Callable[[UnitOfWork, Mapping[str, Any]], ReportFilters]
    args: Mapping[str, Field]
    product_argument: str = ""
    segment_filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


_PRODUCT_ORDERS: Final = (
    "date", "net_revenue", "coupons", "refunds", "shipping", "taxes", "orders_count", "items_sold",
)  # fmt: skip
_REVENUE_ORDERS: Final = (
    "date", "total_sales", "coupons", "refunds", "shipping", "taxes", "net_revenue", "orders_count", "items_sold",
    "gross_sales",
)  # fmt: skip
_OF_ORDERS: Final = {
    "product": ("product_includes",), "category": ("category_includes", "categories"), "coupon": ("coupon_includes",),
}  # fmt: skip


def _build_revenue_filters(work: UnitOfWork, args: Mapping[str, Any]) -> ReportFilters:
    # Revenue has no filters of its own, and `match` joins nothing.
    return filters.build_order_filters(work, {})


STATS_ENDPOINTS: Final = (
    StatsEndpoint(
        "revenue",
        report_measures.ORDERS,
        _build_revenue_filters,
        {
            **report_arguments.build_interval_arguments(_REVENUE_ORDERS, _SEGMENTS),
            "date_type": String(
                "The date that orders go by.", enum=("date_paid", "date_created", "date_completed"), null="keep"
            ),
        },
        "product_includes",
    ),
    StatsEndpoint(
        "orders",
        report_measures.ORDERS,
        filters.build_order_filters,
        {
            **report_arguments.build_interval_arguments(
                ("date", "net_revenue", "orders_count", "avg_order_value"), _SEGMENTS
            ),
            **report_arguments.build_status_filters(default=None),
            **report_arguments.build_order_filters(),
            "customer": String("Older name of customer_type.", enum=("new", "returning"), null="keep"),
            "customer_type": String("First orders or later ones.", enum=("new", "returning"), null="keep"),
        },
        "product_includes",
        _OF_ORDERS,
    ),
    StatsEndpoint(
        "products",
        report_measures.PRODUCTS,
        filters.build_line_filters,
        {
            **report_arguments.build_interval_arguments(_PRODUCT_ORDERS, ("product", "category", "variation")),
            **{name: build_id_filter(f"Only these {name}.") for name in ("categories", "products", "variations")},
        },
        "products",
        {"product": ("products",), "category": ("categories",)},
    ),
    StatsEndpoint(
        "variations",
        report_measures.VARIATIONS,
        lambda work, args: filters.build_line_filters(work, args, variations=True),
        {
            **report_arguments.build_interval_arguments(_PRODUCT_ORDERS, ("product", "category", "variation")),
            "category_includes": build_id_filter("Only of these categories."),
            "category_excludes": build_id_filter("Not of these categories."),
            "product_includes": build_id_filter("Only of these products.", []),
            "product_excludes": build_id_filter("Not of these products.", []),
            "variations": build_id_filter("Only these variations."),
            **report_arguments.build_attribute_filters(),
            "categories": build_id_filter("Only of these categories."),
            "products": build_id_filter("Only of these products."),
        },
        "",
        {"product": ("product_includes", "products"), "category": ("category_includes", "categories")},
    ),
    StatsEndpoint(
        "coupons",
        report_measures.COUPONS,
        filters.build_coupon_filters,
        {
            **report_arguments.build_interval_arguments(
                ("date", "amount", "coupons_count", "orders_count"), ("product", "variation", "category", "coupon")
            ),
            "coupons": build_id_filter("Only these coupons."),
        },
        # The report has no such parameter: its segments by variation are always refused.
        "product_includes",
        {"coupon": ("coupons",)},
    ),
    StatsEndpoint(
        "taxes",
        report_measures.TAXES,
        filters.build_tax_filters,
        {
            **report_arguments.build_interval_arguments(
                ("date", "items_sold", "total_sales", "orders_count", "products_count"), ("tax_rate_id",)
            ),
            "taxes": build_id_filter("Only these rates."),
        },
        "",
        {"tax": ("taxes",)},
    ),
    StatsEndpoint(
        "downloads",
        report_measures.DOWNLOADS,
        report_downloads.build_download_filters,
        {
            **report_arguments.build_interval_arguments(("date", "download_count")),
            **{
                f"{what}_{side}": build_id_filter(f"Filter by {what}.")
                for what in ("product", "order", "customer")
                for side in ("includes", "excludes")
            },
            **{
                f"ip_address_{side}": Array("Filter by address.", items=String(), null="keep")
                for side in ("includes", "excludes")
            },
        },
    ),
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of reports with intervals."""
    return tuple(_build_route(kind) for kind in STATS_ENDPOINTS)


def _build_route(kind: StatsEndpoint) -> Route:
    def handler(call: Call) -> Result:
        args = report_arguments.parse_report_arguments(call.args, kind.args)
        body, count = build_stats_body(call, kind, args)
        headers, links = build_page_headers(call, count, args.get("per_page", 10), args.get("page", 1))
        return Result(body, headers=headers, links=links)

    handler.__doc__ = f"Total the report on {kind.path}, and cut it into intervals and segments."
    return Route(
        READ,
        f"{PATH}/reports/{kind.path}/stats",
        handler,
        dict(kind.args),
        shop_permissions.require_view_permission,
        describe_measures(kind.path, kind.report.sums),
        errors=(TooManyIntervals,),
        answers="one",
        slow=True,
    )


def build_stats_body(call: Call, kind: StatsEndpoint, args: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Return the body of a report, and how many intervals there are."""
    work = call.work
    dates: reportable_orders.OrderDate = "created"
    if kind.report is report_measures.ORDERS:
        dates = DATES.get(args.get("date_type", ""), reportable_orders.get_date_setting(work))
    request = report_arguments.build_report_query(call, args, kind.filters(work, args), dates, kind.report.split)
    divide = partial(_build_segments, work, kind, args) if args.get("segmentby") else None
    found = compute_report(work, kind.report, request, divide)
    body = {
        "totals": found.totals,
        "intervals": [_serialize_interval(work, one, shown) for one, shown in found.intervals],
    }
    return body, found.count


def _build_segments(work: UnitOfWork, kind: StatsEndpoint, args: Mapping[str, Any]) -> DividedReport:
    """Return the segments of a report. Raises InvalidSegmenting."""
    filtered_ids = {
        what: [id for name in names for id in args.get(name) or ()] for what, names in kind.segment_filters.items()
    }
    if args.get("categories") and kind.report is report_measures.PRODUCTS:
        chosen = filters.select_product_ids(
            work, args.get("products"), args["categories"], "any" if args.get("match") == "any" else "all"
        )
        filtered_ids["product"] = chosen or [0]
    return report_segments.build_segments(
        work, kind.report, args["segmentby"], filtered_ids, kind.product_argument, args.get("variations") or ()
    )


def _serialize_interval(work: UnitOfWork, one: ReportInterval, subtotals: dict[str, Any]) -> dict[str, Any]:
    zone = work.zone
    return {
        "interval": one.label,
        "date_start": _format_time(one.start),
        "date_start_gmt": _format_time(zone.to_gmt(one.start)),
        "date_end": _format_time(one.end),
        "date_end_gmt": _format_time(zone.to_gmt(one.end)),
        "subtotals": subtotals,
    }


def _format_time(seconds: int) -> str:
    return times.format_iso(max(times.FIRST_SECOND, min(times.LAST_SECOND, seconds))).replace("T", " ")

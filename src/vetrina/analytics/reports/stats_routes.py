"""The reports with intervals: revenue, orders, products, variations, coupons, taxes, downloads.

Not here: how they are counted (domain/analytics). Rules: interface.md, "Shop analytics"; facts, "Measures", "Segments".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from vetrina.analytics.facts import reportable_orders
from vetrina.analytics.facts.reportable_orders import DATES
from vetrina.analytics.reports import arguments as report_arguments
from vetrina.analytics.reports import (
    definitions as report_definitions,
)
from vetrina.analytics.reports import (
    downloads as report_downloads,
)
from vetrina.analytics.reports import (
    filters,
)
from vetrina.analytics.reports import (
    segments as report_segments,
)
from vetrina.analytics.reports.arguments import PATH, numbers
from vetrina.analytics.reports.conditions import Filters
from vetrina.analytics.reports.definitions import Report
from vetrina.analytics.reports.engine import stats
from vetrina.analytics.reports.intervals import Interval, TooManyIntervals
from vetrina.analytics.reports.schema import describe_measures
from vetrina.analytics.reports.segments import SegmentsOf
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, Route
from vetrina.shop import permissions as shop_permissions

__all__ = ["KINDS", "Kind", "body_of", "routes"]

_SEGMENTS: Final = ("product", "category", "variation", "coupon", "customer_type")


@dataclass(frozen=True)
class Kind:
    """One report as the interface has it. needs: the parameter that names the product of segments by variation."""

    path: str
    report: Report
    filters: Callable[[Work, Mapping[str, Any]], Filters]
    args: Mapping[str, Field]
    needs: str = ""
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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


def _revenue(work: Work, args: Mapping[str, Any]) -> Filters:
    # Revenue has no filters of its own, and `match` joins nothing.
    return filters.of_orders(work, {})


KINDS: Final = (
    Kind(
        "revenue", report_definitions.ORDERS, _revenue,
        {
            **report_arguments.intervals(_REVENUE_ORDERS, _SEGMENTS),
            "date_type": String("The date that orders go by.", enum=("date_paid", "date_created", "date_completed"),
                                null="keep"),
        },
        "product_includes",
    ),
    Kind(
        "orders", report_definitions.ORDERS, filters.of_orders,
        {
            **report_arguments.intervals(("date", "net_revenue", "orders_count", "avg_order_value"), _SEGMENTS),
            **report_arguments.statuses(default=None),
            **report_arguments.order_filters(),
            "customer": String("Older name of customer_type.", enum=("new", "returning"), null="keep"),
            "customer_type": String("First orders or later ones.", enum=("new", "returning"), null="keep"),
        },
        "product_includes", _OF_ORDERS,
    ),
    Kind(
        "products", report_definitions.PRODUCTS, filters.of_lines,
        {
            **report_arguments.intervals(_PRODUCT_ORDERS, ("product", "category", "variation")),
            **{name: numbers(f"Only these {name}.") for name in ("categories", "products", "variations")},
        },
        "products", {"product": ("products",), "category": ("categories",)},
    ),
    Kind(
        "variations", report_definitions.VARIATIONS, lambda work, args: filters.of_lines(work, args, variations=True),
        {
            **report_arguments.intervals(_PRODUCT_ORDERS, ("product", "category", "variation")),
            "category_includes": numbers("Only of these categories."),
            "category_excludes": numbers("Not of these categories."),
            "product_includes": numbers("Only of these products.", []),
            "product_excludes": numbers("Not of these products.", []),
            "variations": numbers("Only these variations."),
            **report_arguments.attributes(),
            "categories": numbers("Only of these categories."), "products": numbers("Only of these products."),
        },
        "", {"product": ("product_includes", "products"), "category": ("category_includes", "categories")},
    ),
    Kind(
        "coupons", report_definitions.COUPONS, filters.of_coupons,
        {
            **report_arguments.intervals(("date", "amount", "coupons_count", "orders_count"),
                                  ("product", "variation", "category", "coupon")),
            "coupons": numbers("Only these coupons."),
        },
        # The report has no such parameter: its segments by variation are refused whatever is sent.
        "product_includes", {"coupon": ("coupons",)},
    ),
    Kind(
        "taxes", report_definitions.TAXES, filters.of_taxes,
        {
            **report_arguments.intervals(("date", "items_sold", "total_sales", "orders_count", "products_count"),
                                  ("tax_rate_id",)),
            "taxes": numbers("Only these rates."),
        },
        "", {"tax": ("taxes",)},
    ),
    Kind(
        "downloads", report_definitions.DOWNLOADS, report_downloads.filters_of,
        {
            **report_arguments.intervals(("date", "download_count")),
            **{
                f"{what}_{side}": numbers(f"Filter by {what}.")
                for what in ("product", "order", "customer") for side in ("includes", "excludes")
            },
            **{
                f"ip_address_{side}": Array("Filter by address.", items=String(), null="keep")
                for side in ("includes", "excludes")
            },
        },
    ),
)  # fmt: skip


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of reports with intervals."""
    return tuple(_route(kind) for kind in KINDS)


def _route(kind: Kind) -> Route:
    def handler(call: Call) -> Result:
        args = report_arguments.values(call.args, kind.args)
        body, count = body_of(call, kind, args)
        headers, links = page_headers(call, count, args.get("per_page", 10), args.get("page", 1))
        return Result(body, headers=headers, links=links)

    handler.__doc__ = f"Total the report on {kind.path}, and cut it into intervals and segments."
    return Route(READ, f"{PATH}/reports/{kind.path}/stats", handler, dict(kind.args), shop_permissions.viewing,
                 describe_measures(kind.path, kind.report.sums), errors=(TooManyIntervals,), answers="one")  # fmt: skip


def body_of(call: Call, kind: Kind, args: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Return the answer of a report, and how many intervals there are."""
    work: Work = call.work
    dates: reportable_orders.Dates = "created"
    if kind.report is report_definitions.ORDERS:
        dates = DATES.get(args.get("date_type", ""), reportable_orders.date_setting(work))
    asked = report_arguments.asked(call, args, kind.filters(work, args), dates, kind.report.split)
    divide = partial(_divide, work, kind, args) if args.get("segmentby") else None
    found = stats(work, kind.report, asked, divide)
    body = {"totals": found.totals, "intervals": [_interval(work, one, shown) for one, shown in found.intervals]}
    return body, found.count


def _divide(work: Work, kind: Kind, args: Mapping[str, Any]) -> SegmentsOf:
    """Return what the figures of a report are divided by. Raises InvalidSegmenting."""
    told = {what: [id for name in names for id in args.get(name) or ()] for what, names in kind.told.items()}
    if args.get("categories") and kind.report is report_definitions.PRODUCTS:
        chosen = filters.product_ids(
            work, args.get("products"), args["categories"], "any" if args.get("match") == "any" else "all"
        )
        told["product"] = chosen or [0]
    return report_segments.of_report(
        work, kind.report, args["segmentby"], told, kind.needs, args.get("variations") or ()
    )


def _interval(work: Work, one: Interval, subtotals: dict[str, Any]) -> dict[str, Any]:
    zone = work.zone
    return {
        "interval": one.label,
        "date_start": _written(one.start),
        "date_start_gmt": _written(zone.to_gmt(one.start)),
        "date_end": _written(one.end),
        "date_end_gmt": _written(zone.to_gmt(one.end)),
        "subtotals": subtotals,
    }


def _written(seconds: int) -> str:
    return times.iso(max(times.FIRST, min(times.LAST, seconds))).replace("T", " ")

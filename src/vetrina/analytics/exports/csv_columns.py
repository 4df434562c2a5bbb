"""The CSV columns of each report: headings and rows, read page by page so that no file is held in memory as a whole.

Rules: docs/rules/analytics_exports.md, 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from vetrina.analytics.facts import reportable_orders
from vetrina.analytics.reports import (
    categories,
    coupons,
    customers as report_customers,
    downloads as report_downloads,
    extended_info,
    filters as report_filters,
    intervals as report_intervals,
    measures as report_measures,
    orders as report_orders,
    products,
    segment_items,
    stats as report_stats,
    stock as report_stock,
    taxes,
)
from vetrina.analytics.reports.intervals import parse_span
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money, times
from vetrina.shop.settings import rules as settings

_PAGE: Final = 500
_MOST_INTERVALS: Final = 100_000

SheetArguments = Mapping[str, Any]
SheetRow = list[Any]


@dataclass(frozen=True)
class CsvSheet:
    """The CSV form of one report. count: returns the number of rows; rows: yields them."""

    headings: tuple[str, ...]
    count: Callable[[UnitOfWork, SheetArguments], int]
    rows: Callable[[UnitOfWork, SheetArguments], Iterator[SheetRow]]


def _build_paged_rows(
    page: Callable[[UnitOfWork, SheetArguments], tuple[list[Any], int]],
    serialize: Callable[[UnitOfWork, list[Any]], Iterator[SheetRow]],
) -> Any:
    def rows(work: UnitOfWork, args: SheetArguments) -> Iterator[SheetRow]:
        number = 1
        while True:
            found, total = page(work, {**args, "page": number, "per_page": _PAGE})
            yield from serialize(work, found)
            if not found or number * _PAGE >= total:
                return
            number += 1

    return rows


def _build_counter(
    page: Callable[[UnitOfWork, SheetArguments], tuple[list[Any], int]],
) -> Callable[[UnitOfWork, SheetArguments], int]:
    return lambda work, args: page(work, {**args, "page": 1, "per_page": 1})[1]


def _parse_report_span(work: UnitOfWork, args: SheetArguments) -> report_intervals.ReportSpan:
    return parse_span(work, args.get("after"), args.get("before"))


def _format_money(work: UnitOfWork, millionths: int) -> str:
    return money.format_amount(money.decode_amount(millionths), settings.get_price_decimals(work))


def _list_orders(work: UnitOfWork, args: SheetArguments) -> tuple[list[Any], int]:
    return report_orders.list_order_rows(
        work, _parse_report_span(work, args), reportable_orders.get_date_setting(work), args
    )


def _iterate_order_rows(work: UnitOfWork, rows: list[Any]) -> Iterator[SheetRow]:
    contents = report_orders.load_contents(work, rows)
    totals = report_orders.load_totals(work, [one.order for one in rows])
    for one in rows:
        buyer = contents.customers.get(one.customer) or {}
        lines = ", ".join(f"{quantity}× {name}" for _, name, quantity in contents.lines.get(one.id, []))
        yield [
            times.format_iso(one.date).replace("T", " "),
            one.order,
            report_orders.format_totals(work, totals.get(one.order)),
            one.status,
            f"{buyer.get('first_name', '')} {buyer.get('last_name', '')}".strip(),
            "new" if one.repeat == 0 else "returning",
            lines,
            one.items,
            ", ".join(code for _, code in contents.coupons.get(one.id, [])),
            _format_money(work, one.net),
            contents.origins[one.id],
        ]


def _build_list_reader(
    find: Callable[[UnitOfWork, report_intervals.ReportSpan, SheetArguments], list[Any]],
) -> Callable[[UnitOfWork, SheetArguments], list[Any]]:
    return lambda work, args: find(work, _parse_report_span(work, args), args)


def _build_whole_list(
    find: Callable[[UnitOfWork, SheetArguments], list[Any]],
    serialize: Callable[[UnitOfWork, list[Any]], Iterator[SheetRow]],
) -> dict[str, Any]:
    return {
        "count": lambda work, args: len(find(work, args)),
        "rows": lambda work, args: serialize(work, find(work, args)),
    }


_STOCK: Final = {"instock": "In stock", "outofstock": "Out of stock", "onbackorder": "On backorder"}


def _format_stock(info: Mapping[str, Any]) -> str:
    """Return the stock status as text; empty for a product that was removed."""
    return _STOCK.get(info.get("stock_status", ""), "")


def _iterate_product_rows(work: UnitOfWork, items: list[Any]) -> Iterator[SheetRow]:
    names = segment_items.load_category_names(work)
    for at in range(0, len(items), _PAGE):
        part = items[at : at + _PAGE]
        info_by_id = extended_info.load_product_info(work, [one.id for one in part])
        for one in part:
            info = info_by_id[one.id]
            yield [
                info["name"], info.get("sku", ""), one.items, _format_money(work, one.net), one.orders,
                ", ".join(names.get(id, "") for id in info.get("category_ids", ())), len(info.get("variations", ())),
                *((_format_stock(info), info["stock_quantity"]) if info.get("manage_stock") else ("N/A", "N/A")),
            ]  # fmt: skip


def _iterate_variation_rows(work: UnitOfWork, items: list[Any]) -> Iterator[SheetRow]:
    for at in range(0, len(items), _PAGE):
        part = items[at : at + _PAGE]
        info_by_id = extended_info.load_variation_info(work, [one.id for one in part])
        for one in part:
            more = info_by_id[one.id]
            options = ", ".join(option["option"] for option in more.get("attributes", ()))
            yield [
                f"{more['name']} - {options}" if options else more["name"], more.get("sku", ""), one.items,
                _format_money(work, one.net), one.orders, _format_stock(more), more.get("stock_quantity") or "",
            ]  # fmt: skip


def _iterate_category_rows(work: UnitOfWork, items: list[Any]) -> Iterator[SheetRow]:
    names = segment_items.load_category_names(work)
    for one in items:
        yield [names.get(one.id, ""), one.items, _format_money(work, one.net), one.products, one.orders]


def _iterate_coupon_rows(work: UnitOfWork, items: list[Any]) -> Iterator[SheetRow]:
    coupons = extended_info.load_coupons(work, [one.id for one in items])
    for one in items:
        coupon = coupons.get(one.id)
        yield [
            coupon.code if coupon else "(Deleted)", one.orders, _format_money(work, one.amount),
            times.format_iso(work.zone.to_local(coupon.created)) if coupon else "N/A",
            times.format_iso(work.zone.to_local(coupon.expires)) if coupon and coupon.expires is not None else "N/A",
            coupon.kind if coupon else "N/A",
        ]  # fmt: skip


def _iterate_tax_rows(work: UnitOfWork, items: list[Any]) -> Iterator[SheetRow]:
    for one in items:
        amounts = (_format_money(work, amount) for amount in (one.total, one.order_tax, one.shipping_tax))
        yield [one.code, money.format_plain_amount(one.percent), *amounts, one.orders]


def _iterate_stock_rows(work: UnitOfWork, items: list[Any]) -> Iterator[SheetRow]:
    for one in items:
        yield [one.name, one.sku, _STOCK.get(one.status, one.status), one.quantity or 0]


def _list_downloads(work: UnitOfWork, args: SheetArguments) -> tuple[list[Any], int]:
    return report_downloads.list_downloads(
        work,
        _parse_report_span(work, args),
        report_downloads.build_download_filters(work, args),
        args.get("orderby", "date"),
        args.get("order", "desc"),
        args["page"],
        args["per_page"],
    )


def _iterate_download_rows(work: UnitOfWork, items: list[Any]) -> Iterator[SheetRow]:
    names = extended_info.load_product_names(work, sorted({one.product for one in items}))
    for one in items:
        yield [times.format_iso(one.created), names.get(one.product, ""), one.file_name, one.order, one.login, one.ip]


def _iterate_customer_rows(work: UnitOfWork, items: list[Any]) -> Iterator[SheetRow]:
    for one in items:
        dates = (
            times.format_iso(work.zone.to_local(at)) if at is not None else "N/A"
            for at in (one.last_active, one.registered)
        )
        yield [
            f"{one.first_name} {one.last_name}".strip(),
            one.username,
            *dates,
            one.email,
            one.orders,
            _format_money(work, one.spend),
            _format_money(work, round(one.average * 1_000_000)),
            one.country,
            one.city,
            one.state,
            one.postcode,
        ]


def _build_revenue_request(work: UnitOfWork, args: SheetArguments) -> report_stats.ReportRequest:
    return report_stats.ReportRequest(
        _parse_report_span(work, args),
        report_filters.build_order_filters(work, {}),
        args.get("interval", "week"),
        reportable_orders.DATES.get(args.get("date_type", ""), reportable_orders.get_date_setting(work)),
        args.get("order", "desc"),
        args.get("orderby", "date"),
        1,
        _MOST_INTERVALS,
    )


def _count_revenue_intervals(work: UnitOfWork, args: SheetArguments) -> int:
    request = _build_revenue_request(work, args)
    return report_intervals.list_interval_keys(
        request.interval, request.span, work.zone, report_intervals.get_week_start(work)
    )[1]


def _iterate_revenue_rows(work: UnitOfWork, args: SheetArguments) -> Iterator[SheetRow]:
    places = settings.get_price_decimals(work)
    for one, sums in report_stats.compute_report(
        work, report_measures.ORDERS, _build_revenue_request(work, args)
    ).intervals:
        amounts = (
            f"{sums[name]:.{places}f}"
            for name in ("gross_sales", "refunds", "coupons", "net_revenue", "taxes", "shipping", "total_sales")
        )
        yield [times.format_iso(one.start).replace("T", " "), sums["orders_count"], *amounts]


SHEETS: Final = {
    "orders": CsvSheet(
        (
            "Date",
            "Order #",
            "N. Revenue (formatted)",
            "Status",
            "Customer",
            "Customer type",
            "Product(s)",
            "Items sold",
            "Coupon(s)",
            "Net Sales",
            "Attribution",
        ),
        _build_counter(_list_orders),
        _build_paged_rows(_list_orders, _iterate_order_rows),
    ),
    "products": CsvSheet(
        ("Product title", "SKU", "Items sold", "N. Revenue", "Orders", "Category", "Variations", "Status", "Stock"),
        **_build_whole_list(_build_list_reader(products.list_sold_products), _iterate_product_rows),
    ),
    "variations": CsvSheet(
        ("Product / Variation title", "SKU", "Items sold", "N. Revenue", "Orders", "Status", "Stock"),
        **_build_whole_list(_build_list_reader(products.list_sold_variations), _iterate_variation_rows),
    ),
    "categories": CsvSheet(
        ("Category", "Items sold", "Net revenue", "Products", "Orders"),
        **_build_whole_list(_build_list_reader(categories.list_sold_categories), _iterate_category_rows),
    ),
    "coupons": CsvSheet(
        ("Coupon code", "Orders", "Amount discounted", "Created", "Expires", "Type"),
        **_build_whole_list(_build_list_reader(coupons.list_used_coupons), _iterate_coupon_rows),
    ),
    "taxes": CsvSheet(
        ("Tax code", "Rate", "Total tax", "Order tax", "Shipping tax", "Orders"),
        **_build_whole_list(_build_list_reader(taxes.list_charged_taxes), _iterate_tax_rows),
    ),
    "customers": CsvSheet(
        (
            "Name",
            "Username",
            "Last Active",
            "Sign Up",
            "Email",
            "Orders",
            "Total Spend",
            "AOV",
            "Country / Region",
            "City",
            "Region",
            "Postal Code",
        ),
        _build_counter(report_customers.list_customers),
        _build_paged_rows(report_customers.list_customers, _iterate_customer_rows),
    ),
    "stock": CsvSheet(
        ("Product / Variation", "SKU", "Status", "Stock"),
        _build_counter(report_stock.list_stock),
        _build_paged_rows(report_stock.list_stock, _iterate_stock_rows),
    ),
    "downloads": CsvSheet(
        ("Date", "Product title", "File name", "Order #", "User name", "IP"),
        _build_counter(_list_downloads),
        _build_paged_rows(_list_downloads, _iterate_download_rows),
    ),
    "revenue": CsvSheet(
        ("Date", "Orders", "Gross sales", "Returns", "Coupons", "Net sales", "Taxes", "Shipping", "Total sales"),
        _count_revenue_intervals,
        _iterate_revenue_rows,
    ),
}

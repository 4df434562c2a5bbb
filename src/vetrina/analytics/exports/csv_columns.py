"""What a report is as a sheet: its headings and rows, read in pages so that no sheet is held whole.

Not here: files (analytics/exports/rules.py). Rules: facts, "Export and rebuilding".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from vetrina.analytics.facts import reportable_orders
from vetrina.analytics.reports import (
    customers as report_customers,
)
from vetrina.analytics.reports import (
    definitions as report_definitions,
)
from vetrina.analytics.reports import (
    downloads as report_downloads,
)
from vetrina.analytics.reports import (
    engine as report_engine,
)
from vetrina.analytics.reports import (
    extended_info,
    segment_members,
)
from vetrina.analytics.reports import (
    filters as report_filters,
)
from vetrina.analytics.reports import (
    intervals as report_intervals,
)
from vetrina.analytics.reports import (
    lists as report_lists,
)
from vetrina.analytics.reports import (
    orders as report_orders,
)
from vetrina.analytics.reports import (
    stock as report_stock,
)
from vetrina.analytics.reports.intervals import span_of
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money, times
from vetrina.shop.settings import rules as settings

__all__ = ["SHEETS", "Sheet"]

_PAGE: Final = 500
_MOST_INTERVALS: Final = 100_000

Args = Mapping[str, Any]
Row = list[Any]


@dataclass(frozen=True)
class Sheet:
    """One kind of sheet. count: how many rows there are; rows: yields them."""

    headings: tuple[str, ...]
    count: Callable[[Work, Args], int]
    rows: Callable[[Work, Args], Iterator[Row]]


def _paged(
    page: Callable[[Work, Args], tuple[list[Any], int]], shown: Callable[[Work, list[Any]], Iterator[Row]]
) -> Any:
    def rows(work: Work, args: Args) -> Iterator[Row]:
        number = 1
        while True:
            found, total = page(work, {**args, "page": number, "per_page": _PAGE})
            yield from shown(work, found)
            if not found or number * _PAGE >= total:
                return
            number += 1

    return rows


def _counted(page: Callable[[Work, Args], tuple[list[Any], int]]) -> Callable[[Work, Args], int]:
    return lambda work, args: page(work, {**args, "page": 1, "per_page": 1})[1]


def _span(work: Work, args: Args) -> report_intervals.Span:
    return span_of(work, args.get("after"), args.get("before"))


def _money(work: Work, millionths: int) -> str:
    return money.text(money.loaded(millionths), settings.decimals(work))


def _orders(work: Work, args: Args) -> tuple[list[Any], int]:
    return report_orders.page(work, _span(work, args), reportable_orders.date_setting(work), args)


def _order_rows(work: Work, rows: list[Any]) -> Iterator[Row]:
    held = report_orders.within(work, rows)
    totals = report_orders.totals_of(work, [one.order for one in rows])
    for one in rows:
        buyer = held.customers.get(one.customer) or {}
        lines = ", ".join(f"{quantity}× {name}" for _, name, quantity in held.lines.get(one.id, []))
        yield [
            times.iso(one.date).replace("T", " "), one.order, report_orders.formatted(work, totals.get(one.order)),
            one.status,
            f"{buyer.get('first_name', '')} {buyer.get('last_name', '')}".strip(),
            "new" if one.repeat == 0 else "returning", lines, one.items,
            ", ".join(code for _, code in held.coupons.get(one.id, [])), _money(work, one.net),
            held.origins[one.id],
        ]  # fmt: skip


def _list_of(find: Callable[[Work, report_intervals.Span, Args], list[Any]]) -> Callable[[Work, Args], list[Any]]:
    return lambda work, args: find(work, _span(work, args), args)


def _whole(
    find: Callable[[Work, Args], list[Any]], shown: Callable[[Work, list[Any]], Iterator[Row]]
) -> dict[str, Any]:
    return {"count": lambda work, args: len(find(work, args)), "rows": lambda work, args: shown(work, find(work, args))}


_STOCK: Final = {"instock": "In stock", "outofstock": "Out of stock", "onbackorder": "On backorder"}


def _stock(more: Mapping[str, Any]) -> str:
    """Return the state of the stock in words; of what was removed none."""
    return _STOCK.get(more.get("stock_status", ""), "")


def _product_rows(work: Work, found: list[Any]) -> Iterator[Row]:
    names = segment_members.category_names(work)
    for at in range(0, len(found), _PAGE):
        part = found[at : at + _PAGE]
        said = extended_info.products_of(work, [one.id for one in part])
        for one in part:
            more = said[one.id]
            yield [
                more["name"], more.get("sku", ""), one.items, _money(work, one.net), one.orders,
                ", ".join(names.get(id, "") for id in more.get("category_ids", ())), len(more.get("variations", ())),
                *((_stock(more), more["stock_quantity"]) if more.get("manage_stock") else ("N/A", "N/A")),
            ]  # fmt: skip


def _variation_rows(work: Work, found: list[Any]) -> Iterator[Row]:
    for at in range(0, len(found), _PAGE):
        part = found[at : at + _PAGE]
        said = extended_info.variations_of(work, [one.id for one in part])
        for one in part:
            more = said[one.id]
            options = ", ".join(option["option"] for option in more.get("attributes", ()))
            yield [
                f"{more['name']} - {options}" if options else more["name"], more.get("sku", ""), one.items,
                _money(work, one.net), one.orders, _stock(more), more.get("stock_quantity") or "",
            ]  # fmt: skip


def _category_rows(work: Work, found: list[Any]) -> Iterator[Row]:
    names = segment_members.category_names(work)
    for one in found:
        yield [names.get(one.id, ""), one.items, _money(work, one.net), one.products, one.orders]


def _coupon_rows(work: Work, found: list[Any]) -> Iterator[Row]:
    said = extended_info.coupons_of(work, [one.id for one in found])
    for one in found:
        held = said.get(one.id)
        yield [
            held.code if held else "(Deleted)", one.orders, _money(work, one.amount),
            times.iso(work.zone.to_local(held.created)) if held else "N/A",
            times.iso(work.zone.to_local(held.expires)) if held and held.expires is not None else "N/A",
            held.kind if held else "N/A",
        ]  # fmt: skip


def _tax_rows(work: Work, found: list[Any]) -> Iterator[Row]:
    for one in found:
        amounts = (_money(work, amount) for amount in (one.total, one.order_tax, one.shipping_tax))
        yield [one.code, money.plain(one.percent), *amounts, one.orders]


def _stock_rows(work: Work, found: list[Any]) -> Iterator[Row]:
    for one in found:
        yield [one.name, one.sku, _STOCK.get(one.status, one.status), one.quantity or 0]


def _downloads(work: Work, args: Args) -> tuple[list[Any], int]:
    return report_downloads.page(
        work, _span(work, args), report_downloads.filters_of(work, args), args.get("orderby", "date"),
        args.get("order", "desc"), args["page"], args["per_page"],
    )  # fmt: skip


def _download_rows(work: Work, found: list[Any]) -> Iterator[Row]:
    names = extended_info.names_of(work, sorted({one.product for one in found}))
    for one in found:
        yield [times.iso(one.created), names.get(one.product, ""), one.file_name, one.order, one.login, one.ip]


def _customer_rows(work: Work, found: list[Any]) -> Iterator[Row]:
    for one in found:
        dates = (
            times.iso(work.zone.to_local(at)) if at is not None else "N/A" for at in (one.last_active, one.registered)
        )
        yield [
            f"{one.first_name} {one.last_name}".strip(), one.username, *dates, one.email, one.orders,
            _money(work, one.spend), _money(work, round(one.average * 1_000_000)), one.country, one.city, one.state,
            one.postcode,
        ]  # fmt: skip


def _revenue(work: Work, args: Args) -> report_engine.Asked:
    return report_engine.Asked(
        _span(work, args),
        report_filters.of_orders(work, {}),
        args.get("interval", "week"),
        reportable_orders.DATES.get(args.get("date_type", ""), reportable_orders.date_setting(work)),
        args.get("order", "desc"),
        args.get("orderby", "date"),
        1,
        _MOST_INTERVALS,
    )


def _revenue_count(work: Work, args: Args) -> int:
    asked = _revenue(work, args)
    return report_intervals.keys_of(asked.interval, asked.span, work.zone, report_intervals.week_start(work))[1]


def _revenue_rows(work: Work, args: Args) -> Iterator[Row]:
    places = settings.decimals(work)
    for one, sums in report_engine.stats(work, report_definitions.ORDERS, _revenue(work, args)).intervals:
        amounts = (
            f"{sums[name]:.{places}f}"
            for name in ("gross_sales", "refunds", "coupons", "net_revenue", "taxes", "shipping", "total_sales")
        )
        yield [times.iso(one.start).replace("T", " "), sums["orders_count"], *amounts]


SHEETS: Final = {
    "orders": Sheet(
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
        _counted(_orders),
        _paged(_orders, _order_rows),
    ),
    "products": Sheet(
        ("Product title", "SKU", "Items sold", "N. Revenue", "Orders", "Category", "Variations", "Status", "Stock"),
        **_whole(_list_of(report_lists.products), _product_rows),
    ),
    "variations": Sheet(
        ("Product / Variation title", "SKU", "Items sold", "N. Revenue", "Orders", "Status", "Stock"),
        **_whole(_list_of(report_lists.variations), _variation_rows),
    ),
    "categories": Sheet(
        ("Category", "Items sold", "Net revenue", "Products", "Orders"),
        **_whole(_list_of(report_lists.categories), _category_rows),
    ),
    "coupons": Sheet(
        ("Coupon code", "Orders", "Amount discounted", "Created", "Expires", "Type"),
        **_whole(_list_of(report_lists.coupons), _coupon_rows),
    ),
    "taxes": Sheet(
        ("Tax code", "Rate", "Total tax", "Order tax", "Shipping tax", "Orders"),
        **_whole(_list_of(report_lists.taxes), _tax_rows),
    ),
    "customers": Sheet(
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
        _counted(report_customers.page),
        _paged(report_customers.page, _customer_rows),
    ),
    "stock": Sheet(
        ("Product / Variation", "SKU", "Status", "Stock"),
        _counted(report_stock.page),
        _paged(report_stock.page, _stock_rows),
    ),
    "downloads": Sheet(
        ("Date", "Product title", "File name", "Order #", "User name", "IP"),
        _counted(_downloads),
        _paged(_downloads, _download_rows),
    ),
    "revenue": Sheet(
        ("Date", "Orders", "Gross sales", "Returns", "Coupons", "Net sales", "Taxes", "Shipping", "Total sales"),
        _revenue_count,
        _revenue_rows,
    ),
}

"""The reports that list products, variations, categories, coupons, taxes, stock and downloads.

Not here: orders (analytics/reports/order_routes.py), customers (analytics/reports/customer_routes.py). Rules:
docs/rules/analytics_arguments.md, 2; docs/rules/analytics_reports.md, 1, 3, 4, 5, 6, 7 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from vetrina.analytics.reports import (
    arguments as report_arguments,
    categories,
    coupons,
    downloads as report_downloads,
    extended_info,
    item_lists,
    products,
    stock as report_stock,
    taxes,
)
from vetrina.analytics.reports.arguments import PATH, build_id_filter
from vetrina.analytics.reports.intervals import KINDS, parse_span
from vetrina.analytics.reports.measures import serialize_amount
from vetrina.analytics.reports.row_schema import ROW_FIELDS
from vetrina.analytics.reports.schema import describe_row, describe_totals
from vetrina.analytics.reports.segment_items import load_category_names
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import Array, Field, Integer, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, Route
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.products import stock as product_stock

ReportItemT = TypeVar("ReportItemT")
ReportRows = tuple[list[dict[str, Any]], int]  # a page of serialized rows, and the total

_SOLD_ORDERS: Final = ("date", "net_revenue", "orders_count", "items_sold")
ARGS: Final[dict[str, Mapping[str, Field]]] = {
    "products": {
        **report_arguments.build_report_arguments((*_SOLD_ORDERS, "product_name", "variations", "sku"), "date"),
        "categories": build_id_filter("Only of these categories."),
        "products": build_id_filter("Only these products, sold or not."),
        "extended_info": report_arguments.build_extended_info_argument(),
    },
    "variations": {
        **report_arguments.build_report_arguments((*_SOLD_ORDERS, "sku"), "date"),
        "product_includes": build_id_filter("Only of these products.", []),
        "product_excludes": build_id_filter("Not of these products.", []),
        "variations": build_id_filter("Only these variations, sold or not."),
        "extended_info": report_arguments.build_extended_info_argument(),
        **report_arguments.build_attribute_filters(),
        "category_includes": build_id_filter("Only of these categories."),
        "category_excludes": build_id_filter("Not of these categories."),
        "products": build_id_filter("Only of these products."),
    },
    "categories": {
        **report_arguments.build_report_arguments(
            ("category_id", "items_sold", "net_revenue", "orders_count", "products_count", "category"), "category_id"
        ),
        **report_arguments.build_status_filters(),
        "categories": build_id_filter("Only these categories."),
        "extended_info": report_arguments.build_extended_info_argument(),
        "interval": String("Taken; there are no intervals here.", enum=KINDS, default="week", null="keep"),
    },
    "coupons": {
        **report_arguments.build_report_arguments(("coupon_id", "code", "amount", "orders_count"), "coupon_id"),
        "coupons": build_id_filter("Only these coupons, used or not."),
        "extended_info": report_arguments.build_extended_info_argument(),
    },
    "taxes": {
        **report_arguments.build_report_arguments(
            ("tax_rate_id", "name", "tax_code", "rate", "order_tax", "total_tax", "shipping_tax", "orders_count"),
            "tax_rate_id",
        ),
        "taxes": build_id_filter("Only these rates."),
    },
    "stock": {
        **report_arguments.build_report_arguments(
            ("stock_status", "stock_quantity", "date", "id", "include", "title", "sku"), "stock_status",
            direction="asc",
        ),
        "type": String("Of what there is how much.", enum=report_stock.TYPES, default="all", null="keep"),
        "include": build_id_filter("Only these.", []),
        "exclude": build_id_filter("All but these.", []),
        "parent": build_id_filter("Only variations of these products; 0 for what is no variation.", []),
        "parent_exclude": build_id_filter("No variations of these products.", []),
        "offset": Integer("Leave out so many from the start.", minimum=0, null="keep"),
    },
    "downloads": {
        **report_arguments.build_report_arguments(("date", "product"), "date"),
        **{
            f"{what}_{side}": build_id_filter(f"Filter by {what}.")
            for what in ("product", "order", "customer") for side in ("includes", "excludes")
        },
        **{
            f"ip_address_{side}": Array("Filter by address.", items=String(), null="keep")
            for side in ("includes", "excludes")
        },
    },
}  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of lists."""
    return (
        *(_build_route(name) for name in ARGS),
        Route(
            READ,
            f"{PATH}/reports/stock/stats",
            _read_stock_stats,
            {"context": ARGS["stock"]["context"]},
            shop_permissions.require_view_permission,
            describe_totals("stock", "products", "lowstock", *product_stock.STATUSES),
            answers="one",
        ),
    )


def _build_route(name: str) -> Route:
    args = dict(ARGS[name])

    def handler(call: Call) -> Result:
        asked = report_arguments.parse_report_arguments(call.args, args)
        return build_page_result(call, PAGE_BUILDERS[name](call, asked), asked)

    handler.__doc__ = f"Report on {name}, a row each, over a span of time."
    return Route(
        READ,
        f"{PATH}/reports/{name}",
        handler,
        args,
        shop_permissions.require_view_permission,
        describe_row(name),
        answers="many",
        response_fields=ROW_FIELDS[name],
        slow=True,
    )


def build_page_result(call: Call, rows: ReportRows, args: Mapping[str, Any]) -> Result:
    """Return the response of a page. args: the arguments, of which page and size are used."""
    body, total = rows
    headers, links = build_page_headers(call, total, args.get("per_page", 10), args.get("page", 1))
    if not total:
        links = []  # there is no previous page to link to
    wanted = parse_field_selection(call.request.raw("_fields"))
    if wanted is not None:
        body = [select_fields(row, wanted.tree) for row in body]
    return Result(body, headers=headers, links=links)


def _build_links(call: Call, **to: str) -> dict[str, Any]:
    return {name: [{"href": call.work.api(f"{PATH}/{path}")}] for name, path in to.items()}


def _paginate_items(call: Call, items: Sequence[ReportItemT], args: Mapping[str, Any]) -> tuple[list[ReportItemT], int]:
    page = item_lists.cut_page(items, args.get("page", 1), args.get("per_page", 10))
    return page.items, page.total


def _load_extended_info(args: Mapping[str, Any], load: Callable[[], Mapping[int, Any]]) -> Mapping[int, Any]:
    return load() if args.get("extended_info") else {}


def _list_products(call: Call, args: Mapping[str, Any]) -> ReportRows:
    work = call.work
    page, total = _paginate_items(
        call, products.list_sold_products(work, parse_span(work, args.get("after"), args.get("before")), args), args
    )
    more = _load_extended_info(args, lambda: extended_info.load_product_info(work, [one.id for one in page]))
    return [
        {
            "product_id": one.id,
            "items_sold": one.items,
            "net_revenue": serialize_amount(one.net),
            "orders_count": one.orders,
            "extended_info": more.get(one.id, {}),
            "_links": _build_links(call, product=f"products/{one.id}"),
        }
        for one in page
    ], total


def _list_variations(call: Call, args: Mapping[str, Any]) -> ReportRows:
    work = call.work
    page, total = _paginate_items(
        call,
        products.list_sold_variations(work, parse_span(work, args.get("after"), args.get("before")), args),
        args,
    )
    more = _load_extended_info(args, lambda: extended_info.load_variation_info(work, [one.id for one in page]))
    return [
        {
            "product_id": one.product,
            "variation_id": one.id,
            "items_sold": one.items,
            "net_revenue": serialize_amount(one.net),
            "orders_count": one.orders,
            "extended_info": more.get(one.id, {}),
            "_links": _build_links(
                call, product=f"products/{one.product}", variation=f"products/{one.product}/variation/{one.id}"
            ),
        }
        for one in page
    ], total if page else 0


def _list_categories(call: Call, args: Mapping[str, Any]) -> ReportRows:
    work = call.work
    page, total = _paginate_items(
        call,
        categories.list_sold_categories(work, parse_span(work, args.get("after"), args.get("before")), args),
        args,
    )
    names = _load_extended_info(args, lambda: load_category_names(work))
    return [
        {
            "category_id": one.id,
            "items_sold": one.items,
            "net_revenue": serialize_amount(one.net),
            "orders_count": one.orders,
            "products_count": one.products,
            "extended_info": {"name": names[one.id]} if one.id in names else {},
            "_links": _build_links(call, category=f"products/categories/{one.id}"),
        }
        for one in page
    ], total if page else 0


def _list_coupons(call: Call, args: Mapping[str, Any]) -> ReportRows:
    work = call.work
    page, total = _paginate_items(
        call, coupons.list_used_coupons(work, parse_span(work, args.get("after"), args.get("before")), args), args
    )
    more = _load_extended_info(args, lambda: extended_info.load_coupons(work, [one.id for one in page]))
    extended = bool(args.get("extended_info"))
    return [
        {
            "coupon_id": one.id, "amount": serialize_amount(one.amount), "orders_count": one.orders,
            "extended_info": _serialize_coupon_info(work, more.get(one.id)) if extended else {},
            "_links": _build_links(call, coupon=f"coupons/{one.id}"),
        }
        for one in page
    ], total  # fmt: skip


def _serialize_coupon_info(work: UnitOfWork, one: Coupon | None) -> dict[str, Any]:
    if one is None:
        dates = dict.fromkeys(("date_created", "date_created_gmt", "date_expires", "date_expires_gmt"), "")
        return {"code": "(Deleted)", **dates, "discount_type": "N/A"}
    expires = one.expires
    return {
        "code": one.code,
        "date_created": times.format_iso(work.zone.to_local(one.created)),
        "date_created_gmt": times.format_iso(one.created),
        "date_expires": "" if expires is None else times.format_iso(work.zone.to_local(expires)),
        "date_expires_gmt": "" if expires is None else times.format_iso(expires),
        "discount_type": one.kind,
    }


def _list_taxes(call: Call, args: Mapping[str, Any]) -> ReportRows:
    work = call.work
    page, total = _paginate_items(
        call, taxes.list_charged_taxes(work, parse_span(work, args.get("after"), args.get("before")), args), args
    )
    out = []
    for one in page:
        name, country, state, priority = one.parts
        out.append(
            {
                "tax_rate_id": one.id, "name": name, "tax_rate": serialize_amount(int(one.percent * 1_000_000)),
                "country": country, "state": state, "priority": priority, "total_tax": serialize_amount(one.total),
                "order_tax": serialize_amount(one.order_tax), "shipping_tax": serialize_amount(one.shipping_tax),
                "orders_count": one.orders, "_links": _build_links(call, tax=f"taxes/{one.id}"),
            }
        )  # fmt: skip
    if args.get("taxes"):
        return out, len(set(args["taxes"]))  # as many as were requested, taxed or not
    return out, total if out else 0


def _build_product_path(one: report_stock.StockRow) -> str:
    return f"products/{one.parent}/variations/{one.id}" if one.parent else f"products/{one.id}"


def _list_stock(call: Call, args: Mapping[str, Any]) -> ReportRows:
    found, total = report_stock.list_stock(call.work, args)
    return [
        {
            "id": one.id, "parent_id": one.parent, "name": one.name, "sku": one.sku, "stock_status": one.status,
            "stock_quantity": one.quantity or 0, "manage_stock": one.managed, "low_stock_amount": one.low,
            "_links": {
                **_build_links(call, product=_build_product_path(one)),
                **(_build_links(call, parent=f"products/{one.parent}") if one.parent else {}),
            },
        }
        for one in found
    ], total  # fmt: skip


def _read_stock_stats(call: Call) -> Result:
    found = report_stock.count_stock(call.work)
    return Result(
        {
            "totals": {
                "lowstock": found.lowstock, "instock": found.instock, "outofstock": found.outofstock,
                "onbackorder": found.onbackorder, "products": found.products,
            }
        }
    )  # fmt: skip


def _list_downloads(call: Call, args: Mapping[str, Any]) -> ReportRows:
    work = call.work
    found, total = report_downloads.list_downloads(
        work,
        parse_span(work, args.get("after"), args.get("before")),
        report_downloads.build_download_filters(work, args),
        args.get("orderby", "date"),
        args.get("order", "desc"),
        args.get("page", 1),
        args.get("per_page", 10),
    )
    return [
        {
            "id": one.id,
            "date": times.format_iso(one.created),
            "date_gmt": times.format_iso(one.at),
            "download_id": one.download,
            "file_name": one.file_name,
            "file_path": one.file_path,
            "product_id": one.product,
            "order_id": one.order,
            "order_number": str(one.order),
            "user_id": one.customer,
            "username": one.login,
            "ip_address": one.ip,
            "_links": _build_links(call, product=f"products/{one.product}"),
        }
        for one in found
    ], total


PAGE_BUILDERS: Final[dict[str, Callable[[Call, Mapping[str, Any]], ReportRows]]] = {
    "products": _list_products,
    "variations": _list_variations,
    "categories": _list_categories,
    "coupons": _list_coupons,
    "taxes": _list_taxes,
    "stock": _list_stock,
    "downloads": _list_downloads,
}

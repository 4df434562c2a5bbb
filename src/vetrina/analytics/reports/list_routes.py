"""The reports that list products, variations, categories, coupons, taxes, stock and downloads.

Not here: orders (analytics/reports/order_routes.py), customers (analytics/reports/customer_routes.py). Rules:
interface.md, "Shop analytics"; facts, "The reports".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from vetrina.analytics.reports import arguments as report_arguments
from vetrina.analytics.reports import (
    downloads as report_downloads,
)
from vetrina.analytics.reports import (
    extended_info,
)
from vetrina.analytics.reports import (
    lists as report_lists,
)
from vetrina.analytics.reports import (
    stock as report_stock,
)
from vetrina.analytics.reports.arguments import PATH, numbers
from vetrina.analytics.reports.definitions import amount
from vetrina.analytics.reports.intervals import KINDS, span_of
from vetrina.analytics.reports.row_schema import ROWS
from vetrina.analytics.reports.schema import describe_row, describe_totals
from vetrina.analytics.reports.segment_members import category_names
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, Integer, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import choice, chosen
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.products import stock as product_stock

__all__ = ["ARGS", "PAGES", "answered", "routes"]

Item = TypeVar("Item")
Rows = tuple[list[dict[str, Any]], int]  # a page as answers show it, and the number of all

_SOLD_ORDERS: Final = ("date", "net_revenue", "orders_count", "items_sold")
ARGS: Final[dict[str, Mapping[str, Field]]] = {
    "products": {
        **report_arguments.common((*_SOLD_ORDERS, "product_name", "variations", "sku"), "date"),
        "categories": numbers("Only of these categories."),
        "products": numbers("Only these products, sold or not."),
        "extended_info": report_arguments.extended(),
    },
    "variations": {
        **report_arguments.common((*_SOLD_ORDERS, "sku"), "date"),
        "product_includes": numbers("Only of these products.", []),
        "product_excludes": numbers("Not of these products.", []),
        "variations": numbers("Only these variations, sold or not."),
        "extended_info": report_arguments.extended(),
        **report_arguments.attributes(),
        "category_includes": numbers("Only of these categories."),
        "category_excludes": numbers("Not of these categories."),
        "products": numbers("Only of these products."),
    },
    "categories": {
        **report_arguments.common(
            ("category_id", "items_sold", "net_revenue", "orders_count", "products_count", "category"), "category_id"
        ),
        **report_arguments.statuses(),
        "categories": numbers("Only these categories."),
        "extended_info": report_arguments.extended(),
        "interval": String("Taken; there are no intervals here.", enum=KINDS, default="week", null="keep"),
    },
    "coupons": {
        **report_arguments.common(("coupon_id", "code", "amount", "orders_count"), "coupon_id"),
        "coupons": numbers("Only these coupons, used or not."),
        "extended_info": report_arguments.extended(),
    },
    "taxes": {
        **report_arguments.common(
            ("tax_rate_id", "name", "tax_code", "rate", "order_tax", "total_tax", "shipping_tax", "orders_count"),
            "tax_rate_id",
        ),
        "taxes": numbers("Only these rates."),
    },
    "stock": {
        **report_arguments.common(
            ("stock_status", "stock_quantity", "date", "id", "include", "title", "sku"), "stock_status",
            direction="asc",
        ),
        "type": String("Of what there is how much.", enum=report_stock.TYPES, default="all", null="keep"),
        "include": numbers("Only these.", []),
        "exclude": numbers("All but these.", []),
        "parent": numbers("Only variations of these products; 0 for what is no variation.", []),
        "parent_exclude": numbers("No variations of these products.", []),
        "offset": Integer("Leave out so many from the start.", minimum=0, null="keep"),
    },
    "downloads": {
        **report_arguments.common(("date", "product"), "date"),
        **{
            f"{what}_{side}": numbers(f"Filter by {what}.")
            for what in ("product", "order", "customer") for side in ("includes", "excludes")
        },
        **{
            f"ip_address_{side}": Array("Filter by address.", items=String(), null="keep")
            for side in ("includes", "excludes")
        },
    },
}  # fmt: skip


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of lists."""
    return (
        *(_route(name) for name in ARGS),
        Route(
            READ,
            f"{PATH}/reports/stock/stats",
            _stock_stats,
            {"context": ARGS["stock"]["context"]},
            shop_permissions.viewing,
            describe_totals("stock", "products", "lowstock", *product_stock.STATUSES),
            answers="one",
        ),
    )


def _route(name: str) -> Route:
    args = dict(ARGS[name])

    def handler(call: Call) -> Result:
        asked = report_arguments.values(call.args, args)
        return answered(call, PAGES[name](call, asked), asked)

    handler.__doc__ = f"Report on {name}, a row each, over a span of time."
    return Route(READ, f"{PATH}/reports/{name}", handler, args, shop_permissions.viewing, describe_row(name),
                 answers="many", shows=ROWS[name])  # fmt: skip


def answered(call: Call, found: Rows, asked: Mapping[str, Any]) -> Result:
    """Return the answer of a page. asked: has its size and number."""
    body, total = found
    headers, links = page_headers(call, total, asked.get("per_page", 10), asked.get("page", 1))
    if not total:
        links = []  # there is no page that one could go back to
    wanted = choice(call.request.raw("_fields"))
    if wanted is not None:
        body = [chosen(row, wanted.tree) for row in body]
    return Result(body, headers=headers, links=links)


def _link(call: Call, **to: str) -> dict[str, Any]:
    return {name: [{"href": call.work.api(f"{PATH}/{path}")}] for name, path in to.items()}


def _cut(call: Call, found: Sequence[Item], asked: Mapping[str, Any]) -> tuple[list[Item], int]:
    page = report_lists.cut(found, asked.get("page", 1), asked.get("per_page", 10))
    return page.items, page.total


def _said(args: Mapping[str, Any], of: Callable[[], Mapping[int, Any]]) -> Mapping[int, Any]:
    return of() if args.get("extended_info") else {}


def _products(call: Call, args: Mapping[str, Any]) -> Rows:
    work: Work = call.work
    page, total = _cut(
        call, report_lists.products(work, span_of(work, args.get("after"), args.get("before")), args), args
    )
    more = _said(args, lambda: extended_info.products_of(work, [one.id for one in page]))
    return [
        {
            "product_id": one.id, "items_sold": one.items, "net_revenue": amount(one.net), "orders_count": one.orders,
            "extended_info": more.get(one.id, {}), "_links": _link(call, product=f"products/{one.id}"),
        }
        for one in page
    ], total  # fmt: skip


def _variations(call: Call, args: Mapping[str, Any]) -> Rows:
    work: Work = call.work
    page, total = _cut(
        call, report_lists.variations(work, span_of(work, args.get("after"), args.get("before")), args), args
    )
    more = _said(args, lambda: extended_info.variations_of(work, [one.id for one in page]))
    return [
        {
            "product_id": one.product, "variation_id": one.id, "items_sold": one.items, "net_revenue": amount(one.net),
            "orders_count": one.orders, "extended_info": more.get(one.id, {}),
            "_links": _link(
                call, product=f"products/{one.product}", variation=f"products/{one.product}/variation/{one.id}"
            ),
        }
        for one in page
    ], total if page else 0  # fmt: skip


def _categories(call: Call, args: Mapping[str, Any]) -> Rows:
    work: Work = call.work
    page, total = _cut(
        call, report_lists.categories(work, span_of(work, args.get("after"), args.get("before")), args), args
    )
    names = _said(args, lambda: category_names(work))
    return [
        {
            "category_id": one.id, "items_sold": one.items, "net_revenue": amount(one.net), "orders_count": one.orders,
            "products_count": one.products, "extended_info": {"name": names[one.id]} if one.id in names else {},
            "_links": _link(call, category=f"products/categories/{one.id}"),
        }
        for one in page
    ], total if page else 0  # fmt: skip


def _coupons(call: Call, args: Mapping[str, Any]) -> Rows:
    work: Work = call.work
    page, total = _cut(
        call, report_lists.coupons(work, span_of(work, args.get("after"), args.get("before")), args), args
    )
    more = _said(args, lambda: extended_info.coupons_of(work, [one.id for one in page]))
    asked = bool(args.get("extended_info"))
    return [
        {
            "coupon_id": one.id, "amount": amount(one.amount), "orders_count": one.orders,
            "extended_info": _coupon(work, more.get(one.id)) if asked else {},
            "_links": _link(call, coupon=f"coupons/{one.id}"),
        }
        for one in page
    ], total  # fmt: skip


def _coupon(work: Work, one: Coupon | None) -> dict[str, Any]:
    if one is None:
        dates = dict.fromkeys(("date_created", "date_created_gmt", "date_expires", "date_expires_gmt"), "")
        return {"code": "(Deleted)", **dates, "discount_type": "N/A"}
    expires = one.expires
    return {
        "code": one.code,
        "date_created": times.iso(work.zone.to_local(one.created)),
        "date_created_gmt": times.iso(one.created),
        "date_expires": "" if expires is None else times.iso(work.zone.to_local(expires)),
        "date_expires_gmt": "" if expires is None else times.iso(expires),
        "discount_type": one.kind,
    }


def _taxes(call: Call, args: Mapping[str, Any]) -> Rows:
    work: Work = call.work
    page, total = _cut(call, report_lists.taxes(work, span_of(work, args.get("after"), args.get("before")), args), args)
    out = []
    for one in page:
        name, country, state, priority = one.parts
        out.append(
            {
                "tax_rate_id": one.id, "name": name, "tax_rate": amount(int(one.percent * 1_000_000)),
                "country": country, "state": state, "priority": priority, "total_tax": amount(one.total),
                "order_tax": amount(one.order_tax), "shipping_tax": amount(one.shipping_tax),
                "orders_count": one.orders, "_links": _link(call, tax=f"taxes/{one.id}"),
            }
        )  # fmt: skip
    if args.get("taxes"):
        return out, len(set(args["taxes"]))  # as many as were asked for, taxed or not
    return out, total if out else 0


def _address(one: report_stock.Stocked) -> str:
    return f"products/{one.parent}/variations/{one.id}" if one.parent else f"products/{one.id}"


def _stock(call: Call, args: Mapping[str, Any]) -> Rows:
    found, total = report_stock.page(call.work, args)
    return [
        {
            "id": one.id, "parent_id": one.parent, "name": one.name, "sku": one.sku, "stock_status": one.status,
            "stock_quantity": one.quantity or 0, "manage_stock": one.managed, "low_stock_amount": one.low,
            "_links": {
                **_link(call, product=_address(one)),
                **(_link(call, parent=f"products/{one.parent}") if one.parent else {}),
            },
        }
        for one in found
    ], total  # fmt: skip


def _stock_stats(call: Call) -> Result:
    found = report_stock.counts(call.work)
    return Result(
        {
            "totals": {
                "lowstock": found.lowstock, "instock": found.instock, "outofstock": found.outofstock,
                "onbackorder": found.onbackorder, "products": found.products,
            }
        }
    )  # fmt: skip


def _downloads(call: Call, args: Mapping[str, Any]) -> Rows:
    work: Work = call.work
    found, total = report_downloads.page(
        work, span_of(work, args.get("after"), args.get("before")), report_downloads.filters_of(work, args),
        args.get("orderby", "date"), args.get("order", "desc"), args.get("page", 1), args.get("per_page", 10),
    )  # fmt: skip
    return [
        {
            "id": one.id, "date": times.iso(one.created), "date_gmt": times.iso(one.at), "download_id": one.download,
            "file_name": one.file_name, "file_path": one.file_path, "product_id": one.product, "order_id": one.order,
            "order_number": str(one.order), "user_id": one.customer, "username": one.login, "ip_address": one.ip,
            "_links": _link(call, product=f"products/{one.product}"),
        }
        for one in found
    ], total  # fmt: skip


PAGES: Final[dict[str, Callable[[Call, Mapping[str, Any]], Rows]]] = {
    "products": _products,
    "variations": _variations,
    "categories": _categories,
    "coupons": _coupons,
    "taxes": _taxes,
    "stock": _stock,
    "downloads": _downloads,
}

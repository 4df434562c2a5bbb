"""Routes of the legacy reports: sales, top sellers, totals of each kind of object.

Not here: the computation (shop/reports/rules.py). Rules: docs/rules/shop_settings.md, 7.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import money
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import Field, Integer, Number, Object, String, ValidationContext
from vetrina.rest.paging import build_page_headers
from vetrina.rest.response_fields import build_map_field, build_text_fields
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import list_arguments, permissions as shop_permissions
from vetrina.shop.reports import rules as reports
from vetrina.shop.settings import rules as settings

_PATH: Final = "/shop/v3/reports"
_TOTALS: Final = ("orders", "products", "customers", "coupons", "reviews", "categories", "tags", "attributes")
_INDEX: Final = {
    "sales": "What was sold in a span of days.",
    "top_sellers": "The products of which most was sold.",
    **{f"{name}/totals": f"How many {name} there are." for name in _TOTALS},
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _find_date_fault(value: Any, name: str, context: ValidationContext) -> Fault | None:
    if isinstance(value, str) and (not value or _parse_day(value) is not None):
        return None
    return Fault("shop_rest_invalid_date", f"{name} is a day written as YYYY-MM-DD.")


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of reports."""
    span: dict[str, Field] = {
        "context": list_arguments.build_context_argument("view"),
        "period": String("Which days, where none are given.", enum=reports.PERIODS, null="keep"),
        "date_min": String("First day.", check=_find_date_fault, null="keep"),
        "date_max": String("Last day.", check=_find_date_fault, null="keep"),
    }
    return (
        Route(
            READ,
            _PATH,
            _list_reports,
            {"context": list_arguments.build_context_argument("view")},
            shop_permissions.require_view_permission,
            _build_report_schema,
            answers="many",
        ),
        Route(
            READ,
            f"{_PATH}/sales",
            _read_sales_report,
            span,
            shop_permissions.require_view_permission,
            _build_sales_schema,
            answers="many",
            response_fields={"total_customers": Integer()},
            slow=True,
        ),
        Route(
            READ,
            f"{_PATH}/top_sellers",
            _list_top_sellers,
            span,
            shop_permissions.require_view_permission,
            _build_top_sellers_schema,
            answers="many",
            slow=True,
        ),
        *(
            Route(
                READ,
                f"{_PATH}/{name}/totals",
                _build_totals_handler(name),
                {"context": list_arguments.build_context_argument("view")},
                shop_permissions.require_view_permission,
                _build_totals_schema,
                answers="many",
                slow=True,
            )
            for name in _TOTALS
        ),
    )


_SALES: Final[dict[str, Field]] = {
    **build_text_fields("total_sales", "net_sales", "average_sales"),
    **{name: Integer() for name in ("total_orders", "total_items")},
    **build_text_fields("total_tax", "total_shipping"),
    "total_refunds": Number(),
    **build_text_fields("total_discount"),
    "totals_grouped_by": String("`day` or `month`."),
    "totals": build_map_field(
        Object(
            properties={
                **build_text_fields("sales", "tax", "shipping", "discount"),
                **{name: Integer() for name in ("orders", "items", "customers")},
            }
        ),
        "By day or month.",
    ),
}
_SLUG: Final = String("Name of what is told.", readonly=True)


def _build_report_schema() -> dict[str, Any]:
    return Serializer({"slug": _SLUG, "description": String("What it says.", readonly=True)}, {}).schema("report")


def _build_sales_schema() -> dict[str, Any]:
    return Serializer(_SALES, {}).schema("sales_report")


def _build_top_sellers_schema() -> dict[str, Any]:
    sold = {"product_id": Integer("Number of the product."), "quantity": Integer("Pieces that were sold.")}
    return Serializer({"name": String("Name of the product."), **sold}, {}).schema("top_sellers_report")


def _build_totals_schema() -> dict[str, Any]:
    total = Integer("How many.", readonly=True)
    return Serializer({"slug": _SLUG, "name": _SLUG.replace(help="What it is called."), "total": total}, {}).schema(
        "report"
    )


def _select_fields(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = parse_field_selection(call.request.raw("_fields"))
    return body if wanted is None else select_fields(body, wanted.tree)


def build_v1_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of reports in version one: without the totals."""
    index, *others = build_routes(site)
    return index.replace(handler=_list_v1_reports), *(route for route in others if not route.path.endswith("/totals"))


def _list_reports(call: Call) -> Result:
    """List the available reports."""
    return _build_index_result(call, tuple(_INDEX))


def _list_v1_reports(call: Call) -> Result:
    return _build_index_result(call, ("sales", "top_sellers"))


def _build_index_result(call: Call, slugs: tuple[str, ...]) -> Result:
    collection = [{"href": call.work.api(_PATH)}]
    body = []
    for slug in slugs:
        own = {"href": call.work.api(f"{_PATH}/{slug}"), "targetHints": {"allow": ["GET"]}}
        members = _select_fields(call, {"slug": slug, "description": _INDEX[slug]})
        body.append({**members, "_links": {"self": [own], "collection": collection}})
    headers, links = build_page_headers(call, len(body), None)
    return Result(body, headers=headers, links=links)


def _parse_span(call: Call) -> reports.SalesReportPeriod:
    args = call.args
    first, last = (_parse_day(args.get(name) or "") for name in ("date_min", "date_max"))
    return reports.build_report_period(call.work, args.get("period") or "week", first, last)


def _build_about_links(call: Call) -> dict[str, Any]:
    return {"about": [{"href": call.work.api(_PATH)}]}


def _read_sales_report(call: Call) -> Result:
    """Read the sales of a period, with a row for each day or month."""
    found = reports.build_sales_report(call.work, _parse_span(call))
    places = settings.get_price_decimals(call.work)
    parts = found.span.count

    def amount(value: Any) -> str:
        return money.format_amount(value, places)

    body = {
        "total_sales": amount(found.sum("sales")),
        "net_sales": amount(found.net),
        "average_sales": amount(found.net / parts),
        "total_orders": found.sum("orders"),
        "total_items": found.sum("items"),
        "total_tax": amount(found.sum("tax")),
        "total_shipping": amount(found.sum("shipping")),
        "total_refunds": float(found.refunds) if found.refunds else 0,
        "total_discount": amount(found.sum("discount")),
        "totals_grouped_by": found.span.by,
        "totals": {
            key: {
                "sales": amount(part.sales),
                "orders": part.orders,
                "items": part.items,
                "tax": amount(part.tax),
                "shipping": amount(part.shipping),
                "discount": amount(part.discount),
                "customers": part.customers,
            }
            for key, part in found.parts.items()
        },
        "total_customers": found.sum("customers"),
    }
    headers, links = build_page_headers(call, 1, None)
    return Result([{**_select_fields(call, body), "_links": _build_about_links(call)}], headers=headers, links=links)


def _list_top_sellers(call: Call) -> Result:
    """List the best-selling products of a period."""
    found = reports.list_best_sellers(call.work, _parse_span(call))
    body = []
    for id, name, sold in found:
        product = {"href": call.work.api(f"/shop/v3/products/{id}")}
        members = _select_fields(call, {"name": name, "product_id": id, "quantity": sold})
        body.append({**members, "_links": {**_build_about_links(call), "product": [product]}})
    headers, links = build_page_headers(call, len(body), None)
    return Result(body, headers=headers, links=links)


def _build_totals_handler(what: str) -> Any:
    def handler(call: Call) -> Result:
        found = reports.list_entity_counts(call.work, what)
        body = [_select_fields(call, {"slug": slug, "name": name, "total": total}) for slug, name, total in found]
        headers, links = build_page_headers(call, len(body), None)
        return Result(body, headers=headers, links=links)

    handler.__doc__ = f"Count the {what}, by kind."
    return handler

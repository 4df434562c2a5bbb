"""The old reports: what was sold, what sold best, how many there are of each kind of thing.

Not here: how they are counted (shop/reports/rules.py). Rules: facts, "Old reports"; their recordings.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel import money
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Asked, Field, Integer, Number, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.response_fields import by_name, texts
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape, choice, chosen
from vetrina.shop import list_arguments
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.reports import rules as reports
from vetrina.shop.settings import rules as settings

__all__ = ["older", "routes"]

_PATH: Final = "/shop/v3/reports"
_TOTALS: Final = ("orders", "products", "customers", "coupons", "reviews", "categories", "tags", "attributes")
_INDEX: Final = {
    "sales": "What was sold in a span of days.",
    "top_sellers": "The products of which most was sold.",
    **{f"{name}/totals": f"How many {name} there are." for name in _TOTALS},
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _good_date(value: Any, name: str, asked: Asked) -> Fault | None:
    if isinstance(value, str) and (not value or _day(value) is not None):
        return None
    return Fault("shop_rest_invalid_date", f"{name} is a day written as YYYY-MM-DD.")


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written) if _DATE.fullmatch(written) else None
    except ValueError:
        return None


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of reports."""
    span: dict[str, Field] = {
        "context": list_arguments.context("view"),
        "period": String("Which days, where none are given.", enum=reports.PERIODS, null="keep"),
        "date_min": String("First day.", check=_good_date, null="keep"),
        "date_max": String("Last day.", check=_good_date, null="keep"),
    }
    return (
        Route(
            READ,
            _PATH,
            _index,
            {"context": list_arguments.context("view")},
            shop_permissions.viewing,
            _schema,
            answers="many",
        ),
        Route(
            READ,
            f"{_PATH}/sales",
            _sales,
            span,
            shop_permissions.viewing,
            _sales_schema,
            answers="many",
            shows={"total_customers": Integer()},
            slow=True,
        ),
        Route(
            READ, f"{_PATH}/top_sellers", _best, span, shop_permissions.viewing, _best_schema, answers="many", slow=True
        ),
        *(
            Route(
                READ,
                f"{_PATH}/{name}/totals",
                _totals(name),
                {"context": list_arguments.context("view")},
                shop_permissions.viewing,
                _totals_schema,
                answers="many",
                slow=True,
            )
            for name in _TOTALS
        ),
    )


_SALES: Final[dict[str, Field]] = {
    **texts("total_sales", "net_sales", "average_sales"),
    **{name: Integer() for name in ("total_orders", "total_items")},
    **texts("total_tax", "total_shipping"), "total_refunds": Number(), **texts("total_discount"),
    "totals_grouped_by": String("`day` or `month`."),
    "totals": by_name(Object(properties={
        **texts("sales", "tax", "shipping", "discount"),
        **{name: Integer() for name in ("orders", "items", "customers")},
    }), "By day or month."),
}  # fmt: skip
_SLUG: Final = String("Name of what is told.", readonly=True)


def _schema() -> dict[str, Any]:
    return Shape({"slug": _SLUG, "description": String("What it says.", readonly=True)}, {}).schema("report")


def _sales_schema() -> dict[str, Any]:
    return Shape(_SALES, {}).schema("sales_report")


def _best_schema() -> dict[str, Any]:
    sold = {"product_id": Integer("Number of the product."), "quantity": Integer("Pieces that were sold.")}
    return Shape({"name": String("Name of the product."), **sold}, {}).schema("top_sellers_report")


def _totals_schema() -> dict[str, Any]:
    total = Integer("How many.", readonly=True)
    return Shape({"slug": _SLUG, "name": _SLUG.but(help="What it is called."), "total": total}, {}).schema("report")


def _chosen(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = choice(call.request.raw("_fields"))
    return body if wanted is None else chosen(body, wanted.tree)


def older(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of reports as version one has them: without the totals."""
    index, *others = routes(frame)
    return index.but(handler=_old_index), *(route for route in others if not route.path.endswith("/totals"))


def _index(call: Call) -> Result:
    """List the reports that there are."""
    return _listed(call, tuple(_INDEX))


def _old_index(call: Call) -> Result:
    return _listed(call, ("sales", "top_sellers"))


def _listed(call: Call, slugs: tuple[str, ...]) -> Result:
    collection = [{"href": call.work.api(_PATH)}]
    body = []
    for slug in slugs:
        own = {"href": call.work.api(f"{_PATH}/{slug}"), "targetHints": {"allow": ["GET"]}}
        told = _chosen(call, {"slug": slug, "description": _INDEX[slug]})
        body.append({**told, "_links": {"self": [own], "collection": collection}})
    headers, links = page_headers(call, len(body), None)
    return Result(body, headers=headers, links=links)


def _span(call: Call) -> reports.Span:
    args = call.args
    first, last = (_day(args.get(name) or "") for name in ("date_min", "date_max"))
    return reports.span_of(call.work, args.get("period") or "week", first, last)


def _about(call: Call) -> dict[str, Any]:
    return {"about": [{"href": call.work.api(_PATH)}]}


def _sales(call: Call) -> Result:
    """Total the sales of a span, with a row for each day or month."""
    found = reports.sales(call.work, _span(call))
    places = settings.decimals(call.work)
    parts = found.span.count

    def amount(value: Any) -> str:
        return money.text(value, places)

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
    headers, links = page_headers(call, 1, None)
    return Result([{**_chosen(call, body), "_links": _about(call)}], headers=headers, links=links)


def _best(call: Call) -> Result:
    """List the best-selling products of a span."""
    found = reports.best_sellers(call.work, _span(call))
    body = []
    for id, name, sold in found:
        product = {"href": call.work.api(f"/shop/v3/products/{id}")}
        told = _chosen(call, {"name": name, "product_id": id, "quantity": sold})
        body.append({**told, "_links": {**_about(call), "product": [product]}})
    headers, links = page_headers(call, len(body), None)
    return Result(body, headers=headers, links=links)


def _totals(what: str) -> Any:
    def handler(call: Call) -> Result:
        found = reports.totals_of(call.work, what)
        body = [_chosen(call, {"slug": slug, "name": name, "total": total}) for slug, name, total in found]
        headers, links = page_headers(call, len(body), None)
        return Result(body, headers=headers, links=links)

    handler.__doc__ = f"Count the {what}, by kind."
    return handler

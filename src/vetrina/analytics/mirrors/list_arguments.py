"""Arguments that the lists of this namespace have beyond those of `shop/v3`: name or SKU, low stock, ids, codes.

Not here: the routes (analytics/mirrors/routes.py). Rules: docs/rules/analytics_exports.md, 7 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.analytics.reports import stock as report_stock
from vetrina.analytics.reports.arguments import build_id_filter, parse_ids
from vetrina.core.call import Call
from vetrina.rest.call import Result
from vetrina.rest.derived_routes import RunRoute, derive_route
from vetrina.rest.fields import Boolean, Field, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, Route

_NO_IDS: Final = [0]  # a list of ids that matches nothing
_MAX_RATES: Final = 1_000_000  # more than a shop has tax rates

PRODUCT_FILTERS: Final[Mapping[str, Field]] = {
    "low_in_stock": Boolean(
        "Only those of which there is little or nothing, variations too.", default=False, null="keep"
    ),
}
ORDER_FILTERS: Final[Mapping[str, Field]] = {
    "number": String("Beginning of the number of an order.", null="keep"),
}
_TAX_RATE_FILTERS: Final[Mapping[str, Field]] = {
    "search": String("Part of the code: country, state, name and priority, joined by hyphens.", null="keep"),
    "include": build_id_filter("Only these rates.", []),
}


def translate_product_arguments(call: Call) -> None:
    """Search names and SKUs, and restrict to low stock where requested."""
    args = call.args
    if call.route.methods != READ or "low_in_stock" not in args:
        return
    if args.pop("low_in_stock"):
        low, asked = set(report_stock.list_low_stock_ids(call.work)), args.get("include") or ()
        args["include"] = sorted(low & set(asked) if asked else low) or _NO_IDS
        args["with_variations"] = True
    if args.get("search"):
        args["search_name_or_sku"] = args.pop("search")


def translate_order_arguments(call: Call) -> None:
    """Return the extra fields of orders always."""
    call.args.pop("include_meta", None)
    call.args.pop("exclude_meta", None)


def add_rate_search(route: Route) -> Route:
    """Return the list of tax rates with a search by code and by ids; other routes unchanged."""
    if route.methods != READ or "per_page" not in route.args:
        return route

    def around(call: Call, run: RunRoute) -> Result:
        args = call.args
        text, ids = str(args.get("search") or "").strip().lower(), set(parse_ids(args.get("include")))
        if not text and not ids:
            return run(call)
        per_page, page = args["per_page"], args["page"]
        start = abs(args.get("offset") or 0) or (page - 1) * per_page
        args["per_page"], args["page"], args["offset"] = _MAX_RATES, 1, None
        found = run(call)
        wanted = [one for one in found.body if (not ids or one["id"] in ids) and text in _format_rate_code(one).lower()]
        headers, links = build_page_headers(call, len(wanted), per_page, page)
        return Result(wanted[start : start + per_page], headers=headers, links=links)

    return derive_route(route, around, args={**route.args, **_TAX_RATE_FILTERS})


def _format_rate_code(one: Mapping[str, Any]) -> str:
    parts = (one["country"], one["state"], one["name"], str(one["priority"]))
    return "-".join(part for part in parts if part)

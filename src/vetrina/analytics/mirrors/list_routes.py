"""What the lists of this namespace ask beside those of `shop/v3`: names or stock numbers, low stock, numbers, codes.

Not here: the routes (analytics/mirrors/routes.py). Rules: facts, "Settings, notes, data, mirrors".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.analytics.reports import stock as report_stock
from vetrina.analytics.reports.arguments import numbers, numbers_of
from vetrina.rest.call import Call, Result
from vetrina.rest.derived_routes import Run, made_from
from vetrina.rest.fields import ABSENT, Boolean, Field, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, Route

__all__ = ["OF_ORDERS", "OF_PRODUCTS", "ask_orders", "ask_products", "searched"]

_NONE: Final = [0]  # a list of numbers in which nothing is
_ALL: Final = 1_000_000  # more than a shop has tax rates

OF_PRODUCTS: Final[Mapping[str, Field]] = {
    "low_in_stock": Boolean(
        "Only those of which there is little or nothing, variations too.", default=False, null="keep"
    ),
}
OF_ORDERS: Final[Mapping[str, Field]] = {
    "number": String("Beginning of the number of an order.", null="keep"),
}
_OF_TAXES: Final[Mapping[str, Field]] = {
    "search": String("Part of the code: country, state, name and priority, joined by hyphens.", null="keep"),
    "include": numbers("Only these rates.", []),
}


def ask_products(call: Call) -> None:
    """Search names and stock numbers, and keep only what is low in stock where that is wanted."""
    args = call.args
    if call.route.methods != READ or "low_in_stock" not in args:
        return
    if args.pop("low_in_stock"):
        low, asked = set(report_stock.low_ids(call.work)), args.get("include") or ()
        args["include"] = sorted(low & set(asked) if asked else low) or _NONE
        args["with_variations"] = True
    if args.get("search"):
        args["search_name_or_sku"] = args.pop("search")


def ask_orders(call: Call) -> None:
    """Take a beginning of numbers; what is no number begins none. Extra fields are told, whichever are asked for."""
    call.args.pop("include_meta", None)
    call.args.pop("exclude_meta", None)
    written = call.args.get("number")
    if call.route.methods == READ and written not in (None, ABSENT, "") and not str(written).isdecimal():
        call.args["number"], call.args["include"] = "", _NONE


def searched(route: Route) -> Route:
    """Return the list of tax rates with a search by code and by numbers; other routes as they are."""
    if route.methods != READ or "per_page" not in route.args:
        return route

    def around(call: Call, run: Run) -> Result:
        args = call.args
        text, ids = str(args.get("search") or "").strip().lower(), set(numbers_of(args.get("include")))
        if not text and not ids:
            return run(call)
        per_page, page = args["per_page"], args["page"]
        start = abs(args.get("offset") or 0) or (page - 1) * per_page
        args["per_page"], args["page"], args["offset"] = _ALL, 1, None
        found = run(call)
        wanted = [one for one in found.body if (not ids or one["id"] in ids) and text in _code(one).lower()]
        headers, links = page_headers(call, len(wanted), per_page, page)
        return Result(wanted[start : start + per_page], headers=headers, links=links)

    return made_from(route, around, args={**route.args, **_OF_TAXES})


def _code(one: Mapping[str, Any]) -> str:
    parts = (one["country"], one["state"], one["name"], str(one["priority"]))
    return "-".join(part for part in parts if part)

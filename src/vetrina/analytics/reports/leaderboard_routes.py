"""The leaderboards: the best customers, coupons, categories and products of a span.

Rules: docs/rules/analytics_arguments.md, 4; docs/rules/analytics_reports.md, 13.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from typing import Any, Final
from urllib.parse import urlencode

import orjson

from vetrina.analytics.reports import (
    arguments as report_arguments,
    categories,
    coupons,
    customers as report_customers,
    extended_info,
    products,
    segment_items,
)
from vetrina.analytics.reports.arguments import PATH
from vetrina.analytics.reports.intervals import ReportSpan, parse_span
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Integer, Number, Object, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.response_fields import Either, build_text_fields
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.products import price_markup

LeaderboardRow = tuple[int, str, int, int]  # id, name, count, millionths
_SpanBounds = Mapping[str, Any]  # `after` and `before` of a span, where given

_MAX_DEPTH: Final = 4  # nesting of values in a link's query


@dataclass(frozen=True)
class Leaderboard:
    """One leaderboard. filter_name: the parameter that its links filter by."""

    id: str
    label: str
    headers: tuple[str, str, str]
    filter_name: str
    list_rows: Callable[[UnitOfWork, _SpanBounds, int], list[LeaderboardRow]]


def _list_top_customers(work: UnitOfWork, bounds: _SpanBounds, most: int) -> list[LeaderboardRow]:
    # Without a span the customers are those of all time, with purchases or not; the other boards use the last week.
    found, _ = report_customers.list_customers(work, {**bounds, "orderby": "total_spend", "per_page": most})
    return [(one.id, f"{one.first_name} {one.last_name}".strip(), one.orders, one.spend) for one in found]


def _list_top_coupons(work: UnitOfWork, bounds: _SpanBounds, most: int) -> list[LeaderboardRow]:
    found = coupons.list_used_coupons(work, _parse_span(work, bounds), {"orderby": "orders_count"})[:most]
    codes = dict(segment_items.list_coupons(work))
    return [(one.id, codes.get(one.id, "(Deleted)"), one.orders, one.amount) for one in found]


def _list_top_categories(work: UnitOfWork, bounds: _SpanBounds, most: int) -> list[LeaderboardRow]:
    span = _parse_span(work, bounds)
    found = categories.list_sold_categories(work, span, {"orderby": "items_sold"}, count_orders=False)[:most]
    names = segment_items.load_category_names(work)
    return [(one.id, names.get(one.id, ""), one.items, one.net) for one in found]


def _list_top_products(work: UnitOfWork, bounds: _SpanBounds, most: int) -> list[LeaderboardRow]:
    found = products.list_sold_products(work, _parse_span(work, bounds), {"orderby": "items_sold"})[:most]
    names = extended_info.load_product_names(work, [one.id for one in found])
    return [(one.id, names.get(one.id, ""), one.items, one.net) for one in found]


def _parse_span(work: UnitOfWork, bounds: _SpanBounds) -> ReportSpan:
    return parse_span(work, bounds.get("after"), bounds.get("before"))


_SOLD: Final = ("Items sold", "Net sales")
LEADERBOARDS: Final = (
    Leaderboard("customers", "Top Customers - Total Spend", ("Customer Name", "Orders", "Total Spend"), "customer",
          _list_top_customers),
    Leaderboard("coupons", "Top Coupons - Number of Orders", ("Coupon code", "Orders", "Amount discounted"), "coupon",
          _list_top_coupons),
    Leaderboard("categories", "Top categories - Items sold", ("Category", *_SOLD), "category", _list_top_categories),
    Leaderboard("products", "Top products - Items sold", ("Product", *_SOLD), "product", _list_top_products),
)  # fmt: skip


_CELL: Final = Object(properties={
    "display": String("As people read it, with markup."), "value": Either("What it is.", (String(), Number())),
    "format": String("`number` or `currency`, of what is counted.", optional=True),
})  # fmt: skip
# The interface describes a row by its cells.
_ROWS: Final[dict[str, Field]] = {"rows": Array("Its rows: each a list of cells.", items=Array(items=_CELL))}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of leaderboards."""
    args: dict[str, Field] = {
        "page": Integer("Has no effect.", default=1, minimum=1, null="keep"),
        "per_page": Integer("Most rows of a board.", default=5, minimum=1, maximum=20, null="keep"),
        **report_arguments.build_span_arguments(),
        "persisted_query": String("JSON; its members are kept in the links.", null="keep"),
    }
    name = {"leaderboard": String("Name of the board.", enum=tuple(one.id for one in LEADERBOARDS), null="keep")}
    return (
        Route(
            READ,
            f"{PATH}/leaderboards",
            _list_leaderboards,
            args,
            shop_permissions.require_view_permission,
            _build_leaderboard_schema,
            answers="many",
            response_fields=_ROWS,
            slow=True,
        ),
        Route(
            READ,
            f"{PATH}/leaderboards/allowed",
            _list_allowed_leaderboards,
            {},
            shop_permissions.require_view_permission,
            _build_heading_schema,
            answers="many",
        ),
        Route(
            READ,
            f"{PATH}/leaderboards/{{leaderboard:\\w+}}",
            _list_leaderboards,
            {**name, **args},
            shop_permissions.require_view_permission,
            _build_leaderboard_schema,
            answers="many",
            response_fields=_ROWS,
            slow=True,
        ),
    )


def _list_leaderboards(call: Call) -> Result:
    """List the best customers, coupons, categories and products of a span."""
    args, wanted = call.args, call.args.get("leaderboard")
    ends = {name: args[name] for name in ("after", "before") if args.get(name)}
    kept = _parse_persisted_query(args.get("persisted_query"))
    most, body = args["per_page"], []
    for one in LEADERBOARDS:
        if not wanted or one.id == wanted:
            rows = one.list_rows(call.work, ends, most)
            body.append(
                {**_serialize_heading(one), "rows": [_serialize_row(call.work, one, row, kept) for row in rows]}
            )
    return Result(body)


def _list_allowed_leaderboards(call: Call) -> Result:
    """List the available leaderboards."""
    body = [_serialize_heading(one) for one in LEADERBOARDS]
    headers, links = build_page_headers(call, len(body), None)
    return Result(body, headers=headers, links=links)


def _serialize_heading(one: Leaderboard) -> dict[str, Any]:
    return {"id": one.id, "label": one.label, "headers": [{"label": label} for label in one.headers]}


def _serialize_row(
    work: UnitOfWork, board: Leaderboard, row: LeaderboardRow, persisted_query: Mapping[str, Any]
) -> list[dict[str, Any]]:
    id, name, count, spent = row
    path = f"{work.origin}/admin/admin.php?page=shop-admin&path=/analytics/{board.id}"
    query = {**persisted_query, "filter": f"single_{board.filter_name}", board.id: id}
    # Form-encoded, a member contains nothing that could end the quotes of the link.
    link = f"{path}&{urlencode([pair for key, value in query.items() for pair in _iterate_form_pairs(key, value)])}"
    amount = money.decode_amount(spent)
    return [
        {"display": f"<a href='{link}'>{escape(name)}</a>", "value": name},
        {"display": f"{count:,}", "value": count, "format": "number"},
        {
            "display": price_markup.build_shop_price_format(work).markup(amount),
            "value": _serialize_number(amount),
            "format": "currency",
        },
    ]


def _parse_persisted_query(text: str | None) -> dict[str, Any]:
    try:
        found = orjson.loads(text or "{}")
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _iterate_form_pairs(name: str, value: Any, deep: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the pairs that form-encode a value: members in brackets, true and false as 1 and 0, null as nothing."""
    if isinstance(value, (dict, list)):
        if deep < _MAX_DEPTH:
            for key, one in value.items() if isinstance(value, dict) else enumerate(value):
                yield from _iterate_form_pairs(f"{name}[{key}]", one, deep + 1)
    elif value is not None:
        yield name, str(int(value)) if isinstance(value, bool) else str(value)


def _serialize_number(amount: Decimal) -> float | int:
    return int(amount) if amount == int(amount) else float(amount)


def _build_heading_fields() -> dict[str, Field]:
    members: dict[str, Field] = {
        "id": String("Name of the board.", readonly=True), "label": String("Its title.", readonly=True),
        "headers": Array("Titles of its columns.", items=Object(properties=build_text_fields("label")), readonly=True),
    }  # fmt: skip
    return members


def _build_leaderboard_schema() -> dict[str, Any]:
    rows = Array("Its rows: each a list of cells.", items=_CELL, readonly=True)
    return Serializer({**_build_heading_fields(), "rows": rows}, {}).schema("leaderboard")


def _build_heading_schema() -> dict[str, Any]:
    return Serializer(_build_heading_fields(), {}).schema("leaderboard")

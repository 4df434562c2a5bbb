"""The leaderboards: who and what sold best in a span. And the indicators: single figures of the reports.

Rules: interface.md, "Shop analytics"; facts, "Leaderboards, indicators, list of reports".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from typing import Any, Final
from urllib.parse import urlencode

import orjson

from vetrina.analytics.reports import arguments as report_arguments
from vetrina.analytics.reports import (
    customers as report_customers,
)
from vetrina.analytics.reports import (
    extended_info,
    segment_members,
)
from vetrina.analytics.reports import (
    lists as report_lists,
)
from vetrina.analytics.reports.arguments import PATH
from vetrina.analytics.reports.intervals import Span, span_of
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import money
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, Integer, Number, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.response_fields import Either, texts
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.products import price_markup

__all__ = ["routes"]

Row = tuple[int, str, int, int]  # number, name, count, millionths
_Ends = Mapping[str, Any]  # `after` and `before` of a span, those that are given

_DEEPEST: Final = 4  # values within values that a link tells


@dataclass(frozen=True)
class Board:
    """One leaderboard. one: what its links filter by."""

    id: str
    label: str
    headers: tuple[str, str, str]
    one: str
    rows: Callable[[Work, _Ends, int], list[Row]]


def _customers(work: Work, ends: _Ends, most: int) -> list[Row]:
    # Without a span they are those of all times, whether they bought or not; the other boards take the last week.
    found, _ = report_customers.page(work, {**ends, "orderby": "total_spend", "per_page": most})
    return [(one.id, f"{one.first_name} {one.last_name}".strip(), one.orders, one.spend) for one in found]


def _coupons(work: Work, ends: _Ends, most: int) -> list[Row]:
    found = report_lists.coupons(work, _span(work, ends), {"orderby": "orders_count"})[:most]
    codes = dict(segment_members.coupons(work))
    return [(one.id, codes.get(one.id, "(Deleted)"), one.orders, one.amount) for one in found]


def _categories(work: Work, ends: _Ends, most: int) -> list[Row]:
    found = report_lists.categories(work, _span(work, ends), {"orderby": "items_sold"})[:most]
    names = segment_members.category_names(work)
    return [(one.id, names.get(one.id, ""), one.items, one.net) for one in found]


def _products(work: Work, ends: _Ends, most: int) -> list[Row]:
    found = report_lists.products(work, _span(work, ends), {"orderby": "items_sold"})[:most]
    names = extended_info.names_of(work, [one.id for one in found])
    return [(one.id, names.get(one.id, ""), one.items, one.net) for one in found]


def _span(work: Work, ends: _Ends) -> Span:
    return span_of(work, ends.get("after"), ends.get("before"))


_SOLD: Final = ("Items sold", "Net sales")
BOARDS: Final = (
    Board("customers", "Top Customers - Total Spend", ("Customer Name", "Orders", "Total Spend"), "customer",
          _customers),
    Board("coupons", "Top Coupons - Number of Orders", ("Coupon code", "Orders", "Amount discounted"), "coupon",
          _coupons),
    Board("categories", "Top categories - Items sold", ("Category", *_SOLD), "category", _categories),
    Board("products", "Top products - Items sold", ("Product", *_SOLD), "product", _products),
)  # fmt: skip


_CELL: Final = Object(properties={
    "display": String("As people read it, with markup."), "value": Either("What it is.", (String(), Number())),
    "format": String("`number` or `currency`, of what is counted."),
})  # fmt: skip
# The interface describes a row by its cells.
_ROWS: Final[dict[str, Field]] = {"rows": Array("Its rows: each a list of cells.", items=Array(items=_CELL))}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of leaderboards."""
    args: dict[str, Field] = {
        "page": Integer("Has no effect.", default=1, minimum=1, null="keep"),
        "per_page": Integer("Most rows of a board.", default=5, minimum=1, maximum=20, null="keep"),
        **report_arguments.span(),
        "persisted_query": String("JSON; its members are kept in the links.", null="keep"),
    }
    name = {"leaderboard": String("Name of the board.", enum=tuple(one.id for one in BOARDS), null="keep")}
    return (
        Route(READ, f"{PATH}/leaderboards", _all, args, shop_permissions.viewing, _schema, answers="many", shows=_ROWS),
        Route(
            READ, f"{PATH}/leaderboards/allowed", _allowed, {}, shop_permissions.viewing, _heads_schema, answers="many"
        ),
        Route(
            READ,
            f"{PATH}/leaderboards/{{leaderboard:\\w+}}",
            _all,
            {**name, **args},
            shop_permissions.viewing,
            _schema,
            answers="many",
            shows=_ROWS,
        ),
    )


def _all(call: Call) -> Result:
    """Tell the best customers, coupons, categories and products of a span."""
    args, wanted = call.args, call.args.get("leaderboard")
    ends = {name: args[name] for name in ("after", "before") if args.get(name)}
    kept = _persisted(args.get("persisted_query"))
    most, body = args["per_page"], []
    for one in BOARDS:
        if not wanted or one.id == wanted:
            rows = one.rows(call.work, ends, most)
            body.append({**_head(one), "rows": [_row(call.work, one, row, kept) for row in rows]})
    return Result(body)


def _allowed(call: Call) -> Result:
    """List the leaderboards that there are."""
    body = [_head(one) for one in BOARDS]
    headers, links = page_headers(call, len(body), None)
    return Result(body, headers=headers, links=links)


def _head(one: Board) -> dict[str, Any]:
    return {"id": one.id, "label": one.label, "headers": [{"label": label} for label in one.headers]}


def _row(work: Work, board: Board, row: Row, kept: Mapping[str, Any]) -> list[dict[str, Any]]:
    id, name, count, spent = row
    path = f"{work.origin}/admin/admin.php?page=shop-admin&path=/analytics/{board.id}"
    asked = {**kept, "filter": f"single_{board.one}", board.id: id}
    # Written as a form is, a member holds nothing that could leave the quotes of the link.
    link = f"{path}&{urlencode([pair for key, value in asked.items() for pair in _pairs(key, value)])}"
    amount = money.loaded(spent)
    return [
        {"display": f"<a href='{link}'>{escape(name)}</a>", "value": name},
        {"display": f"{count:,}", "value": count, "format": "number"},
        {"display": price_markup.of_shop(work).markup(amount), "value": _number(amount), "format": "currency"},
    ]


def _persisted(written: str | None) -> dict[str, Any]:
    try:
        found = orjson.loads(written or "{}")
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _pairs(name: str, value: Any, deep: int = 0) -> Iterator[tuple[str, str]]:
    """Return the pairs by which a form tells a value: members in brackets, yes and no as 1 and 0, nothing for null."""
    if isinstance(value, (dict, list)):
        if deep < _DEEPEST:
            for key, one in value.items() if isinstance(value, dict) else enumerate(value):
                yield from _pairs(f"{name}[{key}]", one, deep + 1)
    elif value is not None:
        yield name, str(int(value)) if isinstance(value, bool) else str(value)


def _number(amount: Decimal) -> float | int:
    return int(amount) if amount == int(amount) else float(amount)


def _heads() -> dict[str, Field]:
    members: dict[str, Field] = {
        "id": String("Name of the board.", readonly=True), "label": String("Its title.", readonly=True),
        "headers": Array("Titles of its columns.", items=Object(properties=texts("label")), readonly=True),
    }  # fmt: skip
    return members


def _schema() -> dict[str, Any]:
    rows = Array("Its rows: each a list of cells.", items=_CELL, readonly=True)
    return Shape({**_heads(), "rows": rows}, {}).schema("leaderboard")


def _heads_schema() -> dict[str, Any]:
    return Shape(_heads(), {}).schema("leaderboard")

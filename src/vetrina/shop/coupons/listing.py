"""Which coupons a list shows, and in which order.

Rules: facts, "Coupons": published ones unless another status is asked for.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, or_

from vetrina.backends.statement_cache import Contains
from vetrina.backends.tables.orders import coupon as table
from vetrina.core.unit_of_work import Work
from vetrina.shop.coupons.store import Coupon, key_of, of_row
from vetrina.shop.listing import Filters, Listing, given_lists, given_moments

__all__ = ["CouponQuery", "listed_page"]


class CouponQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of coupons is asked for. Moments are seconds since 1970; status `any`: all but the trash."""

    status: str = "publish"
    code: str = ""
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    search: str = ""
    after: int | None = None
    before: int | None = None
    modified_after: int | None = None
    modified_before: int | None = None
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


_LISTS: Final = (("include", table.c.id, True), ("exclude", table.c.id, False))
_DATES: Final = (
    ("after", table.c.created, True), ("before", table.c.created, False),
    ("modified_after", table.c.modified, True), ("modified_before", table.c.modified, False),
)  # fmt: skip
_LISTING: Final = Listing(table, {
    "date": table.c.created, "modified": table.c.modified, "id": table.c.id, "title": table.c.code_key,
    "slug": table.c.code_key,
})  # fmt: skip


def listed_page(work: Work, query: CouponQuery) -> tuple[list[Coupon], int]:
    """Return a page of coupons, and how many there are."""
    work.uses("coupon")
    filters = _filters(query)
    return [of_row(row) for row in _LISTING.page(work, filters, query)], _LISTING.count(work, filters)


def _filters(query: CouponQuery) -> Filters:
    out: Filters = {}
    if query.status == "any":
        out["any"] = (lambda: table.c.status != "trash"), {}
    else:
        out["status"] = (lambda: table.c.status == bindparam("status")), {"status": query.status}
    if query.code:
        out["code"] = (lambda: table.c.code_key == bindparam("code")), {"code": key_of(query.code)}
    if query.search:
        out["search"] = _searched, {"search": query.search.lower()}
    return out | given_lists(query, _LISTS) | given_moments(query, _DATES)


def _searched() -> ColumnElement[bool]:
    return or_(Contains(table.c.code_key, "search"), Contains(func.lower(table.c.description), "search"))

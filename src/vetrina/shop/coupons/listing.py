"""Filters and order of the coupon list.

Rules: docs/rules/coupons.md, 1: published coupons unless another status is requested.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, or_

from vetrina.backends.statement_cache import ContainsText
from vetrina.backends.tables.orders import coupon as table
from vetrina.core.listing import ListFilters, Listing, build_list_filters, build_moment_filters
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.coupons.store import STORE, Coupon, normalize_coupon_code


class CouponQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query of a coupon list. Times are seconds since 1970; status `any`: all but the trash."""

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
    offset: int = 0


_LISTS: Final = (("include", table.c.id, True), ("exclude", table.c.id, False))
_DATES: Final = (
    ("after", table.c.created, True), ("before", table.c.created, False),
    ("modified_after", table.c.modified, True), ("modified_before", table.c.modified, False),
)  # fmt: skip
_LISTING: Final = Listing(STORE, {
    "date": table.c.created, "modified": table.c.modified, "id": table.c.id, "title": table.c.code_key,
    "slug": table.c.code_key,
})  # fmt: skip


def list_coupons(work: UnitOfWork, query: CouponQuery) -> tuple[list[Coupon], int]:
    """Return a page of coupons, and how many there are."""
    work.uses("coupon")
    return _LISTING.list_page(work, _build_filters(query), query)


def _build_filters(query: CouponQuery) -> ListFilters:
    out: ListFilters = {}
    if query.status == "any":
        out["any"] = (lambda: table.c.status != "trash"), {}
    else:
        out["status"] = (lambda: table.c.status == bindparam("status")), {"status": query.status}
    if query.code:
        out["code"] = (lambda: table.c.code_key == bindparam("code")), {"code": normalize_coupon_code(query.code)}
    if query.search:
        out["search"] = _build_search_condition, {"search": query.search.lower()}
    return out | build_list_filters(query, _LISTS) | build_moment_filters(query, _DATES)


def _build_search_condition() -> ColumnElement[bool]:
    return or_(ContainsText(table.c.code_key, "search"), ContainsText(func.lower(table.c.description), "search"))

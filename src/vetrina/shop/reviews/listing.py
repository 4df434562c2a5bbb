"""Lists of the reviews that visitors see: approved ones of visible products; their order and totals.

Not here: reviews themselves (shop/reviews/rules.py), the managers' list (content/comments/listing.py).
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, case, exists, func, select

from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.comments import comment as table
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term
from vetrina.content.comments.model import APPROVED, STORE, Comment
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import product_types
from vetrina.shop.reviews import review_settings
from vetrina.shop.reviews.ratings import REVIEW

_STATEMENTS = StatementCache(most=64)
_STARS: Final = range(1, 6)


class ReviewQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The query of a list; None filters nothing. categories: subcategories count too."""

    products: tuple[int, ...] | None = None
    categories: tuple[int, ...] | None = None
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


def list_reviews(work: UnitOfWork, query: ReviewQuery) -> tuple[list[Comment], int]:
    """Return one page of reviews and the total."""
    work.uses("comment", product_types.PRODUCT.name, product_types.CATEGORY.name)
    if not review_settings.is_reviewing_enabled(work):
        return [], 0
    values: dict[str, Any] = {}
    if query.products is not None:
        values["products"] = encode_list(query.products)
    if query.categories is not None:
        beneath = term_store.list_descendant_ids(
            work.tx, product_types.CATEGORY.name, [id for id in query.categories if id]
        )
        values["categories"] = encode_list({*query.categories, *beneath})
    names = tuple(values)
    total = int(
        work.tx.value(
            _STATEMENTS.get((names, "count"), lambda: _apply_review_filters(select(func.count()), names)), **values
        )
    )
    if query.start >= total:
        return [], total
    key = (names, query.orderby, query.descending)
    rows = work.tx.all(
        _STATEMENTS.get(key, lambda: _build_page_statement(query, names)),
        **values,
        limit=query.limit,
        start=query.start,
    )
    return STORE.of_rows(rows), total


def _apply_review_filters(statement: Any, names: tuple[str, ...]) -> Any:
    # Asked of each review: a shop has many products, and few reviews of one.
    seen = exists().where(
        record.c.id == table.c.post, record.c.type == product_types.PRODUCT.name, record.c.status == "publish",
        record.c.password == "",
    )  # fmt: skip
    out = statement.select_from(table).where(table.c.type == REVIEW, table.c.status == APPROVED, seen)
    if "products" in names:
        out = out.where(InList(table.c.post, "products"))
    if "categories" in names:
        out = out.where(table.c.post.in_(select(record_term.c.record).where(InList(record_term.c.term, "categories"))))
    return out


def _build_page_statement(query: ReviewQuery, names: tuple[str, ...]) -> Any:
    columns: dict[str, Any] = {"id": table.c.id, "product": table.c.post, "rating": _build_rating_expression()}
    key = columns.get(query.orderby, table.c.date_gmt)
    # Equal ratings and reviews of the same product are sorted newest first, whichever way the list runs.
    down = query.descending or query.orderby in ("product", "rating")
    order = [key.desc() if query.descending else key.asc(), table.c.id.desc() if down else table.c.id.asc()]
    return (
        _apply_review_filters(select(*STORE.columns), names)
        .order_by(*order)
        .limit(bindparam("limit"))
        .offset(bindparam("start"))
    )


def _build_rating_expression() -> Any:
    """Return the rating of a review, which its meta stores as JSON text."""
    return case(*((table.c.meta.like(f'%"rating":{one}%'), one) for one in _STARS), else_=0)

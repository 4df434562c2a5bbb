"""Which reviews visitors see, in which order, and how many there are: approved ones of products that all may see.

Not here: reviews themselves (shop/reviews/rules.py), the list for those who run the shop (content/comments/listing.py).
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, case, func, select

from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.core import comment as table
from vetrina.backends.tables.core import record, record_term
from vetrina.content.comments.model import APPROVED, Comment, of_row
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work
from vetrina.shop.products import product_types
from vetrina.shop.reviews import permission_rules
from vetrina.shop.reviews.rules import REVIEW

__all__ = ["ReviewQuery", "listed_page"]

_SHAPES = Shapes(most=64)
_COLUMNS = [table.c[name] for name in Comment.__struct_fields__]
_STARS: Final = range(1, 6)


class ReviewQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list asks for; None filters nothing. categories: those beneath count too."""

    products: tuple[int, ...] | None = None
    categories: tuple[int, ...] | None = None
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


def listed_page(work: Work, query: ReviewQuery) -> tuple[list[Comment], int]:
    """Return one page of reviews and the number of all that match."""
    work.uses("comment", product_types.PRODUCT.name, product_types.CATEGORY.name)
    if not permission_rules.are_on(work):
        return [], 0
    values: dict[str, Any] = {}
    if query.products is not None:
        values["products"] = listed(query.products)
    if query.categories is not None:
        beneath = term_store.descendants(work.tx, product_types.CATEGORY.name, [id for id in query.categories if id])
        values["categories"] = listed({*query.categories, *beneath})
    names = tuple(values)
    total = int(work.tx.value(_SHAPES.get((names, "count"), lambda: _narrowed(select(func.count()), names)), **values))
    if query.start >= total:
        return [], total
    key = (names, query.orderby, query.descending)
    rows = work.tx.all(_SHAPES.get(key, lambda: _paged(query, names)), **values, limit=query.limit, start=query.start)
    return [of_row(row) for row in rows], total


def _narrowed(statement: Any, names: tuple[str, ...]) -> Any:
    seen = select(record.c.id).where(
        record.c.type == product_types.PRODUCT.name, record.c.status == "publish", record.c.password == ""
    )
    out = statement.select_from(table).where(table.c.type == REVIEW, table.c.status == APPROVED, table.c.post.in_(seen))
    if "products" in names:
        out = out.where(Among(table.c.post, "products"))
    if "categories" in names:
        out = out.where(table.c.post.in_(select(record_term.c.record).where(Among(record_term.c.term, "categories"))))
    return out


def _paged(query: ReviewQuery, names: tuple[str, ...]) -> Any:
    columns: dict[str, Any] = {"id": table.c.id, "product": table.c.post, "rating": _stars()}
    key = columns.get(query.orderby, table.c.date_gmt)
    # What is alike by stars or by its product comes newest first, whichever way the list runs.
    down = query.descending or query.orderby in ("product", "rating")
    order = [key.desc() if query.descending else key.asc(), table.c.id.desc() if down else table.c.id.asc()]
    return _narrowed(select(*_COLUMNS), names).order_by(*order).limit(bindparam("limit")).offset(bindparam("start"))


def _stars() -> Any:
    """Return the stars of a review, which its extra fields hold as JSON text."""
    return case(*((table.c.meta.like(f'%"rating":{one}%'), one) for one in _STARS), else_=0)

"""What lists of categories and tags tell of them: how many products the catalogue shows, how many reviews these have.

A term itself keeps how many records name it; what stands beneath a category, and what the catalogue hides, counts only
where terms are listed.
Not here: the lists of terms (content/taxonomy). Rules: facts, "Categories, tags, classes, brands".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, func, literal, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.core import comment, record_term
from vetrina.backends.tables.core import term as table
from vetrina.content.comments.model import APPROVED
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import Work
from vetrina.shop.products.product_types import CATEGORY, TAG
from vetrina.shop.products.stock import OUT_OF_STOCK
from vetrina.shop.reviews import permission_rules
from vetrina.shop.reviews.rules import REVIEW
from vetrina.shop.settings import rules as settings

__all__ = ["count_products", "count_reviews"]

_PUBLISHED: Final = "publish"
_IN_CATALOGUE: Final = tuple(product.c.visibility == literal(one) for one in ("visible", "catalog"))
_COUNTED: Final = frozenset((CATEGORY.name, TAG.name))


def _trees() -> Any:
    """Return the statement of terms with themselves and everything beneath them, as (root, id)."""
    found = (
        select(table.c.id.label("root"), table.c.id.label("id"))
        .where(Among(table.c.id, "roots"))
        .cte("tree", recursive=True)
    )
    # UNION, not UNION ALL: a circle in imported data would else never end.
    return found.union(select(found.c.root, table.c.id).where(table.c.parent == found.c.id))


def _products(*conditions: ColumnElement[bool]) -> Any:
    tree = _trees()
    return (
        select(tree.c.root, func.count(record_term.c.record.distinct()))
        .join_from(tree, record_term, record_term.c.term == tree.c.id)
        .join(product, product.c.record == record_term.c.record)
        .where(record_term.c.status == literal(_PUBLISHED), or_(*_IN_CATALOGUE), *conditions)
        .group_by(tree.c.root)
    )


def _reviews() -> Any:
    tree = _trees()
    return (
        select(tree.c.root, func.count(comment.c.id.distinct()))
        .join_from(tree, record_term, record_term.c.term == tree.c.id)
        .join(comment, comment.c.post == record_term.c.record)
        .where(
            record_term.c.status == literal(_PUBLISHED),
            comment.c.type == bindparam("type"),
            comment.c.status == bindparam("status"),
        )
        .group_by(tree.c.root)
    )


_PRODUCTS = Statement(_products())
_IN_STOCK = Statement(_products(product.c.stock_status != literal(OUT_OF_STOCK)))
_REVIEWS = Statement(_reviews())


def count_products(work: Work, found: Sequence[Term]) -> dict[int, int]:
    """Return how many products the catalogue shows for each of some terms; of a category, in those beneath it too.

    Of terms other than categories and tags: how many published products they have.
    """
    shown = [one.id for one in found if one.taxonomy in _COUNTED]
    counts = _IN_STOCK if settings.is_on(work, "shop_hide_out_of_stock_items") else _PRODUCTS
    rows = work.tx.all(counts, roots=listed(shown)) if shown else ()
    out = dict.fromkeys(shown, 0) | {id: int(count) for id, count in rows}
    return {one.id: out.get(one.id, one.count) for one in found}


def count_reviews(work: Work, terms: Iterable[int]) -> dict[int, int]:
    """Return how many approved reviews the published products of some terms, and of those beneath, have."""
    work.uses("comment")
    if not permission_rules.are_on(work):
        return {}
    rows = work.tx.all(_REVIEWS, roots=listed(terms), type=REVIEW, status=APPROVED)
    return {id: int(count) for id, count in rows}

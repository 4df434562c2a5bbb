"""Counts for lists of categories and tags: visible products, and reviews of these.

A term itself stores how many records have it; subcategories and hidden products are taken into account only where terms
are listed. Not here: lists of terms (content/terms/listing.py). Rules: docs/rules/product_groups.md, 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, func, literal, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.terms import record_term, term as table
from vetrina.content.comments.model import APPROVED
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products.product_types import CATEGORY, TAG
from vetrina.shop.products.stock import OUT_OF_STOCK
from vetrina.shop.reviews import review_settings
from vetrina.shop.reviews.ratings import REVIEW
from vetrina.shop.settings import rules as settings

_PUBLISHED: Final = "publish"
_IN_CATALOGUE: Final = tuple(product.c.visibility == literal(one) for one in ("visible", "catalog"))
_COUNTED: Final = frozenset((CATEGORY.name, TAG.name))


def _build_term_trees() -> Any:
    """Return the statement of terms with themselves and all their descendants, as (root, id)."""
    found = (
        select(table.c.id.label("root"), table.c.id.label("id"))
        .where(InList(table.c.id, "roots"))
        .cte("tree", recursive=True)
    )
    # UNION, not UNION ALL: a cycle in imported data would never end.
    return found.union(select(found.c.root, table.c.id).where(table.c.parent == found.c.id))


def _build_product_counts(*conditions: ColumnElement[bool]) -> Any:
    tree = _build_term_trees()
    return (
        select(tree.c.root, func.count(record_term.c.record.distinct()))
        .join_from(tree, record_term, record_term.c.term == tree.c.id)
        .join(product, product.c.record == record_term.c.record)
        .where(record_term.c.status == literal(_PUBLISHED), or_(*_IN_CATALOGUE), *conditions)
        .group_by(tree.c.root)
    )


def _build_review_counts() -> Any:
    tree = _build_term_trees()
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


_PRODUCTS = Statement(_build_product_counts())
_IN_STOCK = Statement(_build_product_counts(product.c.stock_status != literal(OUT_OF_STOCK)))
_REVIEWS = Statement(_build_review_counts())


def count_products(work: UnitOfWork, terms: Sequence[Term]) -> dict[int, int]:
    """Return the number of visible products of each term; of a category, including its subcategories.

    Of terms other than categories and tags: the number of published products.
    """
    shown = [one.id for one in terms if one.taxonomy in _COUNTED]
    counts = _IN_STOCK if settings.is_setting_on(work, "shop_hide_out_of_stock_items") else _PRODUCTS
    rows = work.tx.all(counts, roots=encode_list(shown)) if shown else ()
    out = dict.fromkeys(shown, 0) | {id: int(count) for id, count in rows}
    return {one.id: out.get(one.id, one.count) for one in terms}


def count_reviews(work: UnitOfWork, terms: Iterable[int]) -> dict[int, int]:
    """Return the number of approved reviews of the published products of some terms, including their descendants."""
    work.uses("comment")
    if not review_settings.is_reviewing_enabled(work):
        return {}
    rows = work.tx.all(_REVIEWS, roots=encode_list(terms), type=REVIEW, status=APPROVED)
    return {id: int(count) for id, count in rows}

"""The rating of a product, which follows from its approved reviews.

Whatever changes it updates it in the same transaction, a new review too. Rules: docs/rules/product_groups.md, 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.comments import comment as table
from vetrina.content.comments.model import APPROVED, Comment
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import model as product_model
from vetrina.shop.reviews import review_settings

REVIEW: Final = "review"

_APPROVED_COUNTS = Statement(
    select(table.c.post, func.count())
    .where(InList(table.c.post, "posts"), table.c.type == REVIEW, table.c.status == APPROVED)
    .group_by(table.c.post)
)

_APPROVED_META_BY_PRODUCT = Statement(
    select(table.c.meta).where(
        table.c.post == bindparam("post"), table.c.type == REVIEW, table.c.status == bindparam("status")
    )
)


def get_review_rating(one: Comment) -> int:
    """Return the rating of a review in stars, 0 for none."""
    return int(one.meta.get("rating", 0))


def count_approved_reviews(work: UnitOfWork, products: Iterable[int]) -> dict[int, int]:
    """Return the number of approved reviews of some products, rated or not; products without any are left out."""
    work.uses("comment")
    if not review_settings.is_reviewing_enabled(work):
        return {}
    return {row[0]: row[1] for row in work.tx.all(_APPROVED_COUNTS, posts=encode_list(products))}


def update_product_rating(work: UnitOfWork, id: int, *, touch: bool = True) -> bool:
    """Recompute the rating of a product and return whether it changed; reviews without a rating do not count.

    touch: whether that is a modification of the product.
    """
    of = product_model.find_product(work, id)
    if of is None:
        return False
    rows = work.tx.all(_APPROVED_META_BY_PRODUCT, post=id, status=APPROVED)
    stars = [value for row in rows if (value := int(msgspec.json.decode(row[0]).get("rating", 0)))]
    average = (sum(stars) * 200 + len(stars)) // (2 * len(stars)) if stars else 0
    new = msgspec.structs.replace(of, rating=average, rating_count=len(stars))
    if not product_model.update_product_row(work, of, new):
        return False
    if touch:
        product_model.touch_products(work, new)
    return True

"""Whether a product may be reviewed, by whom, and what visitors see of its reviews, by the shop's settings.

The shop's own staff enter reviews through the same routes, so the same rules apply to them. Not here: reviews
themselves (shop/reviews/rules.py). Rules: docs/rules/product_groups.md, 4; the settings of the group `products`.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.customers import purchases
from vetrina.shop.settings import rules as settings

_RATING_REQUIRED_OPTION: Final = "shop_review_rating_required"


class ReviewsClosed(ApiError):
    """The shop accepts no reviews, or none of this product."""

    failure, code = Failure.FORBIDDEN, "shop_rest_reviews_closed"
    message = "The product {id} (`product_id`) takes no reviews: {why}."


class ProductNotBought(ApiError):
    """Only customers who bought the product may review it."""

    failure, code = Failure.FORBIDDEN, "shop_rest_review_verification_required"
    message = (
        "Nobody with the address {email!r} (`reviewer_email`) bought the product {id}, and here only those who bought "
        "one may review it."
    )


class ReviewRatingMissing(ApiError):
    code = "shop_rest_review_rating_required"
    message = "A review needs stars here; send `rating`, from 1 to 5."


def is_reviewing_enabled(work: UnitOfWork) -> bool:
    """Return whether reviews are enabled."""
    return settings.is_setting_on(work, "shop_enable_reviews")


def is_rating_enabled(work: UnitOfWork) -> bool:
    """Return whether reviews have ratings."""
    return is_reviewing_enabled(work) and settings.is_setting_on(work, "shop_enable_review_rating")


def is_verified_label_shown(work: UnitOfWork) -> bool:
    """Return whether visitors see which reviews are by verified buyers."""
    return settings.is_setting_on(work, "shop_review_rating_verification_label")


def check_review(work: UnitOfWork, record: Record, *, email: str, bought: bool, stars: int) -> None:
    """Check a review before it is stored. bought: whether its author bought the product; stars: 0 for none.

    Raises ReviewsClosed, ProductNotBought, ReviewRatingMissing.
    """
    if not is_reviewing_enabled(work):
        raise ReviewsClosed(id=record.id, why="the shop has none (`shop_enable_reviews`)")
    if record.comment_status != "open":
        raise ReviewsClosed(id=record.id, why="its `reviews_allowed` is false")
    if settings.is_setting_on(work, "shop_review_rating_verification_required") and not bought:
        raise ProductNotBought(id=record.id, email=email)
    require_review_stars(work, stars)


def require_review_stars(work: UnitOfWork, stars: int) -> None:
    """Raise ReviewRatingMissing where a review needs a rating and has none."""
    # The initial setting requires ratings in forms only; one stored by the owner applies to everybody.
    if not stars and is_rating_enabled(work) and work.stored_option(_RATING_REQUIRED_OPTION) in ("yes", True, "1"):
        raise ReviewRatingMissing


def may_comment_on_product(work: UnitOfWork, record: Record) -> bool:
    """Return whether the caller may comment on a product, which is a review without a rating."""
    if not is_reviewing_enabled(work):
        return False
    if not settings.is_setting_on(work, "shop_review_rating_verification_required"):
        return True
    return purchases.has_bought_product(work, record.id, customer=work.user.id, email=work.user.email)

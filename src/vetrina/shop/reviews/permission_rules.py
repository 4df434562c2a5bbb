"""Whether a product may be reviewed, by whom, and what of its reviews visitors see, as the shop is set.

The shop's own people enter reviews through the same door, so the same rules hold for them. Not here: reviews
themselves (shop/reviews/rules.py). Rules: OVERRIDES 13; the settings of the group `products`.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.customers import purchases
from vetrina.shop.settings import rules as settings

__all__ = [
    "NotBought", "RatingMissing", "ReviewsClosed", "admits_comment", "are_on", "check", "check_stars", "rates",
    "shows_buyers",
]  # fmt: skip

_RATING_NEEDED: Final = "shop_review_rating_required"


class ReviewsClosed(ApiError):
    """The shop takes no reviews, or none of this product."""

    status, code = 403, "shop_rest_reviews_closed"
    message = "The product {id} (`product_id`) takes no reviews: {why}."


class NotBought(ApiError):
    """Only those who bought the product may review it."""

    status, code = 403, "shop_rest_review_verification_required"
    message = (
        "Nobody with the address {email!r} (`reviewer_email`) bought the product {id}, and here only those who bought "
        "one may review it."
    )


class RatingMissing(ApiError):
    code = "shop_rest_review_rating_required"
    message = "A review needs stars here; send `rating`, from 1 to 5."


def are_on(work: Work) -> bool:
    """Say whether the shop has reviews at all."""
    return settings.is_on(work, "shop_enable_reviews")


def rates(work: Work) -> bool:
    """Say whether reviews give stars."""
    return are_on(work) and settings.is_on(work, "shop_enable_review_rating")


def shows_buyers(work: Work) -> bool:
    """Say whether visitors see which reviews are by those who bought the product."""
    return settings.is_on(work, "shop_review_rating_verification_label")


def check(work: Work, of: Record, *, email: str, bought: bool, stars: int) -> None:
    """Check a review before it is stored. bought: whether its author bought the product; stars: 0 for none.

    Raises ReviewsClosed, NotBought, RatingMissing.
    """
    if not are_on(work):
        raise ReviewsClosed(id=of.id, why="the shop has none (`shop_enable_reviews`)")
    if of.comment_status != "open":
        raise ReviewsClosed(id=of.id, why="its `reviews_allowed` is false")
    if settings.is_on(work, "shop_review_rating_verification_required") and not bought:
        raise NotBought(id=of.id, email=email)
    check_stars(work, stars)


def check_stars(work: Work, stars: int) -> None:
    """Raise RatingMissing where a review needs stars and has none."""
    # What a new shop begins with asks those who fill a form for stars; only an owner who says so asks everybody.
    if not stars and rates(work) and work.stored_option(_RATING_NEEDED) in ("yes", True, "1"):
        raise RatingMissing


def admits_comment(work: Work, of: Record) -> bool:
    """Say whether the caller may write a comment below a product, which is a review without stars."""
    if not are_on(work):
        return False
    if not settings.is_on(work, "shop_review_rating_verification_required"):
        return True
    return purchases.bought(work, of.id, customer=work.user.id, email=work.user.email)

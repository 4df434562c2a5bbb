"""What a shop's settings say of reviews: whether there are any, with stars or a label of buyers, and who may comment.

Not here: which reviews are refused (shop/reviews/rules.py). Rules: the settings of the group `products`.
"""

from __future__ import annotations

from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.customers import purchases
from vetrina.shop.settings import rules as settings


def is_reviewing_enabled(work: UnitOfWork) -> bool:
    """Return whether reviews are enabled."""
    return settings.is_setting_on(work, "shop_enable_reviews")


def is_rating_enabled(work: UnitOfWork) -> bool:
    """Return whether reviews have ratings."""
    return is_reviewing_enabled(work) and settings.is_setting_on(work, "shop_enable_review_rating")


def is_verified_label_shown(work: UnitOfWork) -> bool:
    """Return whether visitors see which reviews are by verified buyers."""
    return settings.is_setting_on(work, "shop_review_rating_verification_label")


def may_comment_on_product(work: UnitOfWork, record: Record) -> bool:
    """Return whether the caller may comment on a product, which is a review without a rating."""
    if not is_reviewing_enabled(work):
        return False
    if not settings.is_setting_on(work, "shop_review_rating_verification_required"):
        return True
    return purchases.has_bought_product(work, record.id, customer=work.user.id, email=work.user.email)

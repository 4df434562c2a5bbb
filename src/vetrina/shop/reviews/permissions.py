"""Who may read and write reviews: those who run the shop, and moderators of comments may read them, too.

An unknown review is reported before any right is checked. Rules: docs/rules/product_groups.md, 4 and
docs/rules/shop_requests.md, 1.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.comments.model import Comment
from vetrina.core.call import Call
from vetrina.shop.reviews import rules as reviews
from vetrina.shop.rights import (
    CannotDeleteShopItem,
    CannotEditShopItem,
    CannotViewShop,
    require_shop_capability,
)

_MODERATE: Final = "moderate_comments"


def require_review_list_permission(call: Call) -> None:
    """Those who moderate comments (`moderate_comments`)."""
    require_shop_capability(call.work.user, CannotViewShop, _MODERATE)


def get_requested_review(call: Call) -> Comment:
    """Return the review that a call names. Raises ReviewNotFound."""
    return reviews.get_review(call.work, call.args.get("id"))


def require_review_view_permission(call: Call) -> None:
    """Those who moderate comments (`moderate_comments`)."""
    get_requested_review(call)
    require_shop_capability(call.work.user, CannotViewShop, _MODERATE)


def require_review_edit_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    get_requested_review(call)
    require_shop_capability(call.work.user, CannotEditShopItem)


def require_review_delete_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    get_requested_review(call)
    require_shop_capability(call.work.user, CannotDeleteShopItem)

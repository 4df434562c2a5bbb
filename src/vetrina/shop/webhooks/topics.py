"""What webhooks can be about: topics, and the names of what happens that the interface lists with them.

Rules: facts, "Taxes, settings, shipping, gateways, data" (webhooks); the recording of webhooks.
"""

from __future__ import annotations

from typing import Final

__all__ = ["ACTION", "KINDS", "hooks", "is_topic", "resource_and_event"]

ACTION: Final = "action"

_MADE_OF_PRODUCT: Final = "shop_process_product_meta"
_MADE_OF_COUPON: Final = "shop_process_shop_coupon_meta"
_TRASHED, _RESTORED = "cms_trash_post", "untrashed_post"

_HOOKS: Final[dict[str, tuple[str, ...]]] = {
    "coupon.created": (_MADE_OF_COUPON, "shop_new_coupon"),
    "coupon.updated": (_MADE_OF_COUPON, "shop_update_coupon"),
    "coupon.deleted": (_TRASHED,),
    "coupon.restored": (_RESTORED,),
    "customer.created": ("user_register", "shop_created_customer", "shop_new_customer"),
    "customer.updated": ("profile_update", "shop_update_customer"),
    "customer.deleted": ("delete_user",),
    "order.created": ("shop_new_order",),
    "order.updated": ("shop_update_order", "shop_order_refunded"),
    "order.deleted": (_TRASHED, "shop_trash_order"),
    "order.restored": (_RESTORED, "shop_untrash_order"),
    "product.created": (_MADE_OF_PRODUCT, "shop_new_product", "shop_new_product_variation"),
    "product.updated": (_MADE_OF_PRODUCT, "shop_update_product", "shop_update_product_variation"),
    "product.deleted": (_TRASHED,),
    "product.restored": (_RESTORED,),
}

# Kind of the change log → resource of a topic.
KINDS: Final = {
    "order": "order", "product": "product", "product_variation": "product", "coupon": "coupon", "user": "customer",
}  # fmt: skip


def is_topic(topic: str) -> bool:
    """Say whether a webhook can be about this: `RESOURCE.EVENT`, or `action.NAME` for an event that others name."""
    return topic in _HOOKS or (topic.startswith(f"{ACTION}.") and len(topic) > len(ACTION) + 1)


def resource_and_event(topic: str) -> tuple[str, str]:
    """Return the two parts of a topic."""
    resource, _, event = topic.partition(".")
    return resource, event


def hooks(topic: str) -> list[str]:
    """Return the names of what happens, as the interface lists them."""
    resource, event = resource_and_event(topic)
    return [event] if resource == ACTION else list(_HOOKS.get(topic, ()))

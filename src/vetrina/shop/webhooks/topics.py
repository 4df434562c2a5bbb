"""Topics of webhooks, and the hook names that the interface lists with them.

Rules: docs/rules/webhooks.md, 2.
"""

from __future__ import annotations

from typing import Final

ACTION_RESOURCE: Final = "action"

_PRODUCT_META_HOOK: Final = "shop_process_product_meta"
_COUPON_META_HOOK: Final = "shop_process_shop_coupon_meta"
_TRASHED_HOOK, _RESTORED_HOOK = "cms_trash_post", "untrashed_post"

_HOOKS_BY_TOPIC: Final[dict[str, tuple[str, ...]]] = {
    "coupon.created": (_COUPON_META_HOOK, "shop_new_coupon"),
    "coupon.updated": (_COUPON_META_HOOK, "shop_update_coupon"),
    "coupon.deleted": (_TRASHED_HOOK,),
    "coupon.restored": (_RESTORED_HOOK,),
    "customer.created": ("user_register", "shop_created_customer", "shop_new_customer"),
    "customer.updated": ("profile_update", "shop_update_customer"),
    "customer.deleted": ("delete_user",),
    "order.created": ("shop_new_order",),
    "order.updated": ("shop_update_order", "shop_order_refunded"),
    "order.deleted": (_TRASHED_HOOK, "shop_trash_order"),
    "order.restored": (_RESTORED_HOOK, "shop_untrash_order"),
    "product.created": (_PRODUCT_META_HOOK, "shop_new_product", "shop_new_product_variation"),
    "product.updated": (_PRODUCT_META_HOOK, "shop_update_product", "shop_update_product_variation"),
    "product.deleted": (_TRASHED_HOOK,),
    "product.restored": (_RESTORED_HOOK,),
}

# Kind in the change log → resource of a topic.
TOPIC_RESOURCES: Final = {
    "order": "order", "product": "product", "product_variation": "product", "coupon": "coupon", "user": "customer",
}  # fmt: skip


def is_webhook_topic(topic: str) -> bool:
    """Return whether a topic is valid: `RESOURCE.EVENT`, or `action.NAME` for a custom event."""
    return topic in _HOOKS_BY_TOPIC or (
        topic.startswith(f"{ACTION_RESOURCE}.") and len(topic) > len(ACTION_RESOURCE) + 1
    )


def split_topic(topic: str) -> tuple[str, str]:
    """Return the resource and the event of a topic."""
    resource, _, event = topic.partition(".")
    return resource, event


def list_topic_hooks(topic: str) -> list[str]:
    """Return the hook names of a topic, as the interface lists them."""
    resource, event = split_topic(topic)
    return [event] if resource == ACTION_RESOURCE else list(_HOOKS_BY_TOPIC.get(topic, ()))

"""Order attribution: where an order came from, as sent by the checkout page, stored in extra fields of the order.

Only while `shop_feature_order_attribution_enabled` is on. Reports show the origin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop import meta_data
from vetrina.shop.settings import rules as settings

NAMESPACE: Final = "shop/order-attribution"  # extension under which a checkout sends it
PREFIX: Final = "_shop_order_attribution_"  # of the names of the extra fields
MEMBERS: Final = (
    "source_type", "referrer", "utm_campaign", "utm_source", "utm_medium", "utm_content", "utm_id", "utm_term",
    "utm_source_platform", "utm_creative_format", "utm_marketing_tactic", "session_entry", "session_start_time",
    "session_pages", "session_count", "user_agent",
)  # fmt: skip
_MAX_LENGTH: Final = 2000  # characters
UNKNOWN: Final = "Unknown"
# Label of each type of source; {} stands for the source.
_SOURCE_LABELS: Final = {
    "utm": "Source: {}", "organic": "Organic: {}", "referral": "Referral: {}", "typein": "Direct",
    "mobile_app": "Mobile app", "admin": "Web admin", "pos": "Point of Sale",
}  # fmt: skip


def save_attribution(work: UnitOfWork, order: int, given: Mapping[str, Any]) -> None:
    """Store the origin of an order; empty and unknown values are ignored."""
    if not settings.is_setting_on(work, "shop_feature_order_attribution_enabled"):
        return
    values = (
        (name, sanitizing.sanitize_plain_text(str(given.get(name) or "")).strip()[:_MAX_LENGTH]) for name in MEMBERS
    )
    fields = [{"key": PREFIX + name, "value": value} for name, value in values if value]
    meta_data.update_meta(work, "order", order, fields)


def load_order_origins(work: UnitOfWork, orders: Iterable[int]) -> dict[int, str]:
    """Return the origins of orders, labelled as in reports, by order id, in one query."""
    out = {}
    for order, fields in meta_data.load_meta_by_owner(work, "order", orders).items():
        values = {one.key.removeprefix(PREFIX): str(one.value) for one in fields if one.key.startswith(PREFIX)}
        source = values.get("utm_source", "").strip("()")
        out[order] = _SOURCE_LABELS.get(values.get("source_type", ""), UNKNOWN).format(source[:1].upper() + source[1:])
    return out

"""Where an order came from, as the page of its checkout tells it: kept in extra fields of the order.

Only while the shop wants to know (`shop_feature_order_attribution_enabled`). Reports name where orders came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import Work
from vetrina.shop import meta_data
from vetrina.shop.settings import rules as settings

__all__ = ["MEMBERS", "NAMESPACE", "PREFIX", "UNKNOWN", "keep", "origins"]

NAMESPACE: Final = "shop/order-attribution"  # under which a checkout tells it
PREFIX: Final = "_shop_order_attribution_"  # of the names of the extra fields
MEMBERS: Final = (
    "source_type", "referrer", "utm_campaign", "utm_source", "utm_medium", "utm_content", "utm_id", "utm_term",
    "utm_source_platform", "utm_creative_format", "utm_marketing_tactic", "session_entry", "session_start_time",
    "session_pages", "session_count", "user_agent",
)  # fmt: skip
_LONGEST: Final = 2000  # letters
UNKNOWN: Final = "Unknown"
# What each kind of source is called; {} stands for the source itself.
_CALLED: Final = {
    "utm": "Source: {}", "organic": "Organic: {}", "referral": "Referral: {}", "typein": "Direct",
    "mobile_app": "Mobile app", "admin": "Web admin", "pos": "Point of Sale",
}  # fmt: skip


def keep(work: Work, order: int, given: Mapping[str, Any]) -> None:
    """Note on an order where it came from; what is empty or not known is passed over."""
    if not settings.is_on(work, "shop_feature_order_attribution_enabled"):
        return
    told = ((name, sanitizing.plain(str(given.get(name) or "")).strip()[:_LONGEST]) for name in MEMBERS)
    fields = [{"key": PREFIX + name, "value": value} for name, value in told if value]
    meta_data.change(work, "order", order, fields)


def origins(work: Work, orders: Iterable[int]) -> dict[int, str]:
    """Return where orders came from, in the words of reports, by their numbers; asks once."""
    out = {}
    for order, fields in meta_data.of_owners(work, "order", orders).items():
        told = {one.key.removeprefix(PREFIX): str(one.value) for one in fields if one.key.startswith(PREFIX)}
        source = told.get("utm_source", "").strip("()")
        out[order] = _CALLED.get(told.get("source_type", ""), UNKNOWN).format(source[:1].upper() + source[1:])
    return out

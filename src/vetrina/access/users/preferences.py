"""What the pages of a shop's administration keep for an account: chosen columns, sections, hints that were put off.

The server reads none of it: the pages write texts and get them back. Rules: interface.md leaves them open; the names
that are always shown are those that such pages ask for first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from vetrina.access.users.model import User
from vetrina.kernel.errors import ApiError

__all__ = ["HINTS", "MEMBER", "InvalidPreferences", "change_preferences", "read_hints", "read_preferences"]

MEMBER: Final = "shop_meta"
HINTS: Final = ("shop_launch_your_store_tour_hidden", "shop_coming_soon_banner_dismissed")  # extra fields of their own

_REPORTS: Final = ("categories", "coupons", "customers", "orders", "products", "revenue", "taxes", "variations")
_NAMES: Final = (
    "activity_panel_inbox_last_read", "activity_panel_reviews_last_read",
    *(f"{report}_report_columns" for report in _REPORTS),
    "dashboard_sections", "dashboard_chart_type", "dashboard_chart_interval", "dashboard_leaderboard_rows",
    "homepage_layout", "homepage_stats", "task_list_tracked_started_tasks", "help_panel_highlight_shown",
    "android_app_banner_dismissed", "order_attribution_install_banner_dismissed",
    "scheduled_updates_promotion_notice_dismissed", "launch_your_store_tour_hidden", "coming_soon_banner_dismissed",
    "variable_product_tour_shown", "variable_product_block_tour_shown", "block_product_tour_shown",
    "local_attributes_notice_dismissed_ids", "variable_items_without_price_notice_dismissed",
    "product_block_variable_options_notice_dismissed", "product_advice_card_dismissed",
    "single_variation_notice_dismissed", "product_editor_feedback_bar_hidden",
)  # fmt: skip
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,79}")
_MOST: Final = 200  # names of an account
_LONGEST: Final = 65_536  # bytes of all that an account keeps


class InvalidPreferences(ApiError):
    """The preferences of an account are not what can be kept."""

    code = "rest_invalid_param"
    message = "shop_meta: {reason}"

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason, data={"params": {MEMBER: reason}})


def read_preferences(user: User) -> dict[str, Any]:
    """Return what is kept for an account by its names, empty text where nothing is."""
    kept = user.meta.get(MEMBER)
    return {**dict.fromkeys(_NAMES, ""), **(kept if isinstance(kept, Mapping) else {})}


def read_hints(user: User) -> dict[str, str]:
    """Return the hints that an account has put off, as its extra fields show them."""
    return {name: str(user.meta.get(name, "")) for name in HINTS}


def change_preferences(stored: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the extra fields of an account with its preferences changed; an empty text takes one away.

    stored: the extra fields so far. Raises InvalidPreferences.
    """
    kept = stored.get(MEMBER)
    changed = dict(kept) if isinstance(kept, Mapping) else {}
    for name, value in given.items():
        if not _NAME.fullmatch(name):
            raise InvalidPreferences("names have up to 80 small letters of ASCII, digits and underscores.")
        if value == "":
            changed.pop(name, None)
        else:
            changed[name] = value
    if len(changed) > _MOST or len(orjson.dumps(changed)) > _LONGEST:
        raise InvalidPreferences(f"an account keeps at most {_MOST} of them, and {_LONGEST} bytes.")
    return {**stored, MEMBER: changed}

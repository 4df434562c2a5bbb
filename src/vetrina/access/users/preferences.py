"""Preferences of the shop's administration pages, stored per account: columns, sections, dismissed hints.

The server does not interpret them: the pages write texts and read them back. Rules: docs/rules/users.md, 1 leaves them
open; the names that are always returned are those that such pages read first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from vetrina.core.user import User
from vetrina.kernel.errors import ApiError

PREFERENCES_MEMBER: Final = "shop_meta"
HINT_MEMBERS: Final = (
    "shop_launch_your_store_tour_hidden",
    "shop_coming_soon_banner_dismissed",
)  # meta keys of their own

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
_MAX_NAMES: Final = 200  # names per account
_MAX_BYTES: Final = 65_536  # bytes of all preferences of an account


class InvalidPreferences(ApiError):
    """The preferences of an account are invalid or too large."""

    code = "rest_invalid_param"
    message = "shop_meta: {reason}"

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason, data={"params": {PREFERENCES_MEMBER: reason}})


def load_preferences(user: User) -> dict[str, Any]:
    """Return the preferences of an account by name, empty text for unset ones."""
    stored = user.meta.get(PREFERENCES_MEMBER)
    return {**dict.fromkeys(_NAMES, ""), **(stored if isinstance(stored, Mapping) else {})}


def load_hints(user: User) -> dict[str, str]:
    """Return the hints that an account has dismissed, as its meta values."""
    return {name: str(user.meta.get(name, "")) for name in HINT_MEMBERS}


def merge_preferences(stored: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meta of an account with its preferences changed; an empty text removes one.

    stored: the meta so far. Raises InvalidPreferences.
    """
    preferences = stored.get(PREFERENCES_MEMBER)
    changed = dict(preferences) if isinstance(preferences, Mapping) else {}
    for name, value in given.items():
        if not _NAME.fullmatch(name):
            raise InvalidPreferences("names have up to 80 small letters of ASCII, digits and underscores.")
        if value == "":
            changed.pop(name, None)
        else:
            changed[name] = value
    if len(changed) > _MAX_NAMES or len(orjson.dumps(changed)) > _MAX_BYTES:
        raise InvalidPreferences(f"an account keeps at most {_MAX_NAMES} of them, and {_MAX_BYTES} bytes.")
    return {**stored, PREFERENCES_MEMBER: changed}

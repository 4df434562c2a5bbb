"""What an owner stated about the shop while setting it up, and the completed steps.

Both are options, and are read and cleared like others. Not here: the remaining tasks (shop/admin/tasks.py). Rules:
docs/rules/onboarding.md, 1, 2, 3 and 4; docs/rules/shop_suggestions.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.kernel.slugs import slugify
from vetrina.shop.marketplace import account as marketplace_account
from vetrina.shop.settings import locale_defaults, places, rules as settings

PROFILE_OPTION: Final = "shop_onboarding_profile"
_PROGRESS: Final = "shop_onboarding_profile_progress"
_STEPS_DONE: Final = "core_profiler_completed_steps"
STEPS: Final = ("intro-opt-in", "skip-guided-setup", "user-profile", "business-info", "plugins", "intro-builder")

PROFILE_MEMBERS: Final = (
    "completed", "skipped", "industry", "business_extensions", "is_agree_marketing", "store_email",
    "is_store_country_set", "is_plugins_page_skipped", "business_choice", "selling_online_answer", "selling_platforms",
)  # fmt: skip

OPTIONAL_MEMBERS: Final = (
    "setup_client", "product_types", "product_count", "selling_venues", "number_employees", "revenue",
    "other_platform", "other_platform_name", "theme", "core_profiler_completed_steps",
)  # fmt: skip

# What an owner may choose from.
PRODUCT_KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "physical": {"label": "Physical products", "default": True},
    "downloads": {"label": "Downloads"},
    "subscriptions": {"label": "Subscriptions"},
    "memberships": {"label": "Memberships", "product": 958589},
    "bookings": {"label": "Bookings", "product": 390890},
    "product-bundles": {"label": "Bundles", "product": 18716},
    "product-add-ons": {"label": "Customizable products", "product": 18618},
}
PRODUCT_COUNTS: Final = ("0", "1-10", "11-100", "101-1000", "1000+")
VENUES: Final = ("no", "other", "brick-mortar", "brick-mortar-other", "other-shop")
EMPLOYEES: Final = ("1", "<10", "10-50", "50-250", "+250", "not specified")
REVENUES: Final = (
    "none", "up-to-2500", "2500-10000", "10000-50000", "50000-250000", "more-than-250000", "rather-not-say",
)  # fmt: skip
PLATFORMS: Final = (
    "shopify", "bigcommerce", "magento", "wix", "amazon", "ebay", "etsy", "squarespace", "other",
)  # fmt: skip


class UnknownCountryCode(ApiError):
    code = "shop_rest_invalid_country_code"
    message = "There is no country with the code {code!r}; send two letters, as IT."


def load_profile(work: UnitOfWork) -> dict[str, Any]:
    """Return the stored profile."""
    kept = work.stored_option(PROFILE_OPTION)
    return dict(kept) if isinstance(kept, Mapping) else {}


def serialize_profile(work: UnitOfWork) -> dict[str, Any]:
    """Return the serialized profile: every member, None where never set; the rarer ones only once they were set."""
    kept = load_profile(work)
    rarer = {name: kept[name] for name in OPTIONAL_MEMBERS if kept.get(name) is not None}
    usual = {name: kept.get(name) for name in PROFILE_MEMBERS}
    return {**usual, **rarer, "shopcom_connected": marketplace_account.is_connected(work)}


def update_profile(work: UnitOfWork, given: Mapping[str, Any]) -> None:
    """Merge the given members into the profile."""
    members = dict(given)
    if isinstance(members.get("business_extensions"), list):
        members["business_extensions"] = [slugify(str(one)) for one in members["business_extensions"]]
    kept = load_profile(work)
    merged = {**kept, **members}
    if merged != kept or not kept:
        work.set_option(PROFILE_OPTION, merged)


def get_caller_email(work: UnitOfWork) -> str:
    """Return the caller's e-mail address."""
    return work.user.email


# -- steps


def load_progress(work: UnitOfWork) -> dict[str, Any]:
    """Return the completed steps with their times, in the order of first completion."""
    kept = work.stored_option(_PROGRESS)
    return dict(kept) if isinstance(kept, Mapping) else {}


def complete_step(work: UnitOfWork, step: str) -> dict[str, Any]:
    """Store that a step is completed now and return all; one that is completed again keeps its place."""
    kept = load_progress(work)
    done = dict(kept.get(_STEPS_DONE) or {})
    done[step] = {"completed_at": f"{times.format_iso(work.now)}Z"}
    kept[_STEPS_DONE] = done
    work.set_option(_PROGRESS, kept)
    return kept


# -- defaults of the country


def apply_country_defaults(work: UnitOfWork, code: str) -> None:
    """Set currency, separators, decimals and units to those usual in a country. Raises UnknownCountryCode."""
    usual = locale_defaults.find_locale_defaults(code) if code in places.list_countries() else None
    if usual is None:
        raise UnknownCountryCode(code=code)
    chosen = {
        "shop_currency": usual.currency, "shop_currency_pos": usual.currency_pos,
        "shop_price_thousand_sep": usual.thousand_sep, "shop_price_decimal_sep": usual.decimal_sep,
        "shop_price_num_decimals": str(usual.decimals), "shop_weight_unit": usual.weight_unit,
        "shop_dimension_unit": usual.dimension_unit,
    }  # fmt: skip
    for name, value in chosen.items():
        if settings.get_shop_option(work, name) != value:
            work.set_option(name, value)

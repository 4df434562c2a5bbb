"""What an owner said about the shop while setting it up, and which steps of that are done.

Both are options, so that they are read and emptied like others. Not here: the tasks that remain (shop/admin/tasks.py).
Rules: facts, "Onboarding profile".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.kernel.slugs import slugify
from vetrina.shop.marketplace import account as marketplace_account
from vetrina.shop.settings import locale_defaults, places
from vetrina.shop.settings import rules as settings

__all__ = [
    "PROFILE", "SHOWN", "SHOWN_ONCE_SAID", "STEPS", "CountryUnknown", "change", "complete", "email", "follow_country",
    "progress", "read", "stored",
]  # fmt: skip

PROFILE: Final = "shop_onboarding_profile"
_PROGRESS: Final = "shop_onboarding_profile_progress"
_STEPS_DONE: Final = "core_profiler_completed_steps"
STEPS: Final = ("intro-opt-in", "skip-guided-setup", "user-profile", "business-info", "plugins", "intro-builder")

SHOWN: Final = (
    "completed", "skipped", "industry", "business_extensions", "is_agree_marketing", "store_email",
    "is_store_country_set", "is_plugins_page_skipped", "business_choice", "selling_online_answer", "selling_platforms",
)  # fmt: skip


SHOWN_ONCE_SAID: Final = (
    "setup_client", "product_types", "product_count", "selling_venues", "number_employees", "revenue",
    "other_platform", "other_platform_name", "theme", "core_profiler_completed_steps",
)  # fmt: skip


class CountryUnknown(ApiError):
    code = "shop_rest_invalid_country_code"
    message = "There is no country with the code {code!r}; send two letters, as IT."


def stored(work: Work) -> dict[str, Any]:
    """Return everything that is kept of the profile."""
    kept = work.stored_option(PROFILE)
    return dict(kept) if isinstance(kept, Mapping) else {}


def read(work: Work) -> dict[str, Any]:
    """Return the profile as it is shown: every member, None for what was never said; the rarer ones once they were."""
    kept = stored(work)
    rarer = {name: kept[name] for name in SHOWN_ONCE_SAID if kept.get(name) is not None}
    usual = {name: kept.get(name) for name in SHOWN}
    return {**usual, **rarer, "shopcom_connected": marketplace_account.is_connected(work)}


def change(work: Work, given: Mapping[str, Any]) -> None:
    """Merge what was said into the profile."""
    said = dict(given)
    if isinstance(said.get("business_extensions"), list):
        said["business_extensions"] = [slugify(str(one)) for one in said["business_extensions"]]
    kept = stored(work)
    merged = {**kept, **said}
    if merged != kept or not kept:
        work.set_option(PROFILE, merged)


def email(work: Work) -> str:
    """Return the address of the caller."""
    return work.user.email


# -- steps


def progress(work: Work) -> dict[str, Any]:
    """Return the steps that are done with their times, in the order in which each was first done."""
    kept = work.stored_option(_PROGRESS)
    return dict(kept) if isinstance(kept, Mapping) else {}


def complete(work: Work, step: str) -> dict[str, Any]:
    """Note that a step is done now and return them all; one that is done again keeps its place."""
    kept = progress(work)
    done = dict(kept.get(_STEPS_DONE) or {})
    done[step] = {"completed_at": f"{times.iso(work.now)}Z"}
    kept[_STEPS_DONE] = done
    work.set_option(_PROGRESS, kept)
    return kept


# -- what follows from the country


def follow_country(work: Work, code: str) -> None:
    """Set currency, separators, decimals and units as they are usual in a country. Raises CountryUnknown."""
    usual = locale_defaults.of_country(code) if code in places.countries() else None
    if usual is None:
        raise CountryUnknown(code=code)
    chosen = {
        "shop_currency": usual.currency, "shop_currency_pos": usual.currency_pos,
        "shop_price_thousand_sep": usual.thousand_sep, "shop_price_decimal_sep": usual.decimal_sep,
        "shop_price_num_decimals": str(usual.decimals), "shop_weight_unit": usual.weight_unit,
        "shop_dimension_unit": usual.dimension_unit,
    }  # fmt: skip
    for name, value in chosen.items():
        if settings.shop_option(work, name) != value:
            work.set_option(name, value)

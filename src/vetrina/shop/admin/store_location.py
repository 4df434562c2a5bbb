"""The country of the shop, as far as its owner has set it; suggestions and tasks depend on it.

Not here: the countries (shop/settings/places.py). Rules: docs/rules/onboarding.md, 7; docs/rules/shop_suggestions.md, 1
and 2.
"""

from __future__ import annotations

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.settings import rules as settings

_UNTOUCHED = "US"  # the base country of a shop that is not set up yet


def get_store_country(work: UnitOfWork) -> str:
    """Return the code of the shop's country; empty while it is not set."""
    code = str(settings.get_shop_option(work, "shop_default_country") or "").partition(":")[0]
    address = str(settings.get_shop_option(work, "shop_store_address") or "")
    return "" if not code or (code == _UNTOUCHED and not address.strip()) else code

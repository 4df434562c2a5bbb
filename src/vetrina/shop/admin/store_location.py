"""Where the shop is, as far as its owner said: what is suggested and asked follows from it.

Not here: the countries (shop/settings/places.py). Rules: facts, "Task lists" and "Suggestions and marketing".
"""

from __future__ import annotations

from vetrina.core.unit_of_work import Work
from vetrina.shop.settings import rules as settings

__all__ = ["country"]

_UNTOUCHED = "US"  # the base country of a shop that nobody set up yet


def country(work: Work) -> str:
    """Return the code of the shop's country; empty while nobody said it."""
    code = str(settings.shop_option(work, "shop_default_country") or "").partition(":")[0]
    address = str(settings.shop_option(work, "shop_store_address") or "")
    return "" if not code or (code == _UNTOUCHED and not address.strip()) else code

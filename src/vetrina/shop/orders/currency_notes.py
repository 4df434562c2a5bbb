"""Two extra fields that mark an order or a refund in another currency than the shop's.

Amounts are never converted: the fields hold the shop's own currency and an exchange rate of one.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop import meta_data
from vetrina.shop.settings import rules as settings

CURRENCY_KEYS: Final = ("_shoppay_multi_currency_order_exchange_rate", "_shoppay_multi_currency_order_default_currency")


def save_currency_note(work: UnitOfWork, kind: str, id: int, currency: str) -> None:
    """Store the shop's currency on a new order or refund (kind) whose currency is another."""
    own = str(settings.get_shop_option(work, "shop_currency"))
    if currency != own:
        for key, value in zip(CURRENCY_KEYS, ("1", own), strict=True):
            meta_data.insert_meta(work, kind, id, key, value)

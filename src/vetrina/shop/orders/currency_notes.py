"""What an order or a refund in another currency than the shop's says of that, in two extra fields.

Amounts are never converted: whoever reads them finds the shop's own currency and a rate of one to one.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.unit_of_work import Work
from vetrina.shop import meta_data
from vetrina.shop.settings import rules as settings

__all__ = ["NAMES", "put"]

NAMES: Final = ("_shoppay_multi_currency_order_exchange_rate", "_shoppay_multi_currency_order_default_currency")


def put(work: Work, kind: str, id: int, currency: str) -> None:
    """Note on a new order or refund (kind), where its currency is not the shop's, what the shop's own is."""
    own = str(settings.shop_option(work, "shop_currency"))
    if currency != own:
        for key, value in zip(NAMES, ("1", own), strict=True):
            meta_data.put(work, kind, id, key, value)

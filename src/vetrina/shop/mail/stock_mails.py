"""Mails to those who run the shop about stock: little is left, nothing is left, more was sold than there was.

Written when an order takes its goods, and only when a mark is passed, so that nobody is told the same twice. Not here:
what a count means for a product (shop/products/stock.py), what the mails say (shop/mail/texts.py), how they go out
(shop/mail/outbox.py). Rules: the settings `shop_notify_low_stock`, `shop_notify_no_stock`, their amounts and
`shop_stock_email_recipient`.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import unescape
from typing import Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel.tags import without_tags
from vetrina.shop.mail import outbox
from vetrina.shop.mail import texts as mail_texts
from vetrina.shop.products import stock as product_stock
from vetrina.shop.products.stock import Moved
from vetrina.shop.settings import rules as settings

__all__ = ["BACKORDER", "LOW", "NAMES", "NONE", "tell"]

LOW: Final = "low_stock"
NONE: Final = "no_stock"
BACKORDER: Final = "backorder"
NAMES: Final = (LOW, NONE, BACKORDER)


def tell(work: Work, order: int, moves: Iterable[Moved]) -> None:
    """Write the mails that follow from what an order took; order: its number."""
    for one in moves:
        kind = _kind(work, one)
        if kind:
            _write(work, kind, one, order)
        if one.after < 0 and one.counted.backorders != "no":
            _write(work, BACKORDER, one, order)


def _kind(work: Work, one: Moved) -> str:
    """Return which mark was passed, empty for none."""
    none, low = product_stock.none_left(work), product_stock.low_mark(work, one.counted)
    if one.after <= none < one.before:
        return NONE if settings.is_on(work, "shop_notify_no_stock") else ""
    if none < one.after <= low < one.before:
        return LOW if settings.is_on(work, "shop_notify_low_stock") else ""
    return ""


def _write(work: Work, kind: str, one: Moved, order: int) -> None:
    told = str(settings.shop_option(work, "shop_stock_email_recipient") or "")
    counted, site = one.counted, unescape(str(work.option("title")))
    goods = unescape(without_tags(counted.name))
    name = f"{goods} ({counted.sku})" if counted.sku else f"{goods} (#{counted.id})"
    data = {
        "site": site, "product": goods, "name": name,
        "left": one.after, "pieces": min(one.before - one.after, -one.after), "order": order,
    }  # fmt: skip
    subject = mail_texts.words(work.frame.profile.default_language)(f"{kind}.subject", **data)
    outbox.put(work, kind, counted.id, outbox.address_list(told), data, subject=subject)

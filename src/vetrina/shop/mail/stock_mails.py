"""Stock mails to the shop: low stock, out of stock, sold on backorder.

Written when an order reduces stock, and only when a threshold is crossed, so that none is repeated. Not here: stock of
a product (shop/products/stock.py), texts (shop/mail/texts.py). Settings: `shop_notify_low_stock`,
`shop_notify_no_stock`, their amounts and `shop_stock_email_recipient`.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import unescape
from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.tags import strip_tags
from vetrina.shop.mail import outbox
from vetrina.shop.mail.texts import MAIL_TEXTS
from vetrina.shop.products import stock as product_stock
from vetrina.shop.products.stock import StockChange
from vetrina.shop.settings import rules as settings

LOW_STOCK: Final = "low_stock"
NO_STOCK: Final = "no_stock"
BACKORDER: Final = "backorder"
STOCK_MAILS: Final = (LOW_STOCK, NO_STOCK, BACKORDER)


def enqueue_stock_mails(work: UnitOfWork, order: int, moves: Iterable[StockChange]) -> None:
    """Enqueue the mails about stock changes of an order; order: its id."""
    for one in moves:
        kind = _find_mail_kind(work, one)
        if kind:
            _enqueue_stock_mail(work, kind, one, order)
        if one.after < 0 and one.product.backorders != "no":
            _enqueue_stock_mail(work, BACKORDER, one, order)


def _find_mail_kind(work: UnitOfWork, change: StockChange) -> str:
    """Return the kind of mail for the threshold that was crossed, empty for none."""
    none, low = product_stock.get_no_stock_threshold(work), product_stock.get_low_stock_threshold(work, change.product)
    if change.after <= none < change.before:
        return NO_STOCK if settings.is_setting_on(work, "shop_notify_no_stock") else ""
    if none < change.after <= low < change.before:
        return LOW_STOCK if settings.is_setting_on(work, "shop_notify_low_stock") else ""
    return ""


def _enqueue_stock_mail(work: UnitOfWork, kind: str, change: StockChange, order: int) -> None:
    recipients = str(settings.get_shop_option(work, "shop_stock_email_recipient") or "")
    product, site = change.product, unescape(str(work.option("title")))
    product_name = unescape(strip_tags(product.name))
    name = f"{product_name} ({product.sku})" if product.sku else f"{product_name} (#{product.id})"
    data = {
        "site": site, "product": product_name, "name": name,
        "left": change.after, "pieces": min(change.before - change.after, -change.after), "order": order,
    }  # fmt: skip
    say = MAIL_TEXTS.build_translator(work.site.folder, work.site.profile.default_language)
    subject = say(f"{kind}.subject", **data)
    outbox.enqueue_mail(work, kind, product.id, outbox.parse_addresses(recipients), data, subject=subject)

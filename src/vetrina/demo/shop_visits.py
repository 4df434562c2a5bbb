"""What visitors of the shop do beside buying: carts that are left behind, files that are fetched.

Not here: orders (demo/orders.py).
"""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, urlsplit

from vetrina.demo.seed_client import Hand
from vetrina.shop.downloads import rules as downloads

from .catalogue import Goods, address
from .shop_texts import ShopTexts

__all__ = ["fetched", "left"]

_STORE: Final = "/shop/store/v1"
_FROM: Final = "192.0.2.7"  # an address that nobody has


def left(hand: Hand, texts: ShopTexts, goods: Goods, days: float) -> None:
    """Fill a cart, begin the checkout, and go. days: before the end."""
    hand.calendar.back(days)
    token = hand.answer("GET", f"{_STORE}/cart", by=None).headers["Cart-Token"]
    headers = {"cart-token": token}
    for one in goods.offers[:2]:
        item = {"id": one.variation or one.product, "quantity": 1}
        hand.ask("POST", f"{_STORE}/cart/add-item", json=item, headers=headers, by=None)
    guests = texts.guests
    name = (guests.first[0], guests.last[0])
    billing = address(name, guests.places[0], f"{name[0]}.{name[1]}@example.net".lower())
    hand.ask("POST", f"{_STORE}/cart/update-customer", json={"billing_address": billing}, headers=headers, by=None)
    hand.ask("GET", f"{_STORE}/checkout", headers=headers, by=None)


def fetched(hand: Hand, goods: Goods, days: float) -> None:
    """Let customers fetch the files that they bought. days: before the end, at the last."""
    for at, account in enumerate(goods.accounts):
        hand.calendar.back(days + at)
        for one in hand.get(f"/shop/v3/customers/{account}/downloads"):
            told = {name: values[0] for name, values in parse_qs(urlsplit(one["download_url"]).query).items()}
            with hand.site.work() as work:
                downloads.fetch(
                    work, int(told["download_file"]), told["order"], told["uid"], told["key"], count=True, ip=_FROM
                )

"""Visits to the shop without an order: abandoned carts, downloads of files.

Orders: demo/orders.py.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, urlsplit

from vetrina.demo.seed_client import SeedClient
from vetrina.shop.downloads import rules as downloads

from .catalogue import DemoCatalog, build_address
from .shop_texts import ShopTexts

_STORE: Final = "/shop/store/v1"
_VISITOR_ADDRESS: Final = "192.0.2.7"  # an IP address reserved for documentation


def abandon_cart(client: SeedClient, texts: ShopTexts, goods: DemoCatalog, days: float) -> None:
    """Fill a cart, begin the checkout, and leave. days: before the end of the period."""
    client.clock.move_before_end(days)
    token = client.answer("GET", f"{_STORE}/cart", by=None).headers["Cart-Token"]
    headers = {"cart-token": token}
    for one in goods.offers[:2]:
        item = {"id": one.variation or one.product, "quantity": 1}
        client.ask("POST", f"{_STORE}/cart/add-item", json=item, headers=headers, by=None)
    guests = texts.guests
    name = (guests.first[0], guests.last[0])
    billing = build_address(name, guests.places[0], f"{name[0]}.{name[1]}@example.net".lower())
    client.ask("POST", f"{_STORE}/cart/update-customer", json={"billing_address": billing}, headers=headers, by=None)
    client.ask("GET", f"{_STORE}/checkout", headers=headers, by=None)


def fetch_downloads(client: SeedClient, goods: DemoCatalog, days: float) -> None:
    """Let customers download the files that they bought. days: latest time, before the end of the period."""
    for at, account in enumerate(goods.accounts):
        client.clock.move_before_end(days + at)
        for one in client.get(f"/shop/v3/customers/{account}/downloads"):
            parameters = {name: values[0] for name, values in parse_qs(urlsplit(one["download_url"]).query).items()}
            with client.site.work() as work:
                downloads.find_download_file(
                    work,
                    int(parameters["download_file"]),
                    parameters["order"],
                    parameters["uid"],
                    parameters["key"],
                    count=True,
                    ip=_VISITOR_ADDRESS,
                )

"""Write the pictures of mails: `python -m derive.mail_pictures`, into `docs/pictures`; it needs Chromium.

A throw-away shop renders the mails of real orders, and the browser shows what their previews answer.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from PIL import Image

from vetrina.client import Client
from vetrina.testing import LocalTestServer
from vetrina.testing.accounts import ServerAccount

from .sources import ROOT

__all__ = ["write_pictures"]

_WIDTH, _NARROW = 700, 380  # pixels
_PASSWORD: Final = "abcd efgh ijkl mnop qrst uvwx"
_SETTINGS: Final = {
    "general/shop_currency": "EUR", "general/shop_calc_taxes": "yes", "general/shop_default_country": "IT:BO",
    "general/shop_store_address": "Via Larga 3", "general/shop_store_city": "Bologna",
    "general/shop_store_postcode": "40100", "email/shop_email_base_color": "#6b1f3f",
    "email/shop_email_background_color": "#f3eee8",
    "email/shop_email_footer_text": "{site_title}\n{store_address}",
}  # fmt: skip
_BUYER: Final = {
    "first_name": "Ada", "last_name": "Rossi", "address_1": "Via Roma 1", "city": "Bologna", "postcode": "40121",
    "state": "BO", "country": "IT",
}  # fmt: skip
_BANK: Final = [
    {"account_name": "Vetrina srl", "bank_name": "Banca di Prova", "iban": "IT60 X054 2811 1010 0000 0123 456",
     "bic": "BPMOIT22"}
]  # fmt: skip


def write_pictures(folder: Path) -> None:
    """Write the pictures into a folder."""
    from playwright.sync_api import sync_playwright

    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as started:
        profile = Path(place) / "shop.toml"
        text = (files("vetrina") / "profiles" / "second.toml").read_text(encoding="utf-8")
        profile.write_text(re.sub(r"(?m)^languages = .*$", 'languages = ["en", "it", "de"]', text), encoding="utf-8")
        owner = ServerAccount("owner", "administrator", application_password=_PASSWORD)
        browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        with LocalTestServer(profile, accounts=[owner]) as server:
            shop = server.client()
            order = _prepare_shop(shop)
            _draw(browser, _preview(shop, "customer_on_hold_order", order("en")), folder / "mail-on-hold.png", _WIDTH)
            _draw(browser, _preview(shop, "customer_on_hold_order", order("en")), folder / "mail-on-hold-narrow.png",
                  _NARROW)  # fmt: skip
            back = order("de")
            refund = {"amount": "20", "reason": "Kratzer", "api_refund": False}
            shop.ask("POST", f"/shop/v3/orders/{back}/refunds", refund)
            _draw(browser, _preview(shop, "customer_refunded_order", back), folder / "mail-refunded-german.png", _WIDTH)
        browser.close()


def _prepare_shop(shop: Client) -> Any:
    """Set the shop up, and return the call that creates an order in a language and returns its id."""
    for path, value in _SETTINGS.items():
        shop.ask("PUT", f"/shop/v3/settings/{path}", {"value": value})
    shop.ask("POST", "/shop-admin/options", {"shop_bacs_accounts": _BANK})
    instructions = {
        "settings": {"instructions": "Please pay within a week; we send your order when the money is there."}
    }
    shop.ask("PUT", "/shop/v3/payment_gateways/bacs", {"enabled": True, **instructions})
    shop.ask("POST", "/shop/v3/taxes", {"country": "IT", "rate": "22", "name": "IVA", "shipping": True})
    sold = [
        shop.ask("POST", "/shop/v3/products", {"name": name, "regular_price": price})["id"]
        for name, price in (("Blue cup", "24.50"), ("Linen towel", "18"))
    ]
    colour = {"key": "Colour", "value": "Natural"}

    def order(language: str) -> int:
        made = shop.ask(
            "POST", "/shop/v3/orders",
            {
                "status": "on-hold", "payment_method": "bacs", "payment_method_title": "Bank transfer",
                "billing": {**_BUYER, "email": "ada@example.com"}, "shipping": _BUYER,
                "line_items": [{"product_id": sold[0], "quantity": 2},
                               {"product_id": sold[1], "quantity": 1, "meta_data": [colour]}],
                "shipping_lines": [{"method_id": "flat_rate", "method_title": "Post", "total": "5"}],
            },
            query={"mlang_language": language},
        )  # fmt: skip
        return int(made["id"])

    return order


def _preview(shop: Client, mail: str, order: int) -> str:
    shown = shop.ask("GET", "/shop-admin-email/settings/email/preview", query={"type": mail, "order": order})
    return str(shown["html"])


def _draw(browser: Any, html: str, target: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 400})
    page.set_content(html)
    shot = page.screenshot(full_page=True)
    page.close()
    Image.open(io.BytesIO(shot)).quantize(64).save(target, optimize=True)  # a third of the bytes


if __name__ == "__main__":
    write_pictures(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "docs" / "pictures")

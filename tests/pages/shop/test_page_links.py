"""Pages link to the pages of the shop in their own language, from the moment that these are there."""

from __future__ import annotations

import re
from typing import Any

from conftest import ORIGIN, Client, Stand
from pages.conftest import Visitor


def find_cart_link(visitor: Visitor, target: str) -> str:
    found = re.search(r'<a href="([^"]+)" class="shop-mini-cart-link"', visitor.get(target).text)
    return found[1].removeprefix(ORIGIN) if found else ""


def test_a_kept_page_links_to_the_cart_in_its_language_once_there_is_one(site: Stand, visitor: Visitor) -> None:
    admin: Client = site.client("admin")
    [cart] = admin.get("/cms/v2/pages?slug=cart").json
    assert find_cart_link(visitor, "/it/") == find_cart_link(visitor, "/it/") == "/en/cart/"
    given: dict[str, Any] = {"title": "Carrello", "status": "draft", "translations": {"en": cart["id"]}}
    made = admin.post("/cms/v2/pages?mlang_language=it", given).json
    assert find_cart_link(visitor, "/it/") == "/en/cart/"
    assert admin.post(f"/cms/v2/pages/{made['id']}", {"status": "publish"}).status == 200
    assert find_cart_link(visitor, "/it/") == "/it/carrello/"
    assert find_cart_link(visitor, "/en/") == "/en/cart/"
    assert admin.post(f"/cms/v2/pages/{cart['id']}", {"slug": "basket"}).status == 200
    assert find_cart_link(visitor, "/en/") == "/en/basket/"

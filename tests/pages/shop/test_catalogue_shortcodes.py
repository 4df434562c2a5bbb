"""Shortcodes of older shops on pages, and products with a password. Rules: docs/rules/catalogue_pages.md, 7."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from conftest import Client, Stand
from pages.conftest import Visitor


@pytest.fixture
def show(site: Stand, visitor: Visitor) -> Any:
    """Store a page with a content, and return what its main part shows."""
    editor = site.client("editor")

    def shown(content: str) -> str:
        made = editor.post("/cms/v2/pages", {"title": "Goods", "status": "publish", "content": content})
        assert made.status == 201, made.json
        text = visitor.get(urlsplit(made.json["link"]).path).text
        return text.partition("<main")[2].partition("</main>")[0]

    return shown


def list_names(text: str) -> list[str]:
    """Return the names of the products that a text links to, in order."""
    return list(dict.fromkeys(re.findall(r'href="[^"]+/product/([a-z-]+)/"', text)))


def test_lists_show_what_their_blocks_show(show: Any, make: Any, manager: Client) -> None:
    category = manager.post("/shop/v3/products/categories", {"name": "Cups"}).json
    lamp, cup, mug = (
        make("Lamp", regular_price="30", sku="L-1"),
        make("Cup", regular_price="10", sale_price="8", categories=[{"id": category["id"]}]),
        make("Mug", regular_price="20", featured=True, categories=[{"id": category["id"]}]),
    )
    wanted = {
        "[products]": ["cup", "lamp", "mug"],
        '[products orderby="price" order="desc" limit="2"]': ["lamp", "mug"],
        '[products category="cups" orderby="title" order="DESC"]': ["mug", "cup"],
        '[product_category category="cups"]': ["cup", "mug"],
        '[products category="nothing"]': [],
        "[sale_products]": ["cup"],
        '[products visibility="featured"]': ["mug"],
        f'[products ids="{mug["id"]},{lamp["id"]}" orderby="title"]': ["lamp", "mug"],
        '[products skus="L-1"]': ["lamp"],
        '[products skus="none"]': [],
        f'[product id="{cup["id"]}"]': ["cup"],
    }
    for shortcode, names in wanted.items():
        text = show(f"Before.\n\n{shortcode}\n\nAfter.")
        assert list_names(text) == names, shortcode
        assert "[product" not in text, shortcode
        assert re.search(r"<p>Before\.</p>.*<p>After\.</p>", text, re.DOTALL), shortcode
    assert 'columns-2"' in show('[products columns="2"]')
    assert "wp-block-shop-product-template" in show("<!-- wp:shortcode -->\n[products]\n<!-- /wp:shortcode -->")


def test_one_product_can_be_bought(show: Any, make: Any) -> None:
    cup = make("Cup", regular_price="10", description="For tea.", short_description="A cup.")
    page, button = show(f'[product_page id="{cup["id"]}"]'), show(f'[add_to_cart id="{cup["id"]}"]')
    for text in (page, button):
        assert f'name="product" value="{cup["id"]}"' in text
        assert "10.00" in text
    assert "A cup." in page
    assert 'name="quantity"' in page
    assert show('[product_page id="999"]').count("<form") == 0


def test_pages_of_a_shop_are_known_by_the_ends_of_their_names(show: Any) -> None:
    assert "Your cart is empty." in show("Your goods:\n\n[shop_cart]")
    assert 'name="_form" value="sign-in"' in show("Welcome.\n\n[shop_my_account]")
    assert "[to_cart]" not in show("[shop_checkout]")


@pytest.mark.parametrize(
    "text", ["See [products] here.", '<a title="\n[products]\n">x</a>', "[products", "[nothing]", "[[products]]"]
)
def test_elsewhere_they_are_text_and_never_stand_in_a_tag(show: Any, make: Any, text: str) -> None:
    make("Cup")
    assert list_names(show(text)) == []


def test_a_password_hides_a_product_until_it_is_entered(visitor: Visitor, make: Any, manager: Client) -> None:
    cup = make("Cup", regular_price="10", description="For tea only.", short_description="A secret cup.")
    assert manager.put(f"/shop/v3/products/{cup['id']}", {"post_password": "open"}).status == 200
    locked = visitor.get("/en/product/cup/")
    main = locked.text.partition("<main")[2].partition("</main>")[0]
    assert "10.00" not in locked.text
    assert 'name="_form" value="add-to-cart"' not in locked.text
    assert main.count('type="password"') == 1
    opened = visitor.follow(visitor.post("/en/product/cup/", locked.form | {"post_password": "open"}))
    for shown in ("10.00", "For tea only.", "A secret cup."):
        assert shown in opened.text

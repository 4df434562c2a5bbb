"""The cart page: what it shows, and what its forms do to the cart, without scripts."""

from __future__ import annotations

import re

import pytest

from conftest import Client, Stand
from shop.store import sold

from .buyer import CART, SAME_ORIGIN, Buyer, read_forms


@pytest.fixture
def buyer(site: Stand) -> Buyer:
    return Buyer(site)


def flat_rate(manager: Client, cost: str, country: str = "US") -> None:
    """Send goods to a country for a cost."""
    zone = manager.post("/shop/v3/shipping/zones", {"name": country}).json["id"]
    manager.put(f"/shop/v3/shipping/zones/{zone}/locations", [{"code": country, "type": "country"}])
    made = manager.post(f"/shop/v3/shipping/zones/{zone}/methods", {"method_id": "flat_rate"})
    path = f"/shop/v3/shipping/zones/{zone}/methods/{made.json['id']}"
    assert manager.put(path, {"settings": {"cost": cost}}).status == 200


def switch(manager: Client, group: str, **settings: str) -> None:
    for name, value in settings.items():
        assert manager.put(f"/shop/v3/settings/{group}/{name}", {"value": value}).status == 200


def test_what_is_sent_for_nothing_says_so(buyer: Buyer, manager: Client) -> None:
    flat_rate(manager, "0")
    buyer.add(sold(manager, "Blue cup", "10"))
    page = buyer.get(CART)
    assert re.search(r'for="rate-[^"]+">[^<]+</label><span>Free</span>', page.text), page.text


# -- putting goods in


def test_a_product_is_put_into_the_cart(buyer: Buyer, manager: Client) -> None:
    cup = sold(manager, "Blue cup", "10")
    added = buyer.add(cup, 2)
    assert (added.status, added.location) == (303, "/en/?notice=added-to-cart")
    assert buyer.cookies["cms_cart_count"] == "2"
    notice = re.search('<p class="site-notice" role="status">(.*?)</p>', buyer.get(added.location).text)
    assert notice is not None
    assert re.sub('http[^"]*', "", notice[1]) == 'It is in your cart. <a href="">View the cart</a>'
    page = buyer.get(CART)
    assert page.status == 200
    assert "Blue cup" in page.text
    assert "$20.00" in page.text
    assert page.headers["cache-control"] == "no-store"


def test_the_shop_may_lead_to_the_cart(buyer: Buyer, manager: Client) -> None:
    switch(manager, "products", shop_cart_redirect_after_add="yes")
    added = buyer.add(sold(manager))
    assert added.location.endswith("/en/cart/?notice=added-to-cart")
    assert (
        '<p class="site-notice" role="status">It is in your cart.</p>' in buyer.get(CART + "?notice=added-to-cart").text
    )


def test_what_is_sold_out_is_refused_with_a_sentence(buyer: Buyer, manager: Client) -> None:
    cup = sold(manager, "Blue cup", stock_status="outofstock")
    refused = buyer.add(cup, at=CART)
    assert refused.status == 400
    assert "sold out." in refused.text
    assert "cms_cart_count" not in buyer.cookies
    assert "Blue cup" not in buyer.get(CART).text


def test_it_leads_back_to_the_same_page_and_to_no_other_site(buyer: Buyer, manager: Client) -> None:
    cup = sold(manager)
    sorted_list = "/en/?orderby=price&notice="
    assert buyer.add(cup, at=f"{sorted_list}cart-updated").location == f"{sorted_list}added-to-cart"
    assert buyer.add(cup, at="/it/citt%C3%A0/").location == "/it/citt%C3%A0/?notice=added-to-cart"
    assert buyer.add(cup, at="//elsewhere.example/").location == "/?notice=added-to-cart"


@pytest.mark.parametrize("quantity", ["0", "-1", "2.5", "x"])
def test_a_quantity_is_a_whole_number(buyer: Buyer, manager: Client, quantity: str) -> None:
    form = {"_form": "add-to-cart", "product": str(sold(manager)), "quantity": quantity}
    assert buyer.post("/en/", form, **SAME_ORIGIN).status == 400
    assert "Your cart is empty." in buyer.get(CART).text


def test_a_variation_is_found_by_its_attributes(buyer: Buyer, manager: Client) -> None:
    sizes = {"name": "Size", "variation": True, "options": ["S", "L"]}
    shirt = manager.post("/shop/v3/products", {"name": "Shirt", "type": "variable", "attributes": [sizes]}).json["id"]
    made = {"regular_price": "7", "attributes": [{"name": "Size", "option": "L"}]}
    assert manager.post(f"/shop/v3/products/{shirt}/variations", made).status == 201
    assert buyer.add(shirt).status == 400
    assert buyer.add(shirt, attribute_size="S").status == 400
    assert buyer.add(shirt, variation="", attribute_size="L").status == 303
    page = buyer.get(CART).text
    assert "Size: L" in page
    assert "$7.00" in page


def test_a_page_of_another_site_puts_nothing_in(buyer: Buyer, manager: Client) -> None:
    form = {"_form": "add-to-cart", "product": str(sold(manager)), "quantity": "1"}
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}, {}):
        assert buyer.post("/en/", form, **headers).status == 403
    assert "Your cart is empty." in buyer.get(CART).text


# -- changing it


def test_quantities_are_changed_and_lines_removed(buyer: Buyer, manager: Client) -> None:
    buyer.add(sold(manager, "Cup", "10"), 2)
    buyer.add(sold(manager, "Pot", "5"))
    forms = read_forms(buyer.get(CART))
    fields = {name: "3" for name, value in forms["cart-quantities"].items() if value == "2"}
    assert buyer.send(CART, "cart-quantities", **fields).status == 303
    assert "$35.00" in buyer.get(CART).text
    (key,) = (name.removeprefix("quantity-") for name in fields)
    assert buyer.send(CART, "cart-removal", key=key).status == 303
    page = buyer.get(CART).text
    assert "Pot" in page
    assert "Cup" not in page
    assert buyer.cookies["cms_cart_count"] == "1"
    left = {name: "0" for name in read_forms(buyer.get(CART))["cart-quantities"] if name.startswith("quantity-")}
    buyer.send(CART, "cart-quantities", **left)
    assert "Your cart is empty." in buyer.get(CART).text
    assert "cms_cart_count" not in buyer.cookies


def test_more_than_there_is_keeps_what_was_typed(buyer: Buyer, manager: Client) -> None:
    buyer.add(sold(manager, "Cup", "10", manage_stock=True, stock_quantity=3), 2)
    (field,) = (name for name in read_forms(buyer.get(CART))["cart-quantities"] if name.startswith("quantity-"))
    refused = buyer.send(CART, "cart-quantities", **{field: "4"})
    assert refused.status == 400
    assert read_forms(refused)["cart-quantities"][field] == "4"
    assert 'max="3"' in refused.text
    assert read_forms(buyer.get(CART))["cart-quantities"][field] == "2"


def test_a_coupon_is_applied_and_removed(buyer: Buyer, manager: Client) -> None:
    manager.post("/shop/v3/coupons", {"code": "less", "discount_type": "fixed_cart", "amount": "4"})
    buyer.add(sold(manager, "Cup", "10"))
    assert buyer.send(CART, "cart-coupon", code="none").status == 400
    assert buyer.send(CART, "cart-coupon", code="less").location == "/en/cart/?notice=coupon-applied"
    page = buyer.get(CART).text
    assert "−$4.00" in page
    assert "$6.00" in page
    assert buyer.send(CART, "cart-coupon-removal", code="less").status == 303
    assert "−$4.00" not in buyer.get(CART).text


def test_shipping_is_estimated_and_chosen(buyer: Buyer, manager: Client) -> None:
    flat_rate(manager, "5", "US")
    flat_rate(manager, "9", "IT")
    buyer.add(sold(manager, "Cup", "10"))
    place = {"country": "IT", "state": "RM", "postcode": "00100", "city": "Roma"}
    # The form had the states of the country before.
    assert buyer.send(CART, "cart-place", **place).status == 303
    assert "$19.00" in buyer.get(CART).text
    assert read_forms(buyer.get(CART))["cart-place"]["state"] == "RM"
    refused = buyer.send(CART, "cart-place", **{**place, "postcode": "1"})
    assert refused.status == 400
    assert "There is no such postcode in this country." in refused.text
    assert read_forms(refused)["cart-place"]["postcode"] == "1"
    rate = read_forms(buyer.get(CART))["cart-rate"]["rate"]
    assert buyer.send(CART, "cart-rate", rate=rate).status == 303


# -- what it shows


def test_taxes_are_shown_beside_or_within(buyer: Buyer, manager: Client) -> None:
    switch(manager, "general", shop_calc_taxes="yes")
    manager.post("/shop/v3/taxes", {"rate": "10", "name": "VAT", "country": "US"})
    buyer.add(sold(manager, "Cup", "10"))
    page = buyer.get(CART).text
    assert "<dt>VAT</dt><dd>$1.00</dd>" in page
    assert "<dt>Subtotal</dt><dd>$10.00</dd>" in page
    switch(manager, "tax", shop_tax_display_cart="incl")
    page = buyer.get(CART).text
    assert "<dt>Subtotal</dt><dd>$11.00</dd>" in page
    assert "includes $1.00 VAT" in page
    assert "<dt>VAT</dt>" not in page


def test_amounts_are_written_as_the_shop_is_set(buyer: Buyer, manager: Client) -> None:
    switch(
        manager, "general", shop_currency="EUR", shop_currency_pos="right_space", shop_price_thousand_sep=".",
        shop_price_decimal_sep=",",
    )  # fmt: skip
    buyer.add(sold(manager, "Piano", "12345.5"))
    assert "12.345,50\u00a0€" in buyer.get(CART).text


def test_what_cannot_be_bought_any_more_is_said(buyer: Buyer, manager: Client) -> None:
    cup = sold(manager, "Cup", "10")
    buyer.add(cup)
    manager.put(f"/shop/v3/products/{cup}", {"stock_status": "outofstock"})
    assert "sold out" in buyer.get(CART).text


def test_goods_that_go_with_these_are_shown(buyer: Buyer, manager: Client) -> None:
    pot = sold(manager, "Tea pot", "5")
    buyer.add(sold(manager, "Cup", "10", cross_sell_ids=[pot]))
    assert "Tea pot" in buyer.get(CART).text


def test_the_block_has_words_of_its_own_for_an_empty_cart(site: Stand, buyer: Buyer, manager: Client) -> None:
    content = (
        "<!-- wp:shop/cart --><div><!-- wp:shop/filled-cart-block --><p>Full</p><!-- /wp:shop/filled-cart-block -->"
        "<!-- wp:shop/empty-cart-block --><!-- wp:paragraph --><p>Nothing yet</p><!-- /wp:paragraph -->"
        "<!-- /wp:shop/empty-cart-block --></div><!-- /wp:shop/cart -->"
    )
    written = site.client("admin").post("/cms/v2/pages", {"title": "Basket", "status": "publish", "content": content})
    page = buyer.get("/en/basket/").text
    assert written.status == 201
    assert "Nothing yet" in page
    assert "Full" not in page
    buyer.add(sold(manager, "Cup", "10"))
    page = buyer.get("/en/basket/").text
    assert "Cup" in page
    assert "Nothing yet" not in page


def test_a_cart_is_shown_to_nobody_else(site: Stand, buyer: Buyer, manager: Client) -> None:
    buyer.add(sold(manager, "Blue cup"))
    assert "Blue cup" in buyer.get(CART).text
    assert "Blue cup" not in Buyer(site).get(CART).text


# -- the small cart of the header


def test_the_header_links_to_the_cart_of_kept_pages(buyer: Buyer, manager: Client) -> None:
    buyer.add(sold(manager), 3)
    page = buyer.get("/en/")
    assert "<span data-cart-count class=" in page.text
    assert 'href="http://vetrina.test/en/cart/"' in page.text
    assert page.headers["cache-control"] != "no-store"
    assert "cms_cart_count=" not in str(page.pairs)


def test_a_shop_without_a_cart_page_has_no_small_cart(site: Stand, buyer: Buyer) -> None:
    admin = site.client("admin")
    assert "data-cart-count" in buyer.get("/en/").text
    (cart,) = admin.get("/cms/v2/pages?slug=cart").json
    assert admin.delete(f"/cms/v2/pages/{cart['id']}").status == 200
    assert "data-cart-count" not in buyer.get("/en/").text

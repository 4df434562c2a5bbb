"""The page of a product: what it costs, how it is bought, what is said of it to people and machines."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest

from conftest import Client, Stand
from pages.conftest import Visitor
from pictures import picture

PRODUCTS = "/shop/v3/products"


def read_form(html: str, product: int) -> str:
    """Return the form that buys a product."""
    forms = re.findall(r"<form\b.*?</form>", html, re.DOTALL)
    return next(one for one in forms if f'name="product" value="{product}"' in one and "add-to-cart" in one)


def read_data(html: str, kind: str = "Product") -> dict[str, Any]:
    """Return what a page says of its product for machines, or of another thing of which it tells once."""
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)
    (data,) = (one for text in found if (one := json.loads(text))["@type"] == kind)
    return dict(data)


def test_machines_are_told_the_way_to_a_product_that_its_breadcrumbs_show(
    visitor: Visitor, make: Any, manager: Client
) -> None:
    above = manager.post(f"{PRODUCTS}/categories", {"name": "House"}).json["id"]
    within = manager.post(f"{PRODUCTS}/categories", {"name": "Light & fire", "parent": above}).json["id"]
    make("Lamp", categories=[{"id": within}])
    page = visitor.get("/en/product/lamp/").text
    way = [(one["position"], one["name"], one["item"]) for one in read_data(page, "BreadcrumbList")["itemListElement"]]
    shown = re.search(r'<nav[^>]*aria-label="Breadcrumbs".*?</nav>', page, re.DOTALL)
    assert shown
    links = [(unescape(name), unescape(url)) for url, name in re.findall('<a href="([^"]+)">([^<]+)</a>', shown[0])]
    assert [name for name, _ in links] == ["Home", "Shop", "House", "Light & fire"]
    assert way[0][2] == links[0][1]
    assert [(name, url) for _, name, url in way[1:4]] == links[1:]
    assert [at for at, _, _ in way] == [1, 2, 3, 4, 5]
    assert way[4][1] == "Lamp"
    assert way[4][2].endswith("/en/product/lamp/")


def test_a_simple_product(visitor: Visitor, make: Any) -> None:
    lamp = make(
        "Lamp", regular_price="20", sale_price="15", sku="L-1", description="A long text.", weight="2",
        short_description="A short text.", manage_stock=True, stock_quantity=3,
    )  # fmt: skip
    page = visitor.get("/en/product/lamp/")
    assert page.status == 200
    assert page.text.count("<h1") == 1
    for text in ("A long text.", "A short text.", "3 in stock", "L-1", "2 lbs", '<span class="shop-sale">Sale</span>'):
        assert text in page.text, text
    assert lamp["price_html"] in page.text
    form = read_form(page.text, lamp["id"])
    assert 'name="_form" value="add-to-cart"' in form
    assert 'min="1"' in form
    assert 'max="3"' in form
    assert 'value="1"' in form
    assert page.headers["cache-control"] != "no-store"


@pytest.mark.parametrize(
    ("members", "said", "sold"),
    [({"stock_status": "outofstock"}, "Out of stock", False),
     ({"manage_stock": True, "stock_quantity": 0, "backorders": "notify"}, "Available on backorder", True),
     ({"sold_individually": True}, "", True), ({"regular_price": ""}, "", False)],
)  # fmt: skip
def test_what_cannot_be_bought_has_no_form(
    visitor: Visitor, make: Any, members: dict[str, Any], said: str, sold: bool
) -> None:
    make("Lamp", **members)
    text = visitor.get("/en/product/lamp/").text
    assert said in text
    assert ('value="add-to-cart"' in text) == sold
    if "sold_individually" in members:
        assert 'type="hidden" name="quantity" value="1"' in text


def test_stock_is_said_in_the_readers_language(visitor: Visitor, make: Any) -> None:
    make("Lamp", manage_stock=True, stock_quantity=3, regular_price="20", sale_price="15")
    text = visitor.get("/it/product/lamp/").text
    assert "3 disponibili" in text
    assert "Il prezzo attuale è:" in text
    assert "Aggiungi al carrello" in text


@pytest.fixture
def shirt(make: Any, manager: Client) -> Any:
    """A product with three variations; green ones come in one size alone."""
    colour = manager.post("/shop/v3/products/attributes", {"name": "Colour"}).json
    shirt = make(
        "Shirt", type="variable",
        attributes=[
            {"id": colour["id"], "variation": True, "visible": True, "options": ["Red", "Green", "Unused"]},
            {"name": "Size", "variation": True, "visible": True, "options": ["S", "L"]},
        ],
    )  # fmt: skip
    parts = []
    for red, size, price in (("Red", "S", "10"), ("Red", "L", "12"), ("Green", "L", "14")):
        attributes = [{"id": colour["id"], "option": red}, {"name": "Size", "option": size}]
        answer = manager.post(
            f"{PRODUCTS}/{shirt['id']}/variations", {"regular_price": price, "attributes": attributes}
        )
        assert answer.status == 201, answer.json
        parts.append(answer.json)
    return shirt, parts


def test_variations_are_chosen_by_their_attributes(visitor: Visitor, shirt: Any) -> None:
    product, parts = shirt
    page = visitor.get("/en/product/shirt/")
    form = read_form(page.text, product["id"])
    assert re.findall(r'<select[^>]*name="([^"]*)"', form) == ["attribute_pa_colour", "attribute_size"]
    assert "Unused" not in form
    assert 'name="variation" value=""' in form
    found = re.search(r'data-variations="([^"]*)"', form)
    assert found is not None
    data = json.loads(unescape(found[1]))
    assert [one["id"] for one in data] == [one["id"] for one in parts]
    assert data[2]["choices"] == {"pa_colour": "green", "size": "L"}
    assert ">14.00</bdi>" in data[2]["price"]
    assert data[2]["buyable"] is True


def test_an_address_chooses_a_variation(visitor: Visitor, shirt: Any) -> None:
    product, _ = shirt
    form = read_form(visitor.get("/en/product/shirt/?attribute_pa_colour=green&attribute_size=L").text, product["id"])
    assert '<option value="green" selected>' in form
    assert '<option value="L" selected>' in form
    assert "selected" not in read_form(visitor.get("/en/product/shirt/?attribute_size=%22%3E").text, product["id"])


def test_a_list_has_a_form_for_simple_products_alone(visitor: Visitor, make: Any, shirt: Any) -> None:
    lamp = make("Lamp")
    text = visitor.get("/en/shop/").text
    form = read_form(text, lamp["id"])
    assert 'name="quantity" value="1"' in form
    assert re.search(r'href="http://vetrina.test/en/product/shirt/">Select options', text)


def test_grouped_and_external_products(visitor: Visitor, make: Any) -> None:
    lamp, sold = make("Lamp"), make("Sold", stock_status="outofstock")
    make("Set", type="grouped", grouped_products=[lamp["id"], sold["id"]])
    make("Far", type="external", external_url="https://elsewhere.example/far", button_text="Go there")
    text = visitor.get("/en/product/set/").text
    assert 'name="quantity"' in read_form(text, lamp["id"])
    assert "Sold</a>" in text
    assert f'value="{sold["id"]}"' not in text
    far = visitor.get("/en/product/far/").text
    assert '<a href="https://elsewhere.example/far" rel="nofollow noopener"' in far
    assert "Go there" in far
    assert 'value="add-to-cart"' not in far.partition("shop-linked-products")[0]


def test_pictures_are_links_without_scripts(visitor: Visitor, make: Any, manager: Client) -> None:
    ids = []
    for name in "ab":
        headers = {"content-type": "image/png", "content-disposition": f'attachment; filename="{name}.png"'}
        answer = manager.ask("POST", "/cms/v2/media", body=picture(40, 40, "PNG"), headers=headers)
        assert answer.status == 201, answer.json
        ids.append(answer.json["id"])
    make("Lamp", images=[{"id": id} for id in ids])
    text = visitor.get("/en/product/lamp/").text
    gallery = re.search(r'<div class="wp-block-shop-product-image-gallery">.*?</ul>', text, re.DOTALL)
    assert gallery is not None
    assert len(re.findall(r"<li><a href=\"http://vetrina.test/[^\"]*\.png\"", gallery[0])) == 2
    assert 'width="40" height="40"' in gallery[0]
    assert re.search(r"/scripts/product\.[0-9a-f]{20}\.js", text)


def test_machines_are_told_price_availability_and_stars(
    visitor: Visitor, make: Any, manager: Client, shirt: Any
) -> None:
    lamp = make("Lamp", regular_price="20", sale_price="15", sku="L-1")
    review = {"product_id": lamp["id"], "review": "Good", "reviewer": "A", "reviewer_email": "a@example.org"}
    manager.post(f"{PRODUCTS}/reviews", {**review, "rating": 4})
    data = read_data(visitor.get("/en/product/lamp/").text)
    assert data["offers"]["price"] == "15.00"
    assert data["offers"]["availability"] == "https://schema.org/InStock"
    assert data["aggregateRating"] == {"@type": "AggregateRating", "ratingValue": "4.00", "reviewCount": 1}
    offers = read_data(visitor.get("/en/product/shirt/").text)["offers"]
    assert (offers["@type"], offers["lowPrice"], offers["highPrice"]) == ("AggregateOffer", "10.00", "14.00")


def test_a_password_hides_everything(visitor: Visitor, make: Any, manager: Client) -> None:
    make("Lamp", description="A long secret.", short_description="A short secret.", post_password="open")
    page = visitor.get("/en/product/lamp/")
    assert page.status == 200
    assert "secret" not in page.text
    assert "application/ld+json" not in page.text or "Product" not in page.text.partition("</head>")[0]


def test_related_products_and_those_that_are_better(visitor: Visitor, make: Any, manager: Client) -> None:
    paper = manager.post("/shop/v3/products/categories", {"name": "Paper"}).json
    better = make("Better")
    make("Sheet", categories=[{"id": paper["id"]}])
    make("Hidden", categories=[{"id": paper["id"]}], catalog_visibility="hidden")
    make("Lamp", categories=[{"id": paper["id"]}], upsell_ids=[better["id"]])
    text = visitor.get("/en/product/lamp/").text
    related = text.partition(">Related products<")[2]
    assert "Sheet" in related
    assert "Hidden" not in related
    assert "Better" in text.partition(">You may also like<")[2].partition(">Related products<")[0]


def test_names_are_text(visitor: Visitor, make: Any, manager: Client) -> None:
    hostile = '"><script>alert(1)</script>'
    make(
        f"Lamp {hostile}",
        sku=hostile,
        short_description=hostile,
        attributes=[{"name": hostile, "visible": True, "options": [hostile]}],
    )
    for address in ("/en/shop/", "/en/product/lamp/", "/en/product/lamp-alert1/"):
        assert "<script>alert" not in visitor.get(address).text


def test_a_product_keeps_its_texts_in_a_theme_without_a_template(visitor: Visitor, make: Any, site: Stand) -> None:
    make("Lamp", description="A long text.")
    admin = site.client("admin")
    answer = admin.post(
        "/cms/v2/templates",
        {"slug": "single-product", "title": "A", "content": "<!-- wp:post-title /--><!-- wp:post-content /-->"},
    )
    assert answer.status == 201
    assert "A long text." in visitor.get("/en/product/lamp/").text

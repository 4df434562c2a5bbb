"""Lists of products on public pages: the shop's page, categories, filters, order, pages, searches."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from conftest import Client, Stand, exchange, made
from pages.conftest import Visitor
from pages.shop.conftest import list_names

SHOP = "/en/shop/"


def test_the_shops_page_lists_the_products(visitor: Visitor, make: Any) -> None:
    make("Lamp")
    make("Chair", regular_price="20", sale_price="15")
    make("Hidden", catalog_visibility="hidden")
    make("For searches", catalog_visibility="search")
    make("Draft", status="draft")
    page = visitor.get(SHOP)
    assert page.status == 200
    assert list_names(page.text) == ["Chair", "Lamp"]
    assert "<h1" in page.text
    assert ">Shop</h1>" in page.text
    assert "2 products" in page.text
    assert '<link rel="canonical" href="http://vetrina.test/en/shop/">' in page.text
    assert page.text.count("<h1") == 1


def test_prices_are_those_of_the_interface(visitor: Visitor, make: Any, manager: Client) -> None:
    made = [make("Chair", regular_price="20", sale_price="15"), make("Lamp", regular_price="1234.5")]
    text = visitor.get(SHOP).text
    for one in made:
        assert manager.get(f"/shop/store/v1/products/{one['id']}").json["price_html"] in text


def test_a_page_changes_the_moment_a_product_does(visitor: Visitor, make: Any, manager: Client) -> None:
    lamp = make("Lamp")
    assert ">10.00</bdi>" in visitor.get(SHOP).text
    manager.put(f"/shop/v3/products/{lamp['id']}", {"regular_price": "11"})
    assert ">11.00</bdi>" in visitor.get(SHOP).text
    make("Chair")
    assert list_names(visitor.get(SHOP).text) == ["Chair", "Lamp"]


def test_a_page_is_kept_for_visitors(visitor: Visitor, make: Any) -> None:
    make("Lamp")
    headers = visitor.get(SHOP).headers
    assert headers["cache-control"] != "no-store"
    assert "set-cookie" not in headers


def test_the_address_ends_with_a_slash(visitor: Visitor) -> None:
    page = visitor.get("/en/shop?orderby=price")
    assert (page.status, page.location) == (301, "http://vetrina.test/en/shop/?orderby=price")


def test_a_setting_of_the_shop_is_seen_at_once(visitor: Visitor, make: Any, manager: Client) -> None:
    make("Lamp")
    assert "&pound;" not in visitor.get(SHOP).text
    assert manager.put("/shop/v3/settings/general/shop_currency", {"value": "GBP"}).status == 200
    assert "&pound;" in visitor.get(SHOP).text


def test_an_empty_shop_says_so(visitor: Visitor) -> None:
    page = visitor.get(SHOP)
    assert (page.status, "No product fits." in page.text) == (200, True)


def test_pages_follow_each_other(visitor: Visitor, make: Any, configure: Any) -> None:
    configure(shop_catalog_rows=1, shop_catalog_columns=2)
    for name in "ABC":
        make(name)
    first = visitor.get(SHOP)
    assert list_names(first.text) == ["A", "B"]
    assert "Products 1 to 2 of 3" in first.text
    assert 'href="http://vetrina.test/en/shop/page/2/"' in first.text
    assert list_names(visitor.get("/en/shop/page/2/").text) == ["C"]
    assert visitor.get("/en/shop/page/3/").status == 404
    filtered = visitor.get("/en/shop/?orderby=price")
    assert 'href="http://vetrina.test/en/shop/page/2/?orderby=price"' in filtered.text
    assert list_names(visitor.get("/en/shop/page/2/?orderby=price").text) == ["C"]


@pytest.mark.parametrize(
    ("order", "names"),
    [("price", ["Cheap", "Middle", "Dear"]), ("price-desc", ["Dear", "Middle", "Cheap"]),
     ("menu_order", ["Dear", "Cheap", "Middle"]), ("nonsense", ["Dear", "Cheap", "Middle"])],
)  # fmt: skip
def test_a_visitor_chooses_the_order(visitor: Visitor, make: Any, order: str, names: list[str]) -> None:
    for place, (name, price) in enumerate((("Dear", "30"), ("Cheap", "5"), ("Middle", "9"))):
        make(name, regular_price=price, menu_order=place)
    assert list_names(visitor.get(f"{SHOP}?orderby={order}").text) == names


def test_the_setting_is_the_order_of_a_list_without_one(visitor: Visitor, make: Any, configure: Any) -> None:
    make("A", regular_price="30")
    make("B", regular_price="5")
    configure(shop_default_catalog_orderby="price")
    page = visitor.get(SHOP)
    assert list_names(page.text) == ["B", "A"]
    assert '<option value="price" selected>' in page.text


def test_a_price_range_in_whole_units(visitor: Visitor, make: Any) -> None:
    for name, price in (("Cheap", "5"), ("Middle", "9.50"), ("Dear", "30")):
        make(name, regular_price=price)
    assert list_names(visitor.get(f"{SHOP}?min_price=6&max_price=9.5").text) == ["Middle"]
    assert list_names(visitor.get(f"{SHOP}?min_price=6&max_price=").text) == ["Dear", "Middle"]
    assert list_names(visitor.get(f"{SHOP}?max_price=nothing").text) == ["Cheap", "Dear", "Middle"]


def test_filters_by_stock_rating_category_and_attribute(visitor: Visitor, make: Any, manager: Client) -> None:
    colour = manager.post("/shop/v3/products/attributes", {"name": "Colour"}).json
    paper = manager.post("/shop/v3/products/categories", {"name": "Paper"}).json

    def paint(*options: str) -> list[dict[str, Any]]:
        return [{"id": colour["id"], "visible": True, "options": list(options)}]

    make("Red", attributes=paint("Red"), categories=[{"id": paper["id"]}])
    make("Blue", attributes=paint("Blue"), stock_status="outofstock")
    both = make("Both", attributes=paint("Red", "Blue"))
    review = {
        "product_id": both["id"],
        "review": "Good",
        "reviewer": "A",
        "reviewer_email": "a@example.org",
        "rating": 5,
    }
    assert manager.post("/shop/v3/products/reviews", {**review, "rating": 5}).status == 201
    assert list_names(visitor.get(f"{SHOP}?filter_colour=red").text) == ["Both", "Red"]
    assert list_names(visitor.get(f"{SHOP}?filter_colour[]=red&filter_colour[]=blue").text) == ["Blue", "Both", "Red"]
    assert list_names(visitor.get(f"{SHOP}?filter_stock_status=outofstock").text) == ["Blue"]
    assert list_names(visitor.get(f"{SHOP}?filter_category[]=paper").text) == ["Red"]
    assert list_names(visitor.get(f"{SHOP}?rating_filter=5").text) == ["Both"]
    assert list_names(visitor.get(f"{SHOP}?rating_filter=5&filter_category=paper").text) == []
    text = visitor.get(f"{SHOP}?filter_colour=red").text
    assert 'name="filter_colour[]" value="red" checked' in text
    assert '<meta name="robots" content="noindex">' in text
    assert '<link rel="canonical" href="http://vetrina.test/en/shop/">' in text


def test_a_filter_is_taken_away_by_its_link(visitor: Visitor, make: Any) -> None:
    make("Cheap", regular_price="5")
    make("Dear", regular_price="30")
    text = visitor.get(f"{SHOP}?min_price=6&orderby=price").text
    chosen = re.search(r'<ul aria-label="Chosen filters".*?</ul>', text, re.DOTALL)
    assert chosen is not None
    assert 'href="http://vetrina.test/en/shop/?orderby=price"' in chosen[0]


def test_choices_are_counted(visitor: Visitor, make: Any) -> None:
    make("A", stock_status="outofstock")
    make("B")
    make("C")
    text = visitor.get(SHOP).text
    assert re.search(r'value="instock"> In stock <span class="shop-count">\(2\)', text)
    assert re.search(r'value="outofstock"> Out of stock <span class="shop-count">\(1\)', text)


def test_a_shop_may_hide_what_is_sold_out(visitor: Visitor, make: Any, configure: Any) -> None:
    make("Here")
    make("Gone", stock_status="outofstock")
    configure(shop_hide_out_of_stock_items="yes")
    page = visitor.get(SHOP)
    assert list_names(page.text) == ["Here"]
    assert 'value="outofstock"' not in page.text


def test_a_category_lists_what_is_beneath_it(visitor: Visitor, make: Any, manager: Client) -> None:
    above = manager.post("/shop/v3/products/categories", {"name": "Paper", "description": "All of paper."}).json
    below = manager.post("/shop/v3/products/categories", {"name": "Maps", "parent": above["id"]}).json
    make("Map", categories=[{"id": below["id"]}])
    make("Sheet", categories=[{"id": above["id"]}])
    make("Hidden", categories=[{"id": above["id"]}], catalog_visibility="hidden")
    make("Lamp")
    page = visitor.get("/en/product-category/paper/")
    assert list_names(page.text) == ["Map", "Sheet"]
    assert ">Paper</h1>" in page.text
    assert "All of paper." in page.text
    nested = visitor.get("/en/product-category/paper/maps/")
    assert list_names(nested.text) == ["Map"]
    assert re.search(r'<a href="http://vetrina.test/en/product-category/paper/">Paper</a></li><li><span', nested.text)
    assert visitor.get("/en/product-category/none/").status == 404


def test_tags_brands_and_values_of_attributes_have_lists(visitor: Visitor, make: Any, manager: Client) -> None:
    tag = manager.post("/shop/v3/products/tags", {"name": "Gift"}).json
    brand = manager.post("/shop/v3/products/brands", {"name": "Mill"}).json
    colour = manager.post("/shop/v3/products/attributes", {"name": "Colour", "has_archives": True}).json
    size = manager.post("/shop/v3/products/attributes", {"name": "Size"}).json
    make(
        "Scarf", tags=[{"id": tag["id"]}], brands=[{"id": brand["id"]}],
        attributes=[{"id": colour["id"], "options": ["Red"]}, {"id": size["id"], "options": ["Big"]}],
    )  # fmt: skip
    make("Lamp")
    for address in ("/en/product-tag/gift/", "/en/brand/mill/", "/en/colour/red/"):
        assert list_names(visitor.get(address).text) == ["Scarf"], address
    assert ">Colour: Red</h1>" in visitor.get("/en/colour/red/").text
    assert visitor.get("/en/size/big/").status == 404
    assert visitor.get("/en/colour/none/").status == 404


def test_a_search_for_products_finds_nothing_else(visitor: Visitor, make: Any, write: Any) -> None:
    make("Red lamp")
    make("Secret red", catalog_visibility="catalog")
    make("Only searched red", catalog_visibility="search")
    write(title="A red post")
    page = visitor.get("/en/?s=red&post_type=product")
    assert list_names(page.text) == ["Only searched red", "Red lamp"]
    assert "A red post" not in page.text
    assert "Products for “red”" in page.text
    assert 'name="post_type" value="product"' in page.text
    assert list_names(visitor.get("/en/?s=red&post_type=product&orderby=price").text)
    assert "A red post" in visitor.get("/en/?s=red").text


def test_what_was_searched_is_text(visitor: Visitor, make: Any) -> None:
    page = visitor.get("/en/?s=%3Cscript%3Ealert(1)%3C/script%3Ered&post_type=product")
    assert page.status == 200
    assert "<script>alert" not in page.text


def test_the_shop_may_be_the_home_page(visitor: Visitor, make: Any, configure: Any, site: Stand) -> None:
    make("Lamp")
    with site.site.work() as work:
        shop = work.stored_option("shop_shop_page_id")
    configure(show_on_front="page", page_on_front=shop)
    assert list_names(visitor.get("/en/").text) == ["Lamp"]


def test_a_theme_without_templates_shows_the_list_as_well(visitor: Visitor, make: Any, site: Stand) -> None:
    lamp = make("Lamp")
    folder = site.site.context.folder / "themes" / "bare"
    folder.mkdir(parents=True)
    (folder / "theme.json").write_text('{"version": 3}')
    (folder / "style.css").write_text("/*\nTheme Name: Bare\n*/")
    (folder.parent / "active").write_text("bare")
    page = visitor.get(SHOP)
    assert list_names(page.text) == ["Lamp"]
    assert f'name="product" value="{lamp["id"]}"' in page.text
    product = visitor.get("/en/product/lamp/")
    assert "Add to cart" in product.text
    assert ">10.00</bdi>" in product.text


def test_only_a_site_with_a_shop_has_its_templates(site: Stand, tmp_path: Path) -> None:
    def list_slugs(stand: Stand) -> set[str]:
        return {one["slug"] for one in stand.client("admin").get("/cms/v2/templates").json}

    (tmp_path / "without").mkdir()
    own = {"archive-product", "single-product", "product-search-results"}
    assert own <= list_slugs(site)
    without = made(tmp_path / "without")
    assert not own & list_slugs(Stand(without))
    assert exchange(without, "GET", "/en/?s=red&post_type=product")[0] == 200
    without.close()


def test_no_record_chooses_a_template_of_the_shop(site: Stand) -> None:
    answer = site.client("admin").post("/cms/v2/pages", {"title": "A", "template": "archive-product"})
    assert answer.status == 400

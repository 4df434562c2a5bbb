"""Blocks of products in contents: what they show, and that no attribute breaks a page or becomes markup."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from conftest import ORIGIN, Client, Stand, exchange
from pages.conftest import Visitor
from pages.shop.conftest import list_names
from vetrina.shop.blocks.block_views import BLOCKS

COLLECTION = (
    "<!-- wp:shop/product-collection {attributes} --><div><!-- wp:shop/product-template -->"
    '<!-- wp:post-title {{"isLink":true,"level":2}} /--><!-- wp:shop/product-price /-->'
    "<!-- wp:shop/product-button /--><!-- /wp:shop/product-template --></div><!-- /wp:shop/product-collection -->"
)


@pytest.fixture
def show(visitor: Visitor, site: Stand) -> Any:
    """Return the page of a content."""

    def show_content(content: str) -> str:
        answer = site.client("admin").post("/cms/v2/pages", {"title": "A", "status": "publish", "content": content})
        assert answer.status == 201
        page = visitor.get(answer.json["link"].removeprefix(ORIGIN))
        assert page.status == 200
        return page.text

    return show_content


def collect(**query: Any) -> str:
    return COLLECTION.format(attributes=json.dumps({"query": query}))


def test_a_collection_asks_as_its_attributes_say(show: Any, make: Any, manager: Client) -> None:
    paper = manager.post("/shop/v3/products/categories", {"name": "Paper"}).json
    sheet = make("Sheet", regular_price="30", categories=[{"id": paper["id"]}])
    make("Lamp", regular_price="20", sale_price="5", featured=True)
    make("Chair", stock_status="outofstock")
    make("Hidden", catalog_visibility="hidden")
    assert list_names(show(collect(orderBy="title", order="asc"))) == ["Chair", "Lamp", "Sheet"]
    assert list_names(show(collect(orderBy="price", order="desc", perPage=2))) == ["Sheet", "Chair"]
    assert list_names(show(collect(anyBrandOnSale=True))) == ["Lamp"]
    assert list_names(show(collect(featured=True))) == ["Lamp"]
    assert list_names(show(collect(anyBrandStockStatus=["outofstock"]))) == ["Chair"]
    assert list_names(show(collect(anyBrandHandPickedProducts=[sheet["id"], "x"]))) == ["Sheet"]
    assert list_names(show(collect(taxQuery={"product_cat": [paper["id"]]}))) == ["Sheet"]
    assert list_names(show(collect(priceRange={"min": 6, "max": 29.5}))) == ["Chair"]
    assert list_names(show(collect(search="hee"))) == ["Sheet"]
    assert list_names(show(collect(orderBy="title", order="asc", offset=1))) == ["Lamp", "Sheet"]


def test_blocks_answer_to_the_names_of_each_dialect(show: Any, make: Any) -> None:
    make("Lamp")
    assert list_names(show(collect().replace("wp:shop/", "wp:woo" + "commerce/"))) == ["Lamp"]


def test_the_interface_has_no_forms(make: Any, site: Stand, visitor: Visitor) -> None:
    make("Lamp")
    admin = site.client("admin")
    made = admin.post("/cms/v2/pages", {"title": "A", "status": "publish", "content": collect()}).json
    rendered = site.client().get(f"/cms/v2/pages/{made['id']}").json["content"]["rendered"]
    assert "Lamp" in rendered
    assert ">10.00</bdi>" in rendered
    assert "<form" not in rendered
    assert "View product" in rendered
    assert 'value="add-to-cart"' in visitor.get("/en/a/").text


@pytest.mark.parametrize(
    ("block", "names"),
    [("product-on-sale", ["Chair"]), ("product-new", ["Lamp", "Chair"]), ("all-products", ["Lamp", "Chair"]),
     ("product-tag", []), ("handpicked-products", [])],
)  # fmt: skip
def test_old_blocks_with_one_purpose(show: Any, make: Any, block: str, names: list[str]) -> None:
    make("Chair", sale_price="5")
    make("Lamp")
    text = show(f"<!-- wp:shop/{block} /-->")
    found = [name for name in ("Lamp", "Chair") if f">{name}</a>" in text]
    assert sorted(found) == sorted(names)


def test_categories_are_listed(show: Any, make: Any, manager: Client) -> None:
    above = manager.post("/shop/v3/products/categories", {"name": "Paper"}).json
    below = manager.post("/shop/v3/products/categories", {"name": "Maps", "parent": above["id"]}).json
    make("Map", categories=[{"id": below["id"]}])
    text = show("<!-- wp:shop/product-categories /-->")
    assert (
        'href="http://vetrina.test/en/product-category/paper/maps/">Maps</a> <span class="shop-count">1</span>' in text
    )
    assert ">Paper</a>" in text


def test_a_content_within_itself_ends(visitor: Visitor, make: Any) -> None:
    lamp = make("Lamp", description="<p>Text.</p><!-- wp:shop/product-details /-->")
    single = f'<!-- wp:shop/single-product {{"productId":{lamp["id"]}}} --><!-- wp:shop/product-details /-->'
    make("Chair", description=f"{single}<!-- /wp:shop/single-product -->")
    assert visitor.get("/en/product/lamp/").status == 200
    assert visitor.get("/en/product/chair/").text.count("Text.") == 1


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8) | st.sampled_from([HOSTILE, "javascript:alert(1)", "1,2", "asc", "-1", "shop/related", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
NAMES = st.sampled_from([
    "query", "collection", "queryId", "displayLayout", "columns", "rows", "orderby", "categories", "products", "tags",
    "attributes", "productId", "categoryId", "aspectRatio", "scale", "height", "prefix", "summaryLength", "textAlign",
    "style", "className", "align", "layout", "attributeId", "hasCount", "level", "fontSize",
])  # fmt: skip
QUERIES = st.dictionaries(
    st.sampled_from([
        "perPage", "offset", "order", "orderBy", "search", "exclude", "inherit", "taxQuery", "featured", "priceRange",
        "xOnSale", "xStockStatus", "xAttributes", "xHandPickedProducts", "productReference",
    ]), VALUES, max_size=4,
)  # fmt: skip
ATTRIBUTES = st.dictionaries(NAMES, VALUES, max_size=4) | st.fixed_dictionaries(
    {"query": QUERIES, "collection": VALUES}
)


class _Runners(HTMLParser):
    """Whatever runs on a page without being a file of the site."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "src" not in given and given.get("type") != "application/ld+json":
            self.found.append(tag)
        self.found += [name for name, value in attrs if name.startswith("on") or ("javascript:" in (value or "")
                       and name in ("href", "src", "action", "style"))]  # fmt: skip


def encode(attributes: dict[str, Any]) -> str:
    """Return attributes as an editor writes them: nothing in them ends the comment."""
    return json.dumps(attributes).replace("--", "\\u002d\\u002d").replace("<", "\\u003c")


@settings(
    max_examples=80, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(blocks=st.lists(st.tuples(st.sampled_from(sorted(BLOCKS)), ATTRIBUTES), min_size=1, max_size=4))
@example(blocks=[("shop/product-collection", {"query": HOSTILE}), ("shop/product-sku", {"prefix": HOSTILE})])
@example(blocks=[("shop/single-product", {"productId": 2**69}), ("shop/featured-category", {"categoryId": -(2**69)})])
def test_no_attribute_breaks_a_page_or_becomes_markup(
    site: Stand, manager: Client, blocks: list[tuple[str, dict[str, Any]]]
) -> None:
    inner = "<!-- wp:shop/product-template --><!-- wp:post-title /--><!-- /wp:shop/product-template -->"
    content = "".join(f"<!-- wp:{name} {encode(given)} -->{inner}<!-- /wp:{name} -->" for name, given in blocks)
    lamp = manager.get("/shop/v3/products?slug=lamp").json
    if not lamp:
        lamp = [
            manager.post(
                "/shop/v3/products", {"name": "Lamp", "slug": "lamp", "regular_price": "10", "sku": "L-1"}
            ).json
        ]
    assert manager.put(f"/shop/v3/products/{lamp[0]['id']}", {"description": content}).status == 200
    for address in ("/en/product/lamp/", f"/en/cms-json/shop/store/v1/products/{lamp[0]['id']}"):
        status, _, body = exchange(site.site, "GET", address)
        assert status == 200
        if "cms-json" not in address:
            assert _Runners(body.decode()).found == []

"""Products as records of the content interface, and their groups as terms: one store, two interfaces."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from conftest import Answer, Client, Stand, exchange, standing
from vetrina.settings import load_profile

from .background import work_off
from .test_webhooks import Receiver, hook, receiver  # noqa: F401

PRODUCTS, RECORDS = "/shop/v3/products", "/cms/v2/product"
CATEGORIES, TERMS = f"{PRODUCTS}/categories", "/cms/v2/product_cat"


def made(client: Client, path: str = PRODUCTS, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def ids(answer: Answer) -> list[int]:
    assert answer.status == 200, answer.json
    return [one["id"] for one in answer.json]


@pytest.mark.every_database
def test_a_product_is_a_record_with_terms_and_links(site: Stand, manager: Client, anyone: Client) -> None:
    mugs = made(manager, CATEGORIES, name="Mugs")
    tag = made(manager, f"{PRODUCTS}/tags", name="Clay")
    one = made(
        manager, name="Blue mug", description="<p>Holds tea.</p>", short_description="<p>Blue</p>", regular_price="12",
        categories=[{"id": mugs["id"]}], tags=[{"id": tag["id"]}], virtual=True, featured=True,
    )  # fmt: skip
    shown = anyone.get(f"{RECORDS}/{one['id']}").json
    assert list(shown) == [
        "date", "date_gmt", "guid", "id", "link", "modified", "modified_gmt", "slug", "status", "type", "class_list",
        "title", "content", "excerpt", "featured_media", "comment_status", "ping_status", "meta", "template",
        "product_brand", "product_cat", "product_tag", "lang", "translations", "_links",
    ]  # fmt: skip
    assert (shown["type"], shown["link"], shown["slug"]) == ("product", one["permalink"], "blue-mug")
    assert shown["title"] == {"rendered": "Blue mug"}
    assert shown["content"] == {"rendered": "<p>Holds tea.</p>\n", "protected": False}
    assert (shown["product_cat"], shown["product_tag"], shown["product_brand"]) == ([mugs["id"]], [tag["id"]], [])
    assert (shown["comment_status"], shown["ping_status"]) == ("open", "closed")
    assert shown["class_list"] == [
        f"post-{one['id']}", "product", "type-product", "status-publish", "product_cat-mugs", "product_tag-clay",
        "instock", "featured", "virtual", "purchasable", "product-type-simple",
    ]  # fmt: skip
    links = shown["_links"]
    assert [(at["taxonomy"], at["href"].partition("cms-json")[2]) for at in links["cms:term"]] == [
        (name, f"/cms/v2/{name}?post={one['id']}") for name in ("product_brand", "product_cat", "product_tag")
    ]
    assert links["about"][0]["href"].endswith("/cms/v2/types/product")
    embedded = anyone.get(f"{RECORDS}/{one['id']}?_embed").json["_embedded"]["cms:term"]
    assert [[term["name"] for term in terms] for terms in embedded] == [[], ["Mugs"], ["Clay"]]
    embed = anyone.get(f"{RECORDS}/{one['id']}?context=embed").json
    assert "content" not in embed
    assert embed["excerpt"]["rendered"] == "<p>Blue</p>\n"
    assert manager.get(f"{RECORDS}/{one['id']}?context=edit").json["content"]["raw"] == "<p>Holds tea.</p>"


@pytest.mark.every_database
def test_a_list_has_the_filters_and_the_orders_of_products(manager: Client, anyone: Client) -> None:
    mugs = made(manager, CATEGORIES, name="Mugs")
    cups = made(manager, CATEGORIES, name="Cups", parent=mugs["id"])
    cheap = made(manager, name="Alder mug", regular_price="3", menu_order=2, categories=[{"id": cups["id"]}])["id"]
    dear = made(manager, name="Birch mug", regular_price="9", menu_order=1, categories=[{"id": mugs["id"]}])["id"]
    free = made(manager, name="Plate", date_created="2020-01-01T00:00:00")["id"]
    assert ids(anyone.get(RECORDS)) == [dear, cheap, free]
    assert ids(anyone.get(RECORDS, query={"search": "mug", "orderby": "title", "order": "asc"})) == [cheap, dear]
    assert ids(anyone.get(RECORDS, query={"product_cat": mugs["id"]})) == [dear]
    deep = {"product_cat": {"terms": [mugs["id"]], "include_children": True}}
    assert ids(anyone.get(RECORDS, query=deep)) == [dear, cheap]
    assert ids(anyone.get(RECORDS, query={"product_cat_exclude": f"{mugs['id']},{cups['id']}"})) == [free]
    assert ids(anyone.get(RECORDS, query={"slug": "plate"})) == [free]
    assert ids(anyone.get(RECORDS, query={"before": "2021-01-01T00:00:00"})) == [free]
    assert ids(anyone.get(RECORDS, query={"exclude": f"{cheap}", "orderby": "id", "order": "asc"})) == [dear, free]
    assert ids(anyone.get(RECORDS, query={"orderby": "price", "order": "asc"})) == [free, cheap, dear]
    assert ids(anyone.get(RECORDS, query={"orderby": "price"})) == [dear, cheap, free]
    assert ids(anyone.get(RECORDS, query={"orderby": "menu_order", "order": "asc"})) == [free, dear, cheap]
    assert ids(anyone.get(RECORDS, query={"orderby": "popularity"})) == [free, dear, cheap]
    page = anyone.get(RECORDS, query={"per_page": 2, "page": 2, "_fields": "id"})
    assert (page.json, page.headers["x-cms-total"], page.headers["x-cms-totalpages"]) == ([{"id": free}], "3", "2")
    assert anyone.get(RECORDS, query={"orderby": "colour"}).code == "rest_invalid_param"


@pytest.mark.every_database
def test_readers_get_what_is_published_and_meant_to_be_seen(site: Stand, manager: Client, anyone: Client) -> None:
    seen = made(manager, name="Mug")["id"]
    hidden = made(manager, name="Secret mug", catalog_visibility="hidden")["id"]
    draft = made(manager, name="Draft mug", status="draft")["id"]
    private = made(manager, name="Private mug", status="private")["id"]
    closed = made(manager, name="Closed mug", description="<p>inside</p>", post_password="key")["id"]
    for caller in (anyone, site.client("editor"), site.client("customer")):
        answer = caller.get(RECORDS, query={"orderby": "id", "order": "asc"})
        assert (ids(answer), answer.headers["x-cms-total"]) == ([seen, closed], "2")
        assert [caller.get(f"{RECORDS}/{id}").status for id in (hidden, closed)] == [200, 200]
        assert {caller.get(f"{RECORDS}/{id}").code for id in (draft, private)} == {"rest_forbidden"}
    assert sorted(ids(manager.get(RECORDS, query={"status": "any"}))) == [seen, hidden, draft, private, closed]
    assert anyone.get(f"{RECORDS}/{closed}").json["content"] == {"rendered": "", "protected": True}
    opened = anyone.get(f"{RECORDS}/{closed}", query={"password": "key"}).json
    assert opened["content"]["rendered"] == "<p>inside</p>\n"
    # Hidden products stay hidden in a total that was cached before.
    manager.put(f"{PRODUCTS}/{seen}", {"catalog_visibility": "hidden"})
    assert (ids(anyone.get(RECORDS)), anyone.get(RECORDS).headers["x-cms-total"]) == ([closed], "1")


@pytest.mark.every_database
def test_a_record_is_written_by_the_rules_of_the_shop(manager: Client, anyone: Client) -> None:
    default = manager.get(CATEGORIES, query={"slug": "uncategorized"}).json[0]["id"]
    mugs = made(manager, CATEGORIES, name="Mugs")["id"]
    draft = made(manager, RECORDS, title="Mug", excerpt="Short")
    assert (draft["status"], draft["product_cat"]) == ("draft", [default])
    item, product = f"{RECORDS}/{draft['id']}", f"{PRODUCTS}/{draft['id']}"
    sold = {"regular_price": "12.50", "manage_stock": True, "stock_quantity": 4, "sku": "M-1"}
    assert manager.put(product, sold).json["price"] == "12.50"
    words = {
        "title": "Blue mug", "content": "<p>Holds tea.</p>", "status": "publish", "product_cat": [mugs, 99999],
        "comment_status": "closed", "slug": "blue",
    }  # fmt: skip
    changed = manager.post(item, words).json
    assert (changed["slug"], changed["product_cat"], changed["content"]["raw"]) == ("blue", [mugs], "<p>Holds tea.</p>")
    now = manager.get(product, query={"context": "edit"}).json
    assert (now["name"], now["status"], now["description"], now["short_description"]) == (
        "Blue mug", "publish", "<p>Holds tea.</p>", "Short",
    )  # fmt: skip
    assert (now["price"], now["stock_quantity"], now["sku"], now["reviews_allowed"]) == ("12.50", 4, "M-1", False)
    assert anyone.get(f"/shop/store/v1/products/{draft['id']}").json["name"] == "Blue mug"
    # A product without a category has the default one, as on the shop's own routes.
    assert manager.post(item, {"product_cat": []}).json["product_cat"] == [default]
    assert manager.post(item, {"status": "boh"}).code == "rest_invalid_param"
    assert manager.post(RECORDS, {"id": draft["id"], "title": "x"}).code == "rest_post_exists"
    assert manager.post(f"{RECORDS}/99999", {"title": "x"}).code == "rest_post_invalid_id"


@pytest.mark.every_database
def test_variations_follow_their_product(manager: Client) -> None:
    attributes = [{"name": "Size", "variation": True, "options": ["S", "L"]}]
    one = made(manager, name="Coat", type="variable", attributes=attributes)
    below = made(
        manager, f"{PRODUCTS}/{one['id']}/variations", regular_price="5", attributes=[{"name": "Size", "option": "S"}]
    )["id"]
    item, variation = f"{RECORDS}/{one['id']}", f"{PRODUCTS}/{one['id']}/variations/{below}"
    assert manager.get(f"{RECORDS}/{below}").code == "rest_post_invalid_id"
    assert manager.post(item, {"title": "Cloak"}).json["title"]["raw"] == "Cloak"
    assert manager.get(f"{PRODUCTS}/{one['id']}").json["price"] == "5"
    assert manager.get("/shop/v3/products", query={"search": "Cloak"}).json[0]["id"] == one["id"]
    assert manager.delete(item).json["status"] == "trash"
    assert manager.get(variation).json["status"] == "trash"
    again = manager.delete(item)
    assert (again.status, again.code) == (410, "rest_already_trashed")
    assert manager.post(item, {"status": "publish"}).json["slug"] == "coat"
    assert manager.get(variation).json["status"] == "publish"
    gone = manager.delete(item, query={"force": True}).json
    assert (gone["deleted"], gone["previous"]["id"]) == (True, one["id"])
    assert manager.get(f"{PRODUCTS}/{one['id']}").status == manager.get(variation).status == 404


@pytest.mark.in_process("what is outside is played in it")
def test_webhooks_hear_of_it(site: Stand, manager: Client, receiver: Receiver) -> None:  # noqa: F811
    for event in ("created", "updated", "deleted", "restored"):
        hook(manager, f"product.{event}")
    one = made(manager, RECORDS, title="Mug", status="publish")["id"]
    told = []
    for write in (
        lambda: None, lambda: manager.post(f"{RECORDS}/{one}", {"title": "Cup"}),
        lambda: manager.delete(f"{RECORDS}/{one}"), lambda: manager.post(f"{RECORDS}/{one}", {"status": "publish"}),
    ):  # fmt: skip
        write()
        work_off(site, receiver.host)
        told.append(receiver.told[-1][0]["x-shop-webhook-topic"])
    assert told == ["product.created", "product.updated", "product.deleted", "product.restored"]
    assert receiver.told[1][1]["name"] == "Cup"


def test_a_batch_writes_them(manager: Client) -> None:
    parts = [{"method": "POST", "path": RECORDS, "body": {"title": name, "status": "publish"}} for name in ("A", "B")]
    parts.append({"method": "POST", "path": TERMS, "body": {"name": "Mugs"}})
    answers = manager.post("/batch/v1", {"requests": parts}).json["responses"]
    assert [one["status"] for one in answers] == [201, 201, 201]
    assert sorted(one["name"] for one in manager.get(PRODUCTS).json) == ["A", "B"]


@pytest.mark.every_database
def test_groups_of_products_are_terms(manager: Client, anyone: Client, site: Stand) -> None:
    mugs = made(manager, CATEGORIES, name="Mugs", description="To drink from", display="products", menu_order=3)
    cups = made(manager, TERMS, name="Cups", parent=mugs["id"])
    assert manager.get(f"{CATEGORIES}/{cups['id']}").json["parent"] == mugs["id"]
    made(manager, name="Cup", categories=[{"id": cups["id"]}])
    listed = {one["name"]: one for one in anyone.get(TERMS).json}
    shop = {one["name"]: one["count"] for one in manager.get(CATEGORIES).json}
    assert {name: one["count"] for name, one in listed.items()} == shop == {"Uncategorized": 0, "Mugs": 1, "Cups": 1}
    assert listed["Mugs"] == {
        **listed["Mugs"], "description": "To drink from", "slug": "mugs", "taxonomy": "product_cat", "parent": 0,
        "meta": {}, "link": "http://vetrina.test/en/product-category/mugs/",
    }  # fmt: skip
    assert listed["Cups"]["link"] == "http://vetrina.test/en/product-category/mugs/cups/"
    assert ids(anyone.get(TERMS, query={"parent": mugs["id"]})) == [cups["id"]]
    assert ids(anyone.get(TERMS, query={"search": "mug"})) == ids(anyone.get(TERMS, query={"slug": "mugs"}))
    assert "Uncategorized" not in [one["name"] for one in anyone.get(TERMS, query={"hide_empty": True}).json]
    changed = manager.post(f"{TERMS}/{mugs['id']}", {"name": "Big mugs"}).json
    kept = manager.get(f"{CATEGORIES}/{mugs['id']}").json
    assert (changed["name"], kept["name"], kept["display"], kept["menu_order"]) == (
        "Big mugs", "Big mugs", "products", 3,
    )  # fmt: skip
    assert manager.post(TERMS, {"name": "Cups", "parent": mugs["id"]}).code == "term_exists"
    assert manager.delete(f"{TERMS}/{cups['id']}").code == "rest_trash_not_supported"
    assert manager.delete(f"{TERMS}/{cups['id']}", query={"force": True}).json["deleted"] is True
    assert [one["slug"] for one in manager.get(PRODUCTS).json[0]["categories"]] == ["uncategorized"]
    default = manager.get(CATEGORIES, query={"slug": "uncategorized"}).json[0]["id"]
    assert manager.delete(f"{TERMS}/{default}", query={"force": True}).code == "rest_cannot_delete"
    assert site.client("editor").post(TERMS, {"name": "x"}).code == "rest_cannot_create"
    for base in ("product_tag", "product_brand"):
        one = made(manager, f"/cms/v2/{base}", name="Blue")
        assert anyone.get(f"/cms/v2/{base}/{one['id']}").json["taxonomy"] == base


def test_the_interface_tells_of_them(manager: Client, anyone: Client, site: Stand) -> None:
    types = anyone.get("/cms/v2/types").json
    assert types["product"]["rest_base"] == "product"
    assert "product_variation" not in types
    one = manager.get("/cms/v2/types/product", query={"context": "edit"}).json
    assert (one["hierarchical"], one["viewable"], one["taxonomies"]) == (
        False, True, ["product_brand", "product_cat", "product_tag"],
    )  # fmt: skip
    assert set(one["supports"]) == {"title", "editor", "excerpt", "thumbnail", "comments", "custom-fields"}
    assert one["capabilities"]["edit_others_posts"] == "edit_others_products"
    assert one["labels"]["add_new_item"] == "Add Product"
    assert site.client("editor").get("/cms/v2/types/product?context=edit").code == "rest_forbidden_context"
    taxonomies = manager.get("/cms/v2/taxonomies", query={"type": "product", "context": "edit"}).json
    assert {name: found["hierarchical"] for name, found in taxonomies.items()} == {
        "product_brand": True, "product_cat": True, "product_tag": False,
    }  # fmt: skip
    assert taxonomies["product_cat"]["capabilities"]["manage_terms"] == "manage_product_terms"
    assert taxonomies["product_cat"]["visibility"]["show_ui"] is True


@pytest.mark.every_database
def test_a_search_of_the_site_finds_products(manager: Client, anyone: Client) -> None:
    one = made(manager, name="Blue mug")
    made(manager, name="Hidden mug", catalog_visibility="hidden")
    mugs = made(manager, CATEGORIES, name="Mugs")
    [found] = anyone.get("/cms/v2/search", query={"search": "mug", "subtype": "product"}).json
    assert (found["id"], found["subtype"], found["url"]) == (one["id"], "product", one["permalink"])
    assert found["_links"]["self"][0]["href"].endswith(f"{RECORDS}/{one['id']}")
    [term] = anyone.get("/cms/v2/search", query={"search": "mug", "type": "term", "subtype": "product_cat"}).json
    assert (term["id"], term["type"]) == (mugs["id"], "product_cat")


def test_a_closed_shop_keeps_them(site: Stand, manager: Client, anyone: Client) -> None:
    one = made(manager, name="Blue mug")["id"]
    manager.post("/shop-admin/launch-your-store/initialize-coming-soon", {})
    manager.post("/shop-admin/options", {"shop_store_pages_only": "yes"})
    for path in (RECORDS, f"{RECORDS}/{one}", TERMS):
        assert (anyone.get(path).status, anyone.get(path).code) == (401, "shop_rest_coming_soon")
        assert manager.get(path).status == 200
    assert anyone.get("/cms/v2/search", query={"search": "mug"}).json == []
    assert ids(manager.get("/cms/v2/search", query={"search": "mug"})) == [one]
    assert b"Blue mug" not in exchange(site.site, "GET", "/en/?s=mug")[2]


def test_whoever_sells_is_not_named_by_it(site: Stand, manager: Client, anyone: Client) -> None:
    made(manager, name="Mug")
    me = manager.get("/cms/v2/users/me").json["id"]
    assert anyone.get(f"/cms/v2/users/{me}").code == "rest_user_cannot_view"


def test_both_dialects_have_them(request: pytest.FixtureRequest, kind: str) -> None:
    profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    with standing(request, profile, "_shop") as stand:
        foreign = stand.client("shop_manager", root="/en/wp-json")
        one = foreign.post("/wp/v2/product", {"title": "Mug", "status": "publish"}).json
        assert foreign.get(f"/wc/v3/products/{one['id']}").json["name"] == "Mug"
        assert [at["taxonomy"] for at in one["_links"]["wp:term"]] == ["product_brand", "product_cat", "product_tag"]
        assert foreign.get("/wp/v2/types/product").json["rest_namespace"] == "wp/v2"
        assert foreign.get("/wp/v2/product_cat").json[0]["_links"]["wp:post_type"][0]["href"].partition("wp-json")[2] \
            == f"/wp/v2/product?product_cat={one['product_cat'][0]}"  # fmt: skip


@pytest.mark.parametrize("path", [RECORDS, TERMS, "/cms/v2/types/product", "/cms/v2/taxonomies/product_cat"])
def test_a_site_without_a_shop_has_nothing_of_it(request: pytest.FixtureRequest, kind: str, path: str) -> None:
    with standing(request, load_profile("first")) as stand:
        assert stand.client("admin").get(path).status == 404

"""Products: effects of a write, stock, scheduled sales, validation."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock, Stand
from vetrina.backends import job_queue
from vetrina.kernel import times
from vetrina.shop.products import stock as product_stock
from vetrina.system import job_runner
from vetrina.system.integrity_rules import RULES

PRODUCTS = "/shop/v3/products"


def made(client: Client, path: str = PRODUCTS, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def read(client: Client, of: dict[str, Any]) -> dict[str, Any]:
    answer = client.get(f"{PRODUCTS}/{of['id']}")
    assert answer.status == 200, answer.json
    found: dict[str, Any] = answer.json
    return found


def at(clock: SetClock, seconds: int) -> str:
    return times.format_iso(clock.now() + seconds)


def carry_out(stand: Stand) -> None:
    """Run the jobs that are due."""
    with stand.site.work() as work:
        for job in job_queue.list_jobs(work.tx):
            if job.state == "waiting" and job.due <= work.now:
                job_runner.collect_background_tasks(stand.site.context.modules).handlers[job.kind](work, job.arguments)


@pytest.mark.every_database
def test_a_product_needs_nothing(manager: Client, site: Stand) -> None:
    one = made(manager)
    assert (one["name"], one["type"], one["status"], one["price"]) == ("Product", "simple", "publish", "")
    assert [group["slug"] for group in one["categories"]] == ["uncategorized"]
    stored = site.stored(one["id"])
    assert stored is not None
    assert (stored.type, stored.slug) == ("product", "product")


@pytest.mark.every_database
def test_dates_of_creation_are_read_as_gmt_and_unreadable_ones_passed_over(manager: Client, clock: SetClock) -> None:
    one = made(manager, name="Old", date_created="2021-03-01T10:00:00")
    assert (one["date_created"], one["date_created_gmt"]) == ("2021-03-01T11:00:00", "2021-03-01T10:00:00")
    odd = made(manager, name="Odd", date_created="some day")
    assert odd["date_created_gmt"][:10] == times.format_iso(clock.now())[:10]


@pytest.mark.every_database
def test_an_unknown_category_is_the_default_one_and_an_unknown_class_none(manager: Client) -> None:
    one = made(manager, name="A", categories=[{"id": 9999}], shipping_class="no-such-class")
    assert [group["name"] for group in one["categories"]] == ["Uncategorized"]
    assert (one["shipping_class"], one["shipping_class_id"]) == ("", 0)


@pytest.mark.every_database
def test_a_sale_is_on_between_its_dates_and_lists_follow(manager: Client, site: Stand, clock: SetClock) -> None:
    one = made(
        manager, name="Coat", regular_price="20", sale_price="15",
        date_on_sale_from_gmt=at(clock, 3600), date_on_sale_to_gmt=at(clock, 7200),
    )  # fmt: skip

    def seen() -> tuple[str, bool, list[int], list[int]]:
        found = read(manager, one)
        on_sale = manager.get(PRODUCTS, query={"on_sale": True}).json
        cheap = manager.get(PRODUCTS, query={"max_price": "16"}).json
        return found["price"], found["on_sale"], [row["id"] for row in on_sale], [row["id"] for row in cheap]

    assert seen() == ("20", False, [], [])
    clock.forward(3601)
    assert seen()[:2] == ("15", True), "a single product looks at the clock itself"
    carry_out(site)
    assert seen() == ("15", True, [one["id"]], [one["id"]])
    clock.forward(3601)
    carry_out(site)
    assert seen() == ("20", False, [], [])


@pytest.mark.every_database
def test_a_date_of_a_sale_stays_with_null_and_goes_with_nothing(manager: Client) -> None:
    one = made(manager, name="Coat", regular_price="20", sale_price="15", date_on_sale_to="2090-01-01T00:00:00")
    item = f"{PRODUCTS}/{one['id']}"
    assert manager.put(item, {"date_on_sale_to": None}).json["date_on_sale_to"] == "2090-01-01T00:00:00"
    assert manager.put(item, {"date_on_sale_to": ""}).json["date_on_sale_to"] is None


@pytest.mark.every_database
def test_a_group_costs_what_its_cheapest_member_does_and_follows_it(manager: Client) -> None:
    cup, saucer = made(manager, name="Cup", regular_price="5"), made(manager, name="Saucer", regular_price="3")
    group = made(manager, name="Set", type="grouped", grouped_products=[cup["id"], saucer["id"]])
    assert (group["price"], group["regular_price"]) == ("3", "")
    manager.put(f"{PRODUCTS}/{saucer['id']}", {"regular_price": "7"})
    assert read(manager, group)["price"] == "5"
    manager.delete(f"{PRODUCTS}/{cup['id']}", query={"force": True})
    assert (read(manager, group)["price"], read(manager, group)["grouped_products"]) == ("7", [cup["id"], saucer["id"]])


@pytest.mark.every_database
def test_a_stock_number_in_the_trash_is_free_for_products_that_are_there(manager: Client) -> None:
    one, other = made(manager, name="A", sku="N-1"), made(manager, name="B")
    assert manager.post(PRODUCTS, {"name": "C", "sku": "n-1"}).code == "product_invalid_sku"
    manager.delete(f"{PRODUCTS}/{one['id']}")
    assert manager.put(f"{PRODUCTS}/{other['id']}", {"sku": "N-1"}).json["sku"] == "N-1"


@pytest.mark.every_database
def test_a_copy_is_a_draft_with_everything_of_the_product(manager: Client) -> None:
    tag = made(manager, f"{PRODUCTS}/tags", name="Blue")
    one = made(
        manager, name="Vase", sku="V", regular_price="5", tags=[{"id": tag["id"]}],
        attributes=[{"name": "Size", "variation": True, "options": ["S", "L"]}], type="variable",
        meta_data=[{"key": "origin", "value": {"town": "Faenza"}}],
    )  # fmt: skip
    made(manager, f"{PRODUCTS}/{one['id']}/variations", regular_price="6", sku="V-S",
         attributes=[{"name": "Size", "option": "S"}])  # fmt: skip
    answer = manager.post(f"{PRODUCTS}/{one['id']}/duplicate", {})
    copy = answer.json
    assert (answer.status, copy["name"], copy["status"], copy["slug"], copy["sku"]) == (
        200, "Vase (Copy)", "draft", "", "V-1",
    )  # fmt: skip
    assert [meta["value"] for meta in copy["meta_data"]] == [{"town": "Faenza"}]
    assert [group["name"] for group in copy["tags"]] == ["Blue"]
    parts = manager.get(f"{PRODUCTS}/{copy['id']}/variations").json
    assert [(part["sku"], part["name"], part["regular_price"]) for part in parts] == [("V-S-1", "S", "6")]


@pytest.mark.every_database
def test_extra_fields_keep_their_numbers_and_go_with_null(manager: Client) -> None:
    one = made(manager, name="A", meta_data=[{"key": "a", "value": 1}, {"key": "b", "value": [2]}])
    first, second = one["meta_data"]
    item = f"{PRODUCTS}/{one['id']}"
    answer = manager.put(
        item, {"meta_data": [{"key": "a", "value": "x"}, {"id": second["id"], "key": "c", "value": 3}]}
    )
    assert answer.json["meta_data"] == [
        {"id": first["id"], "key": "a", "value": "x"},
        {"id": second["id"], "key": "c", "value": 3},
    ]
    answer = manager.put(item, {"meta_data": [{"key": "a", "value": None}]})
    assert [meta["key"] for meta in answer.json["meta_data"]] == ["c"]
    assert manager.get(f"{PRODUCTS}/custom-fields/names").json == ["c"]


@pytest.mark.every_database
def test_a_batch_writes_each_member_by_itself(manager: Client) -> None:
    taken = made(manager, name="Taken", sku="T")
    answer = manager.post(
        f"{PRODUCTS}/batch",
        {
            "create": [{"name": "Good", "type": "rocket", "regular_price": 5}, {"name": "Bad", "sku": "T"}],
            "update": [{"id": taken["id"], "name": "Renamed"}, {"id": 9999, "name": "x"}],
            "delete": [9999],
        },
    )
    assert answer.status == 200
    good, bad = answer.json["create"]
    assert (good["type"], good["regular_price"], good["_links"]["collection"] != []) == ("simple", "5", True)
    assert (bad["id"], bad["error"]["code"]) == (0, "product_invalid_sku")
    assert answer.json["update"][0]["name"] == "Renamed"
    assert answer.json["update"][1]["error"] | {"message": ""} == {
        "code": "shop_rest_product_invalid_id", "message": "", "data": {"status": 400},
    }  # fmt: skip
    assert answer.json["delete"][0]["error"]["data"] == {"status": 404}
    assert [row["name"] for row in manager.get(PRODUCTS, query={"orderby": "id", "order": "asc"}).json] == [
        "Renamed", "Good",
    ]  # fmt: skip


def test_a_batch_of_more_than_a_hundred_is_refused_and_an_empty_one_answered(manager: Client) -> None:
    answer = manager.post(f"{PRODUCTS}/batch", {"create": [{}] * 60, "delete": [1] * 41})
    assert (answer.status, answer.code) == (413, "shop_rest_request_entity_too_large")
    assert manager.post(f"{PRODUCTS}/batch", {}).json == {}
    assert manager.post(f"{PRODUCTS}/batch", {"create": ["x"]}).json["create"][0]["error"]["data"]["status"] == 400


@pytest.mark.every_database
def test_stock_follows_from_what_is_taken_and_given_back(manager: Client, site: Stand) -> None:
    one = made(manager, name="Mug", regular_price="4", manage_stock=True, stock_quantity=3)
    with site.site.work() as work:
        moved = product_stock.reduce_stock(work, one["id"], 3)
        assert moved is not None
        assert (moved.before, moved.after) == (3, 0)
    assert (read(manager, one)["stock_quantity"], read(manager, one)["stock_status"]) == (0, "outofstock")
    with site.site.work() as work:
        product_stock.increase_stock(work, one["id"], 2)
        assert product_stock.reduce_stock(work, 9999, 1) is None
    assert (read(manager, one)["stock_quantity"], read(manager, one)["stock_status"]) == (2, "instock")


@pytest.mark.parametrize("login", ["", "customer", "subscriber", "author", "editor"])
def test_only_who_runs_the_shop_reads_and_writes_products(site: Stand, manager: Client, login: str) -> None:
    one = made(manager, name="A")
    client, status = site.client(login), 403 if login else 401
    item = f"{PRODUCTS}/{one['id']}"
    for answer, code in (
        (client.get(PRODUCTS), "view"), (client.get(item), "view"), (client.post(PRODUCTS, {"name": "x"}), "create"),
        (client.put(item, {"name": "x"}), "edit"), (client.delete(item), "delete"),
        (client.post(f"{PRODUCTS}/batch", {"delete": [one["id"]]}), "batch"),
    ):  # fmt: skip
        assert (answer.status, answer.code) == (status, f"shop_rest_cannot_{code}")
    assert client.get(f"{PRODUCTS}/9999").code == "shop_rest_product_invalid_id"


def test_a_product_has_a_page_and_its_variations_no_route_of_the_content_interface(
    manager: Client, anyone: Client
) -> None:
    one = made(manager, name="Mug")
    assert one["permalink"] == "http://vetrina.test/en/product/mug/"
    assert anyone.get("/cms/v2/product_variation").code == "rest_no_route"
    assert anyone.get("/cms/v2/product_shipping_class").code == "rest_no_route"
    assert "product_variation" not in anyone.get("/cms/v2/types").json
    assert "product_shipping_class" not in anyone.get("/cms/v2/taxonomies").json


@pytest.mark.every_database
def test_what_a_catalogue_does_breaks_no_rule_of_the_data(manager: Client, site: Stand) -> None:
    attributes = [{"name": "Size", "variation": True, "options": ["S", "L"]}]
    colour = made(manager, f"{PRODUCTS}/attributes", name="Colour")
    one = made(manager, name="Coat", type="variable", sku="C", attributes=attributes)
    shared = [*attributes, {"id": colour["id"], "options": ["Red"]}]
    manager.post(f"{PRODUCTS}/{one['id']}/variations/generate", {"default_values": {"regular_price": "5"}})
    manager.put(f"{PRODUCTS}/{one['id']}", {"attributes": shared, "name": "Cloak"})
    copy = manager.post(f"{PRODUCTS}/{one['id']}/duplicate", {}).json
    manager.delete(f"{PRODUCTS}/{copy['id']}")
    gone = made(manager, name="Gone", categories=[{"id": made(manager, f"{PRODUCTS}/categories", name="A")["id"]}])
    manager.delete(f"{PRODUCTS}/{gone['id']}", query={"force": True})
    with site.site.work(read=True) as work:
        assert [line for rule in RULES for line in rule.broken(work)] == []


@pytest.mark.every_database
def test_older_versions_show_the_same_product_in_their_own_shape(manager: Client) -> None:
    attributes = [{"name": "Size", "variation": True, "options": ["S", "L"]}]
    given = {"type": "variable", "attributes": attributes, "variations": [
        {"regular_price": "6", "attributes": [{"name": "Size", "option": "S"}], "in_stock": True},
    ]}  # fmt: skip
    one = manager.post("/shop/v1/products", {"name": "Coat", **given}).json
    assert (one["price"], one["download_type"], one["variations"][0]["regular_price"]) == ("6", "standard", "6")
    two = manager.get(f"/shop/v2/products/{one['id']}").json
    assert (two["in_stock"], two["images"][0]["name"], two["variations"]) == (
        True, "Placeholder", [one["variations"][0]["id"]],
    )  # fmt: skip
    assert not {"stock_status", "has_options", "global_unique_id"} & two.keys()
    part = manager.get(f"/shop/v2/products/{one['id']}/variations/{two['variations'][0]}").json
    assert (part["visible"], part["in_stock"], part["image"]["position"]) == (True, True, 0)
    assert part["_links"]["up"][0]["href"].endswith(f"/shop/v2/products/{one['id']}")
    assert manager.get(f"/shop/v2/products/{one['id']}/related").json == {"related_ids": []}
    assert manager.get("/shop/v2/products", query={"_fields": "in_stock"}).json == [{"in_stock": True}]
    changed = manager.put(f"/shop/v2/products/{one['id']}/variations/{part['id']}", {"in_stock": False}).json
    assert changed["in_stock"] is False
    assert [row["id"] for row in manager.get("/shop/v2/products", query={"in_stock": False}).json] == [one["id"]]
    body = {"create": [{"name": "B"}], "update": [{"id": 9999}]}
    answer = manager.post("/shop/v2/products/batch", body).json
    assert ("in_stock" in answer["create"][0], "error" in answer["update"][0]) == (True, True)


def test_who_runs_the_shop_writes_no_scripts_into_the_site(manager: Client) -> None:
    written = {"title": "Notice", "content": "<script>x()</script><b>Open</b>", "status": "publish"}
    post = manager.post("/cms/v2/posts", written).json
    assert post["content"]["raw"] == "x()<b>Open</b>"
    assert "cms:action-unfiltered-html" not in post["_links"]


def test_a_new_product_has_only_the_members_that_are_asked_for(manager):
    made = manager.post("/shop/v3/products?_fields=id", {"name": "Lamp"})
    assert (made.status, set(made.json)) == (201, {"id"})
    assert set(manager.get(f"/shop/v3/products/{made.json['id']}?_fields=id").json) == {"id", "_links"}

"""The shop's lists under the URLs of the reports, where they differ from `shop/v3`."""

from __future__ import annotations

import pytest

from conftest import Client

BASE = "/shop-analytics"


def _ids(client: Client, path: str, **query: object) -> list[int]:
    answer = client.get(f"{BASE}/{path}", query=query)
    assert answer.status == 200, answer.json
    return sorted(one["id"] for one in answer.json)


@pytest.mark.every_database
def test_products_are_found_by_names_stock_numbers_and_low_stock(manager: Client) -> None:
    def product(**members: object) -> int:
        made = manager.post("/shop/v3/products", {"regular_price": "1", **members})
        assert made.status == 201, made.json
        return int(made.json["id"])

    low = product(name="Red <b>cup</b>", sku="AA-1", manage_stock=True, stock_quantity=1)
    none = product(name="Blue bowl", sku="CUP-2", manage_stock=True, stock_quantity=0)
    full = product(name="Green plate", sku="AA-3", manage_stock=True, stock_quantity=50)
    own = product(name="Own mark", sku="AA-4", manage_stock=True, stock_quantity=5, low_stock_amount=6)
    free = product(name="Not counted", sku="AA-5")
    assert _ids(manager, "products", search="cup") == [low, none]
    assert _ids(manager, "products", search="aa-") == [low, full, own, free]
    assert _ids(manager, "products", low_in_stock=True) == [low, none, own]
    assert _ids(manager, "products", low_in_stock=True, include=[own, full]) == [own]
    assert _ids(manager, "products", low_in_stock=True, include=[full]) == []
    assert len(_ids(manager, "products", low_in_stock=False)) == 5
    above = product(name="Coat", type="variable", tax_status="none")
    given = {"regular_price": "1", "manage_stock": True, "stock_quantity": 2}
    part = manager.post(f"/shop/v3/products/{above}/variations", given).json["id"]
    assert _ids(manager, "products", low_in_stock=True) == [low, none, own, part]
    shown = manager.get(f"{BASE}/products", query={"low_in_stock": True, "include": [part]}).json[0]
    assert (shown["type"], shown["total_sales"], shown["shipping_taxable"]) == ("variation", "0", False)
    assert manager.get(f"{BASE}/products/{low}").json["name"] == "Red cup"


@pytest.mark.every_database
def test_orders_are_found_by_the_beginning_of_their_numbers(manager: Client) -> None:
    numbers = [manager.post("/shop/v3/orders", {"status": "processing"}).json["id"] for _ in range(3)]
    for begin in (str(numbers[0]), str(numbers[0])[:1]):
        wanted = [id for id in numbers if str(id).startswith(begin)]
        assert _ids(manager, "orders", number=begin) == wanted
    assert _ids(manager, "orders", number="%") == []
    assert _ids(manager, "orders", number="x1") == []
    assert len(_ids(manager, "orders", number="")) == 3


def test_tax_rates_are_found_by_code_and_number(manager: Client) -> None:
    ids = [
        manager.post("/shop/v3/taxes", {"country": country, "state": state, "rate": "5", "name": name}).json["id"]
        for country, state, name in (("IT", "", "Vat"), ("US", "CA", "Sales"), ("US", "NY", "Sales"))
    ]
    assert _ids(manager, "taxes", search="us-") == ids[1:]
    assert _ids(manager, "taxes", search="it-vat-1") == ids[:1]
    assert _ids(manager, "taxes", include=ids[:2]) == ids[:2]
    assert _ids(manager, "taxes") == ids
    answer = manager.get(f"{BASE}/taxes", query={"search": "sales", "per_page": 1, "page": 2})
    assert [one["id"] for one in answer.json] == ids[2:]
    assert (answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ("2", "2")


def test_local_attributes_are_found_by_their_slug(manager: Client) -> None:
    shared = manager.post("/shop/v3/products/attributes", {"name": "Fit"}).json
    first = manager.post(
        "/shop/v3/products",
        {"name": "A", "attributes": [{"name": "Neck Line", "options": ["V", "Crew"]},
                                     {"id": shared["id"], "options": ["Wide"]}]},
    ).json["id"]  # fmt: skip
    manager.post("/shop/v3/products", {"name": "B", "attributes": [{"name": "Neck Line", "options": ["Crew"]}]})
    path = f"{BASE}/products/attributes"
    found = manager.get(f"{path}/neck-line").json
    assert (found["id"], found["name"], found["slug"]) == ("neck-line", "Neck Line", "neck-line")
    assert [(one["name"], one["count"]) for one in manager.get(f"{path}/neck-line/terms").json] == [
        ("Crew", 2), ("V", 1),
    ]  # fmt: skip
    terms = manager.get(f"{path}/neck-line/terms", query={"search": "v", "product": first})
    assert [one["slug"] for one in terms.json] == ["v"]
    for unknown in ("pa_fit", "fit", "sleeve"):
        assert manager.get(f"{path}/{unknown}").code == "shop_rest_product_attribute_not_found"
        assert manager.get(f"{path}/{unknown}/terms").status == 404
    assert manager.get(f"{path}/{shared['id']}").json["name"] == "Fit"


def test_locales_say_what_countries_ask_of_addresses(manager: Client) -> None:
    found = manager.get(f"{BASE}/data/countries/locales").json
    assert found["US"]["state"]["label"] == "State"
    assert found["IE"]["postcode"]["required"] is False
    assert found["default"]["postcode"]["required"] is True
    assert set(manager.get(f"{BASE}/data/countries", query={"_fields": "code"}).json[0]) >= {"code"}
    assert len(found) == len(manager.get(f"{BASE}/data/countries").json) + 1


def test_the_rooms_of_data_name_the_addresses_of_downloads(manager: Client) -> None:
    rooms = manager.get(f"{BASE}/data")
    assert [one["slug"] for one in rooms.json] == ["continents", "countries", "currencies", "download-ips"]
    assert rooms.json[3]["_links"]["self"][0]["href"].endswith(f"{BASE}/data/download-ips")
    assert rooms.headers["x-cms-total"] == "4"
    named = manager.get(f"{BASE}/data", query={"_fields": "slug"}).json[3]
    assert (named["slug"], "description" in named) == ("download-ips", False)
    assert len(manager.get("/shop/v3/data").json) == 3


def test_what_runs_out_says_when_it_was_last_ordered(manager: Client) -> None:
    cup = manager.post("/shop/v3/products", {"name": "Cup", "manage_stock": True, "stock_quantity": 2}).json["id"]
    pot = manager.post("/shop/v3/products", {"name": "Pot", "manage_stock": True, "stock_quantity": 1}).json["id"]
    lines = [{"product_id": cup, "quantity": 1}]
    order = manager.post("/shop/v3/orders", {"line_items": lines, "status": "completed"}).json
    scarce = manager.get(f"{BASE}/products/low-in-stock").json
    assert {one["id"]: one["last_order_date"] for one in scarce} == {cup: order["date_created"], pot: None}
    listed = manager.get(f"{BASE}/products", query={"low_in_stock": True}).json
    assert {one["id"]: one.get("last_order_date") for one in listed} == {cup: order["date_created"], pot: None}
    assert "last_order_date" not in manager.get(f"{BASE}/products").json[0]


def test_products_say_what_of_them_may_be_embedded(manager: Client) -> None:
    members = manager.options(f"{BASE}/products").json["schema"]["properties"]
    embedded = [name for name, member in members.items() if "embed" in member["context"]]
    assert sorted(embedded) == sorted(
        ["id", "name", "slug", "permalink", "description", "short_description", "brands", "images"]
    )
    assert members["last_order_date"]["readonly"]
    assert "last_order_date" not in manager.options("/shop/v3/products").json["schema"]["properties"]


def test_shared_attributes_are_written_here_as_there(manager: Client, customer: Client) -> None:
    path, other = f"{BASE}/products/attributes", "/shop/v3/products/attributes"
    made = manager.post(path, {"name": "Fit", "order_by": "name"})
    assert (made.status, made.json["slug"]) == (201, "pa_fit")
    assert made.headers["location"].endswith(f"{path}/{made.json['id']}")
    one, there = f"{path}/{made.json['id']}", f"{other}/{made.json['id']}"
    assert manager.put(one, {"name": "Cut"}).json["name"] == manager.get(there).json["name"] == "Cut"
    assert manager.patch(one, {"has_archives": True}).json["has_archives"] is True
    wide = manager.post(f"{one}/terms", {"name": "Wide", "menu_order": 2})
    assert (wide.status, wide.json["slug"]) == (201, "wide")
    term = f"{one}/terms/{wide.json['id']}"
    assert manager.put(term, {"name": "Wider"}).json["name"] == "Wider"
    assert [row["name"] for row in manager.get(f"{there}/terms").json] == ["Wider"]
    batch = manager.post(f"{one}/terms/batch", {"create": [{"name": "Slim"}], "update": [{"id": wide.json["id"]}]})
    assert [row["name"] for row in batch.json["create"]] == ["Slim"]
    assert manager.delete(f"{term}?force=true").status == 200
    assert [row["name"] for row in manager.get(f"{one}/terms").json] == ["Slim"]
    for answer in (
        customer.post(path, {"name": "No"}), customer.put(one, {"name": "No"}), customer.delete(f"{one}?force=true"),
        customer.post(f"{one}/terms", {"name": "No"}),
    ):  # fmt: skip
        assert answer.status == 403
    assert manager.post(path, {}).code == "rest_missing_callback_param"
    assert manager.delete(f"{one}?force=true").status == 200
    assert manager.get(there).status == 404


def test_an_attribute_gets_a_slug_of_its_own_where_that_is_asked_for(manager: Client) -> None:
    path = f"{BASE}/products/attributes"
    first = manager.post(path, {"name": "Fit"}).json
    assert manager.post(path, {"name": "Fit"}).status == 400
    second = manager.post(path, {"name": "Fit", "generate_slug": True})
    assert (second.status, second.json["name"]) == (201, "Fit")
    assert second.json["slug"] not in ("", first["slug"])
    third = manager.post("/shop/v3/products/attributes", {"name": "Fit", "generate_slug": True}).json
    assert len({first["slug"], second.json["slug"], third["slug"]}) == 3
    long = {"name": "A name that is longer than a slug may be", "generate_slug": True}
    slugs = {manager.post(path, long).json["slug"] for _ in range(2)}
    assert len(slugs) == 2
    assert all(len(slug) <= len("pa_") + 28 for slug in slugs)

"""What the shop's own lists answer under the addresses of the reports, where that differs from `shop/v3`."""

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

"""Taxes, shipping, gateways, settings, locations and legacy reports over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

TAXES, CLASSES = "/shop/v3/taxes", "/shop/v3/taxes/classes"
ZONES, GATEWAYS, SETTINGS = "/shop/v3/shipping/zones", "/shop/v3/payment_gateways", "/shop/v3/settings"
ORDERS, PRODUCTS = "/shop/v3/orders", "/shop/v3/products"


def made(client: Client, path: str, **given: Any) -> dict[str, Any]:
    answer = client.post(path, given)
    assert answer.status == 201, answer.json
    return dict(answer.json)


def setting(client: Client, name: str, value: Any, group: str = "tax") -> None:
    answer = client.put(f"{SETTINGS}/{group}/{name}", {"value": value})
    assert answer.status == 200, answer.json


# -- taxes


@pytest.mark.every_database
def test_a_rate_is_kept_as_the_interface_shows_it(site: Stand, manager: Client) -> None:
    body = made(
        manager, TAXES, country="it", state="rm", rate="8.875", postcodes=["10000...10099", "2*"], cities=["Roma"]
    )
    assert (body["country"], body["state"], body["rate"], body["cities"]) == ("IT", "RM", "8.8750", ["ROMA"])
    assert (body["postcodes"], body["postcode"]) == (["10000...10099", "2*"], "2*")
    assert (body["priority"], body["shipping"], body["compound"], body["order"], body["class"]) == (
        1, True, False, 0, "standard",
    )  # fmt: skip
    path = f"{TAXES}/{body['id']}"
    assert manager.put(path, {"cities": []}).json["cities"] == ["ROMA"]
    assert manager.put(path, {"rate": "abc"}).json["rate"] == "0.0000"
    assert made(manager, TAXES)["rate"] == ""
    assert manager.post(TAXES, {"class": "nonsense"}).status == 400
    assert (manager.get(f"{TAXES}/999").status, manager.get(f"{TAXES}/999").code) == (404, "shop_rest_invalid_id")
    assert manager.delete(f"{TAXES}/999", query={"force": "true"}).status == 400
    assert manager.delete(path).code == "shop_rest_trash_not_supported"
    assert manager.delete(path, query={"force": "true"}).status == 200


@pytest.mark.every_database
def test_a_class_takes_its_rates_along(site: Stand, manager: Client) -> None:
    assert [one["slug"] for one in manager.get(CLASSES).json] == ["standard", "reduced-rate", "zero-rate"]
    assert made(manager, CLASSES, name="Luxury goods")["slug"] == "luxury-goods"
    assert manager.post(CLASSES, {"name": "Luxury goods"}).status == 400
    assert [one["name"] for one in manager.get(f"{CLASSES}/luxury-goods").json] == ["Luxury goods"]
    rate = made(manager, TAXES, **{"class": "luxury-goods"})["id"]
    assert manager.delete(f"{CLASSES}/standard", query={"force": "true"}).status == 404
    assert manager.delete(f"{CLASSES}/luxury-goods", query={"force": "true"}).status == 200
    assert manager.get(f"{TAXES}/{rate}").status == 404


@pytest.mark.every_database
def test_the_most_local_rate_of_each_priority_holds(site: Stand, manager: Client) -> None:
    setting(manager, "shop_calc_taxes", "yes", "general")
    for given in (
        {"country": "IT", "rate": "20", "name": "Land"},
        {"country": "IT", "state": "RM", "rate": "10", "name": "Province"},
        {"country": "IT", "postcodes": ["00100...00199"], "rate": "4", "name": "Town"},
        {"country": "IT", "rate": "1", "name": "Second", "priority": 2},
        {"country": "", "rate": "50", "name": "World"},
    ):
        made(manager, TAXES, **given)
    id = made(manager, PRODUCTS, name="Lamp", regular_price="100")["id"]

    def taxes(**place: str) -> list[str]:
        lines = [{"product_id": id, "quantity": 1}]
        body = made(manager, ORDERS, line_items=lines, shipping=place, billing={"country": "DE"})
        return sorted(one["label"] for one in body["tax_lines"])

    assert taxes(country="IT", state="MI") == ["Land", "Second"]
    assert taxes(country="IT", state="RM") == ["Province", "Second"]
    assert taxes(country="IT", state="RM", postcode="00150") == ["Province", "Second"]
    assert taxes(country="IT", state="MI", postcode="00150") == ["Second", "Town"]
    assert taxes(country="FR") == ["World"]
    setting(manager, "shop_tax_based_on", "billing")
    assert taxes(country="IT") == ["World"]


def test_a_deleted_rate_leaves_old_orders_as_they_are(manager: Client) -> None:
    setting(manager, "shop_calc_taxes", "yes", "general")
    rate = made(manager, TAXES, country="IT", rate="10", name="IVA")["id"]
    id = made(manager, PRODUCTS, name="Lamp", regular_price="100")["id"]
    order = made(
        manager, ORDERS, shipping={"country": "IT"}, line_items=[{"product_id": id, "quantity": 1}],
        shipping_lines=[{"method_id": "flat_rate", "method_title": "Post", "total": "5"}],
        fee_lines=[{"name": "Gift", "total": "1"}, {"name": "Free", "total": "1", "tax_status": "none"}],
    )  # fmt: skip
    assert (order["total_tax"], order["cart_tax"], order["shipping_tax"]) == ("10.60", "10.10", "0.50")
    [line] = order["tax_lines"]
    assert (line["rate_code"], line["rate_percent"], line["tax_total"], line["shipping_tax_total"]) == (
        "IT-IVA-1", 10, "10.10", "0.50",
    )  # fmt: skip
    manager.delete(f"{TAXES}/{rate}", query={"force": "true"})
    shown = manager.get(f"{ORDERS}/{order['id']}").json
    assert (shown["tax_lines"], shown["total"]) == (order["tax_lines"], order["total"])


def test_another_place_is_counted_when_the_lines_are_sent(manager: Client) -> None:
    setting(manager, "shop_calc_taxes", "yes", "general")
    made(manager, TAXES, country="IT", rate="10", name="IVA")
    made(manager, TAXES, country="DE", rate="20", name="MwSt")
    id = made(manager, PRODUCTS, name="Lamp", regular_price="100")["id"]
    order = made(manager, ORDERS, shipping={"country": "IT"}, line_items=[{"product_id": id, "quantity": 1}])
    assert order["total"] == "110.00"
    moved = manager.put(f"{ORDERS}/{order['id']}", {"shipping": {"country": "DE"}, "line_items": []}).json
    assert (moved["total"], [one["label"] for one in moved["tax_lines"]]) == ("120.00", ["MwSt"])


# -- shipping


@pytest.mark.every_database
def test_zones_have_places_and_methods(site: Stand, manager: Client) -> None:
    zone = made(manager, ZONES, name="Italy", order=1)["id"]
    path = f"{ZONES}/{zone}"
    places = [{"code": "IT", "type": "country"}, {"code": "US:CA", "type": "state"}, {"code": "x", "type": "moon"}]
    assert [(one["code"], one["type"]) for one in manager.put(f"{path}/locations", places).json] == [
        ("IT", "country"), ("US:CA", "state"),
    ]  # fmt: skip
    made_method = manager.post(f"{path}/methods", {"method_id": "flat_rate", "settings": {"cost": "7"}})
    assert made_method.status in (200, 201)
    method = made_method.json["instance_id"]
    changed = manager.put(f"{path}/methods/{method}", {"settings": {"cost": "9", "title": "Post"}}).json
    assert (changed["settings"]["cost"]["value"], changed["title"]) == ("9", "Post")
    assert manager.post(f"{path}/methods", {"method_id": "pigeon"}).code == "shop_rest_shipping_zone_not_created"
    assert [one["id"] for one in manager.get(ZONES).json] == [zone, 0]
    refused = manager.put(f"{ZONES}/0", {"name": "Rest"})
    assert (refused.status, refused.code) == (403, "shop_rest_shipping_zone_invalid_zone")
    assert manager.delete(path).code == "rest_trash_not_supported"
    assert manager.delete(path, query={"force": "true"}).status == 200
    assert manager.get(f"{path}/methods").status == 404


# -- gateways, settings, places


@pytest.mark.every_database
def test_gateways_are_switched_and_told(site: Stand, manager: Client) -> None:
    ids = [one["id"] for one in manager.get(GATEWAYS).json]
    assert {"cod", "cheque", "bacs"} <= set(ids)
    told = {"enabled": True, "title": "By transfer", "settings": {"instructions": "Soon", "nonsense": "x"}}
    body = manager.put(f"{GATEWAYS}/bacs", told).json
    assert (body["enabled"], body["title"], body["settings"]["instructions"]["value"]) == (True, "By transfer", "Soon")
    assert "nonsense" not in body["settings"]
    assert manager.get(f"{GATEWAYS}/bacs").json == body
    unknown = manager.get(f"{GATEWAYS}/gold")
    assert (unknown.status, unknown.code) == (404, "shop_rest_payment_gateway_invalid")


@pytest.mark.every_database
def test_settings_take_what_they_offer(site: Stand, manager: Client) -> None:
    groups = {one["id"] for one in manager.get(SETTINGS).json}
    assert {"general", "products", "tax", "shipping", "checkout", "account", "email", "advanced"} <= groups
    setting(manager, "shop_currency", "EUR", "general")
    assert manager.get(f"{SETTINGS}/general/shop_currency").json["value"] == "EUR"
    assert manager.post(ORDERS, {}).json["currency"] == "EUR"
    bad = manager.put(f"{SETTINGS}/general/shop_currency", {"value": "XXQ"})
    assert (bad.status, bad.code) == (400, "rest_setting_value_invalid")
    assert manager.get(f"{SETTINGS}/moon").code == "rest_setting_setting_group_invalid"
    assert manager.get(f"{SETTINGS}/general/shop_calc_moon").code == "rest_setting_setting_invalid"
    assert manager.get(f"{SETTINGS}/tax/shop_currency").code == "rest_setting_setting_invalid"
    several = {"update": [{"id": "shop_currency", "value": "GBP"}, {"id": "nonsense", "value": "x"}]}
    body = manager.post(f"{SETTINGS}/general/batch", several).json
    assert body["update"][0]["value"] == "GBP"
    assert body["update"][1]["error"]["code"] == "rest_setting_setting_invalid"


def test_places_and_currencies_come_from_a_library(manager: Client) -> None:
    assert [one["slug"] for one in manager.get("/shop/v3/data").json] == ["continents", "countries", "currencies"]
    assert len(manager.get("/shop/v3/data/countries").json) == 250
    assert manager.get("/shop/v3/data/countries/it").json["name"] == "Italy"
    assert manager.get("/shop/v3/data/continents/eu").json["name"] == "Europe"
    assert manager.get("/shop/v3/data/currencies/eur").json["symbol"] == "&euro;"
    assert manager.get("/shop/v3/data/currencies/current").json["code"] == "USD"
    assert manager.get("/shop/v3/data/countries/xq").code == "shop_rest_data_invalid_location"
    assert manager.get("/shop/v3/data/currencies/xqq").code == "shop_rest_data_invalid_currency"


@pytest.mark.every_database
def test_old_reports_count_what_was_sold(site: Stand, manager: Client) -> None:
    id = made(manager, PRODUCTS, name="Lamp", regular_price="10")["id"]
    made(manager, ORDERS, status="completed", line_items=[{"product_id": id, "quantity": 3}])
    made(manager, ORDERS, status="cancelled", line_items=[{"product_id": id, "quantity": 9}])
    [sales] = manager.get("/shop/v3/reports/sales").json
    assert (sales["total_sales"], sales["total_orders"], sales["total_items"]) == ("30.00", 1, 3)
    [top] = manager.get("/shop/v3/reports/top_sellers").json
    assert (top["product_id"], top["quantity"]) == (id, 3)
    totals = {one["slug"]: one["total"] for one in manager.get("/shop/v3/reports/orders/totals").json}
    assert (totals["completed"], totals["cancelled"]) == (1, 1)


def test_the_older_versions_have_the_same_orders(manager: Client) -> None:
    id = made(manager, ORDERS)["id"]
    for version in ("v1", "v2"):
        body = manager.get(f"/shop/{version}/orders/{id}").json
        assert (body["id"], "is_editable" in body) == (id, False)
        hook = {"topic": "order.created", "delivery_url": "https://example.com/"}
        assert manager.post(f"/shop/{version}/webhooks", hook).status == 201
    assert manager.get("/shop/v2/system_status").status == 200

"""Customers come to their accounts; how a shop ships, is paid and is set up comes into an empty one."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Stand

from .conftest import ImportCall
from .shop_export import ADDRESS, ZONES, ShopExport

pytestmark = pytest.mark.in_process("the site is written without HTTP")

SETTINGS = "/shop/v3/settings/{group_id}"
MARA: dict[str, Any] = {
    "id": 77, "email": "mara@example.net", "username": "mara", "first_name": "Mara", "last_name": "Neri",
    "role": "customer", "date_created_gmt": "2020-01-02T03:04:05", "date_modified_gmt": "2021-02-03T04:05:06",
    "billing": {**ADDRESS, "email": "mara@example.net"}, "shipping": ADDRESS, "is_paying_customer": True,
    "meta_data": [{"id": 1, "key": "tier", "value": "gold"}],
}  # fmt: skip
METHOD = {
    "id": 3, "instance_id": 3, "order": 2, "enabled": False, "method_id": "flat_rate", "title": "By post",
    "settings": {
        "title": {"id": "title", "value": "By post"}, "cost": {"id": "cost", "value": "4 * [qty]"},
        "tax_status": {"id": "tax_status", "value": "maybe"}, "class_cost_99": {"value": "7"},
    },
}  # fmt: skip


def read(shop: Stand, path: str) -> Any:
    answer = shop.client("admin").get(path)
    assert answer.status == 200, answer.json
    return answer.json


def test_a_customer_comes_to_the_account_that_came(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    user = {"id": 77, "username": "mara", "email": "mara@example.net", "slug": "mara", "roles": ["customer"]}
    export.add("/cms/v2/users", 77, user).add("/shop/v3/customers", 77, MARA)
    report = move()
    found = read(shop, "/shop/v3/customers/77")
    assert (found["billing"], found["shipping"]) == (MARA["billing"], MARA["shipping"])
    assert (found["is_paying_customer"], found["date_modified_gmt"]) == (True, MARA["date_modified_gmt"])
    assert [(one["key"], one["value"]) for one in found["meta_data"]] == [("tier", "gold")]
    assert report.resets == ["mara"]


def test_a_customer_makes_the_account_where_no_users_are_shown(
    shop: Stand, export: ShopExport, move: ImportCall
) -> None:
    export.add("/shop/v3/customers", 77, MARA)
    assert move().resets == ["mara"]
    found = read(shop, "/shop/v3/customers/77")
    members = ("username", "first_name", "role", "date_created_gmt", "billing")
    assert {name: found[name] for name in members} == {name: MARA[name] for name in members}
    export.add("/shop/v3/customers", 77, {**MARA, "first_name": "Maria", "meta_data": []})
    move()
    found = read(shop, "/shop/v3/customers/77")
    assert (found["first_name"], found["meta_data"]) == ("Maria", [])


def test_a_customer_who_was_here_stays_as_she_is(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    given = {"email": "mara@example.net", "username": "mara", "billing": {"city": "Roma"}}
    here = shop.client("admin").post("/shop/v3/customers", given).json["id"]
    export.add("/shop/v3/customers", 77, MARA)
    assert move(keep_ids=False).get_resource("/shop/v3/customers").found == 1
    assert read(shop, f"/shop/v3/customers/{here}")["billing"]["city"] == "Roma"


def test_an_account_that_stands_for_others_keeps_its_address(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    user = {"id": 77, "username": "mara", "email": "mara@example.net", "slug": "mara", "roles": ["customer"]}
    export.add("/cms/v2/users", 77, user).add("/shop/v3/customers", 77, MARA)
    move(authors={"mara": "editor"})
    [editor] = read(shop, "/shop/v3/customers?role=editor")
    assert editor["billing"]["city"] == ""


def test_zones_come_with_places_and_methods(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    places = [{"code": "IT", "type": "country"}, {"code": "16*", "type": "postcode"}]
    export.add(ZONES, 0, {"id": 0, "name": "The rest", "order": 0}).add(
        ZONES, 5, {"id": 5, "name": "Italy", "order": 1}
    )
    export.add(f"{ZONES}/{{id}}/locations", 5, {"items": places}, 5)
    export.add(f"{ZONES}/{{zone_id}}/methods", 3, METHOD, 5)
    export.add(f"{ZONES}/{{zone_id}}/methods", 4, {**METHOD, "method_id": "drone"}, 5)
    export.add(f"{ZONES}/{{zone_id}}/methods", 6, {"method_id": "free_shipping", "enabled": True, "order": 1}, 0)
    report = move()
    assert [(zone["id"], zone["name"]) for zone in read(shop, ZONES) if zone["id"]] == [(5, "Italy")]
    assert [{name: one[name] for name in ("code", "type")} for one in read(shop, f"{ZONES}/5/locations")] == places
    [method] = read(shop, f"{ZONES}/5/methods")
    assert {name: method[name] for name in ("id", "order", "enabled", "title")} == {
        "id": 3, "order": 2, "enabled": False, "title": "By post",
    }  # fmt: skip
    assert method["settings"]["cost"]["value"] == "4 * [qty]"
    assert [one["id"] for one in read(shop, f"{ZONES}/0/methods")] == [6]
    assert report.notes["the value of the setting 'tax_status' of the way of shipping 'flat_rate' does not fit"] == 1
    assert [reason for _, _, reason in report.refusals] == ["there is no way of shipping 'drone' here"]
    assert move().get_resource(f"{ZONES}/{{zone_id}}/methods").unchanged == 2
    assert len(read(shop, f"{ZONES}/5/methods")) == 1


def test_ways_of_paying_come_without_what_is_not_here(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    told = {"title": "By bank", "description": "Pay first.", "enabled": True, "order": 2}
    given = {"settings": {"instructions": {"value": "IBAN"}, "unknown": {"value": "x"}, "title": {"value": "By bank"}}}
    export.add("/shop/v3/payment_gateways", "bacs", {"id": "bacs", **told, **given})
    export.add("/shop/v3/payment_gateways", "shells", {"id": "shells", "enabled": True})
    report = move()
    found = read(shop, "/shop/v3/payment_gateways/bacs")
    assert {name: found[name] for name in told} == told
    assert found["settings"]["instructions"]["value"] == "IBAN"
    assert [reason for _, _, reason in report.refusals] == ["there is no way of paying 'shells' here"]


def test_settings_come_into_an_empty_shop_only(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    export.add(SETTINGS, "shop_currency", {"id": "shop_currency", "value": "CHF"}, "general")
    before = read(shop, "/shop/v3/settings/general/shop_currency")["value"]
    assert move(keep_ids=False).get_resource(SETTINGS).found == 1
    assert read(shop, "/shop/v3/settings/general/shop_currency")["value"] == before != "CHF"


def test_settings_of_one_name_in_several_groups_all_come(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    groups = ("email_new_order", "email_cancelled_order")
    for group in groups:
        export.add(SETTINGS, "subject", {"id": "subject", "value": "Look here"}, group)
    export.add(SETTINGS, "shop_tax_based_on", {"value": "nowhere"}, "tax")
    export.add(SETTINGS, "from_elsewhere", {"value": "x"}, "general")
    report = move()
    assert [read(shop, f"/shop/v3/settings/{group}/subject")["value"] for group in groups] == ["Look here"] * 2
    assert report.notes["the value of the shop's setting 'shop_tax_based_on' does not fit"] == 1
    assert report.notes["settings of the shop's group 'general' that are not known here"] == 1
    assert move().get_resource(SETTINGS).unchanged == 4


def test_webhooks_come_paused(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    told = {"name": "Books", "topic": "order.created", "delivery_url": "https://books.example/in"}
    export.add("/shop/v3/webhooks", 9, {"id": 9, **told, "status": "active", "date_created_gmt": "2020-01-02T03:04:05"})
    export.add("/shop/v3/webhooks", 10, {**told, "id": 10, "topic": "order.exploded"})
    report = move()
    [found] = read(shop, "/shop/v3/webhooks")
    assert (found["id"], found["status"], found["date_created_gmt"]) == (9, "paused", "2020-01-02T03:04:05")
    assert {name: found[name] for name in told} == told
    assert [id for _, id, _ in report.refusals] == [10]
    shop.client("admin").put("/shop/v3/webhooks/9", {"status": "active"})
    export.add("/shop/v3/webhooks", 9, {"id": 9, **told, "name": "The books", "status": "paused"})
    move()
    [found] = read(shop, "/shop/v3/webhooks")
    assert (found["name"], found["status"]) == ("The books", "active")

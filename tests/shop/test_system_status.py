"""The status of the system, and what its tools really do."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from conftest import Client, SetClock, Stand
from vetrina.backends.database import Statement

STATUS = "/shop/v3/system_status"
TOOLS = f"{STATUS}/tools"


def run(client: Client, id: str) -> dict[str, Any]:
    answer = client.put(f"{TOOLS}/{id}", {"confirm": True})
    assert answer.status == 200, answer.json
    return dict(answer.json)


def damage(site: Stand, statement: str) -> None:
    with site.site.work() as work:
        work.tx.run(Statement(text(statement)))


@pytest.mark.every_database
def test_the_status_tells_how_the_shop_is_set(manager: Client) -> None:
    manager.put("/shop/v3/settings/general/shop_currency", {"value": "EUR"})
    body = manager.get(STATUS).json
    assert (body["settings"]["currency"], body["settings"]["currency_symbol"]) == ("EUR", "&euro;")
    assert [page["page_name"] for page in body["pages"] if page["page_visible"]] == [
        "Shop base", "Cart", "Checkout", "My account",
    ]  # fmt: skip
    assert {"type": "page", "count": "4"} in body["post_type_counts"]
    assert set(manager.get(STATUS, query={"_fields": "settings"}).json) == {"settings"}


@pytest.mark.every_database
def test_every_tool_runs_on_a_sound_shop(manager: Client) -> None:
    manager.post("/shop/v3/products", {"name": "Lamp", "regular_price": "4"})
    manager.post("/shop/v3/orders", {})
    wrong = []
    for tool in manager.get(TOOLS).json:
        body = run(manager, tool["id"])
        assert body["message"]
        if not body["success"]:
            wrong.append(tool["id"])
    assert wrong == ["delete_custom_orders_table"]


def test_terms_are_counted_anew(site: Stand, manager: Client) -> None:
    category = manager.post("/shop/v3/products/categories", {"name": "Lamps"}).json["id"]
    manager.post("/shop/v3/products", {"name": "Lamp", "categories": [{"id": category}]})
    damage(site, f"UPDATE term SET count = 7 WHERE id = {category}")
    run(manager, "recount_terms")
    assert manager.get(f"/shop/v3/products/categories/{category}").json["count"] == 1


def test_pages_that_are_missing_are_made(site: Stand, admin: Client, manager: Client) -> None:
    page = next(one for one in manager.get(STATUS).json["pages"] if one["page_name"] == "Cart")
    admin.delete(f"/cms/v2/pages/{page['page_id']}", query={"force": "true"})
    assert not next(one for one in manager.get(STATUS).json["pages"] if one["page_name"] == "Cart")["page_exists"]
    run(manager, "install_pages")
    made = next(one for one in manager.get(STATUS).json["pages"] if one["page_name"] == "Cart")
    assert made["page_visible"]
    assert made["page_id"] != page["page_id"]


def test_tax_rates_are_removed(manager: Client) -> None:
    manager.post("/shop/v3/taxes", {"country": "IT", "rate": "22"})
    run(manager, "delete_taxes")
    assert manager.get("/shop/v3/taxes").json == []


def test_the_uses_of_coupons_are_counted_anew(site: Stand, manager: Client) -> None:
    id = manager.post("/shop/v3/coupons", {"code": "ten"}).json["id"]
    damage(site, f"UPDATE coupon SET usage_count = 9 WHERE id = {id}")
    run(manager, "repair_coupons_lookup_table")
    assert manager.get(f"/shop/v3/coupons/{id}").json["usage_count"] == 0


def test_variations_without_a_product_are_removed(site: Stand, manager: Client) -> None:
    above = manager.post("/shop/v3/products", {"name": "Coat", "type": "variable"}).json["id"]
    id = manager.post(f"/shop/v3/products/{above}/variations", {"regular_price": "3"}).json["id"]
    damage(site, f"UPDATE record SET parent = 999999 WHERE id = {id}")
    assert "1 variation" in run(manager, "delete_orphaned_variations")["message"]
    assert site.stored(id) is None


def test_used_up_downloads_are_removed(site: Stand, manager: Client, clock: SetClock) -> None:
    goods = {
        "name": "Book", "regular_price": "5", "virtual": True, "downloadable": True, "download_expiry": 1,
        "downloads": [{"name": "Book", "file": "https://files.example/book.pdf"}],
    }  # fmt: skip
    id = manager.post("/shop/v3/products", goods).json["id"]
    manager.post("/shop/v3/orders", {"set_paid": True, "line_items": [{"product_id": id, "quantity": 1}]})
    assert run(manager, "clear_expired_download_permissions")["message"].startswith("0 ")
    clock.forward(2 * 86_400)
    assert run(manager, "clear_expired_download_permissions")["message"].startswith("1 ")


def test_damage_is_told(site: Stand, manager: Client) -> None:
    category = manager.post("/shop/v3/products/categories", {"name": "Lamps"}).json["id"]
    damage(site, f"UPDATE term SET count = 7 WHERE id = {category}")
    body = run(manager, "verify_db_tables")
    assert not body["success"]
    assert "1 rows" in body["message"]


def test_tools_are_the_shops(site: Stand, customer: Client, anyone: Client) -> None:
    assert customer.put(f"{TOOLS}/recount_terms", {}).code == "shop_rest_cannot_update"
    assert anyone.get(TOOLS).status == 401

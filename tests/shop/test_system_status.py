"""The system status, and the effects of its tools."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from conftest import Client, SetClock, Stand
from pictures import picture
from vetrina.backends.database import Statement
from vetrina.design.themes import active_theme

from .background import work_off

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
        assert body["description"] == tool["description"]
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


def sizes_of(site: Stand, image: int) -> dict[str, Any]:
    details: dict[str, Any] = site.client().get(f"/cms/v2/media/{image}").json["media_details"]
    return details["sizes"]


@pytest.mark.in_process("it looks into the folder of files")
def test_images_are_made_anew_by_a_job(site: Stand, admin: Client, manager: Client) -> None:
    headers = {"content-type": "image/jpeg", "content-disposition": 'attachment; filename="lamp.jpg"'}
    image = admin.ask("POST", "/cms/v2/media", body=picture(900, 700), headers=headers).json["id"]
    manager.post("/shop/v3/products", {"name": "Lamp", "images": [{"id": image}]})
    work_off(site)
    before = sizes_of(site, image)
    folder = next(path for path in (site.site.folder / "media").rglob("lamp.jpg")).parent
    lost, broken = (folder / before[name]["file"] for name in ("thumbnail", "medium"))
    lost.unlink()
    broken.write_bytes(b"broken")
    whole = (folder / "lamp.jpg").read_bytes()
    assert "1 image" in run(manager, "regenerate_thumbnails")["message"]
    assert not lost.exists()
    work_off(site)
    after = sizes_of(site, image)
    assert {name: one["file"] for name, one in after.items()} == {name: one["file"] for name, one in before.items()}
    assert lost.stat().st_size == after["thumbnail"]["filesize"] > 100
    assert broken.read_bytes()[:2] == b"\xff\xd8"
    assert (folder / "lamp.jpg").read_bytes() == whole
    assert run(manager, "regenerate_thumbnails")["success"]


@pytest.mark.in_process("it changes the database behind its back")
def test_what_is_kept_ready_is_made_anew(site: Stand, anyone: Client, manager: Client) -> None:
    id = manager.post("/shop/v3/products", {"name": "Lamp", "regular_price": "4"}).json["id"]
    asked = f"/shop/store/v1/products/{id}"
    assert anyone.get(asked).json["name"] == "Lamp"
    damage(site, f"UPDATE record SET title = 'Light' WHERE id = {id}")
    assert anyone.get(asked).json["name"] == "Lamp"
    assert run(manager, "clear_transients")["success"]
    assert anyone.get(asked).json["name"] == "Light"


@pytest.mark.every_database
def test_what_lists_sort_by_is_worked_out_anew(site: Stand, manager: Client) -> None:
    goods = {"name": "Lamp", "regular_price": "9", "sale_price": "4", "manage_stock": True, "stock_quantity": 3,
             "sku": "L-1"}  # fmt: skip
    id = manager.post("/shop/v3/products", goods).json["id"]
    manager.post("/shop/v3/products", {"name": "Mug", "regular_price": "7"})
    assert "; 0 were wrong" in run(manager, "regenerate_product_lookup_tables")["message"]
    damage(
        site,
        "UPDATE product SET price = '9', price_from = 9000000, price_to = 9000000, on_sale = (1 = 0), "
        f"stock_status = 'outofstock', sku_key = '', rating = 500, rating_count = 1 WHERE record = {id}",
    )
    assert "2 products were looked at; 1 were wrong" in run(manager, "regenerate_product_lookup_tables")["message"]
    found = manager.get("/shop/v3/products", query={"max_price": "5", "sku": "l-1", "stock_status": "instock"}).json
    assert [(one["id"], one["price"], one["on_sale"], one["rating_count"]) for one in found] == [(id, "4", True, 0)]


@pytest.mark.every_database
def test_terms_that_a_product_has_no_attribute_for_are_taken_off(site: Stand, manager: Client) -> None:
    colour = manager.post("/shop/v3/products/attributes", {"name": "Colour"}).json["id"]
    goods = {"name": "Lamp", "attributes": [{"id": colour, "options": ["Red"]}]}
    id = manager.post("/shop/v3/products", goods).json["id"]
    term = manager.get(f"/shop/v3/products/attributes/{colour}/terms").json[0]["id"]
    asked = {"attribute": "pa_colour", "attribute_term": term}
    assert "; 0 were wrong" in run(manager, "regenerate_product_attributes_lookup_table")["message"]
    damage(site, f"UPDATE product SET attributes = '[]' WHERE record = {id}")
    assert len(manager.get("/shop/v3/products", query=asked).json) == 1
    assert "; 2 were wrong" in run(manager, "regenerate_product_attributes_lookup_table")["message"]
    assert manager.get("/shop/v3/products", query=asked).json == []
    assert manager.get(f"/shop/v3/products/attributes/{colour}/terms").json[0]["count"] == 0


def test_carts_are_forgotten_with_the_orders_that_they_began(anyone: Client, manager: Client) -> None:
    id = manager.post("/shop/v3/products", {"name": "Lamp", "regular_price": "4"}).json["id"]
    token = anyone.get("/shop/store/v1/cart").headers["cart-token"]
    mine = {"cart-token": token}
    anyone.post("/shop/store/v1/cart/add-item", {"id": id, "quantity": 1}, headers=mine)
    anyone.get("/shop/store/v1/checkout", headers=mine)
    drafts = {"status": "checkout-draft"}
    assert len(manager.get("/shop/v3/orders", query=drafts).json) == 1
    assert run(manager, "clear_sessions")["message"].startswith("1 ")
    assert manager.get("/shop/v3/orders", query=drafts).json == []
    assert anyone.get("/shop/store/v1/cart", headers=mine).json["items"] == []


@pytest.mark.every_database
def test_what_is_left_of_orders_that_are_gone_is_removed(site: Stand, manager: Client) -> None:
    id = manager.post("/shop/v3/products", {"name": "Lamp", "regular_price": "4"}).json["id"]
    given = {"line_items": [{"product_id": id, "quantity": 1}], "meta_data": [{"key": "gift", "value": "yes"}]}
    lost, kept = (manager.post("/shop/v3/orders", given).json["id"] for _ in range(2))
    assert run(manager, "hpos_legacy_cleanup")["message"].startswith("0 ")
    damage(site, f"DELETE FROM shop_order WHERE id = {lost}")
    assert run(manager, "hpos_legacy_cleanup")["message"].startswith("2 ")
    shown = manager.get(f"/shop/v3/orders/{kept}").json
    assert (len(shown["line_items"]), shown["meta_data"][0]["value"]) == (1, "yes")


def test_what_has_ended_is_removed(manager: Client, clock: SetClock) -> None:
    order = manager.post("/shop/v3/orders", {}).json["id"]
    manager.post(f"/shop/v3/orders/{order}/receipt", {})
    for tool in ("clear_expired_transients", "schedule_expired_transient_files_cleanup"):
        assert run(manager, tool)["message"].startswith("0 ")
    clock.forward(3 * 86_400)
    assert run(manager, "clear_expired_transients")["message"].startswith("1 ")


def test_the_theme_is_read_anew(site: Stand, manager: Client) -> None:
    before = active_theme.get_active_theme(site.site.context)
    assert active_theme.get_active_theme(site.site.context) is before
    assert before.title in run(manager, "clear_template_cache")["message"]
    after = active_theme.get_active_theme(site.site.context)
    assert after is not before
    assert (after.name, after.templates.keys()) == (before.name, before.templates.keys())


def test_what_orders_are_found_by_is_written_anew(site: Stand, manager: Client) -> None:
    id = manager.post("/shop/v3/orders", {"billing": {"last_name": "Byron"}}).json["id"]
    damage(site, f"UPDATE shop_order SET search_key = '' WHERE id = {id}")
    assert manager.get("/shop/v3/orders", query={"search": "byron"}).json == []
    assert "; 1 were wrong" in run(manager, "recreate_order_address_fts_index")["message"]
    assert [one["id"] for one in manager.get("/shop/v3/orders", query={"search": "byron"}).json] == [id]


def test_a_database_of_another_version_is_told(site: Stand, manager: Client) -> None:
    assert run(manager, "db_update_routine")["success"]
    damage(site, "UPDATE alembic_version SET version_num = '0000'")
    body = run(manager, "db_update_routine")
    assert not body["success"]
    assert "vetrina migrate" in body["message"]


def test_a_number_of_a_note_may_be_anything(manager: Client) -> None:
    for number in ("7", "x", "9" * 30, -1, [1]):
        answer = manager.put(f"{TOOLS}/delete_inbox_notification", {"note_id": number})
        assert answer.json["message"].startswith("0 notes"), answer.json

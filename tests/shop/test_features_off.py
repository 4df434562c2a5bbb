"""Features of the shop that are switched off: not listed, and not available."""

from __future__ import annotations

from typing import Any

from conftest import Client, Stand

from .store import Visitor, payable, sold

FEATURES, STATUS = "/shop-admin/features", "/shop/v3/system_status"


def set_to(admin: Client, name: str, value: Any, group: str = "advanced") -> None:
    answer = admin.put(f"/shop/v3/settings/{group}/{name}", {"value": value})
    assert answer.status == 200, answer.json


def enabled(manager: Client) -> list[str]:
    found: list[str] = manager.get(STATUS).json["settings"]["enabled_features"]
    return found


def test_a_shop_without_reports_has_no_routes_of_them(admin: Client, manager: Client, site: Stand) -> None:
    reports = (
        "/shop-analytics/reports/orders/stats", "/shop-analytics/reports/revenue/stats", "/shop-analytics/leaderboards",
        "/shop-analytics/reports/customers", "/shop-analytics/reports", "/shop-analytics/customers",
    )  # fmt: skip
    assert {manager.get(path).status for path in reports} == {200}
    assert "analytics" in manager.get(FEATURES).json
    set_to(admin, "shop_analytics_enabled", "no")
    assert {manager.get(path).code for path in reports} == {"rest_no_route"}
    assert manager.post("/shop-analytics/reports/orders/export", {}).code == "rest_no_route"
    assert site.client().get(reports[0]).status == 404
    assert "analytics" not in manager.get(FEATURES).json
    assert "analytics" not in enabled(manager)
    # Notes and the mirrors of the catalog belong to every shop.
    assert manager.get("/shop-analytics/admin/notes").status == 200
    assert manager.get("/shop-analytics/products").status == 200
    set_to(admin, "shop_analytics_enabled", "yes")
    assert manager.get(reports[0]).status == 200


def test_the_system_status_names_what_is_on(admin: Client, manager: Client) -> None:
    assert "order_attribution" in enabled(manager)
    assert "rate_limit_checkout" not in enabled(manager)
    set_to(admin, "shop_feature_order_attribution_enabled", "no")
    set_to(admin, "shop_feature_rate_limit_checkout_enabled", "yes")
    assert "order_attribution" not in enabled(manager)
    assert "rate_limit_checkout" in enabled(manager)
    assert manager.get(STATUS).json["settings"]["force_ssl"] is False
    set_to(admin, "shop_force_ssl_checkout", "yes")
    assert manager.get(STATUS).json["settings"]["force_ssl"] is True


def test_coupons_are_no_feature_of_a_shop_without_them(admin: Client, manager: Client) -> None:
    assert "coupons" in manager.get(FEATURES).json
    set_to(admin, "shop_enable_coupons", "no", "general")
    assert "coupons" not in manager.get(FEATURES).json


def test_parts_of_the_checkout_are_called_as_the_shop_says(site: Stand, admin: Client, manager: Client) -> None:
    payable(manager)
    set_to(admin, "shop_checkout_pay_endpoint", "zur-kasse")
    set_to(admin, "shop_checkout_order_received_endpoint", "dänke/sehr")
    unpaid = manager.post("/shop/v3/orders", {"line_items": [{"product_id": sold(manager), "quantity": 1}]}).json
    assert f"/checkout/zur-kasse/{unpaid['id']}/?pay_for_order=true" in unpaid["payment_url"]
    visitor = Visitor(site)
    visitor.add(sold(manager))
    placed = visitor.pay().json
    assert f"/checkout/d%C3%A4nke%2Fsehr/{placed['order_id']}/" in placed["payment_result"]["redirect_url"]
    set_to(admin, "shop_checkout_pay_endpoint", " ")
    again = manager.get(f"/shop/v3/orders/{unpaid['id']}").json
    assert f"/checkout/order-pay/{unpaid['id']}/" in again["payment_url"]


def test_tax_classes_that_are_written_into_the_settings_are_made(admin: Client, manager: Client) -> None:
    set_to(admin, "shop_tax_classes", "Reduced rate\n\nBooks & maps\nBooks & maps", "tax")
    slugs = [one["slug"] for one in manager.get("/shop/v3/taxes/classes").json]
    assert slugs == ["standard", "reduced-rate", "zero-rate", "books-maps"]
    many = "\n".join(f"Class {number}" for number in range(101))
    refused = admin.put("/shop/v3/settings/tax/shop_tax_classes", {"value": many})
    assert (refused.status, refused.code) == (400, "rest_setting_value_invalid")


def test_ways_of_paying_come_in_the_order_that_the_administration_says(admin: Client, manager: Client) -> None:
    def first() -> str:
        return str(manager.get("/shop/v3/payment_gateways").json[0]["id"])

    admin.post("/shop-admin/options", {"shop_gateway_order": {"cod": 0, "bacs": 1, "cheque": 2, "x": 1, "": {}}})
    assert first() == "cod"
    admin.post("/shop-admin/options", {"shop_gateway_order": {"cheque": 0, "cod": 2}})
    assert first() == "cheque"
    assert admin.post("/shop-admin/options", {"shop_gateway_order": "cod"}).status == 400

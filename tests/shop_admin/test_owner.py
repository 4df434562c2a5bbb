"""An owner sets up a shop up to its first customer, by the interface alone."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock, Stand, exchange
from shop.background import work_off

ADMIN = "/shop-admin"
SETUP = f"{ADMIN}/onboarding"


def done(answer: Any) -> Any:
    assert answer.status in (200, 201, 204), (answer.status, answer.json)
    return answer.json


def lists(owner: Client) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in done(owner.get(f"{SETUP}/tasks"))}


@pytest.mark.every_database
@pytest.mark.in_process("a package is installed in it")
@pytest.mark.usefixtures("cards")
def test_an_owner_opens_a_shop(site: Stand, admin: Client, anyone: Client, clock: SetClock) -> None:
    owner = admin

    # Nobody sees what is not published.
    assert done(owner.post(f"{ADMIN}/launch-your-store/initialize-coming-soon", {})) is True
    assert anyone.get("/shop/store/v1/products").code == "shop_rest_coming_soon"
    assert exchange(site.site, "GET", "/en/")[0] == 503
    assert "shipping" in {task["id"] for task in lists(owner)["setup"]["tasks"]}

    # The owner, and the shop's location.
    prefill = done(owner.get(f"{SETUP}/profile/experimental_get_email_prefill"))
    steps = f"{SETUP}/profile/progress/core-profiler/complete"
    done(owner.post(steps, {"step": "intro-opt-in"}))
    done(owner.post(f"{SETUP}/profile", {
        "business_choice": "im_just_starting_my_business", "industry": ["clothing_and_accessories"],
        "product_types": ["physical"], "is_agree_marketing": True, "store_email": prefill["email"],
        "is_store_country_set": True,
    }))  # fmt: skip
    done(owner.post(f"{ADMIN}/options", {"blogname": "Bottega", "shop_default_country": "IT:MI"}))
    done(owner.put("/shop/v3/settings/general/shop_store_address", {"value": "Via Roma 1"}))
    done(owner.post(f"{SETUP}/profile/update-store-currency-and-measurement-units", {"country_code": "IT"}))
    done(owner.post(steps, {"step": "business-info"}))

    # The other settings of the shop.
    offered = {one["key"] for group in done(owner.get(f"{SETUP}/free-extensions")) for one in group["plugins"]}
    assert "mailpoet:alt" in offered
    job = done(owner.post(f"{SETUP}/plugins/install-and-activate-async", {"plugins": ["shop-payments"]}))
    clock.forward(60)
    work_off(site)
    assert done(owner.get(f"{SETUP}/plugins/scheduled-installs/{job['job_id']}"))["status"] == "complete"
    done(owner.post(f"{SETUP}/profile", {"business_extensions": ["shop-payments"], "completed": True}))

    # Products: one from a template.
    made = done(owner.post(f"{SETUP}/tasks/create_product_from_template", {"template_name": "physical"}))
    product = {"name": "Straw hat", "regular_price": "20", "status": "publish", "manage_stock": True,
               "stock_quantity": 2}  # fmt: skip
    done(owner.put(f"/shop/v3/products/{made['id']}", product))

    # Payments, taxes, shipping.
    ways = [one["id"] for one in done(owner.get(f"{ADMIN}/payment-gateway-suggestions"))]
    assert "cod" in ways
    done(owner.put("/shop/v3/payment_gateways/cod", {"enabled": True}))
    done(owner.post(f"{ADMIN}/options", {"shop_calc_taxes": "yes"}))
    done(owner.post("/shop/v3/taxes", {"country": "IT", "rate": "22", "name": "IVA"}))
    assert [one["slug"] for one in done(owner.get(f"{ADMIN}/shipping-partner-suggestions"))] != []
    zone = done(owner.post("/shop/v3/shipping/zones", {"name": "Italy"}))["id"]
    done(owner.put(f"/shop/v3/shipping/zones/{zone}/locations", [{"code": "IT", "type": "country"}]))
    done(owner.post(f"/shop/v3/shipping/zones/{zone}/methods", {"method_id": "free_shipping"}))

    # Appearance.
    page = done(owner.post(f"{SETUP}/tasks/create_homepage", {}))
    theme = done(owner.get("/cms/v2/themes", query={"status": "active"}))[0]["stylesheet"]
    assert done(owner.post(f"{SETUP}/themes/activate", {"theme": theme}))["status"] == "success"
    done(owner.post(f"{ADMIN}/options", {"shop_admin_customize_store_completed": "yes"}))

    # Everything but launching is done; launching is one option.
    left = [task["id"] for task in lists(owner)["setup"]["tasks"] if not task["isComplete"]]
    assert left == ["launch-your-store"]
    done(owner.post(f"{ADMIN}/options", {"shop_coming_soon": "no"}))
    done(owner.post(f"{ADMIN}/launch-your-store/update-survey-status", {"status": "yes"}))
    assert lists(owner)["setup"]["isComplete"] is True

    # A visitor buys the first hat.
    status, _, content = exchange(site.site, "GET", "/en/")
    assert status == 200
    assert b"Bottega" in content
    assert done(anyone.get(f"/cms/v2/pages/{page['post_id']}"))["title"]["rendered"] == "Homepage"
    shelf = done(anyone.get("/shop/store/v1/products"))
    assert [(one["name"], one["prices"]["price"], one["prices"]["currency_code"]) for one in shelf] == [
        ("Straw hat", "2000", "EUR")
    ]
    cart = anyone.get("/shop/store/v1/cart")
    carried = {"nonce": cart.headers["nonce"], "cart-token": cart.headers["cart-token"]}
    done(anyone.post("/shop/store/v1/cart/add-item", {"id": made["id"], "quantity": 1}, headers=carried))
    address = {"first_name": "Anna", "last_name": "Rossi", "address_1": "Via Verdi 2", "city": "Milano",
               "state": "MI", "postcode": "20121", "country": "IT", "phone": "02 1234567"}  # fmt: skip
    bought = done(anyone.post("/shop/store/v1/checkout", {
        "billing_address": {**address, "email": "anna@example.org"}, "shipping_address": address,
        "payment_method": "cod",
    }, headers=carried))  # fmt: skip
    order = done(owner.get(f"/shop/v3/orders/{bought['order_id']}"))
    assert (order["status"], order["total"], order["total_tax"]) == ("processing", "24.40", "4.40")
    assert done(owner.get(f"/shop/v3/products/{made['id']}"))["stock_quantity"] == 1

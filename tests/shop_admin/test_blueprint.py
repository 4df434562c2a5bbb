"""Blueprints: what an export contains, what it never contains, and importing it into a new shop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest

from conftest import ACCOUNTS, Client, Stand, standing
from vetrina.settings import Settings, load_profile
from vetrina.site_factory import create_stand_in_site

PATH = "/shop-admin/blueprint"
ALL = {"settings": ["setSettings"], "plugins": [], "themes": []}


def exported(client: Client, **wanted: list[str]) -> list[dict[str, Any]]:
    answer = client.post(f"{PATH}/export", {"steps": wanted})
    assert answer.status == 200, answer.json
    assert answer.json["type"] == "json"
    return list(answer.json["data"]["steps"])


def close(client: Client) -> None:
    assert client.post("/shop-admin/launch-your-store/initialize-coming-soon", {}).json is True


def take(client: Client, step: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(f"{PATH}/import-step", {"step_definition": step})
    assert answer.status == 200, answer.json
    return dict(answer.json)


def furnish(admin: Client) -> None:
    """Set up a shop by hand, a little of everything."""
    for group, id, value in (
        ("general", "shop_currency", "CHF"), ("general", "shop_default_country", "IT:MI"),
        ("products", "shop_weight_unit", "lbs"), ("tax", "shop_tax_classes", "Reduced rate\nZero rate\nBooks"),
        ("advanced", "shop_feature_rate_limit_checkout_enabled", "yes"),
        ("email_customer_note", "subject", "A word from us"), ("email", "shop_email_base_color", "#123456"),
    ):  # fmt: skip
        assert admin.put(f"/shop/v3/settings/{group}/{id}", {"value": value}).status == 200, id
    admin.post("/shop/v3/taxes", {"country": "IT", "rate": "22", "name": "IVA", "postcodes": ["20121", "2*"]})
    admin.post("/shop/v3/taxes", {"country": "IT", "rate": "4", "name": "IVA", "class": "books", "compound": True})
    heavy = admin.post("/shop/v3/products/shipping_classes", {"name": "Heavy"}).json["id"]
    zone = admin.post("/shop/v3/shipping/zones", {"name": "Alps", "order": 2}).json["id"]
    admin.put(f"/shop/v3/shipping/zones/{zone}/locations", [{"code": "IT"}, {"code": "39*", "type": "postcode"}])
    methods = f"/shop/v3/shipping/zones/{zone}/methods"
    assert admin.post(
        methods, {"method_id": "flat_rate", "settings": {"cost": "7.50", f"class_cost_{heavy}": "3 * [qty]"}}
    ).status == 200  # fmt: skip
    admin.post("/shop/v3/shipping/zones/0/methods", {"method_id": "local_pickup", "enabled": False})
    admin.put(
        "/shop/v3/payment_gateways/cod", {"enabled": True, "order": 3, "settings": {"title": "At the door", "x": 1}}
    )
    admin.post("/shop-admin/onboarding/profile", {"industry": ["books"], "store_email": "owner@example.org"})


@pytest.fixture
def fresh(tmp_path: Path) -> Any:
    """Another, new shop."""
    (tmp_path / "fresh").mkdir()
    site = create_stand_in_site(
        load_profile("second"), ACCOUNTS, tmp_path / "fresh", Settings(secret="of another shop")
    )
    yield Stand(site)
    site.close()


def state(client: Client) -> dict[str, Any]:
    """Return the settings of a shop, without ids; what is off, or never was on, is an empty text."""

    def read(path: str) -> Any:
        answer = client.get(path)
        assert answer.status == 200, path
        return answer.json

    def bare(value: Any) -> Any:
        if isinstance(value, list):
            return [bare(one) for one in value]
        if isinstance(value, dict):
            return {
                ("class_cost_N" if name.startswith("class_cost_") else name): bare(one)
                for name, one in value.items()
                if name not in ("id", "_links", "instance_id")
            }
        return value

    zones = read("/shop/v3/shipping/zones")
    groups = ("general", "products", "tax", "shipping", "account", "email", "advanced", "email_customer_note")
    return bare({
        "settings": {
            group: {
                one["id"]: "" if one["value"] in ("no", False, None, []) else one["value"]
                for one in read(f"/shop/v3/settings/{group}") if "page" not in one["id"]
            }
            for group in groups
        },
        "rates": read("/shop/v3/taxes?orderby=id&order=asc"), "classes": read("/shop/v3/taxes/classes"),
        "zones": [
            [zone, read(f"/shop/v3/shipping/zones/{zone['id']}/locations"),
             read(f"/shop/v3/shipping/zones/{zone['id']}/methods")]
            for zone in zones
        ],
        "gateways": [(one["id"], one) for one in read("/shop/v3/payment_gateways")],
        "profile": {**read("/shop-admin/onboarding/profile"), "store_email": None},
    })  # fmt: skip


@pytest.mark.in_process("another shop stands beside it")
def test_a_fresh_shop_that_takes_an_export_over_is_set_alike(admin: Client, fresh: Stand) -> None:
    furnish(admin)
    other = fresh.client("admin")
    before, wanted = state(other), state(admin)
    assert before != wanted
    close(other)
    for _ in range(2):  # a second time changes nothing
        for step in exported(admin, **ALL):
            assert take(other, step)["success"] is True, take(other, step)
        after = state(other)
        for part in wanted:
            assert after[part] == wanted[part], part


def test_an_export_has_what_was_asked_for(admin: Client) -> None:
    [general] = exported(admin, settings=["setWCSettingsGeneral"])
    assert (general["step"], general["options"]["shop_currency"]) == ("setSiteOptions", "USD")
    assert exported(admin, settings=["general"]) == [general]
    assert exported(admin, settings=["setShopShipping"])[0]["step"] == "setShippingZones"
    assert exported(admin) == []
    assert exported(admin, plugins=["shop/shop.php", "none"], themes=["portico", "none"]) == [
        {"step": "installPlugin", "pluginData": {"resource": "module", "slug": "shop"}, "options": {"activate": True}},
        {"step": "installTheme", "themeData": {"resource": "theme", "slug": "portico"}, "options": {"activate": True}},
    ]
    answer = admin.post(f"{PATH}/export", {"steps": {"settings": ["setWCNothing"]}})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert admin.post(f"{PATH}/export", {"steps": {"plugins": ["x"] * 1000}}).status == 400
    assert admin.post(f"{PATH}/export", {}).status == 400


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.usefixtures("cards")
def test_no_secret_is_in_an_export(admin: Client) -> None:
    close(admin)
    keys = {"secret_key": "sk_live_hush", "report_secret": "whsec_hush", "title": "Plastic"}
    admin.put("/shop/v3/payment_gateways/tallero", {"enabled": True, "settings": keys})
    key = admin.get("/shop-admin/options?options=shop_share_key").json["shop_share_key"]
    text = orjson.dumps(exported(admin, **ALL)).decode()
    assert "Plastic" in text
    assert "hush" not in text
    assert key not in text
    assert "secret_key" not in text


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({}, "There is no step ''"),
        ({"step": 7}, "There is no step ''"),
        ({"step": "runSql", "sql": {"contents": "DROP TABLE x"}}, "There is no step 'runSql'"),
        ({"step": "setSiteOptions"}, "needs options"),
        ({"step": "setSiteOptions", "options": {"shop_currency": "XXX"}}, "shop_currency: "),
        ({"step": "setSiteOptions", "options": {"admin_email": "me@example.org"}}, "admin_email: "),
        ({"step": "setSiteOptions", "options": {str(at): 1 for at in range(501)}}, "more than 500"),
        ({"step": "setSiteOptions", "options": {"shop_customer_note_settings": {"../x": 1}}}, "[../x]"),
        ({"step": "installPlugin", "pluginData": {"slug": "none"}}, "none"),
        ({"step": "installPlugin"}, "needs pluginData"),
        ({"step": "activatePlugin", "pluginPath": "none/none.php"}, "none"),
        ({"step": "installTheme", "themeData": {"slug": "none"}}, "none"),
        ({"step": "activateTheme", "themeFolderName": "none"}, "none"),
        ({"step": "setTaxRates", "rates": [7, {"class": "none"}]}, "rates[1]"),
        ({"step": "setTaxRates", "rates": "x"}, "needs rates"),
        ({"step": "setShippingZones", "zones": [{"name": "A", "methods": [{"method_id": "none"}]}]}, "none"),
        ({"step": "setShippingZones", "zones": [{"methods": []}]}, "zone None"),
        ({"step": "setPaymentGateways", "gateways": {"none": {}}}, "none"),
        ({"step": "setPaymentGateways", "gateways": {"cod": 1}}, "cod is no object"),
    ],
)
def test_what_is_not_there_is_a_message_of_the_step(admin: Client, step: dict[str, Any], said: str) -> None:
    close(admin)
    told = take(admin, step)
    assert told["success"] is False
    assert any(said in one["message"] and one["type"] == "error" for one in told["messages"]), told


def test_the_rest_of_a_step_is_carried_out(admin: Client) -> None:
    close(admin)
    told = take(admin, {"step": "setSiteOptions", "options": {"shop_currency": "CHF", "shop_weight_unit": "stone"}})
    assert [one["type"] for one in told["messages"]] == ["error"]
    assert admin.get("/shop/v3/settings/general/shop_currency").json["value"] == "CHF"


def test_modules_and_themes_that_are_here_are_switched_on(admin: Client) -> None:
    close(admin)
    done = [
        {"step": "activatePlugin", "pluginPath": "shop/shop.php"}, {"step": "activateTheme", "themeName": "portico"},
        {"step": "installPlugin", "pluginData": {"slug": "shop"}, "options": {"activate": True}},
        {"step": "installTheme", "themeData": {"slug": "portico"}, "options": {"activate": True}},
    ]  # fmt: skip
    for step in done:
        told = take(admin, step)
        assert told["success"] is True, told
        assert [one["type"] for one in told["messages"]] == ["info"]


def test_a_shop_that_is_open_takes_no_steps(admin: Client) -> None:
    step = {"step": "setSiteOptions", "options": {"shop_currency": "CHF"}}
    assert admin.get(f"{PATH}/import-allowed").json == {"import_allowed": False}
    assert take(admin, step)["success"] is False
    assert admin.get("/shop/v3/settings/general/shop_currency").json["value"] == "USD"
    close(admin)
    assert admin.get(f"{PATH}/import-allowed").json == {"import_allowed": True}
    assert take(admin, step)["success"] is True


def test_a_shop_without_blueprints_has_no_such_routes(admin: Client) -> None:
    close(admin)
    admin.put("/shop/v3/settings/advanced/shop_feature_blueprint_enabled", {"value": "no"})
    assert admin.post(f"{PATH}/export", {"steps": {}}).code == "rest_no_route"
    assert admin.post(f"{PATH}/import-step", {"step_definition": {"step": "x"}}).code == "rest_no_route"
    assert admin.get(f"{PATH}/import-allowed").json == {"import_allowed": False}


def test_only_administrators_carry_settings(site: Stand, manager: Client) -> None:
    for client, status in ((manager, 403), (site.client("customer"), 403), (site.client(), 401)):
        assert client.post(f"{PATH}/export", {"steps": {}}).status == status
        assert client.post(f"{PATH}/import-step", {"step_definition": {"step": "setSiteOptions"}}).status == status


def test_a_step_is_bounded(admin: Client) -> None:
    close(admin)
    big = {"step_definition": {"step": "setSiteOptions", "options": {"shop_store_address": "x" * (1 << 20)}}}
    assert admin.post(f"{PATH}/import-step", big).status == 413


@pytest.fixture
def both(request: pytest.FixtureRequest, kind: str) -> Any:
    """A shop that speaks the dialect of existing sites too."""
    profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    with standing(request, profile, "_shop") as stand:
        yield stand


def test_a_blueprint_of_existing_sites_is_taken_over(both: Stand) -> None:
    furnish(both.client("admin"))
    client = both.client("admin", root="/en/wp-json")
    path = "/wc-admin/blueprint"
    assert client.post("/wc-admin/launch-your-store/initialize-coming-soon", {}).json is True
    wanted = {"settings": ["setWCSettings"], "plugins": ["woocommerce/woocommerce.php"], "themes": []}
    steps = client.post(f"{path}/export", {"steps": wanted}).json["data"]["steps"]
    assert steps[0]["pluginData"]["slug"] == "woocommerce"
    options = {name: value for step in steps for name, value in step.get("options", {}).items()}
    assert options["woocommerce_currency"] == "CHF"
    assert options["woocommerce_customer_note_settings"]["subject"] == "A word from us"
    for step in steps:
        answer = client.post(f"{path}/import-step", {"step_definition": step})
        assert answer.json["success"] is True, (step, answer.json)
    written = {"step": "setSiteOptions", "options": {"woocommerce_currency": "EUR"}}
    assert client.post(f"{path}/import-step", {"step_definition": written}).json["success"] is True
    assert client.get("/wc/v3/settings/general/woocommerce_currency").json["value"] == "EUR"

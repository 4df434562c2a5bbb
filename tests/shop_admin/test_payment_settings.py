"""The payment settings page: order, suggestions, dismissals, setup of card payments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from conftest import Client, Stand, standing
from vetrina.service_settings import ShopServices
from vetrina.settings import load_profile

from .test_nothing_named_is_missing import fetched, pictures

PATH = "/shop-admin/settings/payments"
GROUP = "_shop_offline_payment_methods_group"
CARDS = f"{PATH}/shoppayments/onboarding"


def listed(client: Client, location: str = "") -> dict[str, Any]:
    answer = client.post(f"{PATH}/providers", {"location": location} if location else {})
    assert answer.status == 200, answer.json
    return dict(answer.json)


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


def ways(client: Client) -> list[str]:
    return ids(client.get("/shop/v3/payment_gateways").json)


def test_what_a_shop_has_stands_in_one_sequence(admin: Client) -> None:
    page = listed(admin, "US")
    main, offline = page["providers"], page["offline_payment_methods"]
    assert ids(main) == ["_shop_pes_shoppayments", "_shop_pes_stripe", GROUP]
    assert {row["_type"] for row in offline} == {"offline_pm"}
    assert set(ids(offline)) == {"bacs", "cheque", "cod"}
    assert sorted(row["_order"] for row in (*main, *offline)) == list(range(6))
    [cod] = [row for row in offline if row["id"] == "cod"]
    assert cod["state"] == {
        "enabled": False, "account_connected": True, "needs_setup": False, "test_mode": False, "dev_mode": False,
    }  # fmt: skip
    assert cod["plugin"]["status"] == "active"
    assert urlsplit(cod["management"]["_links"]["settings"]["href"]).path == "/admin/admin.php"
    admin.put("/shop/v3/payment_gateways/cod", {"enabled": True})
    assert {row["id"] for row in listed(admin)["offline_payment_methods"] if row["state"]["enabled"]} == {"cod"}
    assert ids(admin.get(f"{PATH}/providers?location=us").json["providers"]) == ids(main)


def test_pictures_of_the_page_are_there(site: Stand, admin: Client) -> None:
    found = {one for place in ("US", "IT", "ZA", "IN") for one in pictures(listed(admin, place))}
    assert len(found) > 10
    assert {fetched(site, one).status for one in found} == {200}


def test_an_order_is_that_of_the_checkout(admin: Client, manager: Client) -> None:
    assert manager.post(f"{PATH}/providers/order", {"order_map": {"cod": 0, "cheque": 1, "bacs": 2}}).json == {
        "success": True
    }
    assert ways(manager) == ids(listed(admin)["offline_payment_methods"]) == ["cod", "cheque", "bacs"]
    again = {"order_map": {one["id"]: one["_order"] for one in listed(manager)["offline_payment_methods"]}}
    assert manager.post(f"{PATH}/providers/order", again).json == {"success": False}
    page = listed(admin, "US")
    first, last = page["providers"][0], page["providers"][-1]
    admin.post(f"{PATH}/providers/order", {"order_map": {last["id"]: first["_order"], first["id"]: last["_order"]}})
    moved = listed(admin, "US")
    assert ids(moved["providers"])[0] == GROUP
    assert ids(moved["offline_payment_methods"]) == ["cod", "cheque", "bacs"] == ways(admin)
    orders = [one["order"] for one in admin.get("/shop/v3/payment_gateways").json]
    assert orders == sorted(set(orders))


@pytest.mark.parametrize("wrong", [{}, {"order_map": 1}, {"order_map": {"cod": "x"}}, {"order_map": {"cod": 1e99}}])
def test_an_order_without_numbers_is_refused(manager: Client, wrong: dict[str, Any]) -> None:
    assert manager.post(f"{PATH}/providers/order", wrong).status == 400


def test_ids_that_nothing_has_are_passed_over(manager: Client) -> None:
    before = ways(manager)
    assert manager.post(f"{PATH}/providers/order", {"order_map": {"none": 1}}).status == 200
    assert ways(manager) == before


@pytest.mark.parametrize("wrong", ["USA", "XX", "1A", "I", "Ｕ Ｓ"])
def test_a_country_that_is_none_is_refused(manager: Client, wrong: str) -> None:
    assert manager.post(f"{PATH}/country", {"location": wrong}).code == "rest_invalid_param"
    assert manager.post(f"{PATH}/providers", {"location": wrong}).code == "rest_invalid_param"


def test_the_country_of_the_business_says_what_is_suggested(admin: Client) -> None:
    admin.put("/shop/v3/settings/general/shop_default_country", {"value": "US:CA"})
    assert admin.post(f"{PATH}/country", {"location": "za"}).json == {"success": True}
    assert admin.post(f"{PATH}/country", {"location": "ZA"}).json == {"success": False}
    assert "_shop_pes_payfast" in ids(listed(admin)["providers"])
    assert "_shop_pes_payfast" not in ids(listed(admin, "US")["providers"])
    assert admin.get("/shop/v3/settings/general/shop_default_country").json["value"] == "US:CA"


def test_a_hidden_suggestion_stands_apart_and_an_attached_one_in_front(admin: Client) -> None:
    [stripe] = [one for one in listed(admin, "US")["providers"] if one["id"] == "_shop_pes_stripe"]
    assert stripe["_suggestion_id"] == "stripe"
    hide = stripe["_links"]["hide"]["href"].partition("/cms-json")[2]
    assert admin.post(hide, {}).json == {"success": True}
    assert admin.post(hide, {}).json == {"success": False}
    page = listed(admin, "US")
    assert "_shop_pes_stripe" not in ids(page["providers"])
    [apart] = [one for one in page["suggestions"] if one["id"] == "stripe"]
    assert apart["category"] in ids(page["suggestion_categories"])
    assert admin.post(apart["_links"]["attach"]["href"].partition("/cms-json")[2], {}).json == {"success": True}
    page = listed(admin, "US")
    assert "_shop_pes_stripe" in ids(page["providers"])
    assert "stripe" not in ids(page["suggestions"])
    assert admin.post(f"{PATH}/suggestion/affirm/attach", {}).json == {"success": True}
    assert "_shop_pes_affirm" in ids(listed(admin, "US")["providers"])


def test_suggestions_are_for_who_may_add_modules(admin: Client, manager: Client) -> None:
    assert listed(manager, "US")["suggestions"] == []
    assert ids(listed(manager, "US")["providers"]) == [GROUP]
    admin.post("/shop-admin/payment-gateway-suggestions/dismiss", {})
    assert ids(listed(admin, "US")["providers"]) == [GROUP]


def test_what_is_not_suggested_is_refused(admin: Client) -> None:
    for action in ("hide", "attach"):
        answer = admin.post(f"{PATH}/suggestion/none/{action}", {})
        assert (answer.status, answer.code) == (400, "shop_rest_payment_extension_suggestion_error")
    answer = admin.post(f"{PATH}/suggestion/stripe/incentive/none/dismiss", {})
    assert (answer.status, answer.code) == (400, "shop_rest_payment_extension_suggestion_incentive_error")


@pytest.mark.parametrize("method", ["get", "post"])
def test_only_who_runs_the_shop_sees_the_page(site: Stand, customer: Client, method: str) -> None:
    code = "shop_rest_cannot_view" if method == "get" else "shop_rest_cannot_create"
    for client, status in ((customer, 403), (site.client("editor"), 403), (site.client(), 401)):
        answer = getattr(client, method)(f"{PATH}/providers", *([{}] if method == "post" else []))
        assert (answer.status, answer.code) == (status, code)
    assert customer.post(f"{PATH}/providers/order", {"order_map": {"cod": 1}}).status == 403
    assert customer.post(f"{PATH}/country", {"location": "IT"}).status == 403


@pytest.fixture
def offering(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> Iterator[Stand]:
    """A shop whose marketplace has an offer."""
    file = tmp_path / "catalogue.toml"
    file.write_text('[[incentive]]\nsuggestion = "stripe"\nid = "spring"\ntitle = "Half the fees"\n', encoding="utf-8")
    services = ShopServices(marketplace_catalogue=str(file))
    profile = msgspec.structs.replace(load_profile("second"), shop_services=services)
    with standing(request, profile, "_shop") as stand:
        yield stand


def test_an_offer_is_dismissed_here_and_everywhere(offering: Stand) -> None:
    admin = offering.client("admin")

    def offer() -> Any:
        rows = listed(admin, "US")["providers"]
        return next(one for one in rows if one["id"] == "_shop_pes_stripe").get("_incentive")

    told = offer()
    assert (told["title"], told["_dismissals"]) == ("Half the fees", [])
    dismiss = told["_links"]["dismiss"]["href"].partition("/cms-json")[2]
    assert admin.post(dismiss, {"context": "settings"}).json == {"success": True}
    assert admin.post(dismiss, {"context": "settings"}).json == {"success": False}
    assert [one["context"] for one in offer()["_dismissals"]] == ["settings"]
    assert admin.post(dismiss, {"context": "not a key"}).status == 400
    assert admin.post(dismiss, {}).json == {"success": True}
    assert offer() is None


# -- cards


def test_without_cards_there_is_nothing_to_set_up(admin: Client) -> None:
    for path in (CARDS, f"{CARDS}/reset", f"{CARDS}/step/payment_methods/start"):
        answer = admin.post(path, {})
        assert (answer.status, answer.code) == (404, "rest_no_route")
    assert admin.get(f"{PATH}/shoppay-eligibility").json == {"is_eligible": False}
    assert admin.post(f"{PATH}/shoppayments/shoppay-eligibility").json == {"is_eligible": False}


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.usefixtures("cards")
def test_cards_are_set_up_step_by_step(admin: Client) -> None:
    page = listed(admin, "US")
    [tallero] = [one for one in page["providers"] if one["id"] == "tallero"]
    assert (tallero["_type"], tallero["state"]["needs_setup"]) == ("gateway", True)
    assert "_shop_pes_shoppayments" not in ids(page["providers"])
    begun = admin.post(CARDS, {}).json
    assert begun["state"] == {"supported": True, "started": False, "completed": False, "test_mode": False}
    assert {one["id"]: one["status"] for one in begun["steps"]} == {
        "payment_methods": "not_started", "business_verification": "not_started",
    }  # fmt: skip
    step = f"{CARDS}/step"
    assert admin.post(f"{step}/payment_methods/start", {}).json == {"success": True}
    assert admin.post(CARDS, {}).json["steps"][0]["status"] == "started"
    assert admin.post(f"{step}/payment_methods/finish", {}).code == "shop_rest_payments_onboarding_step_not_done"
    admin.post(f"{step}/payment_methods/save", {"payment_methods": {"tallero": True, "cod": True}})
    assert admin.post(f"{step}/payment_methods/finish", {}).json == {"success": True}
    assert admin.get("/shop/v3/payment_gateways/cod").json["enabled"] is False
    missing = admin.post(f"{step}/business_verification/check", {}).json
    assert "secret_key" in missing["error"][0]
    keys = {"tallero": {"secret_key": "a", "report_secret": "b"}}
    admin.post(f"{step}/business_verification/save", {"settings": keys})
    assert admin.post(f"{step}/business_verification/finish", {}).json == {"success": True}
    assert admin.post(CARDS, {}).json["state"]["completed"] is True
    assert admin.get("/shop/v3/payment_gateways/tallero").json["needs_setup"] is False
    assert admin.post(f"{step}/none/start", {}).code == "shop_rest_payments_onboarding_step_invalid"
    assert admin.post(f"{CARDS}/reset", {}).json == {"success": True}
    assert admin.get("/shop/v3/payment_gateways/tallero").json["enabled"] is False


# -- in the words of existing sites


@pytest.fixture
def both(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    with standing(request, profile, "_shop") as stand:
        yield stand


def test_the_page_of_existing_sites_finds_its_names(both: Stand) -> None:
    client = both.client("admin", root="/en/wp-json")
    path = "/wc-admin/settings/payments"
    page = client.post(f"{path}/providers", {"location": "US"}).json
    first, second, group = page["providers"]
    assert (first["id"], first["_suggestion_id"]) == ("_wc_pes_woopayments", "woopayments")
    assert first["plugin"]["slug"] == "woocommerce-payments"
    assert group["id"] == "_wc_offline_payment_methods_group"
    assert group["plugin"]["file"] == "woocommerce/woocommerce"
    hide = first["_links"]["hide"]["href"]
    assert hide.endswith("/wp-json/wc-admin/settings/payments/suggestion/woopayments/hide")
    wanted = {group["id"]: first["_order"], first["id"]: group["_order"]}
    assert client.post(f"{path}/providers/order", {"order_map": wanted}).json == {"success": True}
    assert client.post(hide.partition("/wp-json")[2], {}).json == {"success": True}
    assert ids(client.post(f"{path}/providers", {"location": "US"}).json["providers"]) == [group["id"], second["id"]]
    assert client.get(f"{path}/woopay-eligibility").json == {"is_eligible": False}


# -- with Stripe


@pytest.fixture
def striped(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, load_profile("second", {"shop_services.stripe": True}), "_shop") as stand:
        yield stand


def test_stripe_stands_where_its_suggestion_stood(striped: Stand) -> None:
    admin = striped.client("admin")
    page = listed(admin, "US")
    assert "_shop_pes_stripe" not in ids(page["providers"])
    assert "stripe" not in ids(page["suggestions"])
    [stripe] = [one for one in page["providers"] if one["id"] == "stripe"]
    assert (stripe["_type"], stripe["state"]["needs_setup"], stripe["state"]["test_mode"]) == ("gateway", True, False)
    assert fetched(striped, stripe["icon"]).status == 200
    step = f"{CARDS}/step"
    admin.post(f"{step}/payment_methods/save", {"payment_methods": {"stripe": True}})
    keys = {"stripe": {"secret_key": "sk_test_4eC39", "webhook_secret": "whsec_5ab"}}
    admin.post(f"{step}/business_verification/save", {"settings": keys})
    assert admin.post(CARDS, {}).json["state"]["completed"] is True
    [stripe] = [one for one in listed(admin, "US")["providers"] if one["id"] == "stripe"]
    assert stripe["state"] == {
        "enabled": True, "account_connected": True, "needs_setup": False, "test_mode": True, "dev_mode": False,
    }  # fmt: skip

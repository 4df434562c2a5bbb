"""Options by name: which exist, how values are returned, what is refused."""

from __future__ import annotations

import pytest

from conftest import Client
from vetrina.shop.admin.option_names import ALLOWED_OPTIONS

OPTIONS = "/shop-admin/options"


def value(client: Client, name: str) -> object:
    answer = client.get(OPTIONS, query={"options": name})
    assert answer.status == 200, answer.json
    return answer.json[name]


@pytest.mark.every_database
def test_scalars_come_back_as_text_and_structures_as_they_are(manager: Client) -> None:
    given = {
        "shop_task_list_reminder_bar_hidden": True,
        "shop_ces_product_feedback_shown": 5,
        "shop_ces_shown_for_actions": None,
        "shop_ces_tracks_queue": [{"n": 1}],
    }
    assert manager.post(OPTIONS, given).json == dict.fromkeys(given, True)
    assert manager.get(OPTIONS, query={"options": ",".join(given)}).json == {
        "shop_task_list_reminder_bar_hidden": "1",
        "shop_ces_product_feedback_shown": "5",
        "shop_ces_shown_for_actions": "",
        "shop_ces_tracks_queue": [{"n": 1}],
    }
    assert manager.post(OPTIONS, given).json == dict.fromkeys(given, False)


def test_what_was_never_set_is_false(manager: Client) -> None:
    assert value(manager, "shop_product_tour_modal_hidden") is False


def test_one_name_outside_the_list_refuses_all_and_changes_nothing(site: object, admin: Client) -> None:
    answer = admin.post(OPTIONS, {"shop_demo_store": "yes", "admin_email": "x@example.org"})
    assert (answer.status, answer.code) == (403, "shop_rest_cannot_update")
    assert value(admin, "shop_demo_store") is False


@pytest.mark.parametrize(
    ("query", "status"), [({}, 400), ({"options": ""}, 403), ({"options": ["shop_demo_store"]}, 400)]
)
def test_options_must_be_named_with_commas(admin: Client, query: dict[str, object], status: int) -> None:
    answer = admin.get(OPTIONS, query=query)
    assert (answer.status, answer.code) == (status, "shop_rest_cannot_view")


@pytest.mark.parametrize("body", [b"shop_demo_store=no", b"[1]", b'"text"', b"7", b"null", b""])
def test_a_body_that_is_no_object_is_a_client_error(admin: Client, body: bytes) -> None:
    kind = "application/json" if body != b"shop_demo_store=no" else "application/x-www-form-urlencoded"
    answer = admin.post(OPTIONS, body=body, headers={"content-type": kind})
    assert 400 <= answer.status < 500


@pytest.mark.parametrize("body", [b"{}", b"[]", b" { } "])
def test_nothing_to_change_changes_nothing(admin: Client, body: bytes) -> None:
    answer = admin.post(OPTIONS, body=body, headers={"content-type": "application/json"})
    assert (answer.status, answer.json) == (200, {})


def test_an_option_that_is_a_setting_follows_its_rules(manager: Client) -> None:
    refused = manager.post(OPTIONS, {"shop_weight_unit": "stones"})
    assert (refused.status, refused.code) == (400, "rest_setting_value_invalid")
    assert manager.post(OPTIONS, {"shop_weight_unit": "kg"}).json == {"shop_weight_unit": True}
    assert manager.get("/shop/v3/settings/products/shop_weight_unit").json["value"] == "kg"


def test_a_way_of_paying_is_switched_on_by_its_option(manager: Client) -> None:
    assert manager.post(OPTIONS, {"shop_bacs_settings": {"enabled": "yes", "title": "By bank"}}).status == 200
    gateway = manager.get("/shop/v3/payment_gateways/bacs").json
    assert (gateway["enabled"], gateway["title"]) == (True, "By bank")
    assert manager.post(OPTIONS, {"shop_bacs_settings": "yes"}).status == 400


def test_the_name_of_the_site_is_an_option(admin: Client) -> None:
    assert admin.post(OPTIONS, {"blogname": "Bottega"}).json == {"blogname": True}
    assert admin.get("/cms/v2/settings").json["title"] == "Bottega"


@pytest.mark.parametrize("given", [7, [1], {"a": {"b": None}}, "yes"])
def test_no_value_of_any_option_breaks_what_reads_it(admin: Client, given: object) -> None:
    for name in sorted(ALLOWED_OPTIONS):
        assert admin.post(OPTIONS, {name: given}).status < 500, name
    for path in (
        "/shop-admin/onboarding/tasks", "/shop-admin/onboarding/profile", "/shop-admin/onboarding/profile/progress",
        "/shop-admin/onboarding/free-extensions", "/shop-admin/payment-gateway-suggestions",
        "/shop-admin/launch-your-store/survey-completed", "/shop/v3/payment_gateways", "/shop/v3/settings/general",
        "/shop/v3/system_status", f"{OPTIONS}?options={','.join(sorted(ALLOWED_OPTIONS))}",
    ):  # fmt: skip
        assert admin.get(path).status == 200, path
    for path in ("/action", "/dismiss", "/snooze", "/undo_snooze", "/undo_dismiss"):
        assert admin.post(f"/shop-admin/onboarding/tasks/mine{path}", {}).status == 200
    for path in ("/plugins/install", "/plugins/activate"):
        assert admin.post(f"/shop-admin{path}", {"plugins": "x"}).status == 200
    assert admin.post("/shop-admin/launch-your-store/initialize-coming-soon", {}).status == 200

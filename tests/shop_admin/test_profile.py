"""The onboarding profile: accepted values, response, completed steps."""

from __future__ import annotations

import pytest

from conftest import Client, SetClock

PROFILE = "/shop-admin/onboarding/profile"


@pytest.mark.every_database
def test_the_profile_is_merged_and_shown(manager: Client) -> None:
    assert manager.get(PROFILE).json["industry"] is None
    manager.post(PROFILE, {"industry": ["art"], "business_extensions": ["Alpha-Ext", "beta ext"], "theme": "portico"})
    manager.post(PROFILE, {"completed": True, "unknown": 1, "selling_platforms": 7})
    told = manager.get(PROFILE).json
    assert len(told) == 13
    assert told["theme"] == "portico"
    assert told["industry"] == ["art"]
    assert told["business_extensions"] == ["alpha-ext", "beta-ext"]
    assert told["selling_platforms"] == ["7"]
    assert (told["completed"], told["shopcom_connected"]) == (True, False)
    kept = manager.get("/shop-admin/options?options=shop_onboarding_profile").json["shop_onboarding_profile"]
    assert kept["theme"] == "portico"
    assert "unknown" not in kept


@pytest.mark.parametrize("given", [None, [None, "etsy"], ["a", "b"]])
def test_platforms_may_be_null(manager: Client, given: object) -> None:
    assert manager.post(PROFILE, {"selling_platforms": given}).status == 200
    assert manager.get(PROFILE).json["selling_platforms"] == given


@pytest.mark.parametrize(
    "given",
    [
        {"industry": None}, {"industry": [["a"]]}, {"completed": "perhaps"}, {"product_types": ["stars"]},
        {"product_count": "12"}, {"revenue": "much"}, {"number_employees": "2"}, {"selling_venues": "moon"},
        {"other_platform": "x"}, {"store_email": "nobody"}, {"store_email": "", "is_agree_marketing": True},
        {"selling_platforms": [["a"]]},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(manager: Client, given: dict[str, object]) -> None:
    answer = manager.post(PROFILE, given)
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert (
        manager.get(PROFILE).json[next(iter({*given} & {"industry", "completed", "store_email"}), "industry")] is None
    )


def test_an_address_may_be_empty_while_no_news_are_wanted(manager: Client) -> None:
    assert manager.post(PROFILE, {"store_email": ""}).status == 200
    wrong = manager.post(PROFILE, {"store_email": "nobody"}).json
    assert wrong["data"]["details"]["store_email"]["code"] == "rest_invalid_email"


def test_a_step_done_again_keeps_its_place(manager: Client, clock: SetClock) -> None:
    path = f"{PROFILE}/progress/core-profiler/complete"
    assert manager.get(f"{PROFILE}/progress").json == {}
    manager.post(path, {"step": "intro-opt-in"})
    manager.post(path, {"step": "plugins"})
    before = manager.get(f"{PROFILE}/progress").json["core_profiler_completed_steps"]
    clock.forward(60)
    manager.post(path, {"step": "intro-opt-in"})
    after = manager.get(f"{PROFILE}/progress").json["core_profiler_completed_steps"]
    assert list(after) == ["intro-opt-in", "plugins"]
    assert after["intro-opt-in"]["completed_at"] > before["intro-opt-in"]["completed_at"]


def test_currency_and_units_follow_the_country(manager: Client) -> None:
    path = f"{PROFILE}/update-store-currency-and-measurement-units"
    answer = manager.post(path, {"country_code": "IT"})
    assert (answer.status, answer.content) == (204, b"")
    assert "content-length" not in answer.headers
    assert manager.get("/shop/v3/settings/general/shop_currency").json["value"] == "EUR"
    assert manager.get("/shop/v3/settings/products/shop_dimension_unit").json["value"] == "cm"
    assert manager.post(path, {"country_code": "ZZ"}).code == "shop_rest_invalid_country_code"


def test_writing_an_empty_object_empties_the_profile(manager: Client) -> None:
    manager.post(PROFILE, {"completed": True})
    manager.post("/shop-admin/options", {"shop_onboarding_profile": {}})
    assert manager.get(PROFILE).json["completed"] is None


def test_what_was_said_of_the_business_is_shown_once_it_was(manager: Client) -> None:
    before = manager.get(PROFILE).json
    assert "revenue" not in before
    told = {"revenue": "none", "product_types": ["physical"], "setup_client": False, "theme": "portico"}
    assert manager.post(PROFILE, told).status == 200
    after = manager.get(PROFILE).json
    assert {name: after[name] for name in told} == told
    assert set(after) == {*before, *told}
    assert manager.get(PROFILE, query={"_fields": "revenue,completed"}).json == {"completed": None, "revenue": "none"}

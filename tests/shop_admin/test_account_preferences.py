"""What the admin pages of a shop store for an account, and which rights they require."""

from __future__ import annotations

from conftest import Client, Stand

ME = "/cms/v2/users/me"


def test_preferences_are_kept_by_account_and_shown_back(site: Stand, manager: Client) -> None:
    before = manager.get(ME, query={"context": "edit"}).json["shop_meta"]
    assert before["orders_report_columns"] == ""
    columns = '["status","net_total"]'
    answer = manager.post(ME, {"shop_meta": {"orders_report_columns": columns, "a_hint_of_tomorrow": "yes"}})
    assert (answer.status, answer.json["shop_meta"]["orders_report_columns"]) == (200, columns)
    after = manager.get(ME, query={"context": "edit"}).json["shop_meta"]
    assert after == {**before, "orders_report_columns": columns, "a_hint_of_tomorrow": "yes"}
    manager.post(ME, {"shop_meta": {"a_hint_of_tomorrow": ""}})
    assert "a_hint_of_tomorrow" not in manager.get(ME, query={"context": "edit"}).json["shop_meta"]
    assert site.client("admin").get(ME, query={"context": "edit"}).json["shop_meta"] == before


def test_preferences_have_names_and_a_size(manager: Client) -> None:
    for wrong in ({"Orders Columns": "a"}, {"a": "x" * 70_000}, {f"name_{at}": "a" for at in range(201)}):
        answer = manager.post(ME, {"shop_meta": wrong})
        assert (answer.status, answer.code, list(answer.json["data"]["params"])) == (
            400, "rest_invalid_param", ["shop_meta"],
        )  # fmt: skip
    answer = manager.post(ME, {"shop_meta": "words"})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")


def test_hints_that_were_put_off_are_extra_fields(manager: Client) -> None:
    name = "shop_launch_your_store_tour_hidden"
    assert manager.get(ME, query={"context": "edit"}).json["meta"][name] == ""
    assert manager.post(ME, {"meta": {name: "yes"}}).json["meta"][name] == "yes"
    assert manager.get(ME, query={"context": "edit"}).json["meta"][name] == "yes"
    assert manager.post(ME, {"meta": {name: None}}).json["meta"][name] == ""
    assert manager.post(ME, {"meta": {name: ["a"]}}).code == "rest_invalid_type"


def test_rights_have_the_names_that_pages_ask_for(site: Stand, manager: Client) -> None:
    own = manager.get(ME, query={"context": "edit"}).json
    assert own["is_super_admin"] is False
    for name in ("manage_shop", "view_shop_reports", "edit_others_products", "publish_shop_orders",
                 "read_private_shop_coupons", "assign_product_terms"):  # fmt: skip
        assert own["capabilities"][name] is True
    admin = site.client("admin").get(ME, query={"context": "edit"}).json
    assert admin["is_super_admin"] is True

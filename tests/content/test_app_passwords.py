"""Application passwords over HTTP."""

import re

import pytest

OWN = "/cms/v2/users/me/application-passwords"
ME = "/cms/v2/users/me"


def test_a_new_password_is_shown_once_and_signs_in(site, subscriber):
    answer = subscriber.post(OWN, {"name": "My <b>phone</b>"})
    assert answer.status == 201
    made = answer.json
    assert made["name"] == "My phone"
    assert (made["last_used"], made["last_ip"]) == (None, None)
    assert re.fullmatch(r"[A-Za-z0-9]{4}( [A-Za-z0-9]{4}){5}", made["password"])
    assert answer.headers["location"].endswith(f"/application-passwords/{made['uuid']}")
    phone = type(subscriber)(site.site, "subscriber", made["password"])
    used = phone.get(f"{OWN}/introspect")
    assert (used.status, used.json["uuid"], used.json["last_ip"]) == (200, made["uuid"], "127.0.0.1")
    assert "password" not in subscriber.get(f"{OWN}/{made['uuid']}", query={"context": "edit"}).json


def test_the_same_name_and_app_id_may_be_used_again(author):
    wish = {"name": "Twice", "app_id": "11111111-2222-4333-8444-555555555555"}
    first, second = author.post(OWN, wish).json, author.post(OWN, wish).json
    assert first["uuid"] != second["uuid"]
    assert first["app_id"] == second["app_id"] == wish["app_id"]


@pytest.mark.parametrize(
    "wish, code",
    [
        ({}, "rest_missing_callback_param"),
        ({"name": ""}, "rest_invalid_param"),
        ({"name": " \t"}, "rest_invalid_param"),
        ({"name": "<i></i>"}, "application_password_empty_name"),
        ({"name": "x", "app_id": "seven"}, "rest_invalid_param"),
    ],
)
def test_what_has_no_name_or_a_wrong_app_id_is_refused(author, wish, code):
    before = len(author.get(OWN).json)
    answer = author.post(OWN, wish)
    assert (answer.status, answer.code) == (400, code)
    assert len(author.get(OWN).json) == before


def test_only_the_name_can_be_changed(author):
    made = author.post(OWN, {"name": "Old"}).json
    one = f"{OWN}/{made['uuid']}"
    answer = author.patch(one, {"name": "New", "app_id": "11111111-2222-4333-8444-555555555555"})
    assert (answer.status, answer.json["name"], answer.json["app_id"]) == (200, "New", "")
    assert author.put(one, {}).json["name"] == "New"


def test_a_removed_password_no_longer_signs_in(site, author):
    made = author.post(OWN, {"name": "Short"}).json
    phone = type(author)(site.site, "author", made["password"])
    assert phone.get(ME).status == 200
    gone = author.delete(f"{OWN}/{made['uuid']}").json
    assert gone["deleted"] is True
    assert gone["previous"]["uuid"] == made["uuid"]
    assert "_links" not in gone["previous"]
    answer = phone.get(ME)
    assert (answer.status, answer.code) == (401, "incorrect_password")
    answer = author.get(f"{OWN}/{made['uuid']}")
    assert (answer.status, answer.code) == (404, "rest_application_password_not_found")
    assert answer.headers["allow"] == "GET, POST, PUT, PATCH, DELETE"


def test_all_are_removed_at_once_and_counted(admin):
    path = "/cms/v2/users/5/application-passwords"
    admin.post(path, {"name": "One more"})
    assert admin.delete(path).json == {"deleted": True, "count": 2}
    assert admin.delete(path).json == {"deleted": True, "count": 0}
    assert admin.get(path).json == []


def test_the_list_has_no_totals_and_is_in_the_order_of_making(admin):
    path = "/cms/v2/users/5/application-passwords"
    for name in ("b", "a", "c"):
        admin.post(path, {"name": name})
    answer = admin.get(path, query={"context": "embed"})
    assert [item["name"] for item in answer.json][1:] == ["b", "a", "c"]
    assert set(answer.json[0]) == {"uuid", "app_id", "name", "_links"}
    assert "x-cms-total" not in answer.headers


@pytest.mark.parametrize(
    "method, path, json, code",
    [
        ("GET", "", None, "rest_cannot_list_application_passwords"),
        ("POST", "", {"name": "x"}, "rest_cannot_create_application_passwords"),
        ("DELETE", "", None, "rest_cannot_delete_application_passwords"),
        ("GET", "/no-such", None, "rest_cannot_read_application_password"),
        ("POST", "/no-such", {"name": "x"}, "rest_cannot_edit_application_password"),
        ("DELETE", "/no-such", None, "rest_cannot_delete_application_password"),
        ("GET", "/introspect", None, "rest_cannot_introspect_app_password_for_non_authenticated_user"),
    ],
)
def test_those_of_others_are_refused_before_it_is_said_whether_they_exist(anyone, editor, method, path, json, code):
    address = f"/cms/v2/users/3/application-passwords{path}"
    for client, status in ((anyone, 401), (editor, 403)):
        answer = client.ask(method, address, json=json)
        assert (answer.status, answer.code) == (status, code)
        assert "allow" not in answer.headers


def test_nobody_has_none_of_his_own(anyone):
    assert anyone.get(OWN).code == "rest_not_logged_in"
    assert anyone.get(f"{OWN}/introspect").code == "rest_not_logged_in"


def test_an_unknown_user_is_told_and_a_word_is_no_user(admin):
    assert admin.get("/cms/v2/users/999/application-passwords").code == "rest_user_invalid_id"
    assert admin.get("/cms/v2/users/you/application-passwords").code == "rest_no_route"

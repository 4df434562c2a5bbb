"""Own fields of terms, accounts and options pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import Answer, Client, Stand, standing
from custom_field_profile import build_profile

GENRES = "/cms/v2/genres"
USERS = "/cms/v2/users"
PAGES = "/cms/v2/options-pages"


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, build_profile()) as stand:
        yield stand


def faults(answer: Answer) -> dict[str, str]:
    """Return the code of each named fault."""
    assert (answer.status, answer.code) == (400, "rest_invalid_param"), answer.json
    return {name: detail["code"] for name, detail in answer.json["data"]["details"].items()}


# -- terms


def test_terms_have_fields(editor: Client, anyone: Client) -> None:
    made = editor.post(GENRES, {"name": "Warm", "meta": {"accent": "#ff0000", "motto": "Eat"}})
    assert (made.status, made.json["meta"]) == (201, {"accent": "#ff0000", "motto": "Eat"})
    path = f"{GENRES}/{made.json['id']}"
    assert editor.post(path, {"meta": {"accent": None}}).json["meta"] == {"accent": None, "motto": "Eat"}
    assert anyone.get(path).json["meta"] == {"accent": None, "motto": "Eat"}


def test_faults_of_terms_are_named(editor: Client) -> None:
    answer = editor.post(GENRES, {"name": "Warm", "meta": {"accent": "red", "other": 1}})
    assert faults(answer) == {
        "meta.accent": "rest_invalid_hex_color", "meta.other": "rest_additional_properties_forbidden",
        "meta.motto": "rest_property_required",
    }  # fmt: skip
    made = editor.post(GENRES, {"name": "Warm", "meta": {"motto": "Eat"}}).json["id"]
    assert faults(editor.post(f"{GENRES}/{made}", {"meta": {"motto": ""}})) == {"meta.motto": "rest_property_required"}
    assert editor.post(f"{GENRES}/{made}", {"name": "Hot"}).status == 200


def test_a_taxonomy_without_own_fields_takes_any_meta_as_before(editor: Client) -> None:
    made = editor.post("/cms/v2/tags", {"name": "Warm", "meta": {"other": 1}})
    assert (made.status, made.json["meta"]) == (201, {})


# -- accounts


def test_accounts_have_fields_that_their_owner_writes(editor: Client, anyone: Client) -> None:
    shown = editor.post(f"{USERS}/me", {"meta": {"title": "Cook"}}).json["meta"]
    assert (shown["title"], shown["badge"], "secret" in shown) == ("Cook", None, False)
    assert shown["persisted_preferences"] == {}
    editor.post("/cms/v2/posts", {"title": "a", "status": "publish"})
    number = editor.get(f"{USERS}/me").json["id"]
    assert anyone.get(f"{USERS}/{number}").json["meta"]["title"] == "Cook"


def test_some_fields_of_accounts_are_for_administrators(editor: Client, admin: Client) -> None:
    number = editor.get(f"{USERS}/me").json["id"]
    denied = editor.post(f"{USERS}/me", {"meta": {"badge": "gold", "secret": "x"}})
    assert (denied.status, denied.json["data"]["params"]) == (403, ["meta.badge", "meta.secret"])
    assert admin.post(f"{USERS}/{number}", {"meta": {"badge": "gold", "secret": "x"}}).status == 200
    shown = editor.get(f"{USERS}/me", query={"context": "edit"}).json["meta"]
    assert (shown["badge"], "secret" in shown) == ("gold", False)


def test_a_new_account_has_its_fields_at_once(admin: Client) -> None:
    account = {"username": "ada", "email": "ada@example.org", "password": "a long one"}
    answer = admin.post(USERS, {**account, "meta": {"title": 5, "other": 1}})
    assert faults(answer) == {
        "meta.title": "rest_invalid_type", "meta.other": "rest_additional_properties_forbidden",
    }  # fmt: skip
    made = admin.post(USERS, {**account, "meta": {"title": "Cook", "persisted_preferences": {"a": 1}}})
    assert (made.status, made.json["meta"]["title"]) == (201, "Cook")


# -- options pages


def test_an_options_page_is_written_by_those_with_its_capability(admin: Client, editor: Client, anyone: Client) -> None:
    assert editor.post(f"{PAGES}/company", {"meta": {"phone": "1"}}).code == "rest_cannot_edit"
    assert anyone.post(f"{PAGES}/company", {"meta": {"phone": "1"}}).status == 401
    changed = admin.post(f"{PAGES}/company", {"meta": {"phone": "12", "claim": "Good"}})
    assert (changed.status, changed.json["meta"]) == (200, {"phone": "12", "claim": "Good", "boss": None})
    shown = anyone.get(f"{PAGES}/company").json
    assert (shown["name"], shown["label"], shown["meta"]["phone"]) == ("company", "Company", "12")
    assert anyone.get(f"{PAGES}/company", query={"context": "edit"}).status == 401


def test_what_visitors_were_shown_is_not_kept_beyond_a_write(admin: Client, anyone: Client) -> None:
    for number in ("1", "2"):
        admin.post(f"{PAGES}/company", {"meta": {"phone": number}})
        assert anyone.get(f"{PAGES}/company").json["meta"]["phone"] == number
        assert anyone.get(PAGES).json[0]["meta"]["phone"] == number


def test_pages_that_are_not_public_are_for_those_who_write_them(anyone: Client, author: Client, editor: Client) -> None:
    assert [one["name"] for one in anyone.get(PAGES).json] == ["company"]
    assert [one["name"] for one in editor.get(PAGES).json] == ["company", "keys"]
    assert [one["name"] for one in editor.get(PAGES, query={"context": "edit"}).json] == ["keys"]
    assert anyone.get(f"{PAGES}/keys").status == 401
    assert author.get(f"{PAGES}/keys").status == 403
    assert editor.get(f"{PAGES}/keys").json["meta"] == {"code": None}


def test_faults_of_options_pages_are_named(editor: Client, admin: Client) -> None:
    assert faults(editor.post(f"{PAGES}/keys", {"meta": {"code": ""}})) == {"meta.code": "rest_property_required"}
    answer = admin.post(f"{PAGES}/company", {"meta": {"boss": 999, "fax": "1"}})
    assert faults(answer) == {
        "meta.boss": "rest_invalid_param", "meta.fax": "rest_additional_properties_forbidden",
    }  # fmt: skip
    assert admin.get(f"{PAGES}/nothing").status == 404


def test_each_language_has_its_values_and_shares_others(site: Stand) -> None:
    english, italian = site.client("admin"), site.client("admin", root="/it/cms-json")
    english.post(f"{PAGES}/company", {"meta": {"phone": "1", "claim": "Good"}})
    assert italian.get(f"{PAGES}/company").json["meta"]["claim"] == "Good"
    italian.post(f"{PAGES}/company", {"meta": {"phone": "2", "claim": "Buono"}})
    shown = [client.get(f"{PAGES}/company").json for client in (english, italian)]
    assert [(one["lang"], one["meta"]["phone"], one["meta"]["claim"]) for one in shown] == [
        ("en", "2", "Good"), ("it", "2", "Buono"),
    ]  # fmt: skip


def test_an_options_page_links_to_what_it_names(admin: Client) -> None:
    number = admin.get(f"{USERS}/me").json["id"]
    admin.post(f"{PAGES}/company", {"meta": {"boss": number}})
    answer = admin.get(f"{PAGES}/company", query={"_embed": "cms:meta-boss"}).json
    assert answer["_embedded"]["cms:meta-boss"][0]["id"] == number


def test_the_schema_of_a_page_names_its_fields(admin: Client) -> None:
    schema = admin.options(f"{PAGES}/company").json["schema"]
    assert list(schema["properties"]["meta"]["properties"]) == ["phone", "claim", "boss"]

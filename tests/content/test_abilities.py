"""Abilities: the list, the categories, and running one."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

ABILITIES, CATEGORIES = "/cms-abilities/v1/abilities", "/cms-abilities/v1/categories"
SITE, ENVIRONMENT = f"{ABILITIES}/core/get-site-info", f"{ABILITIES}/core/get-environment-info"


@pytest.mark.parametrize("path", [ABILITIES, SITE, CATEGORIES, f"{CATEGORIES}/site", f"{ABILITIES}/core/nulla"])
def test_nobody_sees_them_and_every_account_does(site: Stand, path: str) -> None:
    assert (site.client().get(path).status, site.client().get(path).code) == (401, "rest_forbidden")
    assert site.client("subscriber").get(path).status == (404 if path.endswith("/nulla") else 200)


def test_the_list_is_paged_and_kept_by_category(subscriber: Client) -> None:
    every = subscriber.get(ABILITIES)
    assert [one["name"] for one in every.json] == ["core/get-site-info", "core/get-environment-info"]
    assert every.headers["x-cms-total"] == "2"
    second = subscriber.get(ABILITIES, query={"per_page": 1, "page": 2})
    assert [one["name"] for one in second.json] == ["core/get-environment-info"]
    assert 'rel="prev"' in second.headers["link"]
    assert subscriber.get(ABILITIES, query={"page": 9}).json == []
    assert len(subscriber.get(ABILITIES, query={"category": "site"}).json) == 2
    assert subscriber.get(ABILITIES, query={"category": "user"}).json == []
    assert subscriber.get(ABILITIES, query={"per_page": 101}).status == 400


def test_one_ability_in_each_context(admin: Client) -> None:
    view = admin.get(SITE).json
    assert view["input_schema"]["properties"]["fields"]["items"]["enum"][:2] == ["name", "description"]
    assert view["meta"]["annotations"] == {"readonly": True, "destructive": False, "idempotent": True}
    assert admin.get(ENVIRONMENT).json["input_schema"] == {}
    embed = admin.get(SITE, query={"context": "embed"}).json
    assert set(embed) == {"name", "label", "category", "_links"}
    assert embed["_links"]["cms:action-run"][0]["href"].endswith("/core/get-site-info/run")
    assert set(embed["_links"]) == {"self", "collection", "cms:action-run"}


def test_the_options_of_running_one_say_what_comes_of_it(admin: Client) -> None:
    schema = admin.options("/cms-abilities/v1/abilities/core/get-site-info/run").json["schema"]
    assert (schema["title"], schema["type"], list(schema["properties"])) == ("ability-execution", "object", ["result"])
    assert "object" in schema["properties"]["result"]["type"]


def test_what_is_not_there(admin: Client) -> None:
    assert admin.get(f"{ABILITIES}/core/nulla").code == "rest_ability_not_found"
    assert admin.get(f"{ABILITIES}/core/nulla/run").code == "rest_ability_not_found"
    assert admin.get(f"{CATEGORIES}/nulla").code == "rest_ability_category_not_found"


def test_running_one_answers_its_result_alone(site: Stand, admin: Client) -> None:
    whole = admin.get(f"{SITE}/run").json
    assert (whole["name"], whole["url"], whole["language"]) == ("Vetrina", "http://vetrina.test/en", "en-US")
    some = admin.get(f"{SITE}/run", query={"input": {"fields": ["name", "charset"]}}).json
    assert some == {"name": "Vetrina", "charset": "UTF-8"}
    environment = admin.get(f"{ENVIRONMENT}/run").json
    assert set(environment) == {"environment", "php_version", "db_server_info", "cms_version"}
    assert all(isinstance(value, str) for value in environment.values())


@pytest.mark.parametrize(
    "given", [{"fields": ["nulla"]}, {"altro": 1}, {"fields": {"a": {"b": 1}}}, "testo", {"fields": "name,nulla"}]
)
def test_a_wrong_input_is_refused(admin: Client, given: Any) -> None:
    answer = admin.get(f"{SITE}/run", query={"input": given} if isinstance(given, dict) else f"input={given}")
    assert (answer.status, answer.code) == (400, "ability_invalid_input")


def test_an_ability_that_takes_nothing_is_given_nothing(admin: Client) -> None:
    assert admin.get(f"{ENVIRONMENT}/run", query={"input": {"a": 1}}).code == "ability_invalid_input"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_what_only_reads_is_run_by_get(admin: Client, anyone: Client, method: str) -> None:
    for client in (admin, anyone):
        answer = client.ask(method, f"{SITE}/run")
        assert (answer.status, answer.code) == (405, "rest_ability_invalid_method")


@pytest.mark.parametrize(("login", "status"), [("", 401), ("subscriber", 403), ("editor", 403), ("admin", 200)])
def test_running_needs_the_right_of_the_ability(site: Stand, login: str, status: int) -> None:
    answer = (site.client(login) if login else site.client()).get(f"{SITE}/run")
    assert answer.status == status
    if status != 200:
        assert answer.code == "rest_ability_cannot_execute"


def test_categories(admin: Client) -> None:
    found = admin.get(CATEGORIES)
    assert [one["slug"] for one in found.json] == ["site", "user"]
    assert found.headers["x-cms-total"] == "2"
    one = admin.get(f"{CATEGORIES}/site").json
    assert one["_links"]["abilities"][0]["href"].endswith("/cms-abilities/v1/abilities?category=site")

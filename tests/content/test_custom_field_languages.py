"""Own fields and languages: values of each translation, values that all share, texts of translation jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Client, Stand, standing
from custom_field_profile import build_profile

RECIPES = "/cms/v2/recipes"
GENRES = "/cms/v2/genres"


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, build_profile()) as stand:
        yield stand


@pytest.fixture
def italian(site: Stand) -> Client:
    return site.client("editor", root="/it/cms-json")


def make(client: Client, path: str, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    made: dict[str, Any] = answer.json
    return made


def read_meta(client: Client, path: str, id: int, name: str) -> Any:
    return client.get(f"{path}/{id}", query={"context": "edit"}).json["meta"][name]


def test_a_shared_value_is_the_same_in_every_translation(editor: Client, italian: Client) -> None:
    english = make(editor, RECIPES, title="Soup", meta={"rating": 3, "prep_minutes": 10})
    other = make(italian, RECIPES, title="Zuppa", translations={"en": english["id"]})
    assert (other["meta"]["rating"], other["meta"]["prep_minutes"]) == (3, None)
    italian.post(f"{RECIPES}/{other['id']}", {"meta": {"rating": 5, "prep_minutes": 20}})
    assert read_meta(editor, RECIPES, english["id"], "rating") == 5
    assert read_meta(editor, RECIPES, english["id"], "prep_minutes") == 10
    editor.post(f"{RECIPES}/{english['id']}", {"meta": {"rating": None}})
    assert read_meta(italian, RECIPES, other["id"], "rating") is None


def test_a_translation_that_is_made_with_a_shared_value_writes_it_to_all(editor: Client, italian: Client) -> None:
    english = make(editor, RECIPES, title="Soup", meta={"rating": 3})
    make(italian, RECIPES, title="Zuppa", translations={"en": english["id"]}, meta={"rating": 4})
    assert read_meta(editor, RECIPES, english["id"], "rating") == 4


def test_the_change_log_tells_of_every_translation(admin: Client, editor: Client, italian: Client) -> None:
    english = make(editor, RECIPES, title="Soup")
    other = make(italian, RECIPES, title="Zuppa", translations={"en": english["id"]})
    since = admin.get("/cms/v2/changes").json["next"]
    italian.post(f"{RECIPES}/{other['id']}", {"meta": {"rating": 5}})
    told = admin.get("/cms/v2/changes", query={"since": since}).json["changes"]
    assert {one["id"] for one in told if one["kind"] == "recipe"} == {english["id"], other["id"]}


def test_terms_share_values_likewise(editor: Client, italian: Client) -> None:
    english = make(editor, GENRES, name="Warm", meta={"accent": "#ff0000", "motto": "Eat"})
    other = make(italian, GENRES, name="Caldo", translations={"en": english["id"]}, meta={"motto": "Mangia"})
    assert other["meta"] == {"accent": "#ff0000", "motto": "Mangia"}
    italian.post(f"{GENRES}/{other['id']}", {"meta": {"accent": "#00ff00"}})
    assert editor.get(f"{GENRES}/{english['id']}").json["meta"] == {"accent": "#00ff00", "motto": "Eat"}

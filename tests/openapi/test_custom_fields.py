"""Fields that a profile declares are in the OpenAPI document and in the written types, as they are answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Client, Stand, standing
from custom_field_profile import build_profile
from vetrina.rest.client_types.collecting import collect_types
from vetrina.rest.client_types.typescript import write_typescript

from .shapes import Document
from .validation import validate_document

RECIPES = "/cms/v2/recipes"


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Iterator[Stand]:
    with standing(request, build_profile()) as stand:
        yield stand


@pytest.fixture
def document(site: Stand) -> dict[str, Any]:
    """The document of the site, as it serves it."""
    answer = Client(site.site, root="").get("/openapi.json?dialect=neutral")
    assert answer.status == 200, answer.content
    found: dict[str, Any] = answer.json
    return found


def test_the_document_of_a_site_with_own_fields_is_valid(document: dict[str, Any]) -> None:
    validate_document(document)
    own = document["components"]["schemas"]["Recipe"]["properties"]["meta"]["properties"]
    assert own["prep_minutes"]["type"] == ["integer", "null"]
    assert own["steps"]["items"]["properties"].keys() == {"text", "minutes"}


def test_own_fields_are_answered_as_the_document_says(site: Stand, document: dict[str, Any]) -> None:
    admin, described = site.client("admin"), Document(document)
    meta = {"difficulty": "easy", "steps": [{"text": "Chop"}], "yields": {"portions": 4}, "story": "Of <em>old</em>."}
    made = admin.post(RECIPES, {"title": "Soup", "status": "publish", "meta": meta})
    assert made.status == 201, made.json
    assert described.strays(described.answer(RECIPES, "POST", 201) or {}, made.json) == []
    for caller in (admin, site.client()):
        listed = caller.get(RECIPES)
        assert [one["title"]["rendered"] for one in listed.json] == ["Soup"]
        assert described.strays(described.answer(RECIPES, "GET", 200) or {}, listed.json) == []


def test_own_fields_and_what_search_engines_are_told_are_in_the_types(document: dict[str, Any]) -> None:
    text = write_typescript(collect_types(document), "Types")
    recipe = text.partition("export interface Recipe {")[2].partition("\n}")[0]
    assert "\n  meta: RecipeMeta;" in recipe
    assert "\n  seo?: RecipeSeo;" in recipe
    assert "\n  prep_minutes: number | null;" in text.partition("export interface RecipeMeta {")[2].partition("\n}")[0]

"""Fields of a site's own in translation jobs: which texts travel, and what a new translation starts with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Stand, standing
from custom_field_profile import build_profile

from .conftest import Desk

RECIPES = "/cms/v2/recipes"


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, build_profile()) as stand:
        yield stand


def write(desk: Desk, **meta: Any) -> int:
    answer = desk.it.post(RECIPES, {"title": "Zuppa", "status": "publish", "meta": {"difficulty": "easy", **meta}})
    assert answer.status == 201, answer.json
    number: int = answer.json["id"]
    return number


def read_translation(desk: Desk) -> dict[str, Any]:
    [made] = desk.en.get(RECIPES, query={"context": "edit", "status": "any"}).json
    meta: dict[str, Any] = made["meta"]
    return {**meta, "id": made["id"], "status": made["status"]}


def test_texts_of_fields_travel_and_other_values_start_as_those_of_the_source(desk: Desk) -> None:
    block = "<!-- wp:paragraph --><p>Un blocco</p><!-- /wp:paragraph -->"
    recipe = write(
        desk, subtitle="Calda", story="<p>Una storia</p>", layout=block, prep_minutes=30, rating=4,
        steps=[{"text": "Tagliare", "minutes": 5}],
    )  # fmt: skip
    job = desk.send("post_recipe", recipe)
    sent = desk.file(job)
    assert all(text in sent for text in ("Calda", "Una storia", "Un blocco", "Tagliare"))
    assert "easy" not in sent
    desk.translate(job)
    made = read_translation(desk)
    assert (made["status"], made["subtitle"]) == ("publish", "EN Calda")
    assert "Una storia" in made["story"]["raw"]
    assert made["story"]["raw"].startswith("EN ")
    assert "<!-- wp:paragraph -->" in made["layout"]["raw"]
    assert made["steps"] == [{"text": "EN Tagliare", "minutes": 5}]
    assert (made["prep_minutes"], made["rating"], made["difficulty"]) == (30, 4, "easy")


def test_another_round_leaves_what_the_translation_has_of_its_own(desk: Desk) -> None:
    recipe = write(desk, subtitle="Calda", prep_minutes=30)
    desk.translate(desk.send("post_recipe", recipe))
    made = read_translation(desk)
    desk.en.post(f"{RECIPES}/{made['id']}", {"meta": {"prep_minutes": 45}})
    desk.it.post(f"{RECIPES}/{recipe}", {"meta": {"subtitle": "Fredda", "prep_minutes": 10}})
    desk.translate(desk.send("post_recipe", recipe))
    again = read_translation(desk)
    assert (again["subtitle"], again["prep_minutes"]) == ("EN Fredda", 45)


def test_relations_lead_to_the_translations(desk: Desk) -> None:
    other = write(desk)
    desk.translate(desk.send("post_recipe", other))
    english = read_translation(desk)["id"]
    recipe = write(desk, similar=[other])
    desk.translate(desk.send("post_recipe", recipe))
    metas = [one["meta"] for one in desk.en.get(RECIPES, query={"context": "edit"}).json if one["id"] != english]
    assert [meta["similar"] for meta in metas] == [[english]]


def test_a_duplicate_has_the_values_of_its_original(desk: Desk) -> None:
    desk.send("post_recipe", write(desk, subtitle="Calda", prep_minutes=30), sent_to="duplicate")
    made = read_translation(desk)
    assert (made["subtitle"], made["prep_minutes"]) == ("Calda", 30)


def test_texts_of_terms_travel(desk: Desk) -> None:
    genre = desk.it.post("/cms/v2/genres", {"name": "Caldo", "meta": {"motto": "Mangia", "accent": "#ff0000"}}).json
    desk.translate(desk.send("tax_genre", genre["id"]))
    [made] = desk.en.get("/cms/v2/genres").json
    assert made["meta"] == {"accent": "#ff0000", "motto": "EN Mangia"}
    desk.it.post(f"/cms/v2/genres/{genre['id']}", {"meta": {"motto": "Bevi"}})
    desk.translate(desk.send("tax_genre", genre["id"]))
    assert desk.en.get(f"/cms/v2/genres/{made['id']}").json["meta"]["motto"] == "EN Bevi"

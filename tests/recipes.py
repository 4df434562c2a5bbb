"""A site with recipes that have fields of their own, for tests of several folders."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, made, standing
from postgres_server import Postgres
from vetrina.settings import Profile, ProfileType, load_profile

PATH = "/cms/v2/recipe"
FIELDS: dict[str, dict[str, Any]] = {
    "prep_minutes": {"type": "integer"},
    "rating": {"type": "number"},
    "vegetarian": {"type": "boolean"},
    "season": {"type": "date"},
    "served_at": {"type": "date_time"},
    "cuisine": {"type": "choice", "choices": ["italian", "french", "thai"]},
    "tags": {"type": "choice", "choices": ["quick", "cheap", "feast"], "multiple": True},
    "subtitle": {"type": "text"},
    "source": {"type": "url"},
    "goes_with": {"type": "relation", "to": "recipe", "multiple": True},
    "portions": {"type": "integer", "default": 4},
    "cost": {"type": "number", "read": "edit_posts"},
    "notes": {"type": "rich_text"},
}


def make_profile(fields: dict[str, dict[str, Any]] = FIELDS, **words: Any) -> Profile:
    """Return the first profile with a type of recipes."""
    recipe = {"label": "Recipes", "taxonomies": ["category"], "supports": ["title", "custom-fields", "author"], **words}
    first = load_profile("first")
    types = {**first.types, "recipe": msgspec.convert({**recipe, "fields": fields}, ProfileType)}
    return msgspec.structs.replace(first, types=types)


@pytest.fixture(scope="session")
def prepared_recipes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site with recipes that is copied for others."""
    folder = tmp_path_factory.mktemp("recipes")
    site = made(folder, make_profile(), secret="secret of the tests")
    site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()
    return folder


@pytest.fixture(scope="session")
def prepared_postgres_recipes(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database of such a site, used as a template."""
    folder = tmp_path_factory.mktemp("recipes")
    made(folder, make_profile(), secret="secret of the tests", database=postgres.new()).close()
    return postgres.newest


@pytest.fixture(name="site")
def site_of_recipes(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, make_profile(), "_recipes") as stand:
        yield stand


numbers = itertools.count()


def make(client: Client, status: str = "publish", **meta: Any) -> int:
    """Make a recipe with these fields and return its id."""
    answer = client.post(PATH, {"title": f"Recipe {next(numbers)}", "status": status, "meta": meta})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def ids(client: Client, query: str) -> list[int]:
    """Return the ids of a list, which are as many as it says."""
    answer = client.get(f"{PATH}?{query}")
    assert answer.status == 200, answer.json
    assert int(answer.headers["x-cms-total"]) == len(answer.json)
    return [one["id"] for one in answer.json]

"""Lists of records are filtered and sorted by the site's own fields. Rules: docs/rules/custom_field_lists.md."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, made, standing
from postgres_server import Postgres
from vetrina.content.records import model as record_model
from vetrina.settings import Profile, ProfileType, load_profile

PATH = "/cms/v2/recipe"
FIELDS = {
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


def make_profile(fields: dict[str, Any] = FIELDS) -> Profile:
    """Return the first profile with a type of recipes."""
    recipe = {"label": "Recipes", "taxonomies": ["category"], "supports": ["title", "custom-fields", "author"]}
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
    made(
        tmp_path_factory.mktemp("recipes"), make_profile(), secret="secret of the tests", database=postgres.new()
    ).close()
    return postgres.newest


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, make_profile(), "_recipes") as stand:
        yield stand


numbers = itertools.count()


def make(client: Client, **meta: Any) -> int:
    """Make a recipe with these fields and return its id."""
    answer = client.post(PATH, {"title": f"Recipe {next(numbers)}", "status": "publish", "meta": meta})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def ids(client: Client, query: str) -> list[int]:
    answer = client.get(f"{PATH}?{query}")
    assert answer.status == 200, answer.json
    assert int(answer.headers["x-cms-total"]) == len(answer.json)
    return [one["id"] for one in answer.json]


def put(site: Stand, id: int, **meta: Any) -> None:
    with site.site.work() as work:
        old = record_model.find_record(work.tx, id)
        record_model.update_record_row(work, old, msgspec.structs.replace(old, meta={**old.meta, **meta}))
        work.note("recipe", id, "changed")


@pytest.mark.every_database
def test_smoke(site: Stand, admin: Client, anyone: Client) -> None:
    a, b, c = (make(admin) for _ in range(3))
    put(
        site,
        a,
        prep_minutes=10,
        cuisine="italian",
        vegetarian=True,
        subtitle="Élan vital",
        season="2026-03-01",
        tags=["quick", "feast"],
    )
    put(site, b, prep_minutes=-5, cuisine="french", vegetarian=False, subtitle="Zeta", season="2026-05-01", portions=2)
    assert ids(anyone, "meta.prep_minutes=10") == [a]
    assert ids(anyone, "meta[prep_minutes][gte]=-5&meta[prep_minutes][lt]=10") == [b]
    assert ids(anyone, "meta.prep_minutes[gte]=-5") == [b, a]
    assert ids(anyone, "meta.prep_minutes[exists]=false") == [c]
    assert ids(anyone, "meta.cuisine[ne]=french") == [c, a]
    assert ids(anyone, "meta.cuisine[in]=french,italian&meta.vegetarian=true&meta.prep_minutes[gte]=1") == [a]
    assert ids(anyone, "meta.subtitle[starts]=elan") == [a]
    assert ids(anyone, "meta.subtitle=ZETA") == [b]
    assert ids(anyone, "meta.season[gt]=2026-03-01") == [b]
    assert ids(anyone, "meta.tags=feast") == [a]
    assert ids(anyone, "meta.portions=4") == [c, a]
    for way in ("asc", "desc"):
        found = ids(anyone, f"orderby=meta.prep_minutes&order={way}")
        assert found == ([b, a, c] if way == "asc" else [a, b, c])
        assert [
            one["id"]
            for page in (1, 2, 3)
            for one in anyone.get(f"{PATH}?orderby=meta.prep_minutes&order={way}&per_page=1&page={page}").json
        ] == found
    print(anyone.get(f"{PATH}?meta.prep_minuts=1").json)
    print(anyone.get(f"{PATH}?meta.prep_minutes[gth]=1&meta.cuisine=x&meta.cost=1").json)
    print(anyone.get(f"{PATH}?orderby=meta.cost").json)
    print(anyone.get(f"{PATH}?meta.prep_minutes[gte]=0&per_page=1&orderby=meta.season").headers)

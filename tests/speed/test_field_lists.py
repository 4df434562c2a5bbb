"""Lists with filters and orders by own fields ask as often for many rows as for few, and are read along an index."""

from __future__ import annotations

import re

import pytest

from conftest import Client, Stand
from recipes import PATH, prepared_recipes, site_of_recipes
from recorded_statements import record_statements

__all__ = ["prepared_recipes", "site_of_recipes"]

THREE = "meta.cuisine=thai&meta.prep_minutes[gte]=0&meta.vegetarian=true"
QUERIES = (
    THREE,
    f"{THREE}&orderby=meta.prep_minutes",
    f"{THREE}&orderby=title",
    "meta.prep_minutes[gte]=0&meta.season[gte]=2020-01-01&meta.tags[in]=quick,cheap",
    "orderby=meta.prep_minutes&order=asc",
    "meta.cuisine[ne]=french",
)


@pytest.fixture
def kind() -> str:
    """The embedded database, which reports its statements."""
    return "sqlite"


def fill(admin: Client, number: int) -> None:
    meta = {"cuisine": "thai", "prep_minutes": 5, "vegetarian": True, "season": "2026-01-01", "tags": ["quick"]}
    for start in range(0, number, 25):
        requests = [
            {"path": PATH, "body": {"title": f"Recipe {at}", "status": "publish", "meta": meta}}
            for at in range(start, min(start + 25, number))
        ]
        answers = admin.post("/batch/v1", {"requests": requests}).json["responses"]
        assert {answer["status"] for answer in answers} == {201}


@pytest.mark.parametrize("login", ["", "editor"])
@pytest.mark.parametrize("query", QUERIES)
def test_a_list_asks_as_often_for_one_row_as_for_many(site: Stand, admin: Client, login: str, query: str) -> None:
    client, counts = site.client(login), []
    for more, rows in ((2, 2), (75, 77)):
        fill(admin, more)
        for again in range(2):
            client.get(f"{PATH}?{query}&per_page=100&again={again}")
        with record_statements(site) as asked:
            answer = client.get(f"{PATH}?{query}&per_page=100&again=2")
        assert (answer.status, len(answer.json)) == (200, rows)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 16


@pytest.mark.parametrize("few", [2, 2_000], ids=["read along an index", "picked by their ids"])
@pytest.mark.parametrize("query", QUERIES)
def test_nothing_is_scanned_and_no_match_is_sorted(
    site: Stand, admin: Client, anyone: Client, query: str, few: int
) -> None:  # fmt: skip
    fill(admin, 5)
    site.site.context.filter_cache.most_ids = few
    with record_statements(site) as asked:
        answer = anyone.get(f"{PATH}?{query}&per_page=3&_fields=id")
    assert (answer.status, len(answer.json)) == (200, 3)
    connection = site.site.database.connection()
    plans = {
        text: [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}")]
        for text in asked
        if "field_value" in text
    }
    assert plans
    for text, steps in plans.items():
        for step in steps:
            assert not re.match(r"SCAN (?!json_each|\(subquery|CONSTANT|anon_)", step), (text, steps)
            # Records that are picked by their ids are sorted; there are few.
            assert "TEMP B-TREE FOR ORDER BY" not in step or "json_each" in text, (text, steps)
    if few == 2 and query == THREE:
        pages = [steps for text, steps in plans.items() if "ORDER BY leading.date" in text]
        assert pages
        for steps in pages:
            assert "field_value_by_date (type=? AND field=? AND value=? AND status=? AND language=?)" in steps[0]
            assert all("PRIMARY KEY (record=? AND field=?" in step for step in steps if "own_" in step)

"""Two filters of a list find the intersection of their results, and the total counts it, however they are compiled."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

from conftest import Client

POSTS = "/cms/v2/posts"


@pytest.fixture
def filters(admin: Client) -> dict[str, dict[str, Any]]:
    """Posts that differ in everything that filters cover, and a filter for each."""
    one, two = (admin.post("/cms/v2/categories", {"name": name}).json["id"] for name in ("Una", "Due"))
    tag = admin.post("/cms/v2/tags", {"name": "Etichetta"}).json["id"]
    made = []
    for number, (category, author, format, sticky) in enumerate(
        product((one, two), (1, 2), ("standard", "aside"), (False, True))
    ):
        body = {
            "title": f"mela {number % 3}", "content": "pera" if number % 2 else "uva", "status": "publish",
            "categories": [category], "tags": [tag] if number % 5 == 0 else [], "author": author, "format": format,
            "sticky": sticky, "date": f"2020-01-{10 + number}T10:00:00",
        }  # fmt: skip
        answer = admin.post(POSTS, body)
        assert answer.status == 201, answer.json
        made.append(answer.json["id"])
    return {
        "one category": {"categories": one}, "either category": {"categories": [one, two]},
        "no such category": {"categories_exclude": one}, "tag": {"tags": tag}, "no such tag": {"tags_exclude": tag},
        "included": {"include": made[3:9]}, "author": {"author": 1}, "not author": {"author_exclude": 1},
        "standard": {"format": "standard"}, "aside": {"format": "aside"}, "sticky": {"sticky": "true"},
        "before": {"before": "2020-01-20T00:00:00"}, "after": {"after": "2020-01-14T00:00:00"},
        "excluded": {"exclude": made[5:7]}, "not sticky": {"sticky": "false"}, "search": {"search": "pera"},
        "slug": {"slug": ["mela-1", "mela-2", "mela-0-2"]},
    }  # fmt: skip


# With ids to include, ids to exclude and stickiness have no effect, nor an excluded author
# besides included ones.
INSTEAD = ({"included", "excluded"}, {"included", "not sticky"}, {"author", "not author"})
SAME_PARAMETER = ({"one category", "either category"}, {"standard", "aside"}, {"sticky", "not sticky"})


@pytest.mark.parametrize("order", [{}, {"order": "asc", "orderby": "title"}], ids=["by date", "by title"])
def test_two_filters_hold_together(anyone: Client, filters: dict[str, dict[str, Any]], order: dict[str, str]) -> None:
    def found(*names: str) -> set[int]:
        query = {key: value for name in names for key, value in filters[name].items()}
        answer = anyone.get(POSTS, query={**query, **order, "per_page": 100, "_fields": "id"})
        assert answer.status == 200, (names, answer.json)
        assert int(answer.headers["x-cms-total"]) == len(answer.json), names
        return {one["id"] for one in answer.json}

    alone = {name: found(name) for name in filters}
    for first, second in combinations(filters, 2):
        if {first, second} not in (*INSTEAD, *SAME_PARAMETER):
            assert found(first, second) == alone[first] & alone[second], (first, second)

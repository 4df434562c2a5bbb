"""The number of queries of a list does not depend on its number of rows."""

from __future__ import annotations

import itertools

import pytest

from conftest import Client, Stand
from recorded_statements import record_statements


@pytest.fixture
def kind() -> str:
    """The embedded database, which reports its statements."""
    return "sqlite"


names = itertools.count()


def fill(admin: Client, path: str, number: int, **members: object) -> None:
    """Make records, or terms, of different names."""
    for start in range(0, number, 25):
        texts = [f"Voce {next(names)}" for _ in range(start, min(start + 25, number))]
        requests = [
            {"path": path, "body": {"title": text, "name": text, "status": "publish", **members}} for text in texts
        ]
        answers = admin.post("/batch/v1", {"requests": requests}).json["responses"]
        assert {answer["status"] for answer in answers} == {201}


def asked(site: Stand, client: Client, target: str, rows: int) -> int:
    """Return the number of statements of a list with so many rows, requested a second time, not from the cache."""
    client.get(target)
    client.get(f"{target}&again=1")
    with record_statements(site) as noted:
        answer = client.get(f"{target}&again=2")
    assert (answer.status, len(answer.json)) == (200, rows)
    return len(noted)


@pytest.mark.parametrize("login", ["", "editor"])
@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/cms/v2/posts", ""),
        ("/cms/v2/posts", "&_fields=id,title"),
        ("/cms/v2/posts", "&search=Voce"),
        ("/cms/v2/posts", "&categories=1&orderby=title"),
        ("/cms/v2/posts", "&_embed=author"),
        ("/cms/v2/pages", ""),
        ("/cms/v2/pages", "&orderby=menu_order"),
        ("/cms/v2/intervento", ""),
        ("/cms/v2/tags", ""),
    ],
)  # fmt: skip
def test_a_list_asks_as_often_for_one_row_as_for_many(
    site: Stand, admin: Client, login: str, path: str, query: str
) -> None:
    client, target = site.client(login), f"{path}?per_page=100{query}"
    fill(admin, path, 2)
    few = asked(site, client, target, 2)
    fill(admin, path, 75)
    assert asked(site, client, target, 77) == few


def test_the_editing_view_asks_as_often_for_one_row_as_for_many(site: Stand, admin: Client) -> None:
    target = "/cms/v2/posts?per_page=100&context=edit&status=any"
    fill(admin, "/cms/v2/posts", 2)
    few = asked(site, admin, target, 2)
    fill(admin, "/cms/v2/posts", 75)
    assert asked(site, admin, target, 77) == few


def test_a_list_of_posts_asks_at_most_five_times(site: Stand, admin: Client, anyone: Client) -> None:
    fill(admin, "/cms/v2/posts", 20)
    assert asked(site, anyone, "/cms/v2/posts?per_page=20", 20) <= 5
    # Options, total, records, terms, and what the records are in other languages.


def test_a_tree_of_pages_is_listed_without_asking_for_each(site: Stand, admin: Client) -> None:
    top = admin.post("/cms/v2/pages", {"title": "Sopra", "status": "publish"}).json["id"]
    below = admin.post("/cms/v2/pages", {"title": "Sotto", "status": "publish", "parent": top}).json["id"]
    fill(admin, "/cms/v2/pages", 2, parent=below)
    few = asked(site, site.client(), "/cms/v2/pages?per_page=100", 4)
    fill(admin, "/cms/v2/pages", 50, parent=below)
    assert asked(site, site.client(), "/cms/v2/pages?per_page=100", 54) == few


def test_a_kept_answer_asks_nothing(site: Stand, admin: Client, anyone: Client) -> None:
    fill(admin, "/cms/v2/posts", 3)
    anyone.get("/cms/v2/posts")
    with record_statements(site) as noted:
        assert len(anyone.get("/cms/v2/posts").json) == 3
    assert noted == []


def steps(site: Stand, client: Client, target: str) -> int:
    """Return how many hundreds of its steps SQLite takes for a read."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    connection = site.site.database.connection()
    connection.set_progress_handler(count, 100)
    try:
        assert client.get(target).status == 200
    finally:
        connection.set_progress_handler(None, 0)
    return taken


def test_what_visitors_see_of_accounts_costs_no_look_at_every_record(site: Stand, admin: Client) -> None:
    """Accounts without posts are hidden; this is stored, not searched in all records for each account."""
    fill(admin, "/cms/v2/posts", 25)
    anyone = site.client()
    few = steps(site, anyone, "/cms/v2/users?again=1")
    fill(admin, "/cms/v2/posts", 250)
    assert steps(site, anyone, "/cms/v2/users?again=2") <= few * 1.2 + 2

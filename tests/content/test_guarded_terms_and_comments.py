"""Two people at one comment, term or menu: who writes to a state that is no longer there is refused.

Rules: docs/rules/global_parameters.md, 9.
"""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Answer, Client, Stand

# What one person changes, and what another: never the same member, so that a merge would not show a loss.
WRITES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "comment": ({"content": "Read it twice"}, {"author_name": "Mara"}),
    "category": ({"name": "Huts"}, {"description": "Where to sleep"}),
    "tag": ({"name": "Snow"}, {"slug": "white"}),
    "menu": ({"name": "Above"}, {"description": "At the top"}),
}
EDIT = {"context": "edit"}


def path_of_new(admin: Client, what: str) -> str:
    given: dict[str, Any] = {"name": "First"}
    path = {"category": "/cms/v2/categories", "tag": "/cms/v2/tags", "menu": "/cms/v2/menus"}.get(what, "")
    if what == "comment":
        post = admin.post("/cms/v2/posts", {"title": "A walk", "status": "publish"}).json["id"]
        path, given = "/cms/v2/comments", {"post": post, "content": "Read it"}
    made = admin.post(path, given)
    assert made.status == 201, made.json
    return f"{path}/{made.json['id']}"


def tag_of(client: Client, path: str) -> str:
    return str(client.get(path, query=EDIT).headers["etag"])


def written(client: Client, path: str, given: dict[str, Any], tag: str) -> Answer:
    return client.put(path, given, headers={"If-Match": tag})


@pytest.mark.every_database
@pytest.mark.parametrize("what", WRITES)
def test_the_second_of_two_people_is_refused_and_nothing_is_stored(admin: Client, what: str) -> None:
    path, (mine, theirs) = path_of_new(admin, what), WRITES[what]
    tag = tag_of(admin, path)
    assert written(admin, path, theirs, tag).status == 200
    before = admin.get(path, query=EDIT).json
    late = written(admin, path, mine, tag)
    assert (late.status, late.code) == (412, "rest_precondition_failed")
    assert admin.get(path, query=EDIT).json == before
    assert written(admin, path, mine, tag_of(admin, path)).status == 200
    late = admin.delete(path, query={"force": "true"}, headers={"If-Match": tag})
    assert (late.status, late.code) == (412, "rest_precondition_failed")
    assert admin.put(path, theirs).status == 200


@pytest.mark.parametrize("what", WRITES)
def test_a_write_that_changes_nothing_leaves_the_state(admin: Client, what: str) -> None:
    path, (mine, _) = path_of_new(admin, what), WRITES[what]
    assert admin.put(path, mine).status == 200
    tag = tag_of(admin, path)
    assert admin.put(path, mine).status == 200
    assert tag_of(admin, path) == tag


def test_the_count_of_a_term_is_none_of_its_state(admin: Client) -> None:
    path = path_of_new(admin, "category")
    tag = tag_of(admin, path)
    number = int(path.rpartition("/")[2])
    admin.post("/cms/v2/posts", {"title": "A walk", "status": "publish", "categories": [number]})
    assert admin.get(path).json["count"] == 1
    assert written(admin, path, {"name": "Huts"}, tag).status == 200


def links_tag_of(found: dict[str, Any]) -> str:
    return str(found["_links"]["self"][0]["targetHints"].get("etag", [""])[0])


def tag_in_list(client: Client, path: str, query: dict[str, str]) -> str:
    collection, _, number = path.rpartition("/")
    [row] = [one for one in client.get(collection, query=query).json if one["id"] == int(number)]
    return links_tag_of(row)


@pytest.mark.every_database
@pytest.mark.parametrize("what", ["comment", "category", "tag"])
def test_a_row_of_a_list_tells_the_state_that_guards_a_write(site: Stand, admin: Client, what: str) -> None:
    path, (mine, theirs) = path_of_new(admin, what), WRITES[what]
    tag = tag_in_list(admin, path, EDIT)
    assert tag_of(admin, path).strip('W/"').partition(".")[0] == tag.strip('"')
    answer = written(admin, path, mine, tag)
    assert answer.status == 200
    assert written(admin, path, theirs, tag).status == 412
    # So does the answer to a write, for whoever goes on from there.
    now = links_tag_of(answer.json)
    assert now == tag_in_list(admin, path, EDIT) != tag
    assert written(admin, path, theirs, now).status == 200
    for client in (site.client(), admin):
        assert tag_in_list(client, path, {}) == ""


def test_a_list_of_menus_tells_no_states_which_would_be_asked_for_one_by_one(admin: Client) -> None:
    path = path_of_new(admin, "menu")
    assert tag_in_list(admin, path, EDIT) == ""


@pytest.mark.parametrize("what", WRITES)
def test_readers_are_not_told_the_state_of_what_they_do_not_see(site: Stand, admin: Client, what: str) -> None:
    path = path_of_new(admin, what)
    number = path.rpartition("/")[2]
    for client in (site.client(), admin):
        assert f'"{number}-' not in client.get(path).headers.get("etag", "")
    assert f'"{number}-' in tag_of(admin, path)

"""The trash over HTTP: trash, list, restore, and delete."""

import pytest

POSTS = "/cms/v2/posts"


def make(client, **members):
    answer = client.post(POSTS, {"title": "Da buttare", "status": "publish", **members})
    assert answer.status == 201, answer.json
    return answer.json


def trash(client, post):
    answer = client.delete(f"{POSTS}/{post['id']}")
    assert answer.status == 200, answer.json
    return answer.json


def test_a_trashed_post_is_there_for_who_may_edit_it_and_for_nobody_else(editor, anyone, subscriber):
    post = make(editor)
    assert trash(editor, post)["status"] == "trash"
    assert [client.get(f"{POSTS}/{post['id']}").status for client in (editor, subscriber, anyone)] == [200, 403, 401]
    assert anyone.get(POSTS).json == []
    assert [found["id"] for found in editor.get(POSTS, query={"status": "trash"}).json] == [post["id"]]
    assert editor.get(POSTS, query={"status": "any"}).json == []


def test_a_trashed_post_frees_its_slug(editor):
    first = make(editor, slug="posto")
    assert trash(editor, first)["slug"] == "posto__trashed"
    assert make(editor, slug="posto")["slug"] == "posto"


def test_a_post_comes_back_with_its_slug(editor):
    post = make(editor, slug="posto", date="2024-03-03T03:03:03")
    trash(editor, post)
    back = editor.post(f"{POSTS}/{post['id']}", {"status": "publish"}).json
    assert (back["slug"], back["link"]) == (post["slug"], post["link"])


def test_a_post_comes_back_beside_the_one_that_took_its_slug(editor):
    first = make(editor, slug="posto")
    trash(editor, first)
    make(editor, slug="posto")
    assert editor.post(f"{POSTS}/{first['id']}", {"status": "draft"}).json["slug"] == "posto-2"


def test_a_post_in_the_trash_can_be_changed_and_stays_there(editor):
    post = make(editor)
    trash(editor, post)
    changed = editor.post(f"{POSTS}/{post['id']}", {"title": "Ancora qui"}).json
    assert (changed["status"], changed["title"]["raw"]) == ("trash", "Ancora qui")


def test_what_is_in_the_trash_cannot_be_put_there_again(editor):
    post = make(editor)
    trash(editor, post)
    answer = editor.delete(f"{POSTS}/{post['id']}")
    assert (answer.status, answer.code) == (410, "rest_already_trashed")


def test_the_trash_unsticks_and_stops_counting_for_terms(editor):
    tag = editor.post("/cms/v2/tags", {"name": "Conto"}).json["id"]
    post = make(editor, sticky=True, tags=[tag])
    assert trash(editor, post)["sticky"] is False
    assert editor.get(f"/cms/v2/tags/{tag}").json["count"] == 0
    back = editor.post(f"{POSTS}/{post['id']}", {"status": "publish"}).json
    assert (back["sticky"], back["tags"]) == (False, [tag])
    assert editor.get(f"/cms/v2/tags/{tag}").json["count"] == 1


@pytest.mark.parametrize("status", ["publish", "draft", "private", "trash"])
def test_removal_for_good_answers_with_what_was_removed(site, editor, status):
    post = make(editor, content="Testo")
    trash(editor, post) if status == "trash" else editor.post(f"{POSTS}/{post['id']}", {"status": status})
    answer = editor.delete(f"{POSTS}/{post['id']}", query={"force": True})
    assert (answer.status, set(answer.json)) == (200, {"deleted", "previous"})
    previous = answer.json["previous"]
    assert (answer.json["deleted"], previous["status"], previous["content"]["raw"]) == (True, status, "Testo")
    assert "_links" not in previous
    assert site.stored(post["id"]) is None


def test_a_removed_post_is_unknown_to_every_method(editor):
    post = make(editor)
    editor.delete(f"{POSTS}/{post['id']}", json={"force": True})
    for method in ("GET", "POST", "DELETE"):
        answer = editor.ask(method, f"{POSTS}/{post['id']}", json={"title": "x"} if method == "POST" else None)
        assert (answer.status, answer.code) == (404, "rest_post_invalid_id")


@pytest.mark.in_process("it asks SQLite")
def test_removal_takes_revisions_and_autosaves_along(site, editor, admin):
    post = make(editor, content="Uno")
    editor.post(f"{POSTS}/{post['id']}", {"content": "Due"})
    admin.post(f"{POSTS}/{post['id']}/autosaves", {"content": "Tre"})
    editor.delete(f"{POSTS}/{post['id']}", query={"force": True})
    left = site.site.database.connection().execute("SELECT count(*) FROM revision").fetchone()
    assert left == (0,)


@pytest.mark.parametrize("force", ["", "2", "yes"])
def test_a_force_that_is_neither_true_nor_false_removes_nothing(site, editor, force):
    post = make(editor)
    answer = editor.delete(f"{POSTS}/{post['id']}", query={"force": force})
    assert (answer.status, list(answer.json["data"]["params"])) == (400, ["force"])
    assert site.stored(post["id"]).status == "publish"


def test_a_scheduled_post_comes_back_scheduled(editor):
    post = make(editor, date="2199-01-01T00:00:00")
    trash(editor, post)
    assert editor.post(f"{POSTS}/{post['id']}", {"status": "publish"}).json["status"] == "future"


def test_an_author_cannot_bring_back_what_is_not_his(editor, author):
    post = make(editor)
    trash(editor, post)
    answer = author.post(f"{POSTS}/{post['id']}", {"status": "publish"})
    assert (answer.status, answer.code) == (403, "rest_cannot_edit")

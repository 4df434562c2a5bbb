"""The change feed over HTTP: what it tells to whom, its cursors, and that no commit is ever skipped."""

from concurrent.futures import ThreadPoolExecutor

import pytest

FEED = "/cms/v2/changes"
POSTS = "/cms/v2/posts"


def now(client):
    return client.get(FEED).json["next"]


def after(client, since, **query):
    answer = client.get(FEED, query={"since": since, **query})
    assert answer.status == 200, answer.json
    return answer.json["changes"]


def told(entries, kind="post"):
    return [(one["id"], one["action"], one["transition"]) for one in entries if one["kind"] == kind]


def make(client, **members):
    answer = client.post(POSTS, {"title": "Uno", "status": "publish", **members})
    assert answer.status == 201, answer.json
    return answer.json


def test_a_published_post_is_told_with_its_addresses_and_tags(anyone, editor):
    since = now(anyone)
    post = make(editor)
    (entry,) = [one for one in after(anyone, since) if one["kind"] == "post"]
    assert entry["href"].endswith(f"{POSTS}/{post['id']}")
    assert (entry["link"], entry["lang"], entry["link_before"]) == (post["link"], post["lang"], None)
    assert (entry["action"], entry["transition"]) == ("created", "published")
    assert entry["tags"] == ["post", f"post-{post['id']}"]


def test_a_draft_is_told_to_those_who_may_read_it_alone(anyone, editor):
    since = now(anyone)
    draft = make(editor, status="draft")
    editor.delete(f"{POSTS}/{draft['id']}")
    editor.delete(f"{POSTS}/{draft['id']}", query={"force": True})
    assert after(anyone, since) == []
    other = make(editor, status="draft")
    assert told(after(editor, since)) == [(other["id"], "created", None)]


@pytest.mark.parametrize(
    ("write", "transition"),
    [
        (lambda editor, path: editor.post(path, {"status": "draft"}), "unpublished"),
        (lambda editor, path: editor.delete(path), "trashed"),
        (lambda editor, path: editor.delete(path, query={"force": True}), "removed"),
        (lambda editor, path: editor.post(path, {"status": "private"}), "unpublished"),
    ],
)
def test_what_goes_away_is_told_once_with_the_page_it_had(anyone, editor, write, transition):
    post = make(editor)
    since = now(anyone)
    assert write(editor, f"{POSTS}/{post['id']}").status == 200
    editor.post(f"{POSTS}/{post['id']}", {"title": "Un segreto"})
    editor.delete(f"{POSTS}/{post['id']}", query={"force": True})
    entries = [one for one in after(anyone, since) if one["kind"] == "post"]
    assert told(entries) == [(post["id"], "removed", transition)]
    assert entries[0]["link"] == post["link"]
    assert "segreto" not in str(entries)


def test_a_post_that_moved_names_the_page_it_had(anyone, editor):
    post = make(editor)
    since = now(anyone)
    editor.post(f"{POSTS}/{post['id']}", {"slug": "altrove"})
    (entry,) = [one for one in after(anyone, since) if one["kind"] == "post"]
    assert (entry["link_before"], entry["transition"]) == (post["link"], "moved")
    assert "altrove" in entry["link"]


def test_a_removed_term_is_told_with_the_page_it_had(anyone, admin):
    term = admin.post("/cms/v2/categories", {"name": "Frutta"}).json
    since = now(anyone)
    admin.delete(f"/cms/v2/categories/{term['id']}", query={"force": True})
    (entry,) = [one for one in after(anyone, since) if one["kind"] == "category"]
    assert (entry["action"], entry["link"]) == ("removed", term["link"])


def test_options_and_secrets_are_not_told_to_readers(anyone, editor, admin):
    since = now(anyone)
    admin.post("/cms/v2/settings", {"title": "Nuovo"})
    admin.post("/cms/v2/users/me/application-passwords", {"name": "Uno"})
    assert after(anyone, since) == after(editor, since) == []
    assert {one["kind"] for one in after(admin, since)} == {"option", "string"}


def test_pages_of_the_feed_hold_every_change_once(anyone, editor):
    since = now(anyone)
    posts = [make(editor)["id"] for _ in range(5)]
    seen = []
    while True:
        answer = anyone.get(FEED, query={"since": since, "per_page": 2})
        seen += [id for id, _, _ in told(answer.json["changes"])]
        since = answer.json["next"]
        assert f"since={since}" in answer.headers["link"]
        if not answer.json["more"]:
            break
    assert seen == posts


def test_filters_choose_kinds_and_languages(anyone, editor, admin):
    since = now(anyone)
    post = make(editor)
    admin.post("/cms/v2/tags", {"name": "Verde"})
    assert {one["kind"] for one in after(anyone, since, kinds="post_tag")} == {"post_tag"}
    assert [one["id"] for one in after(anyone, since, kinds="post", lang="it")] == []
    assert [one["id"] for one in after(anyone, since, kinds="post", lang=post["lang"])] == [post["id"]]


def test_a_cursor_that_the_log_never_reached_is_gone(anyone):
    answer = anyone.get(FEED, query={"since": now(anyone) + 1})
    assert (answer.status, answer.code) == (410, "rest_changes_gone")


@pytest.mark.every_database
def test_concurrent_writers_are_never_skipped(site, anyone):
    since = first = now(anyone)
    with ThreadPoolExecutor(4) as pool:
        writes = [pool.submit(lambda: [make(site.client("editor"))["id"] for _ in range(5)]) for _ in range(4)]
        seen = []
        while True:
            done = all(one.done() for one in writes)
            answer = anyone.get(FEED, query={"since": since, "per_page": 3}).json
            seen += [id for id, _, _ in told(answer["changes"])]
            since = answer["next"]
            if done and not answer["more"]:
                break
    assert sorted(seen) == sorted(id for one in writes for id in one.result())
    assert [id for id, _, _ in told(after(anyone, first, per_page=100))] == seen


def test_a_page_that_went_is_told_as_the_reader_knows_the_site(anyone, editor):
    since, post = now(anyone), make(editor)
    editor.delete(f"{POSTS}/{post['id']}")
    [entry] = [
        one
        for one in anyone.get(FEED, query={"since": since}, headers={"Host": "other.test"}).json["changes"]
        if one["kind"] == "post" and one["transition"] == "trashed"
    ]
    assert entry["link"] == post["link"].replace("vetrina.test", "other.test")

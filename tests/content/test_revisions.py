"""Revisions over HTTP: when one is stored, its contents, permissions, and deletion."""

import pytest

POSTS = "/cms/v2/posts"


@pytest.fixture
def post(author):
    """A published post of the author with two further states of its text."""
    made = author.post(POSTS, {"title": "Uno", "content": "Primo", "status": "publish"}).json
    for content in ("Secondo", "Terzo"):
        assert author.post(f"{POSTS}/{made['id']}", {"content": content}).status == 200
    return made


def revisions(client, post, **query):
    answer = client.get(f"{POSTS}/{post['id']}/revisions", query={"context": "edit", **query})
    assert answer.status == 200, answer.json
    return answer.json


def test_the_first_save_keeps_none_and_each_change_of_the_text_one(author, post):
    kept = revisions(author, post)
    assert [one["content"]["raw"] for one in kept] == ["Terzo", "Secondo"]
    assert {one["parent"] for one in kept} == {post["id"]}
    assert {one["slug"] for one in kept} == {f"{post['id']}-revision-v1"}


@pytest.mark.parametrize(
    ("members", "more"),
    [
        ({"title": "Due"}, 1),
        ({"excerpt": "Sunto"}, 1),
        ({"meta": {"footnotes": '[{"id":"a","content":"b"}]'}}, 1),
        ({"content": " Terzo\n"}, 0),
        ({"slug": "altro"}, 0),
        ({"status": "draft"}, 0),
        ({"tags": [1]}, 0),
        ({"meta": {"_ext_changed": True}}, 0),
        ({}, 0),
    ],
)
def test_only_a_change_of_the_text_keeps_a_revision(author, post, members, more):
    author.post(f"{POSTS}/{post['id']}", members)
    assert len(revisions(author, post)) == 2 + more


def test_a_revision_belongs_to_who_saved(editor, author, post):
    editor.post(f"{POSTS}/{post['id']}", {"content": "Quarto"})
    assert revisions(author, post)[0]["author"] == editor.get("/cms/v2/users/me").json["id"]


def test_the_post_counts_and_names_its_revisions(author, post):
    links = author.get(f"{POSTS}/{post['id']}").json["_links"]
    newest = revisions(author, post)[0]["id"]
    assert links["version-history"][0]["count"] == 2
    assert links["predecessor-version"][0]["id"] == newest


def test_nobody_reads_the_past_of_what_he_may_not_edit(contributor, anyone, editor, post):
    path = f"{POSTS}/{post['id']}/revisions"
    answers = [client.get(path) for client in (contributor, anyone, editor)]
    assert [(answer.status, answer.code) for answer in answers] == [
        (403, "rest_cannot_read"), (401, "rest_cannot_read"), (200, None),
    ]  # fmt: skip


def test_pages_of_revisions_hold_each_once(author, post):
    every = [one["id"] for one in revisions(author, post)]
    assert [one["id"] for page in (1, 2) for one in revisions(author, post, per_page=1, page=page)] == every
    beyond = author.get(f"{POSTS}/{post['id']}/revisions", query={"per_page": 1, "page": 3})
    assert (beyond.status, beyond.code) == (400, "rest_revision_invalid_page_number")


def test_an_offset_excuses_a_page_beyond_the_last_where_it_leaves_something_out(author, post):
    path = f"{POSTS}/{post['id']}/revisions"
    newest, oldest = (one["id"] for one in revisions(author, post))

    def found(**query):
        answer = author.get(path, query=query)
        return answer.code or [one["id"] for one in answer.json]

    assert found(per_page=1, offset=0, page=9) == "rest_revision_invalid_page_number"
    assert found(per_page=1, offset=1, page=9) == [oldest]
    assert found(offset=1, page=2) == [newest, oldest]
    assert found(offset=0, page=2) == "rest_revision_invalid_page_number"
    assert found(offset=2, per_page=1) == "rest_revision_invalid_offset_number"


def test_the_most_relevant_revision_comes_first(author, post):
    path = f"{POSTS}/{post['id']}"
    for members in ({"title": "La mela"}, {"title": "Altro", "content": "mela rossa"}, {"content": "pera"}):
        author.post(path, members)
    query = {"search": "mela", "orderby": "relevance"}
    assert [one["title"]["raw"] for one in revisions(author, post, **query)] == ["La mela", "Altro"]
    assert [one["title"]["raw"] for one in revisions(author, post, search="mela")] == ["Altro", "La mela"]
    two = {"search": "mela rossa", "orderby": "relevance"}
    author.post(path, {"title": "Rossa mela"})
    author.post(path, {"title": "Niente", "content": "rossa e mela"})
    assert [one["title"]["raw"] for one in revisions(author, post, **two)] == ["Rossa mela", "Altro", "Niente"]


def test_revisions_are_ordered_by_their_slugs(author, post):
    saved = author.post(f"{POSTS}/{post['id']}/autosaves", {"content": "Quarto"}).json["id"]
    assert revisions(author, post, orderby="slug")[-1]["id"] == saved
    assert revisions(author, post, orderby="slug", order="asc")[0]["id"] == saved
    dates = [one["id"] for one in revisions(author, post, orderby="include_slugs")]
    assert dates == sorted(dates)


def test_a_revision_is_no_post_and_no_revision_of_another_post(author, post):
    number = revisions(author, post)[0]["id"]
    other = author.post(POSTS, {"title": "Altro"}).json
    assert author.get(f"{POSTS}/{number}").code == "rest_post_invalid_id"
    answer = author.get(f"{POSTS}/{other['id']}/revisions/{number}")
    assert (answer.status, answer.code) == (404, "rest_revision_parent_id_mismatch")


def test_revisions_of_an_unknown_post_and_unknown_revisions_are_not_found(author, post):
    assert author.get(f"{POSTS}/99999/revisions").code == "rest_post_invalid_parent"
    assert author.get(f"{POSTS}/{post['id']}/revisions/99999").code == "rest_post_invalid_id"


# -- removal


def test_a_revision_is_removed_only_by_force(author, post):
    number = revisions(author, post)[0]["id"]
    path = f"{POSTS}/{post['id']}/revisions/{number}"
    answer = author.delete(path)
    assert (answer.status, answer.code) == (501, "rest_trash_not_supported")
    removed = author.delete(path, query={"force": True})
    assert (removed.status, removed.json["deleted"], removed.json["previous"]["id"]) == (200, True, number)
    assert len(revisions(author, post)) == 1
    assert author.get(f"{POSTS}/{post['id']}").json["_links"]["version-history"][0]["count"] == 1


@pytest.mark.parametrize("force", [True, False])
def test_an_unknown_revision_cannot_be_removed(author, post, force):
    other = author.post(POSTS, {"title": "Altro"}).json
    number = revisions(author, post)[0]["id"]
    for path, code in (
        (f"{post['id']}/revisions/99999", "rest_post_invalid_id"),
        (f"{other['id']}/revisions/{number}", "rest_revision_parent_id_mismatch"),
        (f"99999/revisions/{number}", "rest_post_invalid_parent"),
    ):
        answer = author.delete(f"{POSTS}/{path}", query={"force": force})
        assert (answer.status, answer.code) == (404, code)


def test_who_may_not_delete_the_post_removes_no_revision(site, author, contributor, anyone, post):
    number = revisions(author, post)[0]["id"]
    path = f"{POSTS}/{post['id']}/revisions/{number}"
    answers = [client.delete(path, query={"force": True}) for client in (contributor, anyone)]
    assert [(answer.status, answer.code) for answer in answers] == [
        (403, "rest_cannot_delete"),
        (401, "rest_cannot_delete"),
    ]
    assert len(revisions(author, post)) == 2


def test_removing_a_revision_leaves_the_post_as_it_is(site, author, post):
    before = site.stored(post["id"])
    author.delete(f"{POSTS}/{post['id']}/revisions/{revisions(author, post)[1]['id']}", query={"force": True})
    after = site.stored(post["id"])
    assert (after.content, after.modified, after.revisions) == (before.content, before.modified, 1)


def test_revisions_of_blocks_show_no_written_excerpt_to_readers(admin):
    block = admin.post("/cms/v2/blocks", {"title": "Uno", "content": "a", "status": "publish"}).json
    path = f"/cms/v2/blocks/{block['id']}"
    admin.post(path, {"content": "b", "excerpt": "corto"})
    for context, members in (("view", {"rendered"}), ("edit", {"raw", "rendered"})):
        assert set(admin.get(f"{path}/revisions?context={context}").json[0]["excerpt"]) == members


def test_navigation_has_no_footnotes(admin):
    made = admin.post("/cms/v2/navigation", {"title": "Uno", "content": "a"}).json
    path = f"/cms/v2/navigation/{made['id']}"
    admin.post(path, {"content": "b", "meta": {"footnotes": "[]"}})
    assert admin.get(f"{path}/revisions").json[0]["meta"] == {"_ext_changed": False}


def test_only_autosaves_declare_a_preview(anyone, post):
    declared = {
        way: set(anyone.options(f"/cms/v2/posts/{post['id']}/{way}").json["schema"]["properties"])
        for way in ("revisions", "autosaves")
    }
    assert declared["autosaves"] - declared["revisions"] == {"preview_link"}

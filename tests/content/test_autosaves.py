"""Autosaves over HTTP: one unsaved version per author."""

import pytest

POSTS = "/cms/v2/posts"


@pytest.fixture
def post(author):
    return author.post(POSTS, {"title": "Uno", "content": "Primo", "status": "publish"}).json


def save(client, post, **members):
    return client.post(f"{POSTS}/{post['id']}/autosaves", members)


def test_an_autosave_of_a_published_post_leaves_it_as_it_is(site, author, post):
    before = site.stored(post["id"])
    answer = save(author, post, title="Due", content="Secondo", status="draft", slug="altro", sticky=True)
    assert answer.status == 200
    assert (answer.json["parent"], answer.json["slug"]) == (post["id"], f"{post['id']}-autosave-v1")
    assert (answer.json["title"]["raw"], answer.json["content"]["raw"]) == ("Due", "Secondo")
    assert answer.json["preview_link"]
    after = site.stored(post["id"])
    assert (after.title, after.content, after.status, after.slug, after.sticky, after.modified) == (
        before.title, before.content, before.status, before.slug, before.sticky, before.modified,
    )  # fmt: skip


def test_an_author_has_one_autosave_that_the_next_one_replaces(author, post):
    first = save(author, post, content="Secondo").json
    second = save(author, post, content="Terzo").json
    assert second["id"] == first["id"]
    kept = author.get(f"{POSTS}/{post['id']}/autosaves", query={"context": "edit"}).json
    assert [one["content"]["raw"] for one in kept] == ["Terzo"]


def test_each_author_has_an_autosave_of_his_own(author, editor, post):
    mine, other = save(author, post, content="Mio").json, save(editor, post, content="Altro").json
    assert mine["id"] != other["id"]
    assert {one["author"] for one in author.get(f"{POSTS}/{post['id']}/autosaves").json} == {
        mine["author"],
        other["author"],
    }


def test_the_path_says_whose_autosaves_are_listed(author, post):
    kept = save(author, post, content="Secondo").json["id"]
    other = author.post(POSTS, {"title": "Altro"}).json["id"]
    for parent in (post["id"], other, 99999):
        answer = author.get(f"{POSTS}/{post['id']}/autosaves", query={"parent": parent})
        assert [one["id"] for one in answer.json] == [kept]
    wrong = author.get(f"{POSTS}/{post['id']}/autosaves", query={"parent": "x"})
    assert (wrong.status, list(wrong.json["data"]["params"])) == (400, ["parent"])


def test_an_autosave_that_says_nothing_new_comes_back_unchanged(author, post):
    kept = save(author, post, content="Secondo").json
    again = save(author, post, content="Primo").json
    assert (again["id"], again["content"]["raw"]) == (kept["id"], "Secondo")


def test_the_own_draft_itself_is_saved(site, author):
    draft = author.post(POSTS, {"title": "Bozza"}).json
    answer = save(author, draft, title="Bozza due", excerpt="Sunto")
    assert (answer.status, answer.json["id"], answer.json["parent"]) == (200, draft["id"], 0)
    assert (site.stored(draft["id"]).title, site.stored(draft["id"]).excerpt) == ("Bozza due", "Sunto")
    assert author.get(f"{POSTS}/{draft['id']}/autosaves").json == []


def test_who_may_not_edit_saves_nothing(site, contributor, anyone, author, post):
    assert (save(contributor, post, content="x").status, save(contributor, post, content="x").code) == (
        403,
        "rest_cannot_edit",
    )
    assert (save(anyone, post, content="x").status, save(anyone, post, content="x").code) == (401, "rest_cannot_edit")
    assert author.get(f"{POSTS}/{post['id']}/autosaves").json == []


def test_a_contributor_cannot_publish_his_draft_by_an_autosave(site, contributor):
    draft = contributor.post(POSTS, {"title": "Bozza"}).json
    answer = save(contributor, draft, status="publish")
    assert (answer.status, answer.code) == (403, "rest_cannot_publish")
    assert site.stored(draft["id"]).status == "draft"


def test_an_invalid_member_is_named(author, post):
    answer = save(author, post, status="unheard-of")
    assert (answer.status, list(answer.json["data"]["params"])) == (400, ["status"])


def test_a_post_without_an_autosave_says_so(author, post):
    answer = author.get(f"{POSTS}/{post['id']}/autosaves/1")
    assert (answer.status, answer.code) == (404, "rest_post_no_autosave")


def test_a_later_save_of_the_post_leaves_the_autosave(author, post):
    save(author, post, content="Secondo")
    author.post(f"{POSTS}/{post['id']}", {"content": "Terzo"})
    kept = author.get(f"{POSTS}/{post['id']}/autosaves", query={"context": "edit"}).json
    assert [one["content"]["raw"] for one in kept] == ["Secondo"]


def test_markup_is_cleaned_in_autosaves_too(author, post):
    assert "<script" not in save(author, post, content="<script>x()</script>Testo").json["content"]["raw"]


def test_autosaves_can_be_neither_changed_nor_removed(author, post):
    number = save(author, post, content="Secondo").json["id"]
    for method in ("PUT", "DELETE"):
        answer = author.ask(method, f"{POSTS}/{post['id']}/autosaves/{number}", json={})
        assert (answer.status, answer.code) == (404, "rest_no_route")


def test_the_own_draft_itself_has_no_date_yet_and_hangs_on_nothing(author):
    draft = author.post(POSTS, {"title": "Bozza"}).json
    answer = save(author, draft, content="Ancora").json
    assert (answer["id"], answer["parent"], answer["date"], answer["date_gmt"]) == (draft["id"], 0, None, None)
    assert "_links" not in answer
    assert answer["modified"]


def test_other_blanks_are_nothing_new(author, post):
    kept = save(author, post, content="Secondo").json
    again = save(author, post, title="  Uno ", content="\nPrimo\r\n").json
    assert (again["id"], again["content"]["raw"]) == (kept["id"], "Secondo")
    assert save(author, post, content="Pri mo").json["content"]["raw"] == "Pri mo"


def test_the_own_draft_of_a_page_names_the_page_above(editor):
    above = editor.post("/cms/v2/pages", {"title": "Sopra"}).json["id"]
    page = editor.post("/cms/v2/pages", {"title": "Sotto", "parent": above}).json["id"]
    answer = editor.post(f"/cms/v2/pages/{page}/autosaves", {"content": "Ancora"}).json
    assert (answer["id"], answer["parent"]) == (page, above)
    assert answer["_links"]["parent"][0]["href"].endswith(f"/cms/v2/pages/{above}")
    top = editor.post(f"/cms/v2/pages/{above}/autosaves", {"content": "In cima"}).json
    assert top["parent"] == 0
    assert "_links" not in top

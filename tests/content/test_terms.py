"""Categories, tags and the taxonomies of a profile over HTTP."""

from typing import Any

import pytest

CATEGORIES, TAGS = "/cms/v2/categories", "/cms/v2/tags"
TREE = "/cms/v2/categoria-intervento"
EVERY_METHOD = "GET, POST, PUT, PATCH, DELETE"


def made(client: Any, path: str, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def names(answer: Any) -> list[str]:
    assert answer.status == 200, answer.json
    return [term["name"] for term in answer.json]


def test_a_new_category_answers_with_all_that_it_is(editor: Any) -> None:
    top = made(editor, CATEGORIES, name="Vini")
    answer = editor.post(
        CATEGORIES, {"name": "Rossi <b>e</b> bianchi", "parent": top["id"], "description": "Con <em>enfasi</em>"}
    )
    term = answer.json
    assert answer.headers["location"].endswith(f"{CATEGORIES}/{term['id']}")
    assert answer.headers["allow"] == "GET, POST"
    links = term.pop("_links")
    assert term.pop("translations") == {"en": {"id": term["id"], "status": "publish", "link": term["link"]}}
    assert {name: value for name, value in term.items() if name not in ("id", "link")} == {
        "lang": "en",
        "count": 0,
        "description": "Con <em>enfasi</em>",
        "name": "Rossi e bianchi",
        "slug": "rossi-e-bianchi",
        "taxonomy": "category",
        "parent": top["id"],
        "meta": {},
    }
    assert term["link"].endswith("/category/vini/rossi-e-bianchi/")
    assert links["self"][0]["targetHints"]["allow"] == EVERY_METHOD.split(", ")
    assert [
        link["href"].partition("/cms/v2")[2] for name in ("up", "about", "cms:post_type") for link in links[name]
    ] == [
        f"/categories/{top['id']}",
        "/taxonomies/category",
        f"/posts?categories={term['id']}",
    ]
    assert links["up"][0]["embeddable"] is True
    assert links["curies"][0]["name"] == "cms"


def test_a_tag_has_no_parent_and_refuses_one(editor: Any) -> None:
    assert "parent" not in made(editor, TAGS, name="Rosso")
    refused = editor.post(TAGS, {"name": "Bianco", "parent": 1})
    assert (refused.status, refused.code) == (400, "rest_taxonomy_not_hierarchical")


def test_terms_of_a_profile_are_not_nested_in_their_addresses(editor: Any) -> None:
    top = made(editor, TREE, name="Sopra")
    assert made(editor, TREE, name="Sotto", parent=top["id"])["link"].endswith("/categoria-intervento/sotto/")


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({}, "rest_missing_callback_param"),
        ({"name": None}, "rest_missing_callback_param"),
        ({"name": 7}, "rest_invalid_param"),
        ({"name": "x", "parent": "top"}, "rest_invalid_param"),
        ({"name": "x", "meta": "x"}, "rest_invalid_param"),
        ({"name": "  "}, "empty_term_name"),
        ({"name": "x", "parent": 999_999}, "rest_term_invalid"),
        ({"name": "x", "parent": -1}, "rest_term_invalid"),
        ({"name": "Uncategorized"}, "term_exists"),
    ],
)
def test_a_term_that_cannot_be_is_refused_and_not_stored(editor: Any, members: dict[str, Any], code: str) -> None:
    before = editor.get(CATEGORIES).headers["x-cms-total"]
    answer = editor.post(CATEGORIES, members)
    assert (answer.status, answer.code, answer.headers["allow"]) == (400, code, "GET, POST")
    assert editor.get(CATEGORIES).headers["x-cms-total"] == before


def test_a_taken_name_names_the_term_that_has_it(editor: Any) -> None:
    term = made(editor, TAGS, name="Rosso")
    answer = editor.post(TAGS, {"name": "ROSSO"})
    assert (answer.status, answer.code, answer.json["data"]["term_id"]) == (400, "term_exists", term["id"])
    assert answer.json["additional_data"] == [term["id"], term["id"]]


def test_a_change_answers_the_term_and_keeps_what_was_not_named(editor: Any) -> None:
    term = made(editor, CATEGORIES, name="Vini", description="Tutti")
    for method in (editor.post, editor.put, editor.patch):
        answer = method(f"{CATEGORIES}/{term['id']}", {"name": "Vino"})
        assert (answer.status, answer.headers["allow"]) == (200, EVERY_METHOD)
        assert (answer.json["name"], answer.json["slug"], answer.json["description"]) == ("Vino", "vini", "Tutti")


def test_a_term_below_itself_goes_to_the_top(editor: Any) -> None:
    top = made(editor, CATEGORIES, name="Sopra")
    low = made(editor, CATEGORIES, name="Sotto", parent=top["id"])
    assert editor.post(f"{CATEGORIES}/{top['id']}", {"parent": low["id"]}).json["parent"] == 0
    assert editor.get(f"{CATEGORIES}/{low['id']}").json["parent"] == top["id"]


def test_removal_needs_force_and_leaves_nothing(editor: Any) -> None:
    term = made(editor, CATEGORIES, name="Vini")
    path = f"{CATEGORIES}/{term['id']}"
    refused = editor.delete(path)
    assert (refused.status, refused.code) == (501, "rest_trash_not_supported")
    assert editor.delete(path, query={"force": "yes"}).status == 400
    gone = editor.delete(path, query={"force": "true"})
    assert (gone.status, "allow" in gone.headers) == (200, False)
    del term["_links"]
    assert gone.json == {"deleted": True, "previous": term}
    for answer in (editor.get(path), editor.post(path, {"name": "x"}), editor.delete(path, query={"force": "true"})):
        assert (answer.status, answer.code, "allow" in answer.headers) == (404, "rest_term_invalid", False)


def test_nobody_removes_the_default_category(admin: Any) -> None:
    answer = admin.delete(f"{CATEGORIES}/1", query={"force": "true"})
    assert (answer.status, answer.code) == (403, "rest_cannot_delete")
    assert answer.headers["allow"] == "GET, POST, PUT, PATCH"
    hints = admin.get(f"{CATEGORIES}/1").json["_links"]["self"][0]["targetHints"]
    assert hints == {"allow": ["GET", "POST", "PUT", "PATCH"]}


def test_a_term_is_found_below_its_own_taxonomy_only(editor: Any, anyone: Any) -> None:
    tag = made(editor, TAGS, name="Rosso")
    for number in (tag["id"], 0, 10**30):
        answer = anyone.get(f"{CATEGORIES}/{number}")
        assert (answer.status, answer.code) == (404, "rest_term_invalid")
    assert anyone.get(f"{CATEGORIES}/one").code == "rest_no_route"


def test_categories_are_made_by_editors_and_tags_by_who_writes(
    anyone: Any, subscriber: Any, contributor: Any, author: Any
) -> None:
    for client, status in ((anyone, 401), (subscriber, 403), (contributor, 403), (author, 403)):
        for path in (CATEGORIES, TREE):
            answer = client.post(path, {"name": "Vini"})
            assert (answer.status, answer.code, answer.headers["allow"]) == (status, "rest_cannot_create", "GET")
    for client, status in ((anyone, 401), (subscriber, 403)):
        answer = client.post(TAGS, {"name": "Rosso"})
        assert (answer.status, answer.code, answer.headers["allow"]) == (status, "rest_cannot_create", "GET")
    # The list is requested in context edit, which a contributor may not use; clients know this response.
    answer = contributor.post(TAGS, {"name": "Rosso"})
    assert (answer.status, answer.headers["allow"]) == (201, "POST")
    assert answer.json["_links"]["self"][0]["targetHints"]["allow"] == ["GET"]
    path = f"{TAGS}/{answer.json['id']}"
    refused = contributor.post(path, {"name": "x"})
    assert (refused.status, refused.code, refused.headers["allow"]) == (403, "rest_cannot_update", "GET")
    refused = author.delete(path, query={"force": "true"})
    assert (refused.status, refused.code) == (403, "rest_cannot_delete")


def test_the_editing_view_is_for_editors(editor: Any, author: Any, anyone: Any) -> None:
    for path in (CATEGORIES, f"{CATEGORIES}/1"):
        assert editor.get(path, query={"context": "edit"}).status == 200
        for client, status in ((author, 403), (anyone, 401)):
            answer = client.get(path, query={"context": "edit"})
            assert (answer.status, answer.code) == (status, "rest_forbidden_context")
            assert "allow" not in answer.headers


def test_the_embedded_view_is_short(anyone: Any) -> None:
    term = anyone.get(f"{CATEGORIES}/1", query={"context": "embed"}).json
    assert set(term) == {"id", "link", "name", "slug", "taxonomy", "lang", "_links"}


def test_lists_are_narrowed_ordered_and_cut_into_pages(editor: Any, anyone: Any) -> None:
    ids = {name: made(editor, TAGS, name=name, description=f"{len(name)}")["id"] for name in ("beta", "Alfa", "gamma")}
    low = made(editor, CATEGORIES, name="Sotto", parent=1)

    def asked(path: str = TAGS, **query: Any) -> list[str]:
        return names(anyone.get(path, query=query))

    assert asked() == ["Alfa", "beta", "gamma"]
    assert asked(order="desc") == ["gamma", "beta", "Alfa"]
    assert asked(orderby="id") == ["beta", "Alfa", "gamma"]
    assert asked(orderby="description") == ["beta", "Alfa", "gamma"]
    assert asked(orderby="count", order="desc", per_page="1", page="2") == ["Alfa"]
    assert asked(include=f"{ids['gamma']},{ids['beta']}", exclude=str(ids["beta"])) == ["beta", "gamma"]
    assert asked(include=f"{ids['gamma']},{ids['beta']}", orderby="include") == ["gamma", "beta"]
    assert asked(exclude=str(ids["beta"])) == ["Alfa", "gamma"]
    assert asked(slug="gamma,ALFA", orderby="include_slugs") == ["gamma", "Alfa"]
    assert asked(search="AM") == ["gamma"]
    assert asked(search="") == asked(search="  ") == asked(include="") == asked(slug="") == asked()
    assert asked(include="0") == []
    assert asked(hide_empty="true") == []
    assert asked(offset="1") == ["beta", "gamma"]
    assert asked(parent="0") == asked()
    assert asked(CATEGORIES, parent="1") == ["Sotto"]
    assert asked(CATEGORIES, parent="0") == ["Uncategorized"]
    assert asked(CATEGORIES, offset="1", include=str(low["id"])) == ["Sotto"]
    page = anyone.get(TAGS, query={"per_page": 2, "page": 2})
    assert names(page) == ["gamma"]
    assert (page.headers["x-cms-total"], page.headers["x-cms-totalpages"]) == ("3", "2")
    assert 'page=1>; rel="prev"' in page.headers["link"]
    far = anyone.get(TAGS, query={"per_page": 2, "page": 9})
    assert (names(far), far.headers["x-cms-total"]) == ([], "3")
    assert 'page=2>; rel="prev"' in far.headers["link"]


@pytest.mark.parametrize("query", [{"post": "words"}, {"post": "999999"}, {"post": "-1"}])
def test_terms_of_an_unknown_record_are_no_list(anyone: Any, query: dict[str, str]) -> None:
    answer = anyone.get(CATEGORIES, query=query)
    assert (answer.status, "allow" in answer.headers) == (400, False)
    assert answer.code == ("rest_invalid_param" if query["post"] == "words" else "rest_post_invalid_id")


def test_wrong_filters_are_named_together(anyone: Any) -> None:
    answer = anyone.get(CATEGORIES, query={"orderby": "date", "include": "x", "order": "up", "hide_empty": "perhaps"})
    assert (answer.status, set(answer.json["data"]["params"])) == (400, {"orderby", "include", "order", "hide_empty"})


def test_terms_of_a_record_are_for_who_reads_it(editor: Any, author: Any, anyone: Any) -> None:
    tag = made(editor, TAGS, name="Rosso")
    post = made(editor, "/cms/v2/posts", title="Bozza", tags=[tag["id"]])
    assert names(editor.get(TAGS, query={"post": post["id"]})) == ["Rosso"]
    for client, status in ((author, 403), (anyone, 401)):
        answer = client.get(TAGS, query={"post": post["id"]})
        assert (answer.status, answer.code) == (status, "rest_forbidden_context")
    assert editor.post(f"/cms/v2/posts/{post['id']}", {"status": "publish"}).status == 200
    found = anyone.get(TAGS, query={"post": post["id"]})
    assert [(term["name"], term["count"]) for term in found.json] == [("Rosso", 1)]
    page = made(editor, "/cms/v2/pages", title="Pagina", status="publish")
    assert anyone.get(TAGS, query={"post": page["id"]}).code == "rest_forbidden_context"


def test_removing_a_category_moves_its_posts_to_the_default(editor: Any, anyone: Any) -> None:
    term = made(editor, CATEGORIES, name="Vini")
    post = made(editor, "/cms/v2/posts", title="Uno", status="publish", categories=[term["id"]])
    assert editor.delete(f"{CATEGORIES}/{term['id']}", query={"force": "true"}).json["previous"]["count"] == 1
    assert anyone.get(f"/cms/v2/posts/{post['id']}").json["categories"] == [1]
    assert anyone.get(f"{CATEGORIES}/1").json["count"] == 1


@pytest.mark.every_database
def test_each_post_of_a_batch_has_the_terms_as_they_are_by_then(admin: Any, anyone: Any) -> None:
    one, other = (made(admin, TAGS, name=name) for name in ("Uno", "Altro"))
    posts, tag = "/cms/v2/posts", f"{TAGS}/{one['id']}"
    both = [one["id"], other["id"]]
    bodies: list[tuple[str, dict[str, Any]]] = [
        (posts, {"title": "Prima", "status": "publish", "tags": [one["id"]]}),
        (posts, {"title": "Respinta", "status": "publish", "tags": both, "author": 4711}),
        (posts, {"title": "Bozza", "tags": both}),
        (posts, {"title": "Seconda", "status": "publish", "tags": [*both, one["id"], 4711]}),
        (tag, {"slug": "unico"}),
        (posts, {"title": "Terza", "status": "publish", "tags": [one["id"]]}),
        (tag, {"name": "Unico"}),
        (posts, {"title": "Quarta", "status": "publish", "tags": [one["id"], 1]}),
    ]
    requests = [{"path": path, "body": body} for path, body in bodies]
    answers = admin.post("/batch/v1", {"requests": requests}).json["responses"]
    assert [answer["status"] for answer in answers] == [201, 400, 201, 201, 200, 201, 200, 201]
    assert [answers[at]["body"]["tags"] for at in (0, 2, 3, 5, 7)] == [
        [one["id"]], [other["id"], one["id"]], [other["id"], one["id"]], [one["id"]], [one["id"]],
    ]  # fmt: skip
    assert [answers[at]["body"]["class_list"][-1] for at in (0, 5)] == ["tag-uno", "tag-unico"]
    # What it counts when it is changed, and in the end.
    assert [answers[at]["body"]["count"] for at in (4, 6)] == [2, 3]
    assert [anyone.get(f"{TAGS}/{id}").json["count"] for id in both] == [4, 1]


def test_each_language_lists_its_own_terms(editor: Any, anyone: Any) -> None:
    english = made(editor, TAGS, name="News")
    italian = editor.post(TAGS, {"name": "News"}, query={"mlang_language": "it"})
    assert (italian.status, italian.json["slug"]) == (201, "news")
    assert [term["id"] for term in anyone.get(TAGS).json] == [english["id"]]
    assert [term["id"] for term in anyone.get(TAGS, query={"mlang_language": "it"}).json] == [italian.json["id"]]
    assert anyone.get(f"{TAGS}/{italian.json['id']}").json["link"].endswith("/it/tag/news/")


def test_a_batch_may_carry_terms(editor: Any) -> None:
    requests = [{"path": TAGS, "body": {"name": "Uno"}}, {"path": TAGS, "body": {"name": "Uno"}}]
    answer = editor.post("/batch/v1", {"requests": requests})
    assert [part["status"] for part in answer.json["responses"]] == [201, 400]
    assert answer.json["responses"][1]["body"]["code"] == "term_exists"


def test_options_describe_the_term(anyone: Any) -> None:
    answer = anyone.options(TAGS)
    assert answer.json["schema"]["title"] == "tag"
    assert "parent" not in answer.json["schema"]["properties"]
    arguments = answer.json["endpoints"][0]["args"]
    assert list(arguments)[:6] == ["context", "page", "per_page", "search", "exclude", "include"]
    assert "offset" in arguments
    assert "offset" not in anyone.options(CATEGORIES).json["endpoints"][0]["args"]
    assert "parent" not in answer.json["endpoints"][1]["args"]

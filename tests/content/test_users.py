"""Users over HTTP: visibility, writable members, lists."""

import hashlib

import pytest

USERS = "/cms/v2/users"
ME = f"{USERS}/me"
ALL = "GET, POST, PUT, PATCH, DELETE"


def make(admin, login, **members):
    answer = admin.post(USERS, {"username": login, "email": f"{login}@example.org", "password": "Pass 1!", **members})
    assert answer.status == 201, answer.json
    return answer.json


def slugs(answer):
    return [user["slug"] for user in answer.json]


# -- members


def test_what_is_not_given_follows_from_the_login(admin):
    answer = admin.post(USERS, {"username": "new_One", "email": "New@example.org", "password": "x"})
    user = answer.json
    assert answer.status == 201
    assert answer.headers["location"].endswith(f"/cms/v2/users/{user['id']}")
    assert answer.headers["allow"] == "GET, POST"
    assert [user[name] for name in ("username", "name", "nickname", "slug")] == ["new_One"] * 3 + ["new_one"]
    assert (user["roles"], user["locale"]) == (["subscriber"], "en_US")
    assert user["capabilities"] == {"read": True, "level_0": True, "subscriber": True}
    assert user["extra_capabilities"] == {"subscriber": True}
    assert user["registered_date"].endswith("+00:00")
    assert user["meta"] == {"persisted_preferences": {}}
    assert "password" not in user
    mark = hashlib.sha256(b"new@example.org").hexdigest()
    assert user["avatar_urls"]["48"] == f"https://secure.gravatar.com/avatar/{mark}?s=48&d=mm&r=g"


def test_two_names_make_the_name_to_show(admin):
    assert make(admin, "ab", first_name="Ada", last_name="Byron")["name"] == "Ada Byron"


def test_members_depend_on_the_context(admin, subscriber):
    view = subscriber.get(ME).json
    public = {"id", "name", "url", "description", "link", "slug", "avatar_urls"}
    assert set(view) == public | {"meta", "_links"}
    assert set(subscriber.get(ME, query={"context": "embed"}).json) == public | {"_links"}
    assert {"username", "email", "roles", "capabilities"} <= set(subscriber.get(ME, query={"context": "edit"}).json)
    assert set(view["_links"]) == {"self", "collection"}


def test_names_lose_their_tags_and_descriptions_keep_emphasis(admin):
    user = make(admin, "tags", name="Tom & <b>Jerry</b>", description="<em>a</em><script>b</script>")
    assert (user["name"], user["description"]) == ("Tom &amp; Jerry", "<em>a</em>b")


@pytest.mark.parametrize(
    "url, stored",
    [
        ("not an address", "http://not%20an%20address"),
        ("https://example.org/a?b=c", "https://example.org/a?b=c"),
        ("javascript:alert(1)", ""),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("/about", "/about"),
    ],
)
def test_an_address_is_made_safe_to_link_to(admin, url, stored):
    assert make(admin, "home", url=url)["url"] == stored


# -- refused


@pytest.mark.parametrize(
    "wish, params",
    [
        ({"username": ""}, ["username"]),
        ({"username": "a  b"}, ["username"]),
        ({"username": "näme"}, ["username"]),
        ({"email": "x"}, ["email"]),
        ({"password": ""}, ["password"]),
        ({"password": "a\\b"}, ["password"]),
        ({"locale": "xx_YY"}, ["locale"]),
        ({"meta": "x"}, ["meta"]),
        ({"username": "a\tb", "password": ""}, ["username", "password"]),
    ],
)
def test_wrong_members_are_named(admin, wish, params):
    answer = admin.post(USERS, {"username": "ok", "email": "ok@example.org", "password": "ok", **wish})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == params


@pytest.mark.parametrize(
    "wish, code",
    [
        ({"username": "EDITOR"}, "existing_user_login"),
        ({"email": "Editor@Example.org"}, "existing_user_email"),
        ({"username": "x" * 61}, "user_login_too_long"),
        ({"slug": "x" * 51}, "user_nicename_too_long"),
        ({"url": "http://example.org/" + "x" * 90}, "user_url_too_long"),
        ({"roles": ["king"]}, "rest_user_invalid_role"),
        ({"meta": {"persisted_preferences": "x"}}, "rest_invalid_type"),
        ({"id": 5}, "rest_user_exists"),
    ],
)
def test_what_cannot_be_made_is_refused_and_leaves_nothing(admin, wish, code):
    answer = admin.post(USERS, {"username": "ok", "email": "ok@example.org", "password": "ok", **wish})
    assert (answer.status, answer.code) == (400, code)
    assert admin.get(USERS, query={"search": "ok@example.org"}).json == []


def test_all_that_is_missing_is_named(anyone):
    answer = anyone.post(USERS, {})
    assert answer.code == "rest_missing_callback_param"
    assert answer.json["data"]["params"] == ["username", "email", "password"]


@pytest.mark.parametrize(
    "wish, code",
    [
        ({"username": "Author"}, "rest_user_invalid_argument"),
        ({"email": "editor@example.org"}, "rest_user_invalid_email"),
        ({"slug": "editor"}, "rest_user_invalid_slug"),
    ],
)
def test_what_another_has_cannot_be_taken(author, wish, code):
    answer = author.post(ME, wish)
    assert (answer.status, answer.code) == (400, code)


# -- change


def test_a_change_is_stored_and_an_empty_name_becomes_the_login(author):
    answer = author.post(ME, {"name": "Ada", "nickname": "A", "slug": "Ada B", "username": "author"})
    assert [answer.json[name] for name in ("name", "nickname", "slug")] == ["Ada", "A", "ada-b"]
    answer = author.patch(ME, {"name": "", "nickname": None, "slug": ""})
    assert [answer.json[name] for name in ("name", "nickname", "slug")] == ["author"] * 3


def test_a_taken_slug_of_a_new_user_gets_a_number(admin):
    assert make(admin, "second", slug="editor")["slug"] == "editor-2"


def test_preferences_stay_until_they_are_written(author):
    author.post(ME, {"meta": {"persisted_preferences": {"theme": "dark"}, "other": 1}})
    answer = author.post(ME, {"meta": {}, "name": "x"})
    assert answer.json["meta"] == {"persisted_preferences": {"theme": "dark"}}
    answer = author.post(ME, {"meta": {"persisted_preferences": None}})
    assert answer.json["meta"] == {"persisted_preferences": {}}


def test_roles_are_replaced_and_can_all_be_taken(admin):
    id = make(admin, "promoted")["id"]
    assert admin.post(f"{USERS}/{id}", {"roles": ["editor", "author"]}).json["roles"] == ["editor", "author"]
    answer = admin.post(f"{USERS}/{id}", {"roles": []})
    assert (answer.json["roles"], answer.json["capabilities"]) == ([], {})


# -- rights


@pytest.mark.parametrize("roles", [["administrator"], []])
def test_nobody_gives_himself_a_role(subscriber, roles):
    answer = subscriber.post(ME, {"roles": roles})
    assert (answer.status, answer.code) == (403, "rest_cannot_edit_roles")
    assert subscriber.get(ME, query={"context": "edit"}).json["roles"] == ["subscriber"]


@pytest.mark.parametrize("roles", [["editor"], ["administrator", "editor"], []])
def test_an_administrator_does_not_take_his_own_rights(admin, roles):
    answer = admin.post(ME, {"roles": roles})
    assert (answer.status, answer.code) == (403, "rest_user_invalid_role")
    assert admin.get(ME, query={"context": "edit"}).json["roles"] == ["administrator"]


def test_everybody_has_his_own_account(anyone, subscriber, admin):
    assert anyone.get(ME).code == "rest_not_logged_in"
    answer = anyone.post(ME, {"name": "x"})
    assert (answer.status, answer.code) == (404, "rest_user_invalid_id")
    assert subscriber.get(ME).headers["allow"] == "GET, POST, PUT, PATCH"
    assert admin.get(ME).headers["allow"] == ALL
    answer = subscriber.delete(ME, query={"force": "true", "reassign": ""})
    assert (answer.status, answer.code) == (403, "rest_user_cannot_delete")


@pytest.mark.parametrize(
    "method, path, json, code",
    [
        ("POST", USERS, {"username": "a", "email": "a@example.org", "password": "a"}, "rest_cannot_create_user"),
        ("POST", f"{USERS}/5", {"name": "x"}, "rest_cannot_edit"),
        ("GET", f"{USERS}/5", None, "rest_user_cannot_view"),
        ("GET", f"{USERS}/5?context=edit", None, "rest_forbidden_context"),
        ("DELETE", f"{USERS}/5?force=true&reassign=", None, "rest_user_cannot_delete"),
        ("GET", f"{USERS}?context=edit", None, "rest_forbidden_context"),
        ("GET", f"{USERS}?orderby=email", None, "rest_forbidden_orderby"),
        ("GET", f"{USERS}?orderby=registered_date", None, "rest_forbidden_orderby"),
        ("GET", f"{USERS}?roles=author", None, "rest_user_cannot_view"),
        ("GET", f"{USERS}?capabilities=read", None, "rest_user_cannot_view"),
    ],
)
def test_other_accounts_are_the_administrators(anyone, editor, method, path, json, code):
    for client, status in ((anyone, 401), (editor, 403)):
        answer = client.ask(method, path, json=json)
        assert (answer.status, answer.code) == (status, code)


def test_an_unknown_user_is_told_to_everybody(anyone, admin):
    for client in (anyone, admin):
        answer = client.get(f"{USERS}/999999999")
        assert (answer.status, answer.code) == (404, "rest_user_invalid_id")
        assert "allow" not in answer.headers


def test_an_author_is_public_as_long_as_one_of_his_records_is(anyone, author, subscriber):
    assert anyone.get(USERS).json == []
    draft = author.post("/cms/v2/posts", {"title": "a"}).json["id"]
    assert anyone.get(f"{USERS}/3").status == 401
    author.post(f"/cms/v2/posts/{draft}", {"status": "publish"})
    answer = anyone.get(USERS)
    assert (slugs(answer), answer.headers["x-cms-total"]) == (["author"], "1")
    assert anyone.get(f"{USERS}/3").headers["allow"] == "GET"
    assert slugs(subscriber.get(USERS)) == ["author"]
    author.post(f"/cms/v2/posts/{draft}", {"status": "private"})
    assert anyone.get(USERS).json == []


# -- lists


def test_search_looks_into_names_and_addresses_but_not_into_nicknames(admin):
    make(admin, "findme", nickname="hidden", name="Élan Vital", url="https://narwhal.example")

    def find(text, **more):
        return slugs(admin.get(USERS, query={"search": text, **more}))

    assert find("elan") == find("FINDME") == find("findme@ex") == find("narwhal") == find("*elan*") == ["findme"]
    assert find("hidden") == []
    assert find("findme", search_columns=["name"]) == []
    assert find("5") == ["subscriber"]
    assert find("%") == []


def test_a_visitors_search_does_not_find_addresses(anyone, author):
    author.post("/cms/v2/posts", {"title": "a", "status": "publish"})
    assert slugs(anyone.get(USERS, query={"search": "auth"})) == ["author"]
    assert anyone.get(USERS, query={"search": "author@example"}).json == []
    assert anyone.get(USERS, query={"search": "author@example", "search_columns": "email"}).json == []


@pytest.mark.parametrize(
    "query, found",
    [
        ({"orderby": "id", "order": "desc"}, ["subscriber", "contributor", "author", "editor", "admin"]),
        ({}, ["admin", "author", "contributor", "editor", "subscriber"]),
        ({"include": "5,2", "orderby": "include"}, ["subscriber", "editor"]),
        ({"include": "5,2", "orderby": "include", "order": "desc"}, ["editor", "subscriber"]),
        ({"include": "0"}, []),
        ({"include": ""}, ["admin", "author", "contributor", "editor", "subscriber"]),
        ({"exclude": "1,2"}, ["author", "contributor", "subscriber"]),
        ({"exclude": "1", "include": "1"}, ["admin"]),
        ({"slug": "editor,author", "orderby": "include_slugs", "order": "desc"}, ["editor", "author"]),
        ({"roles": "editor,subscriber"}, ["editor", "subscriber"]),
        ({"roles": "king"}, []),
        ({"capabilities": "moderate_comments,upload_files"}, ["admin", "author", "editor"]),
        ({"who": "authors"}, ["admin", "author", "contributor", "editor"]),
        ({"has_published_posts": "true"}, []),
        ({"has_published_posts": "false", "per_page": "1"}, ["admin"]),
        ({"per_page": "2", "page": "3"}, ["subscriber"]),
        ({"per_page": "2", "page": "9"}, []),
        ({"offset": "3"}, ["editor", "subscriber"]),
    ],
)
def test_lists_are_filtered_and_sorted(admin, query, found):
    answer = admin.get(USERS, query=query)
    assert (answer.status, slugs(answer)) == (200, found)


def test_pages_have_totals_and_links(admin):
    answer = admin.get(USERS, query={"per_page": 2, "page": 2})
    assert (answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ("5", "3")
    assert 'rel="prev"' in answer.headers["link"]
    assert 'rel="next"' in answer.headers["link"]
    assert admin.head(USERS).headers["x-cms-total"] == "5"


def test_who_wrote_what_is_found_by_type(admin, author):
    author.post("/cms/v2/posts", {"title": "a", "status": "publish"})
    assert slugs(admin.get(USERS, query={"has_published_posts": "post,page"})) == ["author"]
    assert slugs(admin.get(USERS, query={"has_published_posts": ["page"]})) == []
    assert admin.get(USERS, query={"has_published_posts": "pages"}).status == 400


def test_writers_are_listed_for_those_who_write(anyone, subscriber, contributor):
    for client, status in ((anyone, 401), (subscriber, 403)):
        answer = client.get(USERS, query={"who": "authors"})
        assert (answer.status, answer.code) == (status, "rest_forbidden_who")
    assert len(contributor.get(USERS, query={"who": "authors"}).json) == 4


# -- removal


@pytest.mark.parametrize(
    "query, status, code",
    [
        ({"reassign": 2}, 501, "rest_trash_not_supported"),
        ({"force": "true"}, 400, "rest_missing_callback_param"),
        ({"force": "true", "reassign": 99}, 400, "rest_user_invalid_reassign"),
        ({"force": "true", "reassign": 3}, 400, "rest_user_invalid_reassign"),
        ({"force": "true", "reassign": "other"}, 400, "rest_invalid_param"),
    ],
)
def test_a_removal_needs_force_and_an_heir(admin, query, status, code):
    answer = admin.delete(f"{USERS}/3", query=query)
    assert (answer.status, answer.code) == (status, code)
    assert admin.get(f"{USERS}/3").status == 200


def test_the_records_go_to_the_heir(site, admin, author):
    post = author.post("/cms/v2/posts", {"title": "a", "status": "publish"}).json["id"]
    answer = admin.delete(f"{USERS}/3", query={"force": "true", "reassign": 2})
    assert answer.status == 200
    assert "allow" not in answer.headers
    assert (answer.json["previous"]["username"], "_links" in answer.json["previous"]) == ("author", False)
    assert site.stored(post).author == 2
    assert author.get(ME).code == "invalid_username"


@pytest.mark.parametrize("heir", ["", "false", "0"])
def test_without_an_heir_the_records_go_to_the_trash(site, admin, author, heir):
    post = author.post("/cms/v2/posts", {"title": "a", "status": "publish"}).json["id"]
    assert admin.delete(f"{USERS}/3", query={"force": "true", "reassign": heir}).status == 200
    assert site.stored(post).status == "trash"


def test_a_number_is_never_given_to_another_account(admin):
    last = make(admin, "last")["id"]
    admin.delete(f"{USERS}/{last}", query={"force": "true", "reassign": "false"})
    assert make(admin, "next")["id"] == last + 1


def test_the_index_and_the_schema_describe_users(anyone):
    answer = anyone.options(USERS)
    collection, creation = answer.json["endpoints"]
    assert list(collection["args"])[:15] == [
        "context", "page", "per_page", "search", "exclude", "include", "offset", "order", "orderby", "slug", "roles",
        "capabilities", "who", "has_published_posts", "search_columns",
    ]  # fmt: skip
    assert creation["args"]["username"]["required"] is True
    assert creation["allow_batch"] == {"v1": True}
    assert answer.json["schema"]["title"] == "user"
    assert answer.json["schema"]["properties"]["roles"]["context"] == ["edit"]

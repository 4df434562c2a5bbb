"""Password-protected content is not disclosed by any route without its password."""

import pytest

POSTS = "/cms/v2/posts"
SECRET = "Il testo che nessuno deve leggere"


@pytest.fixture
def post(editor):
    members = {"title": "Riservato", "content": SECRET, "excerpt": f"Sunto: {SECRET}", "password": "apriti sesamo"}
    return editor.post(
        POSTS, {**members, "status": "publish", "meta": {"footnotes": f'[{{"id":"a","content":"{SECRET}"}}]'}}
    ).json


def path(post):
    return f"{POSTS}/{post['id']}"


def test_the_texts_are_empty_and_marked_without_the_password(anyone, post):
    shown = anyone.get(path(post)).json
    assert shown["content"] == {"rendered": "", "protected": True}
    assert shown["excerpt"] == {"rendered": "", "protected": True}
    assert shown["title"]["rendered"] == "Riservato"


def test_the_right_password_opens_the_texts(anyone, post):
    shown = anyone.get(path(post), query={"password": "apriti sesamo"}).json
    assert SECRET in shown["content"]["rendered"]
    assert SECRET in shown["excerpt"]["rendered"]
    assert shown["content"]["protected"] is True


@pytest.mark.parametrize("login", ["", "subscriber", "author", "admin"])
def test_a_wrong_password_is_refused_to_everybody(site, post, login):
    answer = site.client(login).get(path(post), query={"password": "apriti"})
    assert (answer.status, answer.code) == (403, "rest_post_incorrect_password")


def test_the_right_password_opens_the_texts_of_a_list_too(anyone, post):
    (shown,) = anyone.get(POSTS, query={"password": "apriti sesamo"}).json
    assert SECRET in shown["content"]["rendered"]


def test_an_empty_password_is_none(anyone, post):
    assert anyone.get(path(post), query={"password": ""}).json["content"]["rendered"] == ""


def test_the_administrator_too_sees_it_only_in_the_editing_view(admin, post):
    assert admin.get(path(post)).json["content"]["rendered"] == ""
    edited = admin.get(path(post), query={"context": "edit"}).json
    assert (edited["content"]["raw"], edited["password"]) == (SECRET, "apriti sesamo")


@pytest.mark.parametrize("login", ["", "subscriber", "contributor", "author"])
@pytest.mark.parametrize(
    "target",
    [
        "{path}",
        "{path}?context=embed",
        "{path}?_envelope",
        "{path}?_jsonp=f",
        "{path}?excerpt_length=5",
        "{path}?_fields=content,excerpt,meta",
        "/cms/v2/posts",
        "/cms/v2/posts?password=apriti",
        "/cms/v2/posts?include={id}&context=embed",
        "/cms/v2/posts?search=nessuno",
        "{path}/revisions",
        "{path}/autosaves",
        "/",
    ],
)  # fmt: skip
def test_no_read_of_others_leaks_the_text(site, post, login, target):
    answer = site.client(login).get(target.format(path=path(post), id=post["id"]))
    assert b"nessuno deve leggere" not in answer.content


def test_a_visitors_search_does_not_find_what_a_password_protects(anyone, subscriber, post):
    assert anyone.get(POSTS, query={"search": "nessuno"}).json == []
    assert anyone.get(POSTS, query={"search": "Riservato"}).json == []
    assert [found["id"] for found in subscriber.get(POSTS, query={"search": "Riservato"}).json] == [post["id"]]


def test_the_password_itself_is_shown_only_to_who_may_edit(site, post):
    for login in ("", "subscriber", "author"):
        assert b"sesamo" not in site.client(login).get(path(post)).content
    assert "password" not in site.client("editor").get(path(post)).json


def test_a_password_is_kept_exactly(site, editor):
    for password in ("  due  blanks ", "<b>\"&'\\", "0", "ü" * 200):
        post = editor.post(POSTS, {"title": "x", "password": password}).json
        assert site.stored(post["id"]).password == password


def test_zero_protects_nothing(editor, anyone):
    post = editor.post(POSTS, {"title": "x", "content": "Aperto", "password": "0", "status": "publish"}).json
    assert "Aperto" in anyone.get(path(post)).json["content"]["rendered"]


def test_null_and_empty_text_take_the_password_away(editor, anyone, post):
    assert editor.post(path(post), {"password": None}).json["password"] == ""
    assert SECRET in anyone.get(path(post)).json["content"]["rendered"]


def test_a_list_is_no_password(anyone, post):
    answer = anyone.get(path(post), query="password[]=apriti+sesamo")
    assert 400 <= answer.status < 500
    assert b"nessuno deve leggere" not in answer.content


def test_footnotes_are_text_too(anyone, admin, post):
    assert anyone.get(path(post)).json["meta"]["footnotes"] == ""
    assert SECRET in anyone.get(path(post), query={"password": "apriti sesamo"}).json["meta"]["footnotes"]
    assert SECRET in admin.get(path(post), query={"context": "edit"}).json["meta"]["footnotes"]


def test_a_page_can_be_protected_too(editor, anyone):
    page = editor.post("/cms/v2/pages", {"title": "x", "content": SECRET, "password": "p", "status": "publish"}).json
    assert anyone.get(f"/cms/v2/pages/{page['id']}").json["content"] == {"rendered": "", "protected": True}


def test_answers_with_the_password_are_not_given_to_who_has_none(anyone, post):
    for query in ({"password": "apriti sesamo"}, {}, {"password": "apriti sesamo"}, {}):
        shown = anyone.get(path(post), query=query).json
        assert (SECRET in shown["content"]["rendered"]) == bool(query)


@pytest.mark.parametrize("login", ["", "contributor", "author", "admin"])
def test_the_stored_text_of_a_navigation_is_protected_too(site, admin, login):
    members = {"title": "x", "content": SECRET, "password": "p", "status": "publish"}
    path = f"/cms/v2/navigation/{admin.post('/cms/v2/navigation', members).json['id']}"
    client = site.client(login)
    for context in ("view", "embed"):
        for target in (path, "/cms/v2/navigation"):
            assert SECRET.encode() not in client.get(target, query={"context": context}).content
    assert admin.get(path, query={"context": "embed", "password": "p"}).json["content"]["raw"] == SECRET
    assert admin.get(path, query={"context": "edit"}).json["content"]["raw"] == SECRET


@pytest.mark.parametrize("login", ["", "contributor", "author"])
def test_a_protected_pattern_is_read_by_those_who_may_edit_it_or_send_the_password(site, admin, login):
    members = {"title": "x", "content": SECRET, "excerpt": SECRET, "password": "p", "status": "publish"}
    path = f"/cms/v2/blocks/{admin.post('/cms/v2/blocks', members).json['id']}"
    client = site.client(login)
    for target in (path, "/cms/v2/blocks"):
        assert SECRET.encode() not in client.get(target).content
    assert site.client("editor").get(path).json["content"]["raw"] == SECRET
    if login:
        assert client.get(path, query={"password": "p"}).json["content"]["raw"] == SECRET


@pytest.mark.parametrize("named", [True, False])
def test_a_protected_navigation_is_shown_in_no_text(admin, anyone, named):
    link = f'<!-- wp:navigation-link {{"label":"{SECRET}","url":"https://x.example/"}} /-->'
    members = {"title": "x", "content": link, "password": "p", "status": "publish"}
    number = admin.post("/cms/v2/navigation", members).json["id"]
    block = f'<!-- wp:navigation {{"ref":{number}}} /-->' if named else "<!-- wp:navigation /-->"
    post = admin.post(POSTS, {"title": "x", "content": block, "status": "publish"}).json
    assert SECRET not in anyone.get(path(post)).json["content"]["rendered"]

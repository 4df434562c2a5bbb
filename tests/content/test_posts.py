"""Posts over HTTP: created, changed, published, protected; slugs, dates, statuses and permissions."""

import re

import pytest

POSTS = "/cms/v2/posts"
ALL = "GET, POST, PUT, PATCH, DELETE"


def make(client, **members):
    answer = client.post(POSTS, {"title": "Mercato del sabato", **members})
    assert answer.status == 201, answer.json
    return answer.json


def change(client, post, **members):
    answer = client.post(f"{POSTS}/{post['id']}", members)
    assert answer.status == 200, answer.json
    return answer.json


# -- created


def test_a_new_post_is_a_draft_of_its_author_that_nobody_else_sees(site, author, anyone):
    answer = author.post(POSTS, {"title": "Pane"})
    post = answer.json
    assert answer.status == 201
    assert answer.headers["location"] == f"http://vetrina.test/en/cms-json{POSTS}/{post['id']}"
    assert (post["status"], post["type"], post["slug"]) == ("draft", "post", "")
    assert post["generated_slug"] == "pane"
    assert post["author"] == author.get("/cms/v2/users/me").json["id"]
    assert site.stored(post["id"]).status == "draft"
    assert anyone.get(POSTS).json == []
    assert (anyone.get(f"{POSTS}/{post['id']}").status, anyone.get(f"{POSTS}/{post['id']}").code) == (
        401,
        "rest_forbidden",
    )


def test_a_new_post_has_the_default_category_and_the_defaults_of_its_type(editor):
    post = make(editor)
    assert (post["categories"], post["tags"], post["format"], post["sticky"]) == ([1], [], "standard", False)
    assert (post["comment_status"], post["ping_status"], post["featured_media"]) == ("open", "open", 0)
    assert post["meta"] == {"_ext_changed": False, "footnotes": ""}


def test_a_post_without_any_text_is_refused_and_not_stored(site, editor):
    for members in ({}, {"status": "publish"}, {"title": "", "content": "", "excerpt": ""}, {"title": {"raw": ""}}):
        answer = editor.post(POSTS, members)
        assert (answer.status, answer.code) == (400, "empty_content"), members
    assert editor.get(POSTS, query={"status": "any"}).json == []


def test_a_title_may_be_text_or_an_object_and_loses_blanks_around_it(editor):
    assert make(editor, title="  Olio  ")["title"] == {"raw": "Olio", "rendered": "Olio"}
    assert make(editor, title={"raw": "Vino", "rendered": "ignored"})["title"]["raw"] == "Vino"


def test_a_text_is_stored_as_an_editor_wrote_it(site, editor):
    text = 'Riga\r\nuna \\ "due" & <em>tre</em> \U0001f600 e\u0301 <script>x()</script>'
    post = make(editor, content=text)
    assert post["content"]["raw"] == text
    assert site.stored(post["id"]).content == text


def test_a_post_with_a_number_of_its_own_is_refused(editor):
    answer = editor.post(POSTS, {"title": "x", "id": 700})
    assert (answer.status, answer.code) == (400, "rest_post_exists")


def test_what_an_answer_says_is_what_a_later_read_says(editor):
    made = make(editor, content="Testo", excerpt="Sunto", status="publish", tags=[], slug="il-mio")
    read = editor.get(f"{POSTS}/{made['id']}", query={"context": "edit"}).json
    assert made == read


# -- changed


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_only_the_members_that_are_given_change(editor, method):
    post = make(editor, content="Uno", excerpt="Due", status="publish")
    answer = editor.ask(method, f"{POSTS}/{post['id']}", json={"excerpt": "Tre"})
    assert answer.status == 200
    assert {name for name in post if answer.json[name] != post[name]} <= {
        "excerpt",
        "modified",
        "modified_gmt",
        "_links",
    }
    assert answer.json["excerpt"]["raw"] == "Tre"


def test_what_a_client_cannot_write_is_passed_over(editor):
    post = make(editor, status="publish")
    changed = change(
        editor, post, link="http://x/", guid={"raw": "x"}, modified="2001-01-01T00:00:00", type="page", x=1
    )
    assert {name: changed[name] for name in ("link", "guid", "type")} == {
        name: post[name] for name in ("link", "guid", "type")
    }
    assert changed["modified"] >= post["modified"]


def test_a_refused_change_changes_nothing(site, editor):
    post = make(editor, content="Prima", status="publish")
    before = site.stored(post["id"])
    for fault in ({"status": "unheard-of"}, {"author": 9999}, {"meta": {"footnotes": 7}}, {"template": "no.html"}):
        assert editor.post(f"{POSTS}/{post['id']}", {"content": "Dopo", **fault}).status == 400, fault
    assert site.stored(post["id"]) == before


def test_a_text_cannot_be_emptied_when_nothing_else_remains(editor):
    post = make(editor, content="Testo")
    change(editor, post, content="")
    answer = editor.post(f"{POSTS}/{post['id']}", {"title": "", "content": ""})
    assert (answer.status, answer.code) == (400, "empty_content")


def test_a_post_is_no_page(editor):
    post = make(editor)
    for method in ("GET", "POST", "DELETE"):
        answer = editor.ask(method, f"/cms/v2/pages/{post['id']}", json={"title": "x"} if method == "POST" else None)
        assert (answer.status, answer.code) == (404, "rest_post_invalid_id")


@pytest.mark.parametrize("number", ["0", "99999", "99999999999999999999999999"])
def test_an_unknown_number_is_not_found(editor, number):
    answer = editor.get(f"{POSTS}/{number}")
    assert (answer.status, answer.code) == (404, "rest_post_invalid_id")
    assert "allow" not in answer.headers


def test_a_form_writes_like_json(editor):
    answer = editor.ask(
        "POST", POSTS, body=b"title=Da+un+modulo&categories[]=1&sticky=true&meta[footnotes]=",
        headers={"content-type": "application/x-www-form-urlencoded"},
    )  # fmt: skip
    assert answer.status == 201
    assert (answer.json["title"]["raw"], answer.json["categories"], answer.json["sticky"]) == (
        "Da un modulo",
        [1],
        True,
    )


def test_multipart_writes_like_json(editor):
    body = (
        b'--b\r\nContent-Disposition: form-data; name="title[raw]"\r\n\r\nA pezzi\r\n'
        b'--b\r\nContent-Disposition: form-data; name="status"\r\n\r\npublish\r\n--b--\r\n'
    )
    answer = editor.ask("POST", POSTS, body=body, headers={"content-type": "multipart/form-data; boundary=b"})
    assert answer.status == 201
    assert (answer.json["title"]["raw"], answer.json["status"]) == ("A pezzi", "publish")


def test_members_may_stand_in_the_query_and_the_body_is_stronger(editor):
    answer = editor.post(POSTS, {"title": "Dal corpo"}, query={"title": "Dalla riga", "excerpt": "Dalla riga"})
    assert answer.json["title"]["raw"] == "Dal corpo"
    assert answer.json["excerpt"]["raw"] == "Dalla riga"


# -- slugs and addresses


@pytest.mark.parametrize(
    ("slug", "stored"),
    [
        ("Città Vecchia", "citta-vecchia"),
        ("a.b/c\\d", "a-b-cd"),
        ("Straße & Größe", "strase-grose"),
        ("tre -- trattini", "tre-trattini"),
        ("-orlo-", "orlo"),
        ("<b>grassetto</b>", "grassetto"),
        ("100% lana", "100-lana"),
        ("mele×pere", "melexpere"),
        ("市場", "%e5%b8%82%e5%a0%b4"),
    ],
)  # fmt: skip
def test_a_slug_is_cleaned(editor, slug, stored):
    assert make(editor, slug=slug, status="publish")["slug"] == stored


def test_a_taken_slug_gets_a_number(editor):
    slugs = [make(editor, slug="fiera", status="publish")["slug"] for _ in range(3)]
    assert slugs == ["fiera", "fiera-2", "fiera-3"]


def test_a_page_and_a_post_may_share_a_slug(editor):
    assert make(editor, slug="contatti", status="publish")["slug"] == "contatti"
    assert editor.post("/cms/v2/pages", {"slug": "contatti", "status": "publish"}).json["slug"] == "contatti"


def test_the_same_slug_may_live_once_in_each_language(site):
    english, italian = site.client("editor"), site.client("editor", root="/it/cms-json")
    assert make(english, slug="menu", status="publish")["slug"] == "menu"
    assert make(italian, slug="menu", status="publish")["slug"] == "menu"


def test_a_published_post_gets_its_slug_from_the_title_and_keeps_it(editor):
    post = make(editor, title="Il Primo Nome", status="publish")
    assert post["slug"] == "il-primo-nome"
    assert change(editor, post, title="Un altro")["slug"] == "il-primo-nome"
    assert change(editor, post, slug=None)["slug"] == "un-altro"


def test_a_title_without_letters_gives_the_number_as_slug(editor):
    post = make(editor, title="!!!", status="publish")
    assert post["slug"] == str(post["id"])


def test_the_address_is_made_of_date_and_slug(editor):
    post = make(editor, slug="luogo", status="publish", date="2023-07-09T10:00:00")
    assert post["link"] == "http://vetrina.test/en/2023/07/09/luogo/"
    assert make(editor)["link"].endswith(f"/?p={post['id'] + 1}")


# -- dates


@pytest.mark.parametrize(
    ("written", "date", "gmt"),
    [
        ({"date": "2024-01-15T09:00:00"}, "2024-01-15T09:00:00", "2024-01-15T08:00:00"),
        ({"date": "2024-07-15T09:00:00"}, "2024-07-15T09:00:00", "2024-07-15T07:00:00"),
        ({"date": "2024-07-15T09:00:00Z"}, "2024-07-15T11:00:00", "2024-07-15T09:00:00"),
        ({"date": "2024-07-15T09:00:00-05:00"}, "2024-07-15T16:00:00", "2024-07-15T14:00:00"),
        ({"date_gmt": "2024-12-31T23:30:00"}, "2025-01-01T00:30:00", "2024-12-31T23:30:00"),
        ({"date_gmt": "2024-06-30T23:30:00+02:00"}, "2024-06-30T23:30:00", "2024-06-30T21:30:00"),
        ({"date": "2024-02-01T08:00:00", "date_gmt": "2020-01-01T00:00:00"}, "2024-02-01T08:00:00",
         "2024-02-01T07:00:00"),
    ],
)  # fmt: skip
def test_a_date_is_local_and_stands_in_gmt_beside(editor, written, date, gmt):
    post = make(editor, status="publish", **written)
    assert (post["date"], post["date_gmt"]) == (date, gmt)


@pytest.mark.parametrize(
    ("written", "date", "gmt"),
    [
        ("2025-03-30T01:59:59", "2025-03-30T01:59:59", "2025-03-30T00:59:59"),
        ("2025-03-30T02:15:00", "2025-03-30T03:15:00", "2025-03-30T01:15:00"),
        ("2025-03-30T03:00:00", "2025-03-30T03:00:00", "2025-03-30T01:00:00"),
        ("2025-10-26T01:59:59", "2025-10-26T01:59:59", "2025-10-25T23:59:59"),
        ("2025-10-26T02:15:00", "2025-10-26T02:15:00", "2025-10-26T01:15:00"),
        ("2025-10-26T03:00:00", "2025-10-26T03:00:00", "2025-10-26T02:00:00"),
    ],
)  # fmt: skip
def test_a_date_at_a_change_of_the_clocks_is_settled(editor, written, date, gmt):
    post = make(editor, status="publish", date=written)
    assert (post["date"], post["date_gmt"]) == (date, gmt)


@pytest.mark.parametrize("date", ["tomorrow", "2024-01-01", "2024-01-01T10:00", "2024-13-01T10:00:00", "", 7, ["x"]])
def test_a_date_that_is_none_is_named(editor, date):
    answer = editor.post(POSTS, {"title": "x", "date": date})
    assert (answer.status, answer.code, list(answer.json["data"]["params"])) == (400, "rest_invalid_param", ["date"])


@pytest.mark.parametrize("date", ["0000-05-05T10:00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_date_outside_all_calendars_is_refused(editor, date):
    answer = editor.post(POSTS, {"title": "x", "date": date})
    assert (answer.status, answer.code) == (400, "invalid_date")


def test_the_first_and_the_last_year_are_kept(editor):
    for date in ("1950-01-01T00:00:00", "9999-12-30T23:59:59"):
        assert make(editor, date=date, status="draft")["date"] == date


def test_a_draft_floats_until_it_is_published(site, editor, clock):
    post = make(editor)
    clock.forward(86_400)
    later = change(editor, post, title="Altro")
    assert later["date"] > post["date"]
    published = change(editor, post, status="publish")
    clock.forward(86_400)
    assert change(editor, post, title="Ancora")["date"] == published["date"]


def test_the_date_that_a_floating_draft_shows_is_no_choice_of_one(site, editor, clock):
    post = make(editor)
    clock.forward(86_400)
    again = change(editor, post, date=post["date"], date_gmt=post["date_gmt"], title="Mercato della domenica")
    assert again["date"] > post["date"]
    clock.forward(86_400)
    published = change(editor, post, date=again["date"], status="publish")
    assert published["date"] > again["date"]
    clock.forward(86_400)
    assert change(editor, post, date=published["date"])["date"] == published["date"]


def test_null_lets_a_date_float_again(editor):
    post = make(editor, date="2020-02-02T02:02:02")
    assert change(editor, post, title="Resta")["date"] == "2020-02-02T02:02:02"
    assert change(editor, post, date=None)["date"] > "2020-02-02T02:02:02"


# -- statuses


def test_publishing_with_a_date_ahead_schedules(editor, anyone):
    post = make(editor, status="publish", date="2199-01-01T00:00:00")
    assert post["status"] == "future"
    assert anyone.get(f"{POSTS}/{post['id']}").code == "rest_forbidden"


def test_scheduling_for_the_past_publishes(editor, anyone):
    post = make(editor, status="future", date="2001-01-01T00:00:00")
    assert post["status"] == "publish"
    assert anyone.get(f"{POSTS}/{post['id']}").status == 200


@pytest.mark.parametrize("status", ["draft", "pending", "private"])
def test_other_statuses_do_not_mind_the_date(editor, status):
    assert make(editor, status=status, date="2199-01-01T00:00:00")["status"] == status


@pytest.mark.parametrize("status", ["trash", "auto-draft", "inherit", "PUBLISH", "", "any"])
def test_a_status_that_cannot_be_given_is_named(editor, status):
    answer = editor.post(POSTS, {"title": "x", "status": status})
    assert (answer.status, answer.json["data"]["details"]["status"]["code"]) == (400, "rest_not_in_enum")


def test_a_private_post_is_read_by_editors_only(editor, author, subscriber, anyone):
    post = make(editor, status="private", password="lost")
    assert post["password"] == ""
    assert editor.get(f"{POSTS}/{post['id']}").status == 200
    assert [client.get(f"{POSTS}/{post['id']}").status for client in (author, subscriber, anyone)] == [403, 403, 401]


# -- sticky and passwords


def test_a_sticky_post_has_no_password_and_the_other_way_round(site, editor):
    sticky, protected = make(editor, sticky=True), make(editor, password="segreto")
    for post, members in (
        (sticky, {"password": "x"}),
        (protected, {"sticky": True}),
        (sticky, {"password": "x", "sticky": False}),
        (protected, {"password": "", "sticky": True}),
    ):
        answer = editor.post(f"{POSTS}/{post['id']}", members)
        assert (answer.status, answer.code) == (400, "rest_invalid_field"), members
    assert editor.post(POSTS, {"title": "x", "sticky": True, "password": "x"}).code == "rest_invalid_field"
    assert (site.stored(sticky["id"]).password, site.stored(protected["id"]).sticky) == ("", False)


def test_sticky_posts_come_first_only_where_asked(editor, anyone):
    old = make(editor, title="Vecchio", sticky=True, status="publish", date="2001-01-01T00:00:00")["id"]
    new = make(editor, title="Nuovo", status="publish", date="2020-01-01T00:00:00")["id"]

    def ids(**query):
        return [post["id"] for post in anyone.get(POSTS, query=query).json]

    assert ids() == [new, old]
    assert ids(ignore_sticky=False) == [old, new]
    assert ids(sticky=True) == [old]
    assert ids(sticky=False) == [new]


# -- terms, meta, other members


def test_terms_replace_the_whole_set_and_unknown_ones_are_dropped(editor):
    tags = [editor.post("/cms/v2/tags", {"name": name}).json["id"] for name in ("Rosso", "Blu", "Verde")]
    post = make(editor, tags=tags[:2])
    assert sorted(post["tags"]) == sorted(tags[:2])
    assert change(editor, post, tags=[tags[2], tags[2], 99_999, 1])["tags"] == [tags[2]]
    assert change(editor, post, title="Altro")["tags"] == [tags[2]]
    assert change(editor, post, tags=[])["tags"] == []


def test_the_default_category_comes_back_with_the_next_save(editor):
    post = make(editor, categories=[])
    assert post["categories"] == []
    assert change(editor, post, title="Altro")["categories"] == [1]


def test_only_published_posts_count_for_their_terms(editor):
    tag = editor.post("/cms/v2/tags", {"name": "Conto"}).json["id"]

    def count():
        return editor.get(f"/cms/v2/tags/{tag}").json["count"]

    post = make(editor, tags=[tag], status="publish")
    make(editor, tags=[tag])
    assert count() == 1
    change(editor, post, status="private")
    assert count() == 0
    change(editor, post, status="publish")
    editor.delete(f"{POSTS}/{post['id']}", query={"force": True})
    assert count() == 0


def test_meta_changes_by_key_and_null_resets(editor):
    post = make(editor, meta={"_ext_changed": True, "footnotes": "[]", "unknown": 1})
    assert post["meta"] == {"_ext_changed": True, "footnotes": "[]"}
    assert change(editor, post, meta={"footnotes": ""})["meta"] == {"_ext_changed": True, "footnotes": ""}
    assert change(editor, post, meta={"_ext_changed": None})["meta"] == {"_ext_changed": False, "footnotes": ""}


def test_a_create_whose_meta_is_refused_stores_nothing(editor):
    answer = editor.post(POSTS, {"title": "Resto", "meta": {"footnotes": 7}})
    assert answer.status == 400
    assert editor.get(POSTS, query={"status": "any"}).json == []


def test_a_format_is_shown_and_standard_removes_it(editor):
    post = make(editor, format="quote")
    assert post["format"] == "quote"
    assert change(editor, post, format="standard")["format"] == "standard"
    assert editor.post(f"{POSTS}/{post['id']}", {"format": ""}).status == 400


# -- who may


@pytest.mark.parametrize(
    ("login", "members", "status", "code"),
    [
        ("", {}, 401, "rest_cannot_create"),
        ("subscriber", {}, 403, "rest_cannot_create"),
        ("contributor", {}, 201, None),
        ("contributor", {"status": "pending"}, 201, None),
        ("contributor", {"status": "publish"}, 403, "rest_cannot_publish"),
        ("contributor", {"status": "future", "date": "2199-01-01T00:00:00"}, 403, "rest_cannot_publish"),
        ("contributor", {"status": "private"}, 403, "rest_cannot_publish"),
        ("contributor", {"sticky": True}, 403, "rest_cannot_assign_sticky"),
        ("contributor", {"author": 1}, 403, "rest_cannot_edit_others"),
        ("author", {"status": "publish", "sticky": True}, 201, None),
        ("author", {"author": 1}, 403, "rest_cannot_edit_others"),
        ("editor", {"author": 1, "status": "private"}, 201, None),
        ("", {"status": "unheard-of"}, 400, "rest_invalid_param"),
    ],
)  # fmt: skip
def test_who_may_create_what(site, login, members, status, code):
    answer = site.client(login).post(POSTS, {"title": "Prova", **members})
    assert (answer.status, answer.code) == (status, code)


def test_who_may_change_and_remove_a_published_post_of_an_author(site, author):
    post = make(author, status="publish")
    path = f"{POSTS}/{post['id']}"
    refusals = {}
    for login in ("", "subscriber", "contributor"):
        client = site.client(login)
        refusals[login] = [(a.status, a.code) for a in (client.post(path, {"title": "x"}), client.delete(path))]
    assert refusals == {
        "": [(401, "rest_cannot_edit"), (401, "rest_cannot_delete")],
        "subscriber": [(403, "rest_cannot_edit"), (403, "rest_cannot_delete")],
        "contributor": [(403, "rest_cannot_edit"), (403, "rest_cannot_delete")],
    }
    assert site.client("editor").post(path, {"title": "Rivisto"}).status == 200
    assert author.delete(path).status == 200


def test_a_contributor_loses_a_post_that_is_published(site, contributor, editor):
    post = make(contributor, status="pending")
    change(contributor, post, content="Ancora mio")
    change(editor, post, status="publish")
    answer = contributor.post(f"{POSTS}/{post['id']}", {"content": "Non più"})
    assert (answer.status, answer.code) == (403, "rest_cannot_edit")
    assert site.stored(post["id"]).content == "Ancora mio"


def test_the_editing_view_is_for_those_who_may_edit(author, contributor, editor, anyone):
    post = make(author, status="publish")
    path, edit = f"{POSTS}/{post['id']}", {"context": "edit"}
    assert "raw" in author.get(path, query=edit).json["title"]
    assert "raw" in editor.get(path, query=edit).json["title"]
    assert (contributor.get(path, query=edit).status, anyone.get(path, query=edit).status) == (403, 401)
    assert anyone.get(path, query=edit).code == "rest_forbidden_context"
    assert "raw" not in anyone.get(path).json["title"]


def test_markup_that_an_author_may_not_write_is_cleaned(author, editor):
    text = '<p onclick="x()">Ciao <script>x()</script><a href="javascript:x()">qui</a></p>'
    assert make(editor, content=text)["content"]["raw"] == text
    cleaned = make(author, content=text)["content"]["raw"]
    assert not re.search("onclick|<script|javascript:", cleaned)
    assert "Ciao" in cleaned


@pytest.mark.parametrize(
    ("login", "item", "collection"),
    [
        ("", "GET", "GET"),
        ("subscriber", "GET", "GET"),
        ("contributor", "GET", "GET, POST"),
        ("author", "GET", "GET, POST"),
        ("editor", ALL, "GET, POST"),
    ],
)  # fmt: skip
def test_allow_names_what_the_caller_may_do(site, admin, login, item, collection):
    post = make(admin, status="publish")
    client = site.client(login)
    assert client.get(f"{POSTS}/{post['id']}").headers["allow"] == item
    assert client.get(POSTS).headers["allow"] == collection
    assert client.get(f"{POSTS}/{post['id']}").json["_links"]["self"][0]["targetHints"]["allow"] == item.split(", ")


def test_class_names_follow_the_order_of_the_taxonomies(admin):
    tag = admin.post("/cms/v2/tags", {"name": "Alba"}).json["id"]
    category = admin.post("/cms/v2/categories", {"name": "Zolla"}).json["id"]
    post = make(admin, tags=[tag], categories=[category])
    assert post["class_list"][-3:] == ["hentry", "category-zolla", "tag-alba"]


def test_a_protected_post_says_so_to_those_too_who_know_the_password(admin, anyone):
    post = make(admin, status="publish", password="apriti")
    shown = anyone.get(f"{POSTS}/{post['id']}?password=apriti").json
    assert "post-password-required" in shown["class_list"]


def test_the_first_address_of_a_draft_is_markup_from_the_first_change_on(admin):
    path = "/cms/v2/intervento"
    made = admin.post(path, {"title": "Uno"}).json
    assert made["guid"]["raw"].endswith(f"/?post_type=intervento&p={made['id']}")
    for _ in range(2):
        changed = admin.post(f"{path}/{made['id']}", {"title": "Due"}).json
        assert changed["guid"]["raw"].endswith(f"/?post_type=intervento&#038;p={made['id']}")

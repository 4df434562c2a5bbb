"""Comments and notes over HTTP: who may write, read and moderate what."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock, Stand

COMMENTS = "/cms/v2/comments"
EVERY_METHOD = "GET, POST, PUT, PATCH, DELETE"


def post_of(client: Client, **members: Any) -> int:
    answer = client.post("/cms/v2/posts", {"title": "Of many words", "status": "publish", **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def said(client: Client, post: int, content: str = "Well said", **members: Any) -> dict[str, Any]:
    answer = client.post(COMMENTS, {"post": post, "content": content, **members})
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def refusal(answer: Any) -> tuple[int, str | None]:
    return answer.status, answer.code


def numbers(answer: Any) -> list[int]:
    assert answer.status == 200, answer.json
    return [one["id"] for one in answer.json]


def test_a_comment_answers_with_all_that_it_is(admin: Client) -> None:
    post = post_of(admin)
    answer = admin.post(COMMENTS, {"post": post, "content": {"raw": "  It's <b>good</b>\n\nand long  "}})
    made = answer.json
    links = made.pop("_links")
    assert answer.headers["location"].endswith(f"{COMMENTS}/{made['id']}")
    assert answer.headers["allow"] == "GET, POST"
    assert made.pop("date") > made.pop("date_gmt")
    assert made.pop("author_avatar_urls").keys() == {"24", "48", "96"}
    assert made.pop("link").endswith(f"/of-many-words/#comment-{made['id']}")
    assert made.pop("author_url")
    assert made == {
        "id": made["id"],
        "post": post,
        "parent": 0,
        "author": 1,
        "author_name": "admin",
        "author_email": "admin@example.org",
        "author_ip": "127.0.0.1",
        "author_user_agent": "",
        "content": {
            "raw": "It's <b>good</b>\n\nand long",
            "rendered": "<p>It&#8217;s <b>good</b></p>\n<p>and long</p>\n",
        },
        "status": "approved",
        "type": "comment",
        "meta": {"_cms_note_status": None},
    }
    assert links["self"][0]["targetHints"]["allow"] == EVERY_METHOD.split(", ")
    assert (links["up"][0]["post_type"], links["up"][0]["embeddable"]) == ("post", True)
    assert links["up"][0]["href"].endswith(f"/cms/v2/posts/{post}")
    assert links["author"][0]["href"].endswith("/cms/v2/users/1")
    assert not links.keys() & {"children", "in-reply-to", "curies"}


def test_contexts_show_what_they_should(admin: Client, anyone: Client) -> None:
    made = said(admin, post_of(admin))
    path = f"{COMMENTS}/{made['id']}"
    view, embed = anyone.get(path).json, anyone.get(path, query={"context": "embed"}).json
    assert not view.keys() & {"author_email", "author_ip", "author_user_agent"}
    assert view["content"] == {"rendered": "<p>Well said</p>\n"}
    assert view.keys() - embed.keys() == {"post", "date_gmt", "status", "meta"}
    assert refusal(anyone.get(path, query={"context": "edit"})) == (401, "rest_forbidden_context")
    assert admin.get(path, query={"context": "edit"}).json["author_email"] == "admin@example.org"


def test_answers_and_what_they_answer_know_each_other(admin: Client, editor: Client, anyone: Client) -> None:
    post = post_of(admin)
    first = said(admin, post)
    answer = said(editor, post, "I agree", parent=first["id"])
    assert answer["_links"]["in-reply-to"][0]["href"].endswith(f"/comments/{first['id']}")
    children = anyone.get(f"{COMMENTS}/{first['id']}").json["_links"]["children"]
    assert children[0]["href"].endswith(f"/comments?parent={first['id']}")
    assert numbers(anyone.get(COMMENTS, query={"parent": first["id"]})) == [answer["id"]]
    admin.delete(f"{COMMENTS}/{first['id']}", query={"force": True})
    assert anyone.get(f"{COMMENTS}/{answer['id']}").json["parent"] == 0


@pytest.mark.parametrize(
    ("members", "status", "code"),
    [
        ({"content": ""}, 400, "rest_comment_content_invalid"),
        ({"content": " \n"}, 400, "rest_comment_content_invalid"),
        ({"content": ["x"]}, 400, "rest_comment_content_invalid"),
        ({"content": "x", "id": 7}, 400, "rest_comment_exists"),
        ({"content": "x", "type": "ping"}, 400, "rest_invalid_comment_type"),
        ({"content": "x", "author": 0}, 400, "rest_comment_author_invalid"),
        ({"content": "x", "author_name": "Guest"}, 400, "rest_comment_author_data_required"),
        ({"content": "x", "author_email": "guest@example.org"}, 400, "rest_comment_author_data_required"),
        ({"content": "x", "author_email": "nobody"}, 400, "rest_invalid_param"),
        ({"content": "x", "author_ip": "here"}, 400, "rest_invalid_param"),
        ({"content": "x", "date": "yesterday"}, 400, "rest_invalid_param"),
        ({"content": "x" * 65526}, 400, "comment_content_column_length"),
        ({"content": "x", "author_name": "n" * 246, "author_email": "a@b.org"}, 400, "comment_author_column_length"),
        ({"content": "x", "meta": "resolved"}, 400, "rest_invalid_param"),
        ({"content": "x", "meta": {"_cms_note_status": "other"}}, 400, "rest_not_in_enum"),
    ],
)
def test_what_a_comment_may_not_be(admin: Client, members: dict[str, Any], status: int, code: str) -> None:
    post = post_of(admin)
    assert refusal(admin.post(COMMENTS, {"post": post, **members})) == (status, code)
    assert admin.get(COMMENTS, query={"status": "any", "type": "all"}).headers["x-cms-total"] == "0"


def test_where_nobody_may_comment(admin: Client, subscriber: Client, anyone: Client) -> None:
    closed, draft = post_of(admin, comment_status="closed"), post_of(admin, status="draft")
    private, gone = post_of(admin, status="private"), post_of(admin)
    admin.delete(f"/cms/v2/posts/{gone}")
    talk = admin.post("/cms/v2/intervento", {"title": "Talk", "status": "publish"}).json["id"]
    for post, code in (
        (None, "rest_comment_invalid_post_id"),
        (0, "rest_comment_invalid_post_id"),
        (999999, "rest_comment_invalid_post_id"),
        (closed, "rest_comment_closed"),
        (talk, "rest_comment_closed"),
        (draft, "rest_comment_draft_post"),
        (gone, "rest_comment_trash_post"),
    ):
        assert refusal(admin.post(COMMENTS, {"post": post, "content": "x"})) == (403, code)
    assert refusal(subscriber.post(COMMENTS, {"post": private, "content": "x"})) == (403, "rest_cannot_read_post")
    refused = anyone.post(COMMENTS, {"post": closed, "content": "x", "author_name": "A", "author_email": "a@b.org"})
    assert refusal(refused) == (401, "rest_comment_login_required")


def test_subscribers_choose_neither_author_nor_state(admin: Client, subscriber: Client) -> None:
    post = post_of(admin)
    for members, code in (
        ({"status": "approved"}, "rest_comment_invalid_status"),
        ({"author": 1}, "rest_comment_invalid_author"),
        ({"author_ip": "10.0.0.1"}, "rest_comment_invalid_author_ip"),
        ({"meta": {"_cms_note_status": "resolved"}}, "rest_cannot_update"),
    ):
        assert refusal(subscriber.post(COMMENTS, {"post": post, "content": "x", **members})) == (403, code)


def test_trust_is_earned_by_an_approved_comment(
    admin: Client, author: Client, subscriber: Client, clock: SetClock
) -> None:
    own = post_of(author)
    assert said(author, own)["status"] == "approved"
    first = said(subscriber, own, "My first")
    assert (first["status"], "author_email" in first) == ("hold", False)
    assert refusal(subscriber.post(COMMENTS, {"post": own, "content": "Too soon"})) == (400, "comment_flood")
    clock.forward(20)
    assert said(subscriber, own, "Waiting still")["status"] == "hold"
    admin.post(f"{COMMENTS}/{first['id']}", {"status": "approve"})
    clock.forward(20)
    assert said(subscriber, own, "Known by now")["status"] == "approved"
    clock.forward(20)
    assert said(subscriber, own, "http://a.example http://b.example")["status"] == "hold"


def test_the_same_words_are_said_once(admin: Client, editor: Client) -> None:
    post = post_of(admin)
    first = said(admin, post)
    assert refusal(admin.post(COMMENTS, {"post": post, "content": "Well said"})) == (409, "comment_duplicate")
    said(editor, post)
    said(admin, post, parent=first["id"])
    said(admin, post_of(admin))


def test_a_guest_is_named_by_who_moderates(admin: Client) -> None:
    guest = {"author_name": "Mario <b>& Co</b>", "author_email": "Mario@Example.org", "author_url": "mario.example"}
    made = said(admin, post_of(admin), **guest)
    assert (made["author"], made["status"], made["author_url"]) == (0, "hold", "http://mario.example")
    assert made["author_name"] == "Mario &amp; Co"
    assert "author" not in made["_links"]
    found = admin.get(COMMENTS, query={"author_email": "mario@example.org", "status": "all"})
    assert numbers(found) == [made["id"]]


def test_markup_of_subscribers_is_filtered_and_links_are_not_vouched_for(admin: Client, subscriber: Client) -> None:
    post = post_of(admin)
    text = '<a href="https://x.example/" onclick="x()">there</a><script>x()</script> and http://y.example/a.'
    kept = '<a href="https://x.example/" rel="nofollow ugc">there</a>'
    id = said(subscriber, post, text)["id"]
    content = admin.get(f"{COMMENTS}/{id}", query={"context": "edit"}).json["content"]
    assert content["raw"] == f"{kept}x() and http://y.example/a."
    made = '<a href="http://y.example/a" rel="nofollow ugc">http://y.example/a</a>.'
    assert content["rendered"] == f"<p>{kept}x() and {made}</p>\n"
    assert said(admin, post, "<script>x</script>")["content"]["raw"] == "<script>x</script>"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["hold"], "hold"),
        (["hold", "approve"], "approved"),
        (["spam"], "spam"),
        (["spam", "unspam"], "approved"),
        (["hold", "spam", "unspam"], "hold"),
        (["trash", "untrash"], "approved"),
        (["spam", "trash", "untrash"], "spam"),
        (["loud"], "approved"),
    ],
)
def test_states_follow_the_words_of_moderation(admin: Client, words: list[str], status: str) -> None:
    made = said(admin, post_of(admin))
    for word in words:
        answer = admin.post(f"{COMMENTS}/{made['id']}", {"status": word})
        assert answer.status == 200
    assert answer.json["status"] == status


def test_trash_and_removal(admin: Client, anyone: Client) -> None:
    made = said(admin, post_of(admin))
    path = f"{COMMENTS}/{made['id']}"
    trashed = admin.delete(path)
    assert (trashed.status, trashed.json["status"], trashed.headers["allow"]) == (200, "trash", EVERY_METHOD)
    assert refusal(admin.delete(path)) == (410, "rest_already_trashed")
    assert refusal(anyone.get(path)) == (401, "rest_cannot_read")
    removed = admin.delete(path, query={"force": True})
    assert removed.json["deleted"] is True
    assert removed.json["previous"]["author_email"] == "admin@example.org"
    assert "_links" not in removed.json["previous"]
    assert "allow" not in removed.headers
    assert refusal(admin.get(path)) == (404, "rest_comment_invalid_id")


def test_a_change_of_members(admin: Client) -> None:
    post = post_of(admin)
    path = f"{COMMENTS}/{said(admin, post)['id']}"
    changed = admin.patch(path, {"date_gmt": "2021-05-05T05:05:05", "author_name": "Other", "content": "New"}).json
    assert (changed["date"], changed["author_name"]) == ("2021-05-05T07:05:05", "Other")
    assert changed["content"]["rendered"] == "<p>New</p>\n"
    for members, expected in (
        ({"content": ""}, (400, "rest_comment_content_invalid")),
        ({"post": 999999}, (403, "rest_comment_invalid_post_id")),
        ({"type": "note"}, (404, "rest_comment_invalid_type")),
        ({"author": 999999}, (400, "rest_comment_author_invalid")),
    ):
        assert refusal(admin.patch(path, members)) == expected
    elsewhere = post_of(admin)
    assert admin.patch(path, {"post": elsewhere}).json["post"] == elsewhere


def test_the_author_of_a_post_moderates_its_comments(
    admin: Client, author: Client, contributor: Client, subscriber: Client, anyone: Client
) -> None:
    post = post_of(author)
    held = said(admin, post, status="hold")["id"]
    assert author.get(f"{COMMENTS}/{held}").headers["allow"] == EVERY_METHOD
    changed = author.post(f"{COMMENTS}/{held}", {"status": "approve"})
    # The response is the edit view, which a later GET refuses to users who may not moderate.
    assert (changed.json["status"], changed.headers["allow"]) == ("approved", "POST, PUT, PATCH, DELETE")
    for client, status in ((contributor, 403), (subscriber, 403), (anyone, 401)):
        assert refusal(client.post(f"{COMMENTS}/{held}", {"content": "x"})) == (status, "rest_cannot_edit")
        assert refusal(client.delete(f"{COMMENTS}/{held}")) == (status, "rest_cannot_delete")
    assert author.delete(f"{COMMENTS}/{held}").status == 200
    assert refusal(author.get(COMMENTS, query={"context": "edit"})) == (403, "rest_forbidden_context")


def test_who_may_filter_by_what(author: Client, contributor: Client, subscriber: Client, anyone: Client) -> None:
    filters: list[dict[str, Any]] = [
        {"status": "hold"}, {"type": "note"}, {"author": 1}, {"author_exclude": 1}, {"author_email": "a@b.org"},
    ]  # fmt: skip
    for query in filters:
        assert refusal(anyone.get(COMMENTS, query=query)) == (401, "rest_forbidden_param")
        assert refusal(subscriber.get(COMMENTS, query=query)) == (403, "rest_forbidden_param")
        assert contributor.get(COMMENTS, query=query).status == 200
    assert author.get(COMMENTS, query={"status": "approve", "type": "comment"}).status == 200


def test_totals_leave_out_what_a_reader_does_not_see(admin: Client, contributor: Client) -> None:
    said(admin, post_of(admin), status="hold")
    answer = contributor.get(COMMENTS, query={"status": "hold"})
    assert (answer.headers["x-cms-total"], answer.json) == ("0", [])


def test_orders_filters_and_pages(admin: Client, anyone: Client) -> None:
    one, two = post_of(admin), post_of(admin)
    a = said(admin, one, "Apple", date="2020-01-01T00:00:00")["id"]
    b = said(admin, two, "Banana", date="2020-03-01T00:00:00")["id"]
    c = said(admin, one, "Cherry", date="2020-02-01T00:00:00", parent=a)["id"]
    for query, expected in (
        ({}, [b, c, a]),
        ({"order": "asc"}, [a, c, b]),
        ({"orderby": "id", "order": "asc"}, [a, b, c]),
        ({"orderby": "include", "include": f"{c},{a},{b}"}, [c, a, b]),
        ({"orderby": "post", "order": "asc"}, [c, a, b]),
        ({"orderby": "parent", "order": "desc"}, [c, b, a]),
        ({"post": one}, [c, a]),
        ({"post": [one, two], "parent_exclude": a}, [b, a]),
        ({"include": f"{a},{b}", "exclude": a}, [b]),
        ({"search": "BANÀN"}, [b]),
        ({"after": "2020-01-15T00:00:00", "before": "2020-02-15T00:00:00"}, [c]),
        ({"per_page": 2, "page": 2}, [a]),
        ({"offset": 1}, [c, a]),
        ({"page": 9}, []),
    ):
        answer = anyone.get(COMMENTS, query=query)
        assert numbers(answer) == expected, query
    assert anyone.get(COMMENTS, query={"page": 9}).headers["x-cms-total"] == "3"
    paged = anyone.get(COMMENTS, query={"per_page": 1, "page": 2})
    assert paged.headers["link"].count("rel=") >= 2
    assert (paged.headers["x-cms-total"], paged.headers["x-cms-totalpages"]) == ("3", "3")
    head = anyone.head(COMMENTS)
    assert (head.status, head.content, head.headers["x-cms-total"]) == (200, b"", "3")


def test_comments_are_those_of_records_in_the_language(site: Stand, admin: Client) -> None:
    italian = admin.post("/cms/v2/posts", {"title": "Ciao", "status": "publish"}, query={"mlang_language": "it"}).json
    made = said(admin, italian["id"])
    assert numbers(site.client().get(COMMENTS)) == []
    assert numbers(site.client(root="/it/cms-json").get(COMMENTS)) == [made["id"]]
    assert numbers(site.client().get(COMMENTS, query={"post": italian["id"]})) == [made["id"]]


def test_replies_are_embedded_in_their_record(admin: Client, anyone: Client) -> None:
    post = post_of(admin)
    assert "_embedded" not in anyone.get(f"/cms/v2/posts/{post}?_embed=replies").json
    made = said(admin, post)
    said(admin, post, "Not yet", status="hold")
    embedded = anyone.get(f"/cms/v2/posts/{post}?_embed=replies").json["_embedded"]["replies"]
    assert [[one["id"] for one in replies] for replies in embedded] == [[made["id"]]]
    above = anyone.get(f"{COMMENTS}/{made['id']}?_embed=up").json["_embedded"]["up"][0]
    assert above["id"] == post


def test_a_password_hides_comments_too(admin: Client, anyone: Client) -> None:
    post = post_of(admin, password="open sesame")
    made = said(admin, post, password="open sesame")
    path = f"{COMMENTS}/{made['id']}"
    assert refusal(anyone.get(path)) == (401, "rest_cannot_read")
    assert refusal(anyone.get(path, query={"password": "wrong"})) == (401, "rest_cannot_read")
    assert anyone.get(path, query={"password": "open sesame"}).status == 200
    assert refusal(anyone.get(COMMENTS, query={"post": post})) == (401, "rest_cannot_read_post")
    opened = anyone.get(COMMENTS, query={"post": post, "password": "open sesame"})
    assert numbers(opened) == [made["id"]]
    assert numbers(anyone.get(COMMENTS)) == []


def test_comments_go_and_come_back_with_their_record(admin: Client) -> None:
    post = post_of(admin)
    shown, spam = said(admin, post)["id"], said(admin, post, "Buy", status="spam")["id"]
    admin.delete(f"/cms/v2/posts/{post}")
    assert admin.get(f"{COMMENTS}/{shown}").json["status"] == "post-trashed"
    admin.post(f"/cms/v2/posts/{post}", {"status": "publish"})
    assert [admin.get(f"{COMMENTS}/{id}").json["status"] for id in (shown, spam)] == ["approved", "spam"]
    admin.delete(f"/cms/v2/posts/{post}", query={"force": True})
    assert refusal(admin.get(f"{COMMENTS}/{shown}")) == (404, "rest_comment_invalid_id")


def test_notes_are_for_those_who_edit_the_record(
    admin: Client, author: Client, subscriber: Client, anyone: Client
) -> None:
    draft = post_of(author, status="draft")
    note = said(author, draft, "Check this", type="note")
    assert (note["status"], note["type"]) == ("approved", "note")
    path = f"{COMMENTS}/{note['id']}"
    done = said(admin, draft, "", type="note", parent=note["id"], meta={"_cms_note_status": "resolved"})
    assert done["meta"] == {"_cms_note_status": "resolved"}
    assert refusal(admin.post(COMMENTS, {"post": draft, "type": "note", "content": ""})) == (
        400,
        "rest_comment_content_invalid",
    )
    assert refusal(subscriber.post(COMMENTS, {"post": draft, "type": "note", "content": "x"})) == (
        403,
        "rest_cannot_create_note",
    )
    talk = admin.post("/cms/v2/intervento", {"title": "Talk"}).json["id"]
    unsupported = admin.post(COMMENTS, {"post": talk, "type": "note", "content": "x"})
    assert refusal(unsupported) == (403, "rest_comment_not_supported_post_type")

    admin.post(f"/cms/v2/posts/{draft}", {"status": "publish"})
    for client, status in ((subscriber, 403), (anyone, 401)):
        assert refusal(client.get(path)) == (status, "rest_cannot_read")
    assert numbers(admin.get(COMMENTS, query={"post": draft})) == []
    assert numbers(author.get(COMMENTS, query={"post": draft, "type": "note"})) == [done["id"], note["id"]]
    children = author.get(path).json["_links"]["children"][0]["href"]
    assert children.endswith(f"?parent={note['id']}&type=note&status=all")
    admin.delete(path)
    assert admin.get(f"{COMMENTS}/{done['id']}").json["status"] == "trash"
    admin.post(path, {"status": "untrash"})
    assert admin.get(f"{COMMENTS}/{done['id']}").json["status"] == "approved"


def test_the_site_may_hold_every_comment_and_refuse_words(site: Stand, admin: Client, subscriber: Client) -> None:
    post = post_of(admin)
    with site.site.work() as work:
        work.set_option("comment_previously_approved", False)
        work.set_option("moderation_keys", "casino\n")
        work.set_option("disallowed_keys", "pills")
    statuses = [
        said(admin, post, text, author_name="A", author_email="a@b.org")["status"]
        for text in ("Hello", "The casino", "Cheap Pills")
    ]
    assert statuses == ["approved", "hold", "trash"]


def test_opening_a_schema_names_every_member(anyone: Client) -> None:
    described = anyone.options(COMMENTS).json
    assert described["schema"]["title"] == "comment"
    assert described["schema"]["properties"].keys() >= {"author_avatar_urls", "content", "meta", "type"}
    assert "GET" in anyone.options(COMMENTS).headers["allow"]

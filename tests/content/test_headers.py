"""What any request may use and any response has: methods, headers, _fields, _embed, _envelope, conditions."""

import re
from email.utils import formatdate
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, exchange, made
from vetrina.settings import load_profile

POSTS = "/cms/v2/posts"


@pytest.fixture
def post(editor):
    return editor.post(POSTS, {"title": "Uno", "content": "Testo", "status": "publish"}).json


def path(post):
    return f"{POSTS}/{post['id']}"


# -- every answer


@pytest.mark.parametrize("target", [POSTS, "/", "/nowhere", f"{POSTS}/99999", f"{POSTS}?page=x"])
def test_every_answer_says_what_it_is(anyone, target):
    headers = anyone.get(target).headers
    assert headers["content-type"] == "application/json; charset=UTF-8"
    assert headers["x-robots-tag"] == "noindex"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["access-control-expose-headers"] == "X-CMS-Total, X-CMS-TotalPages, Link"
    assert headers["link"] == '<http://vetrina.test/en/cms-json/>; rel="https://api.cms.example/"'


def test_an_error_says_code_message_and_status(anyone):
    error = anyone.get(f"{POSTS}/99999").json
    assert set(error) == {"code", "message", "data"}
    assert error["data"] == {"status": 404}


def test_answers_to_credentials_are_not_for_caches(anyone, editor):
    assert "no-store" in editor.get(POSTS).headers["cache-control"]
    assert "no-store" not in anyone.get(POSTS).headers.get("cache-control", "")


# -- methods


def test_head_answers_like_get_without_a_body(anyone, post):
    for target in (POSTS, path(post), f"{POSTS}/99999", "/"):
        head, get = anyone.head(target), anyone.get(target)
        assert (head.status, head.content) == (get.status, b"")
        own = {"x-request-id"}
        assert {k: v for k, v in head.headers.items() if k not in own} == {
            k: v for k, v in get.headers.items() if k not in own
        }


@pytest.mark.parametrize("how", [{"query": {"_method": "delete"}}, {"headers": {"X-HTTP-Method-Override": "DELETE"}}])
def test_a_method_can_be_overridden(site, editor, post, how):
    assert editor.post(path(post), {"force": True}, **how).json["deleted"] is True
    assert site.stored(post["id"]) is None


def test_the_query_overrides_more_strongly_than_the_header(site, editor, post):
    answer = editor.post(
        path(post), {"title": "Due"}, query={"_method": "PUT"}, headers={"X-HTTP-Method-Override": "DELETE"}
    )
    assert answer.json["title"]["raw"] == "Due"
    assert site.stored(post["id"]).status == "publish"


@pytest.mark.parametrize("method", ["", "BREW", "GET POST"])
def test_an_unknown_override_finds_no_route(anyone, method):
    assert anyone.post(POSTS, {}, query={"_method": method}).code == "rest_no_route"


@pytest.mark.parametrize("login", ["", "editor"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_body_that_head_by_override_leaves_out_is_not_announced(site, post, login, method):
    client = site.client(login)
    for _ in range(2):
        answer = client.ask(method, path(post), query={"_method": "HEAD"})
        assert (answer.status, answer.content, answer.headers["content-length"]) == (200, b"", "0")


def test_a_write_by_get_is_still_a_write(editor, anyone, post):
    assert editor.get(path(post), query={"_method": "POST", "title": "Via GET"}).json["title"]["raw"] == "Via GET"
    assert anyone.get(path(post), query={"_method": "DELETE"}).code == "rest_cannot_delete"


# -- other origins


@pytest.mark.parametrize(
    ("origin", "sent"),
    [
        ("https://app.example", "https://app.example"),
        ("null", "null"),
        ("app", "http://app"),
        ("javascript:alert(1)", ""),
    ],
)
def test_pages_of_other_origins_may_read(anyone, origin, sent):
    for target in (POSTS, "/nowhere"):
        headers = anyone.get(target, headers={"Origin": origin}).headers
        assert headers["access-control-allow-origin"] == sent
        assert headers["access-control-allow-credentials"] == "true"
        assert headers["vary"] == "Origin"


def list_names(pairs, name):
    """Return the names that all lines of a header list."""
    return {one.strip() for key, value in pairs if key == name for one in value.split(",")}


@pytest.mark.in_process("compares lines of the same name, which clients join")
def test_a_preflight_is_answered(site):
    headers = {
        "Origin": "https://a.example",
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "if-none-match, if-match,if-unmodified-since,x-anything",
    }
    status, pairs, _ = exchange(site.site, "OPTIONS", f"/en/cms-json{POSTS}", headers=headers)
    assert status == 200
    assert dict(pairs)["access-control-allow-methods"] == "OPTIONS, GET, POST, PUT, PATCH, DELETE"
    allowed = list_names(pairs, "access-control-allow-headers")
    assert allowed >= {"Authorization", "if-none-match", "if-match", "if-unmodified-since"}
    assert "x-anything" not in allowed


@pytest.mark.in_process("compares lines of the same name, which clients join")
def test_pages_of_other_origins_read_totals_and_entity_tags(site):
    for _ in range(2):  # made, then kept
        _, pairs, _ = exchange(site.site, "GET", f"/en/cms-json{POSTS}", headers={"Origin": "https://a.example"})
        assert list_names(pairs, "access-control-expose-headers") >= {"X-CMS-Total", "Link", "ETag", "Location"}


def test_credentials_are_for_the_origins_that_the_profile_names(tmp_path):
    profile = msgspec.structs.replace(load_profile("first"), allowed_origins=("https://www.example.org",))
    client = Client(made(tmp_path, profile))
    for _ in range(2):  # made, then kept
        trusted = client.get(POSTS, headers={"Origin": "https://www.example.org"}).headers
        other = client.get(POSTS, headers={"Origin": "https://evil.example"}).headers
        assert trusted["access-control-allow-credentials"] == "true"
        assert "access-control-allow-credentials" not in other
        assert other["access-control-allow-origin"] == "https://evil.example"


def test_an_answer_for_one_origin_is_not_given_to_another(anyone, post):
    for origin in ("https://a.example", "https://b.example", None, "https://a.example"):
        headers = anyone.get(POSTS, headers={"Origin": origin} if origin else {}).headers
        assert headers.get("access-control-allow-origin") == origin


@pytest.mark.in_process("no HTTP client sends such a header")
def test_an_origin_splits_no_header(anyone):
    answer = anyone.get(POSTS, headers={"Origin": "http://a\r\nx-evil: 1"})
    assert "\n" not in answer.headers["access-control-allow-origin"]


def test_answers_for_different_hosts_have_their_own_addresses(anyone, post):
    for host in ("one.example", "two.example:8080", "one.example"):
        (shown,) = anyone.get(POSTS, headers={"Host": host}).json
        assert shown["link"].startswith(f"http://{host}/en/")


# -- JSONP and layout


def test_a_script_gets_its_function_called(anyone, post):
    answer = anyone.get(path(post), query={"_jsonp": "site.receive_1", "_fields": "id"})
    assert answer.headers["content-type"] == "application/javascript; charset=UTF-8"
    assert answer.content == b'/**/site.receive_1({"id":%d})' % post["id"]


def test_a_script_gets_errors_too(anyone):
    answer = anyone.get(f"{POSTS}/99999", query={"_jsonp": "f"})
    assert answer.status == 404
    assert re.fullmatch(rb'/\*\*/f\(\{"code":"rest_post_invalid_id".*\}\)', answer.content)


@pytest.mark.parametrize("name", ["alert(1)", "a-b", "a b", "<script>", "è"])
def test_what_is_no_name_of_a_function_is_refused(anyone, name):
    answer = anyone.get(POSTS, query={"_jsonp": name})
    assert answer.status == 400
    assert b"rest_callback_invalid" in answer.content
    assert name.encode() not in answer.content


def test_pretty_changes_the_layout_alone(anyone, post):
    pretty, plain = anyone.get(path(post), query={"_pretty": ""}), anyone.get(path(post))
    assert pretty.json == plain.json
    assert pretty.content.count(b"\n") > 10


# -- _fields


@pytest.mark.parametrize(
    ("fields", "members"),
    [
        ("id,title", {"id", "title"}),
        ("title id", {"id", "title"}),
        (["id", "link"], {"id", "link"}),
        ("id,unheard", {"id"}),
        ("unheard", set()),
        ("id,_links", {"id", "_links"}),
        ("ID", set()),
        ("title.rendered", {"title"}),
    ],
)
def test_only_the_members_that_are_asked_for_are_shown(anyone, post, fields, members):
    for answer in (anyone.get(path(post), query={"_fields": fields}).json,
                   anyone.get(POSTS, query={"_fields": fields}).json[0]):  # fmt: skip
        assert set(answer) == members


def test_a_nested_member_leaves_its_neighbours_out(editor, post):
    shown = editor.get(path(post), query={"_fields": "title.raw,content.protected", "context": "edit"}).json
    assert shown == {"title": {"raw": "Uno"}, "content": {"protected": False}}
    whole = editor.get(path(post), query={"_fields": "title.raw,title", "context": "edit"}).json
    assert whole == {"title": {"raw": "Uno", "rendered": "Uno"}}


def test_fields_choose_from_writes_and_removals_but_not_from_errors(editor, post):
    assert set(editor.post(path(post), {"title": "Due", "_fields": "id"}).json) == {"id"}
    assert set(editor.post(path(post), {"status": "x"}, query={"_fields": "id"}).json) == {"code", "message", "data"}
    assert editor.delete(path(post), query={"force": True, "_fields": "deleted"}).json == {"deleted": True}


REMOVED = [
    ("/cms/v2/posts", {"title": "One"}, "status"), ("/cms/v2/categories", {"name": "One"}, "name"),
    ("/cms/v2/comments", {"content": "One"}, "status"), ("/cms/v2/menus", {"name": "One"}, "name"),
    ("/cms/v2/menu-items", {"title": "One", "url": "https://example.org/", "status": "publish"}, "url"),
    ("/cms/v2/users", {"username": "one", "email": "one@example.org", "password": "a word to keep"}, "username"),
    ("/cms/v2/users/me/application-passwords", {"name": "One"}, "name"),
    ("/cms/v2/widgets", {"id_base": "text", "sidebar": ""}, "id_base"),
    ("/cms/v2/webhooks", {"topics": ["post.created"], "delivery_url": "https://example.org/", "secret": "s" * 32},
     "delivery_url"),
    ("/cms/v2/templates", {"slug": "one", "content": "One"}, "slug"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "given", "member"), REMOVED, ids=[path for path, *_ in REMOVED])
def test_fields_choose_twice_on_a_removal(site: Stand, path: str, given: dict[str, Any], member: str) -> None:
    admin = site.client("admin")
    if path.endswith("/comments"):
        given = {**given, "post": admin.post(POSTS, {"title": "Post", "status": "publish"}).json["id"]}

    def remove(fields: str) -> Any:
        one = admin.post(path, given)
        assert one.status == 201, one.json
        query = {"force": True, "_fields": fields, **({"reassign": "false"} if path.endswith("users") else {})}
        answer = admin.delete(f"{path}/{one.json.get('uuid') or one.json['id']}", query=query)
        assert answer.status == 200, answer.json
        return answer.json

    both = remove(f"deleted,previous,{member}")
    assert both["deleted"] is True
    assert {*both["previous"]} - {"id", "uuid"} == {member}
    assert remove(f"previous.{member}") == {"previous": {}}
    assert remove(member) == {}


# -- _embed and _envelope


def test_embedded_records_stand_beside_their_links(editor, anyone, post):
    shown = anyone.get(path(post), query={"_embed": ""}).json
    (author,) = shown["_embedded"]["author"]
    assert author["slug"] == "editor"
    assert [[term["slug"] for term in group] for group in shown["_embedded"]["cms:term"]] == [["uncategorized"], []]


def test_relations_to_embed_can_be_chosen(anyone, post):
    shown = anyone.get(POSTS, query={"_embed": "author"}).json[0]
    assert set(shown["_embedded"]) == {"author"}
    for nothing in ("unheard", "https://api.cms.example/term"):
        assert "_embedded" not in anyone.get(POSTS, query={"_embed": nothing}).json[0]


def test_what_may_not_be_read_is_embedded_as_its_error(editor, anyone):
    parent = editor.post("/cms/v2/pages", {"title": "Nascosta", "status": "draft"}).json
    child = editor.post("/cms/v2/pages", {"title": "Vista", "status": "publish", "parent": parent["id"]}).json
    (up,) = anyone.get(f"/cms/v2/pages/{child['id']}", query={"_embed": "up"}).json["_embedded"]["up"]
    assert up["code"] == "rest_forbidden"
    assert "Nascosta" not in str(up)


def test_what_is_embedded_is_the_largest_page_of_its_list(admin, anyone, post):
    terms = [admin.post("/cms/v2/tags", {"name": f"tag {number}"}).json["id"] for number in range(12)]
    admin.post(path(post), {"tags": terms})
    for number in range(12):
        admin.post("/cms/v2/comments", {"post": post["id"], "content": f"comment {number}"})
    embedded = anyone.get(path(post), query={"_embed": "cms:term,replies"}).json["_embedded"]
    assert [len(group) for group in embedded["cms:term"]] == [1, 12]
    assert [len(group) for group in embedded["replies"]] == [12]


def test_an_envelope_holds_status_and_headers(anyone, post):
    whole = anyone.get(POSTS, query={"_envelope": ""})
    assert (whole.status, set(whole.json)) == (200, {"body", "status", "headers"})
    assert (whole.json["headers"]["X-CMS-Total"], len(whole.json["body"])) == (1, 1)
    assert "x-cms-total" not in whole.headers
    failed = anyone.get(f"{POSTS}/99999", query={"_envelope": "1"})
    assert (failed.status, failed.json["status"], failed.json["body"]["code"]) == (200, 404, "rest_post_invalid_id")


# -- conditions


def test_a_read_that_is_still_true_needs_no_body(anyone, editor, post):
    for client in (anyone, editor):
        tag = client.get(path(post)).headers["etag"]
        for condition in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            answer = client.get(path(post), headers={"If-None-Match": condition})
            assert (answer.status, answer.content, answer.headers["etag"]) == (304, b"", tag)
    editor.post(path(post), {"title": "Due"})
    assert anyone.get(path(post), headers={"If-None-Match": tag}).status == 200


def test_a_write_holds_only_while_nobody_else_wrote(site, editor, author, post):
    tag = editor.get(path(post), query={"context": "edit"}).headers["etag"]
    assert editor.post(path(post), {"content": "Mio"}, headers={"If-Match": tag}).status == 200
    late = editor.post(path(post), {"content": "Troppo tardi"}, headers={"If-Match": tag})
    assert (late.status, late.code) == (412, "rest_precondition_failed")
    assert site.stored(post["id"]).content == "Mio"


@pytest.mark.parametrize("query", [{}, {"context": "edit"}, {"_fields": "id"}, {"_embed": "1"}, {"_envelope": "1"}])
def test_the_tag_of_any_read_of_a_record_guards_a_write(editor, post, query):
    tag = editor.get(path(post), query=query).headers["etag"]
    assert editor.post(path(post), {"content": "Due"}, headers={"If-Match": tag}).status == 200
    assert editor.post(path(post), {"content": "Tre"}, headers={"If-Match": tag}).status == 412


def test_the_answer_to_a_write_has_the_tag_for_the_next_one(editor, post):
    tag = editor.post(path(post), {"content": "Due"}).headers.get("etag")
    if tag is not None:
        assert editor.post(path(post), {"content": "Tre"}, headers={"If-Match": tag}).status == 200


@pytest.mark.parametrize(
    ("members", "kind"),
    [({"slug": "altro"}, "slug"), ({"tags": [1]}, "terms"), ({"sticky": True}, "sticky"), ({}, "nothing")],
)
def test_every_save_changes_the_tag(editor, post, members, kind):
    tag = editor.get(path(post)).headers["etag"]
    editor.post(path(post), members)
    assert editor.post(path(post), {"content": "Due"}, headers={"If-Match": tag}).status == 412


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH"])
@pytest.mark.parametrize("tag", ['"0-0"', '""', "", "unquoted", '"a", "b"'])
def test_a_tag_that_does_not_match_keeps_everything(site, editor, post, method, tag):
    answer = editor.ask(method, path(post), json={"title": "Due"}, headers={"If-Match": tag})
    assert answer.status == 412
    assert (site.stored(post["id"]).title, site.stored(post["id"]).status) == ("Uno", "publish")


def test_any_state_will_do_where_a_star_is_sent(editor, post):
    assert editor.post(path(post), {"title": "Due"}, headers={"If-Match": "*"}).status == 200


def test_a_write_holds_only_if_nothing_changed_since_a_moment(editor, post, clock):
    before = formatdate(clock.now() - 3600, usegmt=True)
    after = formatdate(clock.now() + 3600, usegmt=True)
    assert editor.post(path(post), {"title": "Due"}, headers={"If-Unmodified-Since": before}).status == 412
    assert editor.post(path(post), {"title": "Due"}, headers={"If-Unmodified-Since": after}).status == 200
    assert editor.post(path(post), {"title": "Tre"}, headers={"If-Unmodified-Since": "no date"}).status == 200


@pytest.mark.parametrize(
    "date",
    ["Thu, 01 Jan 0001 00:00:00 +2300", "Fri, 31 Dec 9999 23:59:59 -2359", "Sun, 06 Nov 99999 08:49:37 GMT",
     "Sun, 06 Nov 1994 08:49:37 +9999", "Mon, 99 Foo 2024", ""],
)  # fmt: skip
def test_an_odd_moment_is_a_moment_or_none(editor, post, date):
    answer = editor.post(path(post), {"title": "Due"}, headers={"If-Unmodified-Since": date})
    assert answer.status == (412 if " 0001 " in date else 200)


def test_rights_are_asked_before_conditions(anyone, post):
    assert anyone.post(path(post), {"title": "x"}, headers={"If-Match": '"0-0"'}).code == "rest_cannot_edit"


# -- bodies and limits


@pytest.mark.parametrize(
    "kind",
    [
        "application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/x+json",
        "application/json+oembed", 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    ],
)  # fmt: skip
def test_json_is_read_whatever_its_type_is_called(editor, kind):
    answer = editor.ask("POST", POSTS, body=b'{"title":"Corpo"}', headers={"content-type": kind})
    assert (answer.status, answer.json["title"]["raw"]) == (201, "Corpo")


@pytest.mark.parametrize("kind", ["text/plain", "application/jsonp", "application/no.json", "application/+json", ""])
def test_other_bodies_are_not_read(editor, kind):
    answer = editor.ask("POST", POSTS, body=b'{"title":"Corpo"}', headers={"content-type": kind})
    assert (answer.status, answer.code) == (400, "empty_content")


@pytest.mark.parametrize(
    "body", [b"{", b"   ", b"\xef\xbb\xbf{}", b'{"title":"\\ud800"}', b'"x"', b"7", b"true", b"\xff"]
)
def test_broken_json_is_told(editor, body):
    answer = editor.ask("POST", POSTS, body=body, headers={"content-type": "application/json"})
    assert (answer.status, answer.code) == (400, "rest_invalid_json")
    assert editor.get(POSTS, query={"status": "any"}).json == []


def test_broken_json_is_found_after_the_route_and_before_the_rights(anyone):
    json = {"content-type": "application/json"}
    assert anyone.ask("POST", POSTS, body=b"{", headers=json).code == "rest_invalid_json"
    assert anyone.ask("POST", "/nowhere", body=b"{", headers=json).code == "rest_no_route"


def test_a_json_body_is_read_with_get_too(anyone, post, editor):
    other = editor.post(POSTS, {"title": "Altro", "status": "publish"}).json
    answer = anyone.ask("GET", POSTS, json={"include": [post["id"]], "_fields": "id"})
    assert answer.json == [{"id": post["id"]}]
    assert len(anyone.get(POSTS).json) == 2
    assert anyone.ask("GET", POSTS, json={"include": [other["id"]], "_fields": "id"}).json == [{"id": other["id"]}]


@pytest.mark.in_process("it looks at how a body arrives")
def test_a_body_counts_even_where_its_length_is_not_told(anyone, editor, post):
    other = editor.post(POSTS, {"title": "Altro", "status": "publish"}).json
    assert len(anyone.get(POSTS).json) == 2
    answer = anyone.ask("GET", POSTS, json={"include": [other["id"]]}, headers={"content-length": "0"})
    assert [found["id"] for found in answer.json] == [other["id"]]


@pytest.mark.parametrize("headers", [{"content-type": "application/x-www-form-urlencoded"}, {}])
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_form_is_read_with_every_write(site, editor, post, method, headers):
    editor.ask(method, path(post), body=b"force=true&title=Modulo", headers=headers)
    stored = site.stored(post["id"])
    assert (stored and stored.title) == (None if method == "DELETE" else "Modulo")


def test_a_form_is_not_read_with_get(anyone, editor, post):
    other = editor.post(POSTS, {"title": "Altro", "status": "publish"}).json
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert len(anyone.ask("GET", POSTS, body=f"include={other['id']}".encode(), headers=form).json) == 2


def test_the_same_name_twice_counts_the_last(editor):
    made = editor.ask("POST", POSTS, body=b'{"title":"a","title":"b"}', headers={"content-type": "application/json"})
    assert made.json["title"]["raw"] == "b"


def test_json_may_be_only_so_deep(editor):
    body = b'{"title":"x","unknown":' + b"[" * 200 + b"]" * 200 + b"}"
    assert (
        editor.ask("POST", POSTS, body=body, headers={"content-type": "application/json"}).code == "rest_invalid_json"
    )


def test_an_address_may_be_only_so_long(anyone):
    answer = anyone.get(POSTS, query={"search": "a" * 20_000})
    assert (answer.status, answer.code) == (414, "rest_uri_too_long")


def test_a_faulty_host_names_the_server_instead(site):
    status, _, content = exchange(site.site, "GET", "/en/cms-json/", headers={"host": 'a"><b'})
    assert status == 200
    assert b"><b" not in content


def test_a_null_character_is_dropped_from_a_text(site, editor):
    made = editor.post(POSTS, {"title": "a\0b", "content": "c\0d"}).json
    assert (site.stored(made["id"]).title, site.stored(made["id"]).content) == ("ab", "cd")


# -- credentials


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("Basic YWRtaW46d3Jvbmc=", "incorrect_password"),
        ("Basic bm9ib2R5Ong=", "invalid_username"),
        ("Basic YWRtaW46", "incorrect_password"),
    ],
)
def test_wrong_credentials_are_told_at_once(anyone, value, code):
    answer = anyone.get(POSTS, headers={"Authorization": value})
    assert (answer.status, answer.code) == (401, code)


def test_blanks_in_an_application_password_do_not_matter(site):
    client = type(site.client())(site.site, "editor", "editorpassword")
    assert client.get("/cms/v2/users/me").json["slug"] == "editor"


def test_an_e_mail_address_is_a_login_too(site):
    client = type(site.client())(site.site, "editor@example.org", "editor pass word")
    assert client.get("/cms/v2/users/me").json["slug"] == "editor"


def test_a_nonce_without_credentials_is_refused(anyone, editor):
    answer = anyone.get(POSTS, headers={"X-CMS-Nonce": "abc"})
    assert (answer.status, answer.code) == (403, "rest_cookie_invalid_nonce")
    assert anyone.get(POSTS, query={"_cmsnonce": ""}).code == "rest_cookie_invalid_nonce"
    assert editor.get(POSTS, headers={"X-CMS-Nonce": "abc"}).status == 200

"""Redirects: written ones, former addresses of records, where they lead, their file."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, strategies as st

from conftest import Client, Stand, exchange
from vetrina.content.redirects import paths

REDIRECTS = "/cms/v2/redirects"
LOOKUP = f"{REDIRECTS}/lookup"
ORIGIN = "http://vetrina.test"


def redirect_of(client: Client, source: str, target: str = "/new", **members: Any) -> dict[str, Any]:
    answer = client.post(REDIRECTS, {"source": source, "target": target, **members})
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def refusal(answer: Any) -> tuple[int, str | None]:
    return answer.status, answer.code


def visit(site: Stand, path: str) -> tuple[int, str | None]:
    """Return status and Location of a public page."""
    status, pairs, _ = exchange(site.site, "GET", path)
    return status, dict(pairs).get("location")


def leads(client: Client, path: str) -> tuple[int, str | None] | None:
    answer = client.get(LOOKUP, query={"path": path})
    if answer.status == 404:
        assert answer.code == "rest_no_redirect"
        return None
    return answer.json["status"], answer.json["target"]


def page_of(client: Client, slug: str, **members: Any) -> int:
    answer = client.post("/cms/v2/pages", {"title": slug, "slug": slug, "status": "publish", **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


# -- written ones


def test_a_redirect_is_stored_as_it_is_meant(editor: Client) -> None:
    made = redirect_of(editor, " /Old//Pa%67e/ ", "/new?x=1#y")
    shown = {name: made[name] for name in ("source", "target", "status", "language", "active", "origin", "hits")}
    assert shown == {
        "source": "/old/page", "target": "/new?x=1#y", "status": 301, "language": "", "active": True,
        "origin": "manual", "hits": 0,
    }  # fmt: skip
    assert (made["record"], made["last_hit_gmt"]) == (0, None)
    path = f"{REDIRECTS}/{made['id']}"
    assert editor.get(path).json["source"] == "/old/page"
    changed = editor.patch(path, {"source": "/it/vecchio", "status": 308}).json
    assert (changed["source"], changed["language"], changed["status"], changed["target"]) == (
        "/vecchio", "it", 308, "/new?x=1#y",
    )  # fmt: skip
    assert refusal(editor.delete(path)) == (501, "rest_trash_not_supported")
    assert editor.delete(path, query={"force": True}).json["previous"]["source"] == "/vecchio"
    assert refusal(editor.get(path)) == (404, "rest_redirect_invalid_id")


@pytest.mark.parametrize(
    ("members", "wrong"),
    [
        ({"source": "old"}, "source"), ({"source": "//host/x"}, "source"), ({"source": "/x?y=1"}, "source"),
        ({"source": "/x#y"}, "source"), ({"source": "/x*"}, "source"), ({"source": "/*/x"}, "source"),
        ({"source": "/"}, "source"), ({"source": "/en/"}, "source"), ({"source": "/x\x01y"}, "source"),
        ({"source": "/" + "x" * 1000}, "source"), ({"source": "/it/x", "language": "en"}, "source"),
        ({"source": "/x", "language": "xx"}, "language"), ({"source": "/x", "status": 200}, "status"),
        ({"source": "/x", "target": "new"}, "target"), ({"source": "/x", "target": "//evil.example/"}, "target"),
        ({"source": "/x", "target": "/\\evil.example"}, "target"), ({"source": "/x", "target": ""}, "target"),
        ({"source": "/x", "target": "javascript:alert(1)"}, "target"), ({"source": "/x", "target": "/y z"}, "target"),
        ({"source": "/x", "target": "https://a@evil.example/"}, "target"),
        ({"source": "/x", "target": "/y/*"}, "target"),
        ({"source": "/x", "target": "https://"}, "target"), ({"source": "/x", "target": "ftp://h.example/"}, "target"),
        ({"source": "/x", "target": "/y", "status": 410}, "target"),
    ],
)  # fmt: skip
def test_what_no_redirect_can_be_is_named(admin: Client, members: dict[str, Any], wrong: str) -> None:
    answer = admin.post(REDIRECTS, {"target": "/new", **members} if members.get("status") != 410 else members)
    assert refusal(answer) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == [wrong]


def test_every_fault_is_named_at_once(admin: Client) -> None:
    answer = admin.post(REDIRECTS, {"source": "old", "target": "new"})
    assert list(answer.json["data"]["params"]) == ["source", "target"]


def test_a_source_leads_to_one_place_only(editor: Client) -> None:
    first = redirect_of(editor, "/old")
    taken = editor.post(REDIRECTS, {"source": "/OLD/", "target": "/x"})
    assert (*refusal(taken), taken.json["data"]["redirect_id"]) == (409, "rest_redirect_exists", first["id"])
    redirect_of(editor, "/old", language="it")
    redirect_of(editor, "/old/*")


def test_who_may_see_and_write_them(
    admin: Client, editor: Client, author: Client, subscriber: Client, anyone: Client
) -> None:
    made = redirect_of(editor, "/old")
    for path in (REDIRECTS, f"{REDIRECTS}/{made['id']}", f"{REDIRECTS}/export"):
        assert refusal(anyone.get(path)) == (401, "rest_forbidden")
        for client in (author, subscriber):
            assert refusal(client.get(path)) == (403, "rest_forbidden")
    assert refusal(author.post(REDIRECTS, {"source": "/x", "target": "/y"})) == (403, "rest_forbidden")
    assert refusal(author.patch(f"{REDIRECTS}/{made['id']}", {"target": "/y"})) == (403, "rest_forbidden")
    outside = {"source": "/x", "target": "https://elsewhere.example/"}
    assert refusal(editor.post(REDIRECTS, outside)) == (403, "rest_cannot_redirect_outside")
    assert editor.post(REDIRECTS, {"source": "/x", "target": f"{ORIGIN}/en/here"}).status == 201
    led = admin.post(REDIRECTS, {**outside, "source": "/y"}).json["id"]
    assert editor.patch(f"{REDIRECTS}/{led}", {"active": False}).status == 200
    assert editor.patch(f"{REDIRECTS}/{led}", {"source": "/z"}).status == 403


def test_the_list_is_filtered_and_sorted(admin: Client) -> None:
    redirect_of(admin, "/b", "/Target"), redirect_of(admin, "/a", status=302), redirect_of(admin, "/c", active=False)
    redirect_of(admin, "/d", language="it")

    def sources(**query: Any) -> list[str]:
        answer = admin.get(REDIRECTS, query=query)
        assert answer.status == 200, answer.json
        assert answer.headers["x-cms-total"] == str(len(answer.json))
        return [one["source"] for one in answer.json]

    assert sources() == ["/d", "/c", "/a", "/b"]
    assert sources(orderby="source", order="asc") == ["/a", "/b", "/c", "/d"]
    assert sources(search="TARGET") == ["/b"]
    assert sources(status=302) == ["/a"]
    assert sources(active="false") == ["/c"]
    assert sources(language="it") == ["/d"]
    assert sources(origin="slug") == []
    assert admin.get(REDIRECTS, query={"per_page": 2, "page": 2}).headers["x-cms-totalpages"] == "2"


# -- where they lead


def test_a_public_page_leads_on(site: Stand, admin: Client, anyone: Client) -> None:
    redirect_of(admin, "/old", "/new?x=1", status=302)
    for path in ("/old", "/en/Old/", "/en/old"):
        assert visit(site, path) == (302, f"{ORIGIN}/en/new?x=1")
    assert visit(site, "/it/old") == (302, f"{ORIGIN}/it/new?x=1")
    assert leads(anyone, "/it/old/") == (302, f"{ORIGIN}/it/new?x=1")
    assert leads(anyone, f"{ORIGIN}/old?y=2") == (302, f"{ORIGIN}/en/new?x=1")
    assert leads(anyone, "/other") is None
    assert leads(anyone, "https://elsewhere.example/old") is None
    assert refusal(anyone.get(LOOKUP)) == (400, "rest_missing_callback_param")


def test_what_is_gone_says_so(site: Stand, admin: Client, anyone: Client) -> None:
    redirect_of(admin, "/gone", "", status=410)
    assert visit(site, "/en/gone/") == (410, None)
    assert leads(anyone, "/gone") == (410, None)


def test_the_nearest_and_the_language_s_own_redirect_wins(anyone: Client, admin: Client) -> None:
    redirect_of(admin, "/shop/*", "/store/*")
    redirect_of(admin, "/shop/boats/*", "/boats")
    redirect_of(admin, "/shop/boats/red", "/red")
    redirect_of(admin, "/shop/boats/red", "/rosso", language="it")
    assert leads(anyone, "/shop/nets/big one") == (301, f"{ORIGIN}/en/store/nets/big%20one")
    assert leads(anyone, "/shop/boats/blue") == (301, f"{ORIGIN}/en/boats")
    assert leads(anyone, "/shop/boats/red") == (301, f"{ORIGIN}/en/red")
    assert leads(anyone, "/it/shop/boats/red") == (301, f"{ORIGIN}/it/rosso")
    assert leads(anyone, "/shop") is None
    admin.patch(f"{REDIRECTS}/{redirect_of(admin, '/off')['id']}", {"active": False})
    assert leads(anyone, "/off") is None


@pytest.mark.parametrize("path", ["/%00", "/x\x00y", "/%ff", "/" + "a/" * 900, "/", ""])
def test_odd_paths_lead_nowhere(site: Stand, admin: Client, anyone: Client, path: str) -> None:
    redirect_of(admin, "/x/*")
    assert anyone.get(LOOKUP, query={"path": path}).status in (400, 404)
    assert visit(site, quote(path) or "/")[1] is None


def test_a_page_wins_over_a_redirect(site: Stand, admin: Client) -> None:
    redirect_of(admin, "/about", "/elsewhere")
    assert visit(site, "/en/about/")[0] == 301
    page_of(admin, "about")
    assert visit(site, "/en/about/") == (200, None)


def test_chains_are_followed_to_their_end(anyone: Client, admin: Client) -> None:
    redirect_of(admin, "/a", "/b")
    redirect_of(admin, "/b", "/c", status=302)
    assert leads(anyone, "/a") == (301, f"{ORIGIN}/en/c")
    redirect_of(admin, "/c", "https://elsewhere.example/x")
    assert leads(anyone, "/a") == (301, "https://elsewhere.example/x")
    page_of(admin, "b")
    assert leads(anyone, "/a") == (301, f"{ORIGIN}/en/b")


def test_loops_are_refused(admin: Client) -> None:
    assert refusal(admin.post(REDIRECTS, {"source": "/a", "target": "/a/"})) == (400, "rest_redirect_loop")
    assert refusal(admin.post(REDIRECTS, {"source": "/a/*", "target": "/a/b/*"})) == (400, "rest_redirect_loop")
    redirect_of(admin, "/b", "/c")
    redirect_of(admin, "/c", "/d")
    assert refusal(admin.post(REDIRECTS, {"source": "/d", "target": "/en/b"})) == (400, "rest_redirect_loop")
    other = redirect_of(admin, "/e", "/f")
    assert refusal(admin.patch(f"{REDIRECTS}/{other['id']}", {"source": "/d", "target": "/b"})) == (
        400, "rest_redirect_loop",
    )  # fmt: skip
    redirect_of(admin, "/all/*", "/else")


def test_a_kept_lookup_follows_what_changes(anyone: Client, admin: Client) -> None:
    made = redirect_of(admin, "/old", "/one")
    assert leads(anyone, "/old") == (301, f"{ORIGIN}/en/one")
    admin.patch(f"{REDIRECTS}/{made['id']}", {"target": "/two"})
    assert leads(anyone, "/old") == (301, f"{ORIGIN}/en/two")
    admin.delete(f"{REDIRECTS}/{made['id']}", query={"force": True})
    assert leads(anyone, "/old") is None


@pytest.mark.in_process
def test_hits_are_counted_in_batches(site: Stand, admin: Client) -> None:
    made = redirect_of(admin, "/old")
    path = f"{REDIRECTS}/{made['id']}"
    for _ in range(3):
        visit(site, "/old")
    assert admin.get(path).json["hits"] == 0
    site.site.context.hits.flush()
    shown = admin.get(path).json
    assert shown["hits"] == 3
    assert shown["last_hit_gmt"] is not None
    visit(site, "/old")
    site.site.context.hits.flush()
    assert admin.get(path).json["hits"] == 4


# -- former addresses


def test_an_old_slug_leads_to_the_present_address(site: Stand, editor: Client, anyone: Client) -> None:
    page = page_of(editor, "first")
    editor.patch(f"/cms/v2/pages/{page}", {"slug": "second"})
    editor.patch(f"/cms/v2/pages/{page}", {"slug": "third"})
    for old in ("first", "second"):
        assert visit(site, f"/en/{old}/") == (301, f"{ORIGIN}/en/third/")
        assert leads(anyone, f"/{old}") == (301, f"{ORIGIN}/en/third/")
    rows = editor.get(REDIRECTS, query={"origin": "slug"}).json
    assert [(one["source"], one["target"], one["language"], one["record"]) for one in rows] == [
        ("/second", "/en/third/", "en", page), ("/first", "/en/third/", "en", page),
    ]  # fmt: skip
    editor.patch(f"/cms/v2/pages/{page}", {"slug": "first"})
    assert visit(site, "/en/first/") == (200, None)
    assert visit(site, "/en/third/") == (301, f"{ORIGIN}/en/first/")
    assert {one["source"] for one in editor.get(REDIRECTS).json} == {"/second", "/third"}


def test_a_change_of_the_date_alone_moves_no_page(editor: Client) -> None:
    page = page_of(editor, "first")
    editor.patch(f"/cms/v2/pages/{page}", {"date": "2020-01-01T00:00:00"})
    assert editor.get(REDIRECTS).json == []


def test_a_record_that_takes_the_old_slug_wins(site: Stand, editor: Client) -> None:
    page = page_of(editor, "first")
    editor.patch(f"/cms/v2/pages/{page}", {"slug": "second"})
    other = page_of(editor, "first")
    assert visit(site, "/en/first/") == (200, None)
    editor.patch(f"/cms/v2/pages/{other}", {"slug": "third"})
    assert visit(site, "/en/first/") == (301, f"{ORIGIN}/en/third/")


def test_old_addresses_say_nothing_of_what_is_not_published(site: Stand, editor: Client, anyone: Client) -> None:
    page = page_of(editor, "first")
    editor.patch(f"/cms/v2/pages/{page}", {"slug": "second"})
    assert leads(anyone, "/first") == (301, f"{ORIGIN}/en/second/")
    editor.patch(f"/cms/v2/pages/{page}", {"status": "draft"})
    assert leads(anyone, "/first") is None
    assert visit(site, "/en/first/") == (404, None)
    editor.patch(f"/cms/v2/pages/{page}", {"slug": "secret", "status": "publish"})
    assert leads(anyone, "/first") == (301, f"{ORIGIN}/en/secret/")
    editor.delete(f"/cms/v2/pages/{page}", query={"force": True})
    assert leads(anyone, "/first") is None
    assert editor.get(REDIRECTS).json == []


def test_what_is_below_a_page_comes_along(site: Stand, editor: Client) -> None:
    above, other = page_of(editor, "above"), page_of(editor, "other")
    page_of(editor, "below", parent=above)
    editor.patch(f"/cms/v2/pages/{above}", {"slug": "over"})
    assert visit(site, "/en/above/below/") == (301, f"{ORIGIN}/en/over/below/")
    editor.patch(f"/cms/v2/pages/{above}", {"parent": other})
    assert visit(site, "/en/above/below/") == (301, f"{ORIGIN}/en/other/over/below/")
    assert visit(site, "/en/over/below/") == (301, f"{ORIGIN}/en/other/over/below/")
    editor.delete(f"/cms/v2/pages/{above}", query={"force": True})
    assert visit(site, "/en/other/over/below/") == (301, f"{ORIGIN}/en/other/below/")


def test_each_language_has_its_own_old_addresses(site: Stand, editor: Client) -> None:
    english = editor.post("/cms/v2/posts", {"title": "One", "status": "publish"}).json
    italian = site.client("editor", root="/it/cms-json")
    twin = italian.post("/cms/v2/posts", {"title": "Uno", "status": "publish", "translations": {"en": english["id"]}})
    old = twin.json["link"].removeprefix(ORIGIN)
    new = italian.patch(f"/cms/v2/posts/{twin.json['id']}", {"slug": "nuovo"}).json["link"]
    assert visit(site, old) == (301, new)
    assert visit(site, old.replace("/it/", "/en/")) == (404, None)
    assert visit(site, english["link"].removeprefix(ORIGIN)) == (200, None)


def test_a_draft_leaves_no_old_address(editor: Client) -> None:
    draft = editor.post("/cms/v2/pages", {"title": "x", "slug": "draft"}).json["id"]
    editor.patch(f"/cms/v2/pages/{draft}", {"slug": "other"})
    editor.patch(f"/cms/v2/pages/{draft}", {"status": "publish"})
    assert editor.get(REDIRECTS).json == []


def test_an_old_address_can_be_given_another_target(editor: Client, anyone: Client) -> None:
    page = page_of(editor, "first")
    editor.patch(f"/cms/v2/pages/{page}", {"slug": "second"})
    [row] = editor.get(REDIRECTS).json
    changed = editor.patch(f"{REDIRECTS}/{row['id']}", {"target": "/elsewhere"}).json
    assert (changed["origin"], changed["record"], changed["target"]) == ("manual", 0, "/elsewhere")
    assert leads(anyone, "/first") == (301, f"{ORIGIN}/en/elsewhere")


# -- the file


def test_a_file_comes_back_as_it_went_out(site: Stand, admin: Client) -> None:
    redirect_of(admin, "/b/*", "https://elsewhere.example/*", status=308)
    redirect_of(admin, "/a", '/x,"y"'.replace('"', ""), language="it", active=False)
    redirect_of(admin, "/gone", "", status=410)
    answer = admin.get(f"{REDIRECTS}/export")
    assert answer.headers["content-type"] == "text/csv; charset=UTF-8"
    assert answer.content.decode().splitlines() == [
        "source,target,status,language,active", '/a,"/x,y",301,it,false', "/b/*,https://elsewhere.example/*,308,,true",
        "/gone,,410,,true",
    ]  # fmt: skip
    words = {"content-type": "text/csv"}
    again = admin.ask("POST", f"{REDIRECTS}/import", body=answer.content, headers=words)
    assert (again.status, again.json) == (200, {"created": 0, "updated": 0, "unchanged": 3})
    changed = "source,target,status\r\n/a,/z,302\r\n/new,/x,\r\n".replace("/a,", "/it/a,")
    done = admin.post(f"{REDIRECTS}/import", {"csv": changed})
    assert done.json == {"created": 1, "updated": 1, "unchanged": 0}
    assert {one["source"]: one["target"] for one in admin.get(REDIRECTS).json}["/a"] == "/z"


def test_a_file_with_faults_stores_nothing_and_names_every_line(editor: Client) -> None:
    text = (
        "source,target,status,active\n/good,/x,301,yes\nbad,/x,301,\n/a,new,200,perhaps\n\n"
        "/good/,/y,301,\n/out,https://elsewhere.example/,,\n/l,/l,,\n"
    )
    answer = editor.post(f"{REDIRECTS}/import", {"csv": text})
    assert refusal(answer) == (400, "rest_invalid_redirects")
    faults = [(one["line"], one["column"], one["code"]) for one in answer.json["data"]["faults"]]
    assert faults == [
        (3, "source", "rest_invalid_param"), (4, "status", "rest_invalid_param"), (4, "active", "rest_invalid_param"),
        (4, "target", "rest_invalid_param"),
        (6, "source", "rest_invalid_param"), (7, "", "rest_cannot_redirect_outside"), (8, "", "rest_redirect_loop"),
    ]  # fmt: skip
    assert editor.get(REDIRECTS).json == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "rest_redirect_file_missing"), (b"\xff\xfe", "rest_redirect_file_not_text"),
        (b"from,to\n/a,/b\n", "rest_invalid_redirects"), (b"target\n/a\n", "rest_invalid_redirects"),
        (b"source,source\n/a,/b\n", "rest_invalid_redirects"),
        (b"source,target\n/a,/b,301\n", "rest_invalid_redirects"),
        (b'source,target\n"/a"x,/b\n', "rest_invalid_redirects"),
        (b"source,target\n" + b"".join(b"/%d,/x\n" % number for number in range(10_001)), "rest_invalid_redirects"),
    ],
)  # fmt: skip
def test_what_is_no_file_of_redirects_is_refused(editor: Client, body: bytes, code: str) -> None:
    answer = editor.ask("POST", f"{REDIRECTS}/import", body=body, headers={"content-type": "text/csv"})
    assert refusal(answer) == (400, code)


# -- told elsewhere


def test_the_change_feed_and_webhooks_tell_of_redirects(admin: Client, anyone: Client) -> None:
    since = admin.get("/cms/v2/changes").json["next"]
    made = redirect_of(admin, "/old")
    [told] = admin.get("/cms/v2/changes", query={"since": since}).json["changes"]
    assert (told["kind"], told["id"], told["action"]) == ("redirect", made["id"], "created")
    assert told["href"].endswith(f"{REDIRECTS}/{made['id']}")
    assert anyone.get("/cms/v2/changes", query={"since": since}).json["changes"] == []
    assert "redirect.created" in admin.get("/cms/v2/webhooks/topics").json


# -- paths


@given(st.text(max_size=60))
def test_a_source_is_read_again_as_it_was_written(text: str) -> None:
    try:
        found = paths.parse_source(text, "", ("en", "it"), ORIGIN)
    except paths.InvalidPath:
        return
    again = paths.parse_source(paths.format_source(found).replace("%", "%25"), found.language, ("en", "it"), ORIGIN)
    if not paths.split_site_path(found.path, ("en", "it"))[0]:
        assert again == found


@given(st.text(max_size=60))
def test_a_target_stays_on_the_site_or_is_a_web_address(text: str) -> None:
    try:
        found = paths.parse_target(text, prefix=False)
    except paths.InvalidPath:
        return
    assert found.startswith(("http://", "https://")) or (found.startswith("/") and not found.startswith(("//", "/\\")))
    assert paths.encode_target(found).isascii()

"""Preview links over HTTP: who makes them, what a token shows, what it does not, and when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from conftest import Client, SetClock, Stand, exchange, made
from pictures import picture
from vetrina.backends.database import Statement
from vetrina.backends.tables.records import preview_link
from vetrina.content.previews.rules import delete_expired_links
from vetrina.settings import load_profile

POSTS = "/cms/v2/posts"
DAY = 86_400


@pytest.fixture
def draft(author: Client) -> dict[str, Any]:
    found: dict[str, Any] = author.post(POSTS, {"title": "Uno", "content": "<p>Primo</p>"}).json
    return found


def make_link(client: Client, record: dict[str, Any], base: str = POSTS, **members: Any) -> dict[str, Any]:
    answer = client.post(f"{base}/{record['id']}/preview-links", members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def show(client: Client, record: dict[str, Any], token: str, below: str = "", **query: Any) -> Any:
    return client.get(f"{POSTS}/{record['id']}{below}", query={"preview": token, **query})


# -- what a token shows


def test_a_token_shows_a_draft(author: Client, anyone: Client, draft: dict[str, Any]) -> None:
    link = make_link(author, draft)
    assert anyone.get(f"{POSTS}/{draft['id']}").status == 401
    answer = show(anyone, draft, link["token"])
    assert answer.status == 200
    assert (answer.json["status"], answer.json["content"]["rendered"]) == ("draft", "<p>Primo</p>\n")
    assert answer.json["preview"] == {"state": "record", "revision": 0, "expires": link["expires"]}


@pytest.mark.parametrize(
    "members",
    [
        {"status": "future", "date_gmt": "2099-01-01T00:00:00"},
        {"status": "private"},
        {"status": "publish", "password": "apriti"},
        {"status": "pending"},
    ],
)
def test_a_token_shows_what_readers_may_not_see(editor: Client, anyone: Client, members: dict[str, Any]) -> None:
    post = editor.post(POSTS, {"title": "Due", "content": "<p>Nascosto</p>", **members}).json
    shown = show(anyone, post, make_link(editor, post)["token"])
    assert (shown.status, shown.json["status"]) == (200, members["status"])
    assert "Nascosto" in shown.json["content"]["rendered"]
    assert "Nascosto" in shown.json["excerpt"]["rendered"]


def test_unsaved_texts_are_shown_until_the_record_is_newer(
    author: Client, editor: Client, anyone: Client, draft: dict[str, Any], clock: SetClock
) -> None:
    token = make_link(author, draft)["token"]
    clock.forward(10)
    editor.post(f"{POSTS}/{draft['id']}/autosaves", {"title": "Uno bis", "content": "<p>Non salvato :)</p>"})
    shown = show(anyone, draft, token).json
    assert (shown["preview"]["state"], shown["title"]["rendered"]) == ("autosave", "Uno bis")
    assert shown["preview"]["revision"] > 0
    assert shown["content"]["rendered"].startswith("<p>Non salvato ")
    assert shown["excerpt"]["rendered"].startswith("<p>Non salvato")
    clock.forward(10)
    author.post(f"{POSTS}/{draft['id']}", {"title": "Uno ter"})
    shown = show(anyone, draft, token).json
    assert (shown["preview"]["state"], shown["title"]["rendered"]) == ("record", "Uno ter")


def test_a_text_that_was_not_written_is_that_of_the_record(
    author: Client, editor: Client, anyone: Client, draft: dict[str, Any]
) -> None:
    token = make_link(author, draft)["token"]
    editor.post(f"{POSTS}/{draft['id']}/autosaves", {"title": "Uno bis"})
    shown = show(anyone, draft, token).json
    assert (shown["title"]["rendered"], shown["content"]["rendered"]) == ("Uno bis", "<p>Primo</p>\n")


def test_a_preview_stores_nothing(site: Stand, author: Client, editor: Client, anyone: Client, draft: Any) -> None:
    token = make_link(author, draft)["token"]
    editor.post(f"{POSTS}/{draft['id']}/autosaves", {"title": "Uno bis"})
    before = site.stored(draft["id"])
    show(anyone, draft, token)
    assert site.stored(draft["id"]) == before


def test_a_link_without_unsaved_texts_shows_what_is_saved(
    author: Client, editor: Client, anyone: Client, draft: dict[str, Any]
) -> None:
    token = make_link(author, draft, autosave=False)["token"]
    editor.post(f"{POSTS}/{draft['id']}/autosaves", {"title": "Uno bis"})
    assert show(anyone, draft, token).json["title"]["rendered"] == "Uno"
    unsaved = editor.get(f"{POSTS}/{draft['id']}/autosaves").json[0]["id"]
    for below in ("/autosaves", f"/autosaves/{unsaved}", "/revisions", f"/revisions/{unsaved}"):
        answer = show(anyone, draft, token, below)
        assert (answer.status, answer.code) == (403, "rest_preview_hidden")


def test_a_link_to_a_revision_shows_that_one(author: Client, anyone: Client, draft: dict[str, Any]) -> None:
    author.post(f"{POSTS}/{draft['id']}", {"title": "Secondo titolo"})
    author.post(f"{POSTS}/{draft['id']}", {"title": "Terzo titolo"})
    newest, older = [one["id"] for one in author.get(f"{POSTS}/{draft['id']}/revisions").json][:2]
    token = make_link(author, draft, revision=older)["token"]
    shown = show(anyone, draft, token).json
    assert (shown["title"]["rendered"], shown["preview"]["state"]) == ("Secondo titolo", "revision")
    assert shown["preview"]["revision"] == older
    assert show(anyone, draft, token, f"/revisions/{older}").status == 200
    for below in (f"/revisions/{newest}", "/revisions", "/autosaves"):
        assert show(anyone, draft, token, below).code == "rest_preview_hidden"


def test_a_token_shows_revisions_and_autosaves(
    author: Client, editor: Client, anyone: Client, draft: dict[str, Any]
) -> None:
    author.post(f"{POSTS}/{draft['id']}", {"content": "<p>Secondo</p>"})
    editor.post(f"{POSTS}/{draft['id']}/autosaves", {"title": "Non salvato"})
    token = make_link(author, draft)["token"]
    revisions = show(anyone, draft, token, "/revisions")
    texts = {one["slug"].split("-")[1]: one["content"]["rendered"] for one in reversed(revisions.json)}
    assert texts["revision"] == "<p>Secondo</p>\n"
    one = show(anyone, draft, token, f"/revisions/{revisions.json[0]['id']}")
    saved = show(anyone, draft, token, "/autosaves")
    assert (one.status, saved.status) == (200, 200)
    assert [found["title"]["rendered"] for found in saved.json] == ["Non salvato"]
    assert "raw" not in saved.json[0]["title"]
    assert {answer.headers["cache-control"] for answer in (revisions, one, saved)} == {"no-store"}
    assert show(anyone, draft, "x" * 43, "/revisions").code == "rest_preview_invalid"


def test_a_preview_embeds_the_picture_the_author_and_the_terms(
    admin: Client, contributor: Client, anyone: Client
) -> None:
    post = contributor.post(POSTS, {"title": "Con figura"}).json
    media = admin.post(
        "/cms/v2/media", body=picture(8, 8), headers={"content-disposition": "attachment; filename=a.jpg"}
    )
    admin.post(f"/cms/v2/media/{media.json['id']}", {"post": post["id"]})
    assert admin.post(f"{POSTS}/{post['id']}", {"featured_media": media.json["id"]}).status == 200
    assert anyone.get(f"/cms/v2/media/{media.json['id']}").status == 401
    assert anyone.get(f"/cms/v2/users/{post['author']}").status == 401

    token = make_link(contributor, post)["token"]
    embedded = show(anyone, post, token, _embed="1").json["_embedded"]
    assert [one["id"] for one in embedded["cms:featuredmedia"]] == [media.json["id"]]
    assert [one["id"] for one in embedded["author"]] == [post["author"]]
    assert {"email", "username", "roles"}.isdisjoint(embedded["author"][0])
    assert embedded["cms:term"][0][0]["slug"] == "uncategorized"
    # On their own they stay as they were.
    assert anyone.get(f"/cms/v2/media/{media.json['id']}", query={"preview": token}).status == 401
    assert anyone.get(f"/cms/v2/users/{post['author']}", query={"preview": token}).status == 401


def test_fields_choose_the_member_preview(author: Client, anyone: Client, draft: dict[str, Any]) -> None:
    token = make_link(author, draft)["token"]
    assert show(anyone, draft, token, _fields="id,preview.state").json == {
        "id": draft["id"], "preview": {"state": "record"},
    }  # fmt: skip
    assert show(anyone, draft, token, _fields="id").json == {"id": draft["id"]}


def test_links_of_the_answer_say_that_it_may_be_read(author: Client, anyone: Client, draft: dict[str, Any]) -> None:
    shown = show(anyone, draft, make_link(author, draft)["token"])
    assert shown.json["_links"]["self"][0]["targetHints"] == {"allow": ["GET"]}
    assert shown.headers["allow"] == "GET"


# -- what it does not show


def test_a_token_opens_no_other_record_no_list_and_no_search(author: Client, anyone: Client, draft: Any) -> None:
    other = author.post(POSTS, {"title": "Altro"}).json
    token = make_link(author, draft)["token"]
    assert show(anyone, other, token).code == "rest_preview_invalid"
    assert anyone.get(POSTS, query={"preview": token}).json == []
    assert anyone.get(POSTS, query={"preview": token, "status": "draft"}).status == 400
    assert anyone.get("/cms/v2/search", query={"preview": token, "search": "Uno"}).json == []


def test_a_token_gives_no_editing_view(author: Client, anyone: Client, draft: dict[str, Any]) -> None:
    token = make_link(author, draft)["token"]
    assert show(anyone, draft, token, context="edit").code == "rest_forbidden_context"
    assert show(anyone, draft, token, "/revisions", context="edit").code == "rest_cannot_read"
    shown = show(anyone, draft, token).json
    assert "raw" not in shown["content"]
    assert "password" not in shown


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_write_with_a_token_is_one_without(author: Client, anyone: Client, draft: Any, method: str) -> None:
    token = make_link(author, draft)["token"]
    path = f"{POSTS}/{draft['id']}"
    with_token, without = (
        anyone.ask(method, path, json={"title": "Mio"}, query=query) for query in ({"preview": token}, {})
    )
    assert (with_token.status, with_token.json) == (without.status, without.json)
    wrong = author.patch(path, {"title": "Mio"}, query={"preview": "wrong"})
    assert wrong.status == 200


# -- who makes links, and when they end


def test_only_who_may_edit_a_record_makes_lists_and_withdraws_links(
    author: Client, contributor: Client, subscriber: Client, anyone: Client, draft: dict[str, Any]
) -> None:
    path = f"{POSTS}/{draft['id']}/preview-links"
    uuid = make_link(author, draft)["uuid"]
    for client in (contributor, subscriber, anyone):
        answers = client.post(path, {}), client.get(path), client.delete(f"{path}/{uuid}")
        assert {answer.code for answer in answers} == {"rest_cannot_edit"}
    assert len(author.get(path).json) == 1


def test_the_token_is_told_once(site: Stand, author: Client, editor: Client, draft: dict[str, Any]) -> None:
    link = make_link(author, draft, expires_in=3600)
    assert link["api"] == f"http://vetrina.test/en/cms-json/cms/v2/posts/{draft['id']}?preview={link['token']}"
    assert link["link"] == f"http://vetrina.test/en/?p={draft['id']}&preview={link['token']}"
    assert link["front_end"] is None
    listed = editor.get(f"{POSTS}/{draft['id']}/preview-links").json
    assert [(one["uuid"], one["expires"], one["author"]) for one in listed] == [
        (link["uuid"], link["expires"], draft["author"])
    ]
    assert {"token", "api", "link", "front_end"}.isdisjoint(listed[0])
    with site.site.work(read=True) as work:
        rows = work.tx.all(Statement(select(preview_link)))
    assert len(rows) == 1
    assert link["token"] not in str(rows)


def test_a_withdrawn_link_shows_nothing(author: Client, anyone: Client, draft: dict[str, Any]) -> None:
    link = make_link(author, draft)
    assert show(anyone, draft, link["token"]).status == 200
    removed = author.delete(f"{POSTS}/{draft['id']}/preview-links/{link['uuid']}")
    assert (removed.json["deleted"], removed.json["previous"]["uuid"]) == (True, link["uuid"])
    answer = show(anyone, draft, link["token"])
    assert (answer.status, answer.code, answer.headers["cache-control"]) == (403, "rest_preview_invalid", "no-store")
    again = author.delete(f"{POSTS}/{draft['id']}/preview-links/{link['uuid']}")
    assert (again.status, again.code) == (404, "rest_preview_link_not_found")


def test_a_link_ends_with_its_time(
    site: Stand, author: Client, anyone: Client, draft: dict[str, Any], clock: SetClock
) -> None:
    token = make_link(author, draft, expires_in=3600)["token"]
    clock.forward(3500)
    assert show(anyone, draft, token).status == 200
    clock.forward(100)
    answer = show(anyone, draft, token)
    assert (answer.status, answer.code) == (403, "rest_preview_expired")
    assert author.get(f"{POSTS}/{draft['id']}/preview-links").json == []


def test_expired_links_are_swept(site: Stand, author: Client, anyone: Client, draft: Any, clock: SetClock) -> None:
    token = make_link(author, draft, expires_in=60)["token"]
    kept = make_link(author, draft, expires_in=7 * DAY)["token"]
    clock.forward(2 * DAY)
    with site.site.work() as work:
        delete_expired_links(work)
    assert show(anyone, draft, token).code == "rest_preview_invalid"
    assert show(anyone, draft, kept).status == 200


def test_a_link_ends_while_its_maker_may_not_edit(
    admin: Client, contributor: Client, anyone: Client, clock: SetClock
) -> None:
    post = contributor.post(POSTS, {"title": "Mio", "content": "Testo"}).json
    token = make_link(contributor, post)["token"]
    assert show(anyone, post, token).status == 200
    admin.post(f"/cms/v2/users/{post['author']}", {"roles": ["subscriber"]})
    assert show(anyone, post, token).code == "rest_preview_invalid"
    admin.post(f"/cms/v2/users/{post['author']}", {"roles": ["contributor"]})
    assert show(anyone, post, token).status == 200


def test_links_go_with_the_account_and_with_the_record(admin: Client, editor: Client, anyone: Client) -> None:
    post = admin.post(POSTS, {"title": "Di tutti", "content": "Testo"}).json
    token = make_link(editor, post)["token"]
    me = editor.get("/cms/v2/users/me").json["id"]
    assert admin.delete(f"/cms/v2/users/{me}", query={"force": True, "reassign": 1}).status == 200
    assert show(anyone, post, token).code == "rest_preview_invalid"
    token = make_link(admin, post)["token"]
    admin.delete(f"{POSTS}/{post['id']}")
    assert show(anyone, post, token).code == "rest_preview_invalid"
    admin.delete(f"{POSTS}/{post['id']}", query={"force": True})
    assert show(anyone, post, token).code == "rest_post_invalid_id"


def test_guesses_are_limited(site: Stand, author: Client, anyone: Client, draft: dict[str, Any]) -> None:
    token = make_link(author, draft)["token"]
    most = site.site.context.profile.limits.sign_in_failures
    for number in range(most):
        assert show(anyone, draft, f"guess {number}").code == "rest_preview_invalid"
    refused = show(anyone, draft, token)
    assert (refused.status, refused.code) == (429, "too_many_wrong_guesses")
    assert int(refused.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("members", "status", "code"),
    [
        ({"expires_in": 30 * DAY + 1}, 400, "rest_invalid_param"),
        ({"expires_in": 59}, 400, "rest_invalid_param"),
        ({"expires_in": "soon"}, 400, "rest_invalid_param"),
        ({"revision": 999}, 404, "rest_preview_no_revision"),
        ({"revision": "x"}, 400, "rest_invalid_param"),
        ({"autosave": "x"}, 400, "rest_invalid_param"),
    ],
)
def test_a_link_that_cannot_be_made_says_why(
    author: Client, draft: dict[str, Any], members: dict[str, Any], status: int, code: str
) -> None:
    answer = author.post(f"{POSTS}/{draft['id']}/preview-links", members)
    assert (answer.status, answer.code) == (status, code)
    if status == 400:
        assert list(answer.json["data"]["params"]) == list(members)


def test_a_link_is_valid_for_a_day_and_at_most_for_a_month(author: Client, draft: dict[str, Any]) -> None:
    for seconds, days in ((None, 1), (30 * DAY, 30)):
        link = make_link(author, draft, **({"expires_in": seconds} if seconds else {}))
        created, expires = (link[name][:10] for name in ("created", "expires"))
        assert (date.fromisoformat(expires) - date.fromisoformat(created)).days == days


def test_a_record_has_so_many_links(author: Client, draft: dict[str, Any]) -> None:
    for _ in range(50):
        make_link(author, draft)
    answer = author.post(f"{POSTS}/{draft['id']}/preview-links", {})
    assert (answer.status, answer.code) == (409, "rest_too_many_preview_links")


def test_previews_are_never_cached(site: Stand, author: Client, anyone: Client) -> None:
    post = author.post(POSTS, {"title": "Pubblico", "content": "<p>Uno</p>", "status": "publish"}).json
    link = make_link(author, post)
    for _ in range(2):
        answer = show(anyone, post, link["token"])
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-robots-tag"] == "noindex"
        assert "cache-tag" not in answer.headers
    author.delete(f"{POSTS}/{post['id']}/preview-links/{link['uuid']}")
    assert show(anyone, post, link["token"]).status == 403
    assert "preview" not in anyone.get(f"{POSTS}/{post['id']}").json


def test_types_without_pages_have_no_previews(admin: Client) -> None:
    block = admin.post("/cms/v2/blocks", {"title": "Motivo", "content": "x", "status": "publish"}).json
    assert admin.post(f"/cms/v2/blocks/{block['id']}/preview-links", {}).code == "rest_no_route"


# -- pages


def page(site: Stand, target: str) -> tuple[int, dict[str, str], str]:
    status, pairs, content = exchange(site.site, "GET", target)
    return status, {name.lower(): value for name, value in pairs}, content.decode()


def test_a_page_shows_the_draft(site: Stand, author: Client, editor: Client, draft: dict[str, Any]) -> None:
    link = make_link(author, draft)
    editor.post(f"{POSTS}/{draft['id']}/autosaves", {"title": "Uno bis", "content": "<p>Non salvato</p>"})
    status, headers, text = page(site, link["link"].removeprefix("http://vetrina.test"))
    assert status == 200
    assert ">Uno bis</h1>" in text
    assert "Non salvato" in text
    assert 'name="robots"' in text
    assert (headers["cache-control"], headers["x-robots-tag"], headers["referrer-policy"]) == (
        "no-store", "noindex", "no-referrer",
    )  # fmt: skip
    author.delete(f"{POSTS}/{draft['id']}/preview-links/{link['uuid']}")
    status, headers, text = page(site, link["link"].removeprefix("http://vetrina.test"))
    assert (status, headers["cache-control"]) == (403, "no-store")
    assert "Uno bis" not in text


def test_a_page_limits_guesses(site: Stand, draft: dict[str, Any]) -> None:
    for number in range(site.site.context.profile.limits.sign_in_failures):
        assert page(site, f"/en/?p={draft['id']}&preview={number:043}")[0] == 403
    status, headers, _ = page(site, f"/en/?p={draft['id']}&preview={'x' * 43}")
    assert status == 429
    assert int(headers["retry-after"]) > 0


# -- front ends


@pytest.fixture
def open_site(tmp_path: Any) -> Iterator[Callable[..., Stand]]:
    opened: list[Stand] = []

    def open(**changes: Any) -> Stand:
        opened.append(Stand(made(tmp_path, msgspec.structs.replace(load_profile("first"), **changes))))
        return opened[-1]

    yield open
    for one in opened:
        one.site.close()


def test_a_link_leads_to_the_front_end_of_the_type(open_site: Callable[..., Stand]) -> None:
    url = "https://front.example/preview?type={type}&id={id}&slug={slug}&lang={lang}&token={token}"
    site = open_site(preview_urls={"post": url})
    client = site.client("admin")
    post = client.post(POSTS, {"title": "Sì & no", "status": "publish", "content": "x"}).json
    link = make_link(client, post)
    assert link["front_end"] == (
        f"https://front.example/preview?type=post&id={post['id']}&slug=si-no&lang=en&token={link['token']}"
    )
    draft = client.post(POSTS, {"title": "Bozza & via"}).json
    assert "&slug=bozza-via&" in make_link(client, draft)["front_end"]
    page = client.post("/cms/v2/pages", {"title": "Pagina", "content": "x"}).json
    assert make_link(client, page, "/cms/v2/pages")["front_end"] is None


def test_a_site_bounds_how_long_links_are_valid(open_site: Callable[..., Stand]) -> None:
    limits = msgspec.structs.replace(load_profile("first").limits, preview_seconds=600)
    client = open_site(limits=limits, cache_control="public, max-age=60").client("admin")
    post = client.post(POSTS, {"title": "Breve"}).json
    assert (
        "600"
        in client.post(f"{POSTS}/{post['id']}/preview-links", {"expires_in": 601}).json["data"]["params"]["expires_in"]
    )
    link = make_link(client, post)
    assert link["created"][:15] != link["expires"][:15]
    # What may be stored elsewhere may not be here.
    assert show(Client(client.site), post, link["token"], "/revisions").headers["cache-control"] == "no-store"


def test_another_dialect_names_the_address_in_its_own_way(open_site: Callable[..., Stand]) -> None:
    site = open_site(dialects=("neutral", "wordpress"))
    client = site.client("admin", root="/en/wp-json")
    post = client.post("/wp/v2/posts", {"title": "Altrove"}).json
    link = make_link(client, post, "/wp/v2/posts")
    assert link["api"] == f"http://vetrina.test/en/wp-json/wp/v2/posts/{post['id']}?preview={link['token']}"
    shown = Client(site.site, root="/en/wp-json").get(f"/wp/v2/posts/{post['id']}", query={"preview": link["token"]})
    assert (shown.status, shown.json["preview"]["state"]) == (200, "record")

"""The settings of the site over HTTP, and their immediate effects."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.settings import load_profile
from vetrina.site import Site

SETTINGS = "/cms/v2/settings"


def changed(client: Client, **members: Any) -> Any:
    answer = client.post(SETTINGS, members)
    assert answer.status == 200, answer.json
    return answer.json


def test_a_new_site_has_the_settings_of_its_profile(admin: Client) -> None:
    answer = admin.get(SETTINGS)
    assert answer.headers["allow"] == "GET, POST, PUT, PATCH"
    assert answer.json == {
        "title": "Vetrina", "description": "", "url": "http://vetrina.test", "email": "admin@example.org",
        "timezone": "Europe/Rome", "date_format": "F j, Y", "time_format": "g:i a", "start_of_week": 1,
        "language": "en_US", "use_smilies": True, "default_category": 1, "default_post_format": "0",
        "posts_per_page": 10, "show_on_front": "posts", "page_on_front": 0, "page_for_posts": 0,
        "default_ping_status": "open", "default_comment_status": "open", "site_logo": None, "site_icon": 0,
    }  # fmt: skip


def test_only_administrators_see_them(editor: Client, subscriber: Client, anyone: Client, admin: Client) -> None:
    for client, status in ((editor, 403), (subscriber, 403), (anyone, 401)):
        for answer in (client.get(SETTINGS), client.post(SETTINGS, {"title": "x"})):
            assert (answer.status, answer.code) == (status, "rest_forbidden")
            assert "allow" not in answer.headers
    assert admin.delete(SETTINGS).code == "rest_no_route"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"title": "A <b>b</b> & 'c' &amp;"}, {"title": "A &lt;b&gt;b&lt;/b&gt; &amp; &#039;c&#039; &amp;"}),
        ({"posts_per_page": -3}, {"posts_per_page": 3}),
        ({"posts_per_page": 0}, {"posts_per_page": 1}),
        ({"posts_per_page": "7"}, {"posts_per_page": 7}),
        ({"timezone": "Nowhere/Land"}, {"timezone": "Europe/Rome"}),
        ({"timezone": ""}, {"timezone": "UTC"}),
        ({"language": "xx_YY"}, {"language": "en_US"}),
        ({"language": "it_IT"}, {"language": "it_IT"}),
        ({"show_on_front": "nothing"}, {"show_on_front": "posts"}),
        ({"site_logo": 5}, {"site_logo": 5}),
        ({"nothing": 1}, {"title": "Vetrina"}),
        ({"url": "https://elsewhere.example"}, {"url": "http://vetrina.test"}),
    ],
)
def test_what_a_value_becomes(admin: Client, sent: dict[str, Any], kept: dict[str, Any]) -> None:
    answer = changed(admin, **sent)
    assert {name: answer[name] for name in kept} == kept
    assert len(answer) == 20


def test_null_puts_the_first_value_back(admin: Client) -> None:
    changed(admin, title="Other", posts_per_page=3, site_logo=4)
    back = changed(admin, title=None, posts_per_page=None, site_logo=None)
    assert (back["title"], back["posts_per_page"], back["site_logo"]) == ("Vetrina", 10, None)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"title": ["x"]}, "rest_invalid_type"),
        ({"posts_per_page": "many"}, "rest_invalid_type"),
        ({"use_smilies": "perhaps"}, "rest_invalid_type"),
        ({"email": "nobody"}, "rest_invalid_email"),
        ({"default_comment_status": "perhaps"}, "rest_not_in_enum"),
    ],
)
def test_what_is_refused(admin: Client, anyone: Client, members: dict[str, Any], code: str) -> None:
    for client in (admin, anyone):
        answer = client.post(SETTINGS, members)
        assert (answer.status, answer.code) == (400, "rest_invalid_param")
        assert [one["code"] for one in answer.json["data"]["details"].values()] == [code]
    assert admin.get(SETTINGS).json["title"] == "Vetrina"


def test_the_zone_counts_at_once_in_every_process(site: Stand, admin: Client) -> None:
    second = Site(load_profile("first"), site.site.context.settings, site.site.folder, durable=False)
    try:
        other = Stand(second).client("admin")
        other.get("/cms/v2/posts")
        changed(admin, timezone="Asia/Tokyo")
        for client in (admin, other):
            dated = client.post("/cms/v2/posts", {"title": "x", "date": "2026-01-01T09:00:00"}).json
            assert dated["date_gmt"] == "2026-01-01T00:00:00"
            now = client.post("/cms/v2/posts", {"title": "x", "status": "publish"}).json
            local, gmt = (datetime.fromisoformat(now[name]) for name in ("date", "date_gmt"))
            assert (local - gmt).total_seconds() == 9 * 3600
            root = client.get("/").json
            assert (root["timezone_string"], root["gmt_offset"]) == ("Asia/Tokyo", 9)
            found = client.get("/cms/v2/posts", query={"after": "2026-01-01T08:59:59+09:00", "status": "any"})
            assert "date" in found.json[0]
    finally:
        second.close()


def test_kept_answers_hear_of_a_new_title(anyone: Client, admin: Client) -> None:
    assert anyone.get("/").json["name"] == "Vetrina"
    changed(admin, title="Renamed")
    assert anyone.get("/").json["name"] == "Renamed"


def test_new_posts_take_the_defaults(admin: Client) -> None:
    changed(admin, default_comment_status="closed", default_ping_status="closed")
    post = admin.post("/cms/v2/posts", {"title": "Quiet"}).json
    assert (post["comment_status"], post["ping_status"]) == ("closed", "closed")


def test_the_home_moves_to_a_page(admin: Client) -> None:
    page = admin.post("/cms/v2/pages", {"title": "Welcome", "status": "publish"}).json["id"]
    changed(admin, show_on_front="page", page_on_front=page)
    assert admin.get(f"/cms/v2/pages/{page}").json["link"].endswith("/en/")


def test_smilies_stay_signs_in_comments_where_the_site_says_so(admin: Client) -> None:
    changed(admin, use_smilies=False)
    post = admin.post("/cms/v2/posts", {"title": "x", "status": "publish"}).json["id"]
    comment = admin.post("/cms/v2/comments", {"post": post, "content": "Well :)"}).json
    assert comment["content"]["rendered"] == "<p>Well :)</p>\n"

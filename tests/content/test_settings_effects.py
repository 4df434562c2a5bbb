"""Settings take effect at once: on new records, on existing ones, and on the root index."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client
from pictures import picture

SETTINGS = "/cms/v2/settings"


def settled(admin: Client, **values: Any) -> dict[str, Any]:
    answer = admin.post(SETTINGS, values)
    assert answer.status == 200, answer.json
    return answer.json  # type: ignore[no-any-return]


def image(admin: Client) -> dict[str, Any]:
    answer = admin.post(
        "/cms/v2/media", body=picture(600, 600), headers={"content-disposition": 'attachment; filename="icon.jpg"'}
    )
    return answer.json  # type: ignore[no-any-return]


def made(admin: Client, path: str = "/cms/v2/posts", **members: Any) -> dict[str, Any]:
    answer = admin.post(path, {"title": "One", "status": "publish", **members})
    assert answer.status == 201, answer.json
    return answer.json  # type: ignore[no-any-return]


# -- smilies


@pytest.mark.parametrize("content", ["Hello :)", "<!-- wp:paragraph --><p>:)</p><!-- /wp:paragraph -->"])
def test_smilies_follow_the_setting_in_old_texts_too(admin: Client, anyone: Client, content: str) -> None:
    post = made(admin, content=content)
    target = f"/cms/v2/posts/{post['id']}"
    assert admin.post(target, {"title": "With a revision"}).status == 200
    for on in (True, False, True):
        settled(admin, use_smilies=on)
        shown = anyone.get(target).json
        listed = anyone.get("/cms/v2/posts").json[0]
        assert listed["content"] == shown["content"]
        for part in ("content", "excerpt"):
            assert ("\U0001f642" in shown[part]["rendered"], ":)" in shown[part]["rendered"]) == (on, not on)
        revised = admin.get(f"{target}/revisions").json
        assert {":)" in one["content"]["rendered"] for one in revised} == {not on}


def test_smilies_of_an_excerpt_follow_it_too(admin: Client, anyone: Client) -> None:
    post = made(admin, content="Words", excerpt="Well ;-) then")
    settled(admin, use_smilies=False)
    assert ";-)" in anyone.get(f"/cms/v2/posts/{post['id']}").json["excerpt"]["rendered"]
    settled(admin, use_smilies=None)
    assert ";-)" not in anyone.get(f"/cms/v2/posts/{post['id']}").json["excerpt"]["rendered"]


# -- new records


def test_new_posts_have_the_format_that_is_set(admin: Client) -> None:
    settled(admin, default_post_format="aside")
    assert made(admin)["format"] == "aside"
    assert made(admin, format="standard")["format"] == "standard"
    settled(admin, default_post_format="0")
    assert made(admin)["format"] == "standard"
    settled(admin, default_post_format="nothing of the kind")
    assert made(admin)["format"] == "standard"


def test_new_posts_fall_to_the_category_that_is_set(admin: Client) -> None:
    category = admin.post("/cms/v2/categories", {"name": "Harbour"}).json["id"]
    assert settled(admin, default_category=category)["default_category"] == category
    assert made(admin)["categories"] == [category]
    assert admin.delete(f"/cms/v2/categories/{category}", query={"force": "true"}).code == "rest_cannot_delete"
    tag = admin.post("/cms/v2/tags", {"name": "Harbour"}).json["id"]
    for wrong in (tag, 99_999, 0, -1):
        assert settled(admin, default_category=wrong)["default_category"] == category
    assert settled(admin, default_category=None)["default_category"] != category


def test_new_posts_take_comments_and_pings_as_it_is_set(admin: Client) -> None:
    settled(admin, default_comment_status="closed", default_ping_status="closed")
    post = made(admin)
    assert (post["comment_status"], post["ping_status"]) == ("closed", "closed")
    page = made(admin, "/cms/v2/pages")
    assert (page["comment_status"], page["ping_status"]) == ("closed", "closed")


# -- the front


def test_the_front_page_has_the_address_of_the_site(admin: Client, anyone: Client) -> None:
    page, posts = made(admin, "/cms/v2/pages"), made(admin, "/cms/v2/pages", title="News")
    settled(admin, show_on_front="page", page_on_front=page["id"], page_for_posts=posts["id"])
    home = anyone.get("/", query={"_fields": "home,show_on_front,page_on_front,page_for_posts"}).json
    assert anyone.get(f"/cms/v2/pages/{page['id']}").json["link"] == home["home"] + "/"
    assert (home["show_on_front"], home["page_on_front"], home["page_for_posts"]) == ("page", page["id"], posts["id"])


@pytest.mark.parametrize("force", ["true", "false"])
def test_a_front_page_that_goes_leaves_the_posts_there(admin: Client, anyone: Client, force: str) -> None:
    page, posts = made(admin, "/cms/v2/pages"), made(admin, "/cms/v2/pages", title="News")
    settled(admin, show_on_front="page", page_on_front=page["id"], page_for_posts=posts["id"])
    admin.delete(f"/cms/v2/pages/{posts['id']}", query={"force": force})
    home = anyone.get("/").json
    assert (home["show_on_front"], home["page_on_front"], home["page_for_posts"]) == ("page", page["id"], 0)
    admin.delete(f"/cms/v2/pages/{page['id']}", query={"force": force})
    home = anyone.get("/").json
    assert (home["show_on_front"], home["page_on_front"]) == ("posts", 0)


# -- signs


def test_the_index_tells_the_signs_of_the_site(admin: Client, anyone: Client) -> None:
    before = anyone.get("/").json
    assert (before["site_icon"], before["site_icon_url"], before["site_logo"]) == (0, "", 0)
    assert set(before["_links"]) == {"help"}
    icon = image(admin)
    settled(admin, site_icon=icon["id"], site_logo=icon["id"])
    home = anyone.get("/").json
    assert (home["site_icon"], home["site_icon_url"]) == (icon["id"], icon["source_url"])
    assert [one["type"] for one in home["_links"]["cms:featuredmedia"]] == ["site_logo", "site_icon"]
    admin.delete(f"/cms/v2/media/{icon['id']}", query={"force": "true"})
    home = anyone.get("/").json
    assert (home["site_icon"], home["site_icon_url"], home["site_logo"]) == (0, "", 0)
    assert admin.get(SETTINGS).json["site_logo"] is None


# -- dates


def test_dates_in_blocks_are_written_as_it_is_set(admin: Client, anyone: Client) -> None:
    post = made(admin, date="2024-03-05T09:07:00", content="<!-- wp:post-date /-->")
    settled(admin, date_format="j.n.Y")
    assert "5.3.2024" in anyone.get(f"/cms/v2/posts/{post['id']}").json["content"]["rendered"]


@pytest.mark.parametrize(("first", "day"), [(0, "S"), (1, "M"), (6, "S")])
def test_the_week_of_a_calendar_begins_as_it_is_set(admin: Client, anyone: Client, first: int, day: str) -> None:
    made(admin)
    settled(admin, start_of_week=first)
    shown = admin.post("/cms/v2/block-renderer/core/calendar", {"attributes": {}}, query={"context": "edit"})
    assert (
        f'<tr><th scope="col" aria-label="{ {0: "Sunday", 1: "Monday", 6: "Saturday"}[first] }">{day}'
        in (shown.json["rendered"])
    )


def test_the_zone_moves_the_dates_of_what_is_written(admin: Client) -> None:
    settled(admin, timezone="America/New_York")
    post = made(admin, date_gmt="2024-01-05T12:00:00")
    assert post["date"] == "2024-01-05T07:00:00"


def test_weeks_of_archives_begin_as_it_is_set(admin: Client) -> None:
    for day in ("2024-03-02", "2024-03-03", "2024-03-04"):  # Saturday to Monday
        made(admin, date=f"{day}T09:00:00")

    def weeks() -> int:
        asked = {"attributes": {"type": "weekly"}}
        shown = admin.post("/cms/v2/block-renderer/core/archives", asked, query={"context": "edit"})
        return shown.json["rendered"].count("<li>")  # type: ignore[no-any-return]

    assert weeks() == 2
    settled(admin, start_of_week=6)
    assert weeks() == 1


def test_a_page_is_on_the_front_only_where_pages_are(admin: Client) -> None:
    page = made(admin, "/cms/v2/pages")
    settled(admin, show_on_front="posts", page_on_front=page["id"])
    assert admin.get(f"/cms/v2/pages/{page['id']}").json["link"] == page["link"]

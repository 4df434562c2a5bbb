"""Media over HTTP: visibility, lists, changes and removal."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import ORIGIN, Client, Stand
from media_requests import MEDIA, TEXT, numbers, read_file, refusal, sent, stored_files, uploaded
from pictures import picture

# -- visibility


def test_a_file_is_as_visible_as_what_it_hangs_on(
    admin: Client, author: Client, anyone: Client, subscriber: Client
) -> None:
    post = admin.post("/cms/v2/posts", {"title": "Draft"}).json["id"]
    file = uploaded(author)["id"]
    item = f"{MEDIA}/{file}"
    assert admin.post(item, {"post": post}).status == 200
    assert refusal(anyone.get(item)) == (401, "rest_forbidden")
    assert refusal(subscriber.get(item)) == (403, "rest_forbidden")
    assert author.get(item).status == 200
    listed = anyone.get(MEDIA)
    assert (listed.json, listed.headers["x-cms-total"]) == ([], "0")
    for status, expected in (("publish", 200), ("private", 401), ("publish", 200), ("pending", 401)):
        admin.post(f"/cms/v2/posts/{post}", {"status": status})
        assert anyone.get(item).status == expected
    admin.post(f"/cms/v2/posts/{post}", {"status": "publish"})
    admin.delete(f"/cms/v2/posts/{post}")
    assert anyone.get(item).status == 401
    admin.delete(f"/cms/v2/posts/{post}", query={"force": True})
    assert anyone.get(item).json["post"] is None


def test_a_private_file_is_for_those_who_read_private_records(
    admin: Client, editor: Client, subscriber: Client
) -> None:
    file = uploaded(admin, status="private")["id"]
    assert refusal(subscriber.get(f"{MEDIA}/{file}")) == (403, "rest_forbidden")
    assert editor.get(f"{MEDIA}/{file}").json["status"] == "private"
    assert numbers(editor.get(MEDIA, query={"status": "private"})) == [file]
    assert refusal(subscriber.get(MEDIA, query={"status": "private"})) == (400, "rest_invalid_param")


def test_an_address_lies_beneath_what_the_file_hangs_on(admin: Client) -> None:
    post = admin.post("/cms/v2/posts", {"title": "Holder", "status": "publish"}).json
    file = uploaded(admin, name="a.txt")
    assert file["link"] == f"{ORIGIN}/en/a/"
    item = f"{MEDIA}/{file['id']}"
    attached = admin.post(item, {"post": post["id"]}).json
    assert attached["link"] == f"{post['link']}a/"
    assert attached["_links"]["cms:attached-to"][0]["href"].endswith(f"/cms/v2/posts/{post['id']}")
    assert admin.post(item, {"slug": "2026"}).json["link"] == f"{post['link']}attachment/2026/"
    assert admin.post(item, {"post": 999_999}).json["link"] == f"{ORIGIN}/en/?attachment_id={file['id']}"


def test_slugs_of_files_differ_from_all_others(admin: Client) -> None:
    admin.post("/cms/v2/posts", {"title": "Harbour", "status": "publish"})
    assert uploaded(admin, name="harbour.txt")["slug"] == "harbour-2"
    assert admin.post("/cms/v2/pages", {"title": "Harbour 2", "status": "publish"}).json["slug"] == "harbour-2-2"
    assert admin.post("/cms/v2/posts", {"title": "Harbour 2", "status": "publish"}).json["slug"] == "harbour-2"


# -- featured images


def test_an_image_stands_for_a_record_until_it_is_removed(admin: Client, anyone: Client) -> None:
    image = uploaded(admin, picture(64, 64), "a.jpg")["id"]
    words = uploaded(admin)["id"]
    post = admin.post("/cms/v2/posts", {"title": "P", "status": "publish", "featured_media": image}).json
    item = f"/cms/v2/posts/{post['id']}"
    assert post["featured_media"] == image
    assert "has-post-thumbnail" in post["class_list"]
    shown = anyone.get(item, query={"_embed": "cms:featuredmedia"}).json
    assert shown["_embedded"]["cms:featuredmedia"][0]["source_url"].endswith("/a.jpg")
    assert admin.post(item, {"featured_media": words}).json["featured_media"] == 0
    assert admin.post(item, {"featured_media": image}).json["featured_media"] == image
    admin.delete(f"{MEDIA}/{image}", query={"force": True})
    after = anyone.get(item).json
    assert after["featured_media"] == 0
    assert "has-post-thumbnail" not in after["class_list"]


def test_only_sounds_and_films_have_an_image_to_stand_for_them(admin: Client) -> None:
    image = uploaded(admin, picture(64, 64), "a.jpg")["id"]
    film = uploaded(admin, b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "a.mp4")
    assert admin.post(f"{MEDIA}/{image}", {"featured_media": image}).json["featured_media"] == 0
    assert admin.post(f"{MEDIA}/{film['id']}", {"featured_media": image}).json["featured_media"] == image
    assert '<video class="wp-video-shortcode"' in film["description"]["rendered"]
    assert film["media_type"] == "file"


@pytest.mark.in_process("it looks into the folder of files")
def test_an_upload_that_asks_for_an_image_which_it_cannot_have_is_refused(site: Stand, admin: Client) -> None:
    image, words = uploaded(admin, picture(64, 64), "a.jpg")["id"], uploaded(admin)["id"]
    film, before = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", stored_files(site)
    for asked in (image, 0):
        refused = sent(admin, picture(64, 64), "b.jpg", {"featured_media": asked})
        assert refusal(refused) == (400, "rest_no_featured_media")
    for asked in (words, 999_999, -1):
        assert refusal(sent(admin, film, "b.mp4", {"featured_media": asked})) == (400, "rest_invalid_featured_media")
    assert stored_files(site) == before
    assert uploaded(admin, film, "b.mp4", featured_media=image)["featured_media"] == image
    assert uploaded(admin, film, "c.mp4", featured_media=0)["featured_media"] == 0


def test_a_file_lies_in_the_month_of_what_it_hangs_on(admin: Client) -> None:
    post, page = (
        admin.post(f"/cms/v2/{kind}", {"title": "Old", "date": "2019-04-05T06:07:08"}).json["id"]
        for kind in ("posts", "pages")
    )
    assert "/uploads/2019/04/" in uploaded(admin, TEXT, "a.txt", post=post)["source_url"]
    assert "/uploads/2019/04/" not in uploaded(admin, TEXT, "b.txt", post=page)["source_url"]
    assert "/uploads/2019/04/" not in uploaded(admin, TEXT, "c.txt", date="2019-04-05T06:07:08")["source_url"]


# -- lists


def test_lists_filter_by_kind_and_type(admin: Client, anyone: Client) -> None:
    image = uploaded(admin, picture(8, 8, "PNG"), "a.png")["id"]
    other = uploaded(admin, picture(8, 8), "a.jpg")["id"]
    words = uploaded(admin)["id"]

    def found(**query: Any) -> set[int]:
        return set(numbers(anyone.get(MEDIA, query=query)))

    assert found(media_type="image") == {image, other}
    assert found(media_type=["text", "audio"]) == {words}
    assert found(mime_type="image/png") == {image}
    assert found(mime_type="image/png", media_type="text") == {image, words}
    assert found(mime_type="image") == {image, other, words}
    assert found(mime_type="x/unknown") == {image, other, words}
    assert refusal(anyone.get(MEDIA, query={"media_type": "picture"})) == (400, "rest_invalid_param")
    assert anyone.get(MEDIA, query={"media_type": "image", "per_page": 1}).headers["x-cms-total"] == "2"


@pytest.mark.every_database
def test_a_search_finds_names_of_files_and_captions(admin: Client, anyone: Client) -> None:
    first = uploaded(admin, name="quokka-report.txt", title="Something else")["id"]
    second = uploaded(admin, name="b.txt", caption="with Zèbra inside")["id"]
    assert numbers(anyone.get(MEDIA, query={"search": "quokka-rep"})) == [first]
    assert numbers(anyone.get(MEDIA, query={"search": "zebra"})) == [second]
    assert numbers(anyone.get(MEDIA, query={"search": "quokka", "search_columns": "post_title"})) == [first]
    admin.post(f"{MEDIA}/{first}", {"title": "Anything"})
    assert numbers(anyone.get(MEDIA, query={"search": "quokka anything"})) == [first]
    assert numbers(anyone.get("/cms/v2/posts", query={"search": "quokka"})) == []


@pytest.mark.every_database
def test_lists_filter_by_what_files_hang_on(admin: Client, anyone: Client) -> None:
    post = admin.post("/cms/v2/posts", {"title": "P", "status": "publish"}).json["id"]
    on, off = uploaded(admin, post=post)["id"], uploaded(admin)["id"]
    assert numbers(anyone.get(MEDIA, query={"parent": post})) == [on]
    assert numbers(anyone.get(MEDIA, query={"parent": 0})) == [off]
    assert numbers(anyone.get(MEDIA, query={"parent_exclude": post})) == [off]
    assert numbers(anyone.get(MEDIA, query={"media_type": "text", "parent": [0, post]})) == [off, on]


def test_statuses_of_lists_are_those_of_files(admin: Client) -> None:
    assert refusal(admin.get(MEDIA, query={"status": "publish"})) == (400, "rest_invalid_param")
    assert numbers(admin.get(MEDIA, query={"status": "trash"})) == []


# -- changes


@pytest.mark.in_process("it looks into the folder of files")
@pytest.mark.every_database
def test_members_change_and_files_stay(site: Stand, admin: Client) -> None:
    one = uploaded(admin, picture(64, 64), "a.jpg")
    answer = admin.post(
        f"{MEDIA}/{one['id']}",
        {"title": "T", "alt_text": 'An <b>alt</b> & "quotes"', "description": "Long\n\ntext", "status": "draft"},
    )
    found = answer.json
    assert (found["title"]["raw"], found["alt_text"], found["status"]) == ("T", 'An alt & "quotes"', "inherit")
    assert found["description"]["rendered"].endswith("<p>Long</p>\n<p>text</p>\n")
    assert 'alt="An alt &amp; &quot;quotes&quot;"' in found["description"]["rendered"]
    assert found["caption"]["rendered"] == "<p>Long text</p>\n"
    assert (found["slug"], found["source_url"]) == (one["slug"], one["source_url"])
    assert stored_files(site) == ["a.jpg"]


def test_a_file_without_caption_shows_its_title_for_it(admin: Client) -> None:
    one = uploaded(admin, name="paper.pdf", content=b"%PDF-1.4 x", description="Of many words")
    assert one["caption"] == {"raw": "", "rendered": "<p>paper Of many words</p>\n"}
    assert one["media_details"] == {"filesize": 10, "sizes": {}}
    assert "'>paper</a></p>\n<p>Of many words</p>\n" in one["description"]["rendered"]


def test_a_change_that_is_refused_changes_nothing(admin: Client) -> None:
    one = uploaded(admin)
    item = f"{MEDIA}/{one['id']}"
    for body in (
        {"alt_text": "New", "author": 999},
        {"alt_text": "New", "post": one["id"]},
        {"alt_text": {"raw": "x"}},
    ):
        assert admin.post(item, body).status == 400
    assert admin.get(item).json["alt_text"] == ""


# -- removal


@pytest.mark.in_process("it looks into the folder of files")
def test_removal_takes_all_files_along(site: Stand, admin: Client, anyone: Client) -> None:
    one = uploaded(admin, picture(3000, 2000, quality=30), "big.jpg")
    item = f"{MEDIA}/{one['id']}"
    assert len(stored_files(site)) == 8
    assert refusal(admin.delete(item)) == (501, "rest_trash_not_supported")
    answer = admin.delete(item, query={"force": True})
    assert (answer.json["deleted"], answer.json["previous"]["id"]) == (True, one["id"])
    assert stored_files(site) == []
    assert anyone.get(item).status == 404
    assert read_file(site, one["source_url"])[0] == 404


@pytest.mark.in_process("its database is made to refuse")
def test_a_removal_that_is_undone_leaves_the_files(site: Stand, admin: Client) -> None:
    one = uploaded(admin)
    refuse = "CREATE TRIGGER refuse AFTER DELETE ON record BEGIN SELECT RAISE(ABORT, 'in the middle'); END"
    with site.site.database.begin_write() as tx:
        tx.command(refuse)
    assert admin.delete(f"{MEDIA}/{one['id']}", query={"force": True}).status == 500
    with site.site.database.begin_write() as tx:
        tx.command("DROP TRIGGER refuse")
    assert stored_files(site) == ["words.txt"]
    assert admin.get(f"{MEDIA}/{one['id']}").status == 200


@pytest.mark.in_process("it looks into the folder of files")
def test_an_upload_whose_record_is_refused_leaves_no_file(site: Stand, admin: Client) -> None:
    assert refusal(sent(admin, TEXT, "a.txt", {"date": "0000-00-00T00:00:00"}))[0] == 400
    assert stored_files(site) == []

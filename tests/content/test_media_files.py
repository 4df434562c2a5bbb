"""Media over HTTP: derived files, edits of images, and files as they are served."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from conftest import ORIGIN, Answer, Client, Stand, made
from media_requests import MEDIA, read_file, refusal, stored_files, uploaded
from pictures import picture, quarters
from vetrina.system.integrity_rules import RULES

# -- post-processing


@pytest.mark.in_process("it looks into the folder of files")
def test_sizes_that_are_missing_are_made_later(site: Stand, admin: Client) -> None:
    one = uploaded(admin, picture(640, 400), "a.jpg")
    item = f"{MEDIA}/{one['id']}"
    with site.site.database.begin_write() as tx:
        tx.command(f"UPDATE media SET sizes = '{{}}' WHERE record = {one['id']}")
    for path in (site.site.folder / "media/uploads").rglob("a-*.jpg"):
        path.unlink()
    assert admin.get(item, query={"context": "edit"}).json["missing_image_sizes"] == ["medium", "thumbnail"]
    assert refusal(admin.post(f"{item}/post-process", {"action": "else"})) == (400, "rest_invalid_param")
    assert refusal(admin.post(f"{item}/post-process", {})) == (400, "rest_missing_callback_param")
    answer = admin.post(f"{item}/post-process", {"action": "create-image-subsizes"})
    assert (answer.status, answer.json["missing_image_sizes"]) == (200, [])
    assert list(answer.json["media_details"]["sizes"]) == ["medium", "thumbnail", "full"]
    assert stored_files(site) == ["a-150x150.jpg", "a-300x188.jpg", "a.jpg"]
    again = admin.post(f"{item}/post-process", {"action": "create-image-subsizes"})
    assert again.json["media_details"] == answer.json["media_details"]


# -- edits


def edit(client: Client, one: dict[str, Any], *modifiers: dict[str, Any], **members: Any) -> Answer:
    body = {"src": one["source_url"], **members}
    if modifiers:
        body["modifiers"] = list(modifiers)
    return client.post(f"{MEDIA}/{one['id']}/edit", body)


QUARTER = {"type": "rotate", "args": {"angle": 90}}


def test_an_edit_makes_a_new_attachment(site: Stand, admin: Client) -> None:
    post = admin.post("/cms/v2/posts", {"title": "P", "status": "publish"}).json["id"]
    one = uploaded(admin, quarters(400, 200), "a.png", title="Title", caption="Cap", alt_text="Alt", post=post)
    answer = edit(admin, one, QUARTER, alt_text="", caption="Other")
    copy = answer.json
    assert (answer.status, answer.headers["allow"]) == (201, "POST")
    assert answer.headers["location"].endswith(f"{MEDIA}/{copy['id']}")
    assert copy["id"] != one["id"]
    assert (copy["title"]["rendered"], copy["slug"], copy["alt_text"], copy["post"]) == ("Title", "title-2", "", None)
    assert copy["caption"] == {"rendered": "<p>Other</p>\n"}
    details = copy["media_details"]
    assert (details["width"], details["height"]) == (200, 400)
    assert details["parent_image"] == {"attachment_id": str(one["id"]), "file": one["media_details"]["file"]}
    assert details["file"].endswith("/a-edited.png")
    assert admin.get(f"{MEDIA}/{one['id']}").json["media_details"] == one["media_details"]
    again = edit(admin, copy, {"type": "crop", "args": {"left": 0, "top": 0, "width": 50, "height": 50}}, post=post)
    assert again.json["media_details"]["file"].endswith("/a-edited-1.png")
    assert (again.json["media_details"]["width"], again.json["post"]) == (100, post)


def test_an_edit_of_a_scaled_image_begins_with_the_original(admin: Client) -> None:
    one = uploaded(admin, picture(3000, 2000, quality=30), "big.jpg")
    details = edit(admin, one, {"type": "crop", "args": {"left": 0, "top": 0, "width": 50, "height": 50}}).json[
        "media_details"
    ]
    assert (details["width"], details["height"]) == (1500, 1000)
    assert details["parent_image"]["file"].endswith("/big.jpg")
    assert details["file"].endswith("/big-edited.jpg")


@pytest.mark.in_process("it looks into the folder of files")
@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({}, "rest_image_not_edited"),
        ({"width": 50}, "rest_image_not_edited"),
        ({"modifiers": []}, "rest_invalid_param"),
        ({"modifiers": "rotate"}, "rest_invalid_param"),
        ({"modifiers": [{"type": "rotate", "args": {"angle": "left"}}]}, "rest_invalid_param"),
        ({"modifiers": [{"args": {}}]}, "rest_invalid_param"),
        ({"modifiers": [{}]}, "rest_invalid_param"),
        ({"modifiers": [[]]}, "rest_invalid_param"),
        ({"rotation": 0}, "rest_invalid_param"),
        ({"rotation": 360}, "rest_invalid_param"),
        ({"x": 101, "y": 0, "width": 10, "height": 10}, "rest_invalid_param"),
        ({"x": 0, "y": 0, "width": 0, "height": 0}, "rest_image_crop_failed"),
        ({"modifiers": [{"type": "crop", "args": {"left": 0, "top": 0, "width": 0, "height": 0}}]},
         "rest_image_crop_failed"),
    ],
)  # fmt: skip
def test_edits_that_say_nothing_good_are_refused(
    site: Stand, admin: Client, members: dict[str, Any], code: str
) -> None:
    one = uploaded(admin, picture(64, 64), "a.jpg")
    assert refusal(edit(admin, one, **members)) == (400, code)
    assert stored_files(site) == ["a.jpg"]


def test_src_must_be_one_of_the_image_s_own_addresses(admin: Client) -> None:
    one, other = uploaded(admin, picture(640, 400), "a.jpg"), uploaded(admin, picture(64, 64), "b.jpg")
    words = uploaded(admin)
    path = urlsplit(one["source_url"]).path
    for src in (one["media_details"]["sizes"]["medium"]["source_url"], f"https://elsewhere.example{path}?x=1"):
        assert edit(admin, {**one, "source_url": src}, QUARTER).status == 201
    for src in (other["source_url"], "not an address", "", "http://[", f"{path}x"):
        assert refusal(edit(admin, {**one, "source_url": src}, QUARTER)) == (404, "rest_unknown_attachment")
    assert refusal(edit(admin, words, QUARTER)) == (404, "rest_unknown_attachment")


def test_images_of_rare_formats_are_kept_but_not_changed(admin: Client) -> None:
    one = uploaded(admin, picture(640, 400, "BMP"), "a.bmp")
    assert (one["media_type"], one["media_details"]["width"], one["media_details"]["sizes"]) == ("image", 640, {})
    assert refusal(edit(admin, one, QUARTER)) == (400, "rest_cannot_edit_file_type")


# -- files as readers get them


def test_files_are_sent_with_a_type_that_does_no_harm(site: Stand, admin: Client) -> None:
    image = uploaded(admin, picture(64, 64), "a.jpg")
    status, headers, content = read_file(site, image["source_url"])
    assert (status, headers["content-type"]) == (200, "image/jpeg")
    assert (headers["x-content-type-options"], headers["accept-ranges"]) == ("nosniff", "bytes")
    assert headers["cache-control"] == "public, max-age=86400"
    assert headers["content-length"] == str(len(content)) == str(image["media_details"]["filesize"])
    assert "content-disposition" not in headers
    sheet = uploaded(admin, b"a;b\n", "a.csv")
    _, headers, _ = read_file(site, sheet["source_url"])
    assert (headers["content-type"], headers["content-disposition"]) == ("application/octet-stream", "attachment")


@pytest.mark.parametrize("name", ["a.html", "a.svg", "a.xml", "a.js", "a.HTM", "a.unknown", "a"])
def test_what_a_browser_would_run_is_a_download_whoever_put_it_there(site: Stand, name: str) -> None:
    site.site.files.put(f"uploads/{name}", b"<script>alert(1)</script>")
    _, headers, _ = read_file(site, f"{ORIGIN}/cms-content/uploads/{name}")
    assert (headers["content-type"], headers["content-disposition"]) == ("application/octet-stream", "attachment")
    assert "default-src 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize(
    ("asked", "status", "part", "told"),
    [
        ("bytes=0-3", 206, b"0123", "bytes 0-3/10"),
        ("bytes=8-", 206, b"89", "bytes 8-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=5-100", 206, b"56789", "bytes 5-9/10"),
        ("bytes=-100", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=-0", 416, b"", "bytes */10"),
        ("bytes=3-1", 200, b"0123456789", None),
        ("bytes=0-1,3-4", 200, b"0123456789", None),
        ("lines=0-1", 200, b"0123456789", None),
        ("bytes=" + "9" * 100 + "-", 200, b"0123456789", None),
    ],
)
def test_ranges(site: Stand, asked: str, status: int, part: bytes, told: str | None) -> None:
    site.site.files.put("uploads/a.txt", b"0123456789")
    found, headers, content = read_file(site, f"{ORIGIN}/cms-content/uploads/a.txt", range=asked)
    assert (found, content, headers.get("content-range")) == (status, part, told)


def test_what_a_reader_has_already_is_not_sent_again(site: Stand) -> None:
    url = f"{ORIGIN}/cms-content/uploads/a.txt"
    site.site.files.put("uploads/a.txt", b"0123456789")
    _, headers, _ = read_file(site, url)
    etag, date = headers["etag"], headers["last-modified"]
    for condition in ({"if_none_match": etag}, {"if_none_match": f'"x", W/{etag}'}, {"if_none_match": "*"},
                      {"if_modified_since": date}):  # fmt: skip
        status, _, content = read_file(site, url, **condition)
        assert (status, content) == (304, b"")
    assert read_file(site, url, if_none_match='"x"', if_modified_since=date)[0] == 200
    assert read_file(site, url, if_modified_since="no date")[0] == 200
    for fitting, expected in ((etag, 206), (date, 206), ('"x"', 200), ("no date", 200)):
        assert read_file(site, url, range="bytes=0-1", if_range=fitting)[0] == expected


def test_only_reads_are_answered(site: Stand) -> None:
    site.site.files.put("uploads/a.txt", b"0123456789")
    url = f"{ORIGIN}/cms-content/uploads/a.txt"
    status, headers, content = read_file(site, url, method="HEAD")
    assert (status, headers["content-length"], content) == (200, "10", b"")
    status, headers, _ = read_file(site, url, method="DELETE")
    assert (status, headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "path", ["", "none.txt", "../site.sqlite", "%2e%2e/site.sqlite", "a%00.txt", "a%5c..%5cb", ".hidden", "uploads",
             "uploads/../../site.sqlite", "//etc/passwd"]
)  # fmt: skip
def test_nothing_else_is_sent(site: Stand, path: str) -> None:
    site.site.files.put("uploads/a.txt", b"0123456789")
    status, headers, _ = read_file(site, f"{ORIGIN}/cms-content/{path}")
    assert status == 404
    assert headers["content-type"].startswith("text/plain")


@pytest.mark.in_process("its parts are counted")
def test_a_long_file_is_sent_in_parts(site: Stand) -> None:
    content = bytes(range(256)) * 4096
    site.site.files.put("uploads/a.pdf", content)
    scope = {"type": "http", "method": "GET", "path": "/cms-content/uploads/a.pdf", "query_string": b"", "headers": []}
    got: list[Any] = []

    async def send(message: Any) -> None:
        got.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    asyncio.run(site.site.app(scope, receive, send))
    parts = [message["body"] for message in got[1:]]
    assert b"".join(parts) == content
    assert max(map(len, parts)) <= 256 << 10
    assert [message["more_body"] for message in got[1:]] == [True] * (len(parts) - 1) + [False]


# -- settings


def test_files_may_have_an_address_of_their_own(tmp_path: Path) -> None:
    stand = Stand(made(tmp_path, media_url="https://cdn.example/"))
    try:
        one = uploaded(stand.client("admin"), picture(640, 400), "a.jpg")
        assert one["source_url"].startswith("https://cdn.example/uploads/")
        assert edit(stand.client("admin"), one, QUARTER).status == 201
    finally:
        stand.site.close()


def test_what_a_killed_process_left_is_swept_away(tmp_path: Path) -> None:
    import os

    incoming = tmp_path / "incoming"
    incoming.mkdir()
    for name, age in (("upload-old", 3 * 86_400), ("upload-new", 60), ("else", 3 * 86_400)):
        (incoming / name).write_bytes(b"x")
        moment = time.time() - age
        os.utime(incoming / name, (moment, moment))
    made(tmp_path).close()
    assert sorted(path.name for path in incoming.iterdir()) == ["else", "upload-new"]


@pytest.mark.in_process("it looks into the folder of files")
def test_a_check_names_files_that_are_gone(site: Stand, admin: Client) -> None:
    one = uploaded(admin, name="gone.txt")
    uploaded(admin, name="there.txt")
    next((site.site.folder / "media").rglob("gone.txt")).unlink()
    with site.site.work(read=True) as work:
        found = [line for rule in RULES for line in rule.broken(work)]
    file = one["guid"]["raw"].partition("/uploads/")[2]
    twins = sorted(each["id"] for each in one["translations"].values())
    assert found == [f"the file {file} of attachment {id} is missing" for id in twins]


def test_files_have_the_language_of_what_they_hang_on(site: Stand) -> None:
    """Whatever root an upload came through: an unattached file belongs to the site's first language."""
    italian = site.client("admin", root="/it/cms-json")
    post = italian.post("/cms/v2/posts", {"title": "Uno"}).json["id"]
    on, off = uploaded(italian, post=post)["id"], uploaded(italian)["id"]
    languages = [stored.language for id in (on, off) if (stored := site.stored(id))]
    assert languages == ["it", "en"]


@pytest.mark.in_process("it looks into the folder of files")
def test_an_image_whose_file_is_gone_is_told(site: Stand, admin: Client) -> None:
    one = uploaded(admin, picture(640, 400), "a.jpg")
    for path in (site.site.folder / "media/uploads").rglob("a.jpg"):
        path.unlink()
    assert refusal(edit(admin, one, QUARTER)) == (404, "rest_unknown_attachment")


def test_a_film_says_how_large_it_is(admin: Client) -> None:
    import struct

    def box(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I4s", len(content) + 8, kind) + content

    track = box(b"trak", box(b"tkhd", bytes(76) + struct.pack(">II", 320 << 16, 180 << 16)))
    times = box(b"mvhd", bytes(12) + struct.pack(">II", 1000, 65_000) + bytes(80))
    found = uploaded(admin, box(b"ftyp", b"isom\0\0\0\0") + box(b"moov", times + track), "a.mp4")
    details = found["media_details"]
    assert (details["width"], details["height"], details["length_formatted"]) == (320, 180, "1:05")
    assert 'width="320" height="180"' in found["description"]["rendered"]


def test_the_address_of_an_attached_file_begins_with_that_of_its_record(admin: Client) -> None:
    post = admin.post("/cms/v2/posts", {"title": "Uno", "status": "publish"}).json
    draft = admin.post("/cms/v2/posts", {"title": "Due"}).json
    made_one = uploaded(admin)
    path = f"/cms/v2/media/{made_one['id']}"
    assert admin.post(path, {"post": post["id"]}).json["permalink_template"] == f"{post['link']}%postname%/"
    assert (
        admin.post(path, {"post": draft["id"]}).json["permalink_template"].endswith(f"?attachment_id={made_one['id']}")
    )


def test_nobody_publishes_a_file(admin: Client) -> None:
    actions = [link["rel"].rpartition("/")[2] for link in admin.options("/cms/v2/media").json["schema"]["links"]]
    assert actions == ["action-unfiltered-html", "action-assign-author"]

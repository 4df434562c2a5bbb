"""Media over HTTP: uploads in both forms, derived files, permissions, and files as they are served."""

from __future__ import annotations

import asyncio
import hashlib
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from conftest import ORIGIN, Answer, Client, Stand, exchange, made
from pictures import huge_claim, picture, quarters
from vetrina.settings import load_profile
from vetrina.system.integrity_rules import RULES

MEDIA = "/cms/v2/media"
EVERY_METHOD = "GET, POST, PUT, PATCH, DELETE"
TEXT = b"plain words of a text file\n"


def sent(
    client: Client,
    content: bytes,
    name: str,
    query: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """Upload a file as the body of a request."""
    named = {"content-disposition": f'attachment; filename="{name}"', "content-type": "application/octet-stream"}
    return client.post(MEDIA, body=content, query=query, headers={**named, **(headers or {})})


def form(
    client: Client,
    files: dict[str, tuple[str, bytes]],
    fields: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """Upload files as a multipart form."""
    parts = [
        f'--mark\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in (fields or {}).items()
    ]
    for field, (name, content) in files.items():
        head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"\r\nContent-Type: image/jpeg'
        parts.append(f"--mark\r\n{head}\r\n\r\n".encode() + content + b"\r\n")
    body = b"".join(parts) + b"--mark--\r\n"
    return client.post(
        MEDIA, body=body, headers={"content-type": "multipart/form-data; boundary=mark", **(headers or {})}
    )


def uploaded(client: Client, content: bytes = TEXT, name: str = "words.txt", **query: Any) -> dict[str, Any]:
    answer = sent(client, content, name, query)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def refusal(answer: Answer) -> tuple[int, str | None]:
    return answer.status, answer.code


def numbers(answer: Answer) -> list[int]:
    assert answer.status == 200, answer.json
    return [one["id"] for one in answer.json]


def stored_files(site: Stand) -> list[str]:
    root = site.site.folder / "media" / "uploads"
    return sorted(path.name for path in root.rglob("*") if path.is_file())


def read_file(site: Stand, url: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    assert url.startswith(ORIGIN)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    status, pairs, content = exchange(site.site, method, urlsplit(url).path, b"", named)
    return status, dict(pairs), content


# -- uploads


@pytest.mark.in_process("it looks into the folder of files")
def test_an_uploaded_image_answers_with_all_that_it_is(site: Stand, admin: Client) -> None:
    answer = sent(
        admin, picture(640, 400), "My Harbour.JPG", {"alt_text": "a <b>harbour</b>", "caption": "<i>Words</i>"}
    )
    found = answer.json
    month = found["media_details"]["file"].rpartition("/")[0]
    folder = f"{ORIGIN}/cms-content/uploads/{month}"
    assert answer.status == 201
    assert answer.headers["location"] == f"{ORIGIN}/en/cms-json/cms/v2/media/{found['id']}"
    assert found["source_url"] == found["guid"]["raw"] == f"{folder}/My-Harbour.jpg"
    assert (found["slug"], found["title"]["raw"], found["status"]) == ("my-harbour", "My-Harbour", "inherit")
    assert (found["alt_text"], found["caption"]["rendered"]) == ("a harbour", "<p><i>Words</i></p>\n")
    assert (found["media_type"], found["mime_type"], found["post"]) == ("image", "image/jpeg", None)
    assert found["missing_image_sizes"] == []
    details = found["media_details"]
    assert (details["width"], details["height"]) == (640, 400)
    assert list(details["sizes"]) == ["medium", "thumbnail", "full"]
    assert details["sizes"]["medium"]["source_url"] == f"{folder}/My-Harbour-300x188.jpg"
    assert "filesize" not in details["sizes"]["full"]
    assert details["image_meta"]["aperture"] == "0"
    assert found["description"]["rendered"] == (
        f"<p class=\"attachment\"><a href='{folder}/My-Harbour.jpg'>"
        f'<img loading="lazy" decoding="async" width="300" height="188" src="{folder}/My-Harbour-300x188.jpg"'
        f' class="attachment-medium size-medium" alt="a harbour"'
        f' srcset="{folder}/My-Harbour-300x188.jpg 300w, {folder}/My-Harbour.jpg 640w"'
        f' sizes="auto, (max-width: 300px) 100vw, 300px" /></a></p>\n'
    )
    assert stored_files(site) == ["My-Harbour-150x150.jpg", "My-Harbour-300x188.jpg", "My-Harbour.jpg"]
    assert not list((site.site.folder / "incoming").iterdir())


def test_a_form_gives_the_title_of_the_name_as_it_was_sent(admin: Client) -> None:
    answer = form(admin, {"file": ("My own & Words.txt", TEXT)}, {"caption": "About it", "status": "private"})
    assert answer.status == 201
    assert answer.json["title"]["raw"] == "My own & Words"
    assert answer.json["source_url"].endswith("/My-own-Words.txt")
    assert (answer.json["caption"]["raw"], answer.json["status"]) == ("About it", "private")


def test_a_scaled_image_names_its_original(admin: Client) -> None:
    found = uploaded(admin, picture(3000, 2000, quality=40), "big.jpg")
    details = found["media_details"]
    assert (details["width"], details["height"], details["original_image"]) == (2560, 1707, "big.jpg")
    assert details["file"].endswith("/big-scaled.jpg")
    assert found["guid"]["raw"].endswith("/big.jpg")
    assert (found["slug"], found["title"]["raw"]) == ("big", "big")
    assert "2560w" not in found["description"]["rendered"]


def test_the_words_of_the_camera_are_the_first_title_and_caption(admin: Client) -> None:
    from PIL import Image

    exif = Image.Exif()
    exif[0x010E] = "The old harbour"
    content = picture(64, 64, exif=exif)
    found = uploaded(admin, content, "a.jpg")
    assert (found["title"]["raw"], found["caption"]["raw"]) == ("The old harbour", "The old harbour")
    told = uploaded(admin, content, "a.jpg", title="Mine", caption="")
    assert (told["title"]["raw"], told["caption"]["raw"]) == ("Mine", "")


@pytest.mark.in_process("it looks into the folder of files")
@pytest.mark.parametrize(
    ("name", "content"),
    [("a.svg", b"<svg/>"), ("a.html", b"<p>"), ("a.php", b"<?php"), ("a.exe", b"MZ"), ("a", b"words"),
     ("a.jpg", b"no image"), ("a.png", huge_claim(30_000, 30_000)), ("a.jpg", picture(800, 600)[:9_000]),
     ("a.txt", b"<!doctype html>")],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused_and_leaves_nothing(
    site: Stand, admin: Client, name: str, content: bytes
) -> None:
    assert refusal(sent(admin, content, name)) == (400, "rest_upload_sideload_error")
    assert refusal(form(admin, {"file": (name, content)})) == (400, "rest_upload_unknown_error")
    assert stored_files(site) == []
    assert numbers(admin.get(MEDIA)) == []


def test_a_form_without_a_good_file_is_refused(admin: Client) -> None:
    assert refusal(form(admin, {"other": ("a.txt", TEXT)})) == (400, "rest_upload_unknown_error")
    assert refusal(form(admin, {"file": ("a.txt", b"")})) == (400, "rest_upload_unknown_error")
    assert refusal(form(admin, {"file": ("", TEXT)})) == (400, "rest_upload_unknown_error")
    assert refusal(form(admin, {}, {"title": "No file"})) == (400, "rest_upload_no_data")


def test_a_form_that_ends_too_soon_is_refused(admin: Client) -> None:
    body = b'--mark\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nwords'
    answer = admin.post(MEDIA, body=body, headers={"content-type": "multipart/form-data; boundary=mark"})
    assert refusal(answer) == (400, "rest_invalid_multipart")
    answer = admin.post(MEDIA, body=b"no parts at all", headers={"content-type": "multipart/form-data; boundary=mark"})
    assert refusal(answer) == (400, "rest_invalid_multipart")


def test_a_checksum_that_does_not_fit_is_told(admin: Client) -> None:
    good = hashlib.md5(TEXT).hexdigest()
    assert sent(admin, TEXT, "a.txt", headers={"content-md5": good.upper()}).status == 201
    assert refusal(sent(admin, TEXT, "b.txt", headers={"content-md5": "0" * 32})) == (412, "rest_upload_hash_mismatch")
    assert form(admin, {"file": ("c.txt", TEXT)}, headers={"content-md5": good}).status == 201
    wrong = form(admin, {"file": ("d.txt", TEXT)}, headers={"content-md5": "0" * 32})
    assert refusal(wrong) == (412, "rest_upload_hash_mismatch")


@pytest.mark.in_process("it looks into the folder of files")
def test_an_upload_that_is_too_large_is_refused_before_it_is_kept(tmp_path: Path) -> None:
    profile = load_profile("first", {"limits.upload_bytes": 100_000, "limits.body_bytes": 20_000})
    stand = Stand(made(tmp_path, profile))
    try:
        admin, anyone = stand.client("admin"), stand.client()
        assert sent(admin, b"x" * 90_000, "a.txt").status == 201
        assert refusal(sent(admin, b"x" * 110_000, "b.txt")) == (413, "rest_request_too_large")
        fields = {"title": "t" * 30_000}
        assert refusal(form(admin, {"file": ("c.txt", TEXT)}, fields)) == (413, "rest_request_too_large")
        assert refusal(sent(anyone, b"x" * 90_000, "d.txt")) == (413, "rest_request_too_large")
        assert refusal(sent(anyone, b"x" * 9_000, "d.txt")) == (401, "rest_cannot_create")
        assert stored_files(stand) == ["a.txt"]
        assert not list((tmp_path / "incoming").iterdir())
    finally:
        stand.site.close()


@pytest.mark.in_process("it looks into the folder of files")
def test_a_connection_that_ends_early_keeps_nothing(site: Stand, admin: Client) -> None:
    scope = {
        "type": "http", "method": "POST", "scheme": "http", "path": f"/en/cms-json{MEDIA}", "query_string": b"",
        "headers": [(b"host", b"vetrina.test"), (b"content-disposition", b"attachment; filename=a.txt"),
                    (b"authorization", admin.headers["authorization"].encode())],
    }  # fmt: skip
    messages = [{"type": "http.request", "body": TEXT, "more_body": True}, {"type": "http.disconnect"}]
    got: list[Any] = []

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: Any) -> None:
        got.append(message)

    asyncio.run(site.site.app(scope, receive, send))
    assert got[0]["status"] == 400
    assert stored_files(site) == []
    assert not list((site.site.folder / "incoming").iterdir())


@pytest.mark.in_process("it looks into the folder of files")
def test_an_upload_is_never_held_in_memory(site: Stand, admin: Client) -> None:
    """48 MB come in as chunks of 64 KiB; the process holds only a fraction of them at any time."""
    import tracemalloc

    chunk = b"PK\3\4" + bytes(65_532)
    left = 768
    scope = {
        "type": "http", "method": "POST", "scheme": "http", "path": f"/en/cms-json{MEDIA}", "query_string": b"",
        "headers": [(b"host", b"vetrina.test"), (b"content-disposition", b"attachment; filename=large.zip"),
                    (b"authorization", admin.headers["authorization"].encode())],
    }  # fmt: skip
    got: list[Any] = []

    async def receive() -> dict[str, Any]:
        nonlocal left
        left -= 1
        return {"type": "http.request", "body": bytes(chunk), "more_body": left > 0}

    async def send(message: Any) -> None:
        got.append(message)

    uploaded(admin)  # imported once, before measuring
    tracemalloc.start()
    asyncio.run(site.site.app(scope, receive, send))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert got[0]["status"] == 201
    assert peak < 4 << 20
    assert "large.zip" in stored_files(site)


def test_others_are_answered_while_an_image_is_worked_on(site: Stand, admin: Client, anyone: Client) -> None:
    """The pixels are decoded in a thread, and no transaction waits for them."""
    content = picture(4000, 3000, quality=60)

    async def both() -> list[float]:
        loop = asyncio.get_running_loop()
        upload = asyncio.create_task(_asked(site, admin, "POST", MEDIA, content))
        taken: list[float] = []
        while not upload.done():
            start = loop.time()
            status = await _asked(
                site, admin, "POST", "/cms/v2/tags", f'{{"name": "t{len(taken)}"}}'.encode(), "application/json"
            )
            assert status == 201
            taken.append(loop.time() - start)
            await asyncio.sleep(0.005)
        assert await upload == 201
        return taken

    taken = asyncio.run(both())
    assert len(taken) > 5
    assert sorted(taken)[len(taken) // 2] < 0.1


async def _asked(
    site: Stand, client: Client, method: str, path: str, body: bytes, kind: str = "application/octet-stream"
) -> int:
    scope = {
        "type": "http", "method": method, "scheme": "http", "path": f"/en/cms-json{path}", "query_string": b"",
        "headers": [(b"host", b"vetrina.test"), (b"content-disposition", b"attachment; filename=a.jpg"),
                    (b"authorization", client.headers["authorization"].encode()), (b"content-type", kind.encode())],
    }  # fmt: skip
    got: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        got.append(message)

    await site.site.app(scope, receive, send)
    return int(got[0]["status"])


def test_twelve_megapixels_are_answered_soon(admin: Client) -> None:
    content = picture(4000, 3000, quality=85)
    start = time.process_time()
    found = uploaded(admin, content, "photo.jpg")
    assert time.process_time() - start < 5
    assert len(found["media_details"]["sizes"]) == 7


# -- who may


@pytest.mark.in_process("it looks into the folder of files")
@pytest.mark.parametrize(
    ("login", "expected"),
    [("", (401, "rest_cannot_create")), ("subscriber", (403, "rest_cannot_create")),
     ("contributor", (403, "rest_cannot_create")), ("author", (201, None)), ("editor", (201, None)),
     ("admin", (201, None))],
)  # fmt: skip
def test_authors_and_those_above_upload(site: Stand, login: str, expected: tuple[int, str | None]) -> None:
    client = site.client(login)
    assert refusal(sent(client, TEXT, "a.txt")) == expected
    assert refusal(form(client, {"file": ("a.txt", TEXT)})) == expected
    assert bool(stored_files(site)) is (expected[0] == 201)


ROLES = ("", "subscriber", "contributor", "author", "editor", "admin")


@pytest.mark.parametrize(
    ("method", "below", "body", "codes"),
    [
        ("GET", "", None, (200, 200, 200, 200, 200, 200)),
        ("GET", "?context=edit", None, (401, 403, 403, 403, 200, 200)),
        ("POST", "", {"title": "New"}, (401, 403, 403, 403, 200, 200)),
        ("DELETE", "?force=true", None, (401, 403, 403, 403, 200, 200)),
        ("POST", "/post-process", {"action": "create-image-subsizes"}, (401, 403, 403, 403, 200, 200)),
        ("POST", "/edit", {"src": "{src}", "modifiers": [{"type": "rotate", "args": {"angle": 90}}]},
         (401, 403, 403, 403, 201, 201)),
    ],
)  # fmt: skip
def test_the_file_of_another_is_for_editors(
    site: Stand, admin: Client, method: str, below: str, body: Any, codes: tuple[int, ...]
) -> None:
    found = []
    for role in ROLES:
        one = uploaded(admin, picture(64, 64), "a.jpg")
        json = {**body, "src": one["source_url"]} if body and "src" in body else body
        answer = site.client(role).ask(method, f"{MEDIA}/{one['id']}{below}", json=json)
        found.append(answer.status)
        assert answer.status < 500
    assert tuple(found) == codes


def test_an_author_does_everything_with_his_own(author: Client, editor: Client) -> None:
    one = uploaded(author, picture(64, 64), "a.jpg")
    item = f"{MEDIA}/{one['id']}"
    assert author.get(item, query={"context": "edit"}).headers["allow"] == EVERY_METHOD
    assert author.post(item, {"title": "Mine", "caption": "<script>x</script>ok"}).json["caption"]["raw"] == "xok"
    changed = author.post(f"{item}/edit", {"src": one["source_url"], "rotation": 90})
    assert (changed.status, changed.json["author"]) == (201, one["author"])
    me = editor.get("/cms/v2/users/me").json["id"]
    assert refusal(author.post(item, {"author": me})) == (403, "rest_cannot_edit_others")
    assert author.delete(item, query={"force": True}).status == 200


def test_edits_ask_for_the_right_to_upload_before_anything_else(contributor: Client, anyone: Client) -> None:
    body = {"src": "http://x.example/a.png", "rotation": 90}
    assert refusal(contributor.post(f"{MEDIA}/999/edit", body)) == (403, "rest_cannot_edit_image")
    assert refusal(anyone.post(f"{MEDIA}/999/edit", body)) == (401, "rest_cannot_edit_image")


def test_an_author_hangs_files_on_his_own_records_only(author: Client, admin: Client) -> None:
    own = author.post("/cms/v2/posts", {"title": "Own"}).json["id"]
    other = admin.post("/cms/v2/posts", {"title": "Other", "status": "publish"}).json["id"]
    assert uploaded(author, TEXT, "a.txt", post=own)["post"] == own
    assert refusal(sent(author, TEXT, "a.txt", {"post": other})) == (403, "rest_cannot_edit")
    assert refusal(sent(admin, TEXT, "a.txt", {"post": 999})) == (403, "rest_cannot_edit")
    file = uploaded(author)["id"]
    assert refusal(sent(author, TEXT, "a.txt", {"post": file})) == (400, "rest_invalid_param")
    assert refusal(author.post(f"{MEDIA}/{file}", {"post": file})) == (400, "rest_invalid_param")
    assert refusal(sent(author, TEXT, "a.txt", {"post": uploaded(admin)["id"]})) == (403, "rest_cannot_edit")


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

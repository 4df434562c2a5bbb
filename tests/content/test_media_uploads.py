"""Media over HTTP: uploads in both forms, and who may send and change them."""

from __future__ import annotations

import asyncio
import hashlib
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import ORIGIN, Client, Stand, made
from media_requests import EVERY_METHOD, MEDIA, TEXT, form, numbers, refusal, sent, stored_files, uploaded
from pictures import huge_claim, picture
from vetrina.settings import load_profile

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

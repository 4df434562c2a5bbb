"""Another file in the place of one, and where a file is used, over HTTP."""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

from conftest import Answer, Client, Stand, exchange
from pictures import picture, quarters

MEDIA = "/cms/v2/media"
PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


def named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def uploaded(client: Client, content: bytes, name: str) -> dict[str, Any]:
    answer = client.post(MEDIA, body=content, headers=named(name))
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def replace(client: Client, id: int, content: bytes, name: str = "new.jpg") -> Answer:
    return client.post(f"{MEDIA}/{id}/replace", body=content, headers=named(name))


def fetch(site: Stand, url: str) -> tuple[int, bytes]:
    status, _, content = exchange(site.site, "GET", urlsplit(url).path)
    return status, content


def size_of(content: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(content)).size


def recorded_files(site: Stand) -> list[str]:
    return sorted(one.name for one in site.site.files.list_files("uploads/"))


def test_a_replaced_picture_keeps_its_number_its_address_and_its_texts(site: Stand, admin: Client) -> None:
    one = uploaded(admin, picture(1200, 800), "bay.jpg")
    admin.post(f"{MEDIA}/{one['id']}", {"alt_text": "The bay", "focal_point": {"x": 0.1, "y": 0.1}})
    new = picture(900, 900)
    answer = replace(admin, one["id"], new)
    found = answer.json
    assert (answer.status, found["id"], found["source_url"]) == (200, one["id"], one["source_url"])
    assert (found["alt_text"], found["media_details"]["width"], found["media_details"]["height"]) == (
        "The bay",
        900,
        900,
    )
    assert "focal_point" not in found["media_details"]
    assert fetch(site, one["source_url"]) == (200, new)
    assert admin.get(f"{MEDIA}/{one['id']}").json["media_details"]["filesize"] == len(new)


def test_every_address_of_a_replaced_picture_shows_the_new_one(site: Stand, admin: Client) -> None:
    one = uploaded(admin, picture(1200, 800), "bay.jpg")
    found = replace(admin, one["id"], quarters(900, 900, "JPEG")).json
    for name, size in one["media_details"]["sizes"].items():
        if name == "full":
            continue
        status, content = fetch(site, size["source_url"])
        assert status == 200, name
        image = Image.open(io.BytesIO(content)).convert("RGB")
        assert image.size == (min(size["width"], 900), min(size["height"], 900))
        red = image.getpixel((image.width // 5, image.height // 5))
        assert isinstance(red, tuple)
        assert red[0] > 200, "the first quarter of the new one"
    for name, size in found["media_details"]["sizes"].items():
        assert size_of(fetch(site, size["source_url"])[1]) == (size["width"], size["height"]), name
    assert admin.delete(f"{MEDIA}/{one['id']}", query={"force": True}).status == 200
    assert recorded_files(site) == []


def test_a_scaled_picture_is_replaced_together_with_its_original(site: Stand, admin: Client) -> None:
    big = uploaded(admin, picture(3000, 2000, quality=30), "big.jpg")
    small = replace(admin, big["id"], picture(700, 500)).json
    assert small["source_url"] == big["source_url"]
    assert size_of(fetch(site, big["source_url"])[1]) == (700, 500)
    assert size_of(fetch(site, big["source_url"].replace("-scaled", ""))[1]) == (700, 500)
    plain = uploaded(admin, picture(700, 500), "plain.jpg")
    large = replace(admin, plain["id"], picture(3000, 2000, quality=30)).json
    assert large["source_url"] == plain["source_url"]
    assert large["media_details"]["width"] == 2560
    assert size_of(fetch(site, plain["source_url"])[1]) == (2560, 1707)
    assert large["media_details"]["original_image"] == "plain-original.jpg"


def test_a_document_is_replaced(site: Stand, admin: Client) -> None:
    one = uploaded(admin, PDF, "paper.pdf")
    assert replace(admin, one["id"], PDF + b"%\n", "other.pdf").status == 200
    assert fetch(site, one["source_url"]) == (200, PDF + b"%\n")


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        (picture(60, 40, "PNG"), "a.png", "rest_upload_type_differs"),
        (PDF, "a.pdf", "rest_upload_type_differs"),
        (b"<svg></svg>", "a.svg", "rest_upload_sideload_error"),
        (b"no picture", "a.jpg", "rest_upload_sideload_error"),
        (picture(60, 40)[:300], "a.jpg", "rest_upload_sideload_error"),
        (b"", "a.jpg", "rest_upload_no_data"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_changes_nothing(
    site: Stand, admin: Client, content: bytes, name: str, code: str
) -> None:
    old = picture(600, 400)
    one = uploaded(admin, old, "bay.jpg")
    before = recorded_files(site)
    answer = replace(admin, one["id"], content, name)
    assert (answer.status, answer.code) == (400, code)
    assert fetch(site, one["source_url"]) == (200, old)
    assert (recorded_files(site), admin.get(f"{MEDIA}/{one['id']}").json) == (
        before,
        admin.get(f"{MEDIA}/{one['id']}").json,
    )


def write(client: Client, type: str = "posts", **members: Any) -> int:
    answer = client.post(f"/cms/v2/{type}", {"title": "T", "status": "publish", **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def test_the_uses_of_a_file_are_told_with_their_ways(admin: Client) -> None:
    one, other = uploaded(admin, picture(600, 400), "bay.jpg"), uploaded(admin, picture(60, 40), "bay-view.jpg")
    sizes = one["media_details"]["sizes"]
    small = sizes["medium"]["source_url"]
    both = write(admin, featured_media=one["id"], content=f'<img src="{one["source_url"]}">')
    sized = write(admin, "pages", content=f'<img src="{small}">')
    write(admin, content=f'<img src="{other["source_url"]}">')
    gone = write(admin, featured_media=one["id"])
    admin.delete(f"/cms/v2/posts/{gone}")
    admin.post("/cms/v2/settings", {"site_logo": one["id"]})
    found = admin.get(f"{MEDIA}/{one['id']}/usage").json
    assert [(use["id"], use["type"], use["ways"]) for use in found["records"]] == [
        (sized, "page", ["content"]),
        (both, "post", ["featured_media", "content"]),
    ]
    assert (found["settings"], found["partial"]) == (["site_logo"], False)


def test_records_that_the_caller_may_not_read_are_not_named(admin: Client, author: Client) -> None:
    one = uploaded(author, picture(60, 40), "bay.jpg")
    public = write(admin, featured_media=one["id"], title="Seen")
    for status in ("private", "draft"):
        write(admin, featured_media=one["id"], title="Hidden", status=status)
    answer = author.get(f"{MEDIA}/{one['id']}/usage")
    assert [use["id"] for use in answer.json["records"]] == [public]
    assert "Hidden" not in str(answer.json)
    assert len(admin.get(f"{MEDIA}/{one['id']}/usage").json["records"]) == 3


def test_a_text_behind_a_password_is_not_told(admin: Client, author: Client) -> None:
    one = uploaded(author, picture(60, 40), "bay.jpg")
    write(admin, content=one["source_url"], password="secret")
    assert author.get(f"{MEDIA}/{one['id']}/usage").json["records"] == []
    assert len(admin.get(f"{MEDIA}/{one['id']}/usage").json["records"]) == 1


def test_patterns_and_templates_that_name_a_file_are_told(admin: Client) -> None:
    one = uploaded(admin, picture(60, 40), "bay.jpg")
    pattern = write(admin, "blocks", content=one["source_url"])
    assert admin.post("/cms/v2/templates", {"slug": "another", "content": one["source_url"]}).status == 201
    found = admin.get(f"{MEDIA}/{one['id']}/usage").json["records"]
    assert [use["type"] for use in found] == ["cms_template", "cms_block"]
    assert found[1]["id"] == pattern


@pytest.mark.every_database
def test_no_more_uses_are_looked_at_than_the_rule_says(admin: Client) -> None:
    one = uploaded(admin, picture(60, 40), "bay.jpg")
    requests = [
        {"method": "POST", "path": "/cms/v2/posts", "body": {"title": "T", "content": one["source_url"]}}
        for _ in range(25)
    ]
    for _ in range(5):
        assert admin.post("/batch/v1", {"requests": requests}).status == 207
    found = admin.get(f"{MEDIA}/{one['id']}/usage").json
    assert (len(found["records"]), found["partial"]) == (100, True)

"""Ids of an export file: kept on an empty site, and else each reference leads to the new one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import ORIGIN, Client, Stand
from pictures import picture

from .conftest import ImportCall
from .export_files import OLD, ExportFile, comment

UPLOADS = f"{OLD}/wp-content/uploads"


@pytest.fixture
def uploads(tmp_path: Path) -> Path:
    """The folder of an old site's uploads, with one picture."""
    folder = tmp_path / "uploads" / "2020" / "05"
    folder.mkdir(parents=True)
    (folder / "sea.jpg").write_bytes(picture(1200, 800))
    return tmp_path / "uploads"


@pytest.fixture
def old() -> ExportFile:
    """An export in which everything names something else by its id or address."""
    file = ExportFile()
    file.author(47, "anna")
    file.category(31, "local", "Local")
    file.term(40, "nav_menu", "main", "Main")
    image = f"{UPLOADS}/2020/05/sea"
    file.item(
        60, "Front", f'<!-- wp:image {{"id":61,"sizeSlug":"medium"}} --><figure><img src="{image}-300x200.jpg" '
        f'class="wp-image-61"/></figure><!-- /wp:image --><!-- wp:gallery {{"ids":[61]}} /-->'
        f'<!-- wp:block {{"ref":63}} /--><a href="{image}.jpg">whole</a>',
        author="anna", terms=(("category", "local"),), meta={"_thumbnail_id": "61"}, comments=(comment(7, "Yes"),),
    )  # fmt: skip
    file.item(61, "The sea", post_type="attachment", status="inherit", post_parent=60, author="anna",
              attachment_url=f"{image}.jpg", excerpt="At noon",
              meta={"_wp_attached_file": "2020/05/sea.jpg", "_wp_attachment_image_alt": "Waves"})  # fmt: skip
    file.item(63, "Pattern", "<p>P</p>", post_type="wp_block")
    file.item(64, "", post_type="nav_menu_item", terms=(("nav_menu", "main"),), meta={
        "_menu_item_type": "post_type", "_menu_item_object": "post", "_menu_item_object_id": "60"})  # fmt: skip
    return file


def read_all(admin: Client, slug: str = "item-60") -> dict[str, Any]:
    """Return what the interface shows of the imported things, by what they are."""
    post = admin.get(f"/cms/v2/posts?slug={slug}&context=edit").json[0]
    media = admin.get("/cms/v2/media?slug=item-61&context=edit").json[0]
    return {
        "post": post,
        "media": media,
        "pattern": admin.get("/cms/v2/blocks?slug=item-63").json[0],
        "comment": admin.get(f"/cms/v2/comments?post={post['id']}").json[0],
        "item": admin.get("/cms/v2/menu-items").json[0],
        "author": admin.get(f"/cms/v2/users/{post['author']}").json,
    }


def find_stored(url: str) -> str:
    """Return an address as an import writes it into texts: the site of these tests has none of its own."""
    return url.replace(ORIGIN, "http://127.0.0.1:8000")


def assert_connected(found: dict[str, Any]) -> None:
    """Assert that each thing names the others as they are here."""
    post, media = found["post"], found["media"]
    assert (post["featured_media"], media["post"]) == (media["id"], post["id"])
    assert found["author"]["slug"] == "anna"
    assert found["item"]["object_id"] == post["id"]
    raw = post["content"]["raw"]
    assert f'<!-- wp:image {{"id":{media["id"]},' in raw
    assert f'class="wp-image-{media["id"]}"' in raw
    assert f'<!-- wp:gallery {{"ids":[{media["id"]}]}} /-->' in raw
    assert f'<!-- wp:block {{"ref":{found["pattern"]["id"]}}} /-->' in raw
    assert f'href="{find_stored(media["source_url"])}"' in raw
    assert f'src="{find_stored(media["media_details"]["sizes"]["medium"]["source_url"])}"' in raw
    assert OLD not in raw


@pytest.mark.every_database
def test_an_empty_site_keeps_them(bring: ImportCall, old: ExportFile, uploads: Path, admin: Client) -> None:
    report = bring(old, uploads)
    assert report.keep_ids
    assert not report.refusals
    found = read_all(admin)
    assert {name: one["id"] for name, one in found.items()} == {
        "post": 60, "media": 61, "pattern": 63, "comment": 7, "item": 64, "author": 47,
    }  # fmt: skip
    assert_connected(found)
    assert (found["media"]["alt_text"], found["media"]["caption"]["raw"]) == ("Waves", "At noon")
    assert found["media"]["media_details"]["file"] == "2020/05/sea.jpg"


@pytest.mark.every_database
def test_another_site_gives_new_ones(bring: ImportCall, old: ExportFile, uploads: Path, admin: Client) -> None:
    for at in range(70):
        assert admin.post("/cms/v2/posts", {"title": f"Own {at}", "status": "publish"}).status == 201
    report = bring(old, uploads)
    assert not report.keep_ids
    found = read_all(admin)
    assert min(one["id"] for name, one in found.items() if name in ("post", "media", "pattern", "item")) > 70
    assert_connected(found)


def test_new_records_get_ids_above_the_kept_ones(
    bring: ImportCall, old: ExportFile, uploads: Path, admin: Client
) -> None:
    bring(old, uploads)
    assert admin.post("/cms/v2/posts", {"title": "Next"}).json["id"] > 64
    assert admin.post("/cms/v2/categories", {"name": "Next"}).json["id"] > 40


def test_a_taken_id_is_given_up_and_told(bring: ImportCall, old: ExportFile, uploads: Path, admin: Client) -> None:
    admin.post("/cms/v2/posts", {"title": "First"})
    file = ExportFile()
    file.item(1, "Old first", "Text")
    report = bring(file, keep_ids=True)
    assert report.notes == {"another id than before: its own is taken": 1}
    assert admin.get("/cms/v2/posts?slug=item-1").json[0]["id"] != 1


def test_files_that_are_left_out_come_later_with_what_names_them(
    bring: ImportCall, old: ExportFile, uploads: Path, admin: Client
) -> None:
    report = bring(old)
    assert report.refusals == [("/cms/v2/media", 61, "files were not asked for")]
    assert "refers to a thing that did not come: image" in report.notes
    post = admin.get("/cms/v2/posts/60?context=edit").json
    assert post["featured_media"] == 0
    assert f"{UPLOADS}/2020/05/sea-300x200.jpg" in post["content"]["raw"]
    bring(old, uploads)
    found = read_all(admin)
    assert found["post"]["featured_media"] == found["media"]["id"] == 61


def test_authors_are_found_by_login_and_email_mapped_or_given_to_one(bring: ImportCall, admin: Client) -> None:
    file = ExportFile()
    file.author(41, "Editor", "other@old.example")
    file.author(42, "ed", "AUTHOR@example.org")
    file.author(43, "new")
    file.author(44, "gone")
    for at in range(41, 45):
        file.item(at + 100, "One", "Text", author={41: "Editor", 42: "ed", 43: "new", 44: "gone"}[at])
    report = bring(file, authors={"gone": "contributor"})
    slugs = {at: admin.get(f"/cms/v2/users/{admin.get(f'/cms/v2/posts/{at}').json['author']}").json["slug"]
             for at in range(141, 145)}  # fmt: skip
    assert slugs == {141: "editor", 142: "author", 143: "new", 144: "contributor"}
    assert report.resets == ["new"]


def test_everything_can_be_given_to_one_account(bring: ImportCall, old: ExportFile, admin: Client) -> None:
    bring(old, author="editor")
    post = admin.get("/cms/v2/posts/60").json
    assert admin.get(f"/cms/v2/users/{post['author']}").json["slug"] == "editor"
    assert admin.get("/cms/v2/users?slug=anna").json == []


def test_an_imported_account_cannot_sign_in_before_it_has_a_password(
    bring: ImportCall, old: ExportFile, site: Any, admin: Client
) -> None:
    bring(old)
    anna = site.client("anna")
    assert anna.get("/cms/v2/users/me").status == 401
    assert admin.get("/cms/v2/users/47?context=edit").json["roles"] == ["author"]


def test_what_a_killed_import_left_of_a_picture_takes_no_name(
    bring: ImportCall, old: ExportFile, uploads: Path, admin: Client, site: Stand
) -> None:
    folder = site.site.folder / "media" / "uploads" / "2020" / "05"
    folder.mkdir(parents=True)
    for name in ("sea.jpg", "sea-300x200.jpg", "sea-150x150.jpg"):
        (folder / name).write_bytes(b"left")
    (folder / "sea-side.jpg").write_bytes(b"another's")
    bring(old, uploads)
    media = admin.get("/cms/v2/media?slug=item-61").json[0]
    assert media["source_url"].endswith("/2020/05/sea.jpg")
    assert media["media_details"]["sizes"]["thumbnail"]["file"] == "sea-150x150.jpg"
    assert (folder / "sea-150x150.jpg").read_bytes() != b"left"
    assert (folder / "sea-side.jpg").read_bytes() == b"another's"

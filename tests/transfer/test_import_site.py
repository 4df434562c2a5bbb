"""A site moves into an empty one, from its interface or from a folder of it, and the two agree afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Client, Stand, made
from content.test_fonts import WOFF2, family, sent
from pictures import picture
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.compare.comparison import RecordDifference, SourceComparison
from vetrina.transfer.folder_export import export_to_folder
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import SkippedRecord
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.sources.folder import FolderSource

pytestmark = pytest.mark.in_process("both sites are read without HTTP")

STYLES = {"color": {"text": "#123456"}}


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Stand]:
    """The empty site."""
    (tmp_path / "new").mkdir()
    site = made(tmp_path / "new", url="https://new.example")
    yield Stand(site)
    site.close()


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Stand]:
    """A site in two languages, with what belongs to a theme, too."""
    (tmp_path / "old").mkdir()
    site = made(tmp_path / "old", url="https://old.example")
    fill(Stand(site))
    yield Stand(site)
    site.close()


def fill(old: Stand) -> None:
    admin, italian = old.client("admin"), old.client("admin", "/it/cms-json")
    headers = {"content-disposition": 'attachment; filename="harbour.jpg"'}
    image = admin.post("/cms/v2/media", body=picture(400, 200), headers=headers).json
    parent = admin.post("/cms/v2/categories", {"name": "Places"}).json["id"]
    category = admin.post("/cms/v2/categories", {"name": "Harbours", "parent": parent}).json["id"]
    text = f'<!-- wp:image {{"id":{image["id"]}}} --><img class="wp-image-{image["id"]}" src="{image["source_url"]}"/>'
    post = admin.post("/cms/v2/posts", {
        "title": "The harbour", "content": f"{text}<!-- /wp:image -->", "status": "publish", "categories": [category],
        "featured_media": image["id"], "sticky": True, "date": "2020-03-29T02:30:00",
    }).json  # fmt: skip
    other = italian.post("/cms/v2/posts", {"title": "Il porto", "status": "publish"}).json["id"]
    admin.put(f"/cms/v2/posts/{post['id']}", {"translations": {"it": {"id": other}}})
    admin.post("/cms/v2/comments", {"post": post["id"], "content": "I was there"})
    below = admin.post("/cms/v2/pages", {"title": "Below", "status": "draft"}).json["id"]
    above = admin.post("/cms/v2/pages", {"title": "Above", "status": "publish"}).json["id"]
    admin.put(f"/cms/v2/pages/{below}", {"parent": above})
    menu = admin.post("/cms/v2/menus", {"name": "Main"}).json["id"]
    admin.post("/cms/v2/menu-items", {
        "title": "Up", "menus": menu, "type": "post_type", "object": "page", "object_id": above, "status": "publish",
    })  # fmt: skip
    admin.post("/cms/v2/blocks", {"title": "Piece", "content": "<p>Piece</p>", "status": "publish",
                                  "meta": {"cms_pattern_sync_status": "unsynced"}})  # fmt: skip
    admin.post("/cms/v2/templates", {"slug": "narrow", "title": "Narrow", "content": "<p>Narrow</p>"})
    admin.put("/cms/v2/template-parts/portico//footer", {"content": "<p>Our footer</p>"})
    admin.put(f"/cms/v2/global-styles/{find_styles(admin)}", {"styles": STYLES})
    admin.post("/cms/v2/widgets", {"id_base": "text", "sidebar": "cms_inactive_widgets",
                                   "instance": {"raw": {"title": "Hours", "text": "Nine to five"}}})  # fmt: skip
    admin.post("/cms/v2/redirects", {"source": "/quay", "target": "/harbour", "status": 302})
    assert sent(admin, family(admin).json["id"], {"file-0": ("kept.woff2", WOFF2)}).status == 201
    admin.put("/cms/v2/settings", {"title": "The harbour", "description": "By the sea"})


def find_styles(admin: Client) -> str:
    theme = admin.get("/cms/v2/themes?status=active").json[0]
    href: str = theme["_links"]["cms:user-global-styles"][0]["href"]
    return href.rpartition("/")[2]


def bring(old: Stand, new: Stand, **options: Any) -> ImportReport:
    return import_records(new.site, SiteSource(LocalConnection(old.site)), ImportOptions(**options))


def list_differences(old: Stand, new: Stand) -> list[RecordDifference]:
    found = SourceComparison(*(SiteSource(LocalConnection(one.site)) for one in (old, new))).run()
    # Accounts that were here before keep the day on which they came.
    return [one for one in found if {member.member for member in one.members} != {"registered_date"}]


def test_a_site_that_moved_in_agrees_with_the_old_one(old: Stand, new: Stand) -> None:
    report = bring(old, new)
    assert not report.refusals
    assert not report.left_out
    assert list_differences(old, new) == []


def test_a_file_that_two_languages_share_comes_once(old: Stand, new: Stand) -> None:
    bring(old, new)
    files = [one["source_url"] for one in new.client("admin").get("/cms/v2/media?lang=all").json]
    italian = [one["source_url"] for one in new.client("admin", "/it/cms-json").get("/cms/v2/media").json]
    assert set(files) == set(italian) == {"https://new.example" + find_path(files[0])}


def find_path(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def test_an_export_comes_in_again_without_loss(old: Stand, new: Stand, tmp_path: Path) -> None:
    export_to_folder(SiteSource(LocalConnection(old.site)), tmp_path / "export")
    report = import_records(new.site, FolderSource(tmp_path / "export"))
    assert not report.refusals
    assert list_differences(old, new) == []


def test_the_next_run_brings_what_has_changed_alone(old: Stand, new: Stand) -> None:
    bring(old, new)
    again = bring(old, new)
    assert all(not (one.created or one.updated or one.skipped) for one in again.resources.values())
    admin = old.client("admin")
    page = next(one for one in admin.get("/cms/v2/pages").json if one["slug"] == "above")["id"]
    admin.put(f"/cms/v2/pages/{page}", {"title": "Far above"})
    admin.put("/cms/v2/templates/portico//narrow", {"content": "<p>Narrower</p>"})
    third = bring(old, new)
    assert {path: one.updated for path, one in third.resources.items() if one.updated} == {
        "/cms/v2/pages": 1, "/cms/v2/templates": 1,
    }  # fmt: skip
    assert list_differences(old, new) == []


def test_a_site_with_content_gives_new_ids(old: Stand, new: Stand) -> None:
    admin = new.client("admin")
    own = [admin.post("/cms/v2/posts", {"title": f"Ours {number}"}).json["id"] for number in range(40)]
    assert bring(old, new).keep_ids is False
    [post] = [one for one in admin.get("/cms/v2/posts?context=edit").json if one["slug"] == "the-harbour"]
    assert post["id"] > max(own)
    media = admin.get(f"/cms/v2/media/{post['featured_media']}").json
    assert f'wp-image-{media["id"]}" src="{media["source_url"]}"' in post["content"]["raw"]
    assert admin.get(f"/cms/v2/posts/{post['id']}").json["translations"]["it"]
    assert admin.get("/cms/v2/settings").json["title"] != "The harbour"


def test_what_the_source_could_not_give_is_told_and_asked_for_again(old: Stand, new: Stand) -> None:
    unread: list[SkippedRecord] = []

    class BrokenSource(SiteSource):
        """Breaks on a record once."""

        def read_records(self, resource: str, since: Any = None) -> Iterator[Any]:
            for record in super().read_records(resource, since):
                if resource == "/cms/v2/pages" and record.values["slug"] == "above" and not unread:
                    unread.append(SkippedRecord(resource, record.id, 2, "the site answers 500"))
                else:
                    yield record

    report = import_records(new.site, BrokenSource(LocalConnection(old.site)), unread=unread)
    assert [(where, reason) for where, _, reason in report.refusals if where == "/cms/v2/pages"] == [
        ("/cms/v2/pages", "the site answers 500")
    ]
    bring(old, new)
    assert list_differences(old, new) == []

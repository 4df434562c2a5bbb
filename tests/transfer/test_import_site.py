"""A site moves into an empty one, from its interface or from a folder of it, and the two agree afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Stand
from content.test_fonts import WOFF2
from vetrina.access.passwords import hashing
from vetrina.access.users import rules as users
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.compare.comparison import RecordDifference, SourceComparison
from vetrina.transfer.folder_export import export_to_folder
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import SkippedRecord, SourceError
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.sources.folder import FolderSource

from .old_site import WOFF

pytestmark = pytest.mark.in_process("both sites are read without HTTP")


def bring(old: Stand, new: Stand, **options: Any) -> ImportReport:
    return import_records(new.site, SiteSource(LocalConnection(old.site)), ImportOptions(**options))


def list_differences(old: Stand, new: Stand) -> list[RecordDifference]:
    return [*SourceComparison(*(SiteSource(LocalConnection(one.site)) for one in (old, new))).run()]


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


def test_a_post_without_categories_stays_without(old: Stand, new: Stand) -> None:
    admin = old.client("admin")
    post = admin.post("/cms/v2/posts", {"title": "Alone", "status": "publish"}).json["id"]
    admin.put(f"/cms/v2/posts/{post}", {"categories": []})
    bring(old, new)
    assert new.client("admin").get(f"/cms/v2/posts/{post}").json["categories"] == []


def find_path(url: str) -> str:
    return "/" + url.split("/", 3)[3]


@pytest.mark.parametrize("keep_ids", [True, False])
def test_earlier_texts_come_where_they_are_asked_for(old: Stand, new: Stand, keep_ids: bool) -> None:
    editor = old.client("editor")
    made = editor.post("/cms/v2/posts", {"title": "First", "status": "publish", "slug": "told-again"}).json
    editor.post(f"/cms/v2/posts/{made['id']}", {"title": "Second", "content": "See https://old.example/quay"})
    editor.post(f"/cms/v2/posts/{made['id']}/autosaves", {"title": "Third"})
    old.client("admin").post(f"/cms/v2/posts/{made['id']}/autosaves", {"title": "Fourth"})

    def read(site: Stand) -> list[tuple[Any, ...]]:
        admin = site.client("admin")
        [one] = admin.get("/cms/v2/posts?slug=told-again").json
        found = admin.get(f"/cms/v2/posts/{one['id']}/revisions?context=edit").json
        assert {revision["parent"] for revision in found} == {one["id"]}
        return [(two["slug"].partition("-")[2], two["title"]["raw"], two["date_gmt"], two["author"]) for two in found]

    source = SiteSource(LocalConnection(old.site), revisions=True)
    for _ in range(2):
        report = import_records(new.site, source, ImportOptions(keep_ids=keep_ids))
        assert not report.refusals
        assert not report.left_out
        assert read(new) == read(old)
    assert len(read(new)) > 2
    [one] = new.client("admin").get("/cms/v2/posts?slug=told-again").json
    assert "https://new.example/quay" in one["content"]["rendered"]


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


def test_a_link_that_is_made_there_later_comes_with_the_next_run(old: Stand, new: Stand) -> None:
    admin, italian = old.client("admin"), old.client("admin", "/it/cms-json")
    pages, terms = (
        [client.post(f"/cms/v2/{base}", body).json["id"] for client in (admin, italian)]
        for base, body in (("pages", {"title": "Quay", "status": "publish"}), ("categories", {"name": "Quays"}))
    )
    bring(old, new)
    admin.put(f"/cms/v2/pages/{pages[0]}", {"translations": {"it": {"id": pages[1]}}})
    admin.put(f"/cms/v2/categories/{terms[0]}", {"translations": {"it": {"id": terms[1]}}})
    bring(old, new)
    assert list_differences(old, new) == []
    assert new.client("admin").get(f"/cms/v2/pages/{pages[0]}").json["translations"]["it"]["id"] == pages[1]
    assert new.client("admin").get(f"/cms/v2/categories/{terms[0]}").json["translations"]["it"]["id"] == terms[1]


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


def test_the_account_that_was_here_takes_the_name_but_no_way_in(old: Stand, new: Stand) -> None:
    admin = old.client("admin")
    me = admin.get("/cms/v2/users/me?context=edit").json
    changed = {"name": "Ada", "description": "Keeps the harbour", "slug": "harbour-master", "email": "ada@old.example"}
    assert admin.put("/cms/v2/users/me", {**changed, "password": "another one 123"}).status == 200
    before = new.client("admin").get("/cms/v2/users/me?context=edit").json
    bring(old, new)
    after = new.client("admin").get("/cms/v2/users/me?context=edit").json
    assert {name: after[name] for name in ("name", "description", "slug")} == {
        name: changed[name] for name in ("name", "description", "slug")
    }
    assert after["registered_date"] == me["registered_date"]
    assert [after[name] for name in ("username", "email", "roles")] == [
        before[name] for name in ("username", "email", "roles")
    ]
    with new.site.work(read=True) as work:
        stored = users.load_password_hash(work.tx, after["id"])
    assert not hashing.is_correct_password(stored, "another one 123")


def test_what_is_made_while_an_import_is_not_done_takes_no_id_of_the_source(old: Stand, new: Stand) -> None:
    class LostSource(SiteSource):
        """Is gone when its records are read."""

        def read_records(self, resource: str, since: Any = None) -> Iterator[Any]:
            raise SourceError("the site does not answer")

    source = SiteSource(LocalConnection(old.site))
    with pytest.raises(SourceError):
        import_records(new.site, LostSource(LocalConnection(old.site)))
    post = new.client("admin").post("/cms/v2/posts", {"title": "Meanwhile"}).json["id"]
    assert post > source.find_greatest_ids()["record"]
    assert not import_records(new.site, source).refusals
    [found] = [one for one in new.client("admin").get("/cms/v2/posts").json if one["slug"] == "the-harbour"]
    assert found["id"] == next(
        one.id for one in source.read_records("/cms/v2/posts") if one.values["slug"] == "the-harbour"
    )


def test_all_files_of_a_font_face_come(old: Stand, new: Stand, tmp_path: Path) -> None:
    totals = export_to_folder(SiteSource(LocalConnection(old.site)), tmp_path / "export")
    assert totals.missing == 0
    assert not import_records(new.site, FolderSource(tmp_path / "export")).notes[
        "some of its files stay where they are"
    ]
    admin = new.client("admin")
    [family] = admin.get("/cms/v2/font-families").json
    [face] = admin.get(f"/cms/v2/font-families/{family['id']}/font-faces").json
    names = [url.rpartition("/uploads/")[2] for url in face["font_face_settings"]["src"]]
    assert [(new.site.folder / "media" / "uploads" / name).read_bytes() for name in names] == [WOFF2, WOFF]

"""Who follows an old link is led to where the record is now."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Stand
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.sources.folder import FolderSource

from .conftest import ImportCall
from .export_files import OLD, ExportFile
from .shop_export import ShopExport

REDIRECTS = "/cms/v2/redirects"
NOTE = "its address in the source leads to the one here"
SLUG_NOTE = "an earlier slug leads to it"

pytestmark = pytest.mark.in_process("the import runs beside the server")


def look_up(site: Stand, path: str) -> str:
    """Return the path that an address leads to, empty for nowhere."""
    answer = site.client(None).get(f"{REDIRECTS}/lookup?path={path}")
    return "" if answer.status == 404 else "/" + str(answer.json["target"]).split("/", 3)[3]


def test_an_address_of_another_structure_leads_to_the_record(site: Stand, bring: ImportCall) -> None:
    file = ExportFile()
    file.item(101, "One", "x", link=f"{OLD}/Journal/one/")
    file.item(102, "Two", "x", link=f"{OLD}/journal/two/", status="draft")
    file.item(103, "Three", "x", link=f"{OLD}/?p=103")
    file.item(104, "Four", "x", link=f"{OLD}/en/2020/05/06/item-104/")
    file.item(105, "Five", "x", link=f"{OLD}/2020/05/06/item-105/")
    assert bring(file).notes[NOTE] == 1
    assert look_up(site, "/journal/one") == "/en/2020/05/06/item-101/"
    assert [look_up(site, path) for path in ("/journal/two", "/", "/2020/05/06/item-105")] == ["", "", ""]
    [stored] = site.client("admin").get(REDIRECTS).json
    assert (stored["record"], stored["status"], stored["origin"]) == (101, 301, "slug")


def test_the_next_run_makes_nothing_twice_and_adds_what_was_published(site: Stand, bring: ImportCall) -> None:
    file, later = ExportFile(), ExportFile()
    file.item(101, "One", "x", link=f"{OLD}/journal/one/", status="draft")
    assert bring(file).notes[NOTE] == 0
    later.item(101, "One", "x", link=f"{OLD}/journal/one/")
    assert bring(later).notes[NOTE] == 1
    later.item(102, "Two", "x")
    assert bring(later).notes[NOTE] == 0
    assert len(site.client("admin").get(REDIRECTS).json) == 1


def test_what_stands_there_stays(site: Stand, bring: ImportCall) -> None:
    admin = site.client("admin")
    admin.post(REDIRECTS, {"source": "/written", "target": "/elsewhere"})
    admin.post("/cms/v2/pages", {"title": "Taken", "slug": "taken", "status": "publish"})
    file = ExportFile()
    file.item(1001, "One", "x", link=f"{OLD}/taken/")
    file.item(1002, "Two", "x", link=f"{OLD}/written/")
    assert bring(file).notes[NOTE] == 0
    assert look_up(site, "/written") == "/en/elsewhere"
    assert look_up(site, "/taken") == ""


def test_earlier_slugs_lead_to_the_record(site: Stand, bring: ImportCall) -> None:
    file = ExportFile()
    file.item(101, "One", "x", link=f"{OLD}/journal/one/", meta={"_wp_old_slug": "uno"})
    file.item(102, "Two", "x", link=f"{OLD}/journal/two/", meta={"_wp_old_slug": "due"}, status="draft")
    report = bring(file)
    assert (report.notes[NOTE], report.notes[SLUG_NOTE]) == (1, 1)
    assert look_up(site, "/journal/uno") == look_up(site, "/journal/one") == "/en/2020/05/06/item-101/"
    assert look_up(site, "/journal/due") == ""
    assert bring(file).notes[SLUG_NOTE] == 0


def test_a_link_to_the_old_home_is_not_taken_for_that_of_a_draft(site: Stand, bring: ImportCall) -> None:
    file = ExportFile()
    file.item(101, "One", "x", link=f"{OLD}/en/?p=101", status="draft")
    file.item(102, "Two", f'<a href="{OLD}/en/">Home</a>')
    bring(file)
    text = site.client("admin").get("/cms/v2/posts/102?context=edit").json["content"]["raw"]
    assert text.split('"')[1].endswith("/en/")


@pytest.fixture
def terms(tmp_path: Path) -> ShopExport:
    """Two categories that have other addresses there, and a post whose text links to the one."""
    export = ShopExport(tmp_path / "export", "/cms/v2/categories", "/cms/v2/posts")
    news = {
        "id": 101,
        "name": "News",
        "slug": "news",
        "parent": 0,
        "taxonomy": "category",
        "link": f"{OLD}/topics/news/",
    }
    export.add("/cms/v2/categories", 101, news)
    taken = {**news, "id": 102, "name": "Taken", "slug": "taken-2", "link": f"{OLD}/taken/"}
    export.add("/cms/v2/categories", 102, taken)
    text = f'<a href="{OLD}/topics/news/">News</a>'
    post = {"id": 101, "type": "post", "status": "publish", "slug": "one", "title": "One", "link": f"{OLD}/?p=101",
            "date": "2020-05-06T10:00:00", "content": {"raw": text}, "categories": [101]}  # fmt: skip
    export.add("/cms/v2/posts", 101, post)
    return export


def test_the_address_of_a_term_leads_to_it_with_what_is_below(site: Stand, terms: ShopExport) -> None:
    site.client("admin").post("/cms/v2/pages", {"title": "Taken", "slug": "taken", "status": "publish"})
    options = ImportOptions(keep_ids=True, files=False)
    assert import_records(site.site, FolderSource(terms.folder), options).notes[NOTE] == 1
    assert look_up(site, "/topics/news") == "/en/category/news/"
    assert look_up(site, "/topics/news/page/2") == "/en/category/news/page/2/"
    assert look_up(site, "/taken") == ""
    terms.add("/cms/v2/posts", 102, {"id": 102, "type": "post", "status": "publish", "slug": "two", "title": "Two"})
    assert import_records(site.site, FolderSource(terms.folder), options).notes[NOTE] == 0


def test_a_link_to_a_term_is_none_to_the_record_of_its_number(site: Stand, terms: ShopExport) -> None:
    import_records(site.site, FolderSource(terms.folder), ImportOptions(keep_ids=True, files=False))
    text = site.client("admin").get("/cms/v2/posts/101?context=edit").json["content"]["raw"]
    assert text.split('"')[1].endswith("/en/category/news/")

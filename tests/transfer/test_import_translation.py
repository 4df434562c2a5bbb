"""What the multilingual layer and the options pages of a site hold moves with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Stand, made
from custom_field_profile import build_profile
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.compare.comparison import SourceComparison
from vetrina.transfer.folder_export import export_to_folder
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.sources.folder import FolderSource

pytestmark = pytest.mark.in_process("both sites are read without HTTP")

PAGES = "/cms/v2/options-pages"
STRINGS = "/mlang/st/v1/strings"
XML = """<mlang-config><custom-fields>
 <custom-field action="copy">length_km</custom-field><custom-field action="translate">difficulty</custom-field>
</custom-fields></mlang-config>"""
MOVED = ("/mlang/", PAGES, "/cms/v2/posts")


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stand, Stand]]:
    """A site with what moves, and the empty one that it moved into by a folder."""
    opened = [
        made(tmp_path_factory.mktemp(name), build_profile(), url=f"https://{name}.example") for name in ("old", "new")
    ]
    old, new = (Stand(site) for site in opened)
    fill(old)
    folder = tmp_path_factory.mktemp("moved") / "export"
    export_to_folder(SiteSource(LocalConnection(old.site)), folder)
    report = import_records(new.site, FolderSource(folder))
    assert not report.refusals
    assert not [note for note in report.notes if "extra field" in note]
    yield old, new
    for site in opened:
        site.close()


def fill(old: Stand) -> None:
    admin, italian = old.client("admin"), old.client("admin", "/it/cms-json")
    admin.post("/mlang/v1/custom-xml-config", {"content": XML})
    admin.post("/cms/v2/posts", {"title": "Ring", "status": "publish",
                                 "meta": {"length_km": "7.5", "difficulty": "easy"}})  # fmt: skip
    admin.post("/cms/v2/settings", {"title": "The valley"})
    admin.post("/mlang/st/v1/import_mo_strings", {"plugins": [], "themes": [], "other": []})
    [title] = [one for one in admin.get(f"{STRINGS}?search=The valley").json if one["name"] == "Site Title"]
    assert admin.post(f"{STRINGS}/{title['id']}", {"translations": {"it": "La valle"}}).status == 200
    user = admin.get("/cms/v2/users/me").json["id"]
    admin.post(f"{PAGES}/company", {"meta": {"phone": "1", "claim": "Good", "boss": user}})
    italian.post(f"{PAGES}/company", {"meta": {"claim": "Buono"}})


def test_both_agree_in_what_moved(sites: tuple[Stand, Stand]) -> None:
    found = SourceComparison(*(SiteSource(LocalConnection(one.site)) for one in sites), only=MOVED)
    assert [*found.run()] == []
    totals = {one.resource: one.same for one in found.totals}
    assert totals[PAGES] == 2
    assert totals["/mlang/v1/custom-xml-config"] == 1
    assert totals[STRINGS]


def test_fields_that_the_configuration_names_come_with_the_records(sites: tuple[Stand, Stand]) -> None:
    [post] = [one for one in sites[1].client("admin").get("/cms/v2/posts").json if one["slug"] == "ring"]
    assert (post["meta"]["length_km"], post["meta"]["difficulty"]) == ("7.5", "easy")


def test_the_site_says_its_title_in_both_languages(sites: tuple[Stand, Stand]) -> None:
    titles = [sites[1].client(None, root).get("/").json["name"] for root in ("/cms-json", "/it/cms-json")]
    assert titles == ["The valley", "La valle"]


def test_options_pages_have_their_values_in_each_language(sites: tuple[Stand, Stand]) -> None:
    _, new = sites
    found = [new.client("admin", root).get(f"{PAGES}/company").json for root in ("/cms-json", "/it/cms-json")]
    assert [(one["meta"]["phone"], one["meta"]["claim"]) for one in found] == [("1", "Good"), ("1", "Buono")]


def test_a_site_that_is_not_empty_keeps_its_own(sites: tuple[Stand, Stand], tmp_path: Path) -> None:
    (tmp_path / "third").mkdir()
    site = made(tmp_path / "third", build_profile(), url="https://third.example")
    try:
        admin = Stand(site).client("admin")
        admin.post("/mlang/v1/custom-xml-config", {"content": "<mlang-config/>"})
        admin.post(f"{PAGES}/company", {"meta": {"phone": "9"}})
        admin.post("/cms/v2/settings", {"title": "Ours"})
        report = import_records(site, SiteSource(LocalConnection(sites[0].site)), ImportOptions(keep_ids=False))
        assert admin.get("/mlang/v1/custom-xml-config").json == "<mlang-config/>"
        assert admin.get(f"{PAGES}/company").json["meta"]["phone"] == "9"
        assert Stand(site).client(None, "/it/cms-json").get("/").json["name"] == "Ours"
    finally:
        site.close()
    told = " ".join(report.notes)
    assert "the translation configuration stays" in told
    assert "options pages stay" in told
